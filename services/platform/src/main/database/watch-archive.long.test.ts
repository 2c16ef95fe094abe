// Goal: an archive of the log that fails is seen by Prometheus, and so is that it was mended. Method: a real server that archives into a folder, which is
// taken away and given back, asked as a role without rights on the server.

import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rounds } from '@roadworthy/service-kit/pacing/rounds'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import pg from 'pg'
import { type Archiving, selectArchiving } from '../../backup/archiver.read.sql.ts'
import { openTestDatabase } from '../../test-support.ts'
import { createMetrics } from '../http/metrics.ts'
import { startWatchingArchive } from './watch-archive.ts'

/** An archiver that has failed looks again after a minute at the latest, and on a busy machine it may be later. */
const WITHIN_MS = 240_000
const SEGMENT_BYTES = 16 * 1024 * 1024

async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += 50) {
    const answer = await ask()
    if (isRight(answer)) return answer
    assert.ok(waitedMs < WITHIN_MS, JSON.stringify(answer))
    await sleep(50)
  }
}

/** And the beginning of one more: PostgreSQL writes into its log by itself, too. */
function assertThreeSegments(bytes: number): void {
  assert.ok(bytes >= 3 * SEGMENT_BYTES && bytes < 4 * SEGMENT_BYTES, `${bytes}`)
}

test('a folder that is taken away makes the archive fail, more and more is pending, and given back it catches up', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-archive-'))
  chmodSync(folder, 0o755)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [wal, away] = [join(folder, 'wal'), join(folder, 'away')]
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: () => {}, walArchive: { folder: wal, timeoutS: 3600 } })
  const owner = new pg.Pool({ connectionString: server.url })
  await owner.query(`create role nobody_in_particular login password 'p'`)
  const asNobody = new URL(server.url)
  Object.assign(asNobody, { username: 'nobody_in_particular', password: 'p' })
  const systemPool = new pg.Pool({ connectionString: asNobody.href })
  // The server may end a connection of theirs before they have.
  for (const pool of [owner, systemPool]) pool.on('error', () => undefined)
  const metrics = createMetrics('0')
  let watch: Rounds | undefined
  t.after(async () => {
    await watch?.stop()
    await Promise.all([owner.end(), systemPool.end()])
    await server.stop()
  })
  /** Something for the log, and the next segment; answers the name of the one before. */
  const fillSegment = async (): Promise<string> => {
    await owner.query('create table if not exists filler (n int); insert into filler values (1)')
    const { rows } = await owner.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
    return rows[0]?.name ?? assert.fail()
  }
  const archiving = () => selectArchiving(systemPool)
  const isWell = (state: Archiving | undefined) => state?.isFailing === false && (state.pendingBytes ?? SEGMENT_BYTES) < SEGMENT_BYTES

  const first = await fillSegment()
  await until(archiving, isWell)
  assert.ok(existsSync(join(wal, first)))

  renameSync(wal, away)
  for (let nth = 0; nth < 3; nth++) await fillSegment()
  const failing = await until(archiving, (state) => state?.isFailing === true)
  const pending = failing?.pendingBytes ?? 0
  assertThreeSegments(pending)
  watch = startWatchingArchive({ systemPool }, metrics, createLogger('silent'))
  const shown = await until(
    () => metrics.registry.metrics(),
    (text) => /^fleet_wal_archive_failing 1$/m.test(text),
  )
  assertThreeSegments(Number(/^fleet_wal_archive_pending_bytes (\S+)$/m.exec(shown)?.[1]))

  renameSync(away, wal)
  await fillSegment()
  await until(archiving, isWell)
})

test('a server that archives nothing has no value, which no rule is met by', async (t) => {
  const { database } = await openTestDatabase(t)
  assert.equal(await selectArchiving(database.systemPool), undefined)
  const metrics = createMetrics('0')
  const watch = startWatchingArchive(database, metrics, createLogger('silent'))
  await watch.stop()
  assert.match(await metrics.registry.metrics(), /^fleet_wal_archive_failing Nan$/m)
})
