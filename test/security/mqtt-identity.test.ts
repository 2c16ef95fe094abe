// Goal: what a stranger or another reseller calls itself over MQTT takes nothing from a device. IMEIs are unique within a reseller only, so a
// rival registers the victim's on purpose. Method: the embedded broker with the credentials of registered devices, byte by byte.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { authenticateDevice } from '@roadworthy/platform/devices/authenticate-device'
import { DeviceLogins } from '@roadworthy/platform/devices/device-logins'
import {
  connectPacket,
  publishPacket,
  RawClient,
  startReceiver,
  until,
} from '@roadworthy/platform/ingest/receivers/mqtt-embedded/test-mqtt-receiver'
import { openFleetApp } from '@roadworthy/platform/test-fleet-app'

const IMEI = '356938035643809'
const fleet = await openFleetApp({ after }, ['acme', 'rival'])
const connected: string[] = []
const { port } = await startReceiver(
  { after },
  {
    authenticateDevice: (attempt) => authenticateDevice(new DeviceLogins(fleet.database), attempt, fleet.clock.now),
    onConnected: ({ resellerId }) => {
      connected.push(resellerId)
      return () => void connected.splice(connected.indexOf(resellerId), 1)
    },
  },
)

type Registered = { deviceId: string; topic: string; credentials: { username: string; password: Buffer } }

async function register(reseller: string): Promise<Registered> {
  const { body } = await fleet.as(reseller)('POST', '/devices', { imei: IMEI })
  const { device_id: deviceId, mqtt_username: username, mqtt_password: password } = body
  return { deviceId, topic: `fleet/${reseller}/devices/${deviceId}`, credentials: { username, password: Buffer.from(password) } }
}
const victim = await register('acme')
const rival = await register('rival')

const signIn = ({ deviceId, credentials }: Registered, clientId: string, more: object = {}) =>
  RawClient.signIn(port, deviceId, { ...credentials, clientId, ...more })

async function assertUndisturbed(client: RawClient, messageId: number): Promise<void> {
  const acknowledged = client.all('puback').length
  client.send(publishPacket(messageId, { speed: 61 }, { topic: `${victim.topic}/telemetry` }))
  await client.atLeast('puback', acknowledged + 1)
  assert.equal(client.socket.closed, false)
}

for (const [name, clientId] of [
  ['its IMEI', IMEI],
  ['its device id', victim.deviceId],
]) {
  test(`another reseller's device cannot be thrown out by registering its IMEI, when it calls itself by ${name}`, async () => {
    const device = await signIn(victim, clientId ?? '')
    const other = await signIn(rival, IMEI)
    await assertUndisturbed(device, 1)
    // The end of a connection of before is seen by the receiver a moment after the device has seen it.
    await until(() => connected.toSorted().join() === 'acme,rival', 'these two are connected')
    // The other way round as well: neither is in the other's way.
    const again = await signIn(victim, clientId ?? '')
    await device.closedByReceiver()
    other.send({ cmd: 'pingreq' })
    await other.next('pingresp')
    again.socket.destroy()
    other.socket.destroy()
    await Promise.all([again.closed, other.closed])
  })
}

test('the id of another device as client id is refused after the right password of its own, and without one', async () => {
  const device = await signIn(victim, victim.deviceId)
  for (const attempt of [
    rival.credentials,
    { username: victim.credentials.username, password: Buffer.from('guessed') },
    { username: undefined, password: undefined },
  ]) {
    const stranger = await RawClient.open(port)
    stranger.send(connectPacket(victim.deviceId, { clientId: victim.deviceId, clean: false, ...attempt }))
    assert.notEqual(await stranger.answerToConnect(), 0)
    await stranger.closedByReceiver()
    await assertUndisturbed(device, 2)
  }
  device.socket.destroy()
  await device.closed
})

test('a session that somebody else asked to be kept under the same IMEI is not resumed', async () => {
  const device = await signIn(victim, IMEI, { clean: false })
  device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `${victim.topic}/errors`, qos: 1 }] })
  await device.next('suback')
  device.socket.destroy()
  await device.closed
  const other = await signIn(rival, IMEI, { clean: false })
  assert.equal(other.all('connack')[0]?.sessionPresent, false)
  // Refused at the victim's broker, which reports it to whoever of the victim listens.
  const back = await signIn(victim, victim.deviceId, { clean: false })
  back.send(publishPacket(3, Buffer.from('not JSON'), { topic: `${victim.topic}/telemetry` }))
  await back.next('puback')
  other.send({ cmd: 'pingreq' })
  await other.next('pingresp')
  assert.deepEqual([other.all('publish'), back.all('publish')], [[], []])
  for (const client of [other, back]) client.socket.destroy()
  await Promise.all([other.closed, back.closed])
})

test('of two connections of one device the newer one wins, whatever each calls itself', async () => {
  for (const [first, second] of [
    [IMEI, victim.deviceId],
    [victim.deviceId, IMEI],
    [IMEI, IMEI],
  ]) {
    const older = await signIn(victim, first ?? '')
    const newer = await signIn(victim, second ?? '')
    await older.closedByReceiver()
    await assertUndisturbed(newer, 4)
    newer.socket.destroy()
    await newer.closed
  }
})
