// Goal: a page of the audit log names its devices, vehicles, incidents, SIMs and webhooks, of the reader's own only. Method: the route over a real database.

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
/** Of each kind that has names, one of this reseller. */
const idsOf = (resellerId: string) => ['dev', 'veh', 'inc', 'sim', 'whe'].map((kind) => `${kind}-of${resellerId}00000`)
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
  const [, , incidentId, simId, endpointId] = idsOf(resellerId)
  await database.systemPool.query(
    `insert into incidents (reseller_id, incident_id, vehicle_id, source, cause, component, severity, status, title, recommendation, occurrences,
                            opened_at, updated_at, resumes_as, published_live, published_severity)
     values ($1, $2, $3, 'engine', 'cooling', 'cooling', 'critical', 'open', 'Engine overheating', 'Stop', 1, now(), now(), 'open', true, 'critical')`,
    [resellerId, incidentId, `veh-of${resellerId}00000`],
  )
  await database.systemPool.query(
    `insert into operator_connections (reseller_id, connection_id, operator, name, enabled, base_url, settings, secrets_sealed, revision,
                                       custody_min_days, custody_max_days, custody_on_expiry, termination_grace_days, sync_every_minutes,
                                       created_at, updated_at)
     values ($1, 'opc-1', 'cisco', 'Cisco', false, 'https://example.invalid', '{}', '', 'r', 30, 90, 'suspend', 5, 60, now(), now())`,
    [resellerId],
  )
  await database.systemPool.query(
    `insert into sims (reseller_id, sim_id, connection_id, iccid, iccid_key, status, status_since, is_parked, last_history_seq, last_usage_seq,
                       created_at, updated_at)
     values ($1, $2, 'opc-1', '8949020000012345678', '8949020000012345678', 'active', now(), false, 1, 0, now(), now())`,
    [resellerId, simId],
  )
  await database.systemPool.query(
    `insert into webhook_endpoints (reseller_id, endpoint_id, url, secrets_sealed, created_at, updated_at)
     values ($1, $2, 'https://hooks.example/in', '', now(), now())`,
    [resellerId, endpointId],
  )
}
await database.systemPool.query(`insert into vehicles (reseller_id, vehicle_id) values ('acme', 'veh-nameless')`)
const [device = '', vehicle = '', incident = '', sim = '', webhook = ''] = idsOf('acme')

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

test('incidents have their titles, SIMs their ICCIDs and webhooks their addresses', async () => {
  await write(sim, { incidentId: null, webhookId: null }, { incidentId: incident, webhookId: webhook })
  assert.deepEqual((await read(`?objectId=${sim}`)).names, {
    [incident]: 'Engine overheating',
    [sim]: '8949020000012345678',
    [webhook]: 'https://hooks.example/in',
  })
})

test('the things of another reseller have no names here, and a key of a sub-client learns none', async () => {
  await write('vgr-2', { ids: idsOf('rival') }, { ids: ['dev-nosuch000000'] })
  assert.deepEqual((await read('?objectId=vgr-2')).names, {})
  assert.deepEqual(await read('', 'north'), { total: 0, entries: [], names: {}, pagination: { endCursor: null, hasNextPage: false } })
})
