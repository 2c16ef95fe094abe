// Goal: a node of a cluster that hangs, which neither refuses nor answers, costs its own sources time and nobody else anything. Readings of the other nodes are stored,
// their vehicles scored, their alarms raised, their devices online; what needs every node is refused with 503; sessions do not pile up; and when it goes on nothing
// acknowledged is missing or there twice. Method: the real service on two workers, one of which is frozen while devices send over REST and MQTT and many programs read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FREE_PORTS } from '../e2e/running-service.ts'
import { findCitus } from '../support/citus.ts'
import { CitusInstallation } from '../support/citus-installation.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { type Address, acknowledgedCount, addressOf, audit, callFor, loadFor, register, type Sender } from './fleet-under-load.ts'

const WORKERS = 2
const FROZEN = 1
/** More programs than the process has connections for reads, each of which would wait for the node. */
const PATHS = ['/api/v1/vehicles', '/api/external/devices/locations', '/api/v1/overview', '/api/v1/fleet/positions']
const PROGRAMS = 24
const PROGRAM_PAUSE_MS = 500
const PAUSE_MS = 200
const DEVICES = { rest: 6, mqtt: 6 }
/** At least, of another reseller; they report for the first time while the node hangs. */
const NEW_DEVICES = 8
const LEAST_BEFORE = 100
/** What one process opens at most (docs/guides/scaling.md), and as many that the coordinator had to leave to the node when it began to hang. */
const MOST_SESSIONS = 2 * 37

const script = findCitus(process.env['ROADWORTHY_CITUS'])

test('while a node hangs the sources of the others are stored, scored and raise alarms, and when it goes on nothing is missing', {
  skip: script === undefined && 'needs Citus (ROADWORTHY_CITUS)',
}, async (t) => {
  const { at, cleanUp } = await CitusInstallation.start(t, script ?? '', WORKERS)
  const flags = ['--no-demo', '--scoring-interval-s', '1', ...FREE_PORTS]
  let service = await at.startService(flags)
  cleanUp.after(async () => void (await service.signal('SIGKILL')))
  assert.equal(await service.signal('SIGTERM'), 0)
  await at.answerOf('citus', 'init', '--shards', '8')
  service = await at.startService(flags)
  const address = addressOf(service)
  const baseMs = Date.now() - 3_600_000
  const { senders, own, others } = await registerSenders(at, address, baseMs)
  const other = { ...address, apiKey: await at.insertOtherReseller() }
  const raised = await registerNew(at, other)
  t.diagnostic(`${own.length} devices on the node that hangs, ${others.length} elsewhere, and ${raised.length} that raise an alarm`)

  const statuses = new Map<number, number>()
  let isOver = false
  const load = Promise.all([
    loadFor(senders, address, () => isOver, PAUSE_MS),
    ...Array.from({ length: PROGRAMS }, () => callFor(other, PATHS, statuses, () => isOver, PROGRAM_PAUSE_MS)),
  ])
  cleanUp.after(async () => {
    isOver = true
    await load
  })
  await at.until('readings are acknowledged', async () => acknowledgedCount(senders) >= LEAST_BEFORE)

  at.citus.freeze(FROZEN)
  cleanUp.after(async () => at.citus.thaw(FROZEN))
  await at.until('what needs every node is refused', async () => (statuses.get(503) ?? 0) > 0)
  await untilStored(at, others, 'of the others are stored')
  for (const { deviceId } of raised) await callForHelp(at, other, deviceId)
  await untilFollowed(at, other, raised)
  // Once more, when everything that waited in vain has been given up.
  await untilStored(at, others, 'of the others are stored still')
  const sessions = await asSuperuser(at, `select from pg_stat_activity where application_name = 'roadworthy'`)
  t.diagnostic(`${sessions.length} sessions of the service on the coordinator`)
  assert.ok(sessions.length <= MOST_SESSIONS)
  assert.match(
    await (await fetch(`${address.baseUrl}/readyz`)).text(),
    /a node of the cluster is away; vehicles whose readings it has wait to be scored/,
  )

  at.citus.thaw(FROZEN)
  await at.until('the service is ready', async () => (await fetch(`${address.baseUrl}/readyz`)).status === 200)
  await untilStored(at, senders, 'of all are stored')
  isOver = true
  await load
  t.diagnostic(`answers to programs: ${JSON.stringify(Object.fromEntries(statuses))}`)
  assert.deepEqual([...statuses.keys()].sort(), [200, 503])
  await at.until('what follows readings is done', async () => (await asSuperuser(at, 'select from reading_effects limit 1')).length === 0)
  await audit(t, senders, address, baseMs, { leastAcknowledged: LEAST_BEFORE / 4 })
  assert.deepEqual(
    await alarmCounts(at, raised),
    raised.map(() => 1),
  )
  // One of the service's own work may be between its two phases.
  await at.until(
    'no transaction of several nodes is left undecided',
    async () => (await asSuperuser(at, 'select gid from pg_prepared_xacts')).length === 0,
  )
  assert.equal(await service.signal('SIGTERM'), 0)
})

type Device = { readonly deviceId: string; readonly vehicleId: string }

type Senders = Record<'senders' | 'own' | 'others', readonly Sender[]>

/** Where they are is left to the hash of their ids: there are more of them until some are on the node that hangs, and some elsewhere. */
async function registerSenders(at: CitusInstallation, address: Address, baseMs: number): Promise<Senders> {
  const senders = await register(address, baseMs, DEVICES)
  for (;;) {
    const elsewhere = await devicesElsewhere(at, senders)
    const others = senders.filter(({ deviceId }) => elsewhere.has(deviceId))
    const own = senders.filter(({ deviceId }) => !elsewhere.has(deviceId))
    if (own.length > 0 && others.length > 0) return { senders, own, others }
    senders.push(...(await register(address, baseMs, { rest: 1, mqtt: 0 })))
  }
}

/** Those that are elsewhere; more are registered until there is one. */
async function registerNew(at: CitusInstallation, { baseUrl, apiKey: key }: Address): Promise<Device[]> {
  const devices: Device[] = []
  for (;;) {
    const body = { name: `device ${devices.length}`, vehicle: { mode: 'create', make: 'A' } }
    const made = ok<Row>(await call(baseUrl, 'POST', '/api/external/devices', { key, body }))
    devices.push({ deviceId: String(made['device_id']), vehicleId: String(made['vehicle_id']) })
    if (devices.length < NEW_DEVICES) continue
    const elsewhere = await devicesElsewhere(at, devices)
    if (elsewhere.size > 0) return devices.filter(({ deviceId }) => elsewhere.has(deviceId))
  }
}

async function devicesElsewhere(at: CitusInstallation, devices: readonly { readonly deviceId: string }[]): Promise<Set<string>> {
  const rows = await asSuperuser(
    at,
    `select d.device_id
       from unnest($1::text[]) d (device_id)
       join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('latest_states', d.device_id)
       join pg_dist_node n using (groupid)
      where n.nodeport <> $2`,
    [devices.map(({ deviceId }) => deviceId), at.citus.port(FROZEN)],
  )
  return new Set(rows.map((row) => String(row['device_id'])))
}

/** Readings of each that are sent from now on. */
async function untilStored(at: CitusInstallation, senders: readonly Sender[], what: string): Promise<void> {
  const fromMs = performance.now()
  const isAcknowledged = ({ attempts }: Sender) => attempts.some(({ outcome, sentMs }) => outcome === 'acknowledged' && sentMs >= fromMs)
  await at.until(`readings ${what}`, async () => senders.every(isAcknowledged))
}

/** Sent again until it is acknowledged. */
async function callForHelp(at: CitusInstallation, { baseUrl, apiKey: key }: Address, deviceId: string): Promise<void> {
  const body = { device_id: deviceId, timestamp: new Date().toISOString(), event: 'sos', sensor_data: { rpm: 900, coolant_temp: 90 } }
  let status = 0
  await at.until(`the call of ${deviceId} is taken`, async () => {
    status = (await call(baseUrl, 'POST', '/api/external/telemetry', { key, body })).status
    return status !== 503
  })
  assert.equal(status, 200)
}

async function untilFollowed(at: CitusInstallation, { baseUrl, apiKey: key }: Address, raised: readonly Device[]): Promise<void> {
  await at.until('their alarms are raised', async () => (await alarmCounts(at, raised)).every((count) => count === 1))
  const vehicleIds = raised.map(({ vehicleId }) => vehicleId)
  await at.until('their vehicles are scored', async () => {
    const scored = await asSuperuser(at, 'select from vehicle_health where vehicle_id = any ($1)', [vehicleIds])
    return scored.length === raised.length
  })
  await at.until('they are counted', async () => {
    const [row] = await asSuperuser(
      at,
      `select coalesce(sum(count), 0)::int as count from usage_entries where reseller_id = 'alarms' and meter = 'points_ingested'`,
    )
    return row?.['count'] === raised.length
  })
  await at.until('they are reported online', async () => {
    const answer = await call(baseUrl, 'GET', '/api/v1/events?limit=500', { key })
    // While all connections wait for the node; each for the time of a statement, once.
    if (answer.status === 503) return false
    const { events } = ok<{ events: Row[] }>(answer)
    const online = new Set(events.filter(({ event }) => event === 'device.online').map(({ data }) => (data as Row)['deviceId']))
    return raised.every(({ deviceId }) => online.has(deviceId))
  })
}

async function alarmCounts(at: CitusInstallation, raised: readonly Device[]): Promise<number[]> {
  const rows = await asSuperuser(at, `select vehicle_id, count(*)::int as count from alerts where type = 'sos' group by 1`)
  const counts = new Map(rows.map((row) => [row['vehicle_id'], Number(row['count'])]))
  return raised.map(({ vehicleId }) => counts.get(vehicleId) ?? 0)
}

/** Of the coordinator's own tables and its catalogue, which need no node; but for `reading_effects`. */
async function asSuperuser(at: CitusInstallation, sql: string, values: unknown[] = []): Promise<Row[]> {
  return await at.ask(sql, values, { user: 'postgres' })
}
