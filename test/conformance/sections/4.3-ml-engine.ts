// With §2.6, §2.7, §2.9 and §7.2, which are the same surface.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { untilTaken } from '@roadworthy/platform/test-support'
import { assertKeys, assertTime, ok, type Row, refused, type Service } from '../../support/service.ts'

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  vehicleId: ['vin', 'VIN', 'vehicle_id', 'fleet_id', 'asset_id'],
  engine_speed: ['rpm', 'engine_rpm', 'engineRPM', 'motor_speed'],
  coolant: ['coolant_temp', 'engine_temp', 'ect', 'water_temp'],
  battery_voltage: ['battery', 'bat_v', 'voltage', 'batt_voltage'],
  vehicleSpeed: ['speed', 'vehicle_speed', 'gps_speed', 'kph'],
  obdDistance: ['odometer', 'odo', 'mileage', 'total_km', 'distance'],
  fuel_level: ['fuel', 'tank', 'fuel_pct', 'tank_level'],
  dtc_codes: ['dtc', 'fault_codes', 'faultCodes', 'error_codes'],
}
const CORE: Readonly<Record<string, readonly [min: number, max: number]>> = {
  engine_speed: [0, 10_000],
  coolant: [-40, 150],
  battery_voltage: [0, 30],
  fuel_level: [0, 100],
  vehicleSpeed: [0, 300],
}
const SOUND = { vehicleId: 'TRUCK-1', engine_speed: 1850, coolant: 90, battery_voltage: 13.9, fuel_level: 64, vehicleSpeed: 72 }
const OTHERS = {
  timestamp: '2026-01-31T08:15:00.000Z',
  ...{ engineOilTemp: 95, engineFuelTemp: 40, obdDistance: 184_200, runTime: 3600, current_gear: 5, fuel_consumption: 28.5 },
  ...{
    ambient_air_temperature: 21,
    mil_lamp: 'LAMP_OFF',
    protect_lamp: 'LAMP_OFF',
    amber_warning_lamp: 'LAMP_OFF',
    red_stop_lamp: 'LAMP_OFF',
  },
  ...{ dtc_codes: [], latitude: 12.97, longitude: 77.59 },
}
const RESULT = [
  ...['vehicleId', 'timestamp', 'processingTimeMs', 'predictions', 'alerts', 'insights'],
  // Added (DECISIONS).
  ...['recommendations', 'confidence', 'components', 'missingFields', 'modelVersion', 'remainingUsefulLifeInterval'],
  ...['incidents', 'advice'],
]

type Predictions = Row & { healthScore: number; confidence: number; remainingUsefulLife: Readonly<Record<string, number>> }
type Result = Row & { predictions: Predictions; alerts: Row[]; insights: string[]; confidence: number }

export function engineSection(service: Service): void {
  const predict = (body: unknown) => untilTaken(() => service.engine('POST', '/v1/predict', { body }))
  const predicted = async (body: unknown) => ok<Result>(await predict(body))

  suite('4.3 ML engine, with 2.6, 2.7, 2.9 and 7.2', () => {
    test('health is healthy, with version, models and uptime', async () => {
      const body = ok<Row>(await service.engine('GET', '/v1/health'))
      assertKeys(body, ['status', 'version', 'models_loaded', 'models_count', 'uptime_seconds'])
      assert.deepEqual([body['status'], body['version'], body['models_loaded']], ['healthy', '2.0.0', true])
      assert.ok(Number(body['models_count']) > 0 && Number(body['uptime_seconds']) > 0)
    })

    test('a prediction has the fields of the contract, in their types and ranges', async () => {
      const body = await predicted({ ...SOUND, ...OTHERS })
      assertKeys(body, RESULT)
      assert.equal(body['vehicleId'], 'TRUCK-1')
      assertTime(body['timestamp'])
      assert.equal(body['timestamp'], OTHERS.timestamp)
      assert.equal(typeof body['processingTimeMs'], 'number')
      const { predictions } = body
      for (const key of [
        'healthScore',
        'maintenanceNeeded',
        'maintenanceProbability',
        'remainingUsefulLife',
        'anomalyScore',
        'anomalyDetected',
      ])
        assert.ok(key in predictions, key)
      assert.ok(predictions.healthScore >= 70 && predictions.healthScore <= 100)
      for (const key of ['maintenanceProbability', 'anomalyScore', 'confidence']) {
        assert.ok(Number(predictions[key]) >= 0 && Number(predictions[key]) <= 1, key)
      }
      for (const key of ['maintenanceNeeded', 'anomalyDetected']) assert.equal(typeof predictions[key], 'boolean', key)
      for (const component of ['engine', 'brakes', 'battery']) {
        const days = predictions.remainingUsefulLife[component] ?? -1
        const [p10 = -1, p90 = -1] = (body['remainingUsefulLifeInterval'] as Record<string, number[]>)[component] ?? []
        assert.ok(p10 >= 0 && p10 <= days && days <= p90, `${component}: ${p10} ${days} ${p90}`)
      }
      assert.ok(Array.isArray(body.alerts) && body.insights.every((insight) => typeof insight === 'string'))
    })

    test('vehicleId alone is enough, and confidence rises with every core field', async () => {
      let confidence = (await predicted({ vehicleId: 'TRUCK-1' })).confidence
      const given: Record<string, unknown> = { vehicleId: 'TRUCK-1' }
      for (const key of Object.keys(CORE)) {
        given[key] = SOUND[key as keyof typeof SOUND]
        const risen = (await predicted(given)).confidence
        assert.ok(risen > confidence, `${key}: ${confidence} to ${risen}`)
        confidence = risen
      }
    })

    test('every alias is mapped, reported in _schemaMapping, and gives the same prediction', async () => {
      const standard = (await predicted(SOUND)).predictions
      for (const [field, aliases] of Object.entries(ALIASES)) {
        for (const alias of aliases) {
          const { [field]: value = ['P0300'], ...rest } = SOUND as Record<string, unknown>
          const body = await predicted({ ...rest, [alias]: value })
          assert.deepEqual(body['_schemaMapping'], { autoMapped: true, mappedFields: { [alias]: field } }, alias)
          if (field !== 'dtc_codes') assert.deepEqual(body.predictions, standard, alias)
          else
            assert.ok(
              body.alerts.some(({ code }) => code === 'P0300'),
              alias,
            )
        }
      }
      assert.equal((await predicted(SOUND))['_schemaMapping'], undefined)
    })

    test('the standard name wins over its alias, which is named as ignored', async () => {
      const body = await predicted({ ...SOUND, rpm: 9000 })
      assert.deepEqual((body['_schemaMapping'] as Row)['ignored'], ['rpm'])
      assert.deepEqual(body.predictions, (await predicted(SOUND)).predictions)
    })

    test('values at the edges of a range are used; those outside are dropped and named, and alarm nobody', async () => {
      for (const [key, [min, max]] of Object.entries(CORE)) {
        for (const value of [min, max]) {
          const { _validation: validation } = await predicted({ vehicleId: 'v', [key]: value })
          // Two of the edges are in the range and yet what no working sensor reads: raw 0 of OBD PID 05, and a battery of 0 V.
          const isUnbelievable = (key === 'coolant' || key === 'battery_voltage') && value === min
          const reason = (validation as { reasons: Row } | undefined)?.reasons[key]
          if (isUnbelievable) assert.doesNotMatch(String(reason), /outside/, `${key} ${value}`)
          else assert.equal(validation, undefined, `${key} ${value}`)
        }
        for (const value of [min - 1, max + 1]) {
          const body = await predicted({ vehicleId: 'v', [key]: value })
          assert.deepEqual((body['_validation'] as Row)['ignored'], [key], `${key} ${value}`)
          assert.deepEqual(body.alerts, [])
        }
      }
      for (const field of [
        { coolant: 'hot' },
        { mil_lamp: 'ON' },
        { latitude: 91 },
        { longitude: -181 },
        { timestamp: 'noon' },
        { dtc_codes: 'P0300' },
      ]) {
        const body = await predicted({ vehicleId: 'v', ...field })
        assert.deepEqual((body['_validation'] as Row)['ignored'], Object.keys(field), JSON.stringify(field))
      }
    })

    test('a red stop lamp is critical and high; an alert item has the fields of DECISIONS', async () => {
      const body = await predicted({ ...SOUND, red_stop_lamp: 'LAMP_ON', dtc_codes: ['P0217'] })
      assert.deepEqual([body.predictions['healthStatus'], body.predictions['riskLevel']], ['critical', 'high'])
      assert.ok(body.predictions.healthScore < 40)
      assert.ok(body.alerts.length > 0)
      for (const alert of body.alerts) {
        const { code: _, ...rest } = alert
        // `incident` is added: the cause of what it belongs to.
        assertKeys(rest, ['type', 'component', 'severity', 'description', 'message', 'urgency', 'evidence', 'incident'])
        assert.ok(['info', 'low', 'medium', 'high', 'critical'].includes(String(alert['severity'])))
      }
    })

    test('a body without a vehicle id, or that is no object, is 400 invalid_input', async () => {
      const error = refused(await predict({ engine_speed: 900 }), 400, 'invalid_input', 'engine')
      assert.match(String(error['message']), /vehicleId/)
      for (const body of [[], 'text', 7, null, true, {}, { vehicleId: '' }, { vehicleId: {} }])
        refused(await predict(body), 400, 'invalid_input', 'engine')
    })

    test('a batch of 1000 is answered in its order and 1001 are refused; a bad one has its error in its place', async () => {
      const vehicles = Array.from({ length: 1000 }, (_, i) => (i === 500 ? { coolant: 90 } : { ...SOUND, vehicleId: `v-${i}` }))
      const body = ok<{ count: number; predictions: Row[] } & Row>(
        await service.engine('POST', '/v1/predict/batch', { body: { vehicles } }),
      )
      assertKeys(body, ['count', 'processingTimeMs', 'predictions'])
      assert.deepEqual([body.count, body.predictions.length], [1000, 1000])
      for (const [i, prediction] of body.predictions.entries()) {
        if (i !== 500) assert.equal(prediction['vehicleId'], `v-${i}`)
        else assert.deepEqual(Object.keys((prediction['error'] ?? {}) as Row).sort(), ['code', 'message'])
      }
      const over = await service.engine('POST', '/v1/predict/batch', { body: { vehicles: [...vehicles, SOUND] } })
      refused(over, 400, 'batch_too_large', 'engine')
      assert.equal(ok<Row>(await service.engine('POST', '/v1/predict/batch', { body: { vehicles: [] } }))['count'], 0)
      for (const bad of [{}, { vehicles: {} }, []])
        refused(await service.engine('POST', '/v1/predict/batch', { body: bad }), 400, 'invalid_input', 'engine')
    })

    test('models have a name, a type and what has been measured of them', async () => {
      const { models, ...rest } = ok<{ models: Row[] }>(await service.engine('GET', '/v1/models'))
      assert.deepEqual(rest, {})
      assert.ok(models.length > 0)
      for (const model of models) assert.ok(typeof model['name'] === 'string' && typeof model['type'] === 'string')
      // Spec §2.9: each has a metric.
      for (const model of models)
        assert.ok(
          Object.values(model).some((value) => typeof value === 'number'),
          JSON.stringify(model),
        )
    })

    test('the schemas are JSON Schema and name every field; the aliases are those of the specification', async () => {
      const input = ok<Row>(await service.engine('GET', '/v1/schema/input'))
      const output = ok<Row>(await service.engine('GET', '/v1/schema/output'))
      for (const schema of [input, output]) assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema')
      // The vehicle is what must be named, by the standard name or one of its aliases.
      const ways = (input['anyOf'] as Row[]).map(({ required }) => String(required))
      for (const name of ['vehicleId', ...(ALIASES['vehicleId'] ?? [])]) assert.ok(ways.includes(name), name)
      for (const key of [...Object.keys(SOUND), ...Object.keys(OTHERS)]) assert.ok(key in (input['properties'] as Row), key)
      for (const [key, [minimum, maximum]] of Object.entries(CORE)) {
        const property = (input['properties'] as Record<string, Row>)[key] ?? {}
        assert.deepEqual([property['minimum'], property['maximum']], [minimum, maximum], key)
      }
      for (const key of RESULT) assert.ok(key in (output['properties'] as Row), key)
      const aliases = ok<{ description: string; aliases: Record<string, string[]> }>(await service.engine('GET', '/v1/schema/aliases'))
      assertKeys(aliases, ['description', 'aliases'])
      for (const [field, names] of Object.entries(ALIASES))
        assert.ok(
          names.every((name) => aliases.aliases[field]?.includes(name)),
          field,
        )
    })

    test('statistics count what was processed and how much of it needed mapping', async () => {
      const statistics = async () => ok<Record<string, number>>(await service.engine('GET', '/v1/schema/statistics'))
      const before = await statistics()
      assertKeys(before, ['total_processed', 'fully_standard', 'required_mapping', 'standard_compliance_rate'])
      await predicted(SOUND)
      await predicted({ vin: 'X' })
      await predict({})
      const after = await statistics()
      const added = (key: string) => (after[key] ?? 0) - (before[key] ?? 0)
      // Other vehicles of this service are scored meanwhile, with standard names.
      assert.equal(added('required_mapping'), 1)
      assert.ok(added('fully_standard') >= 1)
      assert.equal(added('total_processed'), added('fully_standard') + added('required_mapping'))
      const { total_processed: total = 0, fully_standard: standard = 0, standard_compliance_rate: rate = 0 } = after
      assert.ok(Math.abs(rate - (100 * standard) / total) < 0.01)
    })

    test('it asks for no key and limits no rate, and its interactive description is at /docs', async () => {
      for (let i = 0; i < 100; i++) assert.equal((await service.engine('GET', '/v1/health')).status, 200)
      const { engine_url: engineUrl } = service.platform.credentials
      assert.match((await fetch(`${engineUrl}/docs`)).headers.get('content-type') ?? '', /^text\/html/)
      assert.equal(ok<Row>(await service.engine('GET', '/openapi.json'))['openapi'], '3.1.0')
    })
  })
}
