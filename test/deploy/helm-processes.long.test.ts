// Goal: an installation as the chart makes it works: probes, readings, the commands of the guide, and a stop that nobody notices. Method: the programs of all
// four Deployments with the variables that helm renders, on one PostgreSQL; the addresses that only a cluster has are replaced.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from '@roadworthy/service-kit/network/free-ports'
import { startTestServer } from '@roadworthy/service-kit/postgres/test-database'
import { BIN } from '../support/command-line.ts'
import { FleetProcess, type ProcessKind } from '../support/fleet-process.ts'
import { call, callPatiently } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { until } from '../support/until.ts'
import { componentOf, containerOf, environmentOf, ROOT, render, skipOfHelm as skip, workloadsOf } from './rendered-chart.ts'

const SECRET_KEY = 'k'.repeat(48)
const STOPPING_WITHIN_MS = 60_000

type Started = { readonly program: FleetProcess; readonly url: string; readonly env: Readonly<Record<string, string>> }

const folder = mkdtempSync(join(tmpdir(), 'roadworthy-chart-'))
const started = new Map<string, Started>()
let stopServer = async (): Promise<void> => {}

before(async () => {
  if (skip !== false) return
  const server = await startTestServer()
  stopServer = server.stop
  const ports = await findFreePorts(9)
  const enginePort = ports.pop() ?? 0
  for (const manifest of workloadsOf(render('--set', 'shutdownDelayS=10'))) {
    const kind = componentOf(manifest) as ProcessKind
    const rendered = environmentOf(containerOf(manifest), folder, { DATABASE_URL: server.url, SECRET_KEY })
    const env = { ...rendered, ...(rendered['ENGINE_URL'] === undefined ? {} : { ENGINE_URL: `http://127.0.0.1:${enginePort}` }) }
    const port = kind === 'engine' ? enginePort : (ports.pop() ?? 0)
    const program = new FleetProcess({ kind, port, mqttPort: ports.pop() ?? 0, dataDir: join(folder, kind), env })
    started.set(kind, { program, url: `http://127.0.0.1:${port}`, env })
  }
  // All at once, as Kubernetes does: the first one brings the schema up to date.
  await Promise.all([...started.values()].map(({ program }) => program.start()))
})

after(async () => {
  await Promise.all([...started.values()].map(({ program }) => program.stop('SIGKILL')))
  await stopServer()
  rmSync(folder, { recursive: true, force: true })
})

const of = (kind: ProcessKind): Started => started.get(kind) ?? assert.fail(kind)

test('every process answers its probes where the chart asks', { skip }, async () => {
  for (const manifest of workloadsOf(render())) {
    const { url } = of(componentOf(manifest) as ProcessKind)
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(manifest)
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      await until(`${manifest.metadata.name} answers ${httpGet.path}`, async () => (await fetch(`${url}${httpGet.path}`)).status === 200)
    }
  }
})

test('a device is registered at the API, and its reading is taken by the receivers', { skip }, async () => {
  const key = of('api').program.apiKey()
  const body = { name: 'A', vehicle: { mode: 'create', make: 'A' } }
  const { device_id: deviceId } = ok<Row>(await callPatiently(of('api').url, 'POST', '/api/external/devices', { key, body }))
  const reading = { device_id: deviceId, timestamp: new Date().toISOString(), sensor_data: { rpm: 800 } }
  assert.equal((await call(of('api').url, 'POST', '/api/external/telemetry', { key, body: reading })).status, 503)
  assert.equal((await callPatiently(of('receivers').url, 'POST', '/api/external/telemetry', { key, body: reading })).status, 200)
})

test('the command line of the guide works with the variables of a pod, and so does its backup', { skip }, async () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/kubernetes.md'), 'utf8')
  const inPods = [...guide.matchAll(/^kubectl .* exec deployment\/\S+-api -- node apps\/cli\/bin\/roadworthy\.js (.+)$/gm)].map(
    ([, args]) => args ?? '',
  )
  assert.ok(inPods.length >= 2)
  for (const args of inPods) await runShell(`npx roadworthy ${args}`, of('api').env)
  const [backup = assert.fail('no backup')] = /^DATABASE_URL_FILE=.*npx roadworthy backup .*$/m.exec(guide) ?? []
  const { DATABASE_URL_FILE: url = '', SECRET_KEY_FILE: key = '' } = of('api').env
  writeFileSync(join(folder, 'database-url'), readFileSync(url))
  writeFileSync(join(folder, 'secret-key'), readFileSync(key))
  writeFileSync(join(folder, 'passphrase.txt'), 'seven words of your own and no others', { mode: 0o600 })
  await runShell(backup, {})
  assert.ok(existsSync(join(folder, 'backups/first/manifest.json')))
})

test('a pod that is stopped is not ready, serves until the delay is over, and ends in order', { skip }, async () => {
  const { program, url } = of('api')
  const stopped = program.stop('SIGTERM')
  let status = 200
  for (let waitedMs = 0; status === 200 && waitedMs < STOPPING_WITHIN_MS; waitedMs += 20) {
    status = (await fetch(`${url}/readyz`)).status
    await sleep(20)
  }
  assert.equal(status, 503)
  assert.equal((await fetch(`${url}/livez`)).status, 200)
  assert.equal(await stopped, 0)
  const others = [...started.keys()].filter((kind) => kind !== 'api')
  const codes = await Promise.all(others.map((kind) => of(kind as ProcessKind).program.stop('SIGTERM')))
  assert.deepEqual(codes, [0, 0, 0])
})

/** With the command line of this checkout for `npx roadworthy`. */
async function runShell(line: string, env: Readonly<Record<string, string>>): Promise<void> {
  const script = line.replace('npx roadworthy', `"${process.execPath}" "${BIN}"`)
  const options = { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, ...env } }
  const child = spawn('sh', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, `${line}\n${output}`)
}
