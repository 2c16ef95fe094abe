// Readings of one vehicle over a time range, single or by bucket. They are found by the sources that ever reported for the vehicle, which are read first, and
// the primary key: on a cluster only the shards of these sources are asked. What a source reported while it was in another vehicle, or of another sub-client
// than a pinned caller's, is left out.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { SignalName } from '@roadworthy/signals/registry'
import { BYTES_AT_MOST, type ReadingRow, type SelectedReading, selectedReadingFromRow } from './reading.read.sql.ts'
import { compareReadingKeys, type ReadingKey } from './reading-id.ts'
import type { TimeRange } from './time-range.ts'
import { selectSourcesOfVehicle } from './vehicle-sources.sql.ts'

export type ReadingsOf = {
  readonly vehicleId: string
  readonly subClientPin: string | undefined
  readonly range: TimeRange
  /** Only readings with any of these. */
  readonly signals: readonly SignalName[] | undefined
}

/** By `wantedValues`, and `$7`: the sources. */
const wanted = `
  r.reseller_id = $1 and r.vehicle_id = $2 and r.recorded_at >= $3 and r.recorded_at < $4
  and ($5::text is null or r.sub_client_id = $5) and ($6::text[] is null or r.signals ?| $6)`

function wantedValues(resellerId: string, { vehicleId, range, subClientPin, signals }: ReadingsOf): unknown[] {
  return [resellerId, vehicleId, range.from, range.to, subClientPin ?? null, signals ?? null]
}

/** The key of a reading goes the way that the list does, so that the index is read from either end. */
const ways = { asc: { next: '>', bound: '>=', order: 'asc' }, desc: { next: '<', bound: '<=', order: 'desc' } } as const

export type ReadingsPage = { readonly limit: number; readonly after: ReadingKey | undefined; readonly order?: keyof typeof ways }

/** Sources that are asked at once. Of nearly all vehicles there are fewer. */
const CONCURRENT_SOURCES = 4

/**
 * Oldest first unless asked otherwise, one more than `limit` when there is one. Each source is asked by itself, so that the index gives its first rows in
 * their order, however many there are behind them.
 */
export async function selectVehicleReadings(db: Db, resellerId: string, of: ReadingsOf, page: ReadingsPage): Promise<SelectedReading[]> {
  const sources = await selectSourcesOfVehicle(db, resellerId, of.vehicleId)
  const found: SelectedReading[] = []
  for (let at = 0; at < sources.length; at += CONCURRENT_SOURCES) {
    const asked = sources.slice(at, at + CONCURRENT_SOURCES)
    const ofEach = await Promise.all(asked.map((sourceId) => selectReadingsOfSource(db, resellerId, of, sourceId, page)))
    found.push(...ofEach.flat())
    if (sources.length > 1) keepFirst(found, page)
  }
  return found
}

async function selectReadingsOfSource(
  db: Db,
  resellerId: string,
  of: ReadingsOf,
  sourceId: string,
  page: ReadingsPage,
): Promise<SelectedReading[]> {
  const { text, values } = pageOfSource(resellerId, of, sourceId, page)
  const { rows } = await db.query<ReadingRow>(
    `select r.source_id, r.recorded_at, r.digest, r.kind, r.device_id, r.vehicle_id, r.sub_client_id, r.received_at, r.latitude,
            r.longitude, r.signals, r.attributes
       ${text}`,
    values,
  )
  return rows.map(selectedReadingFromRow)
}

/** One more than a page of one source, in the order of the page: the statement without what it selects. */
function pageOfSource(resellerId: string, of: ReadingsOf, sourceId: string, { after, limit, order: way = 'asc' }: ReadingsPage) {
  const { next, bound, order } = ways[way]
  const text = `
       from readings r
      where r.source_id = $7 and ${wanted}
        and ($8::timestamptz is null or (r.recorded_at ${bound} $8 and (r.recorded_at, r.source_id collate "C", r.digest) ${next} ($8, $9, $10)))
      order by r.recorded_at ${order}, r.digest ${order}
      limit $11`
  const cursor =
    after === undefined ? [null, null, null] : [new Date(after.recordedAtMs), after.sourceId, Buffer.from(after.digestHex, 'hex')]
  return { text, order, values: [...wantedValues(resellerId, of), sourceId, ...cursor, limit + 1] }
}

/** Of the page so many readings, of whichever sources, as take no more than `maxBytes` together; undefined: the page is as long as it may be. */
export async function selectFittingCount(
  db: Db,
  resellerId: string,
  of: ReadingsOf,
  page: ReadingsPage,
  maxBytes: number,
): Promise<number | undefined> {
  const sources = await selectSourcesOfVehicle(db, resellerId, of.vehicleId)
  let fitting: number | undefined
  for (let at = 0; at < sources.length; at += CONCURRENT_SOURCES) {
    const asked = sources.slice(at, at + CONCURRENT_SOURCES)
    const ofEach = asked.map((sourceId) => selectFittingCountOfSource(db, resellerId, of, sourceId, page, maxBytes / sources.length))
    for (const count of await Promise.all(ofEach)) if (count !== undefined) fitting = Math.min(fitting ?? count, count)
  }
  return fitting
}

async function selectFittingCountOfSource(
  db: Db,
  resellerId: string,
  of: ReadingsOf,
  sourceId: string,
  page: ReadingsPage,
  maxBytes: number,
): Promise<number | undefined> {
  const { text, order, values } = pageOfSource(resellerId, of, sourceId, page)
  const { rows } = await db.query<{ found: number; fitting: number }>(
    `select count(*)::int as found, (count(*) filter (where bytes <= $12))::int as fitting
       from (select sum(bytes) over (order by recorded_at ${order}, digest ${order}) as bytes
               from (select r.recorded_at, r.digest, ${BYTES_AT_MOST} as bytes ${text}) r) r`,
    [...values, maxBytes],
  )
  const { found = 0, fitting = 0 } = rows[0] ?? {}
  return fitting === found ? undefined : fitting
}

/** Leaves the first of all, as many as of one source. */
function keepFirst(found: SelectedReading[], { limit, order }: ReadingsPage): void {
  found.sort(order === 'desc' ? (a, b) => compareReadingKeys(b, a) : compareReadingKeys)
  found.splice(limit + 1)
}

export async function countVehicleReadings(db: Db, resellerId: string, of: ReadingsOf): Promise<number> {
  const sources = await selectSourcesOfVehicle(db, resellerId, of.vehicleId)
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from readings r where r.source_id = any ($7) and ${wanted}`,
    [...wantedValues(resellerId, of), sources],
  )
  return rows[0]?.count ?? 0
}

export type SignalSummary = { readonly min: number; readonly avg: number; readonly max: number; readonly count: number }
export type Bucket = { readonly startsAt: Date; readonly signals: Readonly<Record<string, SignalSummary>> }

/** Of many signals all keys of a reading are gone through; of those asked for each is looked up. */
const EVERY_VALUE = 'cross join lateral jsonb_each(r.signals) v'
const ASKED_VALUES =
  'cross join lateral (select name as key, r.signals -> name as value from unnest($6::text[]) name where r.signals ? name) v'

/** Buckets aligned to the epoch, oldest first, without those that hold nothing. Implausible values are left out. */
export async function selectReadingBuckets(db: Db, resellerId: string, of: ReadingsOf, bucketS: number): Promise<Bucket[]> {
  const sources = await selectSourcesOfVehicle(db, resellerId, of.vehicleId)
  const { rows } = await db.query<BucketRow>(
    `select date_bin(make_interval(secs => $8), r.recorded_at, timestamptz 'epoch') as starts_at, v.key as name,
            min(v.value::float8) as min, avg(v.value::float8) as avg, max(v.value::float8) as max, count(*)::int as count
       from readings r
      ${of.signals === undefined ? EVERY_VALUE : ASKED_VALUES}
      where r.source_id = any ($7) and ${wanted} and not coalesce(r.attributes -> 'implausible' ? v.key, false)
      group by 1, 2
      order by 1, 2`,
    [...wantedValues(resellerId, of), sources, bucketS],
  )
  return bucketsFromRows(rows)
}

type BucketRow = { starts_at: Date; name: string } & SignalSummary

function bucketsFromRows(rows: readonly BucketRow[]): Bucket[] {
  const byStart = Map.groupBy(rows, (row) => row.starts_at.getTime())
  return [...byStart].map(([startsAtMs, ofBucket]) => ({
    startsAt: new Date(startsAtMs),
    signals: Object.fromEntries(ofBucket.map(({ name, min, avg, max, count }) => [name, { min, avg, max, count }])),
  }))
}
