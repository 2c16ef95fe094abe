// Goal: callers, each of whom chooses flag and trace id, do not decide how much is kept. Method: the sampler with a clock that stands, or moves by a second.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { BoundedSampler } from './trace-sampler.ts'
import type { TraceOptions } from './trace-settings.ts'

const MANY = 1_000
const KEPT = 2

function samplerOf(sampler: TraceOptions['sampler'], ratio: number, trustsCallers = false) {
  let nowMs = 1_000
  const own = new BoundedSampler({ sampler, ratio, trustsCallers }, () => nowMs)
  const decide = (traceId: string, parent?: { isRemote: boolean; traceFlags: number }) => {
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: '1'.repeat(16), ...parent })
    return own.shouldSample(context, traceId).decision === KEPT
  }
  const count = (parent?: { isRemote: boolean; traceFlags: number }, newTraceId = () => randomBytes(16).toString('hex')) =>
    Array.from({ length: MANY }, () => decide(newTraceId(), parent)).filter((isKept) => isKept).length
  const waitASecond = () => {
    nowMs += 1_000
  }
  return { count, waitASecond }
}

const asked = { isRemote: true, traceFlags: 1 }
const notAsked = { isRemote: true, traceFlags: 0 }
/** What a ratio keeps, however small it is. */
const lowTraceId = () => `${'0'.repeat(31)}1`

test('with a share, callers who ask for all of theirs get ten a second', () => {
  const { count, waitASecond } = samplerOf('parentbased_traceidratio', 0)
  assert.deepEqual([count(), count(asked), count(asked), count(notAsked)], [0, 10, 0, 0])
  waitASecond()
  assert.equal(count(asked, lowTraceId), 10)
})

test('a ratio that goes by trace ids is no way around it', () => {
  const { count } = samplerOf('traceidratio', 0.000001)
  assert.equal(count(asked, lowTraceId), 10)
})

test('with all of them a hundred a second are begun, those of callers among them', () => {
  const { count, waitASecond } = samplerOf('parentbased_traceidratio', 1)
  assert.deepEqual([count(), count(asked), count(notAsked)], [100, 0, 0])
  waitASecond()
  assert.deepEqual([count(asked), count()], [100, 0])
})

test('an operator who asks for all of them, or for none, gets that', () => {
  const all = samplerOf('always_on', 1)
  assert.deepEqual([all.count(), all.count(asked), all.count(notAsked)], [MANY, MANY, MANY])
  const none = samplerOf('always_off', 1)
  assert.deepEqual([none.count(), none.count(asked)], [0, 0])
  const onDemand = samplerOf('parentbased_always_off', 1)
  assert.deepEqual([onDemand.count(), onDemand.count(asked)], [0, 10])
})

test('what was decided where a trace came in holds for what follows', () => {
  const { count } = samplerOf('parentbased_traceidratio', 0)
  assert.deepEqual([count({ isRemote: false, traceFlags: 1 }), count({ isRemote: false, traceFlags: 0 })], [MANY, 0])
})

test('callers who are part of the installation have their wish', () => {
  const { count } = samplerOf('parentbased_traceidratio', 0, true)
  assert.deepEqual([count(asked), count(notAsked), count()], [MANY, 0, 0])
})
