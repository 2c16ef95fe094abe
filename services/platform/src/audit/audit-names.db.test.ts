// Goal: a page of the audit log says what its devices and vehicles are called, of the reader's own only. Method: the route over a real database.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AuditList } from '@roadworthy/contracts/platform-v1/audit'
import type { Static } from 'typebox'
import { startTestSurface } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { lastFirst } from '../surfaces/test-api.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { type Author, writeAudit } from './audit.ts'
import { auditPlatformRoutes } from './routes.platform-v1.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const surface = await startTestSurface(cleanUp, platformSurface, [auditPlatformRoutes({ database })])
for (const [resellerId, name] of [
  ['acme', 'Tracker of truck 12'],
  ['rival', 'Not yours'],
] as const) {
  await insertReseller(database, resellerId)
  await database.systemPool.query(
    `insert into devices (reseller_id, device_id, name, device_type, connection_method, status) values ($1, $2, $3, 'other', 'http', 'active')`,
    [resellerId, `dev-of${resellerId}00000`, name],
  )
  await database.systemPool.query(
    `insert into vehicles (reseller_id, vehicle_id, name, license_plate) values ($1, $2, 'Truck 12', 'AB-12')`,
    [resellerId, `veh-of${resellerId}00000`],
  )
}
await database.systemPool.query(`insert into vehicles (reseller_id, vehicle_id) values ('acme', 'veh-nameless')`)
const [device, vehicle, theirs] = ['dev-ofacme00000', 'veh-ofacme00000', 'dev-ofrival00000']

const author: Author = { resellerId: 'acme', type: 'cli', id: 'operator', at: new Date() }
const write = (objectId: string, before: object, after: object) =>
  database.tenant('acme', (db) => writeAudit(db, author, { action: 'thing.updated', objectId, before: { ...before }, after: { ...after } }))
const read = async (query = '', subClientPin?: string) =>
  (await surface.as({ resellerId: 'acme', subClientPin }).get<Static<typeof AuditList>>(`/audit${query}`)).body

test('what an entry is about, and what its changes name, alone or in a list, has its name beside its id', async () => {
  await write(device, { vehicleId: null }, { vehicleId: 'veh-nameless' })
  assert.deepEqual((await read(`?objectId=${device}`)).names, { [device]: 'Tracker of truck 12' })
  await write('vgr-1', { vehicleIds: [vehicle] }, { vehicleIds: [] })
  assert.deepEqual((await read('?objectId=vgr-1')).names, { [vehicle]: 'AB-12' })
  assert.deepEqual((await read()).names, { [device]: 'Tracker of truck 12', [vehicle]: 'AB-12' })
})

test('a device of another reseller has no name here, and a key of a sub-client learns none', async () => {
  await write(theirs, { deviceId: theirs }, { deviceId: 'dev-nosuch000000' })
  assert.deepEqual((await read(`?objectId=${theirs}`)).names, {})
  assert.deepEqual(await read('', 'north'), { total: 0, entries: [], names: {}, pagination: { endCursor: null, hasNextPage: false } })
})
