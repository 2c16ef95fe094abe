import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { suite, test } from 'node:test'
import { assertKeys, assertTime, ok, type Row, refused, type Service } from '../../support/service.ts'

const REGISTERED = [
  ...['success', 'device_id', 'status', 'mqtt_broker', 'mqtt_username', 'mqtt_password_hash', 'mqtt_topic', 'vehicle_id', 'sub_client_id'],
  // Added: the password itself is nowhere else (DECISIONS).
  'mqtt_password',
]
const RECORD = [
  ...['id', 'device_id', 'name', 'imei', 'device_type', 'connection_method', 'sim_number', 'status', 'online', 'last_seen_at'],
  ...['sub_client_id', 'vehicle_id', 'mqtt_username', 'mqtt_topic', 'created_at', 'updated_at'],
]

type Registered = Row & { device_id: string; mqtt_password: string; mqtt_password_hash: string; vehicle_id: string | null }
type List = { total: number; devices: Row[]; pagination: Row }

export function deviceSection(service: Service): void {
  suite('2.2 Device', () => {
    test('the answer to the payload of the specification has exactly its fields, in their forms', async () => {
      const tenant = await service.newTenant()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'Acme' } }))
      const body = {
        name: 'Truck 17 dongle',
        imei: '356938035643809',
        device_type: 'obd_dongle',
        sim_number: '8944500102198304826',
        connection_method: 'mqtt',
        sub_client_id: 'acme',
        vehicle: { mode: 'create', make: 'Toyota', model: 'Etios', year: 2014, license_plate: 'KA-01-AB-1234' },
      }
      const device = ok<Registered>(await tenant.external('POST', '/devices', { body }))
      assertKeys(device, REGISTERED)
      const { device_id: deviceId, vehicle_id: vehicleId } = device
      assert.match(deviceId, /^dev-[a-z0-9]+$/)
      assert.equal(device['success'], true)
      assert.equal(device['status'], 'active')
      assert.match(String(device['mqtt_broker']), /^[^:/]+:\d+$/)
      assert.equal(device['mqtt_username'], `${tenant.slug}/${deviceId}`)
      assert.match(String(device['mqtt_topic']), new RegExp(`^[^/]+/${tenant.slug}/devices/${deviceId}/telemetry$`))
      assert.equal(device['sub_client_id'], 'acme')
      const { vehicle } = ok<{ vehicle: Row }>(await tenant.external('GET', `/vehicles/${vehicleId}`))
      const { make, model, year, license_plate: plate, sub_client_id: owner, device_id: linked } = vehicle
      assert.deepEqual([make, model, year, plate, owner, linked], ['Toyota', 'Etios', 2014, 'KA-01-AB-1234', 'acme', deviceId])
    })

    test('the hash is the PBKDF2-SHA512 verifier of the password, as Mosquitto reads it', async () => {
      const tenant = await service.newTenant()
      const { mqtt_password: password, mqtt_password_hash: hash } = ok<Registered>(
        await tenant.external('POST', '/devices', { body: { name: 'd' } }),
      )
      const [, salt = '', key = ''] = /^\$7\$1000\$([^$]+)\$([^$]+)$/.exec(hash) ?? assert.fail(hash)
      assert.equal(Buffer.from(salt, 'base64').length, 12)
      assert.equal(pbkdf2Sync(password, Buffer.from(salt, 'base64'), 1000, 64, 'sha512').toString('base64'), key)
      // 24 random bytes in base64url.
      assert.match(password, /^[0-9A-Za-z]{32}$/)
    })

    test('the record has exactly the fields of DECISIONS and never a secret; id or IMEI address it', async () => {
      const tenant = await service.newTenant()
      const made = ok<Registered>(await tenant.external('POST', '/devices', { body: { name: 'd', imei: '35693803564380' } }))
      for (const reference of [made.device_id, '35693803564380']) {
        const answer = await tenant.external('GET', `/devices/${reference}`)
        const { device, ...rest } = ok<{ device: Row }>(answer)
        assert.deepEqual(rest, { success: true })
        assertKeys(device, RECORD)
        assertTime(device['created_at'])
        assertTime(device['updated_at'])
        const {
          id,
          device_id: deviceId,
          name,
          status,
          online,
          last_seen_at: lastSeen,
          device_type: type,
          connection_method: method,
        } = device
        assert.deepEqual([id, deviceId, name, status, online, lastSeen], [made.device_id, made.device_id, 'd', 'active', false, null])
        assert.deepEqual([type, method], ['other', 'mqtt'])
        const text = JSON.stringify(answer.body)
        assert.ok(!text.includes(made.mqtt_password) && !text.includes(made.mqtt_password_hash) && !/password/.test(text))
      }
      const list = await tenant.external('GET', '/devices')
      const { total, devices, pagination } = ok<List>(list)
      assertKeys(list.body, ['total', 'devices', 'pagination'])
      assertKeys(pagination, ['endCursor', 'hasNextPage'])
      assert.equal(total, 1)
      assertKeys(devices[0] ?? {}, RECORD)
      assert.doesNotMatch(JSON.stringify(list.body), /password/)
      refused(await tenant.external('GET', '/devices/dev-unknown'), 404, 'device_not_found')
    })

    test('every documented device type and connection method is taken, and no other', async () => {
      const tenant = await service.newTenant()
      const register = (body: Row) => tenant.external('POST', '/devices', { body: { name: 'd', ...body } })
      for (const type of ['obd_dongle', 'gps_tracker', 'can_gateway', 'dashcam', 'mobile_app', 'asset_tracker', 'other'])
        ok(await register({ device_type: type }))
      for (const method of ['mqtt', 'http', 'stream', 'osmand', 'traccar', 'tcp']) ok(await register({ connection_method: method }))
      for (const body of [
        { device_type: 'toaster' },
        { connection_method: 'pigeon' },
        { device_type: 7 },
        { status: 'suspended' },
        { name: 7 },
        { sim_number: 7 },
      ]) {
        refused(await register(body), 400, 'invalid_request')
      }
      refused(await register({ sub_client_id: 'unknown' }), 404, 'not_found')
      refused(await tenant.external('POST', '/devices', { body: {} }), 400, 'invalid_request')
    })

    test('an IMEI has 14 to 16 digits and one living device', async () => {
      const tenant = await service.newTenant()
      const register = (imei: unknown, name = 'd') => tenant.external('POST', '/devices', { body: { imei, name } })
      for (const imei of ['1234567890123', '12345678901234567', '35693803564380x', '356938 35643809', '', 356938035643809]) {
        const error = refused(await register(imei), 400, 'invalid_request')
        assert.equal((error['details'] as Row)['field'], 'imei')
      }
      for (const imei of ['12345678901234', '123456789012345', '1234567890123456']) ok(await register(imei))
      refused(await register('123456789012345', 'another body'), 409, 'device_exists')
    })

    test('the same body for the same IMEI gets the first answer again, credentials included; another body is 409', async () => {
      const tenant = await service.newTenant()
      const body = { name: 'd', imei: '356938035643809', vehicle: { mode: 'create', make: 'A' } }
      const first = ok<Registered>(await tenant.external('POST', '/devices', { body }))
      assert.deepEqual(ok(await tenant.external('POST', '/devices', { body })), first)
      refused(await tenant.external('POST', '/devices', { body: { ...body, name: 'e' } }), 409, 'device_exists')
      assert.equal(ok<List>(await tenant.external('GET', '/devices')).total, 1)
      assert.equal(ok<{ total: number }>(await tenant.external('GET', '/vehicles')).total, 1)
      ok(await tenant.external('POST', `/devices/${first.device_id}/decommission`))
      const after = ok<Registered>(await tenant.external('POST', '/devices', { body }))
      assert.notEqual(after.device_id, first.device_id)
      assert.notEqual(after.mqtt_password, first.mqtt_password)
    })

    test('the inline vehicle is created, linked by id or VIN, or none; a known VIN is linked and not made twice', async () => {
      const tenant = await service.newTenant()
      const register = (vehicle: Row | undefined) =>
        tenant.external('POST', '/devices', { body: { name: 'd', ...(vehicle === undefined ? {} : { vehicle }) } })
      const vehicleOf = async (vehicle: Row | undefined) => ok<Registered>(await register(vehicle)).vehicle_id
      const made = await vehicleOf({ mode: 'create', make: 'A', vin: 'MBJ11JV4007512345' })
      assert.match(String(made), /^veh-/)
      assert.equal(await vehicleOf({ mode: 'create', vin: 'mbj11jv4007512345' }), made)
      assert.equal(await vehicleOf({ mode: 'link', vin: 'MBJ11JV4007512345' }), made)
      assert.equal(await vehicleOf({ mode: 'link', vehicle_id: made }), made)
      assert.equal(await vehicleOf({ mode: 'none' }), null)
      assert.equal(await vehicleOf(undefined), null)
      assert.equal(ok<{ total: number }>(await tenant.external('GET', '/vehicles')).total, 1)
      refused(await register({ mode: 'link', vehicle_id: 'veh-unknown' }), 404, 'not_found')
      refused(await register({ mode: 'link' }), 400, 'invalid_request')
      refused(await register({ mode: 'merge' }), 400, 'invalid_request')
      refused(await register({ mode: 'create', year: 1800 }), 400, 'invalid_request')
    })

    test('PUT changes each field that it takes, null unassigns, and a wrong value changes nothing', async () => {
      const tenant = await service.newTenant()
      for (const name of ['one', 'two']) ok(await tenant.external('POST', '/sub-clients', { body: { name } }))
      const { vehicle_id: vehicleId } = ok<{ vehicle_id: string }>(await tenant.external('POST', '/vehicles', { body: { make: 'A' } }))
      const { device_id: deviceId } = ok<Registered>(
        await tenant.external('POST', '/devices', { body: { name: 'd', sub_client_id: 'one' } }),
      )
      const put = (body: Row) => tenant.external('PUT', `/devices/${deviceId}`, { body })
      for (const change of [
        { name: 'renamed' },
        { sub_client_id: 'two' },
        { sub_client_id: null },
        { device_type: 'dashcam' },
        { connection_method: 'http' },
        { sim_number: '8944' },
        { sim_number: null },
        { vehicle_id: vehicleId },
        { vehicle_id: null },
        { status: 'suspended' },
        { status: 'active' },
      ]) {
        const { success, device } = ok<{ success: true; device: Row }>(await put(change))
        assert.equal(success, true)
        for (const [key, value] of Object.entries(change)) assert.equal(device[key], value, key)
      }
      for (const body of [{ status: 'decommissioned' }, { status: 'x' }, { device_type: 'x' }, { name: 7 }])
        refused(await put(body), 400, 'invalid_request')
      refused(await put({ sub_client_id: 'unknown' }), 404, 'not_found')
      refused(await put({ name: 'half', vehicle_id: 'veh-unknown' }), 404, 'not_found')
      assert.equal(ok<{ device: Row }>(await tenant.external('GET', `/devices/${deviceId}`)).device['name'], 'renamed')
    })

    test('credentials are rotated with the same names and another password', async () => {
      const tenant = await service.newTenant()
      const first = ok<Registered>(await tenant.external('POST', '/devices', { body: { name: 'd' } }))
      const path = `/devices/${first.device_id}/credentials/rotate`
      const rotated = ok<Registered>(await tenant.external('POST', path, { body: { grace_seconds: 60 } }))
      assertKeys(rotated, ['success', 'device_id', ...REGISTERED.filter((key) => key.startsWith('mqtt_')), 'previous_valid_until'])
      assert.deepEqual([rotated['mqtt_username'], rotated['mqtt_topic']], [first['mqtt_username'], first['mqtt_topic']])
      assert.notEqual(rotated.mqtt_password, first.mqtt_password)
      assertTime(rotated['previous_valid_until'])
      assert.equal(ok<Registered>(await tenant.external('POST', path))['previous_valid_until'], null)
      refused(await tenant.external('POST', path, { body: { grace_seconds: -1 } }), 400, 'invalid_request')
      refused(await tenant.external('POST', '/devices/dev-unknown/credentials/rotate'), 404, 'device_not_found')
    })
  })
}
