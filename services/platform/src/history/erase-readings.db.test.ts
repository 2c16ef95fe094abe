// Goal: what a vehicle or a device reported is nowhere any more, neither in PostgreSQL nor in files, and everything else is where it was. Method: readings of a
// sealed week and of a later one, by every kind of source, of two resellers; all that is left is read.

import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { test } from 'node:test'
import { type Db, databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import { sourceOfNamed } from '../readings/source-id.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { eraseReadings } from './erase-readings.ts'
import { createFolderStore } from './file-store.ts'
import { rewriteWithout } from './rewrite-files.ts'
import { sealWeeks } from './seal-weeks.ts'
import { readSealedFile } from './sealed-file.ts'
import { selectLiveFiles } from './sealed-files.sql.ts'
import { DAY_MS, reading, sealingDeps, store, temporaryFolder, WEEK_MS, weeksBefore } from './test-history.ts'

const HOT_MS = WEEK_MS + 8 * DAY_MS
const SIGNALS = { signals: { coolantTempC: 90 } }
const [CAR, TRUCK, GATEWAY, TRACKER, OTHER] = ['veh-aaaaaaaaaa', 'veh-bbbbbbbbbb', 'dev-gggggggggg', 'dev-tttttttttt', 'dev-oooooooooo']

/** By whom, of which vehicle: the car on its own, by a tracker, and by a gateway that names it; the truck by the same gateway and later by the tracker. */
const REPORTS = [
  { sourceId: CAR, vehicleId: CAR },
  { sourceId: TRACKER, vehicleId: CAR },
  { sourceId: sourceOfNamed(GATEWAY, CAR), vehicleId: CAR },
  { sourceId: sourceOfNamed(GATEWAY, TRUCK), vehicleId: TRUCK },
  { sourceId: TRACKER, vehicleId: TRUCK },
]

async function start(t: Parameters<typeof temporaryFolder>[0]) {
  const { database, ownerUrl } = await openTestDatabase(t, new Date(HOT_MS))
  for (const resellerId of ['acme', 'rival']) await insertReseller(database, resellerId)
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, createFolderStore(await temporaryFolder(t)))
  for (const fromMs of [WEEK_MS, HOT_MS]) {
    const readings = REPORTS.map((report, nth) => reading({ resellerId: 'acme', ...report }, fromMs + nth * 60_000, SIGNALS))
    await store(database, [...readings, reading({ resellerId: 'rival', vehicleId: CAR, sourceId: 'dev-rrrrrrrrrr' }, fromMs, SIGNALS)])
  }
  await sealWeeks(deps, await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS)), new AbortController().signal)
  await database.systemPool.query(
    `insert into device_messages (reseller_id, device_id, received_at, status, body, body_bytes, is_body_cut)
     select 'acme', unnest($1::text[]), now(), 'stored', '{}', 2, false`,
    [[GATEWAY, TRACKER, OTHER]],
  )
  // Statements of an ordinary session end after five seconds, in which a large fleet's readings cannot be looked through.
  const quick: Db = {
    query: async (statement, values) => {
      assert.doesNotMatch(String(statement), /from readings\b/)
      return await database.systemPool.query(statement, values)
    },
  }
  const erase = async (of: { vehicleId?: string; deviceId?: string }) =>
    await eraseReadings(
      { database: { ...database, systemPool: quick }, slowDb: deps.slowDb },
      { resellerId: 'acme', ...of },
      (isRemoved) => rewriteWithout(deps, 'acme', isRemoved),
      systemAuthor('acme', new Date(HOT_MS)),
    )
  const left = async (table: string) => {
    const { rows } = await database.systemPool.query<{ source: string }>(
      `select distinct concat_ws(' ', source_id, vehicle_id) as source from ${table} where reseller_id = 'acme' order by 1`,
    )
    return rows.map(({ source }) => source)
  }
  const inFiles = async () => {
    const found: string[] = []
    for (const file of await selectLiveFiles(database.systemPool, 'acme'))
      for await (const part of readSealedFile(deps.duckdb, deps.store, file.path))
        found.push(...part.map(({ sourceId, vehicleId }) => `${sourceId} ${vehicleId}`))
    return found.sort()
  }
  return { database, deps, erase, left, inFiles }
}

const namesOf = (reports: typeof REPORTS) => reports.map(({ sourceId, vehicleId }) => `${sourceId} ${vehicleId}`).sort()

test('a vehicle: readings, states, messages and files, of every source; those of other vehicles and resellers stay', async (t) => {
  const { database, erase, left, inFiles } = await start(t)
  const kept = namesOf(REPORTS.filter(({ vehicleId }) => vehicleId !== CAR))
  assert.deepEqual(await erase({ vehicleId: CAR }), { storedCount: 3, files: { fileCount: 1, removedCount: 3 } })
  assert.deepEqual(await inFiles(), kept)
  assert.deepEqual(await left('readings'), kept)
  assert.deepEqual(await left('latest_states'), kept, 'where the gateway was goes as well')
  const { rows: others } = await database.systemPool.query(`select 1 from readings where reseller_id = 'rival'`)
  assert.equal(others.length, 2)
  const { rows: messages } = await database.systemPool.query('select device_id from device_messages')
  assert.deepEqual(messages, [{ device_id: OTHER }], 'those of devices that reported for it have its readings as they were sent')
  assert.deepEqual(await erase({ vehicleId: CAR }), { storedCount: 0, files: { fileCount: 0, removedCount: 0 } })
})

test('a device that is a gateway: what it reported of each vehicle, and its messages', async (t) => {
  const { database, erase, left, inFiles } = await start(t)
  const kept = namesOf(REPORTS.filter(({ sourceId }) => !sourceId.startsWith(GATEWAY)))
  assert.deepEqual(await erase({ deviceId: GATEWAY }), { storedCount: 2, files: { fileCount: 1, removedCount: 2 } })
  assert.deepEqual(await inFiles(), kept)
  assert.deepEqual(await left('readings'), kept)
  assert.deepEqual(await left('latest_states'), kept)
  const { rows } = await database.systemPool.query('select device_id from device_messages')
  assert.deepEqual(rows, [{ device_id: TRACKER }, { device_id: OTHER }])
})

test('a device in whichever vehicle it was, and more readings than go at once', async (t) => {
  const { database, erase, left, inFiles } = await start(t)
  const kept = namesOf(REPORTS.filter(({ sourceId }) => sourceId !== TRACKER))
  const many = Array.from({ length: 5_001 }, (_, nth) =>
    reading({ resellerId: 'acme', vehicleId: CAR, sourceId: TRACKER }, HOT_MS + 3_600_000 + nth * 1_000, SIGNALS),
  )
  await store(database, many)
  assert.equal((await erase({ deviceId: TRACKER })).storedCount, many.length + 2)
  assert.deepEqual(await inFiles(), kept)
  assert.deepEqual(await left('readings'), kept)
  assert.deepEqual(await left('latest_states'), [GATEWAY, ...kept].sort())
})

test('who did it is in the audit log of the reseller; the next reading begins a new state', async (t) => {
  const { database, erase, left } = await start(t)
  await erase({ vehicleId: CAR })
  const { rows } = await database.systemPool.query(
    `select actor_type, object_id, changes from audit_log where reseller_id = 'acme' and action = 'readings.erased'`,
  )
  assert.deepEqual(rows, [
    {
      actor_type: 'system',
      object_id: CAR,
      changes: { readings: { from: null, to: 6 }, files: { from: null, to: 1 } },
    },
  ])
  await store(database, [reading({ resellerId: 'acme', vehicleId: CAR }, HOT_MS + 3_600_000, { signals: { fuelLevelPct: 40 } })])
  const { rows: states } = await database.systemPool.query(
    `select signals from latest_states where vehicle_id = $1 and reseller_id = 'acme'`,
    [CAR],
  )
  assert.deepEqual(
    (states as { signals: object }[]).map(({ signals }) => Object.keys(signals)),
    [['fuelLevelPct']],
  )
  assert.equal((await left('readings')).filter((name) => name.endsWith(CAR)).length, 1)
})

test('a file that is gone is named, and nothing counts as erased until it is back', async (t) => {
  const { database, deps, erase, left, inFiles } = await start(t)
  const [file] = await selectLiveFiles(database.systemPool, 'acme')
  assert.ok(file !== undefined)
  const there = await deps.store.fetch(file.path)
  await rename(there, `${there}.away`)
  await assert.rejects(erase({ vehicleId: CAR }), ({ message }: Error) =>
    message.startsWith(`The file ${file.path} of the history is gone`),
  )
  assert.ok((await left('readings')).some((source) => source.includes(CAR)))
  await rename(`${there}.away`, there)
  await erase({ vehicleId: CAR })
  assert.deepEqual(await inFiles(), namesOf(REPORTS.filter(({ vehicleId }) => vehicleId !== CAR)))
})
