// The published schemas against real traffic, and the engine against traffic that is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { NOW_MS, readSchema, startEngine } from './testing-engine.ts'

const anyJson = fc.jsonValue({ maxDepth: 3 })
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
// Drawn by hand from spec §2.6, not from our schema: the two are to agree.
const standardInput = fc.record(
  {
    vehicleId: fc.string({ minLength: 1, maxLength: 40 }).filter((id) => id.trim() !== ''),
    timestamp: fc.date({ min: new Date(0), max: new Date(NOW_MS), noInvalidDate: true }).map((date) => date.toISOString()),
    engine_speed: number(0, 10_000),
    coolant: number(-40, 150),
    battery_voltage: number(0, 30),
    fuel_level: number(0, 100),
    vehicleSpeed: number(0, 300),
    engineOilTemp: number(-20, 160),
    engineFuelTemp: number(-20, 100),
    obdDistance: number(0, 2_000_000),
    runTime: number(0, 500_000),
    current_gear: fc.integer({ min: -2, max: 16 }),
    fuel_consumption: number(0, 80),
    ambient_air_temperature: number(-40, 55),
    mil_lamp: fc.constantFrom('LAMP_ON', 'LAMP_OFF'),
    red_stop_lamp: fc.constantFrom('LAMP_ON', 'LAMP_OFF'),
    dtc_codes: fc.array(fc.constantFrom('P0217', 'SPN 110 FMI 0', 'C0035'), { maxLength: 5 }),
    vehicleAgeDays: number(0, 36_525),
    vehicleClass: fc.constantFrom(
      'passenger',
      'van',
      'light_truck',
      'medium_truck',
      'heavy_truck',
      'bus',
      'motorcycle',
      'trailer',
      'other',
    ),
    fuelType: fc.constantFrom('petrol', 'diesel', 'lng', 'plug_in_hybrid', 'electric', 'hydrogen', 'other'),
    drivetrain: fc.constantFrom('fwd', 'awd', '6x4'),
    batteryNominalV: fc.constantFrom(12, 24, 48),
    vin: fc.constantFrom('3AKJHHDR5JSJT1234', '5YJ3E1EA7KF317000'),
    replacedParts: fc.array(
      fc.record(
        {
          component: fc.constantFrom('brakes', 'battery', 'tyres'),
          odometerKm: number(0, 2_000_000),
          replacedAt: fc.constantFrom('2026-01-31T08:15:00Z', '2036-01-31T08:15:00+05:30'),
        },
        { requiredKeys: ['component'] },
      ),
      { maxLength: 3 },
    ),
    latitude: number(-90, 90),
    longitude: number(-180, 180),
  },
  { requiredKeys: ['vehicleId'] },
)

test('the published schemas hold for real traffic', async (t) => {
  const { post, get } = await startEngine(t)
  const inputFaults = await readSchema(get, '/v1/schema/input')
  const outputFaults = await readSchema(get, '/v1/schema/output')
  await fc.assert(
    fc.asyncProperty(standardInput, fc.option(fc.array(standardInput, { maxLength: 4 }), { nil: undefined }), async (input, history) => {
      const payload = { ...input, ...(history === undefined ? {} : { history }) }
      assert.equal(inputFaults(payload), null)
      const { status, body } = await post('/v1/predict', payload)
      assert.equal(status, 200)
      assert.equal(outputFaults(body), null)
    }),
    { numRuns: 300 },
  )
  const wrong = [{ coolant: 90 }, { vehicleId: 'V-1', coolant: 151 }, { vehicleId: 'V-1', mil_lamp: 'ON' }]
  for (const input of wrong) assert.notEqual(inputFaults(input), null)
  assert.notEqual(outputFaults({ vehicleId: 'V-1' }), null)
})

test('whatever JSON is sent, the answer is 200 or 400, fits the schema, and garbage alone never alerts', async (t) => {
  const { post, get } = await startEngine(t)
  const outputFaults = await readSchema(get, '/v1/schema/output')
  const inputFaults = await readSchema(get, '/v1/schema/input')
  const keys = [
    'coolant',
    'ect',
    'engine_speed',
    'battery_voltage',
    'oil_pressure',
    'odo',
    'mil_lamp',
    'dtc_codes',
    'timestamp',
    'history',
    'latitude',
    'vehicleAgeDays',
    'vehicleClass',
    'fuel_type',
    'batteryNominalV',
    'vin',
    '__proto__',
  ]
  const garbage = fc.dictionary(
    fc.constantFrom(...keys),
    fc.oneof(anyJson, fc.constantFrom(1e308, -1e308, 1e9, 'NaN', '', [[]], [{}], [null, 7, { coolant: 'x' }])),
  )
  await fc.assert(
    fc.asyncProperty(garbage, fc.boolean(), async (given, isNamed) => {
      const payload = isNamed ? { vehicleId: 'V-1', ...given } : given
      const { status, body } = await post('/v1/predict', payload)
      if (status === 400) {
        assert.equal(body.error.code, 'invalid_input')
        assert.equal(isNamed, false)
        return
      }
      assert.equal(status, 200)
      assert.equal(outputFaults(body), null)
      assert.doesNotMatch(JSON.stringify([body.insights, body._validation]), /NaN|Infinity|undefined/)
      // The decoder and the schema agree: what the schema takes is never dropped, unless the gate does not believe it.
      if (inputFaults(payload) === null && body._schemaMapping === undefined && body._validation !== undefined) {
        for (const reason of Object.values<string>(body._validation.reasons)) assert.match(reason, /missing sensor|too low|cannot be/)
      }
    }),
    { numRuns: 1000 },
  )
})

test('the schema and the engine count characters alike, and agree that a gear is a whole number', async (t) => {
  const { get, post } = await startEngine(t)
  const inputFaults = await readSchema(get, '/v1/schema/input')
  const { body: schema } = await get('/v1/schema/input')
  for (const [characters, status] of [
    [256, 200],
    [257, 400],
  ] as const) {
    // Two UTF-16 units each.
    assert.equal((await post('/v1/predict', { vehicleId: '🚚'.repeat(characters) })).status, status)
    assert.equal(inputFaults({ vehicleId: '🚚'.repeat(characters) }) === null, status === 200)
  }
  assert.deepEqual(schema.properties.current_gear.type, ['integer', 'null'])
})

test('every route is documented with operation id, summary, tag, example and its answers', async (t) => {
  const { get } = await startEngine(t)
  const { body } = await get('/openapi.json')
  assert.equal(body.openapi, '3.1.0')
  const expected = [
    '/livez',
    '/readyz',
    '/v1/health',
    '/v1/models',
    '/v1/predict',
    '/v1/predict/batch',
    '/v1/schema/aliases',
    '/v1/schema/input',
    '/v1/schema/output',
    '/v1/schema/statistics',
    '/v2',
    '/v2/health/live',
    '/v2/health/ready',
    '/v2/models/{model}',
    '/v2/models/{model}/infer',
    '/v2/models/{model}/ready',
    '/v2/models/{model}/versions/{version}',
    '/v2/models/{model}/versions/{version}/infer',
    '/v2/models/{model}/versions/{version}/ready',
  ]
  assert.deepEqual(Object.keys(body.paths).toSorted(), expected)
  for (const [path, methods] of Object.entries<Record<string, Record<string, never>>>(body.paths)) {
    for (const operation of Object.values(methods) as unknown as {
      operationId: string
      summary: string
      tags: string[]
      responses: Record<string, unknown>
    }[]) {
      assert.ok(operation.operationId && operation.summary && operation.tags.length === 1, path)
      assert.ok(operation.responses['200'] !== undefined && operation.responses['500'] !== undefined, path)
      if (!path.includes('schema/input') && !path.includes('schema/output'))
        assert.match(JSON.stringify(operation.responses['200']), /"examples?":/, path)
    }
  }
})

test('codes that stand in one text are judged each, in the input and in its history', async (t) => {
  const { post } = await startEngine(t)
  const alertsOf = async (input: object) => {
    const { body } = await post('/v1/predict', { vehicleId: 'V-1', ...input })
    return (body as { alerts: { component: string; severity: string }[] }).alerts.map(
      ({ component, severity }) => `${component} ${severity}`,
    )
  }
  const both = ['lubrication critical', 'engine high']
  assert.deepEqual(await alertsOf({ dtc_codes: ['P0301;P0524'] }), both)
  assert.deepEqual(
    await alertsOf({ timestamp: '2026-05-04T08:00:10Z', history: [{ timestamp: '2026-05-04T08:00:00Z', dtc_codes: ['P0301, P0524'] }] }),
    both,
  )
})

test('readings that a long history has twice take no place of others', async (t) => {
  const { post } = await startEngine(t)
  const at = (second: number) => new Date(Date.UTC(2026, 4, 4, 8) + second * 10_000).toISOString()
  const reading = (second: number) => ({ timestamp: at(second), coolant: 70 + (second % 20), engine_speed: 1500, vehicleSpeed: 50 })
  const once = Array.from({ length: 120 }, (_, second) => reading(second))
  const ask = async (history: object[]) => {
    const { body } = await post('/v1/predict', { vehicleId: 'V-1', ...reading(120), history })
    return { ...(body as object), processingTimeMs: 0 }
  }
  assert.deepEqual(await ask([...once, ...once]), await ask(once))
  const { _validation } = (await ask([reading(-1), ...once, ...once])) as { _validation?: { reasons: object } }
  assert.deepEqual(_validation?.reasons, { history: 'only the newest 120 of 241 readings were used' })
})

test('an answer does not grow with the number of spellings of one name', async (t) => {
  const { post, get } = await startEngine(t)
  const spellings = Array.from(
    { length: 15_000 },
    (_, index) => `c${'_'.repeat(index % 50)}o${'-'.repeat(Math.floor(index / 50) % 50)}olant`,
  )
  const input = { vehicleId: 'V-1', coolant: 90, ...Object.fromEntries([...new Set(spellings)].map((key) => [key, 91])), coolant_temp: 92 }
  const { status, body } = await post('/v1/predict', input)
  const { ignored } = body._schemaMapping
  assert.deepEqual([status, ignored.length, ignored[0]], [200, 100, 'c_oolant'])
  const { properties } = (await get('/v1/schema/output')).body
  assert.equal(properties._schemaMapping.properties.ignored.maxItems, 100)
})
