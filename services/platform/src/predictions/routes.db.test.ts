// Goal: both surfaces show what scoring stored, in the spec's shapes, to its owner and to nobody else.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standingPlatformAlerts } from '../alerts/routes.platform-v1.ts'
import { normalize } from '../ingest/normalize.ts'
import { externalSurface, platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { predictionExternalRoutes } from './routes.external.ts'
import { predictionPlatformRoutes } from './routes.platform-v1.ts'
import { START_MS, startBench } from './test-bench.ts'
import { errorOf, startTestSurface } from './test-surface.ts'
import { vehiclePlatformRoutes } from './vehicle.routes.platform-v1.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const window = { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 }
await insertReseller(database, 'stranger')

/** Two sub-clients with a vehicle each; the first one's runs hot and both are scored. */
async function judgedFleet(t: Parameters<typeof startBench>[0]) {
  const bench = await startBench(t, database)
  const quota = { left: Number.POSITIVE_INFINITY }
  const { engine, now } = bench.deps
  const external = await startTestSurface(t, externalSurface, [
    predictionExternalRoutes({
      database,
      engine,
      now,
      readRecord: (record, receivedAtMs) => normalize(record, receivedAtMs, window).content,
      consumePredictionQuota: async (_resellerId, count) => {
        const granted = Math.min(count, quota.left)
        quota.left -= granted
        return granted
      },
    }),
  ])
  const platform = await startTestSurface(t, platformSurface, [
    vehiclePlatformRoutes({ database, engine, now, standingAlerts: standingPlatformAlerts }),
    predictionPlatformRoutes({ database }),
  ])
  await bench.addSubClient('north')
  await bench.addSubClient('south')
  const hot = await bench.addVehicle({ subClientId: 'north', externalRef: 'truck-1' })
  bench.clock.nowMs += 1000
  const cool = await bench.addVehicle({ subClientId: 'south' })
  await bench.report(hot, { signals: { coolantTempC: 110 } })
  await bench.report(cool, { signals: { coolantTempC: 90 } })
  assert.equal(await bench.score(), 2)
  const { resellerId } = bench
  return {
    bench,
    quota,
    hot,
    cool,
    external: external.as({ resellerId }),
    platform: platform.as({ resellerId }),
    pinned: (subClientPin: string) => ({
      external: external.as({ resellerId, subClientPin }),
      platform: platform.as({ resellerId, subClientPin }),
    }),
    stranger: { external: external.as({ resellerId: 'stranger' }), platform: platform.as({ resellerId: 'stranger' }) },
  }
}

test('health has the numbers of spec §2.8, with what drives them and the alerts that stand', async (t) => {
  const { platform, hot } = await judgedFleet(t)
  const { status, body } = await platform.get<{ alerts: Record<string, unknown>[] } & Record<string, unknown>>(`/vehicles/${hot}/health`)
  assert.equal(status, 200)
  const { alerts, scoredAt, ...rest } = body
  assert.deepEqual(rest, {
    vehicleId: hot,
    healthScore: 40,
    components: { cooling: 40, brakes: 90 },
    healthStatus: 'warning',
    riskLevel: 'high',
    maintenanceNeeded: true,
    maintenanceProbability: 0.7,
    anomalyScore: 0.999,
    anomalyDetected: true,
    confidence: 0.8,
    insights: ['Coolant 110 °C is above 105 °C'],
    recommendations: ['Check the coolant'],
  })
  assert.equal(scoredAt, new Date(START_MS + 1000).toISOString())
  assert.equal(alerts.length, 1)
  assert.deepEqual([alerts[0]?.['vehicleId'], alerts[0]?.['severity']], [hot, 'high'])
  assert.equal((await platform.get('/vehicles/truck-1/health')).body['vehicleId'], hot)
})

test('before its first score a vehicle’s health is asked of the engine with what is known; away, it is 503', async (t) => {
  const { bench, platform } = await judgedFleet(t)
  const silent = await bench.addVehicle()
  const fresh = await bench.addVehicle()
  await bench.report(fresh, { signals: { coolantTempC: 100 } })
  const ofSilent = await platform.get(`/vehicles/${silent}/health`)
  assert.deepEqual([ofSilent.status, ofSilent.body['healthScore'], ofSilent.body['scoredAt']], [200, 100, null])
  const ofFresh = await platform.get(`/vehicles/${fresh}/health`)
  assert.deepEqual([ofFresh.body['healthScore'], ofFresh.body['scoredAt']], [70, null])
  const list = (await platform.get<{ vehicles: { id: string; healthScore: number | null }[] }>('/vehicles')).body
  assert.equal(list.vehicles.find(({ id }) => id === silent)?.healthScore, null)
  bench.engine.fault = () => ({ status: 503 })
  const away = await platform.get(`/vehicles/${silent}/health`)
  assert.equal(away.status, 503)
  assert.equal(errorOf(away)['code'], 'unavailable')
})

test('vehicles are listed with their health, by sub-client and by status, page by page', async (t) => {
  const { bench, platform, hot, cool } = await judgedFleet(t)
  const { status, body } = await platform.get<{ vehicles: Record<string, unknown>[] }>('/vehicles')
  assert.equal(status, 200)
  assert.deepEqual(
    body.vehicles.map(({ id, healthScore, healthStatus, openAlerts, subClientId }) => [
      id,
      healthScore,
      healthStatus,
      openAlerts,
      subClientId,
    ]),
    [
      [hot, 40, 'warning', 1, 'north'],
      [cool, 100, 'healthy', 0, 'south'],
    ],
  )
  const idsOf = async (query: string) =>
    (await platform.get<{ vehicles: { id: string }[] }>(`/vehicles${query}`)).body.vehicles.map(({ id }) => id)
  assert.deepEqual(await idsOf('?healthStatus=warning'), [hot])
  assert.deepEqual(await idsOf('?subClientId=south'), [cool])
  assert.deepEqual(await idsOf('?subClientId=%00'), [])
  const first = await platform.get<{ pagination: { endCursor: string; hasNextPage: boolean } }>('/vehicles?limit=1')
  const { pagination } = first.body
  assert.equal(pagination.hasNextPage, true)
  bench.clock.nowMs += 1
  await bench.addVehicle()
  assert.deepEqual(await idsOf(`?limit=1&after=${pagination.endCursor}`), [cool])
})

test('predictions are listed on both surfaces in their own spelling', async (t) => {
  const { platform, external, hot, cool } = await judgedFleet(t)
  const ofPlatform = (await platform.get<{ predictions: Record<string, unknown>[] }>(`/predictions?vehicleId=${hot}`)).body
  const cooling = ofPlatform.predictions.find(({ component }) => component === 'cooling')
  assert.deepEqual(
    [
      cooling?.['vehicleId'],
      cooling?.['issue'],
      cooling?.['rul_days'],
      cooling?.['confidence'],
      cooling?.['severity'],
      cooling?.['interval'],
    ],
    [hot, 'Coolant overheating', 5, 0.8, 'high', [1, 12]],
  )
  const all = (await external.get<{ total: number; predictions: Record<string, unknown>[] }>('/predictions')).body
  assert.equal(all.total, 4)
  const south = (await external.get<typeof all>('/predictions?sub_client_id=south')).body
  assert.deepEqual([...new Set(south.predictions.map((each) => each['vehicle_id']))], [cool])
  assert.deepEqual(Object.keys(south.predictions[0] ?? {}).sort(), [
    'component',
    'confidence',
    'created_at',
    'health_score',
    'interval',
    'issue',
    'prediction_id',
    'rul_days',
    'severity',
    'sub_client_id',
    'updated_at',
    'vehicle_id',
  ])
  const byReference = (await external.get<typeof all>('/predictions?vehicle_id=truck-1&limit=1')).body
  assert.deepEqual([byReference.total, byReference.predictions[0]?.['vehicle_id']], [2, hot])
})

test('a page of predictions follows the one before, and a made-up cursor is refused', async (t) => {
  const { external } = await judgedFleet(t)
  const seen: unknown[] = []
  let after = ''
  for (let page = 0; page < 4; page++) {
    type Page = { predictions: { prediction_id: string }[]; pagination: { endCursor: string; hasNextPage: boolean } }
    const { predictions, pagination } = (await external.get<Page>(`/predictions?limit=1${after}`)).body
    seen.push(predictions[0]?.prediction_id)
    assert.equal(pagination.hasNextPage, page < 3)
    after = `&after=${pagination.endCursor}`
  }
  assert.equal(new Set(seen).size, 4)
  const refused = await external.get('/predictions?after=bogus!')
  assert.equal(refused.status, 400)
})

test('POST /predict answers the second shape of spec §2.7 for units and aliases as sent, and stores nothing', async (t) => {
  const { bench, external, cool } = await judgedFleet(t)
  bench.engine.seen.length = 0
  const sensor_data = { ect: 120, rpm: 1800, oil_pressure: 42, red_stop_lamp: 'LAMP_ON', dtc_codes: ['P0217'], unheard_of: 1 }
  const { status, body } = await external.post('/predict', { vehicle_id: cool, sensor_data })
  assert.equal(status, 200, JSON.stringify(body))
  const [asked] = bench.engine.seen
  assert.deepEqual(
    { ...asked, timestamp: 'now' },
    {
      vehicleId: cool,
      timestamp: 'now',
      coolant: 120,
      engine_speed: 1800,
      oil_pressure: 42,
      red_stop_lamp: 'LAMP_ON',
      dtc_codes: ['P0217'],
    },
  )
  assert.deepEqual(
    [body['vehicleId'], body['health_score'], body['health_status'], body['risk_level'], body['recommendations']],
    [cool, 10, 'critical', 'high', ['Check the coolant']],
  )
  const [alert] = body['maintenance_alerts'] as Record<string, unknown>[]
  assert.deepEqual([alert?.['type'], alert?.['description'], alert?.['urgency']], ['coolant_high', 'Coolant overheating', 'urgent'])
  assert.equal((body['predictions'] as { healthScore: number }).healthScore, 10)
  assert.equal(body['processed_at'], new Date(bench.clock.nowMs).toISOString())
  const { rows } = await database.systemPool.query('select 1 from alerts where vehicle_id = $1', [cool])
  assert.equal(rows.length, 0)
})

test('POST /predict refuses what it cannot use, and only an answer costs a prediction', async (t) => {
  const { bench, quota, external, cool } = await judgedFleet(t)
  quota.left = 1
  const sensor_data = { coolant_temp: 90 }
  const refusals: [string, unknown, number, string][] = [
    ['unknown vehicle', { vehicle_id: 'veh-none', sensor_data }, 404, 'not_found'],
    ['vehicle id with NUL', { vehicle_id: 'a\u0000', sensor_data }, 400, 'invalid_request'],
    ['no vehicle', { sensor_data }, 400, 'invalid_request'],
    ['no sensor data', { vehicle_id: cool }, 400, 'invalid_request'],
    ['text for a number', { vehicle_id: cool, sensor_data: { coolant_temp: '90' } }, 400, 'invalid_request'],
    ['text under an alias', { vehicle_id: cool, sensor_data: { water_temp: '90' } }, 400, 'invalid_request'],
    ['impossible date', { vehicle_id: cool, sensor_data, timestamp: '2026-02-30T00:00:00Z' }, 400, 'invalid_request'],
  ]
  for (const [name, payload, status, code] of refusals) {
    const answer = await external.post('/predict', payload)
    assert.deepEqual([answer.status, errorOf(answer)['code']], [status, code], name)
  }
  bench.engine.fault = () => ({ status: 503 })
  assert.equal((await external.post('/predict', { vehicle_id: cool, sensor_data })).status, 503)
  bench.engine.fault = undefined
  assert.equal((await external.post('/predict', { vehicle_id: cool, sensor_data })).status, 200)
  const over = await external.post('/predict', { vehicle_id: cool, sensor_data })
  assert.equal(over.status, 403)
  assert.deepEqual([errorOf(over)['code'], errorOf(over)['action_required']], ['quota_exceeded', 'upgrade_plan'])
})

test('health history is a half-open range of time, page by page', async (t) => {
  const { bench, platform, hot } = await judgedFleet(t)
  for (const coolantTempC of [100, 90]) {
    bench.clock.nowMs += 60_000
    await bench.report(hot, { signals: { coolantTempC } })
    assert.equal(await bench.score(), 1)
  }
  bench.clock.nowMs += 1
  const url = `/vehicles/${hot}/health/history`
  const scoresOf = async (query: string) =>
    (await platform.get<{ history: { healthScore: number }[] }>(url + query)).body.history.map((each) => each.healthScore)
  assert.deepEqual(await scoresOf(''), [40, 70, 100])
  const at = (ms: number) => new Date(START_MS + ms).toISOString()
  assert.deepEqual(await scoresOf(`?from=${at(1000)}&to=${at(121_000)}`), [40, 70])
  const first = (await platform.get<{ total: number; pagination: { endCursor: string } }>(`${url}?limit=2`)).body
  assert.equal(first.total, 3)
  assert.deepEqual(await scoresOf(`?limit=2&after=${first.pagination.endCursor}`), [100])
  assert.equal((await platform.get(`${url}?from=2026-02-30T00:00:00Z`)).status, 400)
  assert.equal((await platform.get(`${url}?from=${at(2)}&to=${at(1)}`)).status, 400)
})

test('tenant matrix: a stranger and another sub-client’s key find nothing and are told what an unknown id is told', async (t) => {
  const { platform, stranger, pinned, hot, cool } = await judgedFleet(t)
  const outsiders = [stranger, pinned('south')]
  for (const outsider of outsiders) {
    for (const path of ['', '/health', '/health/history']) {
      const answer = await outsider.platform.get(`/vehicles/${hot}${path}`)
      const unknown = await outsider.platform.get(`/vehicles/veh-none${path}`)
      const told = (each: typeof answer) => [each.status, { ...errorOf(each), request_id: '' }]
      assert.deepEqual(told(answer), told(unknown))
      assert.equal(answer.status, 404)
    }
    for (const reference of [hot, 'truck-1']) {
      assert.equal((await outsider.platform.get(`/predictions?vehicleId=${reference}`)).body['total'], 0)
      assert.equal((await outsider.external.get(`/predictions?vehicle_id=${reference}`)).body['total'], 0)
      assert.equal((await outsider.external.post('/predict', { vehicle_id: reference, sensor_data: {} })).status, 404)
    }
    assert.equal((await outsider.external.get('/predictions?sub_client_id=north')).body['total'], 0)
  }
  assert.equal((await stranger.platform.get('/vehicles')).body['total'], 0)
  const own = (await pinned('south').platform.get<{ total: number; vehicles: { id: string }[] }>('/vehicles')).body
  assert.deepEqual([own.total, own.vehicles.map(({ id }) => id)], [1, [cool]])
  assert.equal((await pinned('south').external.get('/predictions')).body['total'], 2)
  assert.equal((await platform.get('/vehicles')).body['total'], 2)
})
