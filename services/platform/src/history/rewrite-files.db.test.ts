// Goal: files are written anew without what somebody has a right to have forgotten, hold everything else, and match their records.

import assert from 'node:assert/strict'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { addToSealedWeek } from './add-to-week.ts'
import { createFolderStore } from './file-store.ts'
import { isOf, rewriteWithout } from './rewrite-files.ts'
import { removeUnfinished, sealWeeks } from './seal-weeks.ts'
import { readSealedFile } from './sealed-file.ts'
import { selectLiveFiles } from './sealed-files.sql.ts'
import { DAY_MS, reading, sealingDeps, store, temporaryFolder, WEEK_MS, weeksBefore } from './test-history.ts'
import { verifyFiles } from './verify-files.ts'

async function start(t: Parameters<typeof temporaryFolder>[0]) {
  const { database, ownerUrl } = await openTestDatabase(t, new Date(WEEK_MS))
  for (const resellerId of ['acme', 'rival']) await insertReseller(database, resellerId)
  const folder = await temporaryFolder(t)
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, createFolderStore(folder))
  const of = (vehicleId: string, sourceId = vehicleId, resellerId = 'acme') => ({ resellerId, vehicleId, sourceId })
  const at = (day: number) => WEEK_MS + day * DAY_MS
  const signals = { coolantTempC: 90 }
  await store(database, [
    reading(of('veh-aaaaaaaaaa'), at(0), { signals }),
    reading(of('veh-aaaaaaaaaa', 'dev-aaaaaaaaaa'), at(1), { signals }),
    reading(of('veh-bbbbbbbbbb', 'dev-aaaaaaaaaa'), at(2), { signals }),
    // Alone in its month
    reading(of('veh-aaaaaaaaaa'), at(4), { signals }),
    reading(of('veh-cccccccccc', 'veh-cccccccccc', 'rival'), at(0), { signals }),
  ])
  await sealWeeks(deps, await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS)), new AbortController().signal)
  const held = async () => {
    const readings: string[] = []
    for (const file of await selectLiveFiles(database.systemPool, 'acme')) {
      for await (const part of readSealedFile(deps.duckdb, deps.store, file.path)) {
        readings.push(...part.map(({ vehicleId, deviceId }) => `${vehicleId} ${deviceId ?? '-'}`))
      }
    }
    return readings.sort()
  }
  const problems = async () => {
    const found = await Array.fromAsync(verifyFiles(deps))
    return found.flatMap(({ problem }) => problem ?? [])
  }
  return { database, folder, deps, held, problems }
}

test('a vehicle is left out of every file of its reseller; a file of which nothing is left goes', async (t) => {
  const { database, folder, deps, held, problems } = await start(t)
  assert.deepEqual(await rewriteWithout(deps, 'acme', isOf({ vehicleId: 'veh-aaaaaaaaaa' })), { fileCount: 2, removedCount: 3 })
  assert.deepEqual(await held(), ['veh-bbbbbbbbbb dev-aaaaaaaaaa'])
  assert.deepEqual(await problems(), [])
  const files = async () => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet')).length
  assert.equal(await files(), 4, 'answers may still be read from those of before')
  await database.systemPool.query(`update sealed_readings_files set state_since = now() - interval '1 hour' where state = 'replaced'`)
  await removeUnfinished(deps)
  assert.equal(await files(), 2)
  assert.deepEqual(await rewriteWithout(deps, 'acme', isOf({ vehicleId: 'veh-aaaaaaaaaa' })), { fileCount: 0, removedCount: 0 })
  assert.equal((await selectLiveFiles(database.systemPool, 'rival')).length, 1)
})

test('a device is left out in whichever vehicle it was', async (t) => {
  const { deps, held } = await start(t)
  await rewriteWithout(deps, 'acme', isOf({ deviceId: 'dev-aaaaaaaaaa' }))
  assert.deepEqual(await held(), ['veh-aaaaaaaaaa -', 'veh-aaaaaaaaaa -'])
})

test('a rewriting that was interrupted before the exchange changes nothing, and what it left goes', async (t) => {
  const { database, folder, deps, held } = await start(t)
  const before = await held()
  const [file] = await selectLiveFiles(database.systemPool, 'acme')
  await database.systemPool.query(
    `insert into sealed_readings_files
     select 'srf-new', reseller_id, week_from, month, 'left.parquet', 'verified', now(), bytes, sha256, content_sha256, reading_count,
            first_recorded_at, last_recorded_at, first_source_id, last_source_id, sub_client_ids
       from sealed_readings_files where file_id = $1`,
    [file?.fileId],
  )
  await writeFile(path.join(folder, 'left.parquet'), '')
  await removeUnfinished(deps)
  assert.deepEqual(await held(), before)
  assert.ok(!(await readdir(folder)).includes('left.parquet'))
})

test('a file of a week whose sealing was interrupted goes too, which has what is to be forgotten', async (t) => {
  const { database, folder, deps, held } = await start(t)
  await database.systemPool.query(
    `insert into sealed_readings_files
     select 'srf-interrupted', reseller_id, week_from + interval '7 days', month, 'interrupted.parquet', 'verified', now(), bytes, sha256, content_sha256,
            reading_count, first_recorded_at, last_recorded_at, first_source_id, last_source_id, sub_client_ids
       from sealed_readings_files where reseller_id = 'acme' limit 1`,
  )
  await writeFile(path.join(folder, 'interrupted.parquet'), '')
  await rewriteWithout(deps, 'acme', isOf({ vehicleId: 'veh-aaaaaaaaaa' }))
  assert.deepEqual(await held(), ['veh-bbbbbbbbbb dev-aaaaaaaaaa'])
  assert.ok(!(await readdir(folder)).includes('interrupted.parquet'))
})

test('a file that was changed, or is gone, is found', async (t) => {
  const { database, folder, deps, problems } = await start(t)
  assert.deepEqual(await problems(), [])
  const [first, second] = await selectLiveFiles(database.systemPool, 'acme')
  await writeFile(path.join(folder, first?.path ?? ''), 'changed', { flag: 'a' })
  await deps.store.remove(second?.path ?? '')
  assert.equal((await problems()).length, 2)
})

test('of a file that is not as it was sealed no other is made', async (t) => {
  const { database, folder, deps, held, problems } = await start(t)
  const [first, second] = await selectLiveFiles(database.systemPool, 'acme')
  assert.ok(first !== undefined && second !== undefined)
  const whole = await readFile(path.join(folder, first.path))
  // It can be read, and holds other readings.
  await copyFile(path.join(folder, second.path), path.join(folder, first.path))
  const named = (error: Error) => error.message.includes(first.path) && /not as it was sealed/.test(error.message)
  await assert.rejects(rewriteWithout(deps, 'acme', isOf({ vehicleId: 'veh-aaaaaaaaaa' })), named)
  const { month, weekFrom } = first
  await assert.rejects(addToSealedWeek(deps, { resellerId: 'acme', month, weekFrom }, Readable.from([])), named)
  await writeFile(path.join(folder, first.path), whole)
  assert.deepEqual(await problems(), [])
  assert.equal((await held()).length, 4)
})
