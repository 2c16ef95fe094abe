import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFleetApp } from '../test-fleet-app.ts'

const fleet = await openFleetApp({ after }, ['acme'])
const acme = fleet.as('acme')
for (const name of ['north', 'south']) await acme('POST', '/sub-clients', { name })
const north = fleet.as('acme', 'north')
const south = fleet.as('acme', 'south')

let imeis = 0
const register = async (body: object) => (await acme('POST', '/devices', { imei: String(357_000_000_000_000 + ++imeis), ...body })).body
const reassign = async (deviceId: string, change: object) => (await acme('PUT', `/devices/${deviceId}`, change)).body.device
const vehiclesOf = async (viewer: typeof acme) =>
  (await viewer('GET', '/vehicles')).body.vehicles.map(({ vehicle_id }: { vehicle_id: string }) => vehicle_id)

test('a device that moves to another sub-client leaves the vehicle of the one before, which stays with its owner', async () => {
  const { device_id, vehicle_id } = await register({ sub_client_id: 'north', vehicle: { mode: 'create', make: 'MAN' } })
  const moved = await reassign(device_id, { sub_client_id: 'south' })
  assert.deepEqual([moved.sub_client_id, moved.vehicle_id], ['south', null])
  assert.ok((await vehiclesOf(north)).includes(vehicle_id))
  assert.ok(!(await vehiclesOf(south)).includes(vehicle_id))
})

test('by way of no sub-client it leaves the vehicle just the same', async () => {
  const { device_id, vehicle_id } = await register({ sub_client_id: 'north', vehicle: { mode: 'create', make: 'MAN' } })
  assert.equal((await reassign(device_id, { sub_client_id: null })).vehicle_id, vehicle_id)
  assert.equal((await reassign(device_id, { sub_client_id: 'south' })).vehicle_id, null)
})

test('a call that names a vehicle links it, and one that names the same sub-client again changes nothing', async () => {
  const { device_id } = await register({ sub_client_id: 'north', vehicle: { mode: 'create', make: 'MAN' } })
  const theirs = (await acme('POST', '/vehicles', { vin: 'SOUTH1', sub_client_id: 'south' })).body.vehicle_id
  assert.equal((await reassign(device_id, { sub_client_id: 'south', vehicle_id: theirs })).vehicle_id, theirs)
  assert.equal((await reassign(device_id, { sub_client_id: 'south' })).vehicle_id, theirs)
})

test('a vehicle registered before it had a sub-client goes with its only device, and stays when another speaks for it too', async () => {
  const alone = await register({ vehicle: { mode: 'create', make: 'MAN' } })
  assert.equal((await reassign(alone.device_id, { sub_client_id: 'north' })).vehicle_id, alone.vehicle_id)
  assert.ok((await vehiclesOf(north)).includes(alone.vehicle_id))

  const first = await register({ vehicle: { mode: 'create', make: 'MAN' } })
  await register({ vehicle: { mode: 'link', vehicle_id: first.vehicle_id } })
  assert.equal((await reassign(first.device_id, { sub_client_id: 'north' })).vehicle_id, first.vehicle_id)
  assert.ok(!(await vehiclesOf(north)).includes(first.vehicle_id))
})

test('a vehicle that moves to another sub-client leaves the devices of the one before, and keeps one of none', async () => {
  const { device_id: left, vehicle_id } = await register({
    sub_client_id: 'north',
    vehicle: { mode: 'create', make: 'MAN', vin: 'MOVES1' },
  })
  const { device_id: kept } = await register({ vehicle: { mode: 'link', vehicle_id } })
  assert.equal((await acme('POST', '/vehicles', { vin: 'MOVES1', make: 'DAF' })).body.vehicle.sub_client_id, 'north')
  const vehicleOf = async (deviceId: string) => (await acme('GET', `/devices/${deviceId}`)).body.device.vehicle_id
  assert.deepEqual([await vehicleOf(left), await vehicleOf(kept)], [vehicle_id, vehicle_id])
  const moved = (await acme('POST', '/vehicles', { vin: 'MOVES1', sub_client_id: 'south' })).body.vehicle
  assert.deepEqual([moved.sub_client_id, moved.device_id], ['south', kept])
  assert.deepEqual([await vehicleOf(left), await vehicleOf(kept)], [null, vehicle_id])
})

test('a vehicle that moves with the device named keeps that one', async () => {
  const { device_id, vehicle_id } = await register({ sub_client_id: 'north', vehicle: { mode: 'create', make: 'MAN', vin: 'MOVES2' } })
  await reassign(device_id, { sub_client_id: null })
  const moved = (await acme('POST', '/vehicles', { vin: 'MOVES2', sub_client_id: 'south', device_id })).body.vehicle
  assert.deepEqual([moved.vehicle_id, moved.device_id], [vehicle_id, device_id])
})

test('a decommissioned device is reassigned too, with what is shown of it; nothing else of it changes, and it does not come back', async () => {
  const { device_id } = await register({ sub_client_id: 'north', name: 'old', vehicle: { mode: 'create', make: 'MAN' } })
  await fleet.hear('acme', device_id, { position: { latitude: 1, longitude: 2 } }, fleet.clock.now)
  await acme('POST', `/devices/${device_id}/decommission`)
  for (const change of [{ status: 'active' }, { status: 'suspended', sub_client_id: 'south' }, { name: 'new' }, { vehicle_id: null }]) {
    const { status, body } = await acme('PUT', `/devices/${device_id}`, change)
    assert.deepEqual([status, body.error.code], [409, 'device_decommissioned'], JSON.stringify(change))
  }
  const rotated = await acme('POST', `/devices/${device_id}/credentials/rotate`, {})
  assert.deepEqual([rotated.status, rotated.body.error.code], [409, 'device_decommissioned'])

  await fleet.query(`update sub_clients set max_devices = 0 where sub_client_id = 'south'`)
  const moved = await reassign(device_id, { sub_client_id: 'south' })
  assert.deepEqual([moved.status, moved.sub_client_id, moved.vehicle_id], ['decommissioned', 'south', null])
  assert.equal((await north('GET', `/devices/${device_id}`)).status, 404)
  assert.equal((await south('GET', `/devices/${device_id}/location`)).body.location.latitude, 1)
  const listed = (await acme('GET', '/devices?sub_client_id=south&status=decommissioned')).body.devices
  assert.deepEqual(
    listed.map(({ id }) => id),
    [device_id],
  )
  assert.equal((await reassign(device_id, { sub_client_id: null })).sub_client_id, null)
  assert.equal((await acme('PUT', `/devices/${device_id}`, { sub_client_id: 'nobody' })).status, 404)
})
