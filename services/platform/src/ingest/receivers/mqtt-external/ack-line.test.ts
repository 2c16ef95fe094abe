import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AckLine } from './ack-line.ts'

function openLine() {
  const writes: number[][] = []
  const line = new AckLine((bytes) => {
    const ids: number[] = []
    for (let at = 0; at < bytes.length; at += 4) ids.push(bytes.readUInt16BE(at + 2))
    assert.equal(bytes.length % 4, 0)
    writes.push(ids)
  })
  return { line, writes }
}

test('PUBACKs leave in the order of the PUBLISHes, as many as can in one write', () => {
  const { line, writes } = openLine()
  const [first, second, third] = [line.add(7), line.add(8), line.add(9)]
  second.isDone = true
  line.release()
  assert.deepEqual([writes, line.length], [[], 3])
  first.isDone = true
  line.release()
  assert.deepEqual([writes, line.length], [[[7, 8]], 1])
  third.isDone = true
  line.release()
  assert.deepEqual(writes, [[7, 8], [9]])
})

test('a message of QoS 0 holds its place and gets no PUBACK; after the end nobody gets one', () => {
  const { line, writes } = openLine()
  const [unacknowledged, last] = [line.add(undefined), line.add(3)]
  unacknowledged.isDone = true
  line.release()
  assert.deepEqual(writes, [])
  line.end()
  last.isDone = true
  line.release()
  assert.deepEqual([writes, line.isEnded], [[], true])
})
