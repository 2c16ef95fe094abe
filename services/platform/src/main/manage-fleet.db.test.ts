// Goal: devices and sub-clients can be managed on the Platform API, by the same rules as on the External API. Method: the routes as
// `npm start` registers them, with keys of the whole reseller and of one sub-client.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createKey } from '../keys/keys.ts'
import { createReseller } from '../resellers/resellers.ts'
import { onOnePostgres } from '../test-support.ts'
import { openWholeApi } from './test-whole-api.ts'

const { app, database } = await openWholeApi({ after })
await createReseller(database, { slug: 'acme', name: 'Acme' }, new Date())

type Answer = { status: number; body: ReturnType<typeof JSON.parse> }
type Call = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) => Promise<Answer>

async function callerOf(subClientId?: string): Promise<Call> {
  const { apiKey } = await createKey(
    database,
    'acme',
    { name: 'test', scopes: ['*'], perMinute: 0, perDay: 0, ...(subClientId === undefined ? {} : { subClientId }) },
    new Date(),
  )
  return async (method, path, body) => {
    const headers = { 'x-api-key': apiKey }
    const answer = await app.inject({ method, url: path, headers, ...(body === undefined ? {} : { payload: body }) })
    return { status: answer.statusCode, body: answer.json() }
  }
}

const all = await callerOf()
for (const name of ['North', 'South']) await all('POST', '/api/v1/sub-clients', { name })
const north = await callerOf('north')

let imeis = 0
const newImei = () => String(356_100_000_000_000 + ++imeis)

async function register(body: object): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await all('POST', '/api/v1/devices', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

test('a device is registered with its vehicle, shown with its names, and the same to both APIs', async () => {
  const vehicle = { mode: 'create', make: 'Toyota', licensePlate: 'KA-01', year: 2014 }
  const given = { name: 'Dongle', imei: newImei(), deviceType: 'obd_dongle', simNumber: '8991', subClientId: 'north', vehicle }
  const { id, mqttPassword, mqttPasswordHash, vehicleId, ...rest } = await register(given)
  assert.deepEqual(rest, {
    status: 'active',
    mqttBroker: 'localhost:1883',
    mqttUsername: `acme/${id}`,
    mqttTopic: `fleet/acme/devices/${id}/telemetry`,
    subClientId: 'north',
  })
  assert.match(mqttPassword, /^[0-9A-Za-z]{32}$/)
  assert.match(mqttPasswordHash, /^\$7\$/)
  const { body: shown } = await all('GET', `/api/v1/devices/${given.imei}`)
  const { createdAt, updatedAt, ...device } = shown
  assert.equal(createdAt, updatedAt)
  const { vehicle: _, ...asGiven } = given
  assert.deepEqual(device, {
    ...asGiven,
    id,
    connectionMethod: 'mqtt',
    status: 'active',
    online: false,
    lastSeenAt: null,
    battery: null,
    vehicleId,
    vehicle: { id: vehicleId, name: null, licensePlate: 'KA-01', externalRef: null, vin: null },
    mqttUsername: `acme/${id}`,
    mqttTopic: `fleet/acme/devices/${id}/telemetry`,
  })
  const { device: external } = (await all('GET', `/api/external/devices/${id}`)).body
  assert.deepEqual([external.imei, external.sub_client_id, external.vehicle_id], [given.imei, 'north', vehicleId])
})

test('a repeated registration gets the first answer of its own API, and of the other none', async () => {
  const body = { name: 'Twice', imei: newImei() }
  const first = await all('POST', '/api/v1/devices', body)
  assert.deepEqual(await all('POST', '/api/v1/devices', body), first)
  const elsewhere = await all('POST', '/api/external/devices', body)
  assert.deepEqual([elsewhere.status, elsewhere.body.error.code], [409, 'device_exists'])
})

test('a change moves, suspends and unlinks; what is left out stays', async () => {
  const { id } = await register({ name: 'Mover', imei: newImei(), subClientId: 'north', vehicle: { licensePlate: 'MOVE 1' } })
  const path = `/api/v1/devices/${id}`
  const suspended = (await all('PATCH', path, { status: 'suspended', name: null })).body
  assert.deepEqual([suspended.status, suspended.name, suspended.subClientId], ['suspended', null, 'north'])
  const moved = (await all('PATCH', path, { subClientId: 'south' })).body
  assert.deepEqual([moved.subClientId, moved.vehicleId, moved.vehicle, moved.status], ['south', null, null, 'suspended'])
  assert.deepEqual((await all('PATCH', path, { mqttPassword: 'mine' })).status, 400)
  assert.equal((await north('PATCH', path, { name: 'Taken' })).status, 404)
})

test('rotated credentials are new, and a decommissioned device takes no more changes', async () => {
  const made = await register({ name: 'Short-lived' })
  const path = `/api/v1/devices/${made.id}`
  const rotated = (await all('POST', `${path}/credentials/rotate`, { graceSeconds: 60 })).body
  assert.notEqual(rotated.mqttPassword, made.mqttPassword)
  assert.ok(Date.parse(rotated.previousValidUntil) > Date.now())
  assert.equal((await all('POST', `${path}/credentials/rotate`)).body.previousValidUntil, null)
  const gone = (await all('POST', `${path}/decommission`)).body
  assert.deepEqual([gone.id, gone.status], [made.id, 'decommissioned'])
  const refused = await all('PATCH', path, { name: 'Again' })
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'device_decommissioned'])
})

test('devices are found by what is written on them, by their vehicle, and by whether they are heard', async () => {
  const quiet = await register({ name: 'Quiet 100%_one', imei: newImei(), simNumber: '89910009', vehicle: { licensePlate: 'FIND ME 7' } })
  const ids = async (query: string, call = all) => {
    const { body } = await call('GET', `/api/v1/devices?${query}`)
    assert.equal(body.total, body.devices.length, query)
    return body.devices.map((device: { id: string }) => device.id)
  }
  for (const search of ['quiet 100%25_', '89910009', 'find me', quiet.id.slice(4)])
    assert.deepEqual(await ids(`search=${search}`), [quiet.id])
  assert.deepEqual(await ids('search=no%25such'), [])
  assert.deepEqual(await ids('search=%00'), [])
  assert.equal((await all('GET', '/api/v1/sub-clients?search=%00')).body.total, 0)
  assert.deepEqual(await ids('search=quiet&presence=never'), [quiet.id])
  assert.deepEqual(await ids('search=quiet&presence=online'), [])
  const hear = (agoMs: number) =>
    database.systemPool.query(
      `insert into latest_states (source_id, reseller_id, device_id, recorded_at, merged_from, received_at)
       values ($1, 'acme', $1, $2, $2, $2) on conflict (source_id, vehicle_key) do update set received_at = excluded.received_at`,
      [quiet.id, new Date(Date.now() - agoMs)],
    )
  await hear(1_000)
  assert.deepEqual(await ids('search=quiet&presence=online'), [quiet.id])
  assert.deepEqual(await ids('search=quiet&presence=never'), [])
  await hear(301_000)
  assert.deepEqual(await ids('search=quiet&presence=offline'), [quiet.id])
  assert.deepEqual(await ids('search=quiet', north), [])
  assert.deepEqual(await ids('subClientId=%25'), [])
})

test('a key of one sub-client sees that one, its devices, and no vehicle of others', async () => {
  const { body: listed } = await north('GET', '/api/v1/sub-clients')
  assert.deepEqual([listed.total, listed.subClients.map(({ id }: { id: string }) => id)], [1, ['north']])
  assert.equal((await north('GET', '/api/v1/sub-clients/south')).status, 404)
  assert.equal((await north('GET', '/api/v1/sub-clients/south/deactivation')).status, 404)
  assert.equal((await north('POST', '/api/v1/sub-clients', { name: 'Mine' })).status, 403)
  assert.equal((await north('PATCH', '/api/v1/sub-clients/north', { limits: { devices: 1_000 } })).status, 403)
  const { body } = await north('GET', '/api/v1/devices')
  assert.ok(body.total > 0)
  for (const { subClientId } of body.devices) assert.equal(subClientId, 'north')
  const { id } = await register({ name: 'Of north', subClientId: 'north', vehicle: { mode: 'none' } })
  const ofNobody = (await all('POST', '/api/external/vehicles', { license_plate: 'SECRET 1' })).body.vehicle_id
  assert.equal((await all('PATCH', `/api/v1/devices/${id}`, { vehicleId: ofNobody })).status, 200)
  assert.equal((await all('GET', `/api/v1/devices/${id}`)).body.vehicle.licensePlate, 'SECRET 1')
  assert.equal((await north('GET', `/api/v1/devices/${id}`)).body.vehicle, null)
  assert.equal((await north('GET', '/api/v1/devices?search=secret')).body.total, 0)
})

test(
  'a sub-client is made, found, limited, and deactivated as announced before',
  onOnePostgres('the databases of the tests know ASCII letters only'),
  async () => {
    const { body: made } = await all('POST', '/api/v1/sub-clients', { name: 'Müller & Co', contactEmail: 'm@example.com' })
    assert.deepEqual([made.id, made.status, made.contactEmail, made.deviceCount], ['muller-co', 'active', 'm@example.com', 0])
    const path = `/api/v1/sub-clients/${made.id}`
    assert.deepEqual((await all('GET', path)).body, made)
    assert.deepEqual((await all('GET', '/api/v1/sub-clients?search=MÜLLER')).body.subClients, [made])
    assert.equal((await all('GET', '/api/v1/sub-clients?search=mu%25r')).body.total, 0)
    const limited = (await all('PATCH', path, { limits: { devices: 1 }, contactEmail: null })).body
    assert.deepEqual([limited.limits.devices, limited.contactEmail, limited.name], [1, null, made.name])
    const device = await register({ name: 'Only one', subClientId: made.id, vehicle: { licensePlate: 'MU 1' } })
    const full = await all('POST', '/api/v1/devices', { name: 'One more', subClientId: made.id })
    assert.deepEqual([full.status, full.body.error.code], [403, 'quota_exceeded'])
    assert.equal((await all('PATCH', path, { limits: { devices: null } })).body.limits.devices, null)
    assert.deepEqual((await all('GET', `${path}/deactivation`)).body, { devices: 1, sims: 0, vehicles: 1, people: 0 })
    const { body: gone } = await all('DELETE', path)
    assert.deepEqual([gone.subClient.status, gone.devicesUnassigned], ['deactivated', 1])
    assert.equal((await all('GET', `/api/v1/devices/${device.id}`)).body.subClientId, null)
  },
)
