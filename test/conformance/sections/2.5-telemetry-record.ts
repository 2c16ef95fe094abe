import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertKeys, assertTime, ok, type Row, refused, type Service } from '../../support/service.ts'

const ACCEPTED = ['success', 'telemetry_id', 'device_id', 'vehicle_id', 'sub_client_id', 'received_at', 'duplicate']
const STORED = [
  ...['id', 'kind', 'device_id', 'vehicle_id', 'sub_client_id', 'timestamp', 'received_at', 'latitude', 'longitude', 'sensor_data'],
  'implausible',
]
const IMEI = '356938035643809'

/** Spec §2.5, each with a value of its unit. Oil pressure is PSI here and kPa inside, and comes back as it went in. */
const SENSORS = {
  speed: 61.5,
  rpm: 1450,
  coolant_temp: 92,
  fuel_level: 64,
  battery_voltage: 13.9,
  oil_pressure: 42.5,
  throttle: 23,
  intake_air_temp: 35,
  ambient_temp: 28,
  odometer: 184_200.5,
}

export function telemetryRecordSection(service: Service): void {
  const openFleet = async () => {
    const tenant = await service.newTenant()
    ok(await tenant.external('POST', '/sub-clients', { body: { name: 'acme' } }))
    const body = { imei: IMEI, sub_client_id: 'acme', vehicle: { mode: 'create', make: 'A' } }
    const device = ok<{ device_id: string; vehicle_id: string }>(await tenant.external('POST', '/devices', { body }))
    const send = (record: unknown) => tenant.external('POST', '/telemetry', { body: record })
    const read = async (id: unknown) => ok<Row>(await tenant.external('GET', `/telemetry/${id}`))
    return { tenant, ...device, send, read }
  }

  suite('2.5 External telemetry record', () => {
    test('the payload of the specification is taken, and inherits the sub-client of its device', async () => {
      const { send, read, device_id: deviceId, vehicle_id: vehicleId } = await openFleet()
      const body = ok<Row>(await send({ device_id: IMEI, lat: 28.6139, lon: 77.209, speed: 61, coolant_temp: 92 }))
      assertKeys(body, ACCEPTED)
      assert.deepEqual(
        [body['success'], body['device_id'], body['vehicle_id'], body['sub_client_id'], body['duplicate']],
        [true, deviceId, vehicleId, 'acme', false],
      )
      assertTime(body['received_at'])
      const stored = await read(body['telemetry_id'])
      assertKeys(stored, STORED)
      assert.deepEqual([stored['kind'], stored['latitude'], stored['longitude']], ['telemetry', 28.6139, 77.209])
      assert.deepEqual(stored['sensor_data'], { speed: 61, coolant_temp: 92 })
      // Without a time of its own it is of when it was received.
      assert.equal(stored['timestamp'], body['received_at'])
      assert.equal(stored['received_at'], body['received_at'])
    })

    test('every sensor key is taken flat and in sensor_data, and comes back in its own unit', async () => {
      const { send, read } = await openFleet()
      for (const record of [SENSORS, { sensor_data: SENSORS }]) {
        const { telemetry_id: id } = ok<Row>(await send({ device_id: IMEI, ...record }))
        const stored = await read(id)
        assert.deepEqual(stored['sensor_data'], SENSORS)
        assert.deepEqual(stored['implausible'], [])
      }
    })

    test('the record of the client libraries: vehicle_id, sensor_data, timestamp, location {lat, lng}', async () => {
      const { tenant, send, read, vehicle_id: vehicleId } = await openFleet()
      const timestamp = new Date(Date.now() - 60_000).toISOString()
      const record = { sensor_data: { rpm: 900 }, timestamp, location: { lat: 12.5, lng: 77.5 } }
      const own = ok<Row>(await send({ vehicle_id: vehicleId, ...record }))
      assert.deepEqual([own['vehicle_id'], own['device_id']], [vehicleId, null])
      const stored = await read(own['telemetry_id'])
      assert.deepEqual([stored['timestamp'], stored['latitude'], stored['longitude']], [timestamp, 12.5, 77.5])
      // A name of the caller's own makes the vehicle, once.
      const first = ok<Row>(await send({ vehicle_id: 'truck-17', ...record }))
      const second = ok<Row>(await send({ vehicle_id: 'truck-17', sensor_data: { rpm: 901 } }))
      assert.equal(first['vehicle_id'], second['vehicle_id'])
      const { vehicle } = ok<{ vehicle: Row }>(await tenant.external('GET', '/vehicles/truck-17'))
      assert.deepEqual([vehicle['vehicle_id'], vehicle['external_ref'], vehicle['registered']], [first['vehicle_id'], 'truck-17', false])
    })

    test('an offset is read by RFC 3339 and returned in UTC with milliseconds', async () => {
      const { send, read } = await openFleet()
      const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000)
      const local = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 19)
      for (const timestamp of [
        `${local}+05:30`,
        at.toISOString(),
        `${at.toISOString().slice(0, 19)}Z`,
        `${at.toISOString().slice(0, 19)}.000+00:00`,
      ]) {
        const { telemetry_id: id } = ok<Row>(await send({ device_id: IMEI, timestamp, speed: Math.random() * 100 }))
        assert.equal((await read(id))['timestamp'], at.toISOString())
      }
    })

    test('a value outside its range is stored and marked; unknown keys are kept in extra', async () => {
      const { send, read } = await openFleet()
      const { telemetry_id: id } = ok<Row>(
        await send({ device_id: IMEI, coolant_temp: 215, battery_voltage: 276, rpm: 900, tyre_pressure: 2.4, note: 'x' }),
      )
      const stored = await read(id)
      assertKeys(stored, [...STORED, 'extra'])
      assert.deepEqual([...(stored['implausible'] as string[])].sort(), ['battery_voltage', 'coolant_temp'])
      assert.deepEqual(stored['sensor_data'], { coolant_temp: 215, battery_voltage: 276, rpm: 900 })
      assert.deepEqual(stored['extra'], { tyre_pressure: 2.4, note: 'x' })
    })

    test('the same content for the same device and time is one reading', async () => {
      const { tenant, send } = await openFleet()
      const timestamp = new Date(Date.now() - 5000).toISOString()
      const first = ok<Row>(await send({ device_id: IMEI, timestamp, speed: 10, rpm: 900 }))
      const again = ok<Row>(await send({ rpm: 900, speed: 10, timestamp, device_id: IMEI }))
      assert.deepEqual([again['telemetry_id'], again['duplicate'], again['success']], [first['telemetry_id'], true, true])
      assert.notEqual(ok<Row>(await send({ device_id: IMEI, timestamp, speed: 11, rpm: 900 }))['telemetry_id'], first['telemetry_id'])
      const batch = ok<Row>(
        await tenant.external('POST', '/telemetry/batch', { body: { records: [{ device_id: IMEI, timestamp, speed: 10, rpm: 900 }] } }),
      )
      assert.deepEqual([batch['success'], batch['records_processed'], batch['duplicates'], batch['records_rejected']], [true, 1, 1, 0])
    })

    test('a batch answers records_processed and processing_time_ms, and each result by its index', async () => {
      const { tenant } = await openFleet()
      const records = [
        { vehicle_id: 'truck-1', sensor_data: { rpm: 900 } },
        { vehicle_id: 'truck-2', sensor_data: { rpm: 'no' } },
      ]
      const body = ok<{ results: Row[] } & Row>(await tenant.external('POST', '/telemetry/batch', { body: { records } }))
      assertKeys(body, ['success', 'records_processed', 'records_rejected', 'duplicates', 'processing_time_ms', 'results'])
      assert.deepEqual([body['success'], body['records_processed'], body['records_rejected']], [true, 1, 1])
      assert.ok(typeof body['processing_time_ms'] === 'number' && body['processing_time_ms'] >= 0)
      const [stored = {}, rejected = {}] = body.results
      assertKeys(stored, ['index', 'status', 'id'])
      assertKeys(rejected, ['index', 'status', 'error'])
      ok(await tenant.external('GET', `/telemetry/${stored['id']}`))
      // The vehicle of a refused record is not made either.
      refused(await tenant.external('GET', '/vehicles/truck-2'), 404, 'not_found')
    })

    test('a record that names nobody, or a sub-client that there is not, is refused', async () => {
      const { tenant, send } = await openFleet()
      refused(await send({ speed: 1 }), 400, 'invalid_request')
      refused(await send({ device_id: IMEI, sub_client_id: 'unknown', speed: 1 }), 404, 'not_found')
      refused(await send({ vehicle_id: 'never', sub_client_id: 'unknown', speed: 1 }), 404, 'not_found')
      refused(await tenant.external('GET', '/vehicles/never'), 404, 'not_found')
      refused(await tenant.external('GET', '/telemetry/tel-unknown'), 404, 'not_found')
    })
  })
}
