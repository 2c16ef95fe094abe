// Goal: what a stream brings that is stored and not used is counted, a few fields of it. Method: a reader that offers records, and a stand-in for
// ingest, which warns of each of their fields.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { activeSpan, startTracing } from '@roadworthy/service-kit/telemetry/tracing'
import type { FieldWarning, Ingest } from '../../inbound.ts'
import { FieldWarnings } from './field-warnings.ts'
import { startIsolatedConsumer } from './isolated-consumer.ts'

const AT = new Date('2026-11-20T12:00:00.000Z')
const WAIT_BOUND_MS = 180_000
const notAsked = () => assert.fail('no offset is asked for')
const unknown = (field: string): FieldWarning => ({ field, kind: 'unknown' })

function startReader(t: TestContext, topic: string, ingest: Ingest) {
  const place = { resellerId: 'acme', brokers: [], groupId: 'g', enabled: true, startAt: 'earliest' } as const
  const consumer = startIsolatedConsumer(
    {
      ingest,
      offsets: { select: notAsked, insertUnlessThere: notAsked, updateLost: notAsked, store: notAsked },
      allowCidrs: '',
      maxAheadMs: 0,
      now: () => AT,
      log: createLogger('silent'),
      countDeadLetter: () => assert.fail(),
      script: new URL('./testing-reader.ts', import.meta.url),
    },
    {
      ...{ ...place, topic, tls: undefined, sasl: undefined },
      ...{ revision: 'rev-1', createdAt: AT, updatedAt: AT },
    },
    { password: undefined, key: undefined },
  )
  t.after(() => consumer.stop(5_000))
  return consumer
}

test('fields that are stored and not used are shown with how the stream is doing, in the words of the other receivers', async (t) => {
  const ingest: Ingest = async (batch) =>
    batch.map(({ record }) => ({
      ...{ status: 'stored', readingId: 'tel-1', deviceId: undefined, vehicleId: undefined, subClientId: undefined, receivedAtMs: 0 },
      warnings: Object.keys(record as object).map(unknown),
    }))
  const consumer = startReader(t, 'sends misspelt fields', ingest)
  const deadlineMs = performance.now() + WAIT_BOUND_MS
  let warnings = consumer.status()?.warnings
  while (warnings === undefined || warnings.length === 0) {
    assert.ok(performance.now() < deadlineMs, 'nothing was counted')
    await sleep(20)
    warnings = consumer.status()?.warnings
  }
  assert.deepEqual(warnings, [
    { field: 'coolnt_temp', reason: 'unknown, kept in extra; the closest known name is "coolant_temp"', count: 2, lastAt: AT },
    { field: 'sped', reason: 'unknown, kept in extra; the closest known name is "speed"', count: 1, lastAt: AT },
  ])
})

test('the trace that a message names is gone on with while its batch is stored', async (t) => {
  // Nothing listens there, and nothing of this waits for it.
  const log = { info: () => undefined, warn: () => undefined }
  const nowhere = { url: 'http://127.0.0.1:1/v1/traces', headers: {}, resourceAttributes: {} }
  const options = { sampler: 'always_on', ratio: 1, trustsCallers: false, serviceName: 'test', serviceVersion: '1' } as const
  const tracer = await startTracing({ ...nowhere, ...options }, log)
  t.after(() => tracer.stop())
  const stored = Promise.withResolvers<string | undefined>()
  startReader(t, 'sends traced messages', async () => {
    stored.resolve(activeSpan()?.traceparent)
    return []
  })
  assert.match(String(await stored.promise), /^00-a{32}-(?!b{16})[0-9a-f]{16}-01$/)
})

test('of a producer that makes up keys twenty are kept, those that came last, and nothing of them that cannot be stored', () => {
  const counted = new FieldWarnings()
  for (let nth = 0; nth < 10_000; nth++) counted.note([unknown('steady'), unknown(`made up ${nth}`)], AT)
  const shown = counted.shown()
  assert.deepEqual([shown.length, shown[0]?.field, shown[0]?.count], [20, 'steady', 10_000])
  assert.ok(shown.some(({ field }) => field === 'made up 9999'))
  counted.note([unknown(`half\ud83d${'x'.repeat(10_000)}`), unknown('nul\u0000')], AT)
  for (const { field, reason } of counted.shown()) {
    assert.ok(field.isWellFormed() && !field.includes('\u0000') && field.length <= 129 && reason.length <= 500)
  }
})
