import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertTime, ok, type Row, refused, type Service } from '../../support/service.ts'

type SubClientAnswer = { success: true; sub_client: Row }
type DeviceAnswer = { success: true; device: Row }

export function statesSection(service: Service): void {
  const openFleet = async () => {
    const tenant = await service.newTenant()
    ok(await tenant.external('POST', '/sub-clients', { body: { name: 'acme' } }))
    const body = { name: 'd', imei: '356938035643809', sub_client_id: 'acme' }
    const { device_id: deviceId } = ok<{ device_id: string }>(await tenant.external('POST', '/devices', { body }))
    return { tenant, deviceId, body }
  }

  suite('3 States and transitions', () => {
    test('a sub-client takes every status by PUT; suspended, it is read and neither changed nor sent to', async () => {
      const { tenant, deviceId } = await openFleet()
      const put = async (status: string) =>
        ok<SubClientAnswer>(await tenant.external('PUT', '/sub-clients/acme', { body: { status } })).sub_client['status']
      assert.equal(await put('suspended'), 'suspended')
      ok(await tenant.external('GET', '/sub-clients/acme'))
      ok(await tenant.external('GET', `/devices/${deviceId}`))
      refused(await tenant.external('POST', '/telemetry', { body: { device_id: deviceId, speed: 1 } }), 403, 'sub_client_suspended')
      refused(await tenant.external('POST', '/track', { body: { device_id: deviceId, lat: 1, lon: 1 } }), 403, 'sub_client_suspended')
      refused(await tenant.external('POST', '/devices', { body: { name: 'x', sub_client_id: 'acme' } }), 403, 'sub_client_suspended')
      refused(await tenant.external('POST', '/vehicles', { body: { make: 'x', sub_client_id: 'acme' } }), 403, 'sub_client_suspended')
      assert.equal(await put('active'), 'active')
      ok(await tenant.external('POST', '/telemetry', { body: { device_id: deviceId, speed: 1 } }))
      assert.equal(await put('deactivated'), 'deactivated')
    })

    test('DELETE deactivates softly: devices are unassigned, the record remains, repeating it is fine', async () => {
      const { tenant, deviceId } = await openFleet()
      const first = ok<SubClientAnswer & { devices_unassigned: number }>(await tenant.external('DELETE', '/sub-clients/acme'))
      assert.deepEqual(Object.keys(first).sort(), ['devices_unassigned', 'sub_client', 'success'])
      assert.deepEqual(
        [first.success, first.devices_unassigned, first.sub_client['status'], first.sub_client['device_count']],
        [true, 1, 'deactivated', 0],
      )
      const { device } = ok<DeviceAnswer>(await tenant.external('GET', `/devices/${deviceId}`))
      assert.deepEqual([device['sub_client_id'], device['status']], [null, 'active'])
      const again = ok<SubClientAnswer & { devices_unassigned: number }>(await tenant.external('DELETE', '/sub-clients/acme'))
      assert.deepEqual([again.devices_unassigned, again.sub_client['status']], [0, 'deactivated'])
      assert.equal(ok<SubClientAnswer>(await tenant.external('GET', '/sub-clients/acme')).sub_client['status'], 'deactivated')
      refused(await tenant.external('PUT', `/devices/${deviceId}`, { body: { sub_client_id: 'acme' } }), 403, 'sub_client_suspended')
    })

    test('a decommissioned device sends no more, frees its IMEI, keeps its history, and may be decommissioned again', async () => {
      const { tenant, deviceId, body } = await openFleet()
      const { telemetry_id: readingId } = ok<Row>(await tenant.external('POST', '/telemetry', { body: { device_id: deviceId, speed: 1 } }))
      const path = `/devices/${deviceId}/decommission`
      const gone = ok<Row>(await tenant.external('POST', path))
      assert.deepEqual(Object.keys(gone).sort(), ['decommissioned_at', 'device_id', 'status', 'success'])
      assert.deepEqual([gone['success'], gone['device_id'], gone['status']], [true, deviceId, 'decommissioned'])
      assertTime(gone['decommissioned_at'])
      assert.deepEqual(ok(await tenant.external('POST', path)), gone)
      assert.deepEqual(ok(await tenant.external('POST', `/devices/${body.imei}/decommission`)), gone)
      refused(await tenant.external('POST', '/telemetry', { body: { device_id: deviceId, speed: 2 } }), 404, 'device_not_found')
      ok(await tenant.external('GET', `/telemetry/${readingId}`))
      assert.equal(ok<DeviceAnswer>(await tenant.external('GET', `/devices/${deviceId}`)).device['status'], 'decommissioned')
      const next = ok<Row>(await tenant.external('POST', '/devices', { body }))
      assert.notEqual(next['device_id'], deviceId)
      refused(await tenant.external('POST', '/devices/dev-unknown/decommission'), 404, 'device_not_found')
      refused(await tenant.external('PUT', `/devices/${deviceId}`, { body: { name: 'x' } }), 409, 'device_decommissioned')
    })

    test('reassigning changes the owner and not the status; what was received before stays with the owner before', async () => {
      const { tenant, deviceId } = await openFleet()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'other' } }))
      const { telemetry_id: before } = ok<Row>(await tenant.external('POST', '/telemetry', { body: { device_id: deviceId, speed: 1 } }))
      const { device } = ok<DeviceAnswer>(await tenant.external('PUT', `/devices/${deviceId}`, { body: { sub_client_id: 'other' } }))
      assert.deepEqual([device['sub_client_id'], device['status']], ['other', 'active'])
      const after = ok<Row>(await tenant.external('POST', '/telemetry', { body: { device_id: deviceId, speed: 2 } }))
      assert.equal(after['sub_client_id'], 'other')
      assert.equal(ok<Row>(await tenant.external('GET', `/telemetry/${before}`))['sub_client_id'], 'acme')
    })

    test('a device is pending by its registration, becomes active with its first message, and is listed by status', async () => {
      const { tenant, deviceId } = await openFleet()
      const { device_id: pendingId, status } = ok<Row>(
        await tenant.external('POST', '/devices', { body: { name: 'later', status: 'pending' } }),
      )
      assert.equal(status, 'pending')
      const listed = async (of: string) =>
        ok<{ devices: Row[] }>(await tenant.external('GET', `/devices?status=${of}`)).devices.map(({ id }) => id)
      assert.deepEqual(await listed('pending'), [pendingId])
      assert.deepEqual(await listed('active'), [deviceId])
      ok(await tenant.external('POST', '/telemetry', { body: { device_id: pendingId, speed: 1 } }))
      assert.deepEqual(await listed('pending'), [])
      assert.deepEqual(await listed('active'), [deviceId, pendingId])
      ok(await tenant.external('PUT', `/devices/${deviceId}`, { body: { status: 'suspended' } }))
      assert.deepEqual(await listed('suspended'), [deviceId])
      refused(await tenant.external('POST', '/telemetry', { body: { device_id: deviceId, speed: 1 } }), 403, 'device_suspended')
      ok(await tenant.external('POST', `/devices/${deviceId}/decommission`))
      assert.deepEqual(await listed('decommissioned'), [deviceId])
      refused(await tenant.external('GET', '/devices?status=lost'), 400, 'invalid_request')
    })
  })
}
