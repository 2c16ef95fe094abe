// Goal: an owner starts and stops the demo fleet, which the audit log has once each, and where there is none nothing is done.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createKey } from '../../keys/keys.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../../surfaces/test-api.ts'
import { openTestDatabase } from '../../test-support.ts'
import { demoFleetPlatformRoutes } from './demo-fleet.routes.platform-v1.ts'
import type { DemoFleetControl } from './demo-fleet.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const { apiKey } = await insertResellerWithKey(database, 'acme')
const { apiKey: ofRival } = await insertResellerWithKey(database, 'rival')

let state: ReturnType<DemoFleetControl['stateFor']> = 'off'
const demoFleet: DemoFleetControl = {
  stateFor: (resellerId) => (resellerId === 'acme' ? state : 'unavailable'),
  setRunning: async (isRunning) => {
    state = isRunning ? 'running' : 'off'
  },
}
const { app } = await openTestApi(cleanUp, database, {
  platform: [demoFleetPlatformRoutes({ database, demoFleet, now: () => new Date() })],
})
const put = async (running: boolean, key = apiKey) =>
  await app.inject({ method: 'PUT', url: '/api/v1/demo-fleet', headers: { 'x-api-key': key }, payload: { running } })

test('it is started and stopped, and asking for what is changes nothing', async () => {
  const shown = await app.inject({ url: '/api/v1/demo-fleet', headers: { 'x-api-key': apiKey } })
  assert.deepEqual([shown.statusCode, shown.json()], [200, { state: 'off', vehicles: 24 }])
  const states: string[] = []
  for (const running of [false, true, true, false]) states.push((await put(running)).json().state)
  assert.deepEqual(states, ['off', 'running', 'running', 'off'])
  const { entries } = (await app.inject({ url: '/api/v1/audit', headers: { 'x-api-key': apiKey } })).json()
  const actions = entries.map(({ action, objectId }: { action: string; objectId: string }) => [action, objectId])
  assert.deepEqual(
    actions.filter(([action]: [string]) => action.startsWith('demo_fleet')),
    [
      ['demo_fleet.stopped', 'acme'],
      ['demo_fleet.started', 'acme'],
    ],
  )
})

test('what is not there is not started, and what runs with the service is not stopped', async () => {
  const refused = await put(true, ofRival)
  assert.deepEqual([refused.statusCode, refused.json().error.code], [409, 'conflict'])
  assert.equal((await put(false, ofRival)).json().state, 'unavailable')
  state = 'always'
  assert.equal((await put(true)).json().state, 'always')
  assert.equal((await put(false)).json().error.code, 'conflict')
  state = 'off'
})

test('only full access to the whole reseller starts it', async () => {
  const at = new Date()
  await database.tenant('acme', (db) =>
    db.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'North')`),
  )
  const { apiKey: ofNorth } = await createKey(database, 'acme', { name: 'north', scopes: ['*'], subClientId: 'north' }, at)
  const { apiKey: weak } = await createKey(database, 'acme', { name: 'weak', scopes: ['vehicles:write', 'vehicles:read'] }, at)
  assert.deepEqual([(await put(true, ofNorth)).statusCode, (await put(true, weak)).statusCode, state], [409, 403, 'off'])
})
