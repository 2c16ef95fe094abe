// Goal: predictions are shown on both surfaces, each in its own spelling, and asked for with readings that are not stored.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestDatabase } from '../test-support.ts'
import { START_MS } from './test-bench.ts'
import { judgedFleet } from './test-judged-fleet.ts'
import { errorOf } from './test-surface.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))

test('predictions are listed on both surfaces in their own spelling', async (t) => {
  const { platform, external, hot, cool } = await judgedFleet(t, database)
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
  const { external } = await judgedFleet(t, database)
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

test('POST /predict gives what the engine advises a day, by the reading that was sent', async (t) => {
  const { bench, external, cool } = await judgedFleet(t, database)
  const plan = { act: 'plan', interval: [11, 48], what: 'Replace the pads', why: 'They are thin', risk: 'The discs wear too' }
  bench.engine.reshape = (answer) => ({ ...answer, predictions: { ...answer.predictions, advice: { brakes: plan } } })
  const timestamp = new Date(bench.clock.nowMs - 86_400_000).toISOString()
  type Answer = { predictions: { advice?: Record<string, object> } }
  const { body } = await external.post<Answer>('/predict', { vehicle_id: cool, sensor_data: { rpm: 900 }, timestamp })
  const by = new Date(bench.clock.nowMs + 3 * 86_400_000).toISOString().slice(0, 10)
  assert.deepEqual(body.predictions.advice, { brakes: { ...plan, by } })
  bench.engine.reshape = undefined
  const silent = await external.post<Answer>('/predict', { vehicle_id: cool, sensor_data: { rpm: 900 } })
  assert.equal('advice' in silent.body.predictions, false)
})

test('POST /predict answers the second shape of spec §2.7 for units and aliases as sent, and stores nothing', async (t) => {
  const { bench, external, cool } = await judgedFleet(t, database)
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

test('a prediction is metered to the sub-client of the vehicle, and to the reseller alone for a vehicle of none', async (t) => {
  const { bench, quota, external, cool } = await judgedFleet(t, database)
  const unowned = await bench.addVehicle()
  for (const vehicle_id of [cool, unowned]) {
    assert.equal((await external.post('/predict', { vehicle_id, sensor_data: { coolant_temp: 90 } })).status, 200)
  }
  assert.deepEqual(quota.meteredTo, ['south', undefined])
})

test('a reference that no vehicle has is answered under that reference, and makes no vehicle', async (t) => {
  const { quota, external } = await judgedFleet(t, database)
  const { status, body } = await external.post('/predict', { vehicle_id: 'truck-17', sensor_data: { coolant_temp: 120 } })
  assert.deepEqual([status, body['vehicle_id'], body['health_status']], [200, 'truck-17', 'critical'])
  assert.deepEqual(quota.meteredTo, [undefined])
  const { rows } = await database.systemPool.query("select 1 from vehicles where external_ref = 'truck-17'")
  assert.equal(rows.length, 0)
})

test('POST /predict refuses what it cannot use, and only an answer costs a prediction', async (t) => {
  const { bench, quota, external, cool } = await judgedFleet(t, database)
  quota.left = 1
  const sensor_data = { coolant_temp: 90 }
  const refusals: [string, unknown, number, string][] = [
    ['id of ours that leads nowhere', { vehicle_id: 'veh-none', sensor_data }, 404, 'not_found'],
    ['unknown reference without signals', { vehicle_id: 'truck-18', sensor_data: {} }, 404, 'not_found'],
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
