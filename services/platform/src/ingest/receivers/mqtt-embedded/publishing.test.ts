import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { connectAsync } from 'mqtt'
import type { Inbound, Ingest } from '../../inbound.ts'
import {
  connectPacket,
  DEVICE,
  heldIngest,
  OTHER_DEVICE,
  PASSWORD,
  publishPacket,
  RawClient,
  RESELLER,
  recordingIngest,
  startReceiver,
  stored,
  topicOf,
  until,
} from './test-mqtt-receiver.ts'

const ackedIds = (client: RawClient) => client.all('puback').map(({ messageId }) => messageId)

test('PUBACK comes after the commit and not before', async (t) => {
  const { ingest, calls } = heldIngest()
  const { port } = await startReceiver(t, { ingest })
  const device = await RawClient.signIn(port)
  device.send(publishPacket(7, { speed: 61 }), { cmd: 'pingreq' })
  await device.next('pingresp')
  await until(() => calls.length === 1, 'ingest is asked')
  assert.deepEqual(ackedIds(device), [])
  calls[0]?.commit()
  await device.next('puback')
  assert.deepEqual(ackedIds(device), [7])
  const [{ receivedAt, ...inbound } = {}] = calls[0]?.batch ?? []
  assert.deepEqual(inbound, { resellerId: RESELLER, kind: 'telemetry', record: { speed: 61 }, senderDeviceId: DEVICE, receiver: 'mqtt' })
  assert.ok(receivedAt instanceof Date)
})

test('a real client publishes with QoS 1 and QoS 0', async (t) => {
  const recording = recordingIngest()
  const { port } = await startReceiver(t, { ingest: recording.ingest })
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { clientId: DEVICE, username: `${RESELLER}/${DEVICE}`, password: PASSWORD })
  await client.publishAsync(topicOf(DEVICE), '{"speed":1}', { qos: 1 })
  await client.publishAsync(topicOf(DEVICE), '[{"speed":2},{"speed":3}]', { qos: 0 })
  await until(() => recording.records().length === 3, 'three readings have come')
  assert.deepEqual(recording.records(), [{ speed: 1 }, { speed: 2 }, { speed: 3 }])
  await client.endAsync()
})

test('2000 publishes in one write become few batches, and are acknowledged in order', async (t) => {
  const recording = recordingIngest()
  const { port, receiver } = await startReceiver(t, { ingest: recording.ingest })
  const device = await RawClient.signIn(port)
  const ids = Array.from({ length: 2_000 }, (_, i) => i + 1)
  device.send(...ids.map((id) => publishPacket(id, { n: id })))
  await device.atLeast('puback', ids.length)
  assert.deepEqual(ackedIds(device), ids)
  assert.deepEqual(
    recording.records(),
    ids.map((n) => ({ n })),
  )
  assert.ok(recording.batches.length <= 40, `${recording.batches.length} batches`)
  assert.equal(receiver.counters.publishesAccepted, 2_000)
})

test('a batch holds no more records than the limit, each record is in one, and a message that holds none is in between', async (t) => {
  const recording = recordingIngest()
  const { port, receiver } = await startReceiver(t, { ingest: recording.ingest, limits: { maxBatchRecords: 50 } })
  const device = await RawClient.signIn(port)
  const arrays = Array.from({ length: 12 }, (_, at) => Array.from({ length: at === 5 ? 80 : 20 }, (_, i) => ({ at, i })))
  device.send(...arrays.map((records, at) => publishPacket(at + 1, records)), publishPacket(13, 'no record'))
  await device.atLeast('puback', 13)
  assert.deepEqual(recording.records(), arrays.flat())
  // Two of 20 to a batch; the one of 80 alone, for it cannot be parted.
  assert.deepEqual(
    recording.batches.map(({ length }) => length),
    [40, 40, 20, 80, 40, 40, 40],
  )
  assert.deepEqual([receiver.counters.recordsStored, receiver.counters.recordsRefused], [300, 1])
})

test('publishes of many devices share a batch', async (t) => {
  const { ingest, calls } = heldIngest()
  const { port } = await startReceiver(t, { ingest, limits: { maxBatchesUnderWay: 1 } })
  const [one, other] = [await RawClient.signIn(port), await RawClient.signIn(port, OTHER_DEVICE)]
  one.send(publishPacket(1, { n: 1 }))
  await until(() => calls.length === 1, 'the first batch is under way')
  one.send(publishPacket(2, { n: 2 }))
  other.send(publishPacket(3, { n: 3 }, { topic: topicOf(OTHER_DEVICE) }))
  one.send({ cmd: 'pingreq' })
  other.send({ cmd: 'pingreq' })
  await Promise.all([one.next('pingresp'), other.next('pingresp')])
  calls[0]?.commit()
  await until(() => calls.length === 2, 'the second batch is under way')
  assert.deepEqual(new Set(calls[1]?.batch.map(({ senderDeviceId }) => senderDeviceId)), new Set([DEVICE, OTHER_DEVICE]))
  calls[1]?.commit()
  await Promise.all([one.atLeast('puback', 2), other.next('puback')])
})

test('commits that finish out of order are acknowledged in order', async (t) => {
  const { ingest, calls } = heldIngest()
  const { port } = await startReceiver(t, { ingest })
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { n: 1 }))
  await until(() => calls.length === 1, 'the first batch is under way')
  device.send(publishPacket(2, { n: 2 }))
  await until(() => calls.length === 2, 'the second batch is under way')
  calls[1]?.commit()
  device.send({ cmd: 'pingreq' })
  await device.next('pingresp')
  assert.deepEqual(ackedIds(device), [])
  calls[0]?.commit()
  await device.atLeast('puback', 2)
  assert.deepEqual(ackedIds(device), [1, 2])
})

test('publishes that follow CONNECT in the same write are all taken', async (t) => {
  const { port } = await startReceiver(t)
  const device = await RawClient.open(port)
  const ids = Array.from({ length: 500 }, (_, i) => i + 1)
  device.send(connectPacket(), ...ids.map((id) => publishPacket(id, { n: id })))
  await device.atLeast('puback', ids.length)
  assert.deepEqual(ackedIds(device), ids)
})

test('a payload of 64 KiB is taken and a longer one is acknowledged and reported', async (t) => {
  const recording = recordingIngest()
  const { port, receiver } = await startReceiver(t, { ingest: recording.ingest })
  const device = await RawClient.signIn(port)
  const ofLength = (bytes: number) => Buffer.from(`{"speed":1}${' '.repeat(bytes - 11)}`)
  device.send(publishPacket(1, ofLength(64 * 1024)), publishPacket(2, ofLength(64 * 1024 + 1)))
  await device.atLeast('puback', 2)
  assert.equal(recording.records().length, 1)
  assert.equal(receiver.counters.recordsRefused, 1)
})

test('when the store fails there is no PUBACK and the connection is closed, so the device sends again', async (t) => {
  const { ingest, calls } = heldIngest()
  const { port, receiver } = await startReceiver(t, { ingest })
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { n: 1 }))
  await until(() => calls.length === 1, 'ingest is asked')
  calls[0]?.fail(new Error('a bug'))
  await device.closedByReceiver()
  assert.deepEqual(ackedIds(device), [])
  assert.equal(receiver.counters.publishesUnstored, 1)

  const again = await RawClient.signIn(port)
  again.send(publishPacket(1, { n: 1 }, { dup: true }))
  await until(() => calls.length === 2, 'ingest is asked again')
  calls[1]?.commit()
  await again.next('puback')
})

test('a full queue makes publishes wait, and they are acknowledged when there is room', async (t) => {
  let refusalsLeft = 3
  const offered: (readonly Inbound[])[] = []
  const { port } = await startReceiver(t, {
    ingest: async (batch) => {
      offered.push(structuredClone(batch))
      if (refusalsLeft-- > 0) throw new Problem('unavailable', 'the queue is full')
      return batch.map(stored)
    },
  })
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { n: 1 }))
  await device.next('puback')
  assert.equal(refusalsLeft, -1)
  for (const batch of offered) assert.deepEqual(batch, offered[0], 'the same is offered again, with the time it came')
})

test('a store that stays away closes the connection after the wait', async (t) => {
  const { port } = await startReceiver(t, {
    ingest: () => Promise.reject(new Problem('unavailable', 'the store is away')),
    limits: { storeWaitMs: 200 },
  })
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { n: 1 }))
  await device.closedByReceiver()
  assert.deepEqual(ackedIds(device), [])
})

test('an ingest that never answers closes the connection after the wait', async (t) => {
  const { port } = await startReceiver(t, { ingest: () => new Promise(() => {}), limits: { storeWaitMs: 100 } })
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { n: 1 }))
  await device.closedByReceiver()
})

// Aedes counts a packet as done for each time the socket becomes readable, so a device that sends small segments gets all of them in.
test('while its publishes wait a device is not read, so what it sends stays outside', async (t) => {
  const { ingest, calls } = heldIngest()
  const maxUnsettledPublishes = 20
  const { port } = await startReceiver(t, { ingest, limits: { storeWaitMs: 60_000, maxUnsettledPublishes, maxBatchesUnderWay: 1_000 } })
  const device = await RawClient.signIn(port)
  const packetCount = 200
  for (let id = 1; id <= packetCount; id++) {
    device.send(publishPacket(id, { n: id }))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const heldCount = calls.flatMap(({ batch }) => batch).length
  // What came together in the last chunk that was read is taken together.
  assert.ok(heldCount <= 3 * maxUnsettledPublishes, `${heldCount} publishes are held`)
  const committing = setInterval(() => {
    for (const { commit } of calls) commit()
  }, 1)
  await device.atLeast('puback', packetCount).finally(() => clearInterval(committing))
})

test('over all devices no more is held than the limit, and everything is taken in the end', async (t) => {
  const { ingest, calls } = heldIngest()
  const { port } = await startReceiver(t, { ingest, limits: { storeWaitMs: 60_000, maxUnsettledBytesOfAll: 10_000 } })
  const [one, other] = [await RawClient.signIn(port), await RawClient.signIn(port, OTHER_DEVICE)]
  one.send(
    publishPacket(1, Buffer.from(`{"note":"${'x'.repeat(8_000)}"}`)),
    publishPacket(2, Buffer.from(`{"note":"${'y'.repeat(8_000)}"}`)),
  )
  await until(() => calls.flatMap(({ batch }) => batch).length === 2, 'the limit is reached')
  other.send(publishPacket(3, { n: 3 }, { topic: topicOf(OTHER_DEVICE) }))
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(calls.flatMap(({ batch }) => batch).length, 2)
  const committing = setInterval(() => {
    for (const { commit } of calls) commit()
  }, 1)
  await Promise.all([one.atLeast('puback', 2), other.next('puback')]).finally(() => clearInterval(committing))
})

test('a publish rate per device makes the device wait and loses nothing', async (t) => {
  const recording = recordingIngest()
  const { port } = await startReceiver(t, { ingest: recording.ingest, limits: { maxPublishesPerSecond: 1, publishBurst: 10 } })
  const device = await RawClient.signIn(port)
  device.send(...Array.from({ length: 11 }, (_, i) => publishPacket(i + 1, { n: i })))
  await device.atLeast('puback', 10)
  // What is beyond the burst waits for a second: long after the ten have been acknowledged, on any machine.
  assert.equal(recording.records().length, 10, 'the burst goes at once')
  await device.atLeast('puback', 11)
  assert.equal(recording.records().length, 11)
})

test('a device whose row is held by another transaction takes no other device with it', async (t) => {
  const batchSizes: number[] = []
  const ingest: Ingest = async (batch) => {
    batchSizes.push(batch.length)
    if (batch.some(({ senderDeviceId }) => senderDeviceId === DEVICE)) throw Object.assign(new Error('lock timeout'), { code: '55P03' })
    return batch.map(stored)
  }
  const { port } = await startReceiver(t, { ingest, limits: { maxBatchesUnderWay: 1, storeWaitMs: 300 } })
  const [held, other] = [await RawClient.signIn(port), await RawClient.signIn(port, OTHER_DEVICE)]
  held.send(publishPacket(1, { speed: 1 }))
  held.send(publishPacket(2, { speed: 2 }))
  other.send(publishPacket(3, { speed: 3 }, { topic: topicOf(OTHER_DEVICE) }))
  await other.next('puback')
  assert.deepEqual(ackedIds(other), [3])
  await held.closedByReceiver()
  assert.deepEqual(ackedIds(held), [])
  other.socket.destroy()
})
