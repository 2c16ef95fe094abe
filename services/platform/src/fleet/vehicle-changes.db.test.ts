// Goal: a vehicle is one vehicle however it is named, can be edited to the last field, and leaves service and comes back. Method: the External
// routes on a real PostgreSQL.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFleetApp } from '../test-fleet-app.ts'
import { untilTaken } from '../test-support.ts'

const fleet = await openFleetApp({ after }, ['acme', 'rival'])
const acme = fleet.as('acme')
for (const name of ['north', 'south']) await acme('POST', '/sub-clients', { name })
const [north, south] = [fleet.as('acme', 'north'), fleet.as('acme', 'south')]

let imeis = 0
const register = async (body: object, call = acme) =>
  await call('POST', '/devices', { imei: String(358_000_000_000_000 + ++imeis), ...body })
const create = async (body: object) => (await acme('POST', '/vehicles', body)).body.vehicle
const listed = async (query: string, call = acme) => (await call('GET', `/vehicles${query}`)).body.vehicles

test('a tracker that is replaced leaves one vehicle with its plate', async () => {
  const vehicle = { make: 'MAN', license_plate: 'B-RW 100' }
  const first = (await register({ sub_client_id: 'north', vehicle })).body
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 1_000)
  const second = (await register({ sub_client_id: 'north', vehicle: { ...vehicle, vin: 'wma1', model: 'TGX', make: 'Man SE' } })).body
  assert.equal(second.vehicle_id, first.vehicle_id)
  const [known, ...others] = await listed('?license_plate=B-RW%20100')
  assert.deepEqual(others, [])
  // What was not known of it is added, and what was stays.
  assert.deepEqual([known?.make, known?.model, known?.vin, known?.device_id], ['MAN', 'TGX', 'WMA1', second.device_id])
  // By the VIN it now has, whatever plate is given; another VIN on the same plate is another vehicle, as is a plate of another sub-client.
  assert.equal((await register({ sub_client_id: 'north', vehicle: { vin: 'WMA1', license_plate: 'X' } })).body.vehicle_id, first.vehicle_id)
  for (const other of [
    { sub_client_id: 'north', vehicle: { ...vehicle, vin: 'WMA2' } },
    { sub_client_id: 'south', vehicle },
    { vehicle },
  ]) {
    assert.notEqual((await register(other)).body.vehicle_id, first.vehicle_id, JSON.stringify(other))
  }
})

test('of registrations of one plate at once one makes the vehicle', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () => untilTaken(() => register({ sub_client_id: 'north', vehicle: { license_plate: 'AT ONCE' } }))),
  )
  assert.equal(new Set(made.map(({ body }) => body.vehicle_id)).size, 1)
})

test('PUT changes what it names, null clears, and the rest stays', async () => {
  const { vehicle_id, created_at } = await create({ make: 'MAN', license_plate: 'P 1', vin: 'PUT1', external_ref: 'put 1', year: 2020 })
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 1_000)
  const put = async (body: object) => (await acme('PUT', `/vehicles/${vehicle_id}`, body)).body.vehicle
  const described = { name: 'Truck 17', vehicle_class: 'medium_truck', fuel_type: 'lng', drivetrain: '6x4', battery_nominal_v: 24 }
  const changed = await put({ ...described, license_plate: ' P 2 ', vin: 'put2', sub_client_id: 'north' })
  const expected = {
    ...described,
    license_plate: 'P 2',
    vin: 'PUT2',
    sub_client_id: 'north',
    make: 'MAN',
    year: 2020,
    external_ref: 'put 1',
  }
  for (const [field, value] of Object.entries(expected)) assert.equal(changed[field as keyof typeof changed], value, field)
  assert.deepEqual([changed.created_at, changed.updated_at], [created_at, fleet.clock.now.toISOString()])

  const cleared = await put(Object.fromEntries(Object.keys(expected).map((field) => [field, null])))
  for (const field of Object.keys(expected)) assert.equal(cleared[field as keyof typeof cleared], null, field)
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 1_000)
  assert.equal((await put({ make: null })).updated_at, cleared.updated_at)
  assert.equal((await acme('PUT', '/vehicles/put%201', { make: 'x' })).status, 404)
})

test('PUT refuses what cannot be', async () => {
  const taken = await create({ vin: 'TAKEN1', external_ref: 'taken 1' })
  const { vehicle_id } = await create({ make: 'MAN', sub_client_id: 'north' })
  const put = (body: object, call = acme) => call('PUT', `/vehicles/${vehicle_id}`, body)
  for (const body of [
    { vehicle_class: 'spaceship' },
    { fuel_type: 'Diesel' },
    { drivetrain: 'all' },
    { battery_nominal_v: 13 },
    { battery_nominal_v: '24' },
    { status: 'sold' },
    { status: null },
    { name: ' ' },
    { name: 'x'.repeat(201) },
    { year: 1899 },
    { vin: 'not a vin' },
  ]) {
    assert.equal((await put(body)).status, 400, JSON.stringify(body))
  }
  assert.match((await put({ vehicle_class: 'car' })).body.error.message, /passenger.*heavy_truck/)
  for (const body of [{ vin: 'taken1' }, { external_ref: taken.external_ref }]) assert.equal((await put(body)).body.error.code, 'conflict')
  assert.equal((await put({ sub_client_id: 'nobody' })).status, 404)
  assert.equal((await put({ make: 'x' }, south)).status, 404)
  assert.equal((await put({ make: 'x' }, fleet.as('rival'))).status, 404)
  assert.equal((await put({ sub_client_id: null }, north)).status, 400)
  assert.equal((await put({ sub_client_id: 'south' }, north)).status, 404)
  await fleet.query(`update sub_clients set status = 'suspended' where sub_client_id = 'north'`)
  assert.deepEqual([(await put({ make: 'x' })).status, (await put({ sub_client_id: 'south' })).status], [403, 200])
  await fleet.query(`update sub_clients set status = 'active' where sub_client_id = 'north'`)
})

test('a change that predictions depend on has the vehicle scored again, whichever way it comes', async () => {
  const vehicle = { license_plate: 'DUE 1' }
  const { device_id, vehicle_id } = (await register({ sub_client_id: 'north', vehicle })).body
  await fleet.hear('acme', device_id, { signals: { engineSpeedRpm: 900 } }, fleet.clock.now, vehicle_id)
  /** Whether it became due. */
  const isDueAfter = async (change: () => Promise<{ status: number }>) => {
    await fleet.query('update latest_states set due = false where vehicle_id = $1', vehicle_id)
    assert.equal((await change()).status, 200)
    const rows = await fleet.query('select due from latest_states where vehicle_id = $1', vehicle_id)
    return rows.every(({ due }) => due === true)
  }
  const put = (body: object) => isDueAfter(() => acme('PUT', `/vehicles/${vehicle_id}`, body))
  assert.deepEqual(
    [await put({ vehicle_class: 'van' }), await put({ vehicle_class: 'van', name: 'Van', drivetrain: 'fwd' })],
    [true, false],
  )
  assert.deepEqual(
    [await put({ vehicle_class: null }), await put({ vin: 'due1' }), await put({ battery_nominal_v: 12 })],
    [true, true, true],
  )
  const upsert = (body: object) => isDueAfter(() => acme('POST', '/vehicles', { vin: 'DUE1', ...body }))
  assert.deepEqual([await upsert({ year: 2020 }), await upsert({ year: 2020, make: 'MAN' })], [true, false])
  const registered = (body: object) => isDueAfter(() => register({ sub_client_id: 'north', vehicle: { vin: 'DUE1', ...body } }))
  assert.deepEqual([await registered({ fuel_type: 'electric' }), await registered({ fuel_type: 'diesel', model: 'e' })], [true, false])
  assert.equal(await put({ fuel_type: 'diesel', status: 'retired' }), false, 'one that is retired')
})

test('a vehicle that PUT moves leaves the devices of the sub-client before', async () => {
  const { device_id, vehicle_id } = (await register({ sub_client_id: 'north', vehicle: { make: 'MAN' } })).body
  assert.equal((await acme('PUT', `/vehicles/${vehicle_id}`, { sub_client_id: 'south' })).body.vehicle.device_id, null)
  assert.equal((await acme('GET', `/devices/${device_id}`)).body.device.vehicle_id, null)
})

test('a retired vehicle is not listed unless asked for, has no device, and takes none until it is restored', async () => {
  const vehicle = { vin: 'RETIRED1', license_plate: 'R 1' }
  const { device_id, vehicle_id } = (await register({ sub_client_id: 'north', vehicle })).body
  await fleet.hear('acme', device_id, { signals: { engineSpeedRpm: 900 } }, fleet.clock.now, vehicle_id)
  const count = async () => (await acme('GET', '/sub-clients/north')).body.sub_client.vehicle_count
  const countBefore = await count()
  const retired = (await acme('DELETE', `/vehicles/${vehicle_id}`)).body.vehicle
  assert.deepEqual([retired.status, retired.retired_at, retired.device_id], ['retired', fleet.clock.now.toISOString(), null])
  assert.deepEqual((await acme('DELETE', `/vehicles/${vehicle_id}`)).body.vehicle, retired)
  assert.deepEqual([await listed('?vin=RETIRED1'), (await listed('?vin=RETIRED1&status=retired')).length], [[], 1])
  assert.equal(await count(), countBefore - 1)
  assert.equal((await acme('GET', `/vehicles/${vehicle_id}`)).body.vehicle.status, 'retired')
  assert.deepEqual(await fleet.query('select due from latest_states where vehicle_id = $1', vehicle_id), [{ due: false }])
  assert.equal((await acme('GET', `/devices/${device_id}`)).body.device.vehicle_id, null)

  for (const linked of [
    await acme('PUT', `/devices/${device_id}`, { vehicle_id }),
    await acme('POST', '/vehicles', { vin: 'RETIRED1', device_id }),
    await register({ sub_client_id: 'north', vehicle }),
  ]) {
    assert.deepEqual([linked.status, linked.body.error.code], [409, 'conflict'])
  }
  // Its plate may be on another by now.
  const onPlate = await register({ sub_client_id: 'north', vehicle: { license_plate: 'R 1' } })
  assert.deepEqual([onPlate.status, onPlate.body.vehicle_id === vehicle_id], [200, false])
  assert.equal((await acme('POST', '/vehicles', { vin: 'RETIRED1', make: 'MAN' })).body.vehicle.status, 'retired')
  const restored = (await acme('PUT', `/vehicles/${vehicle_id}`, { status: 'active' })).body.vehicle
  assert.deepEqual([restored.status, restored.retired_at, restored.make], ['active', null, 'MAN'])
  assert.equal((await acme('PUT', `/devices/${device_id}`, { vehicle_id })).status, 200)
  const log = await fleet.query('select action from audit_log where object_id = $1 order by at, audit_id', vehicle_id)
  assert.deepEqual(new Set(log.map(({ action }) => action)), new Set(['vehicle.retired', 'vehicle.updated', 'vehicle.restored']))
})

test('a vehicle without plate and name shows the name of its device', async () => {
  const { device_id, vehicle_id } = (await register({ name: 'Dongle 7', vehicle: { make: 'MAN' } })).body
  const nameOf = async () => (await acme('GET', `/vehicles/${vehicle_id}`)).body.vehicle.name
  assert.equal(await nameOf(), 'Dongle 7')
  await acme('PUT', `/devices/${device_id}`, { name: 'Dongle 8' })
  assert.equal(await nameOf(), 'Dongle 8')
  await acme('PUT', `/vehicles/${vehicle_id}`, { license_plate: 'N 1' })
  assert.equal(await nameOf(), null)
  await acme('PUT', `/vehicles/${vehicle_id}`, { name: 'Seven' })
  assert.equal(await nameOf(), 'Seven')
})
