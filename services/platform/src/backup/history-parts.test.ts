// Goal: two processes that restore one backup into one history do not take each other's files, and a file that is gone is named. Method: both have staged
// a file before either stores it.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createFolderStore, type FileStore } from '../history/file-store.ts'
import { BackupProblem } from './backup-problem.ts'
import { copyHistory, putHistory } from './history-parts.ts'
import { inDraft } from './part-file.ts'

test('a file that two restores put at once is whole, and nothing stays staged', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'history-parts-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(path.join(folder, 'week.parquet'), 'readings')
  const target = path.join(folder, 'history')
  const store = createFolderStore(target)
  const bothStaged = Promise.withResolvers<void>()
  let staged = 0
  const waiting: FileStore = {
    ...store,
    put: async (...put) => {
      if (++staged === 2) bothStaged.resolve()
      await bothStaged.promise
      await store.put(...put)
    },
  }
  const files = [{ path: 'week.parquet', bytes: 8, sha256: '' }]
  await Promise.all([putHistory(folder, files, waiting), putHistory(folder, files, waiting)])
  assert.equal(readFileSync(path.join(target, 'week.parquet'), 'utf8'), 'readings')
  assert.deepEqual(readdirSync(store.stagingFolder), [])
})

test('a file of the history that is gone is named, and nothing stays of the backup', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'history-parts-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const history = createFolderStore(path.join(folder, 'history'))
  const files = [{ path: 'month=2026-09/week.parquet', bytes: 8, sha256: '' }]
  await assert.rejects(
    inDraft(path.join(folder, 'backup'), (draft) => copyHistory(draft, files, { history }), undefined),
    (error) =>
      error instanceof BackupProblem && /month=2026-09\/week\.parquet of the history cannot be read \(ENOENT\)/.test(error.message),
  )
  assert.deepEqual(readdirSync(folder), [])
})
