// The engine through its HTTP API, as the spec's §4.3 describes it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineOutput } from '@roadworthy/contracts/engine-v1/output'
import { engineAliases } from '@roadworthy/signals/registry'
import { onlyKnowledge } from '../models/knowledge-models.ts'
import type { ModelSet } from '../models/model-set.ts'
import { NOW_MS, startEngine } from './testing-engine.ts'

const core = { engine_speed: 1500, coolant: 90, battery_voltage: 13.8, fuel_level: 60, vehicleSpeed: 50 }

test('health, models, aliases and statistics have the shapes of the spec', async (t) => {
  const { get } = await startEngine(t, { monotonicMs: () => 12_345 })
  assert.deepEqual((await get('/v1/health')).body, {
    status: 'healthy',
    version: '2.0.0',
    models_loaded: true,
    models_count: 4,
    uptime_seconds: 12.345,
  })
  const { models } = (await get('/v1/models')).body
  assert.ok(
    models.length > 0 &&
      models.every((model: Record<string, unknown>) => typeof model['name'] === 'string' && typeof model['type'] === 'string'),
  )
  const aliases = (await get('/v1/schema/aliases')).body
  assert.equal(typeof aliases.description, 'string')
  assert.deepEqual(aliases.aliases, engineAliases)
})

test('a prediction works on vehicleId alone and has every field of spec §2.7', async (t) => {
  const { post } = await startEngine(t)
  const { status, headers, body } = await post('/v1/predict', { vehicleId: 'V-1' })
  assert.equal(status, 200)
  assert.match(String(headers['x-request-id']), /^[\w-]+$/)
  assert.equal(body.vehicleId, 'V-1')
  assert.equal(body.timestamp, '2026-06-01T12:00:00.000Z')
  assert.equal(typeof body.processingTimeMs, 'number')
  const { predictions } = body as EngineOutput
  assert.ok(predictions.healthScore >= 70 && predictions.maintenanceNeeded === false && predictions.anomalyDetected === false)
  for (const component of ['engine', 'brakes', 'battery']) assert.ok((predictions.remainingUsefulLife[component] ?? 0) > 0, component)
  assert.deepEqual(body.alerts, [])
  assert.ok(body.missingFields.includes('coolant') && body.missingFields.includes('dtc_codes'))
  assert.ok(!body.missingFields.includes('fuel_consumption'), 'it would raise no confidence')
  assert.equal(body._schemaMapping, undefined)
  assert.equal(body._validation, undefined)
})

test('every alias of the spec is mapped and reported, and means the same as the standard name', async (t) => {
  const { post } = await startEngine(t)
  for (const [standard, aliases] of Object.entries(engineAliases)) {
    for (const alias of aliases) {
      const value = {
        vehicleId: 'V-1',
        engine_speed: 2000,
        coolant: 116,
        battery_voltage: 12,
        vehicleSpeed: 60,
        obdDistance: 400_000,
        fuel_level: 5,
        dtc_codes: ['P0217'],
      }[standard]
      const direct = (await post('/v1/predict', { vehicleId: 'V-1', [standard]: value })).body
      const mapped = (await post('/v1/predict', standard === 'vehicleId' ? { [alias]: value } : { vehicleId: 'V-1', [alias]: value })).body
      assert.deepEqual(mapped._schemaMapping, { autoMapped: true, mappedFields: { [alias]: standard } }, alias)
      assert.deepEqual({ ...mapped, _schemaMapping: undefined }, { ...direct, _schemaMapping: undefined }, alias)
    }
  }
})

test('a standard name wins over its alias, and the alias is named', async (t) => {
  const { post } = await startEngine(t)
  for (const payload of [
    { vehicleId: 'V-1', coolant: 90, ect: 120 },
    { ect: 120, vehicleId: 'V-1', coolant: 90 },
  ]) {
    const { body } = await post('/v1/predict', payload)
    assert.deepEqual(body.alerts, [])
    assert.deepEqual(body._schemaMapping, { autoMapped: false, mappedFields: {}, ignored: ['ect'] })
  }
  const twoAliases = (await post('/v1/predict', { vin: 'V-1', ect: 90, water_temp: 120 })).body
  assert.deepEqual(twoAliases._schemaMapping, {
    autoMapped: true,
    mappedFields: { vin: 'vehicleId', ect: 'coolant' },
    ignored: ['water_temp'],
  })
})

test('a name in another case, or with other separators, is mapped as an alias is', async (t) => {
  const { post } = await startEngine(t)
  const standard = { vehicleId: 'V-1', coolant: 116, engine_speed: 2000, dtc_codes: ['P0217'], red_stop_lamp: 'LAMP_ON' }
  const { body: direct } = await post('/v1/predict', standard)
  const spelled = { VehicleID: 'V-1', coolantTemp: 116, 'engine-speed': 2000, dtcCodes: ['P0217'], RedStopLamp: 'LAMP_ON' }
  const { body } = await post('/v1/predict', spelled)
  assert.deepEqual(body._schemaMapping, {
    autoMapped: true,
    mappedFields: {
      VehicleID: 'vehicleId',
      coolantTemp: 'coolant',
      'engine-speed': 'engine_speed',
      dtcCodes: 'dtc_codes',
      RedStopLamp: 'red_stop_lamp',
    },
  })
  assert.deepEqual([body.alerts, body.predictions], [direct.alerts, direct.predictions])
  const both = (await post('/v1/predict', { vehicleId: 'V-1', coolant: 90, Coolant: 120 })).body
  assert.deepEqual([both.alerts, both._schemaMapping.ignored], [[], ['Coolant']])
})

test('keys that mean no field are named with the closest one, those of a history too', async (t) => {
  const { post } = await startEngine(t)
  const history = [
    { coolant: 90, oilTemp: 95 },
    { coolant: 90, oilTemp: 96, zzz: 1 },
  ]
  const { body } = await post('/v1/predict', { vehicleId: 'V-1', coolant: 90, coolnt: 120, shoeSize: 44, history })
  assert.deepEqual(body._schemaMapping, {
    autoMapped: false,
    mappedFields: {},
    unmapped: [
      { field: 'coolnt', closest: 'coolant' },
      { field: 'shoeSize', closest: null },
      { field: 'oilTemp', closest: 'engineOilTemp' },
      { field: 'zzz', closest: null },
    ],
  })
  const long = `${'x'.repeat(127)}${'🚚'.repeat(200)}`
  const junk = Object.fromEntries([[long, 1], ...Array.from({ length: 5000 }, (_, index) => [`junk ${index}`, index])])
  const { unmapped } = (await post('/v1/predict', { vehicleId: 'V-1', ...junk })).body._schemaMapping
  assert.deepEqual([unmapped.length, unmapped[0].field, unmapped[0].closest], [20, `${'x'.repeat(127)}\ufffd…`, null])
})

test('statistics count standard and mapped inputs, batches included', async (t) => {
  const { post, get } = await startEngine(t)
  assert.equal((await get('/v1/schema/statistics')).body.standard_compliance_rate, 100)
  await post('/v1/predict', { vehicleId: 'V-1', coolant: 90 })
  await post('/v1/predict/batch', { vehicles: [{ vehicleId: 'V-2' }, { vin: 'V-3' }, {}, { vehicleId: 'V-4' }] })
  assert.deepEqual((await get('/v1/schema/statistics')).body, {
    total_processed: 4,
    fully_standard: 3,
    required_mapping: 1,
    standard_compliance_rate: 75,
  })
})

test('a batch answers each input in its place, and an invalid one does not take the others with it', async (t) => {
  const { post } = await startEngine(t)
  const vehicles = [{ vehicleId: 'A', coolant: 120 }, { coolant: 90 }, null, 'B', { vehicleId: 7 }, { vehicle_id: 'C' }]
  const { status, body } = await post('/v1/predict/batch', { vehicles })
  assert.equal(status, 200)
  assert.equal(body.count, vehicles.length)
  assert.equal(typeof body.processingTimeMs, 'number')
  assert.deepEqual(
    body.predictions.map((one: { vehicleId: string | null; error?: { code: string } }) => [one.vehicleId, one.error?.code ?? null]),
    [
      ['A', null],
      [null, 'invalid_input'],
      [null, 'invalid_input'],
      [null, 'invalid_input'],
      [null, 'invalid_input'],
      ['C', null],
    ],
  )
  assert.match(body.predictions[1].error.message, /vehicleId/)
  const alone = (await post('/v1/predict', vehicles[0])).body
  assert.deepEqual(body.predictions[0], alone)
})

test('a batch takes 1000 vehicles and refuses 1001, and needs an array', async (t) => {
  const { post } = await startEngine(t)
  const many = (count: number) => ({ vehicles: Array.from({ length: count }, (_, index) => ({ vehicleId: `V-${index}` })) })
  assert.equal((await post('/v1/predict/batch', many(1000))).body.count, 1000)
  const refused = await post('/v1/predict/batch', many(1001))
  assert.deepEqual([refused.status, refused.body.error.code], [400, 'batch_too_large'])
  assert.deepEqual((await post('/v1/predict/batch', { vehicles: [] })).body.count, 0)
  for (const body of [{}, { vehicles: {} }, [], null]) {
    const { status, body: answer } = await post('/v1/predict/batch', body)
    assert.deepEqual([status, answer.error.code], [400, 'invalid_input'])
    assert.match(answer.error.message, /vehicles/)
  }
})

test('fields that cannot be used are dropped and named, and alert nobody', async (t) => {
  const { post } = await startEngine(t)
  const body = `{"vehicleId":"V-1","engine_speed":"1500","coolant":215,"battery_voltage":276,"vehicleSpeed":1e999,"fuel_level":null,"mil_lamp":"ON",
    "dtc_codes":"P0217","latitude":91,"timestamp":"2026-02-30T00:00:00Z","vehicleAgeDays":-1,"replacedParts":[{"component":"brakes"},7],"vehicleClass":"car","fuel_type":"Diesel","drivetrain":4,"batteryNominalV":13,"previousHealthStatus":"fine","history":{},"unknown":1}`
  const { status, body: answer } = await post('/v1/predict', body)
  assert.deepEqual([status, answer.alerts], [200, []])
  assert.deepEqual(answer._validation.ignored.toSorted(), [
    'batteryNominalV',
    'battery_voltage',
    'coolant',
    'drivetrain',
    'dtc_codes',
    'engine_speed',
    'fuelType',
    'history',
    'latitude',
    'mil_lamp',
    'previousHealthStatus',
    'replacedParts',
    'timestamp',
    'vehicleAgeDays',
    'vehicleClass',
    'vehicleSpeed',
  ])
  assert.equal(answer._validation.reasons.dtc_codes, 'it is not an array of texts, as ["P0301", "P0420"]')
  assert.equal(
    answer._validation.reasons.vehicleClass,
    'it is not one of passenger, van, light_truck, medium_truck, heavy_truck, bus, motorcycle, off_highway, trailer, other',
  )
  assert.deepEqual(Object.keys(answer._validation.reasons).toSorted(), answer._validation.ignored.toSorted())
})

test('what is given of the vehicle decides its parts and lives, in any spelling', async (t) => {
  const { post } = await startEngine(t)
  const ask = async (more: object) =>
    (await post('/v1/predict', { vehicleId: 'V-1', battery_voltage: 13.9, obdDistance: 300_000, ...more })).body
  const truck = await ask({ vehicleClass: 'heavy_truck', fuelType: 'diesel', drivetrain: '6x4', batteryNominalV: 12 })
  assert.equal(truck._schemaMapping, undefined)
  assert.equal(truck._validation, undefined)
  const spelled = await ask({ vehicle_class: 'heavy_truck', 'fuel-type': 'diesel', DriveTrain: '6x4', battery_nominal_v: 12 })
  assert.deepEqual(spelled.predictions, truck.predictions)
  assert.equal(spelled._schemaMapping.mappedFields.vehicle_class, 'vehicleClass')
  assert.notDeepEqual((await ask({})).predictions.remainingUsefulLife, truck.predictions.remainingUsefulLife)
  assert.deepEqual(
    ['vehicleClass', 'fuelType', 'batteryNominalV'].filter((field) => truck.missingFields.includes(field)),
    [],
  )
  const electric = await ask({ fuelType: 'electric', engine_speed: 6000, oil_pressure: 0, coolant: 30 })
  assert.ok(!(await ask({ vehicleClass: 'trailer' })).missingFields.includes('fuelType'))
  assert.ok(electric.missingFields.includes('vehicleClass') && !electric.missingFields.includes('engineOilTemp'))
  assert.deepEqual(electric.alerts, [])
  assert.deepEqual(Object.keys(electric.components).toSorted(), ['battery', 'brakes', 'charging', 'cooling', 'transmission'])
})

test('a VIN is used beside the id of the vehicle, as its id, and under another name of it; what is no VIN is as before', async (t) => {
  const { post } = await startEngine(t)
  const ask = async (input: object) => (await post('/v1/predict', { obdDistance: 300_000, ...input })).body
  const lifeOf = async (input: object) => (await ask(input)).predictions.remainingUsefulLife.engine
  const vin = '3AKJHHDR5JSJT1234'
  const truck = await lifeOf({ vehicleId: 'V-1', vehicleClass: 'heavy_truck' })
  const beside = await ask({ vehicleId: 'V-1', vin })
  assert.deepEqual([beside.vehicleId, beside._schemaMapping, beside._validation], ['V-1', undefined, undefined])
  assert.ok(beside.insights.includes('Taken as a heavy truck, by its VIN (3AK: Freightliner)'))
  for (const input of [{ vin }, { VIN: vin }, { vehicleId: vin }, { asset_id: 'V-1', vin }])
    assert.equal(await lifeOf(input), truck, JSON.stringify(input))
  const other = await ask({ vehicleId: 'V-1', vin: 'V-2' })
  assert.deepEqual(other._schemaMapping.ignored, ['vin'])
  assert.notEqual(other.predictions.remainingUsefulLife.engine, truck)
})

test('the life of a part counts from its replacement', async (t) => {
  const { post } = await startEngine(t)
  const input = { vehicleId: 'V-1', obdDistance: 180_000, vehicleAgeDays: 3600 }
  const livesOf = async (more: object) => (await post('/v1/predict', { ...input, ...more })).body.predictions.remainingUsefulLife
  const [before, after] = [
    await livesOf({}),
    await livesOf({ replacedParts: [{ component: 'brakes', odometerKm: 179_000, replacedAt: '2026-01-31T08:15:00+05:30' }] }),
  ]
  assert.ok(after.brakes > 1.3 * before.brakes)
  assert.deepEqual({ ...after, brakes: 0 }, { ...before, brakes: 0 })
  const { body } = await post('/v1/predict', { ...input, replacedParts: [{ component: 'Breaks', odometerKm: 9 }, { component: 'engine' }] })
  assert.match(body._validation.reasons.replacedParts, /^parts without .*; "Breaks" has no life .* are engine, cooling, fuel, /)
})

test('history makes a condition prove itself, and is read in the same words', async (t) => {
  const { post } = await startEngine(t)
  const at = (secondsAgo: number, coolant: number) => ({
    timestamp: new Date(NOW_MS - secondsAgo * 1000).toISOString(),
    ...core,
    coolant: undefined,
    ect: coolant,
  })
  const spike = (await post('/v1/predict', { vehicleId: 'V-1', ...core, coolant: 118, history: [at(20, 90), at(10, 91), at(5, 90)] })).body
  assert.deepEqual(spike.alerts, [])
  const lasting = (await post('/v1/predict', { vehicleId: 'V-1', ...core, coolant: 118, history: [at(60, 90), at(40, 117), at(20, 118)] }))
    .body
  assert.equal(lasting.alerts[0].severity, 'critical')
  assert.deepEqual(lasting._schemaMapping, { autoMapped: true, mappedFields: { ect: 'coolant' } })
  const long = (
    await post('/v1/predict', { vehicleId: 'V-1', ...core, history: Array.from({ length: 130 }, (_, index) => at(130 - index, 90)) })
  ).body
  assert.match(long._validation.reasons.history, /newest 120 of 130/)
  const untimed = (
    await post('/v1/predict', { vehicleId: 'V-1', coolant: 118, history: Array.from({ length: 20 }, () => ({ coolant: 118 })) })
  ).body
  assert.equal(untimed.alerts[0].severity, 'critical')
})

test('readings of another vehicle are no history of this one', async (t) => {
  const { post } = await startEngine(t)
  const at = (second: number) => new Date(NOW_MS - 60_000 + 1000 * second).toISOString()
  const hot = (name: object) => [0, 5, 10, 15, 20].map((second) => ({ ...name, coolant: 118, timestamp: at(second) }))
  const ask = async (names: object, inHistory: object) => {
    const { body } = await post('/v1/predict', { ...names, coolant: 118, timestamp: at(25), history: hot(inHistory) })
    return [body.alerts.length, body._validation?.reasons.history]
  }
  const another = [0, 'readings of another vehicle were left out']
  assert.deepEqual(await ask({ vehicleId: 'TRUCK-001' }, { vehicle_id: 'TRUCK-002' }), another)
  assert.deepEqual(await ask({ vehicleId: 'TRUCK-001', vin: '1FUJA6CK97L000000' }, { vin: '5YJ3E1EA7KF000000' }), another)
  for (const own of [{}, { vehicleId: 'TRUCK-001' }, { asset_id: ' TRUCK-001' }, { vin: '1FUJA6CK97L000000' }])
    assert.deepEqual(await ask({ vehicleId: 'TRUCK-001' }, own), [1, undefined], JSON.stringify(own))
})

test('what is not an input is refused with the error body and a request id', async (t) => {
  const { post, get, app } = await startEngine(t)
  const deep = '['.repeat(100_000)
  for (const payload of [
    '',
    'NaN',
    '{"vehicleId":',
    'null',
    '[]',
    '"V-1"',
    '7',
    '{}',
    '{"vehicleId":null}',
    '{"vehicleId":""}',
    '{"vehicleId":7}',
    deep,
    `{"vehicleId":${deep}`,
  ]) {
    const { status, body, headers } = await post('/v1/predict', payload)
    assert.equal(status, 400, payload.slice(0, 30))
    assert.equal(body.error.code, 'invalid_input')
    assert.equal(body.error.request_id, headers['x-request-id'])
  }
  assert.match((await post('/v1/predict', {})).body.error.message, /vehicleId/)
  const large = await post('/v1/predict', `{"vehicleId":"${'x'.repeat(1024 * 1024)}"}`)
  assert.equal(large.status, 413)
  assert.match(large.body.error.message, /larger than the 1 MiB/)
  assert.equal((await post('/v1/predict/batch', Buffer.alloc(16 * 1024 * 1024 + 1, 0x20))).status, 413)
  const missing = await get('/v1/nothing')
  assert.deepEqual([missing.status, missing.body.error.code], [404, 'not_found'])
  const method = await get('/v1/predict')
  assert.deepEqual([method.status, method.headers['allow'], method.body.error.code], [405, 'POST', 'method_not_allowed'])
  const text = await app.inject({ method: 'POST', url: '/v1/predict', payload: 'vehicleId=1', headers: { 'content-type': 'text/plain' } })
  assert.equal(text.statusCode, 415)
  const named = await app.inject({ method: 'GET', url: '/v1/health', headers: { 'x-request-id': 'mine-1' } })
  assert.equal(named.headers['x-request-id'], 'mine-1')
})

test('keys that reach into prototypes change nothing', async (t) => {
  const { post } = await startEngine(t)
  const { status, body } = await post(
    '/v1/predict',
    '{"vehicleId":"V-1","__proto__":{"coolant":140},"constructor":{"prototype":{"coolant":140}}}',
  )
  assert.equal(status, 200)
  assert.deepEqual(body.alerts, [])
  assert.equal(({} as Record<string, unknown>)['coolant'], undefined)
})

test('a model that throws is reported as 500, and takes nobody else down who asked at the same time', async (t) => {
  const sound = onlyKnowledge.current()
  const manifest = { name: 'spoilt', version: '1.0.0' }
  const normal = () => {
    throw new Error('of the model')
  }
  const learned = new Map([['spoilt', { manifest, backend: { outputs: [], normal } }]]) as unknown as ModelSet['learned']
  let isSpoilt = false
  const { post } = await startEngine(t, { models: { current: () => (isSpoilt ? { ...sound, learned } : sound) } })
  assert.equal((await post('/v1/predict', { vehicleId: 'V-1' })).status, 200)
  isSpoilt = true
  const [first, second, unusable] = await Promise.all([
    post('/v1/predict', { vehicleId: 'V-1' }),
    post('/v1/predict', { vehicleId: 'V-2' }),
    post('/v1/predict', {}),
  ])
  for (const { status, body, headers } of [first, second]) {
    assert.equal(status, 500)
    assert.equal(body.error.code, 'server_error')
    assert.equal(body.error.request_id, headers['x-request-id'])
  }
  assert.equal(unusable.status, 400)
  isSpoilt = false
  assert.equal((await post('/v1/predict', { vehicleId: 'V-1' })).status, 200)
})

test('while it drains, has no model or is overloaded it reports that and when to come back; health still answers', async (t) => {
  for (const [code, overrides] of [
    ['draining', { isDraining: () => true }],
    ['models_not_loaded', { models: { current: () => ({ ...onlyKnowledge.current(), lacksModels: true }) } }],
    ['overloaded', { isOverloaded: () => true }],
  ] as const) {
    const { post, get } = await startEngine(t, overrides)
    for (const url of ['/v1/predict', '/v1/predict/batch']) {
      const { status, headers, body } = await post(url, { vehicleId: 'V-1' })
      assert.deepEqual([status, body.error.code, headers['retry-after']], [503, code, '1'])
    }
    const health = await get('/v1/health')
    assert.deepEqual(
      [health.status, health.body.status, health.body.models_loaded],
      [200, code === 'draining' ? 'draining' : 'healthy', code !== 'models_not_loaded'],
    )
    assert.equal((await get('/readyz')).status, code === 'overloaded' ? 200 : 503)
    for (const path of ['/livez', '/healthz']) assert.equal((await get(path)).status, 200)
  }
})
