// Maintenance, SIMs, invoices and payments of the demo: connects the service to the two emulators, gives the SIMs a past and bills a month, once. Runs beside
// the service and never stops it: what fails is logged.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import type { ChildProgram } from '@roadworthy/service-kit/process/child-program'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { Author } from '../../audit/audit.ts'
import { selectClosedPeriods } from '../../metering/periods.sql.ts'
import { toWireFields } from '../../sims/connections/connection-fields.ts'
import { selectConnection } from '../../sims/connections/connections.sql.ts'
import type { PlatformSettings } from '../settings/settings.ts'
import { askJson, createDemoApi, type DemoApi, tryUntilDone, waitFor } from './demo-api.ts'
import { createEmulators, EMULATED, type EmulatorName } from './demo-emulators.ts'
import { connectGateway } from './demo-gateway.ts'
import { makeInvoices, PAYING_CUSTOMER, setUpBilling } from './demo-invoices.ts'
import { makeMaintenance } from './demo-maintenance.ts'
import { type EmulatedSim, type Place, replaySim } from './demo-past.ts'

export type DemoBusinessOptions = {
  readonly settings: PlatformSettings
  readonly databaseUrls: DatabaseUrls
  readonly secretKey: string
  readonly resellerId: string
  readonly apiKey: string
  /** On this machine, whatever the address is that others use. */
  readonly url: string
  /** Devices that the demo fleet registers. */
  readonly deviceCount: number
  readonly log: Logger
}

export type DemoBusiness = { readonly emulators: readonly ChildProgram[]; start(): Promise<void>; stop(): Promise<void> }

type OperatorState = { readonly accounts: readonly { readonly nth: number; readonly sims: readonly EmulatedSim[] }[] }
type Fields = Readonly<Record<string, string | number>>
/** `baseUrl` is a path of the emulator. */
type EmulatedConnection = {
  readonly account: number
  readonly operator: 'cisco' | 'airtel'
  readonly baseUrl: string
  readonly settings: Fields
  readonly secrets: Readonly<Record<string, string>>
}
type Urls = Readonly<Record<EmulatorName, string>>
type WireConnection = { connection_id: string; operator: 'cisco' | 'airtel'; base_url: string; enabled: boolean }
type WireDevice = { device_id: string; imei: string; sub_client_id: string | null; vehicle_id: string | null; status: string }

/** Registration of the fleet, and the first round that closes months. */
const PATIENCE_MS = 120_000
const PAID_WITHIN_MS = 60_000
/** Between two attempts at all of it; each goes on where the one before was. */
const PAUSE_MS = 5_000
/** A second apart. */
const MOST_LOOKS_FOR_ALL = 30
/** So many SIMs are in no device, so that there are some to put into one. */
const LOOSE_SIMS = 3

/** Does nothing until it is started. */
export function createDemoBusiness(options: DemoBusinessOptions): DemoBusiness {
  const { settings, log } = options
  const stopping = new AbortController()
  const urls: Partial<Record<EmulatorName, string>> = {}
  let work: Promise<void> = Promise.resolve()
  const next = async () => {
    const { signal } = stopping
    await tryUntilDone(
      async () => {
        const { operator, gateway } = urls
        if (operator !== undefined && gateway !== undefined) await run(options, { operator, gateway }, signal)
      },
      { signal, pauseMs: PAUSE_MS, log },
    )
  }
  const emulators = createEmulators(settings, log, (name, url) => {
    urls[name] = url
    work = work.then(next)
  })
  return {
    emulators,
    start: async () => {
      if (emulators.length === 0) log.warn('there are no emulators to start; the demo has no SIMs and invoices')
      const begun = await Promise.allSettled(emulators.map((emulator) => emulator.start()))
      for (const each of begun) if (each.status === 'rejected') log.warn({ err: each.reason }, 'the demo goes on without an emulator')
    },
    stop: async () => {
      stopping.abort()
      await work
    },
  }
}

async function run(options: DemoBusinessOptions, urls: Urls, signal: AbortSignal): Promise<void> {
  const api = createDemoApi(options.url, options.apiKey, signal)
  const connections = await connectOperators(api, urls.operator)
  await connectGateway(options, api, urls.gateway)
  const marker = join(options.settings.dataDir, 'demo-business.json')
  if (existsSync(marker) && connections.every(({ isNew }) => !isNew)) return
  await make(options, api, urls, connections)
  for (const { connectionId } of connections) await api.call('PUT', `/sim-billing/operator-connections/${connectionId}`, { enabled: true })
  writeFileSync(marker, JSON.stringify({ madeAt: new Date().toISOString() }))
  options.log.info('the demo has SIMs, and invoices of last month')
  await synchronise(api)
}

/** All connections at once: of two that begin by themselves at the same moment, one waits for the other for a minute. */
async function synchronise(api: DemoApi): Promise<void> {
  const whenBegun = async () => {
    const answer = await api.call<{ already_running: boolean }>('POST', '/sim-billing/sync', {})
    return answer.already_running ? undefined : true
  }
  await waitFor('a synchronisation', whenBegun, { signal: api.signal, patienceMs: PATIENCE_MS })
}

/** What the demo connects to: one account of each platform. */
const DEMO_ACCOUNTS = [
  { account: 1, operator: 'cisco', name: 'Demo operator (Control Center)' },
  { account: 2, operator: 'airtel', name: 'Demo operator (job-based)' },
] as const
type Connected = { readonly connectionId: string; readonly account: number; readonly isNew: boolean }

/** A new one is switched off until its SIMs have their past: a synchronisation would make them anew. */
async function connectOperators(api: DemoApi, url: string): Promise<Connected[]> {
  const emulated = await askJson<{ connections: EmulatedConnection[] }>(`${url}/_connections`, { signal: api.signal })
  const { connections } = await api.call<{ connections: WireConnection[] }>('GET', '/sim-billing/operator-connections?limit=100')
  const connected: Connected[] = []
  for (const { account, operator, name } of DEMO_ACCOUNTS) {
    const at = emulated.connections.find((each) => each.account === account && each.operator === operator)
    if (at === undefined) throw new Error(`the emulator has no account ${account} of ${operator}`)
    const baseUrl = `${url}${at.baseUrl}`
    const known = connections.find((each) => each.operator === operator && EMULATED.test(each.base_url))
    const reach = { base_url: baseUrl, credentials: toWireFields<string>(at.secrets) }
    if (known === undefined) {
      const body = { operator, name, enabled: false, ...reach, settings: toWireFields<string | number>(at.settings) }
      const { connection } = await api.call<{ connection: WireConnection }>('POST', '/sim-billing/operator-connections', body)
      connected.push({ connectionId: connection.connection_id, account, isNew: true })
      continue
    }
    if (known.base_url !== baseUrl) await api.call('PUT', `/sim-billing/operator-connections/${known.connection_id}`, reach)
    connected.push({ connectionId: known.connection_id, account, isNew: false })
  }
  return connected
}

async function make(options: DemoBusinessOptions, api: DemoApi, urls: Urls, connections: readonly Connected[]): Promise<void> {
  const { databaseUrls, resellerId, log } = options
  const { signal } = api
  const devices = await waitForDevices(options, api)
  await makeMaintenance(
    api,
    byImei(devices).flatMap(({ vehicle_id: vehicleId }) => vehicleId ?? []),
    new Date(),
  )
  const author = await askerOf(options, api)
  const database = openDatabase(databaseUrls, {
    appConnections: 1,
    systemConnections: 1,
    onError: (err) => log.warn({ err }, 'connection lost'),
  })
  try {
    const month = await waitFor(
      'the end of a month',
      async () => (await selectClosedPeriods(database.tenantPool(resellerId), resellerId)).at(-1),
      { signal, patienceMs: PATIENCE_MS },
    )
    const book = { database, resellerId, month, now: new Date() }
    const isBilling = await setUpBilling(book)
    const accounts = await placeSims(api, urls.operator, devices)
    for (const { connectionId, account } of connections) {
      const connection = await selectConnection(database.tenantPool(resellerId), resellerId, connectionId)
      if (connection === undefined) continue
      const past = { database, connection, asker: author, now: book.now, signal }
      for (const { sim, place } of accounts.get(account) ?? []) await replaySim(past, sim, place)
    }
    if (!isBilling) return
    const invoices = await makeInvoices(book)
    const invoice = invoices.get(PAYING_CUSTOMER)
    if (invoice?.status === 'open' || invoice?.status === 'overdue') await payInvoice(api, invoice.invoiceId)
  } finally {
    await database.close()
  }
}

/** All that the fleet registers, or where somebody took some away, those that are left. */
async function waitForDevices({ deviceCount }: DemoBusinessOptions, api: DemoApi): Promise<WireDevice[]> {
  let askedCount = 0
  const whenAll = async () => {
    const { devices } = await api.call<{ devices: WireDevice[] }>('GET', '/external/devices?limit=500')
    const living = devices.filter(({ status, sub_client_id: subClient }) => status !== 'decommissioned' && subClient !== null)
    const isEnough = living.length >= deviceCount || (living.length > 0 && ++askedCount > MOST_LOOKS_FOR_ALL)
    return isEnough ? living : undefined
  }
  return await waitFor('the devices of the fleet', whenAll, { signal: api.signal, patienceMs: PATIENCE_MS })
}

/** The owner of the dashboard, who is in the history of SIMs as whoever asked. */
async function askerOf({ resellerId }: DemoBusinessOptions, api: DemoApi): Promise<Omit<Author, 'at'>> {
  const { users } = await api.call<{ users: { id: string }[] }>('GET', '/v1/users?limit=1')
  const [owner] = users
  return owner === undefined ? { resellerId, type: 'system', id: 'roadworthy' } : { resellerId, type: 'user', id: owner.id }
}

function byImei(devices: readonly WireDevice[]): WireDevice[] {
  return devices.toSorted((one, other) => one.imei.localeCompare(other.imei))
}

type Placed = { readonly sim: EmulatedSim; readonly place: Place | undefined }

/** By account. At the operator, SIMs are seen in the devices that they are given to. */
async function placeSims(api: DemoApi, url: string, devices: readonly WireDevice[]): Promise<Map<number, Placed[]>> {
  const { signal } = api
  const { accounts } = await askJson<OperatorState>(`${url}/_state`, { signal })
  const free = byImei(devices).slice(0, -LOOSE_SIMS)
  const subClients = [...new Set(devices.flatMap(({ sub_client_id: id }) => (id === null ? [] : [id])))]
  let nth = 0
  const placed = new Map<number, Placed[]>()
  for (const { nth: account, sims } of accounts) {
    const seen: { iccid: string; imei: string }[] = []
    const each = sims.map((sim): Placed => {
      if (sim.state === 'inventory' || sim.state === 'test') return { sim, place: undefined }
      const device = sim.state === 'terminated' ? undefined : free.shift()
      const subClientId = device?.sub_client_id ?? subClients[nth++ % subClients.length]
      if (subClientId === undefined) return { sim, place: undefined }
      if (device === undefined) return { sim, place: { subClientId, deviceId: undefined } }
      seen.push({ iccid: sim.iccid, imei: device.imei })
      return { sim: { ...sim, imei: device.imei }, place: { subClientId, deviceId: device.device_id } }
    })
    await askJson(`${url}/_state`, { method: 'POST', body: { account, sims: seen }, signal })
    placed.set(account, each)
  }
  return placed
}

/** As a customer does: the gateway's page, its button, and its callback, which ends in a paid invoice. */
async function payInvoice(api: DemoApi, invoiceId: string): Promise<void> {
  const { signal } = api
  const path = `/sim-billing/invoices/${invoiceId}`
  const { payment } = await api.call<{ payment: { checkout_url: string } }>('POST', `${path}/pay`, {})
  const body = new URLSearchParams({ outcome: 'paid' })
  const answer = await fetch(payment.checkout_url, { method: 'POST', body, redirect: 'manual', signal })
  await answer.body?.cancel()
  const whenPaid = async () => {
    const { invoice } = await api.call<{ invoice: { status: string } }>('GET', path)
    return invoice.status === 'paid' ? true : undefined
  }
  await waitFor('the payment', whenPaid, { signal, patienceMs: PAID_WITHIN_MS })
}
