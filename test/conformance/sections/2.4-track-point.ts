import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertKeys, assertTime, ok, type Row, refused, type Service } from '../../support/service.ts'

const ACCEPTED = ['success', 'track_id', 'device_id', 'vehicle_id', 'sub_client_id', 'received_at', 'duplicate']
const LOCATION = [
  ...['device_id', 'imei', 'name', 'sub_client_id', 'vehicle_id', 'latitude', 'longitude', 'speed', 'heading', 'altitude', 'satellites'],
  ...['ignition', 'battery_voltage', 'event', 'timestamp', 'received_at', 'age_seconds', 'online'],
]
const IMEI = '356938035643809'
const HOUR_MS = 3_600_000

export function trackPointSection(service: Service): void {
  const openFleet = async () => {
    const tenant = await service.newTenant()
    ok(await tenant.external('POST', '/sub-clients', { body: { name: 'acme' } }))
    const body = { name: 'tracker', imei: IMEI, sub_client_id: 'acme', vehicle: { mode: 'create', make: 'A' } }
    const device = ok<{ device_id: string; vehicle_id: string }>(await tenant.external('POST', '/devices', { body }))
    return { tenant, ...device, track: (point: unknown) => tenant.external('POST', '/track', { body: point }) }
  }

  suite('2.4 Track point (GPS)', () => {
    test('every field of the specification is taken and can be read back', async () => {
      const { tenant, track, device_id: deviceId, vehicle_id: vehicleId } = await openFleet()
      const timestamp = new Date(Date.now() - HOUR_MS).toISOString()
      const point = {
        device_id: IMEI,
        latitude: 12.9716,
        longitude: 77.5946,
        speed: 42.5,
        heading: 270,
        timestamp,
        ignition: true,
        battery_voltage: 12.6,
        satellites: 11,
        event: 'overspeed',
        extra: { hdop: 0.8, raw: 'ab' },
      }
      const body = ok<Row>(await track(point))
      assertKeys(body, ACCEPTED)
      assertTime(body['received_at'])
      const { success, device_id: device, vehicle_id: vehicle, sub_client_id: subClient, duplicate } = body
      assert.deepEqual([success, device, vehicle, subClient, duplicate], [true, deviceId, vehicleId, 'acme', false])
      const read = ok<Row>(await tenant.external('GET', `/telemetry/${body['track_id']}`))
      assert.equal(read['kind'], 'track')
      for (const key of ['latitude', 'longitude', 'heading', 'timestamp', 'ignition', 'satellites', 'event'] as const)
        assert.equal(read[key], point[key], key)
      assert.deepEqual(read['sensor_data'], { speed: 42.5, battery_voltage: 12.6 })
      assert.deepEqual(read['extra'], point.extra)
      assert.deepEqual(read['implausible'], [])
    })

    test('the latest location has exactly the fields of DECISIONS, alone and in the list', async () => {
      const { tenant, track, device_id: deviceId, vehicle_id: vehicleId } = await openFleet()
      refused(await tenant.external('GET', `/devices/${deviceId}/location`), 404, 'no_location')
      refused(await tenant.external('GET', '/devices/dev-unknown/location'), 404, 'device_not_found')
      assert.equal(ok<Row>(await tenant.external('GET', '/devices/locations'))['total'], 0)
      const timestamp = new Date(Date.now() - 90_000).toISOString()
      ok(
        await track({
          device_id: deviceId,
          latitude: -33.5,
          longitude: -70.25,
          speed: 10,
          heading: 0,
          satellites: 7,
          ignition: false,
          timestamp,
        }),
      )
      for (const reference of [deviceId, IMEI]) {
        const { location, ...rest } = ok<{ location: Row }>(await tenant.external('GET', `/devices/${reference}/location`))
        assert.deepEqual(rest, { success: true })
        assertKeys(location, LOCATION)
        const { received_at: receivedAt, age_seconds: age, ...shown } = location
        assertTime(receivedAt)
        assert.ok(Number.isInteger(age) && Number(age) >= 90 && Number(age) < 150, String(age))
        assert.deepEqual(shown, {
          ...{ device_id: deviceId, imei: IMEI, name: 'tracker', sub_client_id: 'acme', vehicle_id: vehicleId },
          ...{ latitude: -33.5, longitude: -70.25, speed: 10, heading: 0, altitude: null, satellites: 7, ignition: false },
          ...{ battery_voltage: null, event: null, timestamp, online: true },
        })
      }
      const list = ok<{ total: number; locations: Row[]; pagination: Row }>(
        await tenant.external('GET', '/devices/locations?sub_client_id=acme'),
      )
      assertKeys(list, ['total', 'locations', 'pagination'])
      assert.deepEqual([list.total, list.locations.length], [1, 1])
      assertKeys(list.locations[0] ?? {}, LOCATION)
      assert.equal(ok<Row>(await tenant.external('GET', '/devices/locations?sub_client_id=other'))['total'], 0)
    })

    test('latest is by recorded time: a point that arrives late does not move the device back', async () => {
      const { tenant, track } = await openFleet()
      const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
      ok(await track({ device_id: IMEI, latitude: 1, longitude: 1, timestamp: at(5) }))
      ok(await track({ device_id: IMEI, latitude: 2, longitude: 2, timestamp: at(10) }))
      ok(await track({ device_id: IMEI, latitude: 3, longitude: 3, timestamp: at(1) }))
      const { location } = ok<{ location: Row }>(await tenant.external('GET', `/devices/${IMEI}/location`))
      assert.equal(location['latitude'], 3)
    })

    test('both shapes of a position are taken on both routes, and a point without one is refused', async () => {
      const { tenant, track } = await openFleet()
      for (const position of [{ latitude: 1.5, longitude: 2.5 }, { lat: 1.5, lon: 2.5 }, { location: { lat: 1.5, lng: 2.5 } }]) {
        const { track_id: trackId } = ok<Row>(await track({ device_id: IMEI, ...position }))
        const read = ok<Row>(await tenant.external('GET', `/telemetry/${trackId}`))
        assert.deepEqual([read['latitude'], read['longitude']], [1.5, 2.5])
      }
      for (const body of [
        { device_id: IMEI },
        { device_id: IMEI, latitude: 1 },
        { latitude: 1, longitude: 2 },
        { vehicle_id: 'v', latitude: 1, longitude: 2 },
      ]) {
        refused(await track(body), 400, 'invalid_request')
      }
    })

    test('every documented event is kept, and so is any other word', async () => {
      const { tenant, track } = await openFleet()
      const events = [
        ...[
          'periodic',
          'sos',
          'tamper',
          'overspeed',
          'geofence_enter',
          'geofence_exit',
          'ignition_on',
          'ignition_off',
          'harsh_acceleration',
        ],
        ...['harsh_braking', 'harsh_cornering', 'power_cut', 'low_battery', 'tow', 'crash', 'jamming', 'door_open'],
      ]
      for (const event of events) {
        const { track_id: trackId } = ok<Row>(await track({ device_id: IMEI, latitude: 1, longitude: 2, event }))
        assert.equal(ok<Row>(await tenant.external('GET', `/telemetry/${trackId}`))['event'], event)
      }
    })

    test('a batch is an array, or {points}; each result has its index', async () => {
      const { tenant } = await openFleet()
      const points = [1, 2, 3].map((latitude) => ({
        device_id: IMEI,
        latitude,
        longitude: 0,
        timestamp: new Date(Date.now() - latitude * 1000).toISOString(),
      }))
      const body = ok<{ results: Row[] } & Row>(await tenant.external('POST', '/track/batch', { body: points }))
      assertKeys(body, ['success', 'records_processed', 'records_rejected', 'duplicates', 'processing_time_ms', 'results'])
      assert.deepEqual(
        body.results.map(({ index, status }) => [index, status]),
        [
          [0, 'stored'],
          [1, 'stored'],
          [2, 'stored'],
        ],
      )
      const again = ok<Row>(await tenant.external('POST', '/track/batch', { body: { points } }))
      assert.deepEqual([again['success'], again['records_processed'], again['duplicates']], [true, 3, 3])
    })
  })
}
