// Goal: what was found can be listed of a group of vehicles, by those who see the group. Method: the routes over a real PostgreSQL.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { insertGroupMembers, upsertVehicleGroup } from '../fleet/vehicle-groups.sql.ts'
import { START_MS } from '../predictions/test-bench.ts'
import { openTestDatabase } from '../test-support.ts'
import { openDesk } from './test-incident-desk.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const pool = database.systemPool

test('incidents and alerts are listed of the vehicles of a group, to whom sees it', async (t) => {
  const desk = await openDesk(t, database)
  const { resellerId } = desk.bench
  await desk.bench.addSubClient('north')
  const [inside, outside] = [await desk.bench.addVehicle({ subClientId: 'north' }), await desk.bench.addVehicle({ subClientId: 'north' })]
  for (const vehicleId of [inside, outside]) await desk.report(vehicleId, [{ type: 'hot' }])
  const at = new Date()
  const addGroup = async (groupId: string, subClientId: string | undefined) => {
    await upsertVehicleGroup(pool, resellerId, { groupId, name: groupId, subClientId, createdAt: at, updatedAt: at })
    await insertGroupMembers(pool, resellerId, groupId, [inside])
  }
  const [ofAll, ofNorth] = [newId('vgr'), newId('vgr')]
  await addGroup(ofAll, undefined)
  await addGroup(ofNorth, 'north')
  const pinned = desk.as({ subClientPin: 'north' })
  const vehiclesOf = async (api: typeof desk.api, groupId: string) => {
    const { incidents, total } = (await api.get<{ incidents: { vehicleId: string }[]; total: number }>(`/incidents?groupId=${groupId}`))
      .body
    const urgent = (await api.get<{ incidents: object[] }>(`/incidents?groupId=${groupId}&order=urgency`)).body.incidents
    const { alerts } = (await api.get<{ alerts: { vehicleId: string }[] }>(`/alerts?groupId=${groupId}`)).body
    assert.deepEqual([total, urgent.length, alerts.length], [incidents.length, incidents.length, incidents.length])
    return incidents.map(({ vehicleId }) => vehicleId)
  }
  assert.deepEqual(await vehiclesOf(desk.api, ofAll), [inside])
  assert.deepEqual(await vehiclesOf(pinned, ofNorth), [inside])
  // As the list of groups, which does not show it either.
  assert.deepEqual(await vehiclesOf(pinned, ofAll), [])
  assert.deepEqual(await vehiclesOf(desk.api, newId('vgr')), [])
  assert.deepEqual((await desk.api.get<{ total: number }>('/incidents?component=cool%00ing')).body.total, 0)
})
