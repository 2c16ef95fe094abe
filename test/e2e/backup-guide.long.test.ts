// Goal: an operator who types what docs/guides/backup.md shows gets a backup that restores. Method: the blocks of the page in their order, by a shell, in the folder of an
// instance that runs and takes readings; then what was restored is started and asked.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { withOwnerSession } from '@roadworthy/platform/cluster/owner-session'
import { findRunningPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { startTestServer } from '@roadworthy/service-kit/postgres/test-database'
import { BIN, roadworthy } from '../support/command-line.ts'
import { callPatiently as call } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { assertShown, runShell, stepsOf } from './guide-blocks.ts'
import { node } from './own-instance.ts'
import { FREE_PORTS, RunningService } from './running-service.ts'

const BLOCK_TIMEOUT_MS = 600_000
const PASSPHRASE = 'seven words of your own and no others'

const NO_DEMO = ['--no-demo', ...FREE_PORTS]

let folder: string
/** Where the commands have their temporary files: that of the machine is also of others. */
let scratch: string
let service: RunningService

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-guide-'))
  chmodSync(folder, 0o755)
  scratch = path.join(folder, 'scratch')
  mkdirSync(scratch)
  service = new RunningService(path.join(folder, '.data'), [
    ...NO_DEMO,
    '--wal-archive-dir',
    path.join(folder, 'wal'),
    '--wal-archive-timeout-s',
    '1',
  ])
  await service.ready()
  const { base_url: url, api_key: key } = service.credentials()
  for (let nth = 0; nth < 20; nth++) {
    const { status } = await call(url, 'POST', '/api/external/telemetry', {
      key,
      body: { vehicle_id: `truck-${nth % 4}`, coolant_temp: 80 + nth },
    })
    assert.equal(status, 200)
  }
})

after(async () => {
  await service.signal('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** Every block of shell lines, with the command line of this checkout for `npx roadworthy`. */
async function runBlock(lines: string, env: Record<string, string>): Promise<string> {
  const script = `set -e\nnpx() { shift; "${node}" "${BIN}" "$@"; }\n${lines.replaceAll(/^(\w+=\S+ )+npx roadworthy/gm, (start) => `env ${start.replace('npx roadworthy', `"${node}" "${BIN}"`)}`)}`
  const given = { PATH: process.env['PATH'], HOME: folder, TMPDIR: scratch, ...env }
  const { code, output } = await runShell('sh', script, { cwd: folder, env: given, timeoutMs: BLOCK_TIMEOUT_MS })
  assert.equal(code, 0, `${lines}\n${output}`)
  return output
}

/** A commit of which the segment is in the archive. */
async function archiveAnother(): Promise<void> {
  const { base_url: url, api_key: key } = service.credentials()
  const { status } = await call(url, 'POST', '/api/external/telemetry', { key, body: { vehicle_id: 'truck-1', coolant_temp: 99 } })
  assert.equal(status, 200)
  const server = findRunningPostgres(service.dataDir) ?? assert.fail('PostgreSQL runs')
  const ended = 'select pg_walfile_name(pg_switch_wal()) as segment'
  const { rows } = await withOwnerSession(server, (db) => db.query<{ segment: string }>(ended))
  const segment = path.join(folder, 'wal', rows[0]?.segment ?? assert.fail())
  await until('the segment is archived', () => existsSync(segment))
}

test('every command of the page does what it describes', async (t) => {
  // Of its own: roles belong to a whole server, and have the passwords of one secret key.
  const server = await startTestServer()
  t.after(() => server.stop())
  const steps = stepsOf('backup.md')
  assert.ok(steps.length >= 8 && steps.filter(({ shown }) => shown !== undefined).length >= 7)
  for (const step of steps) {
    const UNTIL = new Date().toISOString()
    if (step.lines.includes('$UNTIL')) await archiveAnother()
    const printed = await runBlock(step.lines, { NEW_DATABASE_URL: server.url, UNTIL })
    assertShown(step, printed)
  }
  for (const name of ['restored', 'newest', 'as-of-then']) assert.equal(existsSync(path.join(folder, name, 'secret-key')), true, name)
  assert.equal(readdirSync(path.join(folder, 'backups')).length, 3)
  assert.equal(existsSync(path.join(folder, 'key-folder', 'secret-key')), true)
  assert.deepEqual(readdirSync(scratch), [], 'a drill leaves nothing')
})

test('what was restored starts, knows its key, and has every reading', async () => {
  const restored = new RunningService(path.join(folder, 'restored'), NO_DEMO)
  await restored.ready()
  const { base_url: url, api_key: key } = restored.credentials()
  assert.equal(key, service.credentials().api_key)
  const { status, body } = await call(url, 'GET', '/api/v1/vehicles', { key })
  assert.equal(status, 200)
  assert.equal((body as unknown as { vehicles: unknown[] }).vehicles.length, 4)
  const { status: stored } = await call(url, 'POST', '/api/external/telemetry', { key, body: { vehicle_id: 'truck-1', coolant_temp: 91 } })
  assert.equal(stored, 200)
  await restored.signal('SIGTERM')
})

test('a first start restores what RESTORE_FROM names; the next one ignores it, and says so', async () => {
  const flags = [
    ...NO_DEMO,
    '--restore-from',
    path.join(folder, 'backups/first'),
    '--restore-passphrase-file',
    path.join(folder, 'passphrase.txt'),
  ]
  const first = new RunningService(path.join(folder, 'by-setting'), flags)
  await first.ready()
  assert.doesNotMatch(first.stdout, /first start:/)
  assert.equal(first.credentials().api_key, service.credentials().api_key)
  await first.signal('SIGTERM')
  const second = new RunningService(path.join(folder, 'by-setting'), flags)
  await second.ready()
  assert.match(second.stdout, /RESTORE_FROM is ignored: there is an instance already/)
  await second.signal('SIGTERM')
})

test('a folder whose restore did not end is not started on, and is restored anew', async () => {
  const dataDir = path.join(folder, 'unfinished')
  mkdirSync(path.join(dataDir, 'postgres'), { recursive: true })
  writeFileSync(path.join(dataDir, 'restore-unfinished'), '')
  writeFileSync(path.join(dataDir, 'secret-key'), 'of the restore that did not end\n')
  const refused = await roadworthy(['up', '--data-dir', dataDir, '--no-demo', '--port', '0'], { timeoutMs: BLOCK_TIMEOUT_MS })
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /was begun and did not end/)
  const args = ['restore', '--from', 'backups/first', '--passphrase-file', 'passphrase.txt', '--data-dir', dataDir, '--json']
  const restored = await roadworthy(args, { cwd: folder, timeoutMs: BLOCK_TIMEOUT_MS })
  assert.equal(restored.code, 0, restored.stderr)
  assert.equal(existsSync(path.join(dataDir, 'restore-unfinished')), false)
  assert.notEqual(readFileSync(path.join(dataDir, 'secret-key'), 'utf8'), 'of the restore that did not end\n')
  const again = await roadworthy(args, { cwd: folder, timeoutMs: BLOCK_TIMEOUT_MS })
  assert.deepEqual([again.code, /holds an instance already: it has postgres, secret-key, credentials\.json/.test(again.stderr)], [1, true])
})

test('a drill fails on a backup with one byte changed, and names the file', async () => {
  const file = path.join(folder, 'backups/first/tables/readings.copy.gz')
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(file, bytes)
  const env = { BACKUP_PASSPHRASE: PASSPHRASE }
  const { code, stderr } = await roadworthy(['drill', '--from', 'backups/first'], { cwd: folder, env, timeoutMs: BLOCK_TIMEOUT_MS })
  assert.deepEqual([code, /tables\/readings\.copy\.gz was changed/.test(stderr)], [1, true], stderr)
})

test('an instance that does not run is backed up too', async () => {
  const { code, stdout, stderr } = await roadworthy(['backup', '--data-dir', 'restored', '--to', 'of-stopped', '--json'], {
    ...{ cwd: folder, timeoutMs: BLOCK_TIMEOUT_MS, env: { BACKUP_PASSPHRASE: PASSPHRASE } },
  })
  assert.equal(code, 0, stderr)
  assert.match(stderr, /its PostgreSQL is started for this/)
  assert.equal((JSON.parse(stdout) as { secret_key: boolean }).secret_key, true)
  const { stdout: processes } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  assert.equal(processes.includes(path.join(folder, 'restored')), false)
})
