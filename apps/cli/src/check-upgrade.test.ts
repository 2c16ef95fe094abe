// Goal: what holds up an upgrade is weighed by what it costs. Method: steps such as a rehearsal returns; no release has a breaking one yet.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { writeLastBackup } from '@roadworthy/platform/backup/last-backup'
import { judgeBackup, judgeCluster, judgeProcesses, judgeTables, type Step } from './check-upgrade.ts'

const effect = { table: 'readings', holds_up: 'writers', rewritten: false, indexes: ['a'], rows_estimated: true } as const
const step = (breaking: boolean, rows: number, bytes = rows * 300): Step => ({
  ...{ migration: '0073_more.sql', breaking },
  effects: [{ ...effect, rows, bytes, large: rows >= 1_000_000 }],
})

test('a breaking migration is refused while a process of the service is connected, and no other', () => {
  assert.deepEqual(
    [judgeProcesses([step(true, 1)], 3), judgeProcesses([step(true, 1)], 0), judgeProcesses([step(false, 1)], 3)].map(
      ({ status }) => status,
    ),
    ['wrong', 'ok', 'ok'],
  )
})

test('on a cluster a node that does not answer is in the way, and what migrations do to tables that are spread is named', () => {
  const cluster = { nodeCount: 3, silent: [] }
  assert.equal(judgeCluster([], cluster).status, 'ok')
  const { status, detail, fix } = judgeCluster([step(false, 10)], cluster)
  assert.equal(status, 'warning')
  assert.equal(detail, '3 nodes; readings are changed on each, shard by shard.')
  assert.match(fix ?? '', /npx roadworthy citus init/)
  const elsewhere = { ...step(false, 10), effects: [{ ...effect, table: 'vehicles', rows: 1, bytes: 1, large: false }] }
  assert.match(judgeCluster([elsewhere], cluster).detail, /no table that is spread is changed/)
  const silent = judgeCluster([], { nodeCount: 3, silent: [{ address: 'db-1:5432', reason: 'connection refused' }] })
  assert.equal(silent.status, 'wrong')
  assert.match(silent.detail, /db-1:5432 does not answer: connection refused/)
})

test('a large table that is worked through is named with its size, a small one is not', () => {
  assert.equal(judgeTables([step(false, 10)]).status, 'ok')
  const { status, detail } = judgeTables([step(false, 12_000_000)])
  assert.equal(status, 'warning')
  assert.match(detail, /readings \(1 index built, writers wait, about 12000000 rows, 3600\.0 MB\)/)
})

test('a backup that is old, of another database, damaged or not there is none', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'roadworthy-last-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const now = new Date('2026-11-26T12:00:00Z')
  const judge = async (backupWithinH = 25) =>
    await judgeBackup('server/fleet', { dataDir, now }, { backup: undefined, backupWithinH, isWithoutBackup: false })
  assert.match((await judge()).detail, /^none is recorded in /)
  const made = { folder: '/backups/old', kind: 'rows', as_of: '2026-11-23T12:00:00.000Z', database: 'server/fleet' } as const
  writeLastBackup(dataDir, { ...made, database: 'server/another' })
  assert.match((await judge()).detail, /of another database/)
  writeLastBackup(dataDir, made)
  assert.match((await judge()).detail, /is 72 h old; up to 25 h are asked for/)
  assert.equal((await judge(100)).status, 'ok')
  writeFileSync(path.join(dataDir, 'last-backup.json'), '{"folder":')
  assert.equal((await judge(100)).status, 'wrong')
})
