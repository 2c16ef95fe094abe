// Goal: files are written anew without what somebody has a right to have forgotten, hold everything else, and match their records.

import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/db'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
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

test('a file that was changed, or is gone, is found', async (t) => {
  const { database, folder, deps, problems } = await start(t)
  assert.deepEqual(await problems(), [])
  const [first, second] = await selectLiveFiles(database.systemPool, 'acme')
  await writeFile(path.join(folder, first?.path ?? ''), 'changed', { flag: 'a' })
  await deps.store.remove(second?.path ?? '')
  assert.equal((await problems()).length, 2)
})
