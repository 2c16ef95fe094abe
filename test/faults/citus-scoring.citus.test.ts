// Goal: while a node of a cluster is away, vehicles whose readings are on the others are scored and their alarms become alerts; the node is left alone but for a look
// every few seconds; and when it is back, what waited is done, once. Method: the real service on two workers. Vehicles of each node, and of both, report; the first
// worker is killed as if it lost power, and all report again and call for help, as far as that is taken.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClusterReach, type Reach } from '@roadworthy/platform/cluster/reach'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { FREE_PORTS } from '../e2e/running-service.ts'
import { findCitus } from '../support/citus.ts'
import { CitusInstallation } from '../support/citus-installation.ts'
import { NodeProxy } from '../support/node-proxy.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { type Address, addressOf } from './fleet-under-load.ts'

const WORKERS = 2
const LOST = 1
const SHARDS = 8
/** At least. */
const VEHICLES = 12
const FLAGS = ['--no-demo', '--scoring-interval-s', '1', ...FREE_PORTS]

const script = findCitus(process.env['ROADWORTHY_CITUS'])

test('while a node is away the vehicles of the others are scored and their alarms raised, and those of the node when it is back', {
  skip: script === undefined && 'needs Citus (ROADWORTHY_CITUS)',
}, async (t) => {
  const { at, cleanUp } = await CitusInstallation.start(t, script ?? '', WORKERS)
  let service = await at.startService(FLAGS)
  cleanUp.after(async () => void (await service.signal('SIGKILL')))
  assert.equal(await service.signal('SIGTERM'), 0)
  await at.answerOf('citus', 'init', '--shards', String(SHARDS))
  service = await at.startService(FLAGS)
  const address = addressOf(service)
  const { vehicles, onLost, onBoth, elsewhere } = await registerFleet(at, address)
  t.diagnostic(`${onLost.length} vehicles on the node that is lost, ${onBoth.length} of them on both, and ${elsewhere.length} elsewhere`)
  assert.equal((await scoredSince(at, 0)).length, vehicles.length)

  await at.citus.kill(LOST)
  const lostMs = Date.now()
  for (const each of elsewhere) assert.equal(await report(address, each, { event: 'sos' }), 200)
  // By the source that is not on the lost node, where there is one.
  for (const each of onLost) await report(address, each, { event: 'sos' })
  await at.until('those elsewhere are scored', async () => {
    const since = await scoredSince(at, lostMs)
    return elsewhere.every(({ vehicleId }) => since.includes(vehicleId))
  })
  for (const { vehicleId } of elsewhere) await at.until(`${vehicleId} has its alert`, async () => (await alarmsOf(at, vehicleId)) === 1)
  const scored = await scoredSince(at, lostMs)
  assert.deepEqual(
    onLost.filter(({ vehicleId }) => scored.includes(vehicleId)),
    [],
    'what a part of a vehicle reported is no reason to score it without the other',
  )
  const ready = await fetch(`${address.baseUrl}/readyz`)
  assert.equal(ready.status, 503)
  assert.match(await ready.text(), /a node of the cluster is away; vehicles whose readings it has wait to be scored/)

  at.citus.startAgain(LOST)
  const backMs = Date.now()
  // As devices do, again until it is taken: for a moment the service still leaves the node alone.
  for (const each of onLost)
    await at.until('what they report is taken', async () => (await report(address, each, { event: 'sos' })) === 200)
  await at.until('those of the node are scored too', async () => {
    const since = await scoredSince(at, backMs)
    return onLost.every(({ vehicleId }) => since.includes(vehicleId))
  })
  for (const { vehicleId } of vehicles) {
    await at.until(`${vehicleId} has its alert`, async () => (await alarmsOf(at, vehicleId)) > 0)
    assert.equal(await alarmsOf(at, vehicleId), 1)
  }
  await at.until('the service is ready', async () => (await fetch(`${address.baseUrl}/readyz`)).status === 200)
  assert.equal(await service.signal('SIGTERM'), 0)
  await lookOnceInAWhile(at, cleanUp)
})

type Vehicle = { readonly vehicleId: string; readonly deviceId: string }

type Placed = Record<'vehicles' | 'onLost' | 'onBoth' | 'elsewhere', readonly Vehicle[]>

/**
 * Each is reported for by its device, and by a program under its own id: two sources, which may be on two nodes. Where they are is left to the hash of their
 * ids, so that there are more of them until some are on the lost node alone, some on both, and some elsewhere.
 */
async function registerFleet(at: CitusInstallation, address: Address): Promise<Placed> {
  const { baseUrl, apiKey: key } = address
  const vehicles: Vehicle[] = []
  for (;;) {
    const body = { name: `device ${vehicles.length}`, vehicle: { mode: 'create', make: 'A' } }
    const made = ok<Row>(await call(baseUrl, 'POST', '/api/external/devices', { key, body }))
    const vehicle = { vehicleId: String(made['vehicle_id']), deviceId: String(made['device_id']) }
    assert.equal(await report(address, vehicle), 200)
    vehicles.push(vehicle)
    if (vehicles.length < VEHICLES) continue
    // Of all their sources: nothing of before is scored after.
    await at.untilScored(vehicles.map(({ vehicleId }) => vehicleId))
    const placed = await placesOf(at, vehicles)
    if (placed.onBoth.length > 0 && placed.onLost.length > placed.onBoth.length && placed.elsewhere.length > 0) return placed
  }
}

async function placesOf(at: CitusInstallation, vehicles: readonly Vehicle[]): Promise<Placed> {
  const nodes = await nodesOf(at)
  const onLost = vehicles.filter(({ vehicleId }) => nodes.get(vehicleId)?.has(at.citus.port(LOST)) === true)
  const onBoth = onLost.filter(({ vehicleId }) => nodes.get(vehicleId)?.size === 2)
  return { vehicles, onLost, onBoth, elsewhere: vehicles.filter((each) => !onLost.includes(each)) }
}

/** Answers the worst status. */
async function report({ baseUrl, apiKey: key }: Address, { vehicleId, deviceId }: Vehicle, more: Row = {}): Promise<number> {
  const statuses: number[] = []
  for (const [nth, about] of [{ device_id: deviceId }, { vehicle_id: vehicleId }].entries()) {
    const body = { ...about, timestamp: new Date(Date.now() - nth).toISOString(), sensor_data: { rpm: 900, coolant_temp: 90 }, ...more }
    statuses.push((await call(baseUrl, 'POST', '/api/external/telemetry', { key, body })).status)
  }
  return Math.max(...statuses)
}

/** By way of the coordinator's own tables, which do not need the nodes. */
async function scoredSince(at: CitusInstallation, sinceMs: number): Promise<string[]> {
  const rows = await asSuperuser(at, 'select vehicle_id from vehicle_health where scored_at > $1', [new Date(sinceMs)])
  return rows.map((row) => String(row['vehicle_id']))
}

async function alarmsOf(at: CitusInstallation, vehicleId: string): Promise<number> {
  const [row] = await asSuperuser(at, `select count(*)::int as count from alerts where vehicle_id = $1 and type = 'sos'`, [vehicleId])
  return Number(row?.['count'])
}

/** Ports of the nodes that have readings of each vehicle. */
async function nodesOf(at: CitusInstallation): Promise<Map<string, Set<number>>> {
  const rows = await asSuperuser(
    at,
    `select v.vehicle_id, n.nodeport
       from vehicle_sources v
       join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('latest_states', v.source_id)
       join pg_dist_node n using (groupid)`,
  )
  const nodes = new Map<string, Set<number>>()
  for (const row of rows) {
    const vehicleId = String(row['vehicle_id'])
    nodes.set(vehicleId, (nodes.get(vehicleId) ?? new Set()).add(Number(row['nodeport'])))
  }
  return nodes
}

async function asSuperuser(at: CitusInstallation, sql: string, values: unknown[] = []): Promise<Row[]> {
  return await at.ask(sql, values, { user: 'postgres' })
}

/** With nothing else that runs: what goes on without a node does not ask it each time. */
async function lookOnceInAWhile(at: CitusInstallation, cleanUp: Parameters<typeof NodeProxy.start>[0]): Promise<void> {
  const proxy = await NodeProxy.putBefore(cleanUp, at, LOST)
  await at.citus.kill(LOST)
  const pools = { appConnections: 1, systemConnections: 1, onError: () => undefined }
  const database = openDatabase(databaseUrls(at.url, at.env['SECRET_KEY'] ?? ''), pools)
  cleanUp.after(() => database.close())
  const given: (Reach | undefined)[] = []
  const runOnce = async (reached: ClusterReach) =>
    await reached.run(async (reach) => {
      given.push(reach)
      if (reach === undefined) await database.systemPool.query('select count(*) from latest_states')
    })
  // The while is longer than this test, and then over at once: how fast the machine is does not count.
  const patient = new ClusterReach(database, { askAgainMs: 3_600_000 })
  await runOnce(patient)
  assert.deepEqual(
    given.map((reach) => reach?.away.map(({ port }) => port)),
    [undefined, [proxy.port]],
    'first with all, then without it',
  )
  const asked = proxy.connectionCount
  for (let nth = 0; nth < 20; nth++) await runOnce(patient)
  assert.equal(proxy.connectionCount, asked)
  const eager = new ClusterReach(database, { askAgainMs: 0 })
  await runOnce(eager)
  const before = proxy.connectionCount
  await runOnce(eager)
  assert.equal(proxy.connectionCount, before + 1)
  at.citus.startAgain(LOST)
  await runOnce(eager)
  assert.equal(given.at(-1), undefined, 'it is back')
}
