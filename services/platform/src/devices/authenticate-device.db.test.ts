import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFleetApp } from '../test-fleet-app.ts'
import { authenticateDevice, findOutdatedDevices } from './authenticate-device.ts'
import { sha256 } from './credentials.ts'
import { DeviceLogins } from './device-logins.ts'

const fleet = await openFleetApp({ after }, ['acme', 'rival'])
const acme = fleet.as('acme')
await acme('POST', '/sub-clients', { name: 'north' })

let imeis = 0
async function register(body: object = {}) {
  const imei = String(357_000_000_000_000 + ++imeis)
  const { device_id, mqtt_username, mqtt_password } = (await acme('POST', '/devices', { imei, ...body })).body
  return { imei, deviceId: device_id, username: mqtt_username, password: mqtt_password, clientId: device_id }
}
const login = (given: { username: string; password: string; clientId: string }) =>
  authenticateDevice(new DeviceLogins(fleet.database), given, fleet.clock.now)

test('the device that was registered is let in, under its id or its IMEI, and gets who it is', async () => {
  const device = await register({ sub_client_id: 'north', vehicle: { mode: 'create', make: 'MAN' } })
  const answer = await login(device)
  assert.ok('device' in answer)
  const { vehicleId, ...rest } = answer.device
  assert.match(vehicleId ?? '', /^veh-/)
  assert.deepEqual(rest, { resellerId: 'acme', deviceId: device.deviceId, imei: device.imei, status: 'active', subClientId: 'north' })
  assert.ok('device' in (await login({ ...device, clientId: device.imei })))
})

test('a pending device is let in, because its first message activates it', async () => {
  const answer = await login(await register({ status: 'pending' }))
  assert.equal('device' in answer && answer.device.status, 'pending')
})

test('anybody else is refused for a reason that the log can name', async () => {
  const device = await register()
  const other = await register()
  const named = (await acme('POST', '/devices', { name: 'no imei' })).body
  const cases: [Partial<typeof device>, string][] = [
    [{ password: other.password }, 'wrong_password'],
    [{ password: '' }, 'wrong_password'],
    [{ password: `${device.password}x` }, 'wrong_password'],
    [{ username: other.username }, 'wrong_password'],
    [{ username: device.username.replace('acme', 'rival') }, 'unknown_device'],
    [{ username: `acme/dev-${'a'.repeat(20)}`, password: '' }, 'unknown_device'],
    [{ username: device.deviceId }, 'malformed_username'],
    [{ username: `${device.username}/telemetry` }, 'malformed_username'],
    [{ username: `acme/${device.imei}` }, 'malformed_username'],
    [{ username: 'acme/dev-\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000' }, 'malformed_username'],
    [{ clientId: other.deviceId }, 'wrong_client_id'],
    [{ clientId: '' }, 'wrong_client_id'],
    [{ username: named.mqtt_username, password: named.mqtt_password, clientId: 'undefined' }, 'wrong_client_id'],
  ]
  for (const [change, refusal] of cases) assert.deepEqual(await login({ ...device, ...change }), { refusal }, JSON.stringify(change))
})

test('after rotation the old password works for its grace and not a millisecond longer', async () => {
  const device = await register()
  const { mqtt_password } = (await acme('POST', `/devices/${device.deviceId}/credentials/rotate`, { grace_seconds: 10 })).body
  const start = fleet.clock.now
  const byOld = await login(device)
  assert.deepEqual('device' in byOld && byOld.validUntil, new Date(start.getTime() + 10_000))
  const byNew = await login({ ...device, password: mqtt_password })
  assert.equal('device' in byNew && byNew.validUntil, undefined)
  fleet.clock.now = new Date(start.getTime() + 9_999)
  assert.ok('device' in (await login(device)))
  fleet.clock.now = new Date(start.getTime() + 10_000)
  assert.deepEqual(await login(device), { refusal: 'wrong_password' })
  assert.ok('device' in (await login({ ...device, password: mqtt_password })))
  fleet.clock.now = start
  await acme('POST', `/devices/${device.deviceId}/credentials/rotate`, {})
  assert.deepEqual(await login(device), { refusal: 'wrong_password' })
  assert.deepEqual(await login({ ...device, password: mqtt_password }), { refusal: 'wrong_password' })
})

test('a suspended or decommissioned device and one of a suspended sub-client are refused, also with the right password', async () => {
  const device = await register({ sub_client_id: 'north' })
  await acme('PUT', `/devices/${device.deviceId}`, { status: 'suspended' })
  assert.deepEqual(await login(device), { refusal: 'device_suspended' })
  await acme('PUT', `/devices/${device.deviceId}`, { status: 'active' })
  for (const status of ['suspended', 'deactivated']) {
    await fleet.query(`update sub_clients set status = $1 where sub_client_id = 'north'`, status)
    assert.deepEqual(await login(device), { refusal: 'sub_client_suspended' })
  }
  await fleet.query(`update sub_clients set status = 'active' where sub_client_id = 'north'`)
  assert.ok('device' in (await login(device)))
  await acme('POST', `/devices/${device.deviceId}/decommission`)
  assert.deepEqual(await login(device), { refusal: 'device_decommissioned' })
})

test('a device of a reseller without an active or trialing subscription is refused, as its keys are', async () => {
  const device = await register()
  for (const subscription of ['past_due', 'canceled']) {
    await fleet.query(`update resellers set subscription = $1 where reseller_id = 'acme'`, subscription)
    assert.deepEqual(await login(device), { refusal: 'subscription_required' }, subscription)
  }
  for (const subscription of ['trialing', 'active']) {
    await fleet.query(`update resellers set subscription = $1 where reseller_id = 'acme'`, subscription)
    assert.ok('device' in (await login(device)), subscription)
  }
})

test('of devices that are signed in, those are outdated that would not be let in, or whose secret is another now', async () => {
  const kept = await register({ sub_client_id: 'north' })
  const [suspended, decommissioned, rotated] = [await register(), await register(), await register()]
  const all = [kept, suspended, decommissioned, rotated]
  const signedIn = all.map(({ deviceId, password }) => ({ resellerId: 'acme', deviceId, secretSha256: sha256(password) }))
  let found = await findOutdatedDevices(fleet.database, signedIn)
  assert.deepEqual([...found], [])

  await acme('PUT', `/devices/${suspended.deviceId}`, { status: 'suspended' })
  await acme('POST', `/devices/${decommissioned.deviceId}/decommission`)
  await acme('POST', `/devices/${rotated.deviceId}/credentials/rotate`, { grace_seconds: 10 })
  const ghost = { resellerId: 'acme', deviceId: 'dev-ghost', secretSha256: sha256('x') }
  found = await findOutdatedDevices(fleet.database, [...signedIn, ghost])
  assert.deepEqual(
    [...found].sort(),
    [suspended, decommissioned, rotated]
      .map(({ deviceId }) => deviceId)
      .concat('dev-ghost')
      .sort(),
  )

  // Under another reseller's name there is no such device.
  found = await findOutdatedDevices(fleet.database, [{ resellerId: 'rival', deviceId: kept.deviceId, secretSha256: sha256(kept.password) }])
  assert.deepEqual([...found], [kept.deviceId])
})

// After an outage of a mobile network they all do. A question for each had most of ten thousand wait until they were asked to come back.
test('a crowd that signs in at once is a few questions to the database, and each gets its own answer', async () => {
  const devices = [await register(), await register(), await register()]
  const [stranger] = devices
  assert.ok(stranger !== undefined)
  let questionCount = 0
  const { systemPool } = fleet.database
  const logins = new DeviceLogins({
    systemPool: {
      ...systemPool,
      query: (...statement: Parameters<typeof systemPool.query>) => {
        questionCount++
        return systemPool.query(...statement)
      },
    } as typeof systemPool,
  })
  const unknown = Array.from({ length: 1_000 }, (_, i) => ({ ...stranger, username: `acme/dev-stranger${i}` }))
  const crowd = [
    ...devices,
    { ...stranger, password: 'wrong' },
    // The same id under another reseller's name, in the same question.
    { ...stranger, username: stranger.username.replace('acme', 'rival') },
    ...unknown,
  ]
  const answers = await Promise.all(crowd.map((each) => authenticateDevice(logins, each, fleet.clock.now)))
  assert.deepEqual(
    answers.slice(0, 5).map((answer) => ('device' in answer ? answer.device.deviceId : answer.refusal)),
    [...devices.map(({ deviceId }) => deviceId), 'wrong_password', 'unknown_device'],
  )
  assert.ok(answers.slice(5).every((answer) => 'refusal' in answer && answer.refusal === 'unknown_device'))
  assert.equal(questionCount, 3)
})
