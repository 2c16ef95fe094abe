// Goal: a device that goes on beyond the limit of its sub-client gets an error and goes on being acknowledged, since sending again would not help it.
// Method: the real receiver, pipeline and limits on a real PostgreSQL.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDirectory } from '../devices/directory.ts'
import { defaultGroupCommitLimits } from '../ingest/group-commit.ts'
import { createIngestPipeline } from '../ingest/pipeline.ts'
import { DEVICE, publishPacket, RawClient, RESELLER, startReceiver, topicOf } from '../ingest/receivers/mqtt-embedded/test-mqtt-receiver.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { ReadingLimits } from './reading-limits.ts'

const at = new Date()
/** Stands still: the month does not end while the test runs. */
const now = () => at
const { database } = await openTestDatabase({ after })
await insertReseller(database, RESELLER)
const run = (sql: string, ...values: unknown[]) => database.systemPool.query(sql, values)
await run(`insert into sub_clients (reseller_id, sub_client_id, name, max_readings_per_month) values ($1, 'small', 'Small', 3)`, RESELLER)
await run(
  `insert into devices (reseller_id, device_id, device_type, connection_method, status, sub_client_id)
   values ($1, $2, 'other', 'mqtt', 'active', 'small')`,
  ...[RESELLER, DEVICE],
)
const limits = new ReadingLimits(database, now)
const { ingest } = createIngestPipeline({
  database,
  directory: createDirectory({ database, now, onFleetChanged: () => undefined }),
  now,
  window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
  quota: limits,
  limits: defaultGroupCommitLimits,
  onUnstorable: (error) => assert.fail(String(error)),
})
const startedMs = Date.now() - 60_000
const reading = (nth: number) => ({ timestamp: new Date(startedMs + nth * 1_000).toISOString(), speed: 1 })
const stored = async () => (await run('select count(*)::int as n from readings where device_id = $1', DEVICE)).rows[0]?.['n']

test('readings beyond the limit are acknowledged, not stored, and reported with their places on …/errors', async (t) => {
  const { port } = await startReceiver(t, { ingest })
  await limits.refresh()
  const device = await RawClient.signIn(port)
  device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: topicOf(DEVICE, 'errors'), qos: 0 }] })
  await device.next('suback')
  const reports = async (count: number) => (await device.atLeast('publish', count)).map(({ payload }) => JSON.parse(String(payload)))

  device.send(publishPacket(2, [0, 1, 2, 3, 4].map(reading)))
  await device.atLeast('puback', 1)
  const [first] = await reports(1)
  assert.deepEqual([first.message_id, first.records_stored, first.records_rejected], [2, 3, 2])
  const places = first.errors.map(({ index, code }: { index: number; code: string }) => [index, code])
  assert.deepEqual(places, [
    [3, 'quota_exceeded'],
    [4, 'quota_exceeded'],
  ])
  assert.match(first.errors[0].message, /The 3 readings of the sub-client are used up for this month/)

  device.send(publishPacket(3, reading(5)))
  await device.atLeast('puback', 2)
  const [, second] = await reports(2)
  assert.deepEqual([second.message_id, second.records_stored, second.errors[0].code], [3, 0, 'quota_exceeded'])
  assert.equal(await stored(), 3)

  await run(`update sub_clients set max_readings_per_month = null where sub_client_id = 'small'`)
  await limits.refresh()
  device.send(publishPacket(4, reading(6)))
  await device.atLeast('puback', 3)
  assert.equal(await stored(), 4, 'it was not closed')
  device.socket.destroy()
})
