// Goal: a device hears of what it sends in vain, once an hour, and only when it listens. Method: the real receiver, with an ingest that reads the
// records as ingest does and stores nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ingest } from '../../inbound.ts'
import { normalize } from '../../normalize.ts'
import { DEVICE, publishPacket, RawClient, startReceiver, stored, topicOf } from './test-mqtt-receiver.ts'

const clock = { now: new Date('2026-11-20T12:00:00.000Z') }
const ingest: Ingest = async (batch) =>
  batch.map((inbound) => {
    const { warnings } = normalize(inbound.record, clock.now.getTime(), { maxAgeMs: 1_000, maxAheadMs: 1_000 })
    return warnings === undefined ? stored(inbound) : { ...stored(inbound), warnings }
  })

test('each field that is not used is published to its device once an hour, on its errors topic', async (t) => {
  const { port } = await startReceiver(t, { ingest, now: () => clock.now })
  const device = await RawClient.signIn(port)
  // Before it subscribes nothing is published, nor counted as published.
  device.send(publishPacket(1, { rpm: 99_999 }))
  await device.atLeast('puback', 1)
  device.send({ cmd: 'subscribe', messageId: 2, subscriptions: [{ topic: topicOf(DEVICE, 'errors'), qos: 0 }] } as never)
  await device.next('suback')
  device.send(publishPacket(3, [{ rpm: 900 }, { rpm: 99_999, coolnt_temp: 1 }, { coolnt_temp: 2 }]))
  device.send(publishPacket(4, { coolnt_temp: 3 }), publishPacket(5, { coolnt_temp: 4, boost: 1 }))
  await device.atLeast('puback', 4)
  clock.now = new Date(clock.now.getTime() + 3_600_000)
  device.send(publishPacket(6, { coolnt_temp: 5 }))
  const reports = (await device.atLeast('publish', 3)).map(({ payload }) => JSON.parse(String(payload)))
  const closest = 'unknown, kept in extra; the closest known name is "coolant_temp"'
  assert.deepEqual(reports, [
    {
      message_id: 3,
      records_stored: 3,
      records_rejected: 0,
      errors: [],
      warnings: [
        { index: 1, field: 'coolnt_temp', reason: closest },
        { index: 1, field: 'rpm', reason: 'implausible' },
      ],
    },
    {
      message_id: 5,
      records_stored: 1,
      records_rejected: 0,
      errors: [],
      warnings: [{ index: 0, field: 'boost', reason: 'unknown, kept in extra' }],
    },
    { message_id: 6, records_stored: 1, records_rejected: 0, errors: [], warnings: [{ index: 0, field: 'coolnt_temp', reason: closest }] },
  ])
  device.socket.destroy()
})
