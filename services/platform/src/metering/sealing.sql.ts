// Statements of the sealer. Each looks at a bounded number of rows that an index leads it to, whatever else is waiting. Where a join could be
// turned into a walk through a whole table, `offset 0` and arrays keep it to one look-up for each row.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { LedgerMeter } from './meters.ts'
import { type ClosedPeriod, type PeriodRow, periodFromRow } from './periods.sql.ts'
import type { SealedLine } from './usage-chain.ts'

/** A reseller, and whether there may be something to do for it. */
export type Visit = {
  readonly resellerId: string
  readonly timeZone: string
  readonly hasRaw: boolean
  readonly oldestBucket: Date | undefined
  readonly hasOtherDays: boolean
  readonly hasDeviceLimits: boolean
  readonly lastClosed: ClosedPeriod | undefined
}

/**
 * Resellers whose last turn was not enough, up to `limit`, and as many that were looked at longest ago; and notes that they are looked at now.
 * Those at which another process is are passed over.
 */
export async function visitAcrossResellers(db: Db, limit: number): Promise<Visit[]> {
  const { rows } = await db.query<VisitRow>(
    `with unfinished as (
       select reseller_id from usage_turns where is_unfinished order by visited_at limit $1 for update skip locked
     ), next as (
       select reseller_id from usage_turns order by visited_at limit $1 for update skip locked
     ), visited as (
       update usage_turns t set visited_at = clock_timestamp(), is_unfinished = false
         from (select reseller_id from unfinished union select reseller_id from next) n
        where t.reseller_id = n.reseller_id
       returning t.reseller_id, t.oldest_bucket
     )
     select v.reseller_id, r.time_zone as zone_now, v.oldest_bucket, p.month, p.time_zone, p.starts_at, p.ends_at,
            coalesce((select true from usage_entries e where e.reseller_id = v.reseller_id and not e.folded limit 1), false) as has_raw,
            coalesce((select true from sub_clients s where s.reseller_id = v.reseller_id and s.max_devices > 0 limit 1), false)
              as has_device_limits,
            coalesce((select true from usage_chains c where c.reseller_id = v.reseller_id and c.days_zone is null limit 1),
                     (select true from usage_chains c where c.reseller_id = v.reseller_id and c.days_zone < r.time_zone limit 1),
                     (select true from usage_chains c where c.reseller_id = v.reseller_id and c.days_zone > r.time_zone limit 1),
                     false) as has_other_days
       from visited v
       join resellers r using (reseller_id)
       left join lateral (select * from usage_periods u where u.reseller_id = v.reseller_id order by u.month desc limit 1) p on true`,
    [limit],
  )
  return rows.map(({ reseller_id, zone_now, oldest_bucket, has_raw, has_device_limits, has_other_days, ...period }) => ({
    resellerId: reseller_id,
    timeZone: zone_now,
    hasRaw: has_raw,
    oldestBucket: oldest_bucket ?? undefined,
    hasOtherDays: has_other_days,
    hasDeviceLimits: has_device_limits,
    lastClosed: lastPeriodFromRow(period),
  }))
}

/** It comes again in the next round, however many others there are. */
export async function noteUnfinishedAcrossResellers(db: Db, resellerId: string): Promise<void> {
  await db.query('update usage_turns set is_unfinished = true where reseller_id = $1', [resellerId])
}

export type Turn = {
  readonly timeZone: string
  readonly oldestBucket: Date | undefined
  readonly devicesAfter: string
  readonly lastClosed: ClosedPeriod | undefined
}

/**
 * Takes the turn of a reseller to the end of the transaction, unless another process has it. Its chains are made longer by one at a time; a
 * process of an earlier release seals all resellers under the same advisory lock, alone.
 */
export async function takeTurnAcrossResellers(db: Db, resellerId: string): Promise<Turn | undefined> {
  const { rowCount } = await db.query(
    `select 1 from usage_turns where reseller_id = $1 and pg_try_advisory_xact_lock_shared(7305512243) for update skip locked`,
    [resellerId],
  )
  if (rowCount === 0) return undefined
  // By a statement of its own, which sees what the last holder committed.
  const { rows } = await db.query<TurnRow>(
    `select r.time_zone as zone_now, t.oldest_bucket, t.devices_after, p.month, p.time_zone, p.starts_at, p.ends_at
       from usage_turns t
       join resellers r using (reseller_id)
       left join lateral (select * from usage_periods u where u.reseller_id = t.reseller_id order by u.month desc limit 1) p on true
      where t.reseller_id = $1`,
    [resellerId],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { zone_now: timeZone, oldest_bucket: oldestBucket, devices_after: devicesAfter, ...period } = row
  return { timeZone, oldestBucket: oldestBucket ?? undefined, devicesAfter, lastClosed: lastPeriodFromRow(period) }
}

export type Touched = {
  readonly subClientId: string
  readonly meter: LedgerMeter
  readonly entryCount: number
  readonly isInMonth: boolean
}

/**
 * Adds up to `limit` entries that nobody has looked at, the oldest, to what is folded of their sub-client, meter and quarter-hour. Answers of
 * whom and what they were, and whether any is of the time from `from` to `until`.
 */
export async function foldEntriesAcrossResellers(
  db: Db,
  resellerId: string,
  { from, until }: { from: Date; until: Date },
  limit: number,
): Promise<Touched[]> {
  const { rows } = await db.query<{ sub_client_id: string; meter: LedgerMeter; entry_count: number; is_in_month: boolean }>(
    `with raw as (
       select entry_id, sub_client_id, meter, bucket from usage_entries where reseller_id = $1 and not folded order by bucket, entry_id limit $2
     ), taken as (
       delete from usage_entries where entry_id = any (array(select entry_id from raw)) returning sub_client_id, meter, bucket, count
     ), former as (
       delete from usage_entries
        where entry_id = any (array(
          select f.entry_id
            from (select distinct sub_client_id, meter, bucket from raw) k
           cross join lateral (
             select e.entry_id
               from usage_entries e
              where e.reseller_id = $1 and e.folded and e.bucket = k.bucket and e.meter = k.meter and e.sub_client_id = k.sub_client_id
             offset 0
           ) f))
       returning sub_client_id, meter, bucket, count
     ), folded as (
       insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count, folded)
       select $1, sub_client_id, meter, bucket, sum(count), true
         from (select * from taken union all select * from former) u
        group by sub_client_id, meter, bucket
       returning bucket
     ), noted as (
       update usage_turns t set oldest_bucket = f.bucket
         from (select min(bucket) as bucket from folded) f
        where t.reseller_id = $1 and (t.oldest_bucket is null or f.bucket < t.oldest_bucket)
     )
     select sub_client_id, meter, count(*)::int as entry_count, bool_or(bucket >= $3 and bucket < $4) as is_in_month
       from taken
      group by sub_client_id, meter`,
    [resellerId, limit, from, until],
  )
  return rows.map((row) => ({
    subClientId: row.sub_client_id,
    meter: row.meter,
    entryCount: row.entry_count,
    isInMonth: row.is_in_month,
  }))
}

export type FoldedUsage = { readonly subClientId: string; readonly meter: LedgerMeter; readonly bucket: Date; readonly count: number }

/** Takes out up to `limit` folded entries of quarter-hours before `openSince`, the oldest, and answers them by sub-client and time. */
export async function takeClosedAcrossResellers(
  db: Db,
  resellerId: string,
  { oldestBucket, openSince }: { oldestBucket: Date; openSince: Date },
  limit: number,
): Promise<FoldedUsage[]> {
  const { rows } = await db.query<{ sub_client_id: string; meter: LedgerMeter; bucket: Date; count: number }>(
    `with closed as (
       select entry_id
         from usage_entries
        where reseller_id = $1 and folded and bucket >= $2 and bucket < $3
        order by bucket, meter, sub_client_id
        limit $4
     ), taken as (
       delete from usage_entries where entry_id = any (array(select entry_id from closed)) returning sub_client_id, meter, bucket, count
     )
     select sub_client_id, meter, bucket, sum(count)::float8 as count
       from taken
      group by sub_client_id, meter, bucket
      order by sub_client_id, bucket, meter`,
    [resellerId, oldestBucket, openSince, limit],
  )
  return rows.map(({ sub_client_id, ...rest }) => ({ subClientId: sub_client_id, ...rest }))
}

/** After entries were taken out: from which quarter-hour on there are any. */
export async function noteOldestAcrossResellers(db: Db, resellerId: string, formerly: Date): Promise<void> {
  await db.query(
    `update usage_turns
        set oldest_bucket = (select bucket from usage_entries where reseller_id = $1 and folded and bucket >= $2 order by bucket limit 1)
      where reseller_id = $1`,
    [resellerId, formerly],
  )
}

/** Whether an entry received before `until` waits to be sealed. */
export async function isWaitingBeforeAcrossResellers(db: Db, resellerId: string, until: Date): Promise<boolean> {
  const { rows } = await db.query<{ is_waiting: boolean }>(
    `select coalesce((select bucket < $2 from usage_entries where reseller_id = $1 and not folded order by bucket limit 1), false)
            or coalesce((select bucket < $2 from usage_entries where reseller_id = $1 and folded order by bucket limit 1), false) as is_waiting`,
    [resellerId, until],
  )
  return rows[0]?.is_waiting ?? true
}

export type ChainEnd = {
  readonly subClientId: string
  readonly lastSeq: number
  readonly lastHash: Buffer
  /** In the days of which zone its lines are added up, all of them; undefined: not yet. */
  readonly daysZone: string | undefined
}

/** Those that have lines; in no order. */
export async function selectChainEndsAcrossResellers(db: Db, resellerId: string, subClientIds: readonly string[]): Promise<ChainEnd[]> {
  const { rows } = await db.query<ChainEndRow>(
    `select c.sub_client_id, c.last_seq, c.last_hash, c.days_zone
       from unnest($2::text[]) as o (sub_client_id)
      cross join lateral (select * from usage_chains c where c.reseller_id = $1 and c.sub_client_id = o.sub_client_id offset 0) c`,
    [resellerId, subClientIds],
  )
  return rows.map((row) => ({
    subClientId: row.sub_client_id,
    lastSeq: Number(row.last_seq),
    lastHash: row.last_hash,
    daysZone: row.days_zone ?? undefined,
  }))
}

export type ChainLine = SealedLine & { readonly subClientId: string }

/** `newDaysZone`: of chains that begin with these lines. */
export async function appendLinesAcrossResellers(
  db: Db,
  resellerId: string,
  lines: readonly ChainLine[],
  newDaysZone: string,
): Promise<void> {
  await db.query(
    `with appended as (
       insert into usage_lines (reseller_id, sub_client_id, seq, bucket, meter, count, hash)
       select $1, * from unnest($2::text[], $3::bigint[], $4::timestamptz[], $5::text[], $6::bigint[], $7::bytea[])
       returning sub_client_id, seq, bucket, meter, count, hash
     ), ends as (
       insert into usage_chains (reseller_id, sub_client_id, last_seq, last_hash, days_zone)
       select distinct on (sub_client_id) $1, sub_client_id, seq, hash, $8
         from appended
        order by sub_client_id, seq desc
       on conflict (reseller_id, sub_client_id) do update set last_seq = excluded.last_seq, last_hash = excluded.last_hash
     )
     insert into usage_months as m (reseller_id, meter, month, sub_client_id, count)
     select $1, meter, date_trunc('month', bucket at time zone 'UTC')::date, sub_client_id, sum(count)
       from appended
      group by 2, 3, 4
     on conflict (reseller_id, meter, month, sub_client_id) do update set count = m.count + excluded.count`,
    [
      resellerId,
      lines.map(({ subClientId }) => subClientId),
      lines.map(({ seq }) => seq),
      lines.map(({ bucket }) => bucket),
      lines.map(({ meter }) => meter),
      lines.map(({ count }) => count),
      lines.map(({ hash }) => hash),
      newDaysZone,
    ],
  )
}

/** Removes a bounded number of notes of who was active, of periods that no reading can be received in any more. */
export async function deleteOldActiveDevicesAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from usage_active_devices
      where (device_id, reseller_id, sub_client_id, period) in (
        select device_id, reseller_id, sub_client_id, period from usage_active_devices where bucket < $1 order by bucket limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}

/** Of a reseller that has no closed month yet all are null. */
type LastPeriodRow = { [K in keyof PeriodRow]: PeriodRow[K] | null }

type VisitRow = LastPeriodRow & {
  reseller_id: string
  zone_now: string
  oldest_bucket: Date | null
  has_raw: boolean
  has_device_limits: boolean
  has_other_days: boolean
}

type TurnRow = LastPeriodRow & { zone_now: string; oldest_bucket: Date | null; devices_after: string }

type ChainEndRow = { sub_client_id: string; last_seq: string; last_hash: Buffer; days_zone: string | null }

function lastPeriodFromRow(row: LastPeriodRow): ClosedPeriod | undefined {
  return row.month === null ? undefined : periodFromRow(row as PeriodRow)
}
