// Goal: the doctor finds a history that goes nowhere, a folder that is none, and a bucket that is not there, refuses or loses what is put into it; and leaves nothing
// behind. Method: real folders, and a real S3-compatible server (s3rver), over HTTP.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Bucket } from '@roadworthy/platform/history/bucket-store'
import type { HistoryPlace } from '@roadworthy/platform/history/history-place'
import { startTestBucket } from '@roadworthy/platform/history/test-bucket'
import { checkHistory, fixOf } from './check-history.ts'

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-history-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function placeOf(bucket: Bucket): HistoryPlace {
  return { kind: 'bucket', bucket, folder: '/nowhere', maxCacheBytes: 1e9 }
}

test('a history without a place is a warning', async () => {
  const { status, detail, fix } = await checkHistory(undefined)
  assert.equal(status, 'warning')
  assert.match(`${detail} ${fix}`, /neither HISTORY_DIR nor HISTORY_S3_BUCKET is set.*every process/)
})

test('a folder: it takes a file and keeps none; a missing one is not made; what is no folder is wrong', async (t) => {
  const folder = temporaryFolder(t)
  assert.equal((await checkHistory({ kind: 'folder', folder })).status, 'ok')
  assert.deepEqual(readdirSync(folder), [])
  const missing = await checkHistory({ kind: 'folder', folder: join(folder, 'missing') })
  assert.deepEqual([missing.status, readdirSync(folder)], ['ok', []])
  writeFileSync(join(folder, 'file'), '')
  const { status, detail, fix } = await checkHistory({ kind: 'folder', folder: join(folder, 'file') })
  assert.deepEqual([status, /ENOTDIR/.test(detail), /chown/.test(fix ?? '')], ['wrong', true, true])
})

test('sealed files without a place, in another folder, or changed are wrong, and name what is lost', async (t) => {
  const folder = temporaryFolder(t)
  const path = 'reseller=acme/week.parquet'
  const sha256 = createHash('sha256').update('readings').digest('hex')
  const sealed = { until: new Date('2026-11-23T00:00:00Z'), fileCount: 4, files: [{ path, sha256 }] }
  const nowhere = await checkHistory(undefined, sealed)
  assert.deepEqual([nowhere.status, /before 2026-11-23T00:00:00.000Z are in 4 files/.test(nowhere.detail)], ['wrong', true])
  for (const place of [folder, join(folder, 'missing')]) {
    const { status, detail } = await checkHistory({ kind: 'folder', folder: place }, sealed)
    assert.deepEqual([status, detail], ['wrong', `the sealed file ${path} is not in ${place}.`])
  }
  mkdirSync(join(folder, 'reseller=acme'))
  writeFileSync(join(folder, path), 'readings')
  assert.equal((await checkHistory({ kind: 'folder', folder }, sealed)).status, 'ok')
  writeFileSync(join(folder, path), 'changed')
  assert.match((await checkHistory({ kind: 'folder', folder }, sealed)).detail, /is not as it was sealed in/)
})

test('without DuckDB nothing is sealed, which is a warning, and files that are there already cannot be read, which is wrong', async (t) => {
  const place = { kind: 'folder', folder: temporaryFolder(t) } as const
  const check = (fileCount: number) =>
    checkHistory(place, { until: new Date('2026-11-23T00:00:00Z'), fileCount, files: [] }, async () => undefined)
  const [none, some] = [await check(0), await check(3)]
  assert.deepEqual([none.status, some.status], ['warning', 'wrong'])
  assert.match(none.detail, /^readings of every age stay in PostgreSQL/)
  assert.match(
    some.detail,
    /^readings recorded before 2026-11-23T00:00:00\.000Z are in 3 files, and @duckdb\/node-api.* is not installed\.$/,
  )
})

test('where the client of buckets is not installed the advice is to install it', async (t) => {
  const place = placeOf(await startTestBucket({ after: (cleanUp) => t.after(cleanUp) }, temporaryFolder(t)))
  assert.match(
    fixOf(place, new Error('HISTORY_S3_BUCKET is set, and @aws-sdk/client-s3, an optional dependency, is not installed.')),
    /^npm install/,
  )
  assert.match(fixOf(place, new Error('connect ECONNREFUSED 127.0.0.1:9000')), /^Compare HISTORY_S3_URL/)
})

test('a bucket: it takes a file and keeps none; one that is not there, another key, and a server that is not there are wrong', async (t) => {
  const printed = t.mock.method(console, 'warn', () => undefined)
  const directory = temporaryFolder(t)
  const bucket = await startTestBucket({ after: (cleanUp) => t.after(cleanUp) }, directory)
  const found = await checkHistory(placeOf(bucket))
  assert.equal(found.status, 'ok', JSON.stringify(found))
  assert.deepEqual(
    readdirSync(join(directory, 'history')).filter((name) => name.startsWith('doctor')),
    [],
  )
  const refusals = [
    [{ name: 'elsewhere' }, /NoSuchBucket/],
    [{ credentials: { accessKeyId: 'ANOTHER', secretAccessKey: 'S3RVER' } }, /InvalidAccessKeyId/],
    // Nobody listens there, and no other test is given it.
    [{ url: 'http://127.0.0.1:1' }, /ECONNREFUSED/],
  ] as const
  for (const [changes, reason] of refusals) {
    const { status, detail, fix } = await checkHistory(placeOf({ ...bucket, ...changes }))
    assert.equal(status, 'wrong')
    assert.match(detail, reason)
    assert.match(fix ?? '', /HISTORY_S3_URL/)
  }
  assert.equal(printed.mock.callCount(), 0)
})

test('a bucket that gives back something else, or a proxy in its place, is wrong', async (t) => {
  let refusal: { status: number; body: string } | undefined
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () =>
      response.writeHead(refusal?.status ?? 200).end(refusal?.body ?? (request.method === 'GET' ? 'something else' : '')),
    )
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const credentials = { accessKeyId: 'A', secretAccessKey: 'B' }
  const place = placeOf({ name: 'history', url: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials })
  assert.match((await checkHistory(place)).detail, /gave back 14 other characters/)
  refusal = { status: 403, body: '' }
  assert.match((await checkHistory(place)).detail, /answered with HTTP 403/)
  refusal = { status: 502, body: '<html><body>Bad gateway<br></body></html>' }
  assert.match((await checkHistory(place)).detail, /^[^\n]*answered with HTTP 502[^\n]*$/)
})
