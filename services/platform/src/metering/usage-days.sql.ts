import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { LedgerMeter } from './meters.ts'

/** A chain that is not added up by the days of its reseller's zone. */
export type ChainToAddUp = {
  readonly subClientId: string
  readonly lastSeq: number
  /** In the days of which zone all its lines are added up; undefined: not all are. */
  readonly daysZone: string | undefined
  /** In the days of which zone they are being added up, and up to which line that is done. */
  readonly buildingZone: string | undefined
  readonly builtSeq: number
}

export type DayCount = { readonly subClientId: string; readonly startsAtMs: number; readonly meter: LedgerMeter; readonly count: number }

/** Lines of a chain, after the first and up to the second; `isWhole` where that is its last. */
export type LinesToAdd = { readonly subClientId: string; readonly afterSeq: number; readonly untilSeq: number; readonly isWhole: boolean }

/** Up to `limit` of them, those that have been begun first. */
export async function selectChainsToAddUpAcrossResellers(
  db: Db,
  resellerId: string,
  timeZone: string,
  limit: number,
): Promise<ChainToAddUp[]> {
  const { rows } = await db.query<ChainRow>(
    `(select * from usage_chains where reseller_id = $1 and days_zone is null limit $3)
     union all
     (select * from usage_chains where reseller_id = $1 and days_zone < $2 limit $3)
     union all
     (select * from usage_chains where reseller_id = $1 and days_zone > $2 limit $3)
     limit $3`,
    [resellerId, timeZone, limit],
  )
  return rows.map((row) => ({
    subClientId: row.sub_client_id,
    lastSeq: Number(row.last_seq),
    daysZone: row.days_zone ?? undefined,
    buildingZone: row.days_building_zone ?? undefined,
    builtSeq: Number(row.days_built_seq),
  }))
}

/** Takes away up to `limit` days of each of these chains. One that has none left can be added up by the days of the zone. */
export async function clearDaysAcrossResellers(
  db: Db,
  resellerId: string,
  { subClientIds, timeZone, limit }: { subClientIds: readonly string[]; timeZone: string; limit: number },
): Promise<void> {
  await db.query(
    `with old as (
       select c.sub_client_id, d.ctid
         from unnest($2::text[]) as c (sub_client_id)
        cross join lateral (select ctid from usage_days d where d.reseller_id = $1 and d.sub_client_id = c.sub_client_id limit $4) d
     ), deleted as (
       delete from usage_days where ctid = any (array(select ctid from old))
     )
     update usage_chains u
        set days_zone = null, days_built_seq = 0, days_building_zone = case when coalesce(o.count, 0) < $4 then $3 end
       from unnest($2::text[]) as c (sub_client_id)
       left join (select sub_client_id, count(*) from old group by 1) o using (sub_client_id)
      where u.reseller_id = $1 and u.sub_client_id = c.sub_client_id`,
    [resellerId, subClientIds, timeZone, limit],
  )
}

export async function addDaysAcrossResellers(db: Db, resellerId: string, days: readonly DayCount[]): Promise<void> {
  await db.query(
    `insert into usage_days as d (reseller_id, sub_client_id, starts_at, meter, count)
     select $1, sub_client_id, starts_at, meter, sum(count)
       from unnest($2::text[], $3::timestamptz[], $4::text[], $5::bigint[]) as a (sub_client_id, starts_at, meter, count)
      group by 2, 3, 4
     on conflict (reseller_id, sub_client_id, starts_at, meter) do update set count = d.count + excluded.count`,
    [
      resellerId,
      days.map(({ subClientId }) => subClientId),
      days.map(({ startsAtMs }) => new Date(startsAtMs)),
      days.map(({ meter }) => meter),
      days.map(({ count }) => count),
    ],
  )
}

/** From the first to the last quarter-hour that any of these lines is of. */
export async function selectSpanOfLinesAcrossResellers(
  db: Db,
  resellerId: string,
  lines: readonly LinesToAdd[],
): Promise<{ first: Date; last: Date } | undefined> {
  const { rows } = await db.query<{ first: Date | null; last: Date | null }>(
    `select min(l.bucket) as first, max(l.bucket) as last
       from unnest($2::text[], $3::bigint[], $4::bigint[]) as c (sub_client_id, after_seq, until_seq)
      cross join lateral (
        select bucket from usage_lines l
         where l.reseller_id = $1 and l.sub_client_id = c.sub_client_id and l.seq > c.after_seq and l.seq <= c.until_seq
        offset 0
      ) l`,
    [resellerId, ...linesColumns(lines)],
  )
  const { first, last } = rows[0] ?? {}
  return first && last ? { first, last } : undefined
}

/** `dayStartsMs`: every day of the lines' span in the zone, in order. */
export async function addLinesToDaysAcrossResellers(
  db: Db,
  resellerId: string,
  lines: readonly LinesToAdd[],
  dayStartsMs: readonly number[],
): Promise<void> {
  await db.query(
    `insert into usage_days as d (reseller_id, sub_client_id, starts_at, meter, count)
     select $1, c.sub_client_id, ($5::timestamptz[])[width_bucket(l.bucket, $5::timestamptz[])], l.meter, sum(l.count)
       from unnest($2::text[], $3::bigint[], $4::bigint[]) as c (sub_client_id, after_seq, until_seq)
      cross join lateral (
        select bucket, meter, count from usage_lines l
         where l.reseller_id = $1 and l.sub_client_id = c.sub_client_id and l.seq > c.after_seq and l.seq <= c.until_seq
        offset 0
      ) l
      group by 2, 3, 4
     on conflict (reseller_id, sub_client_id, starts_at, meter) do update set count = d.count + excluded.count`,
    [resellerId, ...linesColumns(lines), dayStartsMs.map((startMs) => new Date(startMs))],
  )
}

/** Notes that these lines are added up; a chain of which they were the last is by the days of the zone. */
export async function noteAddedAcrossResellers(db: Db, resellerId: string, lines: readonly LinesToAdd[], timeZone: string): Promise<void> {
  await db.query(
    `update usage_chains u
        set days_zone = case when c.is_whole then $5 end, days_building_zone = case when not c.is_whole then $5 end,
            days_built_seq = case when c.is_whole then 0 else c.until_seq end
       from unnest($2::text[], $3::bigint[], $4::bool[]) as c (sub_client_id, until_seq, is_whole)
      where u.reseller_id = $1 and u.sub_client_id = c.sub_client_id`,
    [
      resellerId,
      lines.map(({ subClientId }) => subClientId),
      lines.map(({ untilSeq }) => untilSeq),
      lines.map(({ isWhole }) => isWhole),
      timeZone,
    ],
  )
}

function linesColumns(lines: readonly LinesToAdd[]): [string[], number[], number[]] {
  return [lines.map(({ subClientId }) => subClientId), lines.map(({ afterSeq }) => afterSeq), lines.map(({ untilSeq }) => untilSeq)]
}

type ChainRow = {
  sub_client_id: string
  last_seq: string
  days_zone: string | null
  days_building_zone: string | null
  days_built_seq: string
}
