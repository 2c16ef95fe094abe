// Goal: two processes that restore one backup into one history do not take each other's files, a file that is gone is named, and what was sealed since a base backup is
// found where it is. Method: both have staged a file before either stores it; a real S3-compatible server (s3rver).

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openBucketStore } from '../history/bucket-store.ts'
import { createFolderStore, type FileStore } from '../history/file-store.ts'
import { startTestBucket } from '../history/test-bucket.ts'
import { BackupProblem } from './backup-problem.ts'
import { copyHistory, type HistoryFile, putHistory, putLaterHistory } from './history-parts.ts'
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

test('what was sealed since a base backup is taken from the bucket where it is, or from a copy; what is in neither is refused, and what was changed too', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'history-parts-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const bucket = await startTestBucket({ after: (cleanUp) => t.after(cleanUp) }, path.join(folder, 'served'))
  const { close, ...history } = await openBucketStore({ bucket, folder: path.join(folder, 'cache'), maxCacheBytes: 1e9 })
  t.after(() => close())
  const [inBase, inBucket, inCopy] = ['base', 'bucket', 'copy'].map((name) => ({
    ...{ path: `${name}.parquet`, bytes: name.length, sha256: createHash('sha256').update(name).digest('hex') },
  })) as [HistoryFile, HistoryFile, HistoryFile]
  const write = (below: string, name: string) => {
    mkdirSync(path.join(folder, below), { recursive: true })
    writeFileSync(path.join(folder, below, `${name}.parquet`), name)
  }
  for (const name of ['base', 'copy']) write(name, name)
  write('staged', 'bucket')
  await history.put(path.join(folder, 'staged/bucket.parquet'), inBucket.path)
  const request = {
    ...{ live: [inBase, inBucket], ofBase: [inBase], baseFolder: path.join(folder, 'base'), history },
    ...{ copyFolder: undefined, mayLack: false },
  }
  assert.equal(await putLaterHistory(request), 0)
  assert.equal(readFileSync(await history.fetch(inBase.path), 'utf8'), 'base')

  const all = { ...request, live: [inBase, inBucket, inCopy] }
  await assert.rejects(putLaterHistory(all), /1 files of the history were sealed since.*HISTORY_S3_/)
  assert.equal(await putLaterHistory({ ...all, mayLack: true }), 1)
  assert.equal(await putLaterHistory({ ...all, copyFolder: path.join(folder, 'copy') }), 0)
  assert.equal(readFileSync(await history.fetch(inCopy.path), 'utf8'), 'copy')
  const changed = { ...request, live: [{ ...inBucket, sha256: inBase.sha256 }] }
  await assert.rejects(putLaterHistory(changed), /bucket\.parquet in the history is not as it was sealed/)
})
