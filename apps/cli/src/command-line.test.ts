// Goal: a person who types something wrong, or right, gets its answer in the right place with the right exit code. No instance runs here; what
// needs one is in test/e2e/command-line.test.ts.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'

const BIN = resolve(import.meta.dirname, '../bin/roadworthy.js')
const COMMANDS = [
  'up',
  'engine',
  'simulate',
  'replay',
  'resellers',
  'keys',
  'users',
  'brands',
  'mqtt',
  'predict',
  'train',
  'evaluate',
  'fit',
  'export',
  'backup',
  'restore',
  'drill',
  'upgrade',
  'config',
  'load',
  'license',
  'doctor',
]

/** Only what hangs takes that long: a machine may be slow, and run other tests beside. */
const PATIENCE_MS = 300_000
/** One that nobody listens at, and that no other test is given: a port that was free a moment ago may be. */
const UNUSED_PORT = 2

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-cli-'))
})
after(() => rmSync(folder, { recursive: true }))

async function run(args: readonly string[], { env = {}, input }: { env?: Record<string, string>; input?: string } = {}) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, env: { PATH: process.env['PATH'], ...env }, timeout: PATIENCE_MS })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: code as number | null, stdout, stderr }
}

test('help lists every command, on stdout, and succeeds', async () => {
  const { code, stdout, stderr } = await run(['--help'])
  assert.deepEqual([code, stderr], [0, ''])
  for (const command of COMMANDS) assert.match(stdout, new RegExp(`^ {2}${command}\\b`, 'm'))
  assert.match(stdout, /^Examples:$/m)
})

test('the help of a command shows its options, those of every command, and examples', async () => {
  const { code, stdout } = await run(['keys', 'create', '--help'])
  assert.equal(code, 0)
  assert.match(stdout, /^ {2}\$ .*npx roadworthy keys create/m)
  assert.match(stdout, /--data-dir <dir>/)
  assert.match(stdout, /telemetry:write/)
})

test('up shows the flags of the service', async () => {
  const { code, stdout } = await run(['up', '--help'])
  assert.equal(code, 0)
  assert.match(stdout, /--mqtt-port N/)
})

test('up hands every flag to the service, --data-dir before the command among them', async () => {
  const args = ['--data-dir', join(folder, 'nowhere'), 'up', '--no-demo', '--port', '1234', '--check-config']
  const { code, stdout, stderr } = await run(args)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^PORT=1234$/m)
  assert.match(stdout, /^DATA_DIR=.*nowhere$/m)
})

test('engine hands every flag to the engine, which runs without an instance', { timeout: PATIENCE_MS }, async () => {
  const checked = await run(['engine', '--port', '1234', '--check-config'])
  assert.equal(checked.code, 0, checked.stderr)
  assert.match(checked.stdout, /^ENGINE_PORT=1234$/m)
  const child = spawn(process.execPath, [BIN, 'engine', '--port', '0'], { cwd: folder, env: { PATH: process.env['PATH'] } })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = /^ready engine (http:\S+)/.exec(line.toString())?.[1] ?? assert.fail(line.toString())
  assert.equal((await fetch(`${url}/v1/health`)).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('a licence that is issued is one that inspect finds good, and a changed one is not', async () => {
  const key = join(folder, 'license.pem')
  const issued = await run(['license', 'issue', '--key', key, '--new-key', '--licensee', 'North Fleet', '--json'])
  assert.equal(issued.code, 0, issued.stderr)
  assert.equal(statSync(key).mode & 0o777, 0o600)
  const { license_key: token, licensee, grace_days: graceDays } = JSON.parse(issued.stdout) as Record<string, unknown>
  assert.deepEqual([licensee, graceDays], ['North Fleet', 14])
  const inspect = async (text: unknown, ...args: string[]) => {
    const { code, stdout } = await run(['license', 'inspect', '-', '--json', ...args], { input: String(text) })
    return [code, (JSON.parse(stdout) as { status: string }).status]
  }
  assert.deepEqual(await inspect(token, '--public-key', `${key}.pub`), [0, 'valid'])
  assert.deepEqual(await inspect(token), [0, 'unchecked'])
  assert.deepEqual(await inspect('nonsense', '--public-key', `${key}.pub`), [1, 'malformed'])
  const again = await run(['license', 'issue', '--key', key, '--licensee', 'Other', '--days', '-20', '--grace-days', '0'])
  assert.deepEqual(await inspect(again.stdout, '--public-key', `${key}.pub`), [1, 'expired'])
  const other = join(folder, 'other.pem')
  const forged = await run(['license', 'issue', '--key', other, '--new-key', '--licensee', 'North Fleet'])
  assert.deepEqual(await inspect(forged.stdout, '--public-key', `${key}.pub`), [1, 'forged'])
  const taken = await run(['license', 'issue', '--key', key, '--new-key', '--licensee', 'x'])
  assert.deepEqual([taken.code, taken.stdout], [2, ''])
  assert.match(taken.stderr, /is there already/)
})

test('a licence that was made by others shows no line of its own beside the status', async () => {
  const facts = {
    id: 'x\nstatus      valid',
    licensee: '\u001b[32mNorth',
    issued_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2999-01-01T00:00:00.000Z',
  }
  const payload = Buffer.from(JSON.stringify({ ...facts, grace_days: 0 })).toString('base64url')
  const { code, stdout } = await run(['license', 'inspect', `rwl1.${payload}.AAAA`])
  assert.deepEqual([code, stdout.split('\n').filter((line) => line.startsWith('status')).length], [0, 1], stdout)
  assert.match(stdout, /^id {10}x\ufffdstatus/m)
  assert.match(stdout, /^licensee {4}\ufffd\[32mNorth$/m)
})

test('a backup asks for a passphrase, or for its absence; one without an instance names the folder', async () => {
  const here = ['--data-dir', join(folder, 'nowhere')]
  const without = await run([...here, 'backup', '--to', 'b'])
  assert.equal(without.code, 2)
  assert.match(without.stderr, /--passphrase-file, or set BACKUP_PASSPHRASE; --no-secret-key/)
  const unread = await run([...here, 'backup', '--to', 'b', '--passphrase-file', 'missing.txt'])
  assert.deepEqual([unread.code, /missing\.txt cannot be read \(ENOENT\)/.test(unread.stderr)], [2, true])
  const nowhere = await run([...here, 'backup', '--to', 'b'], { env: { BACKUP_PASSPHRASE: 'fifteen letters or more' } })
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.stderr, /There is no instance in .*nowhere/)
  for (const command of ['restore', 'drill']) {
    const { code, stderr } = await run([...here, command, '--from', 'b'])
    assert.deepEqual([code, /b is no backup: there is no manifest\.json/.test(stderr)], [1, true], stderr)
  }
})

const mistakes: [what: string, args: string[], problem: RegExp][] = [
  ['a command with a typing mistake', ['replya', 'x'], /unknown command 'replya'\s.*Did you mean replay\?/],
  ['a flag with a typing mistake', ['keys', 'create', '--resellr', 'x'], /unknown option '--resellr'\s.*Did you mean --reseller\?/],
  ['no command at all', [], /^Usage: roadworthy/],
  ['required options that are missing, all at once', ['keys', 'create', '--name', 'x'], /missing '--reseller <slug>', '--scopes <list>'/],
  ['a speed of zero', ['replay', 'x', '--format', 'csv', '--device', 'd', '--speed', '0'], /--speed <n>.*is invalid.*number from/],
  ['a format nobody knows', ['replay', 'x', '--format', 'gpx', '--device', 'd'], /--format.*carobd, kit, csv/],
  ['a fault nobody knows', ['simulate', '--fault', 'wheels'], /--fault.*One of these is wanted: cooling, /],
  ['a scope list with a hole', ['keys', 'create', '--scopes', 'predict,,'], /--scopes.*separated by commas/],
  ['a time without an offset', ['keys', 'create', '--expires', '2027-01-31'], /--expires.*offset is wanted/],
  ['an address that is none', ['--base-url', 'localhost:8080', 'doctor'], /--base-url.*http:\/\//],
  ['a fit without its columns', ['fit', 'life', '--data', 'x.csv'], /missing '--time <column>', '--event <column>'/],
  ['a table that is not there', ['fit', 'life', '--data', 'x.csv', '--time', 't', '--event', 'e'], /x\.csv: it cannot be read \(ENOENT\)/],
  ['an account name that ends a line', ['mqtt', 'export-passwords', '--out', 'x', '--platform-user', 'a:b'], /--platform-user.*letters/],
  ['an account without its password', ['mqtt', 'export-passwords', '--out', 'x', '--platform-user', 'a'], /MQTT_BROKER_PASSWORD/],
  [
    'a licence for nobody',
    ['license', 'issue', '--key', 'nowhere/unmade.pem', '--new-key', '--licensee', ''],
    /'--licensee <name>' argument '' is invalid\. A name of 1 to 200/,
  ],
  [
    'a licensee of two lines',
    ['license', 'issue', '--key', 'nowhere/unmade.pem', '--new-key', '--licensee', 'North\nFleet'],
    /A name of 1 to 200 characters on one line is wanted/,
  ],
  ['a file that is not there', ['predict', 'nowhere.json'], /nowhere\.json cannot be read \(ENOENT\)/],
]
for (const [what, args, problem] of mistakes) {
  test(`${what}: reported on stderr, nothing on stdout, exit code 2`, async () => {
    const { code, stdout, stderr } = await run(args)
    assert.match(stderr, problem)
    assert.deepEqual([code, stdout], [2, ''])
  })
}

test('input that is not JSON is reported with exit code 2', async () => {
  const { code, stderr } = await run(['predict', '-', '--engine-url', 'http://127.0.0.1:1'], { input: '{"vehicleId":' })
  assert.equal(code, 2)
  assert.match(stderr, /^error: What came from stdin is not JSON: .*\n$/)
})

test('a byte order mark in front of JSON is no part of it', async () => {
  const { code, stderr } = await run(['predict', '-', '--engine-url', 'http://127.0.0.1:1'], { input: '\ufeff{"vehicleId":"van-7"}' })
  assert.equal(code, 1)
  assert.match(stderr, /127\.0\.0\.1:1/)
})

test('where nothing runs, every command reports it in one line that names the folder, with exit code 1', async () => {
  writeFileSync(join(folder, 'trip.csv'), 'time_s,rpm\n0,800\n1,810\n')
  const nowhere = join(folder, 'empty')
  for (const args of [['keys', 'list'], ['simulate'], ['replay', 'trip.csv', '--format', 'csv', '--device', 'd']]) {
    const { code, stdout, stderr } = await run(['--data-dir', nowhere, '--json', ...args])
    assert.deepEqual([code, stdout], [1, ''], stderr)
    assert.match(stderr, new RegExp(`^error: .*${nowhere}.*npx roadworthy up.*\\n$`))
  }
})

test('a data folder that is a file, or is below one, is named as what it is', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  for (const args of [
    ['keys', 'list'],
    ['wal', 'status'],
    ['upgrade', '--check'],
  ]) {
    const { code, stdout, stderr } = await run(['--data-dir', file, ...args])
    assert.deepEqual([code, stdout], [1, ''], stderr)
    assert.match(stderr, /^error: [^\n]*a-file[^\n]* --data-dir[^\n]*\n$/)
    assert.ok(!stderr.includes('ENOTDIR'), stderr)
  }
  assert.match(
    (await run(['--data-dir', file, 'keys', 'list'])).stderr,
    /^error: .*a-file is not a folder, so no Roadworthy runs on it\. Start it/,
  )
  const below = await run(['--data-dir', join(file, 'below'), 'keys', 'list'])
  assert.match(below.stderr, /^error: There is no folder .*below, so no Roadworthy runs on it\./)

  const doctor = await run(['doctor', '--data-dir', file])
  assert.equal(doctor.code, 1)
  assert.match(doctor.stdout, /^WRONG +data folder +.*a-file is not a folder\.\n.*\n +do: +Name another with --data-dir/m)
  assert.equal(doctor.stderr, 'error: Something is wrong with: data folder.\n')
})

test('an instance that does not answer is named, with what to do', async () => {
  const { code, stderr } = await run(['simulate', '--base-url', 'http://127.0.0.1:1', '--mqtt-url', 'mqtt://127.0.0.1:1', '--api-key', 'k'])
  assert.equal(code, 1)
  assert.match(stderr, /^error: Nothing answers at http:\/\/127\.0\.0\.1:1 \(.*\)\. Is Roadworthy running there\?.*\n$/)
})

test('the key of the data folder is not sent to another address', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = {
    base_url: 'http://127.0.0.1:1',
    engine_url: 'http://127.0.0.1:1',
    mqtt_url: 'mqtt://127.0.0.1:1',
    reseller_slug: 'r',
    api_key: 'rw_live_secret',
    dashboard: { url: '', email: '', password: null },
  }
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentials))
  const { code, stderr } = await run(['simulate', '--data-dir', folder, '--base-url', elsewhere, '--mqtt-url', 'mqtt://127.0.0.1:1'])
  server.close()
  assert.deepEqual([code, asked], [3, 0], stderr)
  assert.match(stderr, /ROADWORTHY_API_KEY/)
})

test('refusals have exit codes of their own: 3 for 401 and 403, 4 for 404, 1 for the rest', async () => {
  for (const [status, expected] of [
    [401, 3],
    [403, 3],
    [404, 4],
    [500, 1],
  ] as const) {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { code: 'some_code', message: 'Some reason.' } }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, stderr } = await run(['predict', '-', '--engine-url', url], { input: '{"vehicleId":"a"}' })
    server.close()
    assert.equal(code, expected)
    assert.match(stderr, new RegExp(`^error: Some reason\\. \\(${status} some_code\\).*\\n$`))
  }
})

test('a level of risk is marked as resting on an assumption', async () => {
  const server = createServer((_, response) => {
    const predictions = { healthScore: 30, healthStatus: 'critical', riskLevel: 'high', remainingUsefulLife: { cooling: 3 } }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ vehicleId: 'a', confidence: 0.2, predictions, alerts: [] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, stdout } = await run(['predict', '-', '--engine-url', url], { input: '{"vehicleId":"a"}' })
  server.close()
  assert.equal(code, 0)
  assert.match(stdout, /RISK \*.*critical +high.*\n\* rests on an assumption: how long parts last/s)
})

test('the doctor reports once what is wrong where no service runs, or none ever has', async () => {
  const stopped = join(folder, 'stopped')
  mkdirSync(stopped)
  const at = (scheme: string) => `${scheme}://127.0.0.1:${UNUSED_PORT}`
  const dashboard = { url: at('http'), email: 'owner@example.com', password: 'secret' }
  const addresses = { base_url: at('http'), engine_url: at('http'), mqtt_url: at('mqtt') }
  writeFileSync(join(stopped, 'credentials.json'), JSON.stringify({ ...addresses, reseller_slug: 'a', api_key: 'rw_live_x', dashboard }), {
    mode: 0o600,
  })
  const freePorts = { PORT: '0', MQTT_PORT: '0', ENGINE_PORT: '0', METRICS_PORT: '0' }
  for (const [dataDir, name, reason] of [
    [stopped, 'api', /Nothing answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)/],
    [join(folder, 'nowhere'), 'data folder', /There is no .*nowhere\.\n.*\n +do: +Start the service once/],
  ] as const) {
    const { code, stdout, stderr } = await run(['doctor', '--data-dir', dataDir], { env: freePorts })
    assert.equal(code, 1)
    const wrong = stdout.split('\n').filter((line) => line.startsWith('WRONG'))
    assert.equal(wrong.length, 1, stdout)
    assert.match(stdout, reason)
    assert.equal(stdout.match(/ECONNREFUSED|There is no/g)?.length, 1, stdout)
    assert.equal(stderr, `error: Something is wrong with: ${name}.\n`)
  }
})

test('colours and help do not depend on a terminal: nothing that is piped holds an escape code', async () => {
  const { stdout, stderr } = await run(['doctor', '--data-dir', join(folder, 'empty')])
  assert.ok(!`${stdout}${stderr}`.includes('\u001b'))
})

test('an answer that the disk has no room for is an error in one line', { skip: !existsSync('/dev/full') }, async () => {
  const full = openSync('/dev/full', 'w')
  try {
    const child = spawn(process.execPath, [BIN, 'config'], { cwd: folder, env: {}, timeout: PATIENCE_MS, stdio: ['ignore', full, 'pipe'] })
    const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')])
    assert.deepEqual([code, stderr], [1, 'error: The answer cannot be written (ENOSPC). What the command was to do is done.\n'])
  } finally {
    closeSync(full)
  }
})
