import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerFrames, MAX_ANSWER_BYTES, MAX_FETCH_ANSWER_BYTES } from './answer-frames.ts'
import { bytes, int16, int32 } from './testing-hostile-broker.ts'

const FETCH = 1
const METADATA = 3
const request = (apiKey: number, correlationId: number) => bytes(int32(10), int16(apiKey), int16(1), int32(correlationId), int16(-1))
const answer = (correlationId: number, length: number) => bytes(int32(4 + length), int32(correlationId), Buffer.alloc(length, 7))

function framesOf(...requests: readonly Buffer[]): AnswerFrames {
  const frames = new AnswerFrames()
  for (const each of requests) frames.noteRequest(each)
  return frames
}

test('answers come out whole, however they are cut', () => {
  const sent = [answer(1, 0), answer(2, 70_000), answer(3, 5)]
  for (const size of [1, 3, 7, 4_096, 1_000_000]) {
    const frames = framesOf(request(METADATA, 1), request(METADATA, 2), request(METADATA, 3))
    const all = bytes(...sent)
    const taken: Buffer[] = []
    for (let at = 0; at < all.length; at += size) taken.push(...frames.take(all.subarray(at, at + size)))
    assert.deepEqual(taken, sent, `in pieces of ${size}`)
  }
})

test('an answer is as long as its request allows and not a byte longer, which is known from its first eight bytes', () => {
  const header = (length: number) => bytes(int32(length), int32(1))
  for (const [apiKey, most] of [
    [FETCH, MAX_FETCH_ANSWER_BYTES],
    [METADATA, MAX_ANSWER_BYTES],
  ] as const) {
    assert.deepEqual(framesOf(request(apiKey, 1)).take(header(most)), [])
    assert.throws(() => framesOf(request(apiKey, 1)).take(header(most + 1)), /bytes/)
  }
  for (const length of [-2_147_483_648, -1, 0, 3, 2_147_483_647])
    assert.throws(() => framesOf(request(FETCH, 1)).take(int32(length)), /may not be a Kafka broker/)
  assert.equal(framesOf(request(METADATA, 1)).take(header(4)).length, 1)
})

test('what was not asked for is refused, and so is a second answer', () => {
  assert.throws(() => framesOf().take(answer(1, 0)), /request that was not made \(correlation id 1\)/)
  assert.throws(() => framesOf(request(METADATA, 1)).take(bytes(answer(1, 0), answer(1, 0))), /not made/)
  assert.throws(() => framesOf(request(METADATA, 1)).take(Buffer.from('HTTP/1.1 200 OK')), /answers in HTTP/)
  assert.throws(() => framesOf(request(METADATA, 1)).take(Buffer.from('1603010200', 'hex')), /requires TLS/)
})

test('requests that are never answered add up to a thousand, and one that is answered is none of them', () => {
  const frames = framesOf(...Array.from({ length: 1_000 }, (_, nth) => request(METADATA, nth)))
  assert.throws(() => frames.noteRequest(request(METADATA, 1_000)), /1000 requests have no answer/)
  frames.take(answer(7, 3))
  frames.noteRequest(request(METADATA, 1_000))
  assert.throws(() => frames.take(answer(7, 3)), /a request that was not made/)
})
