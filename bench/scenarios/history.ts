// What the history costs and gives: bytes a reading in PostgreSQL and in sealed files, of the demo fleet and of recordings of real cars, and how long a
// year of one vehicle takes to answer, most of it from files.
//
// Bar (issue 19): at most 20 bytes a reading in files; a year of one vehicle in under a second.
//
// Run: node bench/scenarios/history.ts [--recordings FOLDER]     Result: a line in bench/results/history.jsonl
// FOLDER holds kit_seat_leon/ and carobd_etios/ (docs/training.md); without it they are left out.

import { existsSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { FileReader } from '@roadworthy/platform/history/file-reader'
import { createFolderStore } from '@roadworthy/platform/history/file-store'
import { createPastReadings } from '@roadworthy/platform/history/read-past'
import { type SealingDeps, sealWeeks, type Week } from '@roadworthy/platform/history/seal-weeks'
import { selectTotalsAcrossResellers } from '@roadworthy/platform/history/sealed-files.sql'
import { requireDuckdb, store, temporaryFolder, weeksBefore } from '@roadworthy/platform/history/test-history'
import { normalize } from '@roadworthy/platform/ingest/normalize'
import { removeOldPartitions } from '@roadworthy/platform/main/database/partitions'
import { startTestSurface } from '@roadworthy/platform/predictions/test-surface'
import { createReading, type Reading } from '@roadworthy/platform/readings/reading'
import { ensureReadingPartitions } from '@roadworthy/platform/readings/readings.sql'
import { readingsPlatformRoutes } from '@roadworthy/platform/readings/routes.platform-v1'
import { platformSurface } from '@roadworthy/platform/surfaces/errors'
import { insertReseller, openTestDatabase } from '@roadworthy/platform/test-support'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { advanceFleet, createFleet } from '@roadworthy/simulator/fleet/fleet'
import { detectFormat, openRecording } from '@roadworthy/simulator/recordings/open-recording'
import pg from 'pg'
import { keepResult } from '../load/service-under-load.ts'

const { values: flags } = parseArgs({ options: { recordings: { type: 'string' } } })
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** A Monday. */
const NOW_MS = Date.parse('2026-11-23T00:00:00.000Z')
const HOT_DAYS = 35
const SAMPLES = 15
const STORED_AT_ONCE = 20_000
const anyTime = { maxAgeMs: Number.POSITIVE_INFINITY, maxAheadMs: Number.POSITIVE_INFINITY }

const cleanUps: (() => unknown)[] = []
const cleanUp = { after: (run: () => unknown) => void cleanUps.unshift(run) } as Parameters<typeof temporaryFolder>[0]
try {
  keepResult('history', await measure())
} finally {
  for (const run of cleanUps) await run()
}

async function measure(): Promise<object> {
  const { database, ownerUrl } = await openTestDatabase(cleanUp)
  await insertReseller(database, 'acme')
  const folder = await temporaryFolder(cleanUp)
  const owner = new pg.Client({ connectionString: ownerUrl })
  owner.on('error', () => undefined)
  await owner.connect()
  cleanUps.unshift(() => owner.end())
  const deps = { database, slowDb: owner as unknown as Db, store: createFolderStore(folder), duckdb: await requireDuckdb() }
  const bench = { database, ownerUrl, deps, folder }
  // The oldest first, because that is the order in which weeks are sealed.
  const bytes = {
    ...(flags.recordings === undefined ? {} : await measureRecordings(bench, flags.recordings)),
    demoFleet: await measureBytes(bench, NOW_MS - 60 * WEEK_MS, demoFleetDay(NOW_MS - 60 * WEEK_MS)),
  }
  const year = await measureYear(bench)
  return { at: new Date().toISOString(), machine: { cpus: os.cpus().length, loadAverage: os.loadavg()[0] }, bytes, year }
}

type Bench = { readonly database: Database; readonly ownerUrl: string; readonly deps: SealingDeps; readonly folder: string }

async function measureRecordings(bench: Bench, folder: string): Promise<Record<string, object>> {
  const results: Record<string, object> = {}
  for (const [nth, name] of ['kit_seat_leon', 'carobd_etios'].entries()) {
    const own = path.join(folder, name)
    if (!existsSync(own)) {
      console.log(`${own} is not there; it is left out`)
      continue
    }
    const atMs = NOW_MS - (70 - nth) * WEEK_MS
    results[name] = await measureBytes(bench, atMs, recordedTrips(own, atMs))
  }
  return results
}

/** Trip after trip of one car, which fit into a week or go on into the next ones. */
async function* recordedTrips(folder: string, fromMs: number): AsyncGenerator<Reading> {
  let tripMs = fromMs
  for (const name of readdirSync(folder)
    .filter((each) => /\.csv(\.gz)?$/.test(each))
    .sort()) {
    const file = path.join(folder, name)
    let lastMs = tripMs
    for await (const { offsetS, record } of openRecording(file, await detectFormat(file))) {
      lastMs = tripMs + Math.round(offsetS * 1000)
      yield toReading({ ...record, timestamp: new Date(lastMs).toISOString() }, 'dev-recorded00', 'veh-recorded00')
    }
    tripMs = lastMs + 60_000
  }
}

/** As `npm start` shows it: a reading every ten seconds of driving. */
async function* demoFleetDay(fromMs: number): AsyncGenerator<Reading> {
  const fleet = createFleet({ seed: 1, vehicleCount: 24, startAtMs: fromMs, schedule: 'continuous', intervalS: 10, parkedIntervalS: 30 })
  for (let hour = 1; hour <= 24; hour++) yield* readingsUntil(fleet, fromMs + hour * 3_600_000)
}

function readingsUntil(fleet: ReturnType<typeof createFleet>, untilMs: number): Reading[] {
  const readings: Reading[] = []
  advanceFleet(fleet, untilMs, (record, vehicle) => {
    const id = String(vehicle.profile.index).padStart(8, '0')
    readings.push(toReading(record, `dev-${id}`, `veh-${id}`))
  })
  return readings
}

function toReading(record: object, deviceId: string, vehicleId: string): Reading {
  const { content } = normalize({ device_id: deviceId, ...record }, Date.now(), anyTime)
  const about = { kind: 'telemetry', resellerId: 'acme', sourceId: deviceId, deviceId, vehicleId, subClientId: undefined } as const
  return createReading(content, { ...about, receivedAtMs: content.recordedAtMs + 400 + (content.recordedAtMs % 311) })
}

async function storeAll(database: Database, readings: AsyncIterable<Reading>): Promise<{ count: number; fromMs: number; toMs: number }> {
  let part: Reading[] = []
  let [count, fromMs, toMs] = [0, Number.POSITIVE_INFINITY, 0]
  const flush = async () => {
    if (part.length === 0) return
    const [oldest, newest] = [Math.min(...part.map((r) => r.recordedAtMs)), Math.max(...part.map((r) => r.recordedAtMs))]
    await ensureReadingPartitions(database.systemPool, new Date(oldest), new Date(newest))
    await store(database, part)
    ;[fromMs, toMs] = [Math.min(fromMs, oldest), Math.max(toMs, newest)]
    count += part.length
    part = []
  }
  for await (const reading of readings) {
    part.push(reading)
    if (part.length >= STORED_AT_ONCE) await flush()
  }
  await flush()
  return { count, fromMs, toMs }
}

async function measureBytes({ database, deps }: Bench, fromMs: number, readings: AsyncIterable<Reading>): Promise<object> {
  const { count, toMs } = await storeAll(database, readings)
  const weeks = await weeksBefore(database, new Date(toMs + WEEK_MS), new Date(fromMs))
  const hotBytes = await sizeOf(database, weeks)
  const before = await selectTotalsAcrossResellers(database.systemPool)
  const startedMs = performance.now()
  await sealWeeks(deps, weeks, new AbortController().signal)
  const sealedMs = performance.now() - startedMs
  const after = await selectTotalsAcrossResellers(database.systemPool)
  const result = {
    ...{ readings: count, hotBytes: round(hotBytes / count), coldBytes: round((after.bytes - before.bytes) / count) },
    sealedPerS: Math.round(count / (sealedMs / 1000)),
  }
  console.log(result)
  return result
}

async function sizeOf(database: Database, weeks: readonly Week[]): Promise<number> {
  const { rows } = await database.systemPool.query<{ bytes: number }>(
    'select sum(pg_total_relation_size(name::regclass))::float8 as bytes from unnest($1::text[]) name',
    [weeks.map(({ partition }) => partition)],
  )
  return rows[0]?.bytes ?? 0
}

/** One of four vehicles that are driven in shifts, and what the API answers about its year. */
async function measureYear({ database, ownerUrl, deps, folder }: Bench): Promise<object> {
  const fromMs = NOW_MS - 365 * DAY_MS
  const settings = { seed: 2, vehicleCount: 4, startAtMs: fromMs, schedule: 'shifts', intervalS: 30, parkedIntervalS: 1_800 } as const
  const fleet = createFleet(settings)
  const readings = async function* (): AsyncGenerator<Reading> {
    for (let day = 1; day <= 365; day++) yield* readingsUntil(fleet, fromMs + day * DAY_MS)
  }
  const { count } = await storeAll(database, readings())
  const until = new Date(NOW_MS - HOT_DAYS * DAY_MS)
  const weeks = await weeksBefore(database, until, new Date(fromMs - WEEK_MS))
  await sealWeeks(deps, weeks, new AbortController().signal)
  await removeOldPartitions(
    ownerUrl,
    { name: 'readings', writtenBackDays: 1, keptDays: 4_000, sealedUntil: async () => until },
    new Date(NOW_MS),
  )
  await database.systemPool.query('analyze readings')
  const vehicleId = 'veh-00000001'
  await database.systemPool.query(`insert into vehicles (reseller_id, vehicle_id, created_at) values ('acme', $1, now())`, [vehicleId])
  const reader = new FileReader({ folders: [folder], spillFolder: deps.store.stagingFolder })
  cleanUps.unshift(() => reader.close())
  const past = createPastReadings({ database, store: deps.store, reader, onError: console.error })
  const surface = await startTestSurface(cleanUp, platformSurface, [
    readingsPlatformRoutes({ database, past, now: () => new Date(NOW_MS) }),
  ])
  const api = surface.as({ resellerId: 'acme' })
  const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(NOW_MS).toISOString()}`
  const ask = async (query: string) => {
    const timesMs: number[] = []
    for (let i = 0; i < SAMPLES; i++) {
      const startedMs = performance.now()
      const { status, body } = await api.get<{ total: number }>(`/vehicles/${vehicleId}/readings?${range}&${query}`)
      timesMs.push(performance.now() - startedMs)
      if (status !== 200) throw new Error(JSON.stringify(body))
    }
    const [firstMs] = timesMs
    timesMs.sort((a, b) => a - b)
    const at = (share: number) => round(timesMs[Math.floor(timesMs.length * share)] ?? Number.NaN)
    return { firstMs: round(firstMs ?? Number.NaN), p50Ms: at(0.5), p95Ms: at(0.95) }
  }
  const { rows } = await database.systemPool.query<{ n: number }>('select count(*)::int as n from readings where vehicle_id = $1', [
    vehicleId,
  ])
  const stored = await api.get<{ total: number }>(`/vehicles/${vehicleId}/readings?${range}&limit=1`)
  return {
    ...{ stored: count, ofVehicle: stored.body.total, inPostgres: rows[0]?.n },
    allSignals: await ask('points=600'),
    oneSignal: await ask('points=600&signals=coolant'),
    firstPage: await ask('limit=100'),
    lastPage: await ask('limit=100&order=desc'),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
