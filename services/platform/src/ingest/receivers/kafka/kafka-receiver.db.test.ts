// Goal: whatever a broker brings its reader to, only that connection is left out, for longer each time, in every process and over every restart.
// Method: readers that fail on purpose stand in for what no broker is known to bring about any more.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { upsertConnection } from '../../../streams/connections.sql.ts'
import { STREAM_SECRETS, type StreamSecrets, sealStreamSecrets } from '../../../streams/secrets.ts'
import { selectStrike } from '../../../streams/strikes.sql.ts'
import type { Strike } from '../../../streams/strikes.ts'
import { insertResellerWithKey, lastFirst } from '../../../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../../../test-support.ts'
import type { Ingest } from '../../inbound.ts'
import { KafkaReceiver } from './kafka-receiver.ts'

const WAIT_BOUND_MS = 180_000
const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const sealer = createSealer(TEST_SECRET_KEY, STREAM_SECRETS)
let now = new Date('2026-11-20T12:00:00.000Z')

function openReceiver(
  t: CleanUp,
  ingest: Ingest = () => assert.fail('nothing is read here'),
  openSecrets: (of: { resellerId: string }) => StreamSecrets = () => ({ password: undefined, key: undefined }),
): KafkaReceiver {
  const receiver = new KafkaReceiver({
    database,
    ingest,
    now: () => now,
    log: createLogger('silent'),
    allowCidrs: '',
    maxAheadMs: 0,
    countDeadLetter: () => undefined,
    openSecrets,
    onConnectionChanged: () => () => undefined,
    script: new URL('./testing-reader.ts', import.meta.url),
  })
  t.after(() => receiver.stop())
  return receiver
}

async function connect(resellerId: string, deed: string): Promise<void> {
  await insertResellerWithKey(database, resellerId)
  const secretsSealed = sealStreamSecrets(sealer, resellerId, { password: undefined, key: undefined })
  const at = { createdAt: now, updatedAt: now }
  const connection = { enabled: true, brokers: ['kafka.example.com:9092'], topic: deed, groupId: 'g', startAt: 'earliest' as const }
  await upsertConnection(database.tenantPool(resellerId), {
    ...{ ...connection, ...at, resellerId, secretsSealed, revision: 'rev-1' },
    ...{ tls: undefined, sasl: undefined },
  })
}

const strikeOf = (resellerId: string) => selectStrike(database.tenantPool(resellerId), resellerId)

async function untilStruck(resellerId: string, count: number): Promise<Strike> {
  const deadlineMs = performance.now() + WAIT_BOUND_MS
  for (;;) {
    const strike = await strikeOf(resellerId)
    if (strike !== undefined && strike.strikeCount >= count) return strike
    if (performance.now() > deadlineMs) assert.fail(`${resellerId} was not struck ${count} times: ${JSON.stringify(strike)}`)
    await sleep(50)
  }
}

const reasons: Readonly<Record<string, RegExp>> = {
  'throws an error': /ended on what the broker sent: Out of bounds\./,
  'rejects a promise': /nobody waits for/,
  'goes on for ever': /busy without an end/,
  // On a machine that is busy it takes longer to collect garbage than it may be silent.
  'takes all the heap': /too much memory|busy without an end/,
  'takes all the buffers': /too much memory/,
  'ends by itself': /exit code 3/,
}

test('a reader that fails, hangs or swells is ended alone, and its connection is left out with the reason', async (t) => {
  const deeds = Object.keys(reasons)
  for (const [nth, deed] of deeds.entries()) await connect(`bad-${nth}`, deed)
  await connect('good', 'does nothing')
  const receiver = openReceiver(t)
  for (const [nth, deed] of deeds.entries()) {
    const strike = await untilStruck(`bad-${nth}`, 1)
    assert.match(strike.reason, reasons[deed] ?? assert.fail())
    assert.equal(strike.leftOutUntil.getTime() - strike.struckAt.getTime(), 10_000)
  }
  assert.equal(await strikeOf('good'), undefined)
  await receiver.stop()
  assert.equal(await strikeOf('good'), undefined, 'one that is stopped is not struck')
})

test('it is tried again when its time is over; the fifth strike leaves it out for a day, over every restart', async (t) => {
  await database.systemPool.query('delete from stream_connections')
  await connect('again', 'ends by itself')
  let receiver = openReceiver(t)
  for (let count = 1; count <= 5; count++) {
    now = (await untilStruck('again', count)).leftOutUntil
    // A restart changes nothing.
    await receiver.stop()
    receiver = openReceiver(t)
  }
  const strike = await untilStruck('again', 6)
  assert.ok(strike.isQuarantined)
  assert.equal(strike.leftOutUntil.getTime() - strike.struckAt.getTime(), 86_400_000)
  await receiver.stop()
})

test('a reader that a broker has taken over stores nothing as another reseller, and has nothing done that is not for readers', async (t) => {
  await database.systemPool.query('delete from stream_connections')
  await insertResellerWithKey(database, 'victim')
  await connect('taken-over', 'names another reseller')
  const taken: Parameters<Ingest>[] = []
  openReceiver(t, async (...given) => {
    taken.push(given)
    return []
  })
  assert.match((await untilStruck('taken-over', 1)).reason, /a thread calls toString, which it may not/)
  const [[batch, progress] = []] = taken
  assert.deepEqual(
    [...(batch ?? []), ...(progress ?? [])].map(({ resellerId }) => resellerId),
    ['taken-over', 'taken-over'],
  )
  assert.deepEqual(
    batch,
    [{ resellerId: 'taken-over', kind: 'telemetry', record: {}, receiver: 'stream', receivedAt: new Date(0) }],
    'it is only asked what was read',
  )
  const { rows } = await database.systemPool.query(
    'select reseller_id, partition, next_offset::int as next_offset from stream_offsets order by partition',
  )
  assert.deepEqual(rows, [
    { reseller_id: 'taken-over', partition: 1, next_offset: 9 },
    { reseller_id: 'taken-over', partition: 2, next_offset: 5 },
  ])
})

test('a connection whose secrets cannot be opened keeps those behind it from nothing', async (t) => {
  await database.systemPool.query('delete from stream_connections')
  for (const resellerId of ['a-sealed-by-others', 'b-sound']) await connect(resellerId, 'does nothing')
  const receiver = openReceiver(t, undefined, ({ resellerId }) => {
    if (resellerId === 'a-sealed-by-others') throw new Error('it was sealed with another key')
    return { password: undefined, key: undefined }
  })
  const deadlineMs = performance.now() + WAIT_BOUND_MS
  while (receiver.threadCount() === 0 && performance.now() < deadlineMs) await sleep(20)
  assert.equal(receiver.threadCount(), 1)
})
