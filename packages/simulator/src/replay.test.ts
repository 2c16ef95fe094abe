import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireRecord } from './fleet/reading.ts'
import type { RecordedReading } from './recordings/recording.ts'
import { replay } from './replay.ts'
import { emptyCounts, type Sender } from './senders/sender.ts'

const START = Date.parse('2026-03-01T08:00:00Z')

async function* trip(count: number, stepS: number): AsyncGenerator<RecordedReading> {
  for (let i = 0; i < count; i++) yield { offsetS: i * stepS, record: { rpm: 800 + i } }
}

/** The edge of the world: a platform that takes everything. */
function takeAll(): Sender & { batches: WireRecord[][] } {
  const batches: WireRecord[][] = []
  const counts = emptyCounts()
  return {
    batches,
    async send(records, signal) {
      signal?.throwIfAborted()
      batches.push([...records])
      counts.sent += records.length
      counts.accepted += records.length
    },
    counts: () => ({ ...counts }),
    lastRefusal: () => undefined,
    close: async () => {},
  }
}

test('at full speed rows go in hundreds, each with its device and its own time', async () => {
  const sender = takeAll()
  const seen: number[] = []
  const result = await replay({
    records: trip(250, 0.5),
    sender,
    deviceId: 'dev-9',
    startAtMs: START,
    speed: 'max',
    onProgress: ({ records }) => seen.push(records),
  })
  assert.deepEqual(
    sender.batches.map((batch) => batch.length),
    [100, 100, 50],
  )
  assert.deepEqual(sender.batches[0]?.[3], { device_id: 'dev-9', timestamp: '2026-03-01T08:00:01.500Z', rpm: 803 })
  assert.deepEqual(seen, [100, 200, 250])
  assert.deepEqual(result, {
    records: 250,
    vehicleTimeS: 124.5,
    counts: { sent: 250, accepted: 250, duplicates: 0, rejected: 0 },
    firstAt: '2026-03-01T08:00:00.000Z',
    lastAt: '2026-03-01T08:02:04.500Z',
  })
})

test('a paced replay sends no row before its time', async () => {
  const sender = takeAll()
  const arrivals: { atMs: number; rows: number }[] = []
  const beganMs = Date.now()
  const watched: Sender = {
    ...sender,
    async send(records) {
      arrivals.push({ atMs: Date.now() - beganMs, rows: Number(records.at(-1)?.['rpm']) - 800 })
    },
  }
  await replay({ records: trip(11, 10), sender: watched, deviceId: 'd', startAtMs: START, speed: 100 })
  // In how many pieces depends on the machine: one that stood still for a second sends all that is due. That it waits is held by the test of the abort.
  assert.equal(arrivals.at(-1)?.rows, 10)
  // Row i is due at i × 10 s / 100; rows due within the grouping window of 200 ms may come together.
  assert.ok(
    arrivals.every(({ atMs, rows }) => atMs >= rows * 100 - 205),
    JSON.stringify(arrivals),
  )
})

test('an abort ends a replay in the middle of a wait', async () => {
  const stop = new AbortController()
  const sender = takeAll()
  const running = replay({
    records: trip(10, 3_600),
    sender,
    deviceId: 'd',
    startAtMs: START,
    speed: 1,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  })
  await assert.rejects(running, { name: 'AbortError' })
  assert.equal(sender.batches.length, 1)
})

test('a speed that is not above zero is refused', async () => {
  await assert.rejects(replay({ records: trip(1, 1), sender: takeAll(), deviceId: 'd', startAtMs: START, speed: 0 }), RangeError)
})
