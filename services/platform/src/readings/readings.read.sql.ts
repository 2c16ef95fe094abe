// Readings of one vehicle over a time range, single or by bucket. They are found by the sources that ever spoke for the vehicle and the
// primary key; what a source said while it was in another vehicle, or of another sub-client than a pinned caller's, is left out.

import type { Db } from '@roadworthy/service-kit/db'
import type { SignalName } from '@roadworthy/signals/registry'
import { type ReadingRow, type SelectedReading, selectedReadingFromRow } from './reading.read.sql.ts'
import type { ReadingKey } from './reading-id.ts'
import type { TimeRange } from './time-range.ts'

export type ReadingsOf = {
  readonly vehicleId: string
  readonly subClientPin: string | undefined
  readonly range: TimeRange
  /** Only readings with any of these. */
  readonly signals: readonly SignalName[] | undefined
}

const spoke = 's.reseller_id = $1 and s.vehicle_id = $2'
const wanted = `
  r.source_id = s.source_id and r.reseller_id = $1 and r.vehicle_id = $2 and r.recorded_at >= $3 and r.recorded_at < $4
  and ($5::text is null or r.sub_client_id = $5) and ($6::text[] is null or r.signals ?| $6)`

function wantedValues(resellerId: string, { vehicleId, range, subClientPin, signals }: ReadingsOf): unknown[] {
  return [resellerId, vehicleId, range.from, range.to, subClientPin ?? null, signals ?? null]
}

/** The key of a reading goes the way that the list does, so that the index is read from either end. */
const ways = { asc: { next: '>', bound: '>=', order: 'asc' }, desc: { next: '<', bound: '<=', order: 'desc' } } as const

export type ReadingsPage = { readonly limit: number; readonly after: ReadingKey | undefined; readonly order?: keyof typeof ways }

/** Oldest first unless asked otherwise, one more than `limit` when there is one. */
export async function selectVehicleReadings(db: Db, resellerId: string, of: ReadingsOf, page: ReadingsPage): Promise<SelectedReading[]> {
  const { after } = page
  const { next, bound, order } = ways[page.order ?? 'asc']
  const { rows } = await db.query<ReadingRow>(
    `select n.*
       from vehicle_sources s
      cross join lateral (
        select r.source_id, r.recorded_at, r.digest, r.kind, r.device_id, r.vehicle_id, r.sub_client_id, r.received_at, r.latitude,
               r.longitude, r.signals, r.attributes
          from readings r
         where ${wanted}
           and ($7::timestamptz is null or (r.recorded_at ${bound} $7 and (r.recorded_at, r.source_id, r.digest) ${next} ($7, $8, $9)))
         order by r.recorded_at ${order}, r.digest ${order}
         limit $10
      ) n
      where ${spoke}
      order by n.recorded_at ${order}, n.source_id ${order}, n.digest ${order}
      limit $10`,
    [
      ...wantedValues(resellerId, of),
      after === undefined ? null : new Date(after.recordedAtMs),
      after?.sourceId ?? null,
      after === undefined ? null : Buffer.from(after.digestHex, 'hex'),
      page.limit + 1,
    ],
  )
  return rows.map(selectedReadingFromRow)
}

export async function countVehicleReadings(db: Db, resellerId: string, of: ReadingsOf): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from vehicle_sources s join readings r on ${wanted} where ${spoke}`,
    wantedValues(resellerId, of),
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
  const { rows } = await db.query<BucketRow>(
    `select date_bin(make_interval(secs => $7), r.recorded_at, timestamptz 'epoch') as starts_at, v.key as name,
            min(v.value::float8) as min, avg(v.value::float8) as avg, max(v.value::float8) as max, count(*)::int as count
       from vehicle_sources s join readings r on ${wanted}
      ${of.signals === undefined ? EVERY_VALUE : ASKED_VALUES}
      where ${spoke} and not coalesce(r.attributes -> 'implausible' ? v.key, false)
      group by 1, 2
      order by 1, 2`,
    [...wantedValues(resellerId, of), bucketS],
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
