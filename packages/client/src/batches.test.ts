// Goal: any number of records is sent as if the API took it, and after a failure it is known of each record whether it was sent.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { BatchError } from './batches.ts'
import { AuthenticationError, ConnectionError, UnexpectedAnswerError, ValidationError } from './errors.ts'
import { Roadworthy } from './roadworthy.ts'
import { splitItems } from './split-items.ts'
import { createTestClock } from './test-clock.ts'
import { type Answer, json, refuse, reset, type Seen, startTestServer } from './test-server.ts'

type Record_ = { vehicle_id: string; note?: string }

async function setUp(t: TestContext) {
  const server = await startTestServer(t)
  const clock = createTestClock()
  const client = new Roadworthy({ baseUrl: server.url, engineUrl: server.url, apiKey: 'rw_live_key', clock, maxRetries: 1 })
  return { server, clock, client }
}

const recordsOf = (seen: Seen | undefined): Record_[] => JSON.parse(seen?.body ?? '{}').records
const numbered = (count: number) => Array.from({ length: count }, (_, i) => ({ vehicle_id: `truck-${i}` }))

test('an answer of something else is no record that was stored', async (t) => {
  const { server, client } = await setUp(t)
  const unavailable = { index: 0, status: 'rejected', error: { code: 'unavailable' } }
  const stored = { index: 0, status: 'stored', id: 'tel-1' }
  const others = [
    ...[null, [], 'fine', {}, { success: true, records_processed: 1 }, { results: 'fine' }, { results: [] }, { results: [null] }],
    ...[{ results: [{ ...unavailable, index: 7 }] }, { results: [stored, { ...stored, index: 1 }] }],
  ]
  for (const other of others) {
    server.answer(json(200, other))
    await assert.rejects(client.external.telemetry.sendBatch(numbered(1)), UnexpectedAnswerError, JSON.stringify(other))
  }
  server.answer(json(200, { results: [stored, stored] }))
  await assert.rejects(client.external.telemetry.sendBatch(numbered(2)), UnexpectedAnswerError)
  server.answer(store, json(200, {}))
  await assert.rejects(client.external.telemetry.sendBatch(numbered(250)), (error) => {
    assert.ok(error instanceof BatchError && error.cause instanceof UnexpectedAnswerError, String(error))
    return error.failedFrom === 100 && error.unsentFrom === 200
  })
  for (const other of [{}, { predictions: [] }, { predictions: [null] }, { count: 1 }]) {
    server.answer(json(200, other))
    await assert.rejects(client.engine.predictBatch([{ vehicleId: 'TRUCK-1' }]), UnexpectedAnswerError, JSON.stringify(other))
  }
})

/** As the service does: each record by what its `vehicle_id` says. */
const store: Answer = (response, seen) => {
  const results = recordsOf(seen).map(({ vehicle_id: id }, index) =>
    id.startsWith('bad')
      ? { index, status: 'rejected', error: { code: 'invalid_request', message: 'bad' } }
      : { index, status: id.startsWith('known') ? 'duplicate' : 'stored', id: `tel-${id}` },
  )
  const countOf = (status: string) => results.filter((result) => result.status === status).length
  const rejected = countOf('rejected')
  if (rejected === results.length) {
    return refuse(400, 'invalid_request', {
      message: `None of the ${rejected} records could be stored; see details.`,
      details: { results },
    })(response, seen)
  }
  const processed = results.length - rejected
  json(200, {
    success: true,
    records_processed: processed,
    records_rejected: rejected,
    duplicates: countOf('duplicate'),
    processing_time_ms: 2.5,
    results,
  })(response, seen)
}

test('records are sent in parts of 100, in order, and the answers are put together', async (t) => {
  const { server, client } = await setUp(t)
  server.answer(store)
  const records = numbered(250)
  records[3] = { vehicle_id: 'bad-3' }
  records[149] = { vehicle_id: 'known-149' }
  records[249] = { vehicle_id: 'bad-249' }
  const answer = await client.external.telemetry.sendBatch(records)
  assert.deepEqual(
    server.seen.map((seen) => recordsOf(seen).length),
    [100, 100, 50],
  )
  assert.deepEqual(server.seen.flatMap(recordsOf), records)
  assert.equal(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size, 3)
  const { results, ...sums } = answer
  assert.deepEqual(sums, { success: true, records_processed: 248, records_rejected: 2, duplicates: 1, processing_time_ms: 7.5 })
  assert.deepEqual(
    results.map(({ index }) => index),
    records.map((_, i) => i),
  )
  assert.deepEqual([results[3]?.status, results[149]?.status, results[249]?.error?.code], ['rejected', 'duplicate', 'invalid_request'])
})

test('nothing is sent of nothing', async (t) => {
  const { server, client } = await setUp(t)
  const answer = await client.external.telemetry.sendBatch([])
  assert.deepEqual([server.seen.length, answer.records_processed, answer.results], [0, 0, []])
  assert.deepEqual((await client.engine.predictBatch([])).predictions, [])
})

test('a part of which no record is good is reported record by record; only when none of the whole is, it is an error', async (t) => {
  const { server, client } = await setUp(t)
  server.answer(store)
  const mixed = [...Array.from({ length: 100 }, (_, i) => ({ vehicle_id: `bad-${i}` })), ...numbered(20)]
  const answer = await client.external.telemetry.sendBatch(mixed)
  assert.deepEqual([answer.records_processed, answer.records_rejected, answer.results.length], [20, 100, 120])
  assert.deepEqual([answer.results[99]?.index, answer.results[100]?.index, answer.results[119]?.status], [99, 100, 'stored'])
  await assert.rejects(client.external.telemetry.sendBatch(mixed.slice(0, 100).concat(mixed.slice(0, 50))), (error) => {
    assert.ok(error instanceof ValidationError && error.status === 400)
    assert.ok(Array.isArray(error.details?.['results']) && error.details['results'].length === 150)
    return true
  })
})

test('a key of the caller is the same for the same part every time', async (t) => {
  const { server, client } = await setUp(t)
  server.answer(store)
  const keysOf = () => server.seen.map(({ headers }) => headers['idempotency-key'])
  for (let i = 0; i < 2; i++) await client.external.telemetry.sendBatch(numbered(101), { idempotencyKey: 'night 7' })
  assert.deepEqual(keysOf(), ['night 7-0', 'night 7-1', 'night 7-0', 'night 7-1'])
  server.answer(store)
  await client.external.telemetry.sendBatch(numbered(100), { idempotencyKey: 'night 7' })
  assert.deepEqual(keysOf(), ['night 7'])
})

test('when a part fails, the error has what was answered before it and what was not sent', async (t) => {
  const { server, clock, client } = await setUp(t)
  server.answer(store, refuse(401, 'invalid_api_key'))
  await assert.rejects(client.external.telemetry.sendBatch(numbered(250)), (error) => {
    assert.ok(error instanceof BatchError && error.cause instanceof AuthenticationError)
    assert.deepEqual([error.status, error.code, error.failedFrom, error.unsentFrom], [401, 'invalid_api_key', 100, 200])
    assert.deepEqual([error.answered['records_processed'], (error.answered['results'] as unknown[]).length], [100, 100])
    assert.match(error.message, /^Items 100 to 199 failed, those before were answered, those after were not sent\. 401/)
    return true
  })
  server.answer(store, store, reset)
  const failing = client.external.telemetry.sendBatch(numbered(250))
  failing.catch(() => undefined)
  await clock.asleep(1000)
  clock.advance(1000)
  await assert.rejects(failing, (error) => {
    assert.ok(error instanceof BatchError && error.cause instanceof ConnectionError)
    return error.failedFrom === 200 && error.unsentFrom === 250 && error.status === undefined
  })
  // Of the first part there is nothing to add.
  server.answer(refuse(401, 'invalid_api_key'))
  await assert.rejects(client.external.telemetry.sendBatch(numbered(250)), (error) => error instanceof AuthenticationError)
  assert.equal(server.seen.length, 1)
})

test('records that met a lock are sent once more, alone and under another key', async (t) => {
  const { server, clock, client } = await setUp(t)
  const locked: Answer = (response, seen) => {
    const results = recordsOf(seen).map((_, index) =>
      index % 2 === 1
        ? { index, status: 'rejected', error: { code: 'unavailable', message: 'locked' } }
        : { index, status: 'stored', id: `tel-${index}` },
    )
    json(200, { success: true, records_processed: 2, records_rejected: 2, duplicates: 0, processing_time_ms: 1, results })(response, seen)
  }
  server.answer(locked, store)
  const sending = client.external.telemetry.sendBatch(numbered(4), { idempotencyKey: 'k' })
  await clock.asleep(1000)
  clock.advance(1000)
  const answer = await sending
  assert.deepEqual(recordsOf(server.seen[1]), [{ vehicle_id: 'truck-1' }, { vehicle_id: 'truck-3' }])
  assert.notEqual(server.seen[1]?.headers['idempotency-key'], 'k')
  assert.deepEqual([answer.records_processed, answer.records_rejected], [4, 0])
  assert.deepEqual(
    answer.results.map(({ index, id }) => [index, id]),
    [
      [0, 'tel-0'],
      [1, 'tel-truck-1'],
      [2, 'tel-2'],
      [3, 'tel-truck-3'],
    ],
  )
  // What does not get through stays refused.
  server.answer(locked, refuse(403, 'sub_client_suspended'))
  const again = client.external.telemetry.sendBatch(numbered(4))
  await clock.asleep(1000)
  clock.advance(1000)
  assert.equal((await again).records_rejected, 2)
})

test('more records that met a lock than the API takes at once are all sent once more, in parts', async (t) => {
  const { server, clock, client } = await setUp(t)
  const locked: Answer = (response, seen) => {
    const error = { code: 'unavailable', message: 'locked' }
    json(200, { success: true, results: recordsOf(seen).map((_, index) => ({ index, status: 'rejected', error })) })(response, seen)
  }
  server.answer(locked, locked, store, store)
  const sending = client.external.telemetry.sendBatch(numbered(150))
  await clock.asleep(1000)
  clock.advance(1000)
  const { results, ...sums } = await sending
  assert.deepEqual(
    server.seen.map((seen) => recordsOf(seen).length),
    [100, 50, 100, 50],
  )
  assert.equal(sums.records_processed, 150)
  assert.deepEqual(
    results.map(({ index, id }) => [index, id]),
    numbered(150).map(({ vehicle_id: id }, index) => [index, `tel-${id}`]),
  )
})

test('predictions of the engine are put together in the order of their inputs', async (t) => {
  const { server, client } = await setUp(t)
  server.answer((response, seen) => {
    const { vehicles } = JSON.parse(seen.body) as { vehicles: { vehicleId: string }[] }
    json(200, { count: vehicles.length, processingTimeMs: 2, predictions: vehicles.map(({ vehicleId }) => ({ vehicleId })) })(
      response,
      seen,
    )
  })
  const vehicles = Array.from({ length: 2001 }, (_, i) => ({ vehicleId: `TRUCK-${i}` }))
  const answer = await client.engine.predictBatch(vehicles)
  assert.deepEqual([server.seen.length, answer.count, answer.processingTimeMs], [3, 2001, 6])
  assert.deepEqual(
    answer.predictions.map((each) => each.vehicleId),
    vehicles.map((each) => each.vehicleId),
  )
})

test('a part is no longer than the body may be, in bytes', () => {
  const long = { note: 'ü'.repeat(400) }
  const parts = splitItems([long, long, long, 'a', long], 100, 1800)
  assert.deepEqual(
    parts.map(({ from, part }) => [from, part.length]),
    [
      [0, 2],
      [2, 3],
    ],
  )
  for (const { part } of parts) assert.ok(Buffer.byteLength(JSON.stringify({ records: part })) <= 1800)
  assert.deepEqual(
    splitItems([long, long], 100, 10).map(({ from }) => from),
    [0, 1],
  )
})
