// Goal: with the log archived, a machine that is lost takes nothing with it that was acknowledged before the archived point, and any moment before that can be restored. Method: the
// whole service under load, a base backup meanwhile, SIGKILL for everything, and nothing left but base backup and archive.

import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withOwnerSession } from '@roadworthy/platform/cluster/owner-session'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { findRunningPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { FREE_PORTS, RunningService } from '../e2e/running-service.ts'
import { type Ended, roadworthy } from '../support/command-line.ts'
import { call } from '../support/running-platform.ts'

const SENDERS = 4
const TIMEOUT_MS = 300_000
/** Readings before the backup, until the moment that is restored, until the archived point, and after it. */
const LEAST_OF_EACH = 60
const LOAD_WITHIN_MS = 300_000
const PASSPHRASE = 'seven words of your own and no others'
const NO_DEMO = ['--no-demo', ...FREE_PORTS]

type Sent = { readonly mark: number; readonly sentMs: number; ackedMs: number | undefined }

const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-wal-'))
chmodSync(folder, 0o755)
const wal = path.join(folder, 'wal')
const base = path.join(folder, 'base')
const sent: Sent[] = []
/** Everything acknowledged before it is archived. */
let archivedMs: number
let until: Date

const run = (...args: string[]): Promise<Ended> =>
  roadworthy(args, { cwd: folder, env: { BACKUP_PASSPHRASE: PASSPHRASE }, timeoutMs: TIMEOUT_MS })
const restore = (dataDir: string, ...args: string[]) =>
  run('restore', '--from', base, '--wal', wal, '--data-dir', dataDir, '--json', ...args)

before(async () => {
  const dataDir = path.join(folder, 'lost')
  const service = new RunningService(dataDir, [...NO_DEMO, '--wal-archive-dir', wal, '--wal-archive-timeout-s', '1'])
  await service.ready()
  const stopLoad = startLoad(service)
  await untilAcknowledged(LEAST_OF_EACH)
  const made = await run('backup', '--base', '--to', base, '--data-dir', dataDir)
  assert.equal(made.code, 0, made.stderr)
  await untilAcknowledged(LEAST_OF_EACH)
  until = new Date()
  await untilAcknowledged(LEAST_OF_EACH)
  archivedMs = await archiveAll(dataDir)
  await untilAcknowledged(LEAST_OF_EACH)
  for (const pid of service.processes()) process.kill(pid, 'SIGKILL')
  await service.exit()
  await stopLoad()
  rmSync(dataDir, { recursive: true })
})

after(() => rmSync(folder, { recursive: true, force: true }))

/** So many more than now, however long the machine takes for them; and of a second at least, for segments to be archived in between. */
async function untilAcknowledged(count: number): Promise<void> {
  const acknowledged = () => sent.filter(({ ackedMs }) => ackedMs !== undefined).length
  const enough = acknowledged() + count
  const endMs = performance.now() + LOAD_WITHIN_MS
  await sleep(1_000)
  while (acknowledged() < enough) {
    assert.ok(performance.now() < endMs, `${acknowledged()} were acknowledged`)
    await sleep(50)
  }
}

/** Each reading has a number of its own. Ends when nothing answers any more. */
function startLoad(service: RunningService): () => Promise<void> {
  const { base_url: url, api_key: key } = service.credentials()
  let isStopped = false
  const send = async (): Promise<void> => {
    while (!isStopped) {
      const each: Sent = { mark: sent.length, sentMs: Date.now(), ackedMs: undefined }
      sent.push(each)
      const body = { vehicle_id: `truck-${each.mark % 7}`, rpm: each.mark }
      const { status } = await call(url, 'POST', '/api/external/telemetry', { key, body }).catch(() => ({ status: 0 }))
      if (status === 200) each.ackedMs = Date.now()
      else await sleep(50)
    }
  }
  const sending = Array.from({ length: SENDERS }, send)
  return async () => {
    isStopped = true
    await Promise.all(sending)
  }
}

/** Has PostgreSQL begin a new segment, and waits until the one before is archived. */
async function archiveAll(dataDir: string): Promise<number> {
  const atMs = Date.now()
  const { rows } = await asOwner(dataDir, (db) => db.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment'))
  const segment = rows[0]?.segment ?? assert.fail()
  while (!existsSync(path.join(wal, segment))) await sleep(50)
  return atMs
}

function asOwner<T>(dataDir: string, run: (db: Db) => Promise<T>): Promise<T> {
  return withOwnerSession(findRunningPostgres(dataDir) ?? assert.fail('PostgreSQL runs'), run)
}

/** The numbers of the readings that a restored instance has, once it has been started. */
async function marksOf(dataDir: string): Promise<Set<number>> {
  const service = new RunningService(dataDir, NO_DEMO)
  await service.ready()
  try {
    const { rows } = await asOwner(dataDir, (db) =>
      db.query<{ mark: number }>(`select (signals->>'engineSpeedRpm')::int as mark from readings`),
    )
    return new Set(rows.map(({ mark }) => mark))
  } finally {
    await service.signal('SIGTERM')
  }
}

test('everything that was acknowledged before the archived point is there', async () => {
  const dataDir = path.join(folder, 'all')
  const { code, stderr } = await restore(dataDir)
  assert.equal(code, 0, stderr)
  const marks = await marksOf(dataDir)
  const acknowledged = sent.filter(({ ackedMs }) => ackedMs !== undefined && ackedMs < archivedMs)
  assert.ok(acknowledged.length > 100, `${acknowledged.length} were acknowledged`)
  assert.deepEqual(
    acknowledged.filter(({ mark }) => !marks.has(mark)),
    [],
  )
})

test('up to a moment: what was acknowledged before it is there, and what was sent after it is not', async () => {
  const dataDir = path.join(folder, 'until')
  const { code, stdout, stderr } = await restore(dataDir, '--until', until.toISOString())
  assert.equal(code, 0, stderr)
  const marks = await marksOf(dataDir)
  const acknowledged = sent.filter(({ ackedMs }) => ackedMs !== undefined && ackedMs < until.getTime())
  assert.ok(acknowledged.length > 50)
  assert.deepEqual(
    acknowledged.filter(({ mark }) => !marks.has(mark)),
    [],
  )
  const later = sent.filter(({ sentMs, ackedMs }) => sentMs > until.getTime() && ackedMs !== undefined)
  assert.ok(later.length > 50)
  assert.deepEqual(
    later.filter(({ mark }) => marks.has(mark)),
    [],
  )
  const { last_commit_at: lastCommitAt } = JSON.parse(stdout) as { last_commit_at: string }
  assert.ok(new Date(lastCommitAt) <= until)
})

test('a moment after the archive, one before the base backup, and another passphrase are refused by name', async () => {
  const dataDir = path.join(folder, 'refused')
  const ahead = await restore(dataDir, '--until', new Date(Date.now() + 3_600_000).toISOString())
  assert.deepEqual([ahead.code, /ends before the moment that was asked for/.test(ahead.stderr)], [1, true], ahead.stderr)
  const early = await restore(dataDir, '--until', '2020-01-01T00:00:00Z')
  assert.match(early.stderr, /Take an older one/)
  const args = ['restore', '--from', base, '--wal', wal, '--data-dir', dataDir]
  const { stderr } = await roadworthy(args, { cwd: folder, env: { BACKUP_PASSPHRASE: 'seven other words that are wrong' } })
  assert.match(stderr, /not the one that this backup was made with/)
  // What a restore that failed left is no instance, and the next one begins anew.
  const started = await roadworthy(['up', '--data-dir', dataDir, ...NO_DEMO], { timeoutMs: TIMEOUT_MS })
  assert.match(started.stderr, /was begun and did not end/)
  const again = await restore(dataDir)
  assert.equal(again.code, 0, again.stderr)
})

test('a segment that is missing is named, and nothing is restored', async () => {
  const segments = readdirSync(wal).filter((name) => /^[0-9A-F]{24}$/.test(name))
  const missing = segments.sort().at(-2) ?? assert.fail()
  renameSync(path.join(wal, missing), path.join(folder, missing))
  try {
    const { code, stderr } = await restore(path.join(folder, 'gap'))
    assert.deepEqual([code, stderr.includes(missing)], [1, true], stderr)
    assert.equal(existsSync(path.join(folder, 'gap')), false)
  } finally {
    renameSync(path.join(folder, missing), path.join(wal, missing))
  }
})

test('a segment that is damaged is named, and nothing counts as restored', async () => {
  const file = path.join(
    wal,
    readdirSync(wal)
      .filter((name) => /^[0-9A-F]{24}$/.test(name))
      .sort()
      .at(-2) ?? assert.fail(),
  )
  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.alloc(bytes.length))
  const dataDir = path.join(folder, 'damaged')
  const { code, stderr } = await restore(dataDir)
  writeFileSync(file, bytes)
  assert.deepEqual([code, /could be read up to [0-9A-F]{24} only/.test(stderr)], [1, true], stderr)
  assert.equal(existsSync(path.join(dataDir, 'restore-unfinished')), true)
})

test('what comes before the base backup is pruned, and the rest still restores', async () => {
  const old = '000000010000000000000000'
  writeFileSync(path.join(wal, old), '')
  const pruned = await run('wal', 'prune', '--wal', wal, '--keep', base, '--json')
  assert.equal(pruned.code, 0, pruned.stderr)
  assert.ok((JSON.parse(pruned.stdout) as { removed: number }).removed >= 1)
  assert.equal(existsSync(path.join(wal, old)), false)
  const { code, stderr } = await restore(path.join(folder, 'after-pruning'))
  assert.equal(code, 0, stderr)
})

test('an archive never has a segment replaced; that it fails is shown', async () => {
  const dataDir = path.join(folder, 'failing')
  const full = path.join(folder, 'full')
  const service = new RunningService(dataDir, [...NO_DEMO, '--wal-archive-dir', full, '--wal-archive-timeout-s', '3600'])
  await service.ready()
  try {
    const before = await run('wal', 'status', '--data-dir', dataDir, '--json')
    assert.deepEqual((JSON.parse(before.stdout) as { archiving: boolean }).archiving, true)
    const next = await asOwner(dataDir, async (db) => {
      const { rows } = await db.query<{ next: string }>(`select pg_walfile_name(pg_current_wal_lsn()) as next`)
      return rows[0]?.next ?? assert.fail()
    })
    writeFileSync(path.join(full, next), 'of another server', { flag: 'wx' })
    await asOwner(dataDir, (db) => db.query(`select pg_logical_emit_message(true, 'test', 'something to archive'), pg_switch_wal()`))
    for (let waitedMs = 0; waitedMs < TIMEOUT_MS; waitedMs += 500) {
      const { code, stdout } = await run('wal', 'status', '--data-dir', dataDir, '--json')
      const { failing, last_failed_wal: failed } = JSON.parse(stdout) as { failing: boolean; last_failed_wal: string }
      if (failing) return assert.deepEqual([code, failed], [1, next])
      await sleep(500)
    }
    assert.fail('no attempt failed')
  } finally {
    await service.signal('SIGTERM')
  }
})
