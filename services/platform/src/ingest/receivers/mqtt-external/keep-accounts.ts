// Keeps the accounts of a Mosquitto with the dynamic-security plugin in step with the devices: what has changed is applied in its order, each
// device's changes by one process at a time, and again until the broker has them. The broker is called outside of any transaction: it may take
// seconds to answer, and a transaction would hold its connection and its locks for as long.

import { randomUUID } from 'node:crypto'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import {
  type AccountChange,
  countAccountChangesAcrossResellers,
  deleteAppliedAccountChangesAcrossResellers,
  leaseDueAccountChangesAcrossResellers,
  releaseAccountChangesAcrossResellers,
  selectDecommissionedAcrossResellers,
  updateFailedAccountChangeAcrossResellers,
} from '../../../devices/broker-accounts.sql.ts'
import { openPassword } from '../../../devices/broker-accounts.ts'
import { allBrokerLogins } from '../../../devices/broker-logins.ts'
import { mqttUsername, parseMqttUsername } from '../../../devices/mqtt-identity.ts'
import type { Sender } from '../mqtt-embedded/topics.ts'
import type { BrokerLog } from './broker-link.ts'
import type { Command, CommandAnswer, DynamicSecurity } from './dynamic-security.ts'
import { deviceRole } from './mosquitto-files.ts'

/** Who holds the accounts. */
type AccountStore = Pick<DynamicSecurity, 'trouble' | 'connectionCount' | 'send' | 'listClients'>

export type KeepAccountsDeps = {
  readonly database: Database
  readonly dynamicSecurity: AccountStore
  /** `createSealer(secretKey, BROKER_PASSWORDS)`. */
  readonly sealer: Sealer
  readonly topicPrefix: string
  readonly now: () => Date
  readonly log: BrokerLog
}

/** What one process holds at a time; others take the rest meanwhile. */
const CHANGES_PER_ROUND = 50
const ROUND_BOUND_MS = 4_000
/** The round, and the last change of it: three commands, of which each is given up after 5 s. */
const LEASE_S = 30
const EVERY_MS = 500
const DEVICES_PER_QUESTION = 500

export class AccountKeeper {
  readonly #deps: KeepAccountsDeps
  #reconciledConnection = 0
  #waitingCount = 0
  #missingCount = 0

  constructor(deps: KeepAccountsDeps) {
    this.#deps = deps
  }

  /** Changes that the broker has not had, as of the last round. */
  get waitingCount(): number {
    return this.#waitingCount
  }

  /** Living devices without an account at the broker, as of the last connection. Their passwords are known to nobody but them. */
  get missingCount(): number {
    return this.#missingCount
  }

  async checkReadiness(): Promise<{ ok: boolean; detail: string }> {
    const { trouble } = this.#deps.dynamicSecurity
    const detail = `${this.#waitingCount} changes wait for the broker`
    return trouble === undefined ? { ok: true, detail } : { ok: false, detail: `${detail}: ${trouble}` }
  }

  /** One round; answers how long to wait for the next. */
  async round(): Promise<number> {
    const { database, dynamicSecurity } = this.#deps
    const { connectionCount } = dynamicSecurity
    let appliedCount = 0
    if (dynamicSecurity.trouble === undefined) {
      appliedCount = await this.#applyDue()
      // After what waits, which would otherwise count as missing.
      if (connectionCount !== this.#reconciledConnection && appliedCount === 0) {
        await this.#reconcile()
        this.#reconciledConnection = connectionCount
      }
    }
    this.#waitingCount = await countAccountChangesAcrossResellers(database.systemPool)
    return appliedCount > 0 ? 0 : EVERY_MS
  }

  async #applyDue(): Promise<number> {
    const { database, now, log } = this.#deps
    const db = database.systemPool
    const leaseId = randomUUID()
    const changes = await leaseDueAccountChangesAcrossResellers(db, { leaseId, leaseS: LEASE_S, limit: CHANGES_PER_ROUND }, now())
    if (changes.length === 0) return 0
    const endMs = performance.now() + ROUND_BOUND_MS
    let appliedCount = 0
    try {
      for (const change of changes) {
        if (performance.now() > endMs) break
        try {
          await applyChange(this.#deps, change)
        } catch (error) {
          await this.#noteFailure(change, error as Error)
          // The others would fail the same way, each after its time limit.
          if (this.#deps.dynamicSecurity.trouble !== undefined) break
          continue
        }
        await deleteAppliedAccountChangesAcrossResellers(db, [change.changeId])
        appliedCount++
      }
    } finally {
      await releaseAccountChangesAcrossResellers(db, leaseId)
    }
    if (appliedCount > 0) log.debug({ count: appliedCount }, 'accounts at the MQTT broker are as their devices are')
    return appliedCount
  }

  async #noteFailure({ changeId, deviceId, wanted }: AccountChange, error: Error): Promise<void> {
    const { database, log, now } = this.#deps
    log.warn({ err: error, deviceId, wanted }, 'the account of a device could not be changed at the MQTT broker; it is tried again')
    await updateFailedAccountChangeAcrossResellers(database.systemPool, changeId, error.message, now())
  }

  /** Removes accounts of devices that are decommissioned, and counts devices that have none. Accounts that are no device's of ours are left alone. */
  async #reconcile(): Promise<void> {
    const { database, dynamicSecurity, log } = this.#deps
    const accounts = await dynamicSecurity.listClients()
    let missingCount = 0
    for await (const { resellerId, deviceId } of allBrokerLogins(database)) {
      if (!accounts.delete(mqttUsername(resellerId, deviceId))) missingCount++
    }
    const senders = [...accounts].map(parseMqttUsername).filter((sender) => sender !== undefined)
    for (let from = 0; from < senders.length; from += DEVICES_PER_QUESTION) {
      const asked = senders.slice(from, from + DEVICES_PER_QUESTION)
      for (const gone of await selectDecommissionedAcrossResellers(database.systemPool, asked)) await removeAccount(dynamicSecurity, gone)
    }
    this.#missingCount = missingCount
    if (missingCount > 0) {
      log.warn(
        { missingCount },
        'devices have no account at the MQTT broker; export-passwords writes one for each, or rotate their credentials',
      )
    }
  }
}

async function applyChange(deps: KeepAccountsDeps, change: AccountChange): Promise<void> {
  const { dynamicSecurity, sealer, topicPrefix, log } = deps
  if (change.wanted === 'absent') return await removeAccount(dynamicSecurity, change)
  const username = mqttUsername(change.resellerId, change.deviceId)
  const password = openPassword(sealer, change)
  const isNew = password !== undefined && (await setAccount(dynamicSecurity, { topicPrefix, sender: change, username, password }))
  // Enabled as it is made: the plugin writes all accounts to disk with each command.
  if (isNew && change.wanted === 'enabled') return
  const [answer] = await dynamicSecurity.send([{ command: change.wanted === 'enabled' ? 'enableClient' : 'disableClient', username }])
  if (answer?.error === CLIENT_NOT_FOUND)
    log.warn({ username }, 'a device has no account at the MQTT broker, and its password is not known')
  else assertDone(answer)
}

type NewAccount = { readonly topicPrefix: string; readonly sender: Sender; readonly username: string; readonly password: string }

/** The account with its role, whether they are there or not; true when it was not. One that was there is signed out. */
async function setAccount(dynamicSecurity: AccountStore, { topicPrefix, sender, username, password }: NewAccount): Promise<boolean> {
  const role = deviceRole(topicPrefix, sender)
  const roles = [{ rolename: role.rolename }]
  const clientid = sender.deviceId
  const made = await dynamicSecurity.send([
    { command: 'createRole', ...role },
    { command: 'createClient', username, password, clientid, roles },
  ])
  const [roleMade, clientMade] = made
  const again: Command[] = []
  if (roleMade?.error === ROLE_EXISTS) again.push({ command: 'modifyRole', ...role })
  else assertDone(roleMade)
  if (clientMade?.error === CLIENT_EXISTS)
    again.push({ command: 'setClientPassword', username, password }, { command: 'modifyClient', username, clientid, roles })
  else assertDone(clientMade)
  if (again.length > 0) for (const answer of await dynamicSecurity.send(again)) assertDone(answer)
  return clientMade?.error === undefined
}

/** Ends its connections too. */
async function removeAccount(dynamicSecurity: AccountStore, { resellerId, deviceId }: Sender): Promise<void> {
  const username = mqttUsername(resellerId, deviceId)
  const [client, role] = await dynamicSecurity.send([
    { command: 'deleteClient', username },
    { command: 'deleteRole', rolename: username },
  ])
  if (client?.error !== CLIENT_NOT_FOUND) assertDone(client)
  if (role?.error !== ROLE_NOT_FOUND) assertDone(role)
}

const CLIENT_EXISTS = 'Client already exists'
const CLIENT_NOT_FOUND = 'Client not found'
const ROLE_EXISTS = 'Role already exists'
const ROLE_NOT_FOUND = 'Role not found'

function assertDone(answer: CommandAnswer | undefined): void {
  if (answer?.error !== undefined) throw new Error(`${answer.command}: ${answer.error}`)
}
