// Goal: what is answered to a device over MQTT is true of the store. Method: the real receiver, pipeline, directory and notifications on a real
// PostgreSQL, and devices changed by SQL as registration changes them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openNotifications } from '@roadworthy/service-kit/postgres/notifications'
import { authenticateDevice } from '../../../devices/authenticate-device.ts'
import { sha256 } from '../../../devices/credentials.ts'
import { DeviceLogins } from '../../../devices/device-logins.ts'
import { createDirectory } from '../../../devices/directory.ts'
import { insertReseller, openTestDatabase } from '../../../test-support.ts'
import { defaultGroupCommitLimits } from '../../group-commit.ts'
import { createIngestPipeline } from '../../pipeline.ts'
import { unlimited } from '../../reading-quota.ts'
import { DEVICE, OTHER_DEVICE, publishPacket, RawClient, RESELLER, startReceiver, testDevices, topicOf } from './test-mqtt-receiver.ts'

const closeFirst: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closeFirst.reverse()) await close()
})
const { database, ownerUrl } = await openTestDatabase({ after })
await insertReseller(database, RESELLER)
const run = (sql: string, ...values: unknown[]) => database.systemPool.query(sql, values)
await run(
  `insert into devices (reseller_id, device_id, imei, device_type, connection_method, status, mqtt_secret_sha256) values
     ($1, $2, '356938035643809', 'other', 'mqtt', 'pending', $4), ($1, $3, '490154203237518', 'other', 'mqtt', 'active', $5)`,
  RESELLER,
  DEVICE,
  OTHER_DEVICE,
  ...testDevices.map(({ password }) => sha256(password)),
)
const notifications = openNotifications({ connectionString: ownerUrl, onError: (error) => console.error(error.message) })
closeFirst.push(() => notifications.close())
const directory = createDirectory({
  database,
  now: () => new Date(),
  onFleetChanged: (listener) => {
    notifications.on('fleet_changed', listener, () => listener())
  },
})
const { ingest } = createIngestPipeline({
  database,
  directory,
  now: () => new Date(),
  window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
  quota: unlimited,
  limits: defaultGroupCommitLimits,
  onUnstorable: (error) => console.error('unstorable', error),
})
const unread: string[][] = []
const { port, receiver } = await startReceiver(
  { after: (close) => void closeFirst.push(close) },
  {
    ingest,
    authenticateDevice: (attempt) => authenticateDevice(new DeviceLogins(database), attempt, new Date()),
    onAccessChanged: (onChange, onGap) => notifications.on('device_access_changed', onChange, onGap),
    onUnread: ({ deviceId }, payload, { code }) => void unread.push([deviceId, String(payload), code]),
  },
)
await notifications.whenListening()

const storedCount = async (deviceId = DEVICE) => {
  const { rows } = await run('select count(*)::int as n from readings where device_id = $1', deviceId)
  return Number(rows[0]?.n)
}
let clockMs = Date.now() - 60_000
const reading = () => ({ timestamp: new Date(clockMs++).toISOString(), lat: 28.6, lon: 77.2, speed: 61, coolant_temp: 92 })

test('when PUBACK comes the reading is in the store, and a pending device has become active', async () => {
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, reading()))
  await device.next('puback')
  assert.equal(await storedCount(), 1)
  const { rows } = await run('select status from devices where device_id = $1', DEVICE)
  assert.equal(rows[0]?.status, 'active')
  device.socket.destroy()
})

test('what could not be read is reported with its sender, and what ingest refuses is not', async () => {
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { rpm: 'fast' }), publishPacket(2, {}, { payload: Buffer.from('{"rpm":') }))
  await device.next('puback')
  await device.next('puback')
  assert.deepEqual(unread, [[DEVICE, '{"rpm":', 'invalid_request']])
  device.socket.destroy()
})

test('what is sent again is acknowledged again and stored once', async () => {
  const before = await storedCount()
  const device = await RawClient.signIn(port)
  const same = reading()
  device.send(publishPacket(1, same), publishPacket(2, [same, reading()]))
  await device.atLeast('puback', 2)
  device.send(publishPacket(1, same, { dup: true }))
  await device.atLeast('puback', 3)
  assert.equal(await storedCount(), before + 2)
  device.socket.destroy()
})

// No session outlives its connection, so a packet id and the mark of a copy mean nothing on the next (MQTT-3.3.1-3).
test('a record without a time of its own that is sent again is another reading, as the documents state', async () => {
  const before = await storedCount()
  for (const dup of [false, true]) {
    const device = await RawClient.signIn(port)
    device.send(publishPacket(1, { rpm: 777 }, { dup }))
    await device.next('puback')
    device.socket.destroy()
  }
  assert.equal(await storedCount(), before + 2)
})

test('a record that names another device is refused and reported, and the others of its array are stored', async () => {
  const before = [await storedCount(), await storedCount(OTHER_DEVICE)]
  const device = await RawClient.signIn(port)
  device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: topicOf(DEVICE, 'errors'), qos: 0 }] })
  await device.next('suback')
  device.send(publishPacket(2, [reading(), { ...reading(), device_id: OTHER_DEVICE }, { ...reading(), device_id: '356938035643809' }]))
  await device.next('puback')
  const report = JSON.parse(String((await device.next('publish')).payload))
  assert.deepEqual([report.records_stored, report.errors.length, report.errors[0].index], [2, 1, 1])
  assert.deepEqual([await storedCount(), await storedCount(OTHER_DEVICE)], [(before[0] ?? 0) + 2, before[1]])
  device.socket.destroy()
})

test('1000 publishes of two devices are all stored', async () => {
  const before = [await storedCount(), await storedCount(OTHER_DEVICE)]
  const [one, other] = [await RawClient.signIn(port), await RawClient.signIn(port, OTHER_DEVICE)]
  const ids = Array.from({ length: 500 }, (_, i) => i + 1)
  one.send(...ids.map((id) => publishPacket(id, reading())))
  other.send(...ids.map((id) => publishPacket(id, reading(), { topic: topicOf(OTHER_DEVICE) })))
  await Promise.all([one.atLeast('puback', 500), other.atLeast('puback', 500)])
  assert.deepEqual([await storedCount(), await storedCount(OTHER_DEVICE)], [(before[0] ?? 0) + 500, (before[1] ?? 0) + 500])
  one.socket.destroy()
  other.socket.destroy()
})

test('suspending the sub-client of a device, or ending the subscription of its reseller, closes its session', async () => {
  await run(`insert into sub_clients (reseller_id, sub_client_id, name) values ($1, 'north', 'North')`, RESELLER)
  await run(`update devices set sub_client_id = 'north' where device_id = $1`, OTHER_DEVICE)
  const ends = [
    ['sub_clients', `status = 'suspended'`, `status = 'active'`],
    ['resellers', `subscription = 'canceled'`, `subscription = 'active'`],
  ]
  for (const [table, end, restore] of ends) {
    const device = await RawClient.signIn(port, OTHER_DEVICE)
    await run(`update ${table} set ${end} where reseller_id = $1`, RESELLER)
    await device.closedByReceiver()
    await assert.rejects(RawClient.signIn(port, OTHER_DEVICE), /not let in: CONNACK 5/)
    await run(`update ${table} set ${restore} where reseller_id = $1`, RESELLER)
  }
  const device = await RawClient.signIn(port, OTHER_DEVICE)
  await run(`update resellers set name = 'Acme again' where reseller_id = $1`, RESELLER)
  await run(`update devices set sub_client_id = null where device_id = $1`, OTHER_DEVICE)
  device.send({ cmd: 'pingreq' })
  await device.next('pingresp')
  device.socket.destroy()
})

test('suspending, re-keying or decommissioning a device in the database closes its session, and no other', async () => {
  const newPassword = 'the password after rotation'
  const changes: { set: string; values?: unknown[]; password?: string }[] = [
    { set: `status = 'suspended'` },
    { set: `mqtt_secret_sha256 = $2`, values: [sha256(newPassword)] },
    { set: `status = 'decommissioned', decommissioned_at = now()`, password: newPassword },
  ]
  const bystander = await RawClient.signIn(port)
  for (const { set, values = [], password } of changes) {
    const device = await RawClient.signIn(port, OTHER_DEVICE, password === undefined ? {} : { password: Buffer.from(password) })
    await run(`update devices set ${set} where device_id = $1`, OTHER_DEVICE, ...values)
    await device.closedByReceiver()
    await assert.rejects(RawClient.signIn(port, OTHER_DEVICE), /not let in: CONNACK [45]/)
    await run(`update devices set status = 'active' where device_id = $1 and status = 'suspended'`, OTHER_DEVICE)
  }
  bystander.send({ cmd: 'pingreq' })
  await bystander.next('pingresp')
  assert.equal(receiver.connectedCount, 1)
  bystander.socket.destroy()
})
