import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireRecord } from '../fleet/reading.ts'
import { ApiFailure, createApi } from './api.ts'
import { createRestSender } from './rest.ts'
import { type Asked, allAccepted, startTestPlatform } from './test-platform.ts'

const records = (count: number): WireRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    device_id: 'dev-1',
    timestamp: new Date(1_700_000_000_000 + i * 1000).toISOString(),
    rpm: 800 + i,
  }))
const apiFor = (baseUrl: string) => createApi({ baseUrl, apiKey: 'rw_live_test', retryBaseMs: 5, maxTries: 8 })
const sizeOf = (asked: Asked) => (asked.body['records'] as unknown[]).length

test('records go out in order, a hundred at a time, with the key', async (t) => {
  const platform = await startTestPlatform(t, allAccepted)
  const sender = createRestSender(apiFor(`${platform.baseUrl}/`))
  await sender.send(records(250))
  assert.deepEqual(platform.asked.map(sizeOf), [100, 100, 50])
  assert.ok(platform.asked.every(({ path, key }) => path === '/api/external/telemetry/batch' && key === 'rw_live_test'))
  assert.deepEqual(
    platform.asked.flatMap(({ body }) => body['records']),
    records(250),
  )
  assert.deepEqual(sender.counts(), { sent: 250, accepted: 250, duplicates: 0, rejected: 0 })
})

test('a batch is repeated after 429 and 503, not before the time the platform names', async (t) => {
  const times: number[] = []
  const platform = await startTestPlatform(t, (asked, nth) => {
    times.push(performance.now())
    if (nth === 1) return { status: 429, headers: { 'retry-after': '0.2' } }
    if (nth === 2) return { status: 503, headers: { 'retry-after': '0' } }
    return allAccepted(asked)
  })
  const sender = createRestSender(apiFor(platform.baseUrl))
  await sender.send(records(3))
  assert.equal(platform.asked.length, 3)
  assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= 195)
  assert.deepEqual(sender.counts(), { sent: 3, accepted: 3, duplicates: 0, rejected: 0 })
})

test('a batch whose answer was lost is sent again, and counted once', async (t) => {
  const platform = await startTestPlatform(t, (_asked, nth) =>
    nth === 1 ? 'hangUp' : { status: 200, body: { success: true, records_processed: 5, records_rejected: 0, duplicates: 5 } },
  )
  const sender = createRestSender(apiFor(platform.baseUrl))
  await sender.send(records(5))
  assert.deepEqual(platform.asked[0], platform.asked[1])
  assert.deepEqual(sender.counts(), { sent: 5, accepted: 0, duplicates: 5, rejected: 0 })
})

test('refused records are counted, their reason is kept, and the next batch is still sent', async (t) => {
  const error = { code: 'device_not_found', message: 'Unknown device' }
  const platform = await startTestPlatform(t, (asked, nth) => {
    if (nth === 1) return { status: 400, body: { success: false, error: { code: 'invalid_request', message: 'every record is refused' } } }
    if (nth === 2)
      return {
        status: 200,
        body: { success: true, records_rejected: 1, duplicates: 2, results: [{ index: 0, status: 'rejected', error }] },
      }
    return allAccepted(asked)
  })
  const sender = createRestSender(apiFor(platform.baseUrl))
  await sender.send(records(210))
  assert.deepEqual(sender.counts(), { sent: 210, accepted: 107, duplicates: 2, rejected: 101 })
  assert.match(sender.lastRefusal() ?? '', /device_not_found/)
})

test('a refused key ends the sending at once', async (t) => {
  const platform = await startTestPlatform(t, () => ({ status: 401, body: { error: { code: 'invalid_api_key', message: 'no such key' } } }))
  await assert.rejects(createRestSender(apiFor(platform.baseUrl)).send(records(300)), (error: unknown) => {
    assert.ok(error instanceof ApiFailure)
    assert.equal(error.status, 401)
    assert.match(error.message, /invalid_api_key/)
    return true
  })
  assert.equal(platform.asked.length, 1)
})

test('an outage that lasts is given up after a bounded number of tries', async (t) => {
  const platform = await startTestPlatform(t, () => ({ status: 503, headers: { 'retry-after': '0' } }))
  await assert.rejects(createRestSender(apiFor(platform.baseUrl)).send(records(1)), ApiFailure)
  assert.equal(platform.asked.length, 8)
})

test('an abort ends a wait for the platform', async (t) => {
  const stop = new AbortController()
  const platform = await startTestPlatform(t, () => {
    setImmediate(() => stop.abort())
    return { status: 503, headers: { 'retry-after': '3000' } }
  })
  await assert.rejects(createRestSender(apiFor(platform.baseUrl)).send(records(1), stop.signal), { name: 'AbortError' })
})
