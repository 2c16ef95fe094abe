// Goal: what deploy/ has for Prometheus and Grafana is true of the service that runs: each metric that a rule, a panel or the guide names is there, the
// guide names each that is there, and a real Prometheus reads them, loads the rules and answers every panel. Needs Prometheus (Debian: prometheus).

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findFreePorts } from '@roadworthy/service-kit/network/free-ports'
import { dashboardQueries } from '../../tools/setup/grafana-dashboards.ts'
import { assertShown, stepsOf } from '../e2e/guide-blocks.ts'
import { findProgram } from '../support/programs.ts'
import { prometheus, RULES, startPrometheus } from '../support/prometheus.ts'
import { callPatiently as call, startPlatform } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')
/** There only with MQTT_BROKER_URL, with a collector of traces, and with a place for sealed readings, which an installation with a PostgreSQL of its own has not by itself. */
const ELSEWHERE = /^(fleet_(mqtt_broker|history|trace)|engine_trace)_/
const OURS = /\b(?:fleet|engine|http)_[a-z0-9_]+\b/g

const promtool = findProgram('promtool')
const skip = prometheus === undefined || promtool === undefined ? 'needs Prometheus' : false

test('the rules are correct, and wake somebody when they should', { skip }, () => {
  for (const args of [
    ['check', 'rules', RULES],
    ['check', 'config', join(ROOT, 'deploy/prometheus/prometheus.yml')],
    ['test', 'rules', join(ROOT, 'deploy/prometheus/alerts.test.yml')],
  ]) {
    const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { encoding: 'utf8' })
    assert.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`)
  }
})

const steps = stepsOf('monitoring.md')
const run = (lines: string) => spawnSync('sh', ['-ec', lines], { cwd: ROOT, encoding: 'utf8' })

test('what the guide shows of promtool is what it prints', { skip }, () => {
  const ofPromtool = steps.filter(({ lines }) => lines.startsWith('promtool'))
  assert.equal(ofPromtool.length, 1)
  for (const step of ofPromtool) {
    const { status, stdout, stderr } = run(`exec 2>&1\n${step.lines}`)
    assert.equal(status, 0, `${stdout}${stderr}`)
    assertShown(step, stdout)
  }
})

test('a real Prometheus reads the service, loads the rules and answers every panel; nothing is named that is not there', {
  skip,
}, async (t) => {
  const [metrics = 0, engine = 0, port = 0] = await findFreePorts(3)
  const { credentials } = await startPlatform(t, { flags: ['--metrics-port', String(metrics), '--engine-port', String(engine)] })
  await raiseAlarm(credentials.base_url, credentials.api_key)
  await callTooOften(credentials.base_url, credentials.api_key)
  const ofPlatform = await untilCounted(`http://127.0.0.1:${metrics}/metrics`, /^fleet_alerts_total\{severity="critical"\} 1$/m)
  const ofEngine = await (await fetch(`http://127.0.0.1:${engine}/metrics`)).text()
  for (const text of [ofPlatform, ofEngine]) {
    const { stdout, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    // Those of the library, which are named as they are everywhere.
    const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'))
    assert.deepEqual(complaints, [])
  }
  const [ofMetrics = assert.fail('the guide shows no metrics')] = steps.filter(({ lines }) => lines.includes('/metrics'))
  assertShown(ofMetrics, run(ofMetrics.lines.replace(':9464', `:${metrics}`)).stdout)
  assert.match(ofPlatform, /^fleet_ingest_lag_seconds_count [1-9]/m)
  assert.match(ofPlatform, /^fleet_rate_limited_total\{surface="external"\} 1$/m)

  const types = [...`${ofPlatform}\n${ofEngine}`.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const exposed = new Set(types.flatMap(([, name = '', type]) => [name, ...(type === 'histogram' ? histogramSeries(name) : [])]))
  const isThere = (name: string) => exposed.has(name) || ELSEWHERE.test(name)
  const named = [...dashboardQueries().map(({ expr }) => expr), readFileSync(RULES, 'utf8')].flatMap((text) => text.match(OURS) ?? [])
  assert.deepEqual(
    [...new Set(named)].filter((name) => !isThere(name)),
    [],
    'named by a rule or a panel',
  )
  const guide = new Set(readFileSync(join(ROOT, 'docs/guides/monitoring.md'), 'utf8').match(OURS))
  assert.deepEqual(
    [...guide].filter((name) => !isThere(name)),
    [],
    'named by the guide',
  )
  const ours = types.map(([, name = '']) => name).filter((name) => name.match(OURS) !== null)
  assert.deepEqual(
    ours.filter((name) => !guide.has(name)),
    [],
    'not in the guide',
  )

  t.after(await startPrometheus({ metrics, engine, port }))
  const answered = async (path: string) => {
    const { status, body } = await call(`http://127.0.0.1:${port}`, 'GET', path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    return (body as unknown as { data: Row }).data
  }
  const upCount = async () => ((await answered('/api/v1/query?query=up==1'))['result'] as unknown[]).length
  await until('both are read', async () => (await upCount()) === 2)
  for (const { panel, expr } of dashboardQueries()) {
    const { resultType } = await answered(`/api/v1/query?query=${encodeURIComponent(expr.replaceAll('$__rate_interval', '1m'))}`)
    assert.equal(resultType, 'vector', panel)
  }
  const health = async () =>
    ((await answered('/api/v1/rules'))['groups'] as { rules: { name: string; health: string; lastError?: string }[] }[]).flatMap(
      ({ rules }) => rules,
    )
  await until('every rule has been evaluated', async () => (await health()).every(({ health: state }) => state !== 'unknown'))
  assert.deepEqual(
    (await health()).filter(({ health: state }) => state !== 'ok'),
    [],
  )
})

const histogramSeries = (name: string) => ['bucket', 'sum', 'count'].map((suffix) => `${name}_${suffix}`)

async function raiseAlarm(baseUrl: string, key: string): Promise<void> {
  const body = { name: 'alarm', vehicle: { mode: 'create', make: 'A' } }
  const { device_id: deviceId } = ok<Row>(await call(baseUrl, 'POST', '/api/external/devices', { key, body }))
  const reading = { device_id: deviceId, timestamp: new Date().toISOString(), event: 'sos', latitude: 52, longitude: 13 }
  assert.equal((await call(baseUrl, 'POST', '/api/external/telemetry', { key, body: reading })).status, 200)
}

async function callTooOften(baseUrl: string, key: string): Promise<void> {
  const body = { name: 'limited', scopes: ['devices:read'], perMinute: 1 }
  const { secret } = ok<{ secret: string }>(await call(baseUrl, 'POST', '/api/v1/api-keys', { key, body }))
  for (const expected of [200, 429]) assert.equal((await call(baseUrl, 'GET', '/api/external/devices', { key: secret })).status, expected)
}

async function untilCounted(url: string, pattern: RegExp): Promise<string> {
  let text = ''
  await until(String(pattern), async () => {
    text = await (await fetch(url)).text()
    return pattern.test(text)
  })
  return text
}
