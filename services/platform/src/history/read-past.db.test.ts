// Goal: who asks does not notice where readings are. Everything is asked before a week is sealed, after, and once its partition is gone, and the answers are
// the same. Real PostgreSQL, real files.

import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { faultCodePlatformRoutes } from '../alerts/fault-codes.routes.platform-v1.ts'
import { telemetryExternalRoutes } from '../ingest/receivers/rest/rest-receiver.ts'
import { removeOldPartitions } from '../main/database/partitions.ts'
import { errorOf, startTestSurface } from '../predictions/test-surface.ts'
import type { Reading } from '../readings/reading.ts'
import { readingId } from '../readings/reading-id.ts'
import { readingsPlatformRoutes } from '../readings/routes.platform-v1.ts'
import { trackPlatformRoutes } from '../readings/track.routes.platform-v1.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { FileReader } from './file-reader.ts'
import { createFolderStore } from './file-store.ts'
import { createPastReadings } from './read-past.ts'
import { sealWeeks } from './seal-weeks.ts'
import { selectLiveFiles } from './sealed-files.sql.ts'
import { DAY_MS, failOn, insertVehicle, reading, sealingDeps, store, temporaryFolder, WEEK_MS, weeksBefore } from './test-history.ts'
import { readStoredReadings } from './week.read.sql.ts'

const never = new AbortController().signal
const VEHICLE = 'veh-aaaaaaaaaa'
const NOW_MS = WEEK_MS + 14 * DAY_MS
const iso = (ms: number) => new Date(ms).toISOString()

async function start(t: Parameters<typeof temporaryFolder>[0]) {
  const { database, ownerUrl } = await openTestDatabase(t, new Date(NOW_MS))
  for (const resellerId of ['acme', 'rival']) {
    await insertReseller(database, resellerId)
  }
  await database.systemPool.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'north')`)
  await insertVehicle(database, 'acme', VEHICLE)
  await database.systemPool.query(`update vehicles set sub_client_id = 'north' where vehicle_id = $1`, [VEHICLE])
  const folder = await temporaryFolder(t)
  const fileStore = createFolderStore(folder)
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, fileStore)
  const reader = new FileReader({ folders: [folder], spillFolder: fileStore.stagingFolder })
  t.after(() => reader.close())
  const past = createPastReadings({ database, store: fileStore, reader, onError: failOn })
  const now = () => new Date(NOW_MS)
  const noIngest = () => Promise.reject(new Error('there is no ingest here'))
  const surface = await startTestSurface(t, platformSurface, [
    readingsPlatformRoutes({ database, past, now }),
    trackPlatformRoutes({ database, past, now, offlineAfterMs: 300_000 }),
    faultCodePlatformRoutes({ database, past, now }),
    telemetryExternalRoutes({ database, past, now, ingest: noIngest }),
  ])
  const seal = async (before: number) => await sealWeeks(deps, await weeksBefore(database, new Date(before)), never)
  return { database, ownerUrl, deps, surface, seal, reader, past }
}

/** Two weeks of one vehicle with two devices, and of one of another reseller. Values are quarters, so that means are exact. */
function twoWeeks(): Reading[] {
  const of = (sourceId: string, subClientId?: string) => ({
    resellerId: 'acme',
    vehicleId: VEHICLE,
    sourceId,
    ...(subClientId ? { subClientId } : {}),
  })
  const first = Array.from({ length: 400 }, (_, i) =>
    reading(of('dev-aaaaaaaaaa', 'north'), WEEK_MS + i * 45 * 60_000, {
      signals: { coolantTempC: 80 + (i % 40) / 4, ...(i % 3 === 0 ? { engineSpeedRpm: 900 + i } : {}) },
      ...(i % 2 === 0 ? { position: { latitude: 48 + i / 1000, longitude: 16 } } : {}),
      attributes: { headingDeg: i % 360, ...(i % 50 === 0 ? { dtcCodes: i < 200 ? ['P0217'] : ['P0300', 'P0217'] } : {}) },
      implausible: i % 7 === 0 ? ['coolantTempC', 'headingDeg'] : [],
    }),
  )
  const second = Array.from({ length: 100 }, (_, i) =>
    // Some at the very instant of the first device, and twice.
    [{ vehicleSpeedKmh: i / 4 }, { vehicleSpeedKmh: 100 }].map((signals) =>
      reading(of('dev-bbbbbbbbbb'), WEEK_MS + i * 3 * 45 * 60_000, { signals, attributes: { ignition: true } }),
    ),
  )
  const moved = reading({ resellerId: 'acme', vehicleId: 'veh-cccccccccc', sourceId: 'dev-aaaaaaaaaa' }, WEEK_MS + 1000, {
    signals: { coolantTempC: 1 },
  })
  const others = reading({ resellerId: 'rival', vehicleId: 'veh-bbbbbbbbbb' }, WEEK_MS + 1000, { signals: { coolantTempC: 2 } })
  return [...first, ...second.flat(), moved, others]
}

type Api = ReturnType<Awaited<ReturnType<typeof startTestSurface>>['as']>

async function everyAnswer(api: Api, stored: readonly Reading[]): Promise<Record<string, unknown>> {
  const whole = `from=${iso(WEEK_MS)}&to=${iso(NOW_MS)}`
  const pages = async (query: string) => {
    const seen: unknown[] = []
    for (let after = ''; ; ) {
      const { status, body } = await api.get<{
        readings: unknown[]
        total: number
        pagination: { endCursor: string; hasNextPage: boolean }
      }>(`/vehicles/${VEHICLE}/readings?${whole}&limit=70&${query}${after}`)
      assert.equal(status, 200, JSON.stringify(body))
      seen.push(body.total, ...body.readings)
      if (!body.pagination.hasNextPage) return seen
      after = `&after=${body.pagination.endCursor}`
    }
  }
  const get = async (path: string) => {
    const { status, body } = await api.get(path)
    return status === 200 ? body : status
  }
  return {
    oldestFirst: await pages('order=asc'),
    newestFirst: await pages('order=desc'),
    withOneSignal: await pages('signals=rpm'),
    // Across the Monday between the weeks
    byDay: await get(`/vehicles/${VEHICLE}/readings?from=${iso(WEEK_MS - DAY_MS / 2)}&to=${iso(NOW_MS)}&downsample=1d`),
    byEightHours: await get(`/vehicles/${VEHICLE}/readings?from=${iso(WEEK_MS)}&to=${iso(NOW_MS)}&downsample=5h&signals=coolant,speed`),
    tracks: await Promise.all(
      [0, 6, 13].map((day) =>
        get(`/vehicles/${VEHICLE}/track?from=${iso(WEEK_MS + day * DAY_MS)}&to=${iso(WEEK_MS + (day + 2) * DAY_MS)}`),
      ),
    ),
    codes: await get(`/vehicles/${VEHICLE}/fault-codes?${whole}`),
    one: await Promise.all(stored.filter((_, i) => i % 40 === 0).map((each) => get(`/telemetry/${readingId(each)}`))),
  }
}

test('lists, buckets, tracks, fault codes and single readings are the same wherever the readings are', async (t) => {
  const { database, ownerUrl, surface, seal } = await start(t)
  const stored = twoWeeks()
  await store(database, stored)
  const callers = [{ resellerId: 'acme' }, { resellerId: 'acme', subClientPin: 'north' }]
  const answers = async () => await Promise.all(callers.map(async (caller) => await everyAnswer(surface.as(caller), stored)))
  const before = await answers()
  assert.equal((before[0] as { oldestFirst: unknown[] }).oldestFirst.length, 600 + Math.ceil(600 / 70))
  assert.equal((before[1] as { oldestFirst: unknown[] }).oldestFirst.length, 400 + Math.ceil(400 / 70), 'of a sub-client')
  const found = (before[0] as { one: unknown[] }).one.filter((one) => typeof one === 'object')
  assert.equal(found.length, 16, 'single readings are found')

  assert.equal((await seal(WEEK_MS + 7 * DAY_MS)).at(-1)?.readingCount, 376)
  assert.deepEqual(await answers(), before, 'sealed')
  await removeOldPartitions(
    ownerUrl,
    { name: 'readings', writtenBackDays: 1, keptDays: 400, sealedUntil: async () => new Date(WEEK_MS + 7 * DAY_MS) },
    new Date(NOW_MS),
  )
  const { rows } = await database.systemPool.query<{ n: number }>('select count(*)::int as n from readings where recorded_at < $1', [
    new Date(WEEK_MS + 7 * DAY_MS),
  ])
  assert.equal(rows[0]?.n, 0)
  assert.deepEqual(await answers(), before, 'sealed, and gone from PostgreSQL')
  await seal(WEEK_MS + 14 * DAY_MS)
  assert.deepEqual(await answers(), before, 'all of it sealed')
  const stranger = surface.as({ resellerId: 'rival' })
  const [one] = stored
  for (const path of [`/vehicles/${VEHICLE}/readings`, `/telemetry/${one && readingId(one)}`])
    assert.equal((await stranger.get(path)).status, 404)
})

test('of three hundred readings of one source and instant each is found in its file by its id', async (t) => {
  const { database, past, seal } = await start(t)
  const of = { resellerId: 'acme', vehicleId: VEHICLE, sourceId: 'dev-aaaaaaaaaa' }
  const stored = Array.from({ length: 300 }, (_, i) => reading(of, WEEK_MS + 1000, { signals: { vehicleSpeedKmh: i / 4 } }))
  await store(database, stored)
  await seal(WEEK_MS + 7 * DAY_MS)
  for (const each of stored.filter((_, i) => i % 30 === 0)) assert.equal((await past.reading('acme', each))?.digestHex, each.digestHex)
  assert.equal(await past.reading('acme', { ...stored[0], digestHex: '00'.repeat(16) } as Reading), undefined)
})

test('a page of large readings ends before it is too long, wherever they are; they are sealed a part at a time', async (t) => {
  const { database, surface, seal, deps } = await start(t)
  const about = { resellerId: 'acme', vehicleId: VEHICLE, sourceId: 'dev-aaaaaaaaaa', subClientId: 'north' }
  const note = 'x'.repeat(1_000_000)
  const large = Array.from({ length: 20 }, (_, i) =>
    reading(about, WEEK_MS + i * 60_000, { signals: { coolantTempC: i }, attributes: { extra: { note } } }),
  )
  await store(database, large)
  const api = surface.as({ resellerId: 'acme' })
  const pages = async (order: string) => {
    const lengths: number[] = []
    const seen: string[] = []
    for (let after = ''; ; ) {
      const query = `from=${iso(WEEK_MS)}&to=${iso(NOW_MS)}&limit=100&order=${order}${after}`
      const { body } = await api.get<{ readings: { id: string }[]; pagination: { endCursor: string; hasNextPage: boolean } }>(
        `/vehicles/${VEHICLE}/readings?${query}`,
      )
      lengths.push(body.readings.length)
      seen.push(...body.readings.map(({ id }) => id))
      if (!body.pagination.hasNextPage) return { lengths, seen }
      after = `&after=${body.pagination.endCursor}`
    }
  }
  const ids = large.map(readingId)
  const check = async (order: string, expected: readonly string[]) => {
    const { lengths, seen } = await pages(order)
    assert.deepEqual(seen, expected)
    assert.ok(lengths.length === 2 && (lengths[0] ?? 0) > 10 && (lengths[0] ?? 0) <= 16, String(lengths))
  }
  await check('asc', ids)
  await check('desc', ids.toReversed())
  const span = { from: new Date(WEEK_MS), to: new Date(WEEK_MS + 7 * DAY_MS) }
  const parts = await Array.fromAsync(readStoredReadings(deps.slowDb, 'acme', { sourceId: 'dev-aaaaaaaaaa', span }))
  assert.deepEqual([parts.length, parts.flat().length], [2, 20])
  assert.equal((await seal(WEEK_MS + 7 * DAY_MS)).at(-1)?.readingCount, 20)
  await check('asc', ids)
  await check('desc', ids.toReversed())
})

test('of what is not sealed a range is 62 days at most, and of all 366', async (t) => {
  const { surface } = await start(t)
  const ask = async (days: number) => {
    const answer = await surface
      .as({ resellerId: 'acme' })
      .get(`/vehicles/${VEHICLE}/readings?from=${iso(NOW_MS - days * DAY_MS)}&to=${iso(NOW_MS)}`)
    return [answer.status, String(errorOf(answer)['message'])] as const
  }
  assert.equal((await ask(62))[0], 200)
  assert.match((await ask(63))[1], /more than 62 days whose readings are not sealed/)
  assert.match((await ask(367))[1], /longer than 366 days/)
})

test('nothing is read but files of the history, whatever a statement names', async (t) => {
  const { reader } = await start(t)
  await assert.rejects(reader.rows(`select * from read_text('/etc/hostname')`), /disabled|not allowed|Permission/i)
  await assert.rejects(reader.rows('set enable_external_access = true'), /lock|cannot/i)
})

test('files that cannot be had, and a process without DuckDB, are an outage that a repeat may help, and not an empty answer', async (t) => {
  const { database, deps, seal, reader } = await start(t)
  await store(database, twoWeeks())
  await seal(WEEK_MS + 7 * DAY_MS)
  const range = { from: new Date(WEEK_MS), to: new Date(NOW_MS) }
  const errors: unknown[] = []
  const away = { ...deps.store, local: () => Promise.reject(new Error('the bucket is away')) }
  const past = createPastReadings({ database, store: away, reader, onError: (error) => errors.push(error) })
  await assert.rejects(past.open('acme', { vehicleId: VEHICLE, range }), { code: 'unavailable' })
  assert.equal(errors.length, 1)
  const there = createPastReadings({ database, store: deps.store, reader, onError: (error) => errors.push(error) })
  const of = { vehicleId: VEHICLE, range, subClientPin: undefined, signals: undefined }
  const [sealed] = await selectLiveFiles(database.systemPool, 'acme')
  const file = await deps.store.fetch(sealed?.path ?? '')
  const whole = await readFile(file)
  const altered = Buffer.from(whole).fill(0xaa, whole.length - 400, whole.length - 300)
  for (const damage of [() => rm(file), () => writeFile(file, whole.subarray(0, 500)), () => writeFile(file, altered)]) {
    await damage()
    await assert.rejects(
      there.open('acme', { vehicleId: VEHICLE, range }).then((part) => part?.count(of)),
      { code: 'unavailable' },
    )
    await writeFile(file, whole)
  }
  assert.equal(errors.length, 4)
  const without = new FileReader({
    folders: [deps.store.stagingFolder],
    spillFolder: deps.store.stagingFolder,
    load: async () => undefined,
  })
  const part = await createPastReadings({ database, store: deps.store, reader: without, onError: failOn }).open('acme', {
    vehicleId: VEHICLE,
    range,
  })
  await assert.rejects(part?.count(of) ?? Promise.resolve(), { code: 'unavailable' })
})
