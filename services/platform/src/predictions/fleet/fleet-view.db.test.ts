// Goal: a page finds any vehicle of a large fleet without asking for all of them: by words, state and place, in any order, page by page, on the map and in
// numbers. Method: a few vehicles that differ in everything by which they are chosen, and a fleet larger than what a map names.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FleetMap, MAX_MAP_POINTS, type VehicleCounts } from '@roadworthy/contracts/platform-v1/fleet-map'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { newId } from '@roadworthy/service-kit/text/ids'
import { createReading } from '../../readings/reading.ts'
import { platformSurface } from '../../surfaces/errors.ts'
import { lastFirst } from '../../surfaces/test-api.ts'
import { openTestDatabase, storeReadings } from '../../test-support.ts'
import { type Bench, START_MS, startBench } from '../test-bench.ts'
import { vehicleRoutesOf } from '../test-judged-fleet.ts'
import { errorOf, startTestSurface, type TestSurface } from '../test-surface.ts'
import { fleetPlatformRoutes } from './fleet.routes.platform-v1.ts'
import { cellSizeOf } from './fleet-map.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp, new Date(START_MS))
const OFFLINE_AFTER_MS = 300_000

let bench: Bench
let surface: TestSurface
const idOf = new Map<string, string>()

type Described = {
  plate?: string
  make?: string
  model?: string
  subClientId?: string
  coolant?: number
  at?: [number, number]
  agoS?: number
}

async function addVehicle({ plate, make, model, subClientId, coolant, at, agoS = 0 }: Described): Promise<string> {
  const vehicleId = await bench.addVehicle(subClientId === undefined ? {} : { subClientId })
  await database.systemPool.query('update vehicles set license_plate = $2, make = $3, model = $4 where vehicle_id = $1', [
    ...[vehicleId, plate ?? null, make ?? null, model ?? null],
  ])
  bench.clock.nowMs += 1
  if (coolant === undefined) return vehicleId
  const nowMs = bench.clock.nowMs
  bench.clock.nowMs = nowMs - agoS * 1000
  const position = at === undefined ? undefined : { latitude: at[0], longitude: at[1] }
  await bench.report(vehicleId, { signals: { coolantTempC: coolant }, position, attributes: { headingDeg: 90 } })
  bench.clock.nowMs = nowMs
  return vehicleId
}

before(async () => {
  bench = await startBench(cleanUp, database)
  const deps = { database, now: bench.deps.now, offlineAfterMs: OFFLINE_AFTER_MS }
  surface = await startTestSurface(cleanUp, platformSurface, [fleetPlatformRoutes(deps), vehicleRoutesOf(database, deps.now)])
  await bench.addSubClient('north')
  await bench.addSubClient('south')
  const fleet: Record<string, Described> = {
    ten: { plate: 'KA 10', make: 'Ford', model: 'Transit', subClientId: 'north', coolant: 90, at: [49, 8.4] },
    nine: { plate: 'KA 9', make: 'Ford', model: 'Focus', subClientId: 'north', coolant: 90, at: [49.1, 8.5], agoS: 60 },
    hot: { plate: 'OS 1', make: 'MAN', model: 'TGX', subClientId: 'south', coolant: 115, at: [52, 8], agoS: 30 },
    silent: { plate: 'VA 1', make: 'Opel', subClientId: 'south' },
    fiji: { plate: 'FJ 1', make: 'Isuzu', coolant: 90, at: [-17, 179.5], agoS: 600 },
    samoa: { plate: 'WS 1', make: 'Isuzu', coolant: 90, at: [-14, -172], agoS: 620 },
  }
  for (const [name, described] of Object.entries(fleet)) idOf.set(name, await addVehicle(described))
  assert.equal(await bench.score(), 5)
})

const as = (more: { subClientPin?: string } = {}) => surface.as({ resellerId: bench.resellerId, ...more })

async function list(query: string, more: { subClientPin?: string } = {}) {
  const { status, body } = await as(more).get<{
    vehicles: Vehicle[]
    total: number
    pagination: { endCursor: string; hasNextPage: boolean }
  }>(`/vehicles${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return { ...body, plates: body.vehicles.map(({ licensePlate }) => licensePlate) }
}

const mapOf = async (query: string, more: { subClientPin?: string } = {}) => (await as(more).get<FleetMap>(`/fleet/map${query}`)).body
const countsOf = async (query: string, more: { subClientPin?: string } = {}) =>
  (await as(more).get<VehicleCounts>(`/fleet/counts${query}`)).body

test('every word has to be found somewhere, in any case, and what is counted is what is found', async () => {
  assert.deepEqual((await list('?search=%20ford%20%20FOCUS')).plates, ['KA 9'])
  assert.deepEqual((await list('?search=north')).plates, ['KA 10', 'KA 9'])
  assert.equal((await list('?search=north&limit=1')).total, 2)
  assert.deepEqual((await list('?search=ford%20opel')).plates, [])
  assert.deepEqual((await list('?search=%25')).plates, [], 'a wildcard of SQL is a letter like any other')
  assert.deepEqual((await list('?search=%00')).plates, [])
  assert.deepEqual((await list(`?search=${idOf.get('silent')}`)).plates, ['VA 1'])
  assert.equal((await countsOf('?search=ford')).total, 2)
})

test('a vehicle without plate and name is found by the name of its device', async () => {
  const vehicleId = await bench.addVehicle({ subClientId: 'south' })
  await database.systemPool.query(
    `insert into devices (reseller_id, device_id, sub_client_id, vehicle_id, name, device_type, connection_method, status, vehicle_linked_at)
     values ($1, $2, 'south', $3, 'Blue box', 'gps', 'mqtt', 'active', now())`,
    [bench.resellerId, newId('dev'), vehicleId],
  )
  assert.deepEqual(
    (await list('?search=BLUE')).vehicles.map(({ id }) => id),
    [vehicleId],
  )
  await database.systemPool.query('delete from devices where vehicle_id = $1', [vehicleId])
  await database.systemPool.query('delete from vehicles where vehicle_id = $1', [vehicleId])
})

test('worst, most, last heard or first by name come first, equals by name as people count, and what is not known last', async () => {
  const all = await list('?sort=health')
  assert.deepEqual(all.plates, ['OS 1', 'FJ 1', 'KA 9', 'KA 10', 'WS 1', 'VA 1'])
  assert.deepEqual((await list('?sort=health&order=desc')).plates, ['FJ 1', 'KA 9', 'KA 10', 'WS 1', 'OS 1', 'VA 1'])
  assert.deepEqual((await list('?sort=name')).plates, ['FJ 1', 'KA 9', 'KA 10', 'OS 1', 'VA 1', 'WS 1'])
  assert.deepEqual((await list('?sort=name&order=desc')).plates, ['WS 1', 'VA 1', 'OS 1', 'KA 10', 'KA 9', 'FJ 1'])
  assert.deepEqual((await list('?sort=alerts&order=desc&limit=2')).plates, ['OS 1', 'FJ 1'])
  assert.deepEqual((await list('?sort=heard&order=desc')).plates, ['KA 10', 'OS 1', 'KA 9', 'FJ 1', 'WS 1', 'VA 1'])
  assert.equal((await as().get('/vehicles?order=desc')).status, 400)
})

test('pages of any order make the whole list, and a cursor is of its order alone', async () => {
  for (const order of [
    'sort=health',
    'sort=health&order=desc',
    'sort=name&order=desc',
    'sort=alerts',
    'sort=heard&order=desc',
    'sort=created',
  ]) {
    const whole = (await list(`?${order}`)).plates
    const paged: (string | null)[] = []
    for (let query: string | undefined = `?${order}&limit=1`; query !== undefined; ) {
      const page = await list(query)
      assert.equal(page.total, 6)
      paged.push(...page.plates)
      query = page.pagination.hasNextPage ? `?${order}&limit=1&after=${page.pagination.endCursor}` : undefined
    }
    assert.deepEqual(paged, whole, order)
  }
  const { pagination } = await list('?sort=health&limit=1')
  for (const query of ['sort=name', 'sort=health&order=desc', 'sort=created']) {
    const refused = await as().get(`/vehicles?${query}&after=${pagination.endCursor}`)
    assert.deepEqual([refused.status, errorOf(refused)['code']], [400, 'invalid_request'], query)
  }
  assert.equal((await as().get('/vehicles?sort=name&after=nonsense')).status, 400)
})

test('who is heard, who is where, and who is named are found, also across the antimeridian', async () => {
  assert.deepEqual((await list('?presence=online')).plates, ['KA 10', 'KA 9', 'OS 1'])
  assert.deepEqual((await list('?presence=offline')).plates, ['VA 1', 'FJ 1', 'WS 1'])
  assert.deepEqual((await list('?healthStatus=critical')).plates, ['OS 1'])
  const unjudged = await list('?healthStatus=unknown')
  assert.ok(unjudged.total > 0 && unjudged.vehicles.every(({ healthStatus }) => healthStatus === null))
  assert.equal(unjudged.total, (await countsOf('')).health.unknown)
  assert.deepEqual((await list('?bbox=8,48,9,50')).plates, ['KA 10', 'KA 9'])
  assert.deepEqual((await list('?bbox=179,-20,-171,-10')).plates, ['FJ 1', 'WS 1'])
  assert.deepEqual((await list(`?ids=${idOf.get('hot')},${idOf.get('ten')},veh-none`)).plates, ['KA 10', 'OS 1'])
  assert.equal((await as().get(`/vehicles?ids=${Array.from({ length: 501 }, (_, index) => `v${index}`)}`)).status, 400)
  const cut = await as().get('/vehicles?bbox=1,2,3')
  assert.deepEqual([cut.status, /is four numbers in degrees/.test(JSON.stringify(cut.body))], [400, true])
  assert.equal((await as().get(`/vehicles?search=${'a%20'.repeat(9)}`)).status, 400)
})

test('the fleet is counted by health and presence', async () => {
  assert.deepEqual(await countsOf(''), {
    ...{ total: 6, online: 3, offline: 3 },
    health: { critical: 1, warning: 0, healthy: 4, unknown: 1 },
  })
  assert.deepEqual(await countsOf('?subClientId=%00'), {
    total: 0,
    online: 0,
    offline: 0,
    health: { critical: 0, warning: 0, healthy: 0, unknown: 0 },
  })
})

test('a map of few names each, with what a marker shows', async () => {
  const { total, points, clusters, bounds } = await mapOf('?bbox=8,48,9,50')
  assert.deepEqual([total, clusters, bounds], [2, [], { west: 8.4, south: 49, east: 8.5, north: 49.1 }])
  const { lastReadingAt, ...point } = points.find(({ label }) => label === 'KA 10') ?? assert.fail('KA 10 is missing')
  assert.ok(lastReadingAt)
  const expected = { id: idOf.get('ten'), label: 'KA 10', latitude: 49, longitude: 8.4, heading: 90, healthStatus: 'healthy', online: true }
  assert.deepEqual(point, expected)
  assert.deepEqual(await mapOf('?bbox=0,0,1,1'), { total: 0, bounds: null, points: [], clusters: [] })
  assert.equal((await mapOf('?healthStatus=critical')).total, 1)
  for (const presence of ['online', 'offline']) {
    for (const box of ['', '&bbox=-180,-90,180,90']) {
      const map = await mapOf(`?presence=${presence}${box}`)
      assert.ok(map.points.length > 0 && map.points.every(({ online }) => online === (presence === 'online')), presence + box)
    }
  }
})

test('a map of vehicles on both sides of the antimeridian has bounds across it, unless these would be wider', async () => {
  const { points, bounds } = await mapOf('?bbox=170,-20,-171,-10')
  const [fiji, samoa] = ['FJ 1', 'WS 1'].map((plate) => points.find(({ label }) => label === plate) ?? assert.fail(plate))
  assert.deepEqual([bounds?.west, bounds?.east], [fiji?.longitude, samoa?.longitude])
  assert.ok((bounds?.west ?? 0) > (bounds?.east ?? 0))
  const whole = (await mapOf('?presence=online')).bounds ?? assert.fail('nobody is anywhere')
  assert.ok(whole.west <= whole.east)
})

test('the smallest number there is places a vehicle on the map too, and so do the poles', async () => {
  for (const at of [
    [5e-324, -5e-324],
    [90, 180],
    [-90, -180],
  ] as const) {
    const id = await addVehicle({ coolant: 90, at: [...at] })
    const { status, body } = await as().get<FleetMap>(`/fleet/map?ids=${id}`)
    assert.deepEqual([status, body.total], [200, 1], at.join())
    await database.systemPool.query('delete from latest_states where vehicle_id = $1', [id])
    await database.systemPool.query('delete from vehicles where vehicle_id = $1', [id])
  }
})

test('a person of one sub-client sees its vehicles only: in the list, on the map and in the counts', async () => {
  const pinned = { subClientPin: 'south' }
  assert.deepEqual((await list('?sort=name', pinned)).plates, ['OS 1', 'VA 1'])
  assert.deepEqual((await list('?subClientId=north', pinned)).plates, [])
  assert.deepEqual((await list(`?ids=${idOf.get('ten')}`, pinned)).plates, [])
  assert.deepEqual(
    (await mapOf('', pinned)).points.map(({ label }) => label),
    ['OS 1'],
  )
  assert.equal((await countsOf('', pinned)).total, 2)
  const stranger = await surface.as({ resellerId: 'stranger' }).get<FleetMap>('/fleet/map')
  assert.equal(stranger.body.total, 0)
})

test('a map of many counts those that lie together, by the worst of them too, within a bound', async () => {
  const many = MAX_MAP_POINTS + 100
  await bench.addSubClient('crowd')
  await database.systemPool.query(
    `insert into vehicles (reseller_id, vehicle_id, sub_client_id) select $1, 'veh-crowd' || n, 'crowd' from generate_series(1, $2) n`,
    [bench.resellerId, many],
  )
  const { nowMs } = bench.clock
  const nothingElse = { signals: {}, attributes: {}, implausible: [] }
  const crowd = Array.from({ length: many }, (_, index) => {
    const nth = index + 1
    const position = { latitude: 40 + (nth % 25) * 0.4, longitude: -10 + Math.floor(nth / 25) * 0.8 }
    return createReading(
      { recordedAtMs: nowMs, position, ...nothingElse },
      {
        ...{ kind: 'telemetry', resellerId: bench.resellerId, sourceId: `veh-crowd${nth}`, vehicleId: `veh-crowd${nth}` },
        ...{ deviceId: undefined, subClientId: 'crowd', receivedAtMs: nowMs },
      },
    )
  })
  await storeReadings(database, crowd)
  const whole = await mapOf('?subClientId=crowd')
  const counted = whole.clusters.reduce((sum, { health }) => sum + health.unknown, 0)
  assert.equal(counted + whole.points.length, many)
  assert.ok(whole.clusters.length > 10 && whole.clusters.length + whole.points.length <= 625, `${whole.clusters.length} clusters`)
  for (const { latitude, longitude, bounds } of whole.clusters) {
    assert.ok(latitude >= bounds.south && latitude <= bounds.north && longitude >= bounds.west && longitude <= bounds.east)
  }
  const closer = await mapOf('?subClientId=crowd&bbox=-10,40,-8,45')
  assert.deepEqual(closer.clusters, [])
  assert.ok(closer.points.length > 0 && closer.points.length === closer.total)
})

test('the squares stay where they are while the map is moved, and number 24 at most along a side', () => {
  const box = { west: 7, south: 48, east: 9, north: 50 }
  assert.equal(cellSizeOf(box), cellSizeOf({ west: 7.3, south: 48, east: 9.3, north: 50 }))
  const size = cellSizeOf(box)
  assert.ok(2 / 360 / size <= 24 && 2 / 360 / size > 4, `${2 / 360 / size} squares`)
  assert.ok(cellSizeOf({ west: 8, south: 49, east: 8, north: 49 }) > 0)
  assert.ok(180 / 360 / cellSizeOf({ west: 90, south: 0, east: -90, north: 1 }) <= 24)
})
