// Goal: two processes that restore one backup into one history do not take each other's files. Method: both have staged a file before either stores it.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createFolderStore, type FileStore } from '../history/file-store.ts'
import { putHistory } from './history-parts.ts'

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
