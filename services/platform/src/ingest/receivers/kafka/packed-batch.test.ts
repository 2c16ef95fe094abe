// Goal: what is stored is what was read, and each outcome comes back to its own record. Method: everything goes through what a message between
// threads does to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Outcome } from '../../inbound.ts'
import { packBatch, packOutcomes, unpackBatch, unpackOutcomes } from './packed-batch.ts'

const accepted = { readingId: 'tel-1', deviceId: undefined, vehicleId: undefined, subClientId: undefined, receivedAtMs: 0 }
const stored: Outcome = { status: 'stored', ...accepted }
const duplicate: Outcome = { status: 'duplicate', ...accepted }
const refused: Outcome = { status: 'refused', problem: new Problem('device_not_found', 'There is no such device.') }

test('records arrive in their order, each with the time of its message, for the reseller of the thread', () => {
  const readable = [
    { texts: ['{"a":1}'], receivedAtMs: 10 },
    { texts: ['7', 'null', '{"b":[{}]}'], receivedAtMs: 20 },
    { texts: ['"text"'], receivedAtMs: 30 },
  ]
  const arrived = unpackBatch(structuredClone(packBatch(readable)), 'acme')
  assert.deepEqual(
    arrived.map(({ record, receivedAt }) => [record, receivedAt?.getTime()]),
    [
      [{ a: 1 }, 10],
      [7, 20],
      [null, 20],
      [{ b: [{}] }, 20],
      ['text', 30],
    ],
  )
  assert.ok(arrived.every(({ resellerId, kind }) => resellerId === 'acme' && kind === 'telemetry'))
})

test('what is no batch is not stored in part', () => {
  for (const batch of [
    { recordsJson: '[{},{}]', receivedAtMs: [1] },
    { recordsJson: '{"length":1}', receivedAtMs: [1] },
    { recordsJson: '[', receivedAtMs: [] },
  ])
    assert.throws(() => unpackBatch(batch, 'acme'), /hold together|JSON/)
})

test('each outcome comes back to its record', () => {
  const outcomes = [stored, duplicate, refused, stored, refused, duplicate]
  const back = unpackOutcomes(structuredClone(packOutcomes(outcomes)), outcomes.length)
  assert.deepEqual(
    back.map((outcome) => (outcome.status === 'refused' ? outcome.problem.message : outcome.status)),
    ['stored', 'duplicate', 'There is no such device.', 'stored', 'There is no such device.', 'duplicate'],
  )
  assert.deepEqual(back[2]?.status === 'refused' && back[2].problem.code, 'device_not_found')
})
