import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TelemetryBatch, TelemetryRecord, TrackBatch, TrackPoint } from '@roadworthy/contracts/external/telemetry'
import { MqttDeviceMessage } from '@roadworthy/contracts/mqtt/device-message'
import { TelemetryInput } from '@roadworthy/contracts/platform-v1/readings'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { normalize } from './normalize.ts'

const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z')
const WINDOW = { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 }
const read = (record: unknown) => normalize(record, NOW_MS, WINDOW)
const refusal = (record: unknown): Problem => {
  try {
    read(record)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return assert.fail(`accepted: ${JSON.stringify(record)}`)
}

test('flat External keys become canonical signals, oil pressure from PSI to kPa', () => {
  const { identity, content } = read({
    device_id: 'dev-1',
    lat: 28.6,
    lon: 77.2,
    speed: 61,
    coolant_temp: 92,
    oil_pressure: 40,
    timestamp: '2026-11-20T11:59:00Z',
  })
  assert.deepEqual(identity, { deviceId: 'dev-1', vehicleRef: undefined, subClientId: undefined })
  assert.deepEqual(content.position, { latitude: 28.6, longitude: 77.2 })
  assert.deepEqual(content.signals, { vehicleSpeedKmh: 61, coolantTempC: 92, oilPressureKpa: 40 * 6.894757 })
  assert.equal(content.recordedAtMs, NOW_MS - 60_000)
})

test('sensor_data, location and flat keys are read alike', () => {
  const flat = read({ device_id: 'd', latitude: 1, longitude: 2, rpm: 900, dtc_codes: ['P0217'], mil_lamp: 'LAMP_ON', ignition: true })
  const nested = read({
    device_id: 'd',
    location: { lat: 1, lng: 2 },
    sensor_data: { engine_speed: 900, faultCodes: ['P0217'], mil_lamp: 'LAMP_ON', ignition: true },
  })
  assert.deepEqual(flat, nested)
})

test('a vehicle is named as it is registered: blanks around its name are none of it, and blanks alone name none', () => {
  assert.equal(read({ vehicle_id: ' truck 17\t' }).identity.vehicleRef, 'truck 17')
  assert.match(refusal({ device_id: 'd', vehicle_id: ' \u00a0' }).message, /"vehicle_id" must have more in it than blanks/)
})

// Examples are tried as they stand: with a time in them they would be refused 30 days later.
test('the examples of the documents are taken on any day, on every surface that takes readings', () => {
  const schemas = { TelemetryRecord, TrackPoint, TelemetryBatch, TrackBatch, MqttDeviceMessage, TelemetryInput }
  for (const [name, schema] of Object.entries(schemas)) {
    const { examples = [] } = schema as { examples?: readonly unknown[] }
    assert.ok(examples.length > 0, name)
    for (const example of examples) {
      const { records, vehicleId, ...record } = example as Record<string, unknown>
      const sent = Array.isArray(example) ? example : (records ?? [vehicleId === undefined ? record : { ...record, vehicle_id: vehicleId }])
      for (const each of sent as object[])
        assert.doesNotThrow(() => normalize({ device_id: 'd', ...each }, Date.parse('2100-01-01'), WINDOW), name)
    }
  }
})

// As `maxLength` of the documents: who validates by them is not refused what they allow.
test('characters are counted as JSON Schema counts them: an emoji is one', () => {
  const emoji = (count: number) => '\u{1F69A}'.repeat(count)
  assert.equal(read({ device_id: emoji(128), event: emoji(64) }).identity.deviceId, emoji(128))
  assert.match(refusal({ device_id: 'd', event: emoji(65) }).message, /"event" must have 1 to 64 characters/)
  assert.match(refusal({ device_id: emoji(129) }).message, /"device_id" must have 1 to 128 characters/)
})

test('a standard name wins over an alias whatever their order', () => {
  assert.equal(read({ vehicle_id: 'v', coolant: 90, ect: 70 }).content.signals.coolantTempC, 90)
  assert.equal(read({ vehicle_id: 'v', ect: 70, coolant: 90 }).content.signals.coolantTempC, 90)
  assert.equal(read({ vehicle_id: 'v', ect: 70, water_temp: 60 }).content.signals.coolantTempC, 70)
  assert.equal(read({ vehicle_id: 'v', coolant_temp: 90, coolant: 100 }).content.signals.coolantTempC, 90)
  assert.equal(read({ vehicle_id: 'v', coolant: 100, coolant_temp: 90 }).content.signals.coolantTempC, 90)
  assert.equal(read({ vehicle_id: 'v', odo: 1, ect: 70, coolant: 100, coolant_temp: 90 }).content.signals.coolantTempC, 90)
})

test('a number that only our unit cannot hold is refused by its name, as one that no number can', () => {
  for (const psi of [1e308, -1e308]) {
    assert.match(refusal({ device_id: 'd', sensor_data: { oil_pressure: psi } }).message, /"oil_pressure" is not a finite number/)
  }
  assert.equal(read({ device_id: 'd', speed: 1e308 }).content.signals.vehicleSpeedKmh, 1e308)
})

test('what is there twice is read alike in any order of keys, and a position is taken whole from one place', () => {
  const { latitude, longitude } = { latitude: 12.9, longitude: 77.5 }
  const location = { lat: 28.6, lng: 77.2, heading: 10, altitude: 5 }
  const top = { heading: 20, ignition: true, speed: 10, dtc_codes: ['P0217'] }
  const within = { ignition: false, speed: 50, dtc: ['P0300'] }
  const orders = [
    { latitude, location, longitude, ...top, sensor_data: within },
    { sensor_data: within, location, ...top, longitude, latitude },
    { fault_codes: ['P0420'], location, sensor_data: within, ...top, lat: 1, lon: 2, latitude, longitude },
    { ...top, fault_codes: ['P0420'], latitude, longitude, lat: 1, lon: 2, location, sensor_data: within },
  ]
  for (const order of orders) {
    const { position, signals, attributes } = read({ device_id: 'd', ...order }).content
    assert.deepEqual(
      [position, signals, attributes],
      [{ latitude: 12.9, longitude: 77.5 }, { vehicleSpeedKmh: 10 }, { headingDeg: 20, altitudeM: 5, ignition: true, dtcCodes: ['P0217'] }],
    )
  }
  const ofLocation = { latitude: 28.6, longitude: 77.2 }
  for (const half of [{ lat: 1, location }, { location, lon: 1 }, { location }]) assert.deepEqual(read(half).content.position, ofLocation)
  assert.deepEqual(read({ lon: 2, location: { lat: 1 } }).content.position, { latitude: 1, longitude: 2 })
  assert.deepEqual(read({ device_id: 'd', speed: null, sensor_data: { speed: 500 } }).warnings, [{ field: 'speed', kind: 'implausible' }])
})

test('unknown keys are kept as extra, null means the device had no value', () => {
  const { content } = read({
    device_id: 'd',
    rpm: null,
    tyre_pressure: [2.4, 2.5],
    extra: { mode: 'eco' },
    sensor_data: { boost: 1.2, vehicle_id: 'x' },
  })
  assert.deepEqual(content.signals, {})
  assert.deepEqual(content.attributes.extra, { tyre_pressure: [2.4, 2.5], mode: 'eco', boost: 1.2, vehicle_id: 'x' })
})

test('values outside their range are kept and marked, outside the globe refused, 0,0 marked', () => {
  const { content } = read({
    device_id: 'd',
    coolant_temp: 215,
    battery_voltage: 276,
    rpm: 800,
    heading: 400,
    satellites: 2.5,
    lat: 0,
    lon: 0,
  })
  assert.deepEqual([...content.implausible].sort(), ['batteryVoltageV', 'coolantTempC', 'headingDeg', 'position', 'satellites'])
  assert.equal(content.signals.coolantTempC, 215)
  assert.match(refusal({ device_id: 'd', lat: 90.0001, lon: 0 }).message, /"lat" must be between -90 and 90/)
  assert.match(refusal({ device_id: 'd', lat: 0, lon: -180.5 }).message, /"lon" must be between/)
  assert.match(refusal({ device_id: 'd', lat: 12 }).message, /"lon" is missing/)
})

test('a wrong type is refused with the field and what was sent', () => {
  for (const [record, message] of [
    [{ speed: '61' }, /"speed" must be a number, not a string/],
    [{ rpm: true }, /"rpm" must be a number, not a boolean/],
    [{ sensor_data: { rpm: [1] } }, /"rpm" must be a number, not an array/],
    [{ location: { lat: '1', lng: 2 } }, /"location.lat" must be a number/],
    [{ sensor_data: [] }, /"sensor_data" must be an object, not an array/],
    [{ ignition: 1 }, /"ignition" must be true or false/],
    [{ mil_lamp: 'on' }, /"mil_lamp" must be "LAMP_ON" or "LAMP_OFF"/],
    [{ dtc_codes: 'P0217' }, /"dtc_codes" must be an array/],
    [{ dtc_codes: [7] }, /"dtc_codes" must be a string/],
    [{ device_id: 7 }, /"device_id" must be a string/],
    [{ device_id: '' }, /"device_id" must have 1 to 128 characters/],
    [{ coolant_temp: Number.POSITIVE_INFINITY }, /"coolant_temp" is not a finite number/],
    [{ event: 'x'.repeat(65) }, /"event" must have 1 to 64/],
    [{ dtc_codes: Array.from({ length: 65 }, () => 'P0217') }, /more than 64 codes/],
  ] as const) {
    const problem = refusal(record)
    assert.equal(problem.code, 'invalid_request')
    assert.match(problem.message, message)
  }
  for (const record of [null, [], 'text', 7]) assert.match(refusal(record).message, /must be a JSON object/)
})

test('time is from 30 days ago to 5 minutes ahead, both ends included, and real', () => {
  const at = (ms: number) => ({ device_id: 'd', timestamp: new Date(NOW_MS + ms).toISOString() })
  for (const ms of [-WINDOW.maxAgeMs, 0, WINDOW.maxAheadMs]) assert.equal(read(at(ms)).content.recordedAtMs, NOW_MS + ms)
  assert.match(refusal(at(-WINDOW.maxAgeMs - 1)).message, /more than 30 days ago/)
  assert.match(refusal(at(WINDOW.maxAheadMs + 1)).message, /more than 300 s ahead/)
  assert.match(refusal({ device_id: 'd', timestamp: '2026-02-30T00:00:00Z' }).message, /RFC 3339/)
  assert.match(refusal({ device_id: 'd', timestamp: 1763640000 }).message, /"timestamp" must be an RFC 3339 date and time/)
  assert.equal(read({ device_id: 'd' }).content.recordedAtMs, NOW_MS)
})

test('fields that are stored and not used are named by the key as it was sent', () => {
  const record = {
    device_id: 'd',
    coolnt_temp: 92,
    engine_speed: 99_999,
    lat: 0,
    lng: 0,
    sensor_data: { boost: 1.2, fuel: 400, timestamp: 'x' },
    location: { heading: 900, hdop: 1 },
    extra: { anything: 1 },
    speed: null,
  }
  assert.deepEqual(read(record).warnings, [
    { field: 'coolnt_temp', kind: 'unknown' },
    { field: 'boost', kind: 'unknown' },
    { field: 'timestamp', kind: 'misplaced' },
    { field: 'location.hdop', kind: 'unknown' },
    { field: 'engine_speed', kind: 'implausible' },
    { field: 'fuel', kind: 'implausible' },
    { field: 'location.heading', kind: 'implausible' },
    { field: 'lat', kind: 'implausible' },
  ])
  assert.equal(read({ device_id: 'd', rpm: 900, lat: 1, lon: 2, extra: { anything: 1 } }).warnings, undefined)
  // The alias that lost to a better name is not to blame.
  assert.deepEqual(read({ device_id: 'd', ect: 20, coolant_temp: 999 }).warnings, [{ field: 'coolant_temp', kind: 'implausible' }])
})

test('of many such fields twenty are named and the others counted', () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`made_up_${i}`, i]))
  const { warnings } = read({ device_id: 'd', ...many })
  assert.equal(warnings?.length, 21)
  assert.deepEqual(warnings.at(-1), { field: '*', kind: 'more', count: 230 })
})

test('a refusal names the key as it was sent, and the form that is wanted', () => {
  const cases: [record: object, field: string, message: RegExp][] = [
    [{ lat: 91, lon: 1 }, 'lat', /^"lat" must be between -90 and 90/],
    [{ lat: 1, lng: 181 }, 'lng', /^"lng" must be between -180 and 180/],
    [{ location: { lat: 91, lng: 1 } }, 'location.lat', /^"location\.lat" must be/],
    [{ lat: 1 }, 'lon', /^"lon" is missing/],
    [{ longitude: 1 }, 'latitude', /^"latitude" is missing/],
    [{ location: { lat: 1 } }, 'location.lng', /^"location\.lng" is missing/],
    [{ timestamp: 1_767_225_600 }, 'timestamp', /RFC 3339 .* such as 2026-01-31T08:15:00\.000Z, not a number of seconds/],
    [{ timestamp: '1767225600' }, 'timestamp', /not a number of seconds/],
    [{ timestamp: '2026-01-31 08:15' }, 'timestamp', /RFC 3339 .* such as 2026-01-31T08:15:00\.000Z\.$/],
    [{ timestamp: {} }, 'timestamp', /RFC 3339 .*, not an object/],
    [{ timestamp: '' }, 'timestamp', /RFC 3339/],
  ]
  for (const [record, field, message] of cases) {
    const problem = refusal({ device_id: 'd', ...record })
    assert.equal(problem.details?.['field'], field, JSON.stringify(record))
    assert.match(problem.message, message)
  }
})
