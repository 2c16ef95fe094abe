// Goal: people put vehicles under names, each within what is theirs. Method: the routes over a real database.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { VehicleGroup } from '@roadworthy/contracts/platform-v1/vehicle-groups'
import { fleetPlatformRoutes } from '../predictions/fleet/fleet.routes.platform-v1.ts'
import { vehicleRoutesOf } from '../predictions/test-judged-fleet.ts'
import { errorOf, startTestSurface, type TestCaller } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { vehicleGroupPlatformRoutes } from './vehicle-group.routes.platform-v1.ts'
import { MAX_VEHICLE_GROUPS } from './vehicle-group.ts'

const { database } = await openTestDatabase({ after })
for (const resellerId of ['acme', 'rival', 'crowded']) await insertReseller(database, resellerId)
const { systemPool } = database
for (const id of ['north', 'south']) {
  await systemPool.query("insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', $1, $1)", [id])
}
const now = () => new Date('2026-03-02T10:00:00Z')
const surface = await startTestSurface({ after }, platformSurface, [
  vehicleGroupPlatformRoutes({ database, now }),
  vehicleRoutesOf(database, now),
  fleetPlatformRoutes({ database, now, offlineAfterMs: 300_000 }),
])
const as = (caller: Partial<TestCaller> = {}) => surface.as({ resellerId: 'acme', ...caller })
const create = async (body: object, caller: Partial<TestCaller> = {}) => await as(caller).post<VehicleGroup>('/vehicle-groups', body)

let vehicles = 0
async function addVehicle(more: { subClientId?: string; externalRef?: string; resellerId?: string } = {}): Promise<string> {
  const vehicleId = `veh-${++vehicles}`
  await systemPool.query('insert into vehicles (reseller_id, vehicle_id, sub_client_id, external_ref) values ($1, $2, $3, $4)', [
    ...[more.resellerId ?? 'acme', vehicleId, more.subClientId ?? null, more.externalRef ?? null],
  ])
  return vehicleId
}

const idsIn = async (groupId: string, caller: Partial<TestCaller> = {}) => {
  const { body } = await as(caller).get<{ vehicles: { id: string }[] }>(`/vehicles?groupId=${groupId}`)
  return body.vehicles.map(({ id }) => id)
}

test('the groups of a vehicle are those that it is in, of which the caller sees some', async () => {
  const vehicleId = await addVehicle({ subClientId: 'north' })
  const [all, north] = [await create({ name: 'Vans', vehicleIds: [vehicleId] }), await create({ name: 'Of north', subClientId: 'north' })]
  await as().patch(`/vehicle-groups/${north.body.id}`, { addVehicleIds: [vehicleId] })
  await create({ name: 'Others', vehicleIds: [await addVehicle()] })
  type Listed = { total: number; vehicleGroups: VehicleGroup[] }
  const groupsOf = async (caller: Partial<TestCaller> = {}, id = vehicleId) => {
    const { total, vehicleGroups } = (await as(caller).get<Listed>(`/vehicle-groups?vehicleId=${id}`)).body
    assert.equal(total, vehicleGroups.length)
    return vehicleGroups.map(({ id }) => id).sort()
  }
  assert.deepEqual(await groupsOf(), [all.body.id, north.body.id].sort())
  assert.deepEqual(await groupsOf({ subClientPin: 'north' }), [north.body.id])
  assert.deepEqual(await groupsOf({ subClientPin: 'south' }), [])
  assert.deepEqual(await groupsOf({}, 'veh%00'), [])
  await systemPool.query("update vehicles set sub_client_id = 'south' where vehicle_id = $1", [vehicleId])
  assert.deepEqual(await groupsOf(), [all.body.id])
})

test('a group takes vehicles by our id or theirs, is renamed, lists them, and goes without them', async () => {
  const [first, second, third] = [await addVehicle(), await addVehicle({ externalRef: 'truck 7' }), await addVehicle()]
  const made = await create({ name: ' Depot North ', vehicleIds: [first, 'truck 7', first] })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const { id } = made.body
  const at = now().toISOString()
  const kept = { id, name: 'Depot North', subClientId: null, vehicleCount: 2, createdAt: at, updatedAt: at }
  assert.deepEqual(made.body, kept)
  const changed = await as().patch<VehicleGroup>(`/vehicle-groups/${id}`, {
    ...{ name: 'Depot', addVehicleIds: [third, second], removeVehicleIds: [first, 'truck of nobody'] },
  })
  assert.deepEqual(changed.body, { ...kept, name: 'Depot' })
  assert.deepEqual((await as().get(`/vehicle-groups/${id}`)).body, changed.body)
  assert.deepEqual((await idsIn(id)).sort(), [second, third])
  const sorted = await as().get<{ vehicles: { id: string }[] }>(`/vehicles?groupId=${id}&sort=name&limit=1`)
  assert.deepEqual(
    [
      sorted.body.vehicles.length,
      sorted.body['total' as never],
      (await as().get<{ total: number }>(`/fleet/counts?groupId=${id}`)).body.total,
    ],
    [1, 2, 2],
  )
  assert.equal((await as().get<{ total: number }>(`/fleet/map?groupId=${id}`)).status, 200)
  await systemPool.query("update vehicles set status = 'retired' where reseller_id = 'acme' and vehicle_id = $1", [third])
  assert.equal((await as().get<VehicleGroup>(`/vehicle-groups/${id}`)).body.vehicleCount, 1)
  assert.deepEqual((await as().delete(`/vehicle-groups/${id}`)).body, { id, deleted: true })
  assert.equal((await as().get(`/vehicle-groups/${id}`)).status, 404)
  assert.deepEqual(await idsIn(id), [])
})

test('two groups of an owner do not have one name, in whatever case; those of two owners may', async () => {
  assert.equal((await create({ name: 'Workshop' })).status, 200)
  const again = await create({ name: 'WORKSHOP' })
  assert.deepEqual([again.status, errorOf(again)['code']], [409, 'already_exists'])
  const { body: other } = await create({ name: 'Workshop', subClientId: 'north' })
  assert.equal(other.subClientId, 'north')
  const { body: third } = await create({ name: 'Third' })
  assert.equal((await as().patch(`/vehicle-groups/${third.id}`, { name: 'workshop' })).status, 409)
  assert.equal((await as().patch(`/vehicle-groups/${third.id}`, { name: 'THIRD' })).status, 200)
  for (const name of ['', ' ', 'two\nlines', 'nul\0']) assert.equal((await create({ name })).status, 400)
})

test('a group of a sub-client holds its vehicles alone, and one that moves away does not count', async () => {
  const [ours, whole] = [await addVehicle({ subClientId: 'north' }), await addVehicle()]
  assert.equal((await create({ name: 'Mixed', subClientId: 'north', vehicleIds: [ours, whole] })).status, 404)
  const { body } = await create({ name: 'Ours', subClientId: 'north', vehicleIds: [ours] })
  assert.deepEqual([body.vehicleCount, await idsIn(body.id)], [1, [ours]])
  await systemPool.query("update vehicles set sub_client_id = 'south' where reseller_id = 'acme' and vehicle_id = $1", [ours])
  assert.equal((await as().get<VehicleGroup>(`/vehicle-groups/${body.id}`)).body.vehicleCount, 0)
  assert.deepEqual(await idsIn(body.id), [])
})

test('a pinned key makes and sees groups of its sub-client, and another reseller none', async () => {
  const north = { subClientPin: 'north' }
  const [ours, whole] = [await addVehicle({ subClientId: 'north' }), await addVehicle()]
  const { body: mine } = await create({ name: 'Pinned', vehicleIds: [ours] }, north)
  assert.equal(mine.subClientId, 'north')
  const { body: all } = await create({ name: 'All of us', vehicleIds: [ours, whole] })
  assert.equal((await create({ name: 'Elsewhere', subClientId: 'south' }, north)).status, 404)
  assert.equal((await as(north).patch(`/vehicle-groups/${mine.id}`, { addVehicleIds: [whole] })).status, 404)
  const seen = (await as(north).get<{ vehicleGroups: VehicleGroup[]; total: number }>('/vehicle-groups')).body
  assert.ok(seen.vehicleGroups.every(({ subClientId }) => subClientId === 'north'))
  assert.equal(seen.total, seen.vehicleGroups.length)
  assert.deepEqual([await idsIn(mine.id, north), await idsIn(all.id, north)], [[ours], []])
  for (const caller of [north, { resellerId: 'rival' }]) {
    assert.equal((await as(caller).get(`/vehicle-groups/${all.id}`)).status, 404)
    assert.equal((await as(caller).patch(`/vehicle-groups/${all.id}`, { name: 'taken' })).status, 404)
    assert.equal((await as(caller).delete(`/vehicle-groups/${all.id}`)).status, 404)
  }
  assert.equal((await create({ name: 'Stolen', vehicleIds: [whole] }, { resellerId: 'rival' })).status, 404)
})

test('of groups that are made at once, as many are as there may be', async () => {
  const crowded = { resellerId: 'crowded' }
  const at = now()
  await systemPool.query(
    `insert into vehicle_groups (reseller_id, group_id, name, created_at, updated_at)
     select 'crowded', 'vgr-' || n, 'Depot ' || n, $1, $1 from generate_series(2, $2::int) n`,
    [at, MAX_VEHICLE_GROUPS],
  )
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => create({ name }, crowded)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
})

test('a group of a suspended sub-client does not change', async () => {
  const { body } = await create({ name: 'Quiet', subClientId: 'south' })
  await systemPool.query("update sub_clients set status = 'suspended' where reseller_id = 'acme' and sub_client_id = 'south'")
  const refused = await as().patch(`/vehicle-groups/${body.id}`, { name: 'Loud' })
  assert.deepEqual([refused.status, errorOf(refused)['code']], [403, 'sub_client_suspended'])
})
