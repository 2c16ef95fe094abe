// Goal: a vehicle is edited, moved, retired and restored on the Platform API as on the External API, by whom it belongs to and nobody else. Method: the
// routes on a real PostgreSQL.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestDatabase } from '../test-support.ts'
import { START_MS } from './test-bench.ts'
import { judgedFleet } from './test-judged-fleet.ts'
import { errorOf } from './test-surface.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))

test('what is given is changed, null clears, and the rest stays', async (t) => {
  const { platform, hot, bench } = await judgedFleet(t, database)
  const described = { name: 'Truck 17', vehicleClass: 'heavy_truck', fuelType: 'diesel', drivetrain: '6x4', batteryNominalV: 24 }
  const { status, body } = await platform.patch(`/vehicles/${hot}`, { ...described, vin: 'wma1', licensePlate: ' P 2 ', year: 2019 })
  assert.equal(status, 200, JSON.stringify(body))
  const fieldsOf = (vehicle: Record<string, unknown>, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, vehicle[name]]))
  assert.deepEqual(fieldsOf(body, Object.keys(described)), described)
  assert.deepEqual([body['vin'], body['licensePlate'], body['externalRef'], body['subClientId']], ['WMA1', 'P 2', 'truck-1', 'north'])
  assert.equal(typeof body['healthScore'], 'number', 'it is shown with its health')
  const { body: cleared } = await platform.patch('/vehicles/truck-1', { year: null, externalRef: null })
  assert.deepEqual([cleared['id'], cleared['year'], cleared['externalRef'], cleared['vin']], [hot, null, null, 'WMA1'])
  const { rows } = await database.systemPool.query<{ action: string }>(
    'select action from audit_log where reseller_id = $1 and object_id = $2 order by at, audit_id',
    [bench.resellerId, hot],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['vehicle.updated', 'vehicle.updated'],
  )
})

test('a retired vehicle leaves the list and comes back', async (t) => {
  const { platform, hot } = await judgedFleet(t, database)
  const total = async () => (await platform.get('/vehicles')).body['total']
  assert.equal((await platform.patch(`/vehicles/${hot}`, { status: 'retired' })).body['status'], 'retired')
  assert.equal(await total(), 1)
  assert.equal((await platform.patch(`/vehicles/${hot}`, { status: 'active' })).body['status'], 'active')
  assert.equal(await total(), 2)
})

test('it is moved by the reseller alone; a pinned caller keeps it, and nobody else finds it', async (t) => {
  const { platform, hot, pinned, stranger } = await judgedFleet(t, database)
  for (const outsider of [pinned('south'), stranger]) {
    assert.equal((await outsider.platform.patch(`/vehicles/${hot}`, { name: 'Mine' })).status, 404)
  }
  const { platform: north } = pinned('north')
  assert.equal((await north.patch(`/vehicles/${hot}`, { name: 'Ours' })).body['name'], 'Ours')
  assert.equal((await north.patch(`/vehicles/${hot}`, { subClientId: null })).status, 400)
  assert.equal((await north.patch(`/vehicles/${hot}`, { subClientId: 'south' })).status, 404)
  assert.equal((await platform.patch(`/vehicles/${hot}`, { subClientId: 'south' })).body['subClientId'], 'south')
  assert.equal((await north.get(`/vehicles/${hot}`)).status, 404)
  assert.equal((await platform.patch(`/vehicles/${hot}`, { subClientId: null })).body['subClientId'], null)
})

test('what cannot be is refused with its field', async (t) => {
  const { platform, hot, cool } = await judgedFleet(t, database)
  for (const [body, field] of [
    [{ year: 1800 }, 'year'],
    [{ vin: 'not a vin' }, 'vin'],
    [{ status: 'sold' }, 'status'],
    [{ vehicleClass: 'boat' }, 'vehicleClass'],
  ] as const) {
    const answer = await platform.patch(`/vehicles/${hot}`, body)
    assert.deepEqual([answer.status, errorOf(answer)['code']], [400, 'invalid_request'], field)
    assert.match(JSON.stringify(answer.body), new RegExp(field))
  }
  assert.equal((await platform.patch(`/vehicles/${cool}`, { externalRef: 'truck-1' })).status, 409)
})
