// Goal: what deploy/ has for Prometheus and Grafana is true of the service that runs: each metric that a rule, a panel or the guide names is there, the
// guide names each that is there, and a real Prometheus reads them, loads the rules and answers every panel. Needs Prometheus (Debian: prometheus).

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from '@roadworthy/service-kit/free-ports'
import { dashboardQueries } from '../../tools/setup/grafana-dashboards.ts'
import { findProgram } from '../support/programs.ts'
import { call, startPlatform } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const RULES = join(ROOT, 'deploy/prometheus/alerts.yml')
const WITHIN_MS = 60_000
/** There only with MQTT_BROKER_URL, with a collector of traces, and with a place for sealed readings, which an installation with a PostgreSQL of its own has not by itself. */
const ELSEWHERE = /^(fleet_(mqtt_broker|history|trace)|engine_trace)_/
const OURS = /\b(?:fleet|engine|http)_[a-z0-9_]+\b/g

const prometheus = findProgram('prometheus')
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

  await startPrometheus(t, { metrics, engine, port })
  const answered = async (path: string) => {
    const { status, body } = await call(`http://127.0.0.1:${port}`, 'GET', path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    return (body as unknown as { data: Row }).data
  }
  const upCount = async () => ((await answered('/api/v1/query?query=up==1'))['result'] as unknown[]).length
  await until(async () => (await upCount()) === 2, 'both are read')
  for (const { panel, expr } of dashboardQueries()) {
    const { resultType } = await answered(`/api/v1/query?query=${encodeURIComponent(expr.replaceAll('$__rate_interval', '1m'))}`)
    assert.equal(resultType, 'vector', panel)
  }
  const health = async () =>
    ((await answered('/api/v1/rules'))['groups'] as { rules: { name: string; health: string; lastError?: string }[] }[]).flatMap(
      ({ rules }) => rules,
    )
  await until(async () => (await health()).every(({ health: state }) => state !== 'unknown'), 'every rule has been evaluated')
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
  await until(async () => {
    text = await (await fetch(url)).text()
    return pattern.test(text)
  }, String(pattern))
  return text
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < WITHIN_MS; waitedMs += 100) {
    if (await isSo()) return
    await sleep(100)
  }
  assert.fail(`never: ${what}`)
}

/** With the configuration that is shipped, but for the ports and how often it looks. */
async function startPrometheus(t: TestContext, { metrics, engine, port }: Record<'metrics' | 'engine' | 'port', number>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-prometheus-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const shipped = readFileSync(join(ROOT, 'deploy/prometheus/prometheus.yml'), 'utf8')
  const own = shipped.replace(':9464', `:${metrics}`).replace(':8090', `:${engine}`).replaceAll('interval: 15s', 'interval: 1s')
  assert.notEqual(own, shipped)
  writeFileSync(join(folder, 'prometheus.yml'), own)
  copyFileSync(RULES, join(folder, 'alerts.yml'))
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const child = spawn(prometheus ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk) => (output = `${output}${chunk}`.slice(-5_000)))
  const closed = once(child, 'close')
  t.after(async () => {
    child.kill('SIGKILL')
    await closed
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok: isOk }) => isOk,
      () => false,
    )
  await until(async () => {
    assert.equal(child.exitCode, null, output)
    return await isReady()
  }, 'Prometheus is ready')
}
