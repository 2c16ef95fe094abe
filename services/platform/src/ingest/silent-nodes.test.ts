// Goal: what belongs on a node that hangs is refused at once, and taken again when the node answers. Method: a node whose answers the test gives.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { SilentNodes } from './silent-nodes.ts'

const NODE = { host: '127.0.0.1', port: 5432 }
const OTHER = { host: '127.0.0.1', port: 5433 }
const TIMED_OUT = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
const UNANSWERED = new Error('Query read timeout')
const REFUSED = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

function openNodes(t: { mock: { method(target: object, name: string, replacement: () => number): unknown } }) {
  let nowMs = 1_000
  t.mock.method(performance, 'now', () => nowMs)
  const questions: PromiseWithResolvers<void>[] = []
  let silentCount = 0
  const onNode = () => ({
    tenantPool: () => ({
      query: async () => {
        const question = Promise.withResolvers<void>()
        questions.push(question)
        await question.promise
      },
    }),
  })
  const nodes = new SilentNodes({ onNode } as unknown as Pick<Database, 'onNode'>, () => silentCount++)
  return {
    nodes,
    questions,
    silentCount: () => silentCount,
    after: (ms: number) => {
      nowMs += ms
    },
  }
}

test('a node that does not answer is refused, also while it is asked, until it answers; another is not', async (t) => {
  const { nodes, questions, silentCount, after } = openNodes(t)
  assert.equal(nodes.refusalOf(NODE), undefined)
  nodes.note(NODE, TIMED_OUT)
  nodes.note(NODE, UNANSWERED)
  const refusal = nodes.refusalOf(NODE)
  assert.ok(isOutage(refusal) && /127\.0\.0\.1:5432/.test(refusal?.message ?? ''))
  assert.equal(nodes.refusalOf(OTHER), undefined)
  assert.equal(questions.length, 1, 'it is asked once, however often it failed')
  questions[0]?.reject(UNANSWERED)
  await setImmediate()
  assert.deepEqual([nodes.refusalOf(NODE) !== undefined, questions.length, silentCount()], [true, 1, 1])
  after(1_000)
  assert.ok(nodes.refusalOf(NODE) !== undefined)
  assert.equal(questions.length, 2)
  questions[1]?.resolve()
  await setImmediate()
  assert.equal(nodes.refusalOf(NODE), undefined)
  nodes.note(NODE, TIMED_OUT)
  assert.ok(nodes.refusalOf(NODE) !== undefined, 'it may hang again')
})

test('a node that refuses, and a statement that waited for a lock, are not taken for silence', async (t) => {
  const { nodes, questions } = openNodes(t)
  for (const error of [REFUSED, Object.assign(new Error('lock timeout'), { code: '55P03' })]) nodes.note(NODE, error)
  assert.deepEqual([nodes.refusalOf(NODE), questions.length], [undefined, 0])
  nodes.note(NODE, UNANSWERED)
  questions[0]?.reject(REFUSED)
  await setImmediate()
  assert.equal(nodes.refusalOf(NODE), undefined, 'what it is sent fails at once by itself')
})
