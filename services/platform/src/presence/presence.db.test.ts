// Goal: who is reported online or offline follows from the two clocks, once each, whatever becomes of the device. Method: see test-bench.ts.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { awaitDevicesAcrossResellers, selectWokenDevicesAcrossResellers } from '../readings/wakes.sql.ts'
import { deletePresenceOfDecommissionedAcrossResellers } from './presence.sql.ts'
import { openPresenceBench } from './test-bench.ts'

const bench = await openPresenceBench({ after })
const { database, clock, query, startListening, pass, register, report, connect, published, reasons, shownOnline } = bench
const acme = bench.as('acme')
const instant = (time: Date) => time.toISOString()

test('a device that sends is online, and offline when it has sent nothing for the limit; each is published once', async () => {
  const service = await startListening()
  const deviceId = await register({ imei: '356938035643809' })
  await pass(20, service)
  assert.deepEqual(await reasons(deviceId), [], 'a device that never sent')
  const heardAt = clock.now
  await report(deviceId)
  await pass(300, service)
  assert.deepEqual(await reasons(deviceId), ['online data'])
  assert.equal(await shownOnline(deviceId), true)
  await pass(5, service)
  assert.equal(await shownOnline(deviceId), false)
  await pass(3_600, service)
  const [online, offline, ...more] = await published(deviceId)
  assert.deepEqual(more, [])
  const about = { deviceId, imei: '356938035643809', name: 'a dongle', vehicleId: null, lastSeenAt: instant(heardAt) }
  assert.deepEqual(online?.data, { ...about, online: true, reason: 'data', connectedAt: null })
  assert.deepEqual(offline?.data, { ...about, online: false, reason: 'silent', disconnectedAt: null })
  assert.equal(offline?.at.getTime(), heardAt.getTime() + 305_000)
  await report(deviceId)
  await pass(5, service)
  await report(deviceId)
  await pass(200, service)
  await report(deviceId)
  await pass(200, service)
  assert.deepEqual(await reasons(deviceId), ['online data', 'offline silent', 'online data'])
})

test('a device that is connected and sends nothing stays online; offline is published once the connection has been gone for a while', async () => {
  const service = await startListening()
  const deviceId = await register()
  const connectedAt = clock.now
  const close = connect(service, deviceId)
  await pass(7_200, service)
  assert.deepEqual(await reasons(deviceId), ['online connected'])
  assert.equal((await published(deviceId))[0]?.data['connectedAt'], instant(connectedAt))
  assert.equal(await shownOnline(deviceId), true)
  const closedAt = clock.now
  close()
  await pass(25, service)
  assert.deepEqual(await reasons(deviceId), ['online connected'])
  await pass(5, service)
  const [, offline, ...more] = await published(deviceId)
  assert.deepEqual(
    [offline?.reason, offline?.data['disconnectedAt'], offline?.data['lastSeenAt'], more],
    ['disconnected', instant(closedAt), null, []],
  )
  assert.equal(await shownOnline(deviceId), false)
})

test('of both clocks, the later one keeps a device online', async () => {
  const service = await startListening()
  const deviceId = await register()
  const close = connect(service, deviceId)
  await pass(5, service)
  await report(deviceId)
  await pass(10, service)
  close()
  await pass(275, service)
  assert.deepEqual(await reasons(deviceId), ['online connected'])
  assert.equal(await shownOnline(deviceId), true)
  await pass(20, service)
  assert.deepEqual(await reasons(deviceId), ['online connected', 'offline silent'])
  await report(deviceId)
  await pass(5, service)
  const closeAgain = connect(service, deviceId)
  await pass(600, service)
  assert.deepEqual(await reasons(deviceId), ['online connected', 'offline silent', 'online data'])
  closeAgain()
  await pass(30, service)
  assert.equal((await reasons(deviceId)).at(-1), 'offline disconnected')
})

test('the clock of data is ours: what a device recorded long ago, or in the future, was received now', async () => {
  const service = await startListening()
  const [late, ahead] = [await register(), await register()]
  await report(late, { recordedAtMs: clock.now.getTime() - 20 * 86_400_000 })
  await report(ahead, { recordedAtMs: clock.now.getTime() + 290_000 })
  await pass(300, service)
  assert.deepEqual([await reasons(late), await reasons(ahead)], [['online data'], ['online data']])
  await pass(5, service)
  assert.deepEqual(
    [await reasons(late), await reasons(ahead)],
    [
      ['online data', 'offline silent'],
      ['online data', 'offline silent'],
    ],
  )
})

test('a gateway in several vehicles is one device', async () => {
  const service = await startListening()
  const deviceId = await register()
  await report(deviceId, {}, 'veh-one')
  await pass(5, service)
  await report(deviceId, {}, 'veh-two')
  await pass(200, service)
  await report(deviceId, {}, 'veh-one')
  await pass(295, service)
  assert.deepEqual(await reasons(deviceId), ['online data'])
  await pass(10, service)
  await report(deviceId, {}, 'veh-two')
  await pass(5, service)
  assert.deepEqual(await reasons(deviceId), ['online data', 'offline silent', 'online data'])
})

test('a suspended device goes offline once; of a decommissioned one nothing is published, and its IMEI is another device', async () => {
  const service = await startListening()
  const imei = '490154203237518'
  const [suspended, gone] = [await register(), await register({ imei })]
  await report(suspended)
  await report(gone)
  const close = connect(service, gone)
  await pass(5, service)
  await acme('PUT', `/devices/${suspended}`, { status: 'suspended' })
  await acme('POST', `/devices/${gone}/decommission`)
  close()
  await pass(3_600, service)
  assert.deepEqual([await reasons(suspended), await reasons(gone)], [['online data', 'offline silent'], ['online connected']])
  assert.deepEqual(await query('select 1 from device_presence where device_id = $1', gone), [])
  const anew = await register({ imei })
  await report(anew)
  await pass(5, service)
  assert.deepEqual([await reasons(anew), await reasons(gone)], [['online data'], ['online connected']])
})

test('housekeeping forgets decommissioned devices that were offline already', async () => {
  const service = await startListening()
  const deviceId = await register()
  await report(deviceId)
  await pass(310, service)
  await acme('POST', `/devices/${deviceId}/decommission`)
  assert.equal(await deletePresenceOfDecommissionedAcrossResellers(database.systemPool, 10), 1)
  assert.equal(await deletePresenceOfDecommissionedAcrossResellers(database.systemPool, 10), 0)
  assert.equal((await query('select 1 from device_presence where device_id = $1', deviceId)).length, 0)
})

test('an event is for the sub-client that has the device at that time', async () => {
  const service = await startListening()
  for (const name of ['north', 'south']) await acme('POST', '/sub-clients', { name, sub_client_id: name })
  const deviceId = await register({ sub_client_id: 'north' })
  await report(deviceId)
  await pass(5, service)
  await acme('PUT', `/devices/${deviceId}`, { sub_client_id: 'south' })
  await pass(300, service)
  assert.deepEqual(
    (await published(deviceId)).map(({ subClientId }) => subClientId),
    ['north', 'south'],
  )
})

test('what is heard while a device is being reported offline is not lost', async () => {
  const service = await startListening()
  const deviceId = await register()
  const seen = clock.now
  await report(deviceId)
  await pass(5, service)
  await report(deviceId)
  await awaitDevicesAcrossResellers(database.systemPool, [{ deviceId, lastSeenAt: seen }])
  assert.deepEqual(await selectWokenDevicesAcrossResellers(database.systemPool, 10), [{ resellerId: 'acme', deviceId }])
  await awaitDevicesAcrossResellers(database.systemPool, [{ deviceId, lastSeenAt: clock.now }])
  assert.deepEqual(await selectWokenDevicesAcrossResellers(database.systemPool, 10), [])
})

test('of a device that is being changed, what is to be published waits for the change', async () => {
  const service = await startListening()
  const deviceId = await register()
  await report(deviceId)
  await database.tenant('acme', async (db) => {
    await db.query('select from devices where device_id = $1 for no key update', [deviceId])
    await service.rounds()
    assert.deepEqual(await reasons(deviceId), [])
  })
  await pass(5, service)
  assert.deepEqual(await reasons(deviceId), ['online data'])
})
