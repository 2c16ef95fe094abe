import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMqttUsername } from '../../../devices/mqtt-identity.ts'
import { isClientId, senderOf, topicsOf } from './topics.ts'

test('a username is a slug and a device id, and nothing that could widen a topic', () => {
  assert.deepEqual(parseMqttUsername('acme/dev-aaaaaaaa0001'), { resellerId: 'acme', deviceId: 'dev-aaaaaaaa0001' })
  const refused = [
    '',
    'acme',
    'acme/',
    '/dev-aaaaaaaa0001',
    'acme/+',
    '#/dev-aaaaaaaa0001',
    'acme/dev-aaaaaaaa0001/x',
    'Acme/dev-aaaaaaaa0001',
  ]
  for (const username of [...refused, 'acme/dev-aaaaaaaa0001\n', 'acme/356938035643809', `${'a'.repeat(65)}/dev-aaaaaaaa0001`]) {
    assert.equal(parseMqttUsername(username), undefined, JSON.stringify(username))
  }
})

test('a client id has the form of a device id or an IMEI, which the names in Object.prototype have not', () => {
  assert.ok(isClientId('dev-aaaaaaaa0001'))
  assert.ok(isClientId('356938035643809'))
  for (const name of [
    '',
    ...Object.getOwnPropertyNames(Object.prototype),
    'dev-x',
    '1234567890123',
    'dev-AAAAAAAAAAAA',
    'dev-aaaaaaaa0001 ',
  ]) {
    assert.equal(isClientId(name), false, JSON.stringify(name))
  }
})

test('the topics of a device hang below its reseller', () => {
  assert.deepEqual(topicsOf('eu/fleet', { resellerId: 'acme', deviceId: 'dev-aaaaaaaa0001' }), {
    telemetry: 'eu/fleet/acme/devices/dev-aaaaaaaa0001/telemetry',
    commands: 'eu/fleet/acme/devices/dev-aaaaaaaa0001/commands',
    errors: 'eu/fleet/acme/devices/dev-aaaaaaaa0001/errors',
  })
})

test('the sender is read from a telemetry topic, and from no other', () => {
  const sender = { resellerId: 'acme', deviceId: 'dev-aaaaaaaa0001' }
  for (const prefix of ['fleet', 'acme/fleet']) assert.deepEqual(senderOf(prefix, topicsOf(prefix, sender).telemetry), sender)
  const refused = [
    '',
    'fleet',
    'fleet/acme/devices/dev-aaaaaaaa0001',
    'fleet/acme/devices/dev-aaaaaaaa0001/errors',
    'fleet/acme/devices/dev-aaaaaaaa0001/telemetry/',
    'fleet/acme/vehicles/dev-aaaaaaaa0001/telemetry',
    'fleet/acme/devices/356938035643809/telemetry',
    'fleet/ACME/devices/dev-aaaaaaaa0001/telemetry',
    'fleets/acme/devices/dev-aaaaaaaa0001/telemetry',
    '/fleet/acme/devices/dev-aaaaaaaa0001/telemetry',
  ]
  for (const topic of refused) assert.equal(senderOf('fleet', topic), undefined, topic)
})
