import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FetchPace } from './pace-fetches.ts'

const at = (...fetchOffsets: bigint[]) => fetchesOf(1, fetchOffsets)
function fetchesOf(node: number, fetchOffsets: readonly bigint[]) {
  const partitions = fetchOffsets.map((fetchOffset, partition) => ({ partition, fetchOffset, partitionMaxBytes: 1 }))
  return { node, topics: [{ topicId: 't', partitions }] } as unknown as Parameters<FetchPace['delayMs']>[0]
}
const answerWith = (batchCount: number) =>
  ({ responses: [{ partitions: [{ records: null }, { records: Array(batchCount) }] }] }) as unknown as Parameters<
    FetchPace['noteAnswer']
  >[1]

test('who gets records asks on at once; who gets none waits for what is left of half a second', () => {
  const pace = new FetchPace()
  assert.equal(pace.delayMs(at(0n, 0n), 1_000), 0)
  pace.noteAnswer(1, answerWith(1))
  assert.equal(pace.delayMs(at(0n, 7n), 1_010), 0)
  pace.noteAnswer(1, answerWith(0))
  assert.equal(pace.delayMs(at(0n, 7n), 1_020), 490, 'at once, and with nothing')
  pace.noteAnswer(1, answerWith(0))
  assert.equal(pace.delayMs(at(0n, 7n), 1_510), 500, 'the time runs from when it was asked')
  pace.noteAnswer(1, answerWith(0))
  assert.equal(pace.delayMs(at(0n, 7n), 2_510), 0, 'it was held by the broker, as honest ones do')
})

test('records that do not move the reader on, positions that move without records, and failures are all nothing', () => {
  const pace = new FetchPace()
  assert.equal(pace.delayMs(at(5n), 0), 0)
  pace.noteAnswer(1, answerWith(3))
  assert.equal(pace.delayMs(at(5n), 1), 499, 'the same again')
  pace.noteAnswer(1, answerWith(0))
  assert.equal(pace.delayMs(at(6n), 501), 499, 'moved by the broker, without a record')
  pace.noteAnswer(1, undefined)
  assert.equal(pace.delayMs(at(7n), 1_001), 499, 'after a failure')
})

test('one broker that brings nothing does not hold up another', () => {
  const pace = new FetchPace()
  pace.delayMs(at(0n), 0)
  pace.noteAnswer(1, answerWith(0))
  assert.equal(pace.delayMs(fetchesOf(2, [0n]), 1), 0)
  assert.equal(pace.delayMs(at(0n), 1), 499)
})
