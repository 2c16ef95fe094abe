// Goal: a collector that is away, slow or refuses costs nobody anything, and what is lost of it is counted and reported once. Method: the real packages, and a
// server that answers as a test sets it to.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTelemetry } from './open-telemetry.ts'
import type { TraceOptions } from './trace-settings.ts'

/** As many as are sent at once, without waiting for more. */
const BATCH = 512
/** As many as may wait. */
const MAX_WAITING = 4_096
const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

async function openTracer(t: TestContext, reply: (response: ServerResponse) => void, more: Partial<TraceOptions> = {}) {
  const server = http.createServer((request, response) => {
    request.resume()
    request.on('end', () => reply(response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const logged: string[] = []
  const tracer = openTelemetry(
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
      headers: {},
      serviceName: 'test',
      serviceVersion: '1',
      resourceAttributes: {},
      sampler: 'always_on',
      ratio: 1,
      trustsCallers: false,
      ...more,
    },
    { info: (_details, message) => logged.push(message), warn: (_details, message) => logged.push(message) },
  )
  t.after(async () => {
    await tracer.stop()
    server.closeAllConnections()
    server.close()
  })
  const make = (count: number) => {
    for (let nth = 0; nth < count; nth++) tracer.start({ name: 'one', kind: 'internal' }, undefined, { isCaller: false, links: [] })?.end()
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await sleep(5)
  }
  return { tracer, make, until, logged }
}

test('spans that a collector refuses are counted as dropped, and that is reported once; when it takes them again, once more', async (t) => {
  let status = 500
  const { tracer, make, until, logged } = await openTracer(t, (response) => void response.writeHead(status).end())
  make(BATCH)
  await until(() => tracer.counts.dropped === BATCH)
  make(BATCH)
  await until(() => tracer.counts.dropped === 2 * BATCH)
  assert.deepEqual([logged.length, tracer.counts.exported], [1, 0])
  assert.match(logged[0] ?? '', /traces cannot be sent/)
  status = 200
  make(BATCH)
  await until(() => tracer.counts.exported === BATCH)
  assert.deepEqual(logged.slice(1), ['traces are sent again'])
})

test('who asks for protobuf reads once that JSON is sent', async (t) => {
  const { logged } = await openTracer(t, (response) => void response.end(), { isProtobufAsked: true })
  assert.equal(logged.length, 1)
  assert.match(logged[0] ?? '', /sent as JSON over HTTP/)
})

test('what waits for a collector that never answers is bounded, and the stop does not wait for it', async (t) => {
  const { tracer, make } = await openTracer(t, () => undefined)
  make(MAX_WAITING + 1_000)
  assert.deepEqual(tracer.counts, { exported: 0, dropped: 1_000 })
  await tracer.stop()
})

test('what a caller has beside its trace goes on with each span of it, whole or not at all', async (t) => {
  const { tracer } = await openTracer(t, (response) => void response.end())
  const of = (tracestate: string) =>
    tracer.start({ name: 'one', kind: 'server' }, TRACEPARENT, { isCaller: true, links: [], tracestate })?.tracestate
  assert.equal(of('vendor=a:b,other@tenant=c d'), 'vendor=a:b,other@tenant=c d')
  assert.equal(of('vendor=a,no member,B=upper'), 'vendor=a')
  assert.equal(of(`vendor=${'a'.repeat(600)}`), undefined)
  assert.equal(of('nothing'), undefined)
  const alone = tracer.start({ name: 'one', kind: 'server' }, undefined, { isCaller: true, links: [], tracestate: 'vendor=a' })
  assert.equal(alone?.tracestate, undefined)
})

test('a trace that is not one is not gone on with, and a span has no more of anything than it may', async (t) => {
  const { tracer } = await openTracer(t, (response) => void response.end())
  const start = (parent: string, links: readonly string[]) =>
    tracer.start({ name: 'one', kind: 'server' }, parent, { isCaller: true, links })
  assert.match(start(TRACEPARENT, [TRACEPARENT, 'no link'])?.traceparent ?? '', /^00-a{32}-[0-9a-f]{16}-01$/)
  assert.doesNotMatch(start(TRACEPARENT.replace('00-a', '00-g'), [])?.traceparent ?? '', /a{31}/)
})
