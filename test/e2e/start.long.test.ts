// Goal: a newcomer's first minutes and an operator's worst ones. Method: the real process on real folders, real signals, no stand-ins.

import assert from 'node:assert/strict'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { isAlive } from '@roadworthy/service-kit/process/process-identity'
import { TEST_SECRET_KEY } from '../../services/platform/src/test-support.ts'
import { postmasterOf } from '../faults/running-database.ts'
import { until } from '../support/until.ts'
import { FREE_PORTS, leftOf, ROOT, RunningService, type RunOptions, readCommand } from './running-service.ts'

/** An ordinary account that every Linux has. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const NO_DEMO = ['--no-demo', ...FREE_PORTS]

let folder: string
const started: RunningService[] = []

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-start-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
})

afterEach(async () => {
  for (const service of started.splice(0)) {
    if (service.child.exitCode === null && service.child.signalCode === null) await service.signal('SIGTERM')
  }
})

after(() => rmSync(folder, { recursive: true, force: true }))

function start(dataDir: string, flags: readonly string[] = NO_DEMO, options: RunOptions = {}): RunningService {
  const service = new RunningService(dataDir, flags, options)
  started.push(service)
  return service
}

/** The folder above a file that keeps ordinary users out, as the home of root does. */
function closedToOthers(file: string): string | undefined {
  const closed: string[] = []
  for (let at = dirname(file); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) closed.push(at)
    if (at === dirname(at)) return closed.at(-1)
  }
}

/** It has said so; on a machine with much to do a check of it may be late all the same. */
async function untilReady(service: RunningService): Promise<void> {
  const isReady = async () => {
    const answer = await fetch(`${service.credentials().base_url}/readyz`)
    await answer.body?.cancel()
    return answer.ok
  }
  await until('the service is ready', isReady)
}

/** Runs until the process ends by itself, which a start that is refused must do. */
async function refusal(dataDir: string, flags: readonly string[], options: RunOptions = {}, code = 1): Promise<string[]> {
  const service = start(dataDir, flags, options)
  assert.equal(await service.exit(), code)
  assert.equal(
    service.stdout.split('\n').some((line) => line.startsWith('ready')),
    false,
  )
  // It reports the reason, in one place, and not also that it stopped.
  assert.doesNotMatch(service.stdout, /"msg":"stopp/)
  return service.stderr.trim().split('\n')
}

async function takePort(t: TestContext): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  t.after(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

test('the first start writes credentials for its owner alone, answers, and SIGTERM leaves no process', async () => {
  const dataDir = join(folder, 'first')
  const service = start(dataDir)
  assert.match(await service.ready(), /^ready in [\d.]+ s: http:\/\/localhost:\d+ /)
  const credentials = service.credentials()
  assert.equal(statSync(join(dataDir, 'credentials.json')).mode & 0o777, 0o600)
  assert.deepEqual(Object.keys(credentials), ['base_url', 'engine_url', 'mqtt_url', 'reseller_slug', 'api_key', 'dashboard'])
  assert.deepEqual(Object.keys(credentials.dashboard), ['url', 'email', 'password'])
  assert.match(credentials.api_key, /^rw_live_[0-9A-Za-z]{36}$/)
  for (const secret of [credentials.api_key, credentials.dashboard.password]) {
    assert.ok(!service.stdout.includes(secret), 'no secret goes to what is not a terminal')
  }
  assert.match(service.stdout, /first start: reseller roadworthy\n {2}the API key .* are in .*credentials\.json/)
  await untilReady(service)

  const pids = service.processes()
  assert.ok(pids.length > 3, `the service, PostgreSQL and its helpers: ${pids}`)
  // Within how long is tested where nothing else runs: faults/stop.long.test.ts.
  assert.equal(await service.signal('SIGTERM'), 0)
  assert.deepEqual(await leftOf(pids), [])

  const again = start(dataDir)
  await again.ready()
  const { base_url: _port, mqtt_url: _mqtt, engine_url: _engine, dashboard: _dashboard, ...kept } = credentials
  assert.deepEqual({ ...again.credentials(), ...kept }, again.credentials(), 'the secrets stay')
  assert.ok(!again.stdout.includes(credentials.api_key), 'the key is shown once')
})

test('after SIGKILL the children go by themselves, and the next start keeps the data and leaves one PostgreSQL', async () => {
  const dataDir = join(folder, 'killed')
  const service = start(dataDir)
  await service.ready()
  const { api_key } = service.credentials()
  const postgres = Number(readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
  const nodes = service.processes().filter((pid) => readCommand(pid).includes('.ts'))
  await service.signal('SIGKILL')
  assert.deepEqual(await leftOf(nodes), [])

  const again = start(dataDir)
  await again.ready()
  assert.equal(again.credentials().api_key, api_key)
  assert.equal(isAlive(postgres), false)
  await untilReady(again)
  const pids = again.processes()
  await again.signal('SIGTERM')
  assert.deepEqual(await leftOf(pids), [])
})

test('an engine and a database that are killed come back by themselves', async () => {
  const dataDir = join(folder, 'wounded')
  const service = start(dataDir)
  await service.ready()
  const { engine_url } = service.credentials()
  // The postmaster by its file: what it starts has its command line for a moment.
  const engines = service.processes().filter((pid) => readCommand(pid).includes('services/engine'))
  const victims = [...engines, postmasterOf(dataDir)]
  assert.equal(victims.length, 2)
  for (const pid of victims) process.kill(pid, 'SIGKILL')
  assert.deepEqual(await leftOf(victims), [])
  const answers = async (url: string): Promise<boolean> => (await fetch(url).catch(() => undefined))?.ok ?? false
  for (const url of [`${engine_url}/v1/health`, `${service.credentials().base_url}/readyz`]) {
    await until(`${url} answers`, () => answers(url))
  }
  const pids = service.processes()
  assert.equal(await service.signal('SIGTERM'), 0)
  assert.deepEqual(await leftOf(pids), [])
})

test("with a database of one's own no other is started, the demo is off, and the secrets come from files", async (t) => {
  const { url } = await createTestDatabase(t)
  const dataDir = join(folder, 'own-database')
  const [urlFile, keyFile] = [join(folder, 'url'), join(folder, 'key')]
  writeFileSync(urlFile, `${url}\n`)
  writeFileSync(keyFile, TEST_SECRET_KEY)
  const env = { PATH: process.env['PATH'], DATABASE_URL_FILE: urlFile, SECRET_KEY_FILE: keyFile }
  const service = start(dataDir, FREE_PORTS, { env })
  await service.ready()
  assert.ok(!service.processes().some((pid) => /postgres -D|simulator/.test(readCommand(pid))))
  assert.equal(existsSync(join(dataDir, 'postgres')), false)
  const { api_key } = service.credentials()
  assert.match(api_key, /^rw_live_/)
  await service.signal('SIGTERM')

  const replica = start(join(folder, 'own-database-replica'), FREE_PORTS, { env })
  await replica.ready()
  assert.deepEqual([replica.credentials().api_key], [null], 'the key is known where it was made')
  await replica.signal('SIGTERM')
})

test('a second service on the same folder is refused, and the first goes on', async () => {
  const dataDir = join(folder, 'twice')
  const first = start(dataDir)
  await first.ready()
  const [line] = await refusal(dataDir, NO_DEMO)
  assert.match(
    line ?? '',
    new RegExp(`in use by another Roadworthy, process ${first.pid}\\. Stop that one first, or choose another folder with --data-dir`),
  )
  await untilReady(first)
})

test('a signal at any moment of the start-up stops what is there by then', async () => {
  const isPostgres = (pid: number) => readCommand(pid).includes('/postgres -D')
  const moments: ((service: RunningService) => boolean)[] = [
    (service) => service.processes().length > 1,
    (service) => service.processes().some(isPostgres),
    (service) => service.stdout.includes('migrated'),
  ]
  for (const [index, hasCome] of moments.entries()) {
    let wasReady = true
    // This process may be held up for longer than the rest of the start-up takes.
    for (let attempt = 0; wasReady && attempt < 5; attempt++) {
      const service = start(join(folder, `early-${index}-${attempt}`))
      for (let turn = 0; turn < 20_000 && !hasCome(service); turn++) await sleep(5)
      const pids = service.processes()
      assert.equal(await service.signal('SIGINT'), 0)
      assert.deepEqual((await leftOf(pids)).map(readCommand), [])
      wasReady = service.stdout.includes('\nready')
    }
    assert.equal(wasReady, false, `moment ${index}`)
  }
})

test('a second signal does not wait', async () => {
  const service = start(join(folder, 'forced'))
  await service.ready()
  const pids = service.processes()
  service.child.kill('SIGTERM')
  service.child.kill('SIGINT')
  await service.exit()
  assert.deepEqual(await leftOf(pids), [])
})

test('as root with a data folder closed to others, PostgreSQL keeps its data where its account can enter, and finds it again', {
  skip: process.getuid?.() !== 0 && 'needs root',
}, async (t) => {
  const home = join(folder, 'closed-home')
  mkdirSync(home, { mode: 0o700 })
  const dataDir = join(home, '.data')
  const first = start(dataDir)
  await first.ready()
  const location = readFileSync(join(dataDir, 'postgres', 'location'), 'utf8').trim()
  t.after(() => rmSync(location, { recursive: true, force: true }))
  assert.ok(first.stdout.includes(`its data is in ${location}`), first.stdout)
  await first.signal('SIGTERM')
  const second = start(dataDir)
  await second.ready()
  assert.equal(second.credentials().api_key, first.credentials().api_key)
})

test('an ordinary user who may only read the program runs it with a data folder of their own', {
  skip: process.getuid?.() !== 0 && 'needs root to become another',
}, async (t) => {
  const closed = closedToOthers(process.execPath) ?? closedToOthers(join(ROOT, 'package.json'))
  if (closed !== undefined) return t.skip(`${closed} is closed to others: nobody but its owner can run the program that is in it`)
  const home = join(folder, 'ordinary')
  mkdirSync(home)
  chownSync(home, NOBODY.uid, NOBODY.gid)
  const service = start(join(home, 'data'), NO_DEMO, NOBODY)
  await service.ready()
  assert.equal(statSync(join(home, 'data', 'postgres', 'cluster')).uid, NOBODY.uid)
  await untilReady(service)
})

test('ports in use are all named at once, with what to do', async (t) => {
  const [port, mqttPort] = [await takePort(t), await takePort(t)]
  const flags = ['--no-demo', '--port', String(port), '--mqtt-port', String(mqttPort), '--engine-port', '0', '--metrics-port', '0']
  assert.deepEqual(await refusal(join(folder, 'ports'), flags), [
    `PORT ${port} is in use. Stop what uses it, or choose another with --port (0 picks a free one).`,
    `MQTT_PORT ${mqttPort} is in use. Stop what uses it, or choose another with --mqtt-port (0 picks a free one).`,
  ])
})

test('a data folder that cannot be written is named, with what to do', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  assert.deepEqual(await refusal(join(file, 'below'), NO_DEMO), [
    `DATA_DIR ${file}/below cannot be written (it, or a folder above it, is a file). Give this user the right to write there, or choose another folder with --data-dir.`,
  ])
  if (process.platform === 'linux') {
    // Where Node's own recursive mkdir never returns.
    assert.match((await refusal('/proc/nope/below', NO_DEMO)).join(), /DATA_DIR \/proc\/nope\/below cannot be written \(ENOENT\)/)
  }
  if (process.getuid?.() !== 0) {
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0o500 })
    assert.match((await refusal(closed, NO_DEMO)).join(), /DATA_DIR .*closed cannot be written \(EACCES\)/)
  }
})

test('bad settings are all reported at once, before anything is started', async () => {
  const dataDir = join(folder, 'settings')
  const env = { PATH: process.env['PATH'], LOG_LEVEL: 'loud' }
  const lines = await refusal(dataDir, ['--prot', '1', '--mqtt-port', 'x'], { env }, 2)
  assert.equal(lines.length, 3)
  assert.match(lines.join('\n'), /--prot: .*Did you mean --port\?[\s\S]*MQTT_PORT is "x"[\s\S]*LOG_LEVEL is "loud"/)
  assert.throws(() => statSync(dataDir), { code: 'ENOENT' })
})

test('help and the configuration check print and stop', async () => {
  const help = start(join(folder, 'help'), ['--help'])
  assert.equal(await help.exit(), 0)
  assert.match(help.stdout, /--data-dir VALUE/)
  const check = start(join(folder, 'check'), ['--check-config', '--port', '1234'])
  assert.equal(await check.exit(), 0)
  assert.match(check.stdout, /^PORT=1234$/m)
})
