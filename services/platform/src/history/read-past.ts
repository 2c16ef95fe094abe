// Answers from sealed files, in the words of the readings slice.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type SignalName, signalNames } from '@roadworthy/signals/registry'
import type { PastCode, PastPart, PastReadings } from '../readings/past-readings.ts'
import type { SelectedReading } from '../readings/reading.read.sql.ts'
import { compareReadingKeys } from '../readings/reading-id.ts'
import type { Bucket, ReadingsPage } from '../readings/readings.read.sql.ts'
import type { TrackPoint } from '../readings/track.ts'
import type { DuckRow } from './duckdb.ts'
import type { FileReader } from './file-reader.ts'
import type { FileStore } from './file-store.ts'
import { bucketFound, codesFound, countFound, type FileQuery, fittingFound, listFound, trackFound } from './parquet.sql.ts'
import { type PastFiles, selectPastFiles, selectPastFilesOfSource } from './past-files.read.sql.ts'
import { fromSealedRow, type SealedRow, toSelectedReading } from './sealed-reading.ts'

export type PastDeps = {
  readonly database: Database
  readonly store: FileStore
  readonly reader: FileReader
  /** Files could not be had: a bucket is away, or a folder. */
  readonly onError: (error: unknown) => void
}

type Range = { readonly from: Date; readonly to: Date }
const RETRY_AFTER_S = 5
/** More than one source reports of one instant. */
const MANY_TIES = 64
/** As of PostgreSQL (`fault-codes.read.sql.ts`). */
const MAX_CODES = 200

export function createPastReadings(deps: PastDeps): PastReadings {
  return {
    open: async (resellerId, { vehicleId, range }) => {
      const past = await selectPastFiles(deps.database.tenantPool(resellerId), resellerId, { vehicleId, ...range })
      return past && (await openPart(deps, past))
    },
    reading: async (resellerId, key) => {
      const at = new Date(key.recordedAtMs)
      const past = await selectPastFilesOfSource(deps.database.tenantPool(resellerId), resellerId, key.sourceId, at)
      if (past === undefined || past.files.length === 0) return undefined
      const files = await localFiles(deps, past)
      const range = { from: at, to: new Date(at.getTime() + 1) }
      const query = { files, sourceIds: past.sourceIds, range }
      for (let wanted = MANY_TIES; ; wanted *= 4) {
        const rows = await rowsOf(deps, listFound(query, 'asc', wanted))
        const found = rows.map(toReading).find(({ digestHex }) => digestHex === key.digestHex)
        if (found !== undefined || rows.length < wanted) return found
      }
    },
  }
}

async function localFiles({ store, onError }: PastDeps, { files }: PastFiles): Promise<string[]> {
  try {
    return await Promise.all(files.map((file) => store.local(file)))
  } catch (error) {
    onError(error)
    throw cannotBeHad()
  }
}

/** What DuckDB reports of a file that was altered, or went, since it was looked at; and not of a statement that is wrong. */
const DAMAGED_FILE = /^(IO|Invalid Input|Invalid|Serialization) Error:/

async function rowsOf({ reader, onError }: PastDeps, sql: string): Promise<DuckRow[]> {
  try {
    return await reader.rows(sql)
  } catch (error) {
    if (!DAMAGED_FILE.test((error as Error).message)) throw error
    onError(error)
    throw cannotBeHad()
  }
}

function cannotBeHad(): Problem {
  return new Problem('unavailable', 'Readings of that time are in files that cannot be had at this moment.', { retryAfterS: RETRY_AFTER_S })
}

async function openPart(deps: PastDeps, past: PastFiles): Promise<PastPart> {
  const files = await localFiles(deps, past)
  const { until, sourceIds } = past
  const queryOf = <T extends { readonly range: Range }>(of: T) => ({ ...of, files, sourceIds, range: before(until, of.range) })
  const rows = async (sql: () => string) => (files.length === 0 || sourceIds.length === 0 ? [] : await rowsOf(deps, sql()))
  return {
    until,
    list: async (of, page) =>
      await listPage(queryOf(of), page, async (query, order, limit) => await rows(() => listFound(query, order, limit))),
    fitting: async (of, page, maxBytes) => {
      const query = fromCursor(queryOf(of), page)
      if (query === undefined) return undefined
      const [row] = await rows(() => fittingFound(query, page.order ?? 'asc', page.limit + 1, maxBytes))
      return row === undefined || row['fitting'] === row['found'] ? undefined : Number(row['fitting'])
    },
    count: async (of) => Number((await rows(() => countFound(queryOf(of))))[0]?.['count'] ?? 0),
    buckets: async (of, bucketS) => {
      const signals = of.signals ?? signalNames
      return (await rows(() => bucketFound(queryOf(of), signals, bucketS))).flatMap((row) => toBucket(row, signals))
    },
    track: async (of, everyS) => (await rows(() => trackFound(queryOf(of), everyS))).map(toTrackPoint),
    codes: async (of) => (await rows(() => codesFound(queryOf(of), MAX_CODES))).map(toCode),
  }
}

function before(until: Date, { from, to }: Range): Range {
  return { from, to: to < until ? to : until }
}

type List = (query: FileQuery, order: 'asc' | 'desc', limit: number) => Promise<DuckRow[]>

/** Columns do not hold the digest, by which readings of one instant follow each other; so those at the cursor's instant are read and passed over. */
async function listPage(query: FileQuery, page: ReadingsPage, list: List): Promise<SelectedReading[]> {
  const { limit, after, order = 'asc' } = page
  if (after === undefined) return (await list(query, order, limit + 1)).map(toReading)
  const rest = fromCursor(query, page)
  if (rest === undefined) return []
  // Few more where the page is short, as its readings may be large.
  for (let wanted = limit + 1 + Math.min(limit, MANY_TIES); ; wanted *= 2) {
    const rows = (await list(rest, order, wanted)).map(toReading)
    const beyond = rows.filter((reading) =>
      order === 'asc' ? compareReadingKeys(reading, after) > 0 : compareReadingKeys(reading, after) < 0,
    )
    if (beyond.length > limit || rows.length < wanted) return beyond.slice(0, limit + 1)
  }
}

/** With what was recorded at the instant of the cursor; undefined where there can be nothing. */
function fromCursor(query: FileQuery, { after, order }: ReadingsPage): FileQuery | undefined {
  if (after === undefined) return query
  const at = new Date(after.recordedAtMs)
  const next = new Date(after.recordedAtMs + 1)
  const { from, to } = query.range
  const range = order === 'desc' ? { from, to: next < to ? next : to } : { from: at > from ? at : from, to }
  return range.from >= range.to ? undefined : { ...query, range }
}

function toReading(row: DuckRow): SelectedReading {
  return toSelectedReading(fromSealedRow(row as SealedRow))
}

function toBucket(row: DuckRow, signals: readonly SignalName[]): Bucket[] {
  const of = (name: SignalName, what: string) => Number(row[`${name} ${what}`])
  const summaries = signals.flatMap((name) => {
    const count = of(name, 'count')
    return count === 0 ? [] : [[name, { min: of(name, 'min'), avg: of(name, 'avg'), max: of(name, 'max'), count }] as const]
  })
  return summaries.length === 0 ? [] : [{ startsAt: new Date(Number(row['at_ms'])), signals: Object.fromEntries(summaries) }]
}

function toTrackPoint(row: DuckRow): TrackPoint {
  const number = (name: string) => (row[name] as number | null) ?? undefined
  return {
    ...{ atMs: Number(row['at_ms']), latitude: row['latitude'] as number, longitude: row['longitude'] as number },
    ...{ speedKmh: number('speed_kmh'), headingDeg: number('heading_deg'), ignition: (row['ignition'] as boolean | null) ?? undefined },
  }
}

function toCode(row: DuckRow): PastCode {
  return {
    code: row['code'] as string,
    firstSeenAt: new Date(Number(row['first_ms'])),
    lastSeenAt: new Date(Number(row['last_ms'])),
    readingCount: Number(row['count']),
  }
}
