// Goal: EMQX and RabbitMQ are answered as the embedded broker would judge, in the forms they ask in, and nobody else is answered. Method:
// requests exactly as their documentation and source make them, against devices registered through the API.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createHttpApp, speakSurface } from '@roadworthy/service-kit/http/http'
import { authenticateDevice } from '../../../devices/authenticate-device.ts'
import { DeviceLogins } from '../../../devices/device-logins.ts'
import { createDirectory } from '../../../devices/directory.ts'
import { platformSurface } from '../../../surfaces/errors.ts'
import { openFleetApp } from '../../../test-fleet-app.ts'
import { createBrokerAuth } from './broker-auth.ts'
import { emqxRoutes } from './emqx.routes.ts'
import { rabbitRoutes } from './rabbitmq.routes.ts'

const SECRET = 'a-secret-of-the-operator-32-chars-or-more'
const IMEI = '356938035643809'
const fleet = await openFleetApp({ after }, ['acme', 'other'])
const directory = createDirectory({ database: fleet.database, now: () => fleet.clock.now, onFleetChanged: () => {} })
const auth = createBrokerAuth({
  authenticateDevice: (attempt) => authenticateDevice(new DeviceLogins(fleet.database), attempt, fleet.clock.now),
  findDevice: (resellerId, idOrImei) => directory.findDevice(resellerId, idOrImei),
  hasLapsed: (resellerId) => directory.hasLapsed(resellerId),
  platform: { username: 'roadworthy', password: 'the platform itself' },
  topicPrefix: 'fleet',
  now: () => fleet.clock.now,
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
})
const app = createHttpApp({ logger: false })
speakSurface(app, platformSurface)
await app.register(emqxRoutes({ auth, secret: SECRET }), { prefix: '/broker-auth/emqx' })
let platformCount = 0
await app.register(rabbitRoutes({ auth, secret: SECRET, onPlatform: () => void platformCount++ }), { prefix: '/broker-auth/rabbitmq' })
after(() => app.close())

const acme = fleet.as('acme')
const { device_id: deviceId, mqtt_username: username, mqtt_password: password } = (await acme('POST', '/devices', { imei: IMEI })).body
const { device_id: otherId } = (await fleet.as('other')('POST', '/devices', { name: 'Other' })).body
const own = (last: string) => `fleet/acme/devices/${deviceId}/${last}`

async function askEmqx(path: 'authentication' | 'authorization', body: object, secret = SECRET) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const response = await app.inject({ method: 'POST', url: `/broker-auth/emqx/${path}`, headers, payload: JSON.stringify(body) })
  return { status: response.statusCode, type: response.headers['content-type'], body: response.json() }
}

/** As `rabbit_auth_backend_http` does with `http_method = post`, or as a query with `get`. */
async function askRabbit(path: string, form: Record<string, string>, { secret = SECRET, method = 'POST' as 'POST' | 'GET' } = {}) {
  const query = new URLSearchParams(form).toString()
  const url = `/broker-auth/rabbitmq/${secret}/${path}`
  const response = await app.inject(
    method === 'GET'
      ? { method, url: `${url}?${query}` }
      : { method, url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: query },
  )
  return response.statusCode === 200 ? response.body : response.statusCode
}

test('EMQX lets a device in with its own password and its device id as client id, and gets its rules with the answer', async () => {
  const asked = { username, password, clientid: deviceId, peerhost: '192.0.2.7', proto_name: 'MQTT' }
  const { status, type, body } = await askEmqx('authentication', asked)
  assert.deepEqual([status, type], [200, 'application/json; charset=utf-8'])
  assert.deepEqual(body, {
    result: 'allow',
    is_superuser: false,
    acl: [
      { permission: 'allow', action: 'publish', topic: `eq ${own('telemetry')}`, qos: [0, 1], retain: false },
      { permission: 'allow', action: 'subscribe', topic: `eq ${own('commands')}`, qos: [0, 1] },
      { permission: 'allow', action: 'subscribe', topic: `eq ${own('errors')}`, qos: [0, 1] },
      { permission: 'deny', action: 'all', topic: '#' },
    ],
  })
  const wrong = [
    // Another reseller may have registered it too, and client ids are the broker's own.
    { clientid: IMEI },
    { clientid: null },
    { password: 'wrong' },
    { clientid: otherId },
    { clientid: 'anything' },
    { username: `other/${deviceId}` },
    { username: 'undefined', password: 'undefined' },
    { username: null, password: null },
  ]
  for (const each of wrong) assert.deepEqual((await askEmqx('authentication', { ...asked, ...each })).body, { result: 'deny' })
})

test('the platform comes in under its own account and may do everything', async () => {
  const asked = { username: 'roadworthy', password: 'the platform itself', clientid: 'roadworthy-1' }
  assert.deepEqual((await askEmqx('authentication', asked)).body, { result: 'allow', is_superuser: true })
  assert.deepEqual((await askEmqx('authentication', { ...asked, password: 'guess' })).body, { result: 'deny' })
  const filter = { username: 'roadworthy', action: 'subscribe', topic: 'fleet/+/devices/+/telemetry' }
  assert.deepEqual((await askEmqx('authorization', filter)).body, { result: 'allow' })
  assert.equal(platformCount, 0)
  assert.equal(await askRabbit('user', { username: 'roadworthy', password: 'guess', client_id: 'roadworthy-1' }), 'deny')
  assert.equal(platformCount, 0)
  assert.equal(await askRabbit('user', { username: 'roadworthy', password: 'the platform itself', client_id: 'roadworthy-1' }), 'allow')
  assert.equal(platformCount, 1)
  const queue = {
    username: 'roadworthy',
    vhost: '/',
    resource: 'queue',
    name: 'mqtt-subscription-roadworthy-1qos1',
    permission: 'configure',
  }
  assert.equal(await askRabbit('resource', queue), 'allow')
})

test('EMQX that asks for each action is answered by the rules', async () => {
  const may = async (action: string, topic: string, more: object = {}) =>
    (await askEmqx('authorization', { username, clientid: deviceId, topic, action, ...more })).body.result
  const table: [string, string, object, string][] = [
    ['publish', own('telemetry'), {}, 'allow'],
    ['publish', own('telemetry'), { qos: '1', retain: 'false' }, 'allow'],
    ['publish', own('telemetry'), { qos: 1, retain: true }, 'deny'],
    ['publish', own('telemetry'), { qos: '2' }, 'deny'],
    ['publish', own('telemetry'), { retain: 'yes' }, 'deny'],
    ['publish', own('errors'), {}, 'deny'],
    ['publish', `fleet/other/devices/${otherId}/telemetry`, {}, 'deny'],
    ['subscribe', own('commands'), {}, 'allow'],
    ['subscribe', own('errors'), { qos: '0' }, 'allow'],
    ['subscribe', own('telemetry'), {}, 'deny'],
    ['subscribe', own('#'), {}, 'deny'],
    ['subscribe', `$share/group/${own('commands')}`, {}, 'deny'],
    ['subscribe', '#', {}, 'deny'],
    ['all', own('telemetry'), {}, 'deny'],
  ]
  for (const [action, topic, more, wanted] of table) assert.equal(await may(action, topic, more), wanted, `${action} ${topic}`)
})

test('RabbitMQ is answered by one word of plain text, by POST and by GET', async () => {
  const user = { username, password, vhost: '/', client_id: deviceId }
  for (const method of ['POST', 'GET'] as const) {
    assert.equal(await askRabbit('user', user, { method }), 'allow')
    assert.equal(await askRabbit('user', { ...user, password: 'wrong' }, { method }), 'deny')
  }
  assert.equal(await askRabbit('user', { ...user, client_id: otherId }), 'deny')
  assert.equal(await askRabbit('user', { ...user, client_id: IMEI }), 'deny')
  assert.equal(await askRabbit('user', { username, password, vhost: '/' }), 'deny')
  assert.equal(await askRabbit('user', { username, vhost: '/' }), 'deny')
  assert.equal(await askRabbit('vhost', { username, vhost: '/', ip: '192.0.2.7', tags: '' }), 'allow')
  assert.equal(await askRabbit('vhost', { username, vhost: 'other', ip: '192.0.2.7', tags: '' }), 'deny')
  assert.equal(await askRabbit('vhost', { username: 'acme/dev-unknown00001', vhost: '/', ip: '', tags: '' }), 'deny')
})

test('RabbitMQ learns which queues, exchanges and routing keys are the own ones of a device', async () => {
  const resource = (kind: string, name: string, permission: string) =>
    askRabbit('resource', { username, vhost: '/', resource: kind, name, permission, tags: '', client_id: deviceId })
  for (const permission of ['configure', 'write', 'read']) {
    assert.equal(await resource('queue', `mqtt-subscription-${deviceId}qos1`, permission), 'allow')
    assert.equal(await resource('queue', `mqtt-subscription-${deviceId}qos0`, permission), 'allow')
    assert.equal(await resource('queue', `mqtt-subscription-${IMEI}qos0`, permission), 'deny')
    assert.equal(await resource('queue', `mqtt-subscription-${otherId}qos1`, permission), 'deny')
    assert.equal(await resource('queue', `mqtt-will-${deviceId}`, permission), 'deny')
    assert.equal(await resource('exchange', 'amq.topic', permission), permission === 'configure' ? 'deny' : 'allow')
    assert.equal(await resource('exchange', 'amq.fanout', permission), 'deny')
  }
  const topic = (permission: string, routingKey: string, name = 'amq.topic') => {
    const variables = { 'variable_map.username': username, 'variable_map.vhost': '/', 'variable_map.client_id': deviceId }
    return askRabbit('topic', {
      username,
      vhost: '/',
      resource: 'topic',
      name,
      permission,
      tags: '',
      routing_key: routingKey,
      ...variables,
    })
  }
  const key = (last: string) => `fleet.acme.devices.${deviceId}.${last}`
  assert.equal(await topic('write', key('telemetry')), 'allow')
  assert.equal(await topic('write', key('errors')), 'deny')
  assert.equal(await topic('write', `fleet.other.devices.${otherId}.telemetry`), 'deny')
  assert.equal(await topic('write', `fleet/acme/devices/${deviceId}/telemetry`), 'deny', 'slashes were dots in the topic')
  assert.equal(await topic('read', key('commands')), 'allow')
  assert.equal(await topic('read', key('errors')), 'allow')
  assert.equal(await topic('read', 'fleet.*.devices.*.telemetry'), 'deny')
  assert.equal(await topic('read', '#'), 'deny')
  assert.equal(await topic('write', key('telemetry'), 'amq.direct'), 'deny')
})

test('RabbitMQ, which does not know shared subscriptions, is answered to refuse that of the platform', async () => {
  const bind = (routingKey: string) =>
    askRabbit('topic', {
      ...{ username: 'roadworthy', vhost: '/', resource: 'topic', name: 'amq.topic' },
      ...{ permission: 'read', tags: '', routing_key: routingKey },
    })
  assert.equal(await bind('fleet.*.devices.*.telemetry'), 'allow')
  assert.equal(await bind('$share.roadworthy.fleet.*.devices.*.telemetry'), 'deny')
})

test('whoever does not know the secret learns nothing', async () => {
  const asked = { username, password, clientid: deviceId }
  assert.equal((await askEmqx('authentication', asked, 'guess')).status, 401)
  assert.equal((await askEmqx('authorization', { username, topic: own('telemetry'), action: 'publish' }, '')).status, 401)
  assert.equal(await askRabbit('user', { username, password }, { secret: 'guess' }), 404)
  assert.equal(await askRabbit('nothing', {}), 404)
})

test('a password before the last is good until its grace ends, which EMQX is answered', async () => {
  const before = (await acme('POST', '/devices', { name: 'Rotated' })).body
  const rotated = await acme('POST', `/devices/${before.device_id}/credentials/rotate`, { grace_seconds: 600 })
  const asked = { username: before.mqtt_username, clientid: before.device_id }
  const late = await askEmqx('authentication', { ...asked, password: before.mqtt_password })
  const until = Math.floor(Date.parse(rotated.body.previous_valid_until ?? '') / 1000)
  assert.deepEqual([late.body.result, late.body.expire_at], ['allow', until])
  const fresh = await askEmqx('authentication', { ...asked, password: rotated.body.mqtt_password })
  assert.deepEqual([fresh.body.result, fresh.body.expire_at], ['allow', undefined])
})

test('a device that is suspended or decommissioned, and one whose reseller is not served, may do nothing any more', async () => {
  const device = (await fleet.as('other')('POST', '/devices', { name: 'Ends' })).body
  const credentials = { username: device.mqtt_username, password: device.mqtt_password, clientid: device.device_id }
  const publish = { username: device.mqtt_username, topic: `fleet/other/devices/${device.device_id}/telemetry`, action: 'publish' }
  const answers = async () => {
    directory.forget('other')
    const asked = [await askEmqx('authentication', credentials), await askEmqx('authorization', publish)]
    return [...asked.map(({ body }) => body.result), await askRabbit('vhost', { username: device.mqtt_username, vhost: '/' })]
  }
  assert.deepEqual(await answers(), ['allow', 'allow', 'allow'])
  await fleet.query(`update resellers set subscription = 'canceled' where reseller_id = 'other'`)
  assert.deepEqual(await answers(), ['deny', 'deny', 'deny'])
  await fleet.query(`update resellers set subscription = 'active' where reseller_id = 'other'`)
  await fleet.as('other')('PUT', `/devices/${device.device_id}`, { status: 'suspended' })
  assert.deepEqual(await answers(), ['deny', 'deny', 'deny'])
  await fleet.as('other')('POST', `/devices/${device.device_id}/decommission`)
  assert.deepEqual(await answers(), ['deny', 'deny', 'deny'])
})

test('after ten wrong passwords within a minute the right one does not help either, from that address', async () => {
  const device = (await acme('POST', '/devices', { name: 'Guessed' })).body
  const asked = { username: device.mqtt_username, password: device.mqtt_password, clientid: device.device_id, peerhost: '192.0.2.9' }
  for (let i = 0; i < 10; i++) await askEmqx('authentication', { ...asked, password: `guess ${i}` })
  assert.equal((await askEmqx('authentication', asked)).body.result, 'deny')
  assert.equal((await askEmqx('authentication', { ...asked, peerhost: '192.0.2.10' })).body.result, 'allow')
})

test('where the broker does not report where a sign-in comes from, as RabbitMQ, wrong passwords keep nobody out', async () => {
  const device = (await acme('POST', '/devices', { name: 'Guessed' })).body
  const asked = { username: device.mqtt_username, password: device.mqtt_password, vhost: '/', client_id: device.device_id }
  for (let i = 0; i < 10; i++) assert.equal(await askRabbit('user', { ...asked, password: `guess ${i}` }), 'deny')
  assert.equal(await askRabbit('user', asked), 'allow')
})
