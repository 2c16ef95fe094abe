// Goal: an incident is assigned to nobody who does not see it. Method: a real PostgreSQL, the routes of incidents, people changed as their slice does it, and
// the job's round.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { systemAuthor } from '../audit/audit.ts'
import { changeUser, removeUser } from '../people/users.ts'
import { openTestDatabase } from '../test-support.ts'
import { endLostAssignments } from './end-assignments.ts'
import { openDesk } from './test-incident-desk.ts'

const { database } = await openTestDatabase({ after })
type Steps = { history: { action: string; by: string; assignee: string | null; formerAssignee: string | null }[] }

test('an incident whose assignee is removed, deactivated or bound to another sub-client is assigned to nobody, with a step in its history', async (t) => {
  const desk = await openDesk(t, database)
  const { bench, api } = desk
  const [north, south] = [await bench.addSubClient('north'), await bench.addSubClient('south')]
  const vehicles = { removed: '', deactivated: '', bound: '', ofNorth: '', stays: '' }
  const assignees = { ...vehicles }
  for (const name of Object.keys(vehicles) as (keyof typeof vehicles)[]) {
    vehicles[name] = await bench.addVehicle({ subClientId: north })
    await desk.report(vehicles[name], [{ type: 'overheat' }])
    assignees[name] = await desk.addUser(newId('usr'), name === 'ofNorth' ? { subClientId: north } : {})
    const { id } = await desk.only(vehicles[name])
    assert.equal((await api.patch(`/incidents/${id}`, { status: 'acknowledged', assignee: assignees[name] })).status, 200)
  }
  assert.equal(await endLostAssignments(database), 0)
  const before = (await desk.events()).length

  const { resellerId } = bench
  const author = systemAuthor(resellerId, new Date())
  await removeUser(database, { resellerId, subClientPin: undefined }, assignees.removed, author)
  await changeUser(database, { resellerId, subClientPin: undefined }, assignees.deactivated, { status: 'deactivated' }, author)
  await changeUser(
    database,
    { resellerId, subClientPin: undefined },
    assignees.bound,
    { role: 'sub_client_viewer', subClientId: south },
    author,
  )
  await database.systemPool.query('update vehicles set sub_client_id = $3 where reseller_id = $1 and vehicle_id = $2', [
    ...[resellerId, vehicles.ofNorth, south],
  ])
  assert.equal(await endLostAssignments(database), 4)
  assert.equal(await endLostAssignments(database), 0)

  const { stays, ...lost } = vehicles
  for (const [name, vehicleId] of Object.entries(lost) as [keyof typeof lost, string][]) {
    const incident = await desk.only(vehicleId)
    assert.deepEqual([incident.assignee, incident.status], [null, 'acknowledged'], name)
    const [step] = (await api.get<Steps>(`/incidents/${incident.id}/history`)).body.history
    assert.deepEqual(
      [step?.action, step?.by, step?.assignee, step?.formerAssignee],
      ['assigned', 'roadworthy', null, assignees[name]],
      name,
    )
  }
  assert.equal((await desk.only(stays)).assignee, assignees.stays)
  assert.deepEqual(
    (await desk.events()).slice(before).map(({ type, data }) => [type, data['assignee']]),
    Array.from({ length: 4 }, () => ['incident.updated', null]),
  )
})

test('an incident that is resolved keeps who was at it', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [{ type: 'overheat' }])
  const assignee = await desk.addUser(newId('usr'))
  const { id } = await desk.only(vehicleId)
  await desk.api.patch(`/incidents/${id}`, { status: 'resolved', resolution: { reason: 'other' }, assignee })
  const { resellerId } = desk.bench
  await removeUser(database, { resellerId, subClientPin: undefined }, assignee, systemAuthor(resellerId, new Date()))
  assert.equal(await endLostAssignments(database), 0)
  assert.equal((await desk.only(vehicleId)).assignee, assignee)
})
