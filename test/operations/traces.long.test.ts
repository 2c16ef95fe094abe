// Goal: what one reading causes is one trace, from its receiver over the engine to the webhook, across processes and waits. Method: the whole service as a
// process, a collector that takes OTLP over HTTP, and a receiver of webhooks.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Receiver, startReceiver } from '@roadworthy/platform/webhooks/test-receiver'
import { findFreePort } from '@roadworthy/service-kit/network/free-ports'
import { connectAsync } from 'mqtt'
import { BIN } from '../support/command-line.ts'
import { callPatiently as call, startPlatform } from '../support/running-platform.ts'
import { ok, openService, type Row, type Service } from '../support/service.ts'
import { type CollectedSpan, startCollector, type TraceCollector } from '../support/trace-collector.ts'

const ROOT = join(import.meta.dirname, '../..')
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER_SPAN_ID = '00f067aa0ba902b7'
const SERVER = 2
const CLIENT = 3
/** Written as no id and no time of a span is by chance. */
const HOT_C = 121.375

const cleanUps: (() => Promise<void>)[] = []
const t = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) }
let collector: TraceCollector
let hook: Receiver
let service: Service
let folder: string

before(async () => {
  collector = await startCollector(t)
  hook = await startReceiver(t)
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-traces-'))
  const env = {
    ...notingLoadedModules('with an endpoint'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=very%20secret',
    OTEL_SERVICE_NAME: 'fleet',
  }
  service = await openService(t, { env, flags: ['--scoring-interval-s', '1', '--webhook-allow-cidrs', '127.0.0.0/8'] })
})

after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
  rmSync(folder, { recursive: true })
})

/**
 * For a service and whatever it starts: each module of OpenTelemetry that is loaded is written to a file, but those of its API, which the client of Prometheus
 * always loads.
 */
function notingLoadedModules(name: string): Record<string, string> {
  const code = `import { appendFileSync } from 'node:fs'; import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  if (/@opentelemetry\\/(?!api\\/)/.test(url)) appendFileSync(${JSON.stringify(join(folder, name))}, url + '\\n')
  return next(url, context)
} })`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

const loadedModules = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').split('\n') : [])

const ask = (method: string, path: string, body: object | undefined, headers: Record<string, string> = {}) =>
  call(service.baseUrl, method, path, { key: service.platform.credentials.api_key, headers, ...(body === undefined ? {} : { body }) })

async function makeDevice(name: string): Promise<string> {
  const body = { name, vehicle: { mode: 'create', make: 'A' } }
  return String(ok<Row>(await ask('POST', '/api/external/devices', body))['device_id'])
}

/** A minute of an engine that is too hot: the readings of before in a trace of their own, the last with `headers`. */
async function sendHotReadings(deviceId: string, headers: Record<string, string>): Promise<void> {
  const nowMs = Date.now()
  const reading = (agoS: number) => {
    const timestamp = new Date(nowMs - agoS * 1000).toISOString()
    return { device_id: deviceId, timestamp, coolant_temp: HOT_C, rpm: 1800, speed: 60, battery_voltage: 14.1 }
  }
  const records = Array.from({ length: 13 }, (_, nth) => reading(60 - nth * 5))
  assert.equal((await ask('POST', '/api/external/telemetry/batch', { records }, headers)).status, 200)
}

const spansOf = (spans: readonly CollectedSpan[], traceId: string) => spans.filter((span) => span.traceId === traceId)

function the(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const [only, ...others] = spans.filter((span) => span.name === name)
  assert.ok(only !== undefined && others.length === 0, `${name}: ${spans.map((span) => span.name).join(', ')}`)
  return only
}

test('the trace of a caller goes on through commit, scoring and engine to the webhook of the alert, and its receiver', async () => {
  const endpoint = { url: hook.url, eventTypes: ['alert.created'] }
  ok(await ask('POST', '/api/v1/webhooks', endpoint))
  await sendHotReadings(await makeDevice('hot'), { traceparent: `00-${TRACE_ID}-${CALLER_SPAN_ID}-01` })
  await hook.until(1)
  // Two processes send, each in turns of its own. A span is sent when it has ended, and what it caused may end before it.
  const isWhole = (all: readonly CollectedSpan[]) => {
    const own = spansOf(all, TRACE_ID)
    const names = [
      'POST /api/external/telemetry/batch',
      'commit readings',
      'score vehicle',
      'store scores',
      'relay alert.created',
      'POST webhook',
    ]
    return (
      names.every((each) => own.some(({ name }) => name === each)) &&
      own.filter(({ name }) => name === 'POST /v1/predict/batch').length === 2
    )
  }
  const spans = spansOf(await collector.until(isWhole, 'the spans of the webhook and of the engine'), TRACE_ID)
  const [receiver, commit] = [the(spans, 'POST /api/external/telemetry/batch'), the(spans, 'commit readings')]
  assert.deepEqual([receiver.parentSpanId, receiver.kind, commit.parentSpanId], [CALLER_SPAN_ID, SERVER, receiver.spanId])
  const { attributes } = receiver
  assert.deepEqual(
    [attributes['http.request.method'], attributes['http.route'], attributes['http.response.status_code']],
    ['POST', '/api/external/telemetry/batch', 200],
  )
  const score = the(spans, 'score vehicle')
  assert.equal(score.parentSpanId, receiver.spanId)
  assert.ok(score.events.includes('alert.created'), String(score.events))
  const [asking, engine] = spans.filter(({ name }) => name === 'POST /v1/predict/batch').sort((a, b) => b.kind - a.kind)
  assert.deepEqual([asking?.service, asking?.kind, asking?.parentSpanId], ['fleet', CLIENT, score.spanId])
  assert.deepEqual([engine?.service, engine?.kind, engine?.parentSpanId], ['fleet-engine', SERVER, asking?.spanId])
  assert.equal(the(spans, 'store scores').parentSpanId, score.spanId)
  const relays = spans.filter(({ name }) => name === 'relay alert.created')
  assert.ok(relays.length > 0 && relays.every(({ parentSpanId }) => parentSpanId === score.spanId))
  const sent = spans.find(({ name }) => name === 'POST webhook')
  assert.ok(relays.some(({ spanId }) => spanId === sent?.parentSpanId))
  assert.deepEqual([sent?.kind, sent?.attributes['http.response.status_code'], sent?.hasFailed], [CLIENT, 200, false])
  const received = hook.received.map(({ headers }) => headers['traceparent'])
  assert.ok(received.includes(`00-${TRACE_ID}-${sent?.spanId}-01`), String(received))
})

test('no attribute holds what a caller sent, whom a webhook goes to, or what lets somebody in', async () => {
  const path = '/api/external/vehicles/B-XY%20123?secret=hush'
  assert.equal((await ask('GET', path, undefined, { 'x-request-id': 'looked-for' })).status, 400)
  const isThere = (spans: readonly CollectedSpan[]) => spans.some(({ attributes }) => attributes['fleet.request.id'] === 'looked-for')
  const spans = await collector.until(isThere, 'the span of the request')
  const looked = spans.find(({ attributes }) => attributes['fleet.request.id'] === 'looked-for')
  assert.equal(looked?.attributes['url.path'], looked?.attributes['http.route'])
  const text = JSON.stringify(spans)
  const { api_key: apiKey } = service.platform.credentials
  for (const never of [apiKey, 'hush', 'B-XY', 'very secret', '/hook', String(HOT_C), 'hot"']) assert.ok(!text.includes(never), never)
  assert.equal(collector.headers()['x-collector-key'], 'very secret')
  assert.ok(!service.platform.output().includes('very secret'))
})

test('what is no traceparent begins a trace of its own; what a caller marks as not sampled is not kept', async () => {
  const sent = {
    long: `00-${TRACE_ID}-${CALLER_SPAN_ID}-01${'-x'.repeat(1000)}`,
    zero: `00-${'0'.repeat(32)}-${CALLER_SPAN_ID}-01`,
    unkept: `00-${'c'.repeat(32)}-${CALLER_SPAN_ID}-00`,
    last: `00-${'d'.repeat(32)}-${CALLER_SPAN_ID}-01`,
  }
  for (const [id, traceparent] of Object.entries(sent)) {
    assert.equal((await ask('GET', '/api/external/devices?limit=1', undefined, { traceparent, 'x-request-id': id })).status, 200)
  }
  const idOf = (span: CollectedSpan) => span.attributes['fleet.request.id']
  const spans = await collector.until((all) => all.some((span) => idOf(span) === 'last'), 'the last span')
  const traceOf = (id: string) => spans.find((span) => idOf(span) === id)?.traceId
  assert.match(String(traceOf('long')), /^[0-9a-f]{32}$/)
  assert.ok(![TRACE_ID, undefined].includes(traceOf('long')) && traceOf('zero') !== '0'.repeat(32))
  assert.deepEqual([traceOf('unkept'), traceOf('last')], [undefined, 'd'.repeat(32)])
})

test('what a device raises over MQTT is a trace from the broker to the webhook and to the message that people get', async () => {
  const channel = { name: 'Dispatch', kind: 'webhook', url: `${hook.url}/people` }
  const { id } = ok<{ channel: { id: string } }>(await ask('POST', '/api/v1/notification-channels', channel))['channel']
  ok(await ask('POST', '/api/v1/notification-rules', { name: 'Help', minSeverity: 'critical', recipients: [id] }))
  const body = { name: 'sos', vehicle: { mode: 'create', make: 'A' } }
  const device = ok<Row>(await ask('POST', '/api/external/devices', body))
  const client = await connectAsync(service.platform.credentials.mqtt_url, {
    clientId: String(device['device_id']),
    username: String(device['mqtt_username']),
    password: String(device['mqtt_password']),
    protocolVersion: 4,
  })
  await client.publishAsync(String(device['mqtt_topic']), JSON.stringify({ event: 'sos' }), { qos: 1 })
  await client.endAsync()
  const raisedOf = (spans: readonly CollectedSpan[]) => spans.find(({ name }) => name === 'raise device alert')
  const isWhole = (all: readonly CollectedSpan[]) => {
    const names = spansOf(all, raisedOf(all)?.traceId ?? '').map(({ name }) => name)
    return [
      'process mqtt',
      'commit readings',
      'raise device alert',
      'relay incident.opened',
      'job notify-of-incident',
      'send notification',
      'POST webhook',
    ].every((name) => names.includes(name))
  }
  const all = await collector.until(isWhole, 'the trace of an alarm')
  const spans = spansOf(all, raisedOf(all)?.traceId ?? '')
  const [received, raised] = [the(spans, 'process mqtt'), the(spans, 'raise device alert')]
  assert.deepEqual([received.parentSpanId, raised.parentSpanId], [undefined, received.spanId])
  assert.equal(the(spans, 'commit readings').parentSpanId, received.spanId)
  assert.deepEqual([received.attributes['messaging.system'], received.attributes['messaging.batch.message_count']], ['mqtt', 1])
  assert.deepEqual([...raised.events].sort(), ['alert.created', 'incident.opened'])
  const relayed = the(spans, 'relay incident.opened')
  const job = the(spans, 'job notify-of-incident')
  assert.deepEqual([relayed.parentSpanId, job.parentSpanId], [raised.spanId, relayed.spanId])
  assert.equal(the(spans, 'send notification').parentSpanId, job.spanId)
})

test('a collector that answers 500 is reported once, its spans are counted, and the service does its work', async () => {
  const broken = await startCollector(t, { status: 500 })
  const metrics = await findFreePort()
  const flags = ['--metrics-port', String(metrics), '--otel-exporter-otlp-traces-endpoint', `${broken.url}/elsewhere`]
  const platform = await startPlatform(t, { flags })
  const { base_url: baseUrl, api_key: key } = platform.credentials
  const device = ok<Row>(await call(baseUrl, 'POST', '/api/external/devices', { key, body: { name: 'one' } }))
  const dropped = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
    return Number(/^fleet_trace_spans_dropped_total (\d+)$/m.exec(text)?.[1])
  }
  for (let before = 0, exports = 0; exports < 2; await sleep(20)) {
    const reading = { device_id: device['device_id'], timestamp: new Date().toISOString(), speed: 10 }
    assert.equal((await call(baseUrl, 'POST', '/api/external/telemetry', { key, body: reading })).status, 200)
    const now = await dropped()
    if (now > before) exports++
    before = now
  }
  assert.equal(platform.output().match(/traces cannot be sent/g)?.length, 1)
  assert.equal(await platform.stop(), 0)
})

test('the block of the guide shows what is set, and no header', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/monitoring.md'), 'utf8')
  const block = /```sh\n(export OTEL_[\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const shell = `set -e\nnpx() { shift; "${process.execPath}" "${BIN}" "$@"; }\n${block}`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', shell], { cwd: folder, env: { PATH: process.env['PATH'] }, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^OTEL_EXPORTER_OTLP_ENDPOINT +http:\/\/127\.0\.0\.1:4318 +environment$/m)
  assert.match(stdout, /^OTEL_EXPORTER_OTLP_HEADERS +\S/m)
  assert.ok(!`${stdout}${stderr}`.includes('a-secret'), stdout)
})

test('nothing of OpenTelemetry is loaded without an endpoint, neither by the service nor by what it starts', async () => {
  const platform = await startPlatform(t, { env: notingLoadedModules('without') })
  const { base_url: baseUrl, api_key: key } = platform.credentials
  const device = ok<Row>(await call(baseUrl, 'POST', '/api/external/devices', { key, body: { name: 'one' } }))
  const reading = { device_id: device['device_id'], timestamp: new Date().toISOString(), coolant_temp: 90 }
  assert.equal((await call(baseUrl, 'POST', '/api/external/telemetry', { key, body: reading })).status, 200)
  assert.equal(await platform.stop(), 0)
  assert.deepEqual(loadedModules('without'), [])
  assert.ok(loadedModules('with an endpoint').some((url) => url.includes('/sdk-trace/')))
})
