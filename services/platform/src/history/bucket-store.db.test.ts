// Goal: the history in a bucket is what it is in a folder. Against a real S3-compatible server (s3rver), over HTTP.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { openBucketStore } from './bucket-store.ts'
import { FileReader } from './file-reader.ts'
import { createPastReadings } from './read-past.ts'
import { sealWeeks } from './seal-weeks.ts'
import { contentOfFile } from './sealed-file.ts'
import { selectLiveFiles, selectSealedExtremesAcrossResellers } from './sealed-files.sql.ts'
import { startTestBucket } from './test-bucket.ts'
import { DAY_MS, failOn, insertVehicle, reading, sealingDeps, store, temporaryFolder, WEEK_MS, weeksBefore } from './test-history.ts'

const VEHICLE = 'veh-aaaaaaaaaa'

async function startBucket(t: Parameters<typeof temporaryFolder>[0], maxCacheBytes = 1e9) {
  const bucket = await startTestBucket(t, await temporaryFolder(t))
  const folder = await temporaryFolder(t)
  const fileStore = await openBucketStore({ bucket, folder, maxCacheBytes })
  t.after(async () => fileStore.close())
  return { fileStore, folder }
}

test('weeks are sealed into a bucket, read from it, and read again without asking it', async (t) => {
  const { fileStore, folder } = await startBucket(t)
  const { database, ownerUrl } = await openTestDatabase(t, new Date(WEEK_MS))
  await insertReseller(database, 'acme')
  await insertVehicle(database, 'acme', VEHICLE)
  const about = { resellerId: 'acme', vehicleId: VEHICLE }
  await store(
    database,
    Array.from({ length: 500 }, (_, i) => reading(about, WEEK_MS + i * 60_000, { signals: { coolantTempC: i } })),
  )
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, fileStore)
  await sealWeeks(deps, await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS)), new AbortController().signal)
  const [file] = await selectLiveFiles(database.systemPool, 'acme')
  assert.ok(file)
  assert.equal((await contentOfFile(deps.duckdb, fileStore, file.path)).sha256, file.sha256)
  const { path: storedPath, sha256 } = file
  assert.deepEqual(await readdir(fileStore.stagingFolder), [], 'nothing stays of what was read back')
  assert.deepEqual((await selectSealedExtremesAcrossResellers(database.systemPool))?.files, [{ path: storedPath, sha256 }])

  const reader = new FileReader({ folders: [folder], spillFolder: fileStore.stagingFolder })
  t.after(() => reader.close())
  const past = createPastReadings({ database, store: fileStore, reader, onError: failOn })
  const range = { from: new Date(WEEK_MS), to: new Date(WEEK_MS + DAY_MS) }
  const count = async () =>
    await (await past.open('acme', { vehicleId: VEHICLE, range }))?.count({
      vehicleId: VEHICLE,
      range,
      subClientPin: undefined,
      signals: undefined,
    })
  assert.equal(await count(), 500)
  await fileStore.remove(file.path)
  assert.equal(await count(), 500, 'what was downloaded is kept')
  await assert.rejects(fileStore.fetch(file.path), { name: 'NoSuchKey' })
  assert.deepEqual(await readdir(fileStore.stagingFolder), [])
})

test('what is downloaded is checked, and kept within its bound', async (t) => {
  const { fileStore, folder } = await startBucket(t, 25)
  const put = async (name: string, text: string) => {
    const staged = path.join(folder, name)
    await writeFile(staged, text)
    await fileStore.put(staged, `reseller=acme/${name}`)
  }
  const fileOf = (name: string, text: string) => ({
    ...{ path: `reseller=acme/${name}`, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') },
  })
  await put('a', 'ten bytes.')
  await assert.rejects(fileStore.local(fileOf('a', 'TEN BYTES.')), /is not what was stored there/)
  await Promise.all([fileStore.local(fileOf('a', 'ten bytes.')), fileStore.local(fileOf('a', 'ten bytes.'))])
  const downloaded = path.join(folder, 'downloaded')
  assert.equal((await readdir(downloaded)).length, 1)
  // Of three that take 30 bytes, the one that nobody used for longest goes, unless it is used at this moment.
  for (const [nth, text] of ['b ten byte', 'c ten byte'].entries()) {
    await put(text, text)
    await fileStore.local(fileOf(text, text))
    assert.equal((await readdir(downloaded)).length, nth + 2)
  }
  for (const name of await readdir(downloaded)) await utimes(path.join(downloaded, name), 1_000, 1_000)
  await put('d', 'd ten byte')
  await fileStore.local(fileOf('d', 'd ten byte'))
  assert.equal((await readdir(downloaded)).length, 2)
})

test('a bucket that takes a request and goes silent, before its answer or within it, is given up', async (t) => {
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  const fetchFrom = async (answer: RequestListener) => {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close().closeAllConnections())
    const bucket = { name: 'history', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, region: 'us-east-1', credentials }
    const fileStore = await openBucketStore({ bucket, folder: await temporaryFolder(t), maxCacheBytes: 1e9, silenceMs: 500 })
    t.after(() => fileStore.close())
    return await fileStore.local({ path: 'reseller=acme/a', bytes: 10, sha256: '' })
  }
  let askedCount = 0
  await assert.rejects(
    fetchFrom(() => askedCount++),
    { name: 'TimeoutError' },
  )
  assert.equal(askedCount, 4, 'it is asked again before it is given up')
  await assert.rejects(
    fetchFrom((_, answer) => answer.writeHead(200, { 'content-length': 10 }).write('ten')),
    { name: 'TimeoutError' },
  )
})

test('what a bucket refuses, and one that cannot be reached, are named with the bucket and the object', async (t) => {
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  const denied = '<Error><Code>SignatureDoesNotMatch</Code><Message>The signature is wrong.</Message></Error>'
  const server = createServer((_, answer) => answer.writeHead(403).end(denied)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const bucket = { name: 'history', url: `http://${host}`, region: 'us-east-1', credentials }
  const fileStore = await openBucketStore({ bucket, folder: await temporaryFolder(t), maxCacheBytes: 1e9 })
  t.after(() => fileStore.close())
  await assert.rejects(fileStore.fetch('reseller=acme/a'), {
    message: `The signature is wrong. (the bucket history at ${host} answered with HTTP 403; GetObject of reseller=acme/a)`,
  })
  server.close().closeAllConnections()
  await once(server, 'close')
  await assert.rejects(fileStore.remove('reseller=acme/a'), {
    message: `connect ECONNREFUSED ${host} (the bucket history at ${host}; DeleteObject of reseller=acme/a)`,
  })
})
