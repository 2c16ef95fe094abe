// The readings of a vehicle wherever they are: in PostgreSQL, or, recorded before a certain Monday, in sealed files. Who asks does not notice.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PastPart, PastReadings } from './past-readings.ts'
import { type SelectedReading, selectReading } from './reading.read.sql.ts'
import type { ReadingKey } from './reading-id.ts'
import {
  type Bucket,
  countVehicleReadings,
  type ReadingsOf,
  type ReadingsPage,
  type SignalSummary,
  selectFittingCount,
  selectReadingBuckets,
  selectVehicleReadings,
} from './readings.read.sql.ts'
import type { TimeRange } from './time-range.ts'
import { selectTrack, type TrackOf } from './track.read.sql.ts'
import type { TrackPoint } from './track.ts'

/** Where the readings of one request are. Taken once, so that all of its parts agree. */
export type Whole = { readonly db: Db; readonly resellerId: string; readonly past: PastPart | undefined }

export async function openWhole(
  db: Db,
  past: PastReadings,
  resellerId: string,
  of: { readonly range: TimeRange; readonly vehicleId: string },
): Promise<Whole> {
  return { db, resellerId, past: await past.open(resellerId, of) }
}

/** The part of a range that is in PostgreSQL; undefined where none is. */
export function recentPart(range: TimeRange, past: PastPart | undefined): TimeRange | undefined {
  if (past === undefined || past.until <= range.from) return range
  return past.until >= range.to ? undefined : { from: past.until, to: range.to }
}

/** Oldest first unless asked otherwise, one more than `limit` when there is one. */
export async function listReadings({ db, resellerId, past }: Whole, of: ReadingsOf, page: ReadingsPage): Promise<SelectedReading[]> {
  const recent = recentPart(of.range, past)
  const list = {
    past: async (limit: number) => (await past?.list(of, { ...page, limit })) ?? [],
    recent: async (limit: number) =>
      recent === undefined ? [] : await selectVehicleReadings(db, resellerId, { ...of, range: recent }, { ...page, limit }),
  }
  const [first, second] = page.order === 'desc' ? [list.recent, list.past] : [list.past, list.recent]
  const found = await first(page.limit)
  return found.length > page.limit ? found : [...found, ...(await second(page.limit - found.length))]
}

/** As the body of a request, and so no reading has more. */
const MAX_READING_BYTES = 1024 * 1024
/** An assumption: thirty times what five hundred readings of a talkative tracker take, and little enough for several at once. */
const MAX_PAGE_BYTES = 16 * MAX_READING_BYTES

/** How many readings a page has, `page.limit` at most: fewer where they are large, so that its length is bounded in bytes too. One at least. */
export async function fittingLimit({ db, resellerId, past }: Whole, of: ReadingsOf, page: ReadingsPage): Promise<number> {
  if (page.limit * MAX_READING_BYTES <= MAX_PAGE_BYTES) return page.limit
  const recent = recentPart(of.range, past)
  const counts = await Promise.all([
    past?.fitting(of, page, MAX_PAGE_BYTES),
    recent === undefined ? undefined : selectFittingCount(db, resellerId, { ...of, range: recent }, page, MAX_PAGE_BYTES),
  ])
  return Math.max(1, Math.min(page.limit, ...counts.filter((count) => count !== undefined)))
}

export async function countReadings(whole: Whole, of: ReadingsOf): Promise<number> {
  const [before, since] = await Promise.all([whole.past?.count(of) ?? 0, countRecent(whole, of)])
  return before + since
}

/** Of those in PostgreSQL. */
export async function countRecent({ db, resellerId, past }: Whole, of: ReadingsOf): Promise<number> {
  const recent = recentPart(of.range, past)
  return recent === undefined ? 0 : await countVehicleReadings(db, resellerId, { ...of, range: recent })
}

/** As `selectReadingBuckets`. */
export async function bucketReadings({ db, resellerId, past }: Whole, of: ReadingsOf, bucketS: number): Promise<Bucket[]> {
  const recent = recentPart(of.range, past)
  const [before, since] = await Promise.all([
    past?.buckets(of, bucketS) ?? [],
    recent === undefined ? [] : selectReadingBuckets(db, resellerId, { ...of, range: recent }, bucketS),
  ])
  return joinBuckets(before, since)
}

/** The last of before and the first since may be of one bucket. */
function joinBuckets(before: readonly Bucket[], since: readonly Bucket[]): Bucket[] {
  const [last, first] = [before.at(-1), since[0]]
  if (last === undefined || first === undefined || last.startsAt.getTime() !== first.startsAt.getTime()) return [...before, ...since]
  const signals: Record<string, SignalSummary> = { ...last.signals }
  for (const [name, summary] of Object.entries(first.signals)) {
    const other = signals[name]
    signals[name] = other === undefined ? summary : joinSummaries(other, summary)
  }
  return [...before.slice(0, -1), { startsAt: first.startsAt, signals }, ...since.slice(1)]
}

function joinSummaries(a: SignalSummary, b: SignalSummary): SignalSummary {
  const count = a.count + b.count
  return { min: Math.min(a.min, b.min), avg: (a.avg * a.count + b.avg * b.count) / count, max: Math.max(a.max, b.max), count }
}

/** As `selectTrack`: of the seconds that lie in both parts, the first position is in the older. */
export async function trackOf({ db, resellerId, past }: Whole, of: TrackOf, everyS: number): Promise<TrackPoint[]> {
  const recent = recentPart(of.range, past)
  const [before, since] = await Promise.all([
    past?.track(of, everyS) ?? [],
    recent === undefined ? [] : selectTrack(db, resellerId, { ...of, range: recent }, everyS),
  ])
  const slotOf = ({ atMs }: TrackPoint) => Math.floor(atMs / 1000 / everyS)
  const [last, first] = [before.at(-1), since[0]]
  const isShared = last !== undefined && first !== undefined && slotOf(last) === slotOf(first)
  return [...before, ...(isShared ? since.slice(1) : since)]
}

/** One reading by its whole key. */
export async function findReading(db: Db, past: PastReadings, resellerId: string, key: ReadingKey): Promise<SelectedReading | undefined> {
  return (await selectReading(db, resellerId, key)) ?? (await past.reading(resellerId, key))
}
