// Goal: where a vehicle was comes back in order, whichever device reported it, thinned to what was asked for, and only to those who may see it.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Track } from '@roadworthy/contracts/platform-v1/track'
import { START_MS, startBench } from '../predictions/test-bench.ts'
import { errorOf, startTestSurface } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { trackPlatformRoutes } from './track.routes.platform-v1.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const iso = (offsetMs: number) => new Date(START_MS + offsetMs).toISOString()

async function start(t: Parameters<typeof startBench>[0]) {
  const bench = await startBench(t, database)
  const routes = trackPlatformRoutes({ database, now: bench.deps.now, offlineAfterMs: 5 * MINUTE_MS })
  const surface = await startTestSurface(t, platformSurface, [routes])
  const api = surface.as({ resellerId: bench.resellerId })
  const at = (offsetMs: number, latitude: number, more: object = {}) => ({
    recordedAtMs: START_MS + offsetMs,
    position: { latitude, longitude: 8.4 },
    ...more,
  })
  return { bench, surface, api, at, track: async (id: string, query = '') => (await api.get<Track>(`/vehicles/${id}/track${query}`)).body }
}

test('positions of all devices come in order of time, with speed and heading, without those that are implausible', async (t) => {
  const { bench, track, at } = await start(t)
  const vehicleId = await bench.addVehicle({ externalRef: 'truck-1' })
  const other = await bench.addVehicle()
  const driving = { signals: { vehicleSpeedKmh: 50 }, attributes: { headingDeg: 90, ignition: true } }
  await bench.report(vehicleId, at(-2 * MINUTE_MS, 49.02, driving), { sourceId: 'dev-aaaaaaaa' })
  await bench.report(vehicleId, at(-3 * MINUTE_MS, 49.01), { sourceId: 'dev-bbbbbbbb' })
  await bench.report(vehicleId, at(-MINUTE_MS, 0, { implausible: ['position'] }), { sourceId: 'dev-aaaaaaaa' })
  await bench.report(vehicleId, { recordedAtMs: START_MS - 30 * SECOND_MS, signals: { coolantTempC: 90 } })
  const fast = { signals: { vehicleSpeedKmh: 900 }, implausible: ['vehicleSpeedKmh'] }
  await bench.report(vehicleId, at(-20 * SECOND_MS, 49.03, fast), { sourceId: 'dev-aaaaaaaa' })
  // Later the device is in another vehicle.
  await bench.report(other, at(-10 * SECOND_MS, 51), { sourceId: 'dev-aaaaaaaa' })
  const { points, ...rest } = await track('truck-1')
  assert.deepEqual(points, [
    { at: iso(-3 * MINUTE_MS), latitude: 49.01, longitude: 8.4, speed: null, heading: null, ignition: null },
    { at: iso(-2 * MINUTE_MS), latitude: 49.02, longitude: 8.4, speed: 50, heading: 90, ignition: true },
    { at: iso(-20 * SECOND_MS), latitude: 49.03, longitude: 8.4, speed: null, heading: null, ignition: null },
  ])
  assert.deepEqual(rest, {
    ...{ vehicleId, from: iso(-24 * HOUR_MS), to: iso(0), stops: [], gaps: [] },
    ...{ distanceKm: 2.22, maxSpeed: 50, everySeconds: 2, toleranceM: 0 },
  })
})

test('the range holds its start and not its end, and gaps and stops within it', async (t) => {
  const { bench, track, at } = await start(t)
  const vehicleId = await bench.addVehicle()
  for (const [minutesAgo, latitude] of [
    ...[
      [200, 49],
      [190, 49.001],
      [180, 49.4],
      [179, 49.41],
      [60, 50],
      [59, 50.01],
      [0, 51],
    ],
  ] as const) {
    await bench.report(vehicleId, at(-minutesAgo * MINUTE_MS, latitude))
  }
  const { points, stops, gaps } = await track(vehicleId, `?from=${iso(-200 * MINUTE_MS)}&to=${iso(0)}`)
  assert.equal(points.length, 6)
  assert.deepEqual(gaps, [
    { from: iso(-200 * MINUTE_MS), to: iso(-190 * MINUTE_MS) },
    { from: iso(-190 * MINUTE_MS), to: iso(-180 * MINUTE_MS) },
    { from: iso(-179 * MINUTE_MS), to: iso(-60 * MINUTE_MS) },
  ])
  assert.deepEqual(stops, [])
  await bench.report(vehicleId, at(-170 * MINUTE_MS, 49.41))
  const { stops: found } = await track(vehicleId, `?from=${iso(-200 * MINUTE_MS)}&to=${iso(0)}`)
  assert.deepEqual(found, [{ from: iso(-179 * MINUTE_MS), to: iso(-170 * MINUTE_MS), latitude: 49.41, longitude: 8.4 }])
})

test('of many positions so many are answered as there is room for, both sides of a gap among them', async (t) => {
  const { bench, track, at } = await start(t)
  const vehicleId = await bench.addVehicle()
  for (let s = 0; s < 60; s++) await bench.report(vehicleId, at((s - 1_000) * SECOND_MS, 49 + s / 10_000))
  for (let s = 0; s < 20; s++) await bench.report(vehicleId, at((s - 200) * SECOND_MS, 49.2 + (s % 2) / 500))
  const { points, gaps, toleranceM } = await track(vehicleId, `?maxPoints=6&from=${iso(-HOUR_MS)}`)
  assert.ok(points.length <= 6)
  const [gap] = gaps
  assert.deepEqual([gaps.length, gap?.from, gap?.to], [1, iso(-941 * SECOND_MS), iso(-200 * SECOND_MS)])
  const times = points.map(({ at: time }) => time)
  for (const time of [iso(-1_000 * SECOND_MS), gap?.from ?? '', gap?.to ?? '', iso(-181 * SECOND_MS)]) assert.ok(times.includes(time), time)
  assert.ok((toleranceM ?? 0) > 100, 'what zigzags cannot be kept')
})

test('what makes no sense is refused by its name, and what is not there is not found', async (t) => {
  const { bench, api, surface } = await start(t)
  const vehicleId = await bench.addVehicle()
  const fieldOf = async (query: string) => {
    const answer = await api.get(`/vehicles/${vehicleId}/track${query}`)
    return [answer.status, (errorOf(answer)['details'] as { field?: string } | undefined)?.field]
  }
  assert.deepEqual(await fieldOf(`?from=${iso(-49 * HOUR_MS)}`), [400, 'from'])
  assert.deepEqual(await fieldOf('?from=yesterday'), [400, 'from'])
  assert.deepEqual(await fieldOf(`?from=${iso(1)}&to=${iso(0)}`), [400, 'from'])
  assert.deepEqual(await fieldOf('?maxPoints=5001'), [400, 'maxPoints'])
  assert.deepEqual(await fieldOf('?maxPoints=1'), [400, 'maxPoints'])
  assert.equal((await api.get('/vehicles/veh-gone/track')).status, 404)
  assert.equal((await surface.as({ resellerId: 'stranger' }).get(`/vehicles/${vehicleId}/track`)).status, 404)
  assert.deepEqual((await api.get<Track>(`/vehicles/${vehicleId}/track`)).body.points, [])
})

test('a caller of one sub-client sees where the vehicle was while it was of it', async (t) => {
  const { bench, surface, at } = await start(t)
  const [north, south] = [await bench.addSubClient('north'), await bench.addSubClient('south')]
  const vehicleId = await bench.addVehicle({ subClientId: south })
  await bench.report(vehicleId, at(-2 * MINUTE_MS, 49), { subClientId: north })
  await bench.report(vehicleId, at(-MINUTE_MS, 49.01), { subClientId: south })
  const asPinned = (subClientPin: string) =>
    surface.as({ resellerId: bench.resellerId, subClientPin }).get<Track>(`/vehicles/${vehicleId}/track`)
  assert.deepEqual(
    (await asPinned(south)).body.points.map(({ latitude }) => latitude),
    [49.01],
  )
  assert.equal((await asPinned(north)).status, 404)
})
