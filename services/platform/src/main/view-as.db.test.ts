// Goal: who looks as a sub-client can do what a viewer of it can, and nothing beside it; and nobody sees more by it than before. Method: every
// route that reads is asked by both, also with ids of another sub-client, and the answers are the same; every route that changes refuses.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { createKey } from '../keys/keys.ts'
import { createTestUser } from '../people/test-users.ts'
import { createReseller } from '../resellers/resellers.ts'
import { openWholeApi } from './test-whole-api.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Headers = Readonly<Record<string, string>>

const PASSWORD = 'correct horse battery'
const { app, database, routes } = await openWholeApi({ after })
const now = new Date()
await createReseller(database, { slug: 'acme', name: 'Acme' }, now)
await createReseller(database, { slug: 'rival', name: 'Rival' }, now)
const { apiKey } = await createKey(database, 'acme', { name: 'all', scopes: ['*'], perMinute: 0, perDay: 0 }, now)
const asKey = { 'x-api-key': apiKey }
for (const [resellerId, subClientId] of [
  ['acme', 'north'],
  ['acme', 'south'],
  ['rival', 'east'],
]) {
  await database.systemPool.query('insert into sub_clients (reseller_id, sub_client_id, name) values ($1, $2, initcap($2))', [
    resellerId,
    subClientId,
  ])
}

async function call(method: Method, url: string, headers: Headers, payload?: object): Promise<LightMyRequestResponse> {
  return await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
}

async function ok<T>(answered: Promise<LightMyRequestResponse>): Promise<T> {
  const response = await answered
  assert.equal(response.statusCode, 200, response.body)
  return response.json() as T
}

async function signedIn(email: string, role: 'owner' | 'member' | 'viewer' | 'sub_client_viewer', subClientId?: string) {
  const owned = subClientId === undefined ? {} : { subClientId }
  await createTestUser(database, { resellerId: 'acme', email, password: PASSWORD, role, ...owned }, now)
  const response = await call('POST', '/api/v1/session', {}, { email, password: PASSWORD })
  const [cookie] = response.cookies
  assert.ok(cookie, response.body)
  return { cookie: `${cookie.name}=${cookie.value}` }
}

const viewAs = (headers: Headers, subClientId: string) => call('PUT', '/api/v1/session/view-as', headers, { subClientId })
const stop = (headers: Headers) => call('DELETE', '/api/v1/session/view-as', headers)
type SessionAnswer = { session: { role: string; subClientId: string | null; viewAs: object | null } }
async function sessionOf(headers: Headers): Promise<SessionAnswer['session']> {
  return (await ok<SessionAnswer>(call('GET', '/api/v1/session', headers))).session
}

async function makeTruck(subClientId: string, imei: string): Promise<{ deviceId: string; vehicleId: string }> {
  const body = { sub_client_id: subClientId, imei, vehicle: { mode: 'create', license_plate: subClientId } }
  const made = await ok<{ device_id: string; vehicle_id: string }>(call('POST', '/api/external/devices', asKey, body))
  return { deviceId: made.device_id, vehicleId: made.vehicle_id }
}
const southern = await makeTruck('south', '356938035643817')
const northern = await makeTruck('north', '356938035643809')
const owner = await signedIn('owner@acme.example', 'owner')
const northViewer = await signedIn('north@acme.example', 'sub_client_viewer', 'north')

/** It never ends; who may open it is decided by the gate, as for all others. */
const ENDLESS = '/api/v1/stream'
const reading = routes.filter(
  ({ method, url, config }) =>
    [method].flat().includes('GET') && config?.public !== true && /^\/api\/(v1|sim-billing)\//.test(url) && url !== ENDLESS,
)
const changing = routes.flatMap(({ method, url, config }) =>
  config?.public === true || !/^\/api\/(v1|sim-billing)\//.test(url)
    ? []
    : [method].flat().flatMap((each) => (['POST', 'PUT', 'PATCH', 'DELETE'].includes(each) ? [{ method: each as Method, url }] : [])),
)

/** The addresses of a route: with ids of the other sub-client, and of the own one. */
function addressesOf(url: string): string[] {
  return [
    { deviceId: southern.deviceId, vehicleId: southern.vehicleId, subClientId: 'south' },
    { deviceId: northern.deviceId, vehicleId: northern.vehicleId, subClientId: 'north' },
  ].map(({ deviceId, vehicleId, subClientId }) =>
    url
      .replace(/\/devices\/:\w+/, `/devices/${deviceId}`)
      .replace(/\/vehicles\/:\w+/, `/vehicles/${vehicleId}`)
      .replace(/\/(sub-clients|customers)\/:\w+/, `/$1/${subClientId}`)
      .replace(/:\w+/g, 'unknown'),
  )
}

/** An answer without what differs from one request to the next. */
function shown(response: LightMyRequestResponse): unknown {
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  const body = isJson
    ? JSON.parse(response.body, (key, value) => (['request_id', 'from', 'to', 'elapsedPercent'].includes(key) ? '' : value))
    : response.body
  return { status: response.statusCode, body }
}

/** What pages ask is not counted as use of the API: the two answers would differ by the calls that are being counted. */
const byPage = (headers: Headers): Headers => ({ ...headers, 'sec-fetch-site': 'same-origin' })

test('each answer is the one that a viewer of the sub-client gets', async () => {
  const before = await ok<{ total: number }>(call('GET', '/api/v1/devices', owner))
  assert.equal(before.total, 2)
  await ok(viewAs(owner, 'north'))
  let isSeen = 0
  for (const { url } of reading) {
    for (const address of addressesOf(url)) {
      const [theirs, ours] = await Promise.all([call('GET', address, byPage(northViewer)), call('GET', address, byPage(owner))])
      assert.deepEqual(shown(ours), shown(theirs), address)
      const isShown = ours.statusCode === 200 && Object.values(southern).some((id) => ours.body.includes(id))
      assert.equal(isShown, false, address)
      if (ours.body.includes(northern.vehicleId)) isSeen++
    }
  }
  assert.ok(reading.length > 40 && isSeen > 3, 'routes were asked, and answered with what is there')
  await ok(stop(owner))
})

test('nothing can be changed, and the refusal states what to do', async () => {
  await ok(viewAs(owner, 'north'))
  for (const { method, url } of changing) {
    for (const address of addressesOf(url)) {
      const response = await call(method, address, owner, method === 'DELETE' ? undefined : {})
      assert.equal(response.statusCode, 403, `${method} ${address}: ${response.body}`)
    }
  }
  const asked = await call('PATCH', '/api/v1/incidents/inc-1', owner, { status: 'resolved' })
  assert.match(asked.json().error.message, /look as a sub-client.*Stop that first/)
  const changed = await call('PUT', '/api/v1/session/password', owner, { current: PASSWORD, next: 'staple battery horse' })
  assert.equal(changed.statusCode, 409, 'a new password would open a session that is not held')
  assert.ok(changing.length > 60)
  await ok(stop(owner))
})

test('it holds for one session, from the next request on, until it is stopped', async () => {
  const other = await signedIn('second@acme.example', 'member')
  const started = await ok<SessionAnswer>(viewAs(other, 'north'))
  assert.deepEqual(started.session.viewAs, { subClientId: 'north', subClientName: 'North', ownRole: 'member' })
  assert.deepEqual([started.session.role, started.session.subClientId], ['sub_client_viewer', 'north'])
  assert.deepEqual((await sessionOf(owner)).viewAs, null)
  assert.deepEqual(await sessionOf(other), (await ok<SessionAnswer>(call('GET', '/api/v1/session', other))).session)
  assert.equal((await ok<SessionAnswer>(viewAs(other, 'south'))).session.subClientId, 'south', 'another is chosen without a stop')
  assert.deepEqual((await ok<SessionAnswer>(stop(other))).session, {
    ...(await sessionOf(other)),
    role: 'member',
    subClientId: null,
    viewAs: null,
  })
  await ok(stop(other))
  const { entries } = await ok<{ entries: { action: string; subClientId: string; changes: object }[] }>(
    call(
      'GET',
      `/api/v1/audit?actor=${(await ok<{ session: { userId: string } }>(call('GET', '/api/v1/session', other))).session.userId}`,
      asKey,
    ),
  )
  assert.deepEqual(
    entries.filter(({ action }) => action.includes('view_as')).map(({ action, subClientId, changes }) => [action, subClientId, changes]),
    [
      ['user.view_as_stopped', 'south', { viewAs: { from: 'south', to: null } }],
      ['user.view_as_started', 'south', { viewAs: { from: 'north', to: 'south' } }],
      ['user.view_as_started', 'north', { viewAs: { from: null, to: 'north' } }],
    ],
    'each start and stop is in the audit log, once',
  )
})

test('who is of a sub-client sees no other by it, also who was moved there while looking at another', async () => {
  for (const subClientId of ['south', 'north']) {
    const refused = await viewAs(northViewer, subClientId)
    assert.deepEqual([refused.statusCode, refused.json().error.code], [403, 'missing_scope'])
  }
  assert.equal((await ok<SessionAnswer>(stop(northViewer))).session.subClientId, 'north')
  const moved = await signedIn('moved@acme.example', 'viewer')
  const { session } = await ok<{ session: { userId: string } }>(viewAs(moved, 'south'))
  await ok(call('PATCH', `/api/v1/users/${session.userId}`, asKey, { role: 'sub_client_viewer', subClientId: 'north' }))
  const after = await sessionOf(moved)
  assert.deepEqual([after.subClientId, after.viewAs], ['north', null])
  assert.equal((await call('GET', `/api/v1/devices/${southern.deviceId}`, moved)).statusCode, 404)
  await ok(stop(moved))
  assert.equal((await sessionOf(moved)).subClientId, 'north')
})

test('of another reseller, and of nobody, there is no sub-client; without a session nobody looks', async () => {
  const [theirs, nobodys] = await Promise.all([viewAs(owner, 'east'), viewAs(owner, 'west')])
  assert.deepEqual([theirs.statusCode, nobodys.statusCode], [404, 404])
  assert.equal(theirs.json().error.message.replace('east', 'west'), nobodys.json().error.message)
  assert.equal((await viewAs({}, 'north')).statusCode, 401)
  assert.equal((await viewAs(asKey, 'north')).statusCode, 401, 'a key has no session')
  const foreign = { ...owner, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
  assert.equal((await viewAs(foreign, 'north')).statusCode, 401)
  assert.equal((await sessionOf(owner)).viewAs, null)
})

test('what is called outside of pages while looking is used by the reseller, not by the sub-client', async () => {
  const counts = async () => {
    const { rows } = await database.systemPool.query<{ sub_client_id: string; count: number }>(
      "select coalesce(sub_client_id, '') as sub_client_id, sum(count)::integer as count from usage_entries where reseller_id = 'acme' group by 1",
    )
    return Object.fromEntries(rows.map(({ sub_client_id, count }) => [sub_client_id, count]))
  }
  await ok(viewAs(owner, 'north'))
  const before = await counts()
  await ok(call('GET', '/api/v1/vehicles', owner))
  const after = await counts()
  assert.equal(after['north'] ?? 0, before['north'] ?? 0)
  assert.ok((after[''] ?? 0) > (before[''] ?? 0))
  await ok(stop(owner))
})
