// Goal: readings arrive once, also when an import is interrupted, and both where the other installation has them in PostgreSQL and where in files. Method: one export, and installations that have sealed weeks or seal them meanwhile.

import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { sealWeeks } from '../history/seal-weeks.ts'
import { DAY_MS, reading, sealingDeps, store, WEEK_MS, weeksBefore } from '../history/test-history.ts'
import { insertReseller, onOnePostgres, TEST_SECRET_KEY } from '../test-support.ts'
import type { MadeExport } from './export-reseller.ts'
import { exportMover, fillMover, type Installation, importMover, MOVER, openInstallation, temporaryFolder } from './test-moving.ts'

const onOne = onOnePostgres('moving-cluster.db.test.ts moves in and out')
const folder = temporaryFolder({ after })
const mover = await fillMover({ after })
let made: MadeExport

before(async () => {
  if (onOne.skip === false) made = await exportMover(mover, path.join(folder, 'export'))
})

test('an import that was interrupted goes on, and what is there already is not stored twice', onOne, async (t) => {
  const other = await openInstallation(t)
  const stopping = new AbortController()
  // The week that is sealed comes first, and is stored; then it stops.
  const onProgress = (_share: number, name: string) => {
    if (name.includes('week of 2026-10-05')) stopping.abort(new Error('stopped'))
  }
  await assert.rejects(importMover(t, made.folder, other, { onProgress, signal: stopping.signal }), /stopped/)
  assert.deepEqual(await countsOf(other), { resellers: 1, devices: 1, readings: 2 })
  // Meanwhile that week is sealed here.
  await sealUntil(t, other, new Date(WEEK_MS + 7 * DAY_MS))
  const resumed = await importMover(t, made.folder, other)
  assert.deepEqual([resumed.isResumed, resumed.readings], [true, { newCount: 1_502, knownCount: 2 }])
  const third = await importMover(t, made.folder, other)
  assert.deepEqual([third.isResumed, third.readings], [true, { newCount: 0, knownCount: 1_504 }])
})

test('readings of weeks that are sealed here become a file, whose readings are all there are', onOne, async (t) => {
  const other = await openInstallation(t, new Date(WEEK_MS))
  await insertReseller(other.database, 'here')
  await store(other.database, [
    reading({ resellerId: 'here', vehicleId: 'veh-cccccccccc' }, WEEK_MS + DAY_MS, { signals: { coolantTempC: 80 } }),
  ])
  await sealUntil(t, other, new Date(WEEK_MS + 14 * DAY_MS))
  const { readings } = await importMover(t, made.folder, other)
  assert.deepEqual(readings, { newCount: 1_504, knownCount: 0 })
  const again = await exportMover(other, path.join(folder, 'from-files'))
  const contents = ({ manifest }: MadeExport) => manifest.readings.map(({ week, month, contentSha256 }) => [week, month, contentSha256])
  assert.deepEqual(contents(again), contents(made))
  const { rows } = await other.database.systemPool.query(
    `select reseller_id, sum(reading_count)::int as count from sealed_readings_files where state = 'live' group by 1 order by 1`,
  )
  assert.deepEqual(rows, [
    { reseller_id: MOVER, count: 4 },
    { reseller_id: 'here', count: 1 },
  ])
})

test('without DuckDB readings are lines of JSON, and arrive as they were', onOne, async (t) => {
  const unsealed = await openInstallation(t)
  await importMover(t, made.folder, unsealed)
  const lines = await exportMover(unsealed, path.join(folder, 'lines'), { duckdb: undefined, history: undefined })
  assert.ok(lines.manifest.readings.every(({ form, file }) => form === 'ndjson' && file.endsWith('.ndjson')))
  const other = await openInstallation(t)
  const { readings } = await importMover(t, lines.folder, other, { withSealing: undefined })
  assert.deepEqual(readings, { newCount: 1_504, knownCount: 0 })
})

async function countsOf({ database }: Installation) {
  const { rows } = await database.systemPool.query(
    `select (select count(*)::int from resellers) as resellers, (select count(*)::int from devices) as devices,
            (select count(*)::int from readings) as readings`,
  )
  return rows[0]
}

async function sealUntil(t: CleanUp, { database, ownerUrl, history }: Installation, until: Date): Promise<void> {
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, history)
  await sealWeeks(deps, await weeksBefore(database, until), new AbortController().signal)
}
