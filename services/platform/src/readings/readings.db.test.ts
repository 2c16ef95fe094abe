// Goal: the readings of a vehicle come back over a half-open range, whichever device sent them, and only to those who may see them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { KPA_PER_PSI } from '@roadworthy/signals/registry'
import type { Accepted, Inbound, Outcome } from '../ingest/inbound.ts'
import { START_MS, startBench } from '../predictions/test-bench.ts'
import { errorOf, startTestSurface } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { readingId } from './reading-id.ts'
import { readingsPlatformRoutes } from './routes.platform-v1.ts'
import { telemetryPlatformRoutes } from './telemetry.routes.platform-v1.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

type Answered = {
  total: number
  from: string
  to: string
  readings: { id: string; recordedAt: string; signals: Record<string, number>; attributes: object; implausible: string[] }[]
  bucketSeconds: number
  buckets: { start: string; signals: Record<string, { min: number; avg: number; max: number; count: number }> }[]
  pagination: { endCursor: string; hasNextPage: boolean }
}

const iso = (offsetMs: number) => new Date(START_MS + offsetMs).toISOString()

async function start(t: Parameters<typeof startBench>[0]) {
  const bench = await startBench(t, database)
  const surface = await startTestSurface(t, platformSurface, [readingsPlatformRoutes({ database, now: bench.deps.now })])
  const api = surface.as({ resellerId: bench.resellerId })
  return { bench, surface, list: async (id: string, query = '') => (await api.get<Answered>(`/vehicles/${id}/readings${query}`)).body, api }
}

test('a range holds the reading at its start and not the one at its end; the last hour when nothing is asked for', async (t) => {
  const { bench, list } = await start(t)
  const vehicleId = await bench.addVehicle()
  for (const minutes of [-61, -60, -30, 0]) {
    await bench.report(vehicleId, { recordedAtMs: START_MS + minutes * 60_000, signals: { coolantTempC: 90 + minutes / 100 } })
  }
  const byDefault = await list(vehicleId)
  assert.deepEqual([byDefault.from, byDefault.to, byDefault.total], [iso(-3_600_000), iso(0), 2])
  const range = await list(vehicleId, `?from=${iso(-61 * 60_000)}&to=${iso(-30 * 60_000)}`)
  assert.deepEqual(
    range.readings.map(({ recordedAt }) => recordedAt),
    [iso(-61 * 60_000), iso(-60 * 60_000)],
  )
})

test('pages follow each other over several devices of one vehicle, readings of the same instant included', async (t) => {
  const { bench, list } = await start(t)
  const [vehicleId, other] = [await bench.addVehicle(), await bench.addVehicle()]
  const ids: string[] = []
  for (let i = 1; i <= 4; i++) {
    for (const sourceId of ['dev-aaaaaaaa', 'dev-bbbbbbbb']) {
      const reading = await bench.report(vehicleId, { recordedAtMs: START_MS - i * 1000, signals: { coolantTempC: i } }, { sourceId })
      ids.unshift(readingId(reading))
    }
  }
  // Later the first device moves to another vehicle: its readings there are not this vehicle's.
  await bench.report(other, { recordedAtMs: START_MS - 500, signals: { coolantTempC: 99 } }, { sourceId: 'dev-bbbbbbbb' })
  const pagesOf = async (order: string) => {
    const seen: string[] = []
    let after = ''
    for (let page = 0; page < 3; page++) {
      const body = await list(vehicleId, `?limit=3${order}${after}`)
      assert.equal(body.total, 8)
      seen.push(...body.readings.map(({ id }) => id))
      assert.equal(body.pagination.hasNextPage, page < 2)
      after = `&after=${body.pagination.endCursor}`
    }
    return seen
  }
  const oldestFirst = await pagesOf('')
  assert.deepEqual([...oldestFirst].sort(), [...ids].sort())
  assert.equal(new Set(oldestFirst).size, 8)
  assert.deepEqual(await pagesOf('&order=asc'), oldestFirst)
  assert.deepEqual(await pagesOf('&order=desc'), oldestFirst.toReversed())
})

test('the readings of a range are counted for its first page only', async (t) => {
  const { bench, list } = await start(t)
  const vehicleId = await bench.addVehicle()
  const say = (secondsAgo: number) => bench.report(vehicleId, { recordedAtMs: START_MS - secondsAgo * 1000, signals: { coolantTempC: 90 } })
  for (const secondsAgo of [3, 2, 1]) await say(secondsAgo)
  const first = await list(vehicleId, '?limit=1')
  await say(4)
  const second = await list(vehicleId, `?limit=1&after=${first.pagination.endCursor}`)
  const third = await list(vehicleId, `?limit=1&after=${second.pagination.endCursor}`)
  assert.deepEqual([first.total, second.total, third.total], [3, 3, 3])
  assert.equal((await list(vehicleId)).total, 4)
})

test('only the signals asked for, by the key they are sent under', async (t) => {
  const { bench, list, api } = await start(t)
  const vehicleId = await bench.addVehicle()
  await bench.report(vehicleId, { recordedAtMs: START_MS - 2000, signals: { coolantTempC: 90, engineSpeedRpm: 900 } })
  await bench.report(vehicleId, { recordedAtMs: START_MS - 1000, signals: { vehicleSpeedKmh: 50, oilPressureKpa: 40 * KPA_PER_PSI } })
  const signalsOf = async (names: string) => (await list(vehicleId, `?signals=${names}`)).readings.map(({ signals }) => signals)
  assert.deepEqual(await signalsOf('coolant'), [{ coolant: 90 }])
  assert.deepEqual(await signalsOf('ect,speed'), [{ coolant: 90 }, { vehicleSpeed: 50 }])
  const unknown = await api.get(`/vehicles/${vehicleId}/readings?signals=warp`)
  assert.deepEqual([unknown.status, (errorOf(unknown)['details'] as { field: string }).field], [400, 'signals'])
})

test('a reading is returned in the keys and units in which it is sent', async (t) => {
  const { bench, list } = await start(t)
  const vehicleId = await bench.addVehicle()
  await bench.report(vehicleId, {
    recordedAtMs: START_MS - 1000,
    signals: { oilPressureKpa: 40 * KPA_PER_PSI, coolantTempC: 215 },
    attributes: { headingDeg: 400, ignition: true, lamps: { milLamp: true }, dtcCodes: ['P0217'], extra: { tyre: 2 } },
    implausible: ['coolantTempC', 'headingDeg', 'position'],
  })
  const [reading] = (await list(vehicleId)).readings
  assert.deepEqual(reading?.signals, { coolant: 215, oil_pressure: 40 })
  assert.deepEqual(reading?.attributes, { heading: 400, ignition: true, extra: { tyre: 2 }, mil_lamp: 'LAMP_ON', dtc_codes: ['P0217'] })
  assert.deepEqual(reading?.implausible, ['coolant', 'heading', 'latitude', 'longitude'])
  const { buckets } = await list(vehicleId, '?downsample=1m')
  assert.deepEqual(buckets[0]?.signals, { oil_pressure: { min: 40, avg: 40, max: 40, count: 1 } })
})

test('downsampling gives lowest, mean and highest of each bucket, without what was implausible', async (t) => {
  const { bench, list, api } = await start(t)
  const vehicleId = await bench.addVehicle()
  const say = (secondsAgo: number, coolantTempC: number, implausible: string[] = []) =>
    bench.report(vehicleId, { recordedAtMs: START_MS - secondsAgo * 1000, signals: { coolantTempC, engineSpeedRpm: 900 }, implausible })
  await say(100, 80)
  await say(70, 90)
  await say(65, 215, ['coolantTempC'])
  await say(30, 70)
  const body = await list(vehicleId, '?downsample=1m&signals=coolant')
  assert.equal(body.bucketSeconds, 60)
  assert.deepEqual(body.buckets, [
    { start: iso(-120_000), signals: { coolant: { min: 80, avg: 85, max: 90, count: 2 } } },
    { start: iso(-60_000), signals: { coolant: { min: 70, avg: 70, max: 70, count: 1 } } },
  ])
  const week = `?downsample=1h&from=${iso(-7 * 86_400_000)}`
  assert.equal((await api.get(`/vehicles/${vehicleId}/readings${week}`)).status, 200)
  const aligned = `?downsample=1s&from=${iso(-2_000_000)}&to=${iso(0)}`
  assert.equal((await api.get(`/vehicles/${vehicleId}/readings${aligned}`)).status, 200)
  for (const query of [
    '?downsample=1s',
    // As long, and it begins and ends within a bucket.
    `?downsample=1s&from=${iso(-2_000_500)}&to=${iso(-500)}`,
    '?downsample=5',
    '?downsample=0m',
    `?from=${iso(-63 * 86_400_000)}`,
    '?downsample=1m&points=100',
    '?points=9',
    '?points=2001',
    '?from=yesterday',
    '?after=x',
  ]) {
    assert.equal((await api.get(`/vehicles/${vehicleId}/readings${query}`)).status, 400, query)
  }
})

test('asked for a number of points, the service chooses how long a bucket is, for as much as a month', async (t) => {
  const { bench, list } = await start(t)
  const vehicleId = await bench.addVehicle()
  for (const secondsAgo of [31 * 86_400, 86_400, 30, 10]) {
    await bench.report(vehicleId, { recordedAtMs: START_MS - secondsAgo * 1000, signals: { coolantTempC: 90, engineSpeedRpm: secondsAgo } })
  }
  const hour = await list(vehicleId, '?points=300&signals=engine_speed')
  assert.deepEqual([hour.bucketSeconds, hour.buckets.map(({ signals }) => signals['engine_speed']?.max)], [15, [30, 10]])
  assert.deepEqual(Object.keys(hour.buckets[0]?.signals ?? {}), ['engine_speed'])
  const month = await list(vehicleId, `?points=300&from=${iso(-31 * 86_400_000)}`)
  assert.deepEqual([month.bucketSeconds, month.buckets.length], [3 * 3_600, 3])
})

test('the ends of time and buckets longer than history are answered, not failed on', async (t) => {
  const { bench, api } = await start(t)
  const vehicleId = await bench.addVehicle()
  for (const query of [
    '?to=0000-01-01T00:00:00Z',
    '?from=9999-12-31T23:59:59Z&to=9999-12-31T23:59:59.999Z',
    '?downsample=999999d',
    `?downsample=1d&to=0000-01-01T00:00:00Z`,
  ]) {
    const { status, body } = await api.get<Answered>(`/vehicles/${vehicleId}/readings${query}`)
    assert.deepEqual([status, body.total], [200, 0], query)
    for (const time of [body.from, body.to]) assert.match(time, /^\d{4}-/, query)
  }
  for (const id of ['%00', 'a%EF%BF%BF', 'x'.repeat(201), '..%2f']) {
    const { status } = await api.get(`/vehicles/${id}/readings`)
    assert.ok([400, 404].includes(status), `${status} for ${id}`)
  }
})

test('tenant matrix: a stranger finds no vehicle; a pinned key sees its own sub-client’s readings only', async (t) => {
  const { bench, surface } = await start(t)
  await bench.addSubClient('north')
  await bench.addSubClient('south')
  const vehicleId = await bench.addVehicle({ subClientId: 'north' })
  await bench.report(vehicleId, { recordedAtMs: START_MS - 2000, signals: { coolantTempC: 1 } }, { subClientId: 'south' })
  await bench.report(vehicleId, { recordedAtMs: START_MS - 1000, signals: { coolantTempC: 2 } }, { subClientId: 'north' })
  const { resellerId } = bench
  const url = `/vehicles/${vehicleId}/readings`
  assert.equal((await surface.as({ resellerId: 'stranger' }).get(url)).status, 404)
  assert.equal((await surface.as({ resellerId, subClientPin: 'south' }).get(url)).status, 404)
  const north = (await surface.as({ resellerId, subClientPin: 'north' }).get<Answered>(url)).body
  assert.deepEqual([north.total, north.readings.map(({ signals }) => signals)], [1, [{ coolant: 2 }]])
  const buckets = (await surface.as({ resellerId, subClientPin: 'north' }).get<Answered>(`${url}?downsample=1h`)).body.buckets
  assert.deepEqual(buckets[0]?.signals, { coolant: { min: 2, avg: 2, max: 2, count: 1 } })
})

test('POST /telemetry hands the record of spec §2.8 to ingest under the vehicle it names, and returns the outcome', async (t) => {
  const given: Inbound[] = []
  const accepted: Accepted = {
    status: 'stored',
    readingId: 'tel-x',
    deviceId: undefined,
    vehicleId: 'veh-1',
    subClientId: undefined,
    receivedAtMs: START_MS,
  }
  let outcome: Outcome = accepted
  const surface = await startTestSurface(t, platformSurface, [
    telemetryPlatformRoutes({
      toWarnings: () => undefined,
      ingest: async (batch) => {
        given.push(...batch)
        return batch.map(() => outcome)
      },
    }),
  ])
  const api = surface.as({ resellerId: 'acme', subClientPin: 'north' })
  const sent = { vehicleId: 'truck-1', timestamp: iso(0), engine_speed: 1800, coolant: 92, battery_voltage: 13.9, vehicleSpeed: 70 }
  const answer = await api.post('/telemetry', sent)
  assert.deepEqual(answer, {
    status: 200,
    body: { success: true, telemetryId: 'tel-x', vehicleId: 'veh-1', receivedAt: iso(0), duplicate: false },
  })
  const { vehicleId, ...rest } = sent
  assert.deepEqual(given, [
    { resellerId: 'acme', kind: 'telemetry', receiver: 'rest', record: { ...rest, vehicle_id: vehicleId }, subClientPin: 'north' },
  ])
  outcome = { ...accepted, status: 'duplicate' }
  assert.equal((await api.post('/telemetry', sent)).body['duplicate'], true)
  outcome = { status: 'refused', problem: new Problem('device_not_found', 'No such device') }
  const refused = await api.post('/telemetry', sent)
  assert.deepEqual([refused.status, errorOf(refused)['code']], [404, 'not_found'])
  for (const bad of [{ coolant: 92 }, { vehicleId: 7 }, { vehicleId: '' }]) {
    const { status, body } = await api.post('/telemetry', bad)
    assert.equal(status, 400)
    assert.equal((errorOf({ status, body })['details'] as { field: string }).field, 'vehicleId')
  }
})
