// For tests only: the SIM routes over a database of their own, entered through the real gate, with a reseller and its operator connections; and, where
// it is wanted, the emulator of operators' platforms, a process of its own, by one clock that the test moves.

import assert from 'node:assert/strict'
import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import type { SimAction, SimBulkAnswer } from '@roadworthy/contracts/sim-billing/sim-actions'
import type { Sim, SimHistoryEntry, SimUsage } from '@roadworthy/contracts/sim-billing/sims'
import { airtelConnection, ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { type RunningEmulator, startEmulator } from '@roadworthy/operator-emulator/testing-emulator'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { deviceExternalRoutes } from '../devices/device.routes.external.ts'
import { deviceLinks } from '../devices/device-links.ts'
import { subClientExternalRoutes } from '../fleet/sub-client.routes.external.ts'
import type { JobKind } from '../jobs/job.ts'
import { type JobDeps, runDueJobs } from '../jobs/job-worker.ts'
import { createKey } from '../keys/keys.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { actionSimBillingRoutes } from './actions/action.routes.sim-billing.ts'
import { actionJobs } from './actions/run-action.ts'
import { applyOperatorSim } from './apply-operator-sim.ts'
import { connectionSimBillingRoutes } from './connections/connection.routes.sim-billing.ts'
import { toWireFields } from './connections/connection-fields.ts'
import { selectConnection } from './connections/connections.sql.ts'
import { createOperatorPool, type OperatorPool } from './connections/operator-pool.ts'
import { OPERATOR_SECRETS } from './connections/operator-secrets.ts'
import { followJobs } from './follow-devices.ts'
import { simHoldJobs } from './holds/hold-sims.ts'
import type { OperatorId } from './operators/operator.ts'
import { freeGates } from './operators/test-turns.ts'
import { simSimBillingRoutes } from './sim.routes.sim-billing.ts'
import { simDateJobs } from './sim-dates.ts'

export type SimAnswerBody = {
  readonly success: boolean
  readonly error: { code: string; message: string; details?: Record<string, unknown> }
  readonly total: number
  readonly pagination: { endCursor: string | null; hasNextPage: boolean }
  readonly connection: OperatorConnection
  readonly connections: OperatorConnection[]
  readonly connection_id: string
  readonly message: string
  readonly sim: Sim
  readonly sims: Sim[]
  readonly action: SimAction | null
  readonly actions: SimAction[]
  readonly history: SimHistoryEntry[]
  readonly device_id: string
} & Pick<SimBulkAnswer, 'results' | 'accepted' | 'unchanged' | 'refused'> &
  Pick<SimUsage, 'cycle' | 'daily' | 'time_zone'>
export type SimAnswer = { readonly status: number; readonly body: SimAnswerBody; readonly text: string }
export type SimCall = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => Promise<SimAnswer>

export const cisco = {
  operator: 'cisco',
  name: 'Cisco',
  base_url: 'https://rest.example.com/rws/api/v1',
  credentials: { username: 'fleet', api_key: 'k7f3-secret' },
  settings: { time_zone: 'UTC', parking_rate_plan: 'Parking' },
}

export type EmulatedState = 'inventory' | 'test' | 'active' | 'suspended' | 'custody' | 'disconnecting'
export type KnownSim = { readonly id: string; readonly iccid: string }

export type SimDesk = {
  readonly database: Database
  readonly ownerUrl: string
  readonly operators: OperatorPool
  readonly clock: { now: Date }
  /** Of the reseller `acme`, with a key that may do everything. */
  readonly call: SimCall
  as(resellerId: string, pin?: string): Promise<SimCall>
  /** The work that is due by the clock. Answers how much was done. */
  runJobs(kinds?: readonly JobKind[]): Promise<number>
  newConnection(given?: object): Promise<string>
  newSim(given: { connection_id: string; iccid: string } & Record<string, unknown>): Promise<Sim>
  /** Connections to the accounts of the emulator, by operator. */
  readonly connectionIds: Readonly<Record<OperatorId, string>>
  readonly emulator: RunningEmulator
  /** Of the emulator too. */
  moveClock(ms: number): Promise<void>
  /** Of the emulator, in a state, and known here by what its operator reports of it. */
  knownSim(operator: OperatorId, state: EmulatedState): Promise<KnownSim>
  /** Takes in what the operator reports of the SIM. */
  see(operator: OperatorId, iccid: string): Promise<string>
  /** Runs what is due, and moves the clock to what is due next, until the action of the SIM is over. Answers how many rounds it took. */
  untilSettled(simId: string): Promise<number>
  simOf(id: string): Promise<Sim>
  /** Every request to change the SIM that reached the operator, done or not. */
  received(iccid: string): Promise<readonly { readonly change: string; readonly outcome: string }[]>
}

const MAX_ROUNDS = 200
/** Enough for a loaded machine; nothing waits for it. */
const AMPLE_MS = 30_000
const START = new Date('2026-11-20T12:00:00.000Z')

export async function openSimDesk(t: CleanUp, { isEmulated = false, totalMs = AMPLE_MS } = {}): Promise<SimDesk> {
  const cleanUp = lastFirst(t)
  const { database, ownerUrl } = await openTestDatabase(cleanUp)
  const clock = { now: START }
  const now = () => clock.now
  const sealer = createSealer(TEST_SECRET_KEY, OPERATOR_SECRETS)
  const guard = createAddressGuard({
    allowCidrs: isEmulated ? '127.0.0.0/8' : '',
    resolveName: async (hostname) => {
      if (hostname.endsWith('.example.com') && !hostname.startsWith('inside')) return [{ address: '93.184.215.14', family: 4 }]
      if (hostname.startsWith('inside')) return [{ address: '10.0.0.5', family: 4 }]
      throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
    },
  })
  // Nobody waits for a turn, and rests of an operator end by the clock that the test moves.
  const gates = freeGates(() => clock.now.getTime() + performance.now())
  const limits = { connectMs: AMPLE_MS, totalMs, maxAnswerBytes: 2_097_152 }
  const operators = createOperatorPool({ sealer, guard, gates, now, limits })
  const deviceDeps = {
    ...{ database, now, deviceLinks, markDue: async () => undefined, offlineAfterMs: 300_000, fleetChanged: () => undefined },
    sealer: createSealer(TEST_SECRET_KEY, 'device registrations'),
    mqtt: { broker: () => 'localhost:1883', topicPrefix: 'fleet' },
  }
  const { app } = await openTestApi(cleanUp, database, {
    now,
    external: [subClientExternalRoutes(deviceDeps), deviceExternalRoutes(deviceDeps)],
    simBilling: [
      connectionSimBillingRoutes({ database, now, sealer, guard, operators }),
      simSimBillingRoutes({ database, now }),
      actionSimBillingRoutes({ database, now }),
    ],
  })
  const callerOf =
    (apiKey: string): SimCall =>
    async (method, path, body) => {
      const url = path.startsWith('/api/') ? path : `/api/sim-billing${path}`
      const options = { method, url, headers: { 'x-api-key': apiKey } }
      const response = await app.inject(body === undefined ? options : { ...options, payload: body })
      return { status: response.statusCode, body: response.json(), text: response.body }
    }
  const { apiKey } = await insertResellerWithKey(database, 'acme')
  const call = callerOf(apiKey)
  const jobDeps: JobDeps = { database, now: async () => clock.now, random: () => 0.5, log: { error: (fields) => console.error(fields) } }
  const made = (answer: SimAnswer) => {
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const newConnection = async (given = {}) =>
    made(await call('POST', '/operator-connections', { ...cisco, ...given })).connection.connection_id
  const simJobs = [followJobs, actionJobs, simDateJobs, simHoldJobs].flatMap((kinds) => kinds({ database, operators, now }))
  const desk = {
    ...{ database, ownerUrl, operators, clock, call, newConnection },
    as: async (resellerId: string, pin?: string) => {
      if (pin === undefined) return callerOf((await insertResellerWithKey(database, resellerId)).apiKey)
      const key = { name: 'pinned', scopes: ['*'], perMinute: 0, perDay: 0, subClientId: pin } as const
      return callerOf((await createKey(database, resellerId, { ...key, scopes: [...key.scopes] }, now())).apiKey)
    },
    runJobs: (kinds: readonly JobKind[] = simJobs) => runDueJobs(jobDeps, kinds),
    newSim: async (given: object) => made(await call('POST', '/sims', given)).sim,
    simOf: async (id: string) => made(await call('GET', `/sims/${id}`)).sim,
  }
  if (!isEmulated) return { ...desk, ...notEmulated }
  const emulator = await startEmulator({ clock: START, sims: 0, jobMs: 10_000 })
  cleanUp.after(() => emulator.stop())
  return { ...desk, ...(await withEmulator(desk, emulator)) }
}

type Emulated = Pick<SimDesk, 'connectionIds' | 'emulator' | 'moveClock' | 'knownSim' | 'see' | 'untilSettled' | 'received'>

const isMissing = () => assert.fail('this desk has no emulator')
const notEmulated: Emulated = {
  connectionIds: { cisco: '', airtel: '' },
  emulator: {
    url: '',
    pid: 0,
    state: isMissing,
    patch: isMissing,
    fault: isMissing,
    clearFaults: isMissing,
    stop: isMissing,
    kill: isMissing,
  },
  ...{ moveClock: isMissing, knownSim: isMissing, see: isMissing, untilSettled: isMissing, received: isMissing },
}

async function withEmulator(desk: Omit<SimDesk, keyof Emulated>, emulator: RunningEmulator): Promise<Emulated> {
  const { database, operators, clock, newConnection } = desk
  const connect = ({ operator, baseUrl, settings, secrets }: ReturnType<typeof ciscoConnection> | ReturnType<typeof airtelConnection>) => {
    const fields = { settings: toWireFields<string | number>(settings), credentials: toWireFields<string>(secrets) }
    return newConnection({ operator, name: operator, base_url: baseUrl, ...fields })
  }
  const connectionIds = { cisco: await connect(ciscoConnection(emulator.url)), airtel: await connect(airtelConnection(emulator.url)) }
  const moveTo = async (at: Date) => {
    clock.now = at
    await emulator.patch({ clock: { set: at.toISOString() } })
  }
  const see = async (operator: OperatorId, iccid: string) => {
    const connection = await selectConnection(database.tenantPool('acme'), 'acme', connectionIds[operator])
    assert.ok(connection !== undefined)
    const opened = operators.of(connection)
    const seen = await opened.getSim({ iccid }, new AbortController().signal)
    const input = { connection, caps: opened.caps, seen, askedAt: clock.now, at: clock.now }
    const applied = await database.tenant('acme', (db) => applyOperatorSim(db, input))
    assert.ok('simId' in applied, JSON.stringify(applied))
    return applied.simId
  }
  const moveClock = (ms: number) => moveTo(new Date(clock.now.getTime() + ms))
  return {
    ...{ emulator, connectionIds, moveClock },
    see,
    knownSim: async (operator, state) => {
      const { accounts } = await emulator.patch({ add_sims: { count: 1, state } })
      const { iccid = '' } = accounts[0]?.sims.at(-1) ?? {}
      return { id: await see(operator, iccid), iccid }
    },
    untilSettled: async (simId) => {
      for (let round = 1; round <= MAX_ROUNDS; round++) {
        await desk.runJobs()
        if ((await desk.simOf(simId)).pending_action === null) return round
        const { rows } = await database.systemPool.query<{ due_at: Date }>(
          `select j.due_at from jobs j join sim_actions a on a.action_id = j.key where a.sim_id = $1 and j.kind = 'sim_action'`,
          [simId],
        )
        const dueAt = rows[0]?.due_at
        assert.ok(dueAt !== undefined, 'an action is pending, and nobody is at it')
        await moveTo(dueAt > clock.now ? dueAt : new Date(clock.now.getTime() + 1_000))
      }
      return assert.fail(`not over after ${MAX_ROUNDS} rounds`)
    },
    received: async (iccid) => {
      const { accounts } = await emulator.state()
      return (accounts[0]?.received ?? []).filter((each) => each.iccid === iccid)
    },
  }
}
