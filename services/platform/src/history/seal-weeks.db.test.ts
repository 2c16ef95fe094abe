// Goal: what is sealed is, value for value, what was stored; a file that is not is noticed; and what is sealed takes nothing more in. Real
// PostgreSQL, real files.

import assert from 'node:assert/strict'
import { copyFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { isTestCluster } from '@roadworthy/service-kit/postgres/test-database'
import type { StoredReading } from '../readings/stored-reading.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { createFolderStore, type FileStore } from './file-store.ts'
import { sealWeeks } from './seal-weeks.ts'
import { readSealedFile } from './sealed-file.ts'
import { selectLiveFiles, selectSealedAcrossResellers } from './sealed-files.sql.ts'
import { lineOf } from './sealed-reading.ts'
import { DAY_MS, reading, sealingDeps, store, temporaryFolder, WEEK_MS, weeksBefore } from './test-history.ts'
import { readStoredReadings } from './week.read.sql.ts'

const never = new AbortController().signal

async function start(t: Parameters<typeof temporaryFolder>[0], wrap = (fileStore: FileStore) => fileStore) {
  const { database, ownerUrl } = await openTestDatabase(t, new Date(WEEK_MS + 20 * DAY_MS))
  for (const resellerId of ['acme', 'rival']) await insertReseller(database, resellerId)
  const folder = await temporaryFolder(t)
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, wrap(createFolderStore(folder)))
  const seal = async (before = WEEK_MS + 7 * DAY_MS) => await sealWeeks(deps, await weeksBefore(database, new Date(before)), never)
  return { database, folder, deps, seal }
}

/** All that a reading can hold, and some that only a version of before may have stored. */
function storedOfAllKinds() {
  const acme = { resellerId: 'acme', vehicleId: 'veh-aaaaaaaaaa', sourceId: 'dev-aaaaaaaaaa', subClientId: 'north' }
  const at = WEEK_MS + DAY_MS
  return [
    reading(acme, at, { signals: { coolantTempC: 90.1, engineSpeedRpm: 0, currentGear: 3 }, position: { latitude: -0, longitude: 1e-7 } }),
    reading(acme, at + 1, {
      attributes: {
        ...{ headingDeg: 359.9, altitudeM: -3, satellites: 7, ignition: false, event: 'sos', dtcCodes: ['P0217', 'P0300'] },
        lamps: { redStopLamp: false, milLamp: true },
        extra: { z: 1e21, ä: 'emoji 🚗 and "quotes"', a: { list: [null, true, 0.1] }, '10': 1, '9': [] },
      },
      implausible: ['headingDeg', 'position'],
    }),
    // The same instant, reported twice
    reading({ ...acme, kind: 'track' }, at, { position: { latitude: 48.2, longitude: 16.3 } }),
    reading(acme, at, {}),
    // In the month after, and of another reseller
    reading(acme, WEEK_MS + 4 * DAY_MS, { signals: { vehicleSpeedKmh: 50 } }),
    reading({ resellerId: 'rival', vehicleId: 'veh-bbbbbbbbbb' }, at, { signals: { vehicleSpeedKmh: 51.5 } }),
    // Of the week after, which is not sealed
    reading(acme, WEEK_MS + 8 * DAY_MS, { signals: { vehicleSpeedKmh: 52 } }),
  ]
}

test('a sealed file holds, value for value, what was stored, and each file is of one reseller and month', async (t) => {
  const { database, deps, seal } = await start(t)
  await store(database, storedOfAllKinds())
  await database.systemPool.query(
    `insert into readings (source_id, recorded_at, digest, reseller_id, vehicle_id, kind, received_at, signals, attributes)
     values ('dev-aaaaaaaaaa', '2026-09-29T00:00:00.000123Z', '\\x0102', 'acme', 'veh-aaaaaaaaaa', 'telemetry', '2026-09-29T00:00:01.000456Z',
             '{"retired": 5, "coolantTempC": 7}', '{"ignition": "yes", "later": {"x": 1}}')`,
  )
  const span = { from: new Date(WEEK_MS), to: new Date(WEEK_MS + 7 * DAY_MS) }
  const inPostgres = async (resellerId: string, sourceId: string) =>
    (await Array.fromAsync(readStoredReadings(deps.slowDb, resellerId, { sourceId, span }))).flat()
  const expected = [...(await inPostgres('acme', 'dev-aaaaaaaaaa')), ...(await inPostgres('rival', 'veh-bbbbbbbbbb'))]
  assert.equal(expected.length, 7)

  const [week] = (await seal()).slice(-1)
  assert.deepEqual([week?.fileCount, week?.readingCount], [3, 7])
  const files = [...(await selectLiveFiles(database.systemPool, 'acme')), ...(await selectLiveFiles(database.systemPool, 'rival'))]
  assert.deepEqual(
    files.map(({ path: at }) => at.replace(/srf-[a-z0-9]{20}/, 'ID')),
    [
      'reseller=acme/month=2026-09/2026-09-28-ID.parquet',
      'reseller=acme/month=2026-10/2026-09-28-ID.parquet',
      'reseller=rival/month=2026-09/2026-09-28-ID.parquet',
    ],
  )
  const inFiles: StoredReading[] = []
  for (const file of files) for await (const part of readSealedFile(deps.duckdb, deps.store, file.path)) inFiles.push(...part)
  assert.deepEqual(inFiles.map(lineOf), expected.map(lineOf))
  assert.deepEqual((await selectSealedAcrossResellers(database.systemPool))?.until, span.to)
})

test('a file that does not hold what was written is noticed, and the week stays in PostgreSQL', async (t) => {
  let isLying = true
  const { database, folder, seal } = await start(t, (real) => ({
    ...real,
    // Stores another week's file in its place, as a disk or a bucket might after a mistake.
    put: async (staged, storedPath) => {
      const other = path.join(folder, 'other.parquet')
      if (isLying && storedPath.includes('reseller=rival')) await copyFile(other, staged)
      else await copyFile(staged, other)
      await real.put(staged, storedPath)
    },
  }))
  await store(database, storedOfAllKinds())
  await assert.rejects(seal(), /does not hold what was written to it/)
  assert.equal(
    await selectSealedAcrossResellers(database.systemPool).then((sealed) => sealed?.until.getTime() === WEEK_MS + 7 * DAY_MS),
    false,
  )
  isLying = false
  const [week] = (await seal()).slice(-1)
  assert.deepEqual([week?.fileCount, week?.readingCount], [3, 6])
  assert.deepEqual((await readdir(path.join(folder, '.staging'))).length, 0, 'nothing is left of what was tried')
  assert.equal((await readdir(path.join(folder, 'reseller=rival/month=2026-09'))).length, 1)
})

test('readings deleted between an interrupted sealing and the next are in no file, and the week is sealed', async (t) => {
  let isInterrupted = true
  const { database, folder, seal } = await start(t, (real) => ({
    ...real,
    put: async (staged, storedPath) => {
      if (isInterrupted && storedPath.includes('reseller=rival')) throw new Error('the disk is gone')
      await real.put(staged, storedPath)
    },
  }))
  await store(database, storedOfAllKinds())
  await assert.rejects(seal(), /the disk is gone/)
  // One of two files has a reading less than it holds, and of the other all are gone.
  await database.systemPool.query(
    `delete from readings where reseller_id = 'acme' and (kind = 'track' or recorded_at between '2026-10-01' and '2026-10-04')`,
  )
  isInterrupted = false
  const [week] = (await seal()).slice(-1)
  assert.deepEqual([week?.fileCount, week?.readingCount], [2, 4])
  assert.deepEqual(await readdir(path.join(folder, 'reseller=acme/month=2026-10')), [])
  assert.equal((await readdir(path.join(folder, 'reseller=acme/month=2026-09'))).length, 1)
})

test('a reading recorded in a week that is sealed is refused, before its partition is gone and after', async (t) => {
  const { database, seal } = await start(t)
  await store(database, storedOfAllKinds())
  await seal()
  const late = reading({ resellerId: 'acme', vehicleId: 'veh-aaaaaaaaaa' }, WEEK_MS + 2 * DAY_MS, { signals: { vehicleSpeedKmh: 1 } })
  // A partition on a node can have no trigger, and a constraint in its place.
  await assert.rejects(store(database, [late]), { code: isTestCluster() ? '23514' : '22008' })
  await assert.rejects(database.systemPool.query('select ensure_reading_partitions($1, $1)', [new Date(WEEK_MS)]), { code: '22008' })
})

test('weeks that were sealed since somebody saw that they were due are passed over', async (t) => {
  const { database, deps } = await start(t)
  await store(database, storedOfAllKinds())
  const due = await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS))
  assert.equal((await sealWeeks(deps, due, never)).at(-1)?.readingCount, 6)
  assert.deepEqual(await sealWeeks(deps, due, never), [])
  assert.equal((await selectLiveFiles(database.systemPool, 'acme')).length, 2)
})
