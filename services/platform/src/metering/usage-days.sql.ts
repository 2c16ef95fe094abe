import type { Db } from '@roadworthy/service-kit/db'
import type { LedgerMeter } from './meters.ts'
import type { ChainOwner } from './usage-chain.ts'

/** A chain, and the zone whose days its lines are to be added up by. */
export type ZonedChain = ChainOwner & { readonly timeZone: string }

export type DayCount = ChainOwner & { readonly startsAtMs: number; readonly meter: LedgerMeter; readonly count: number }

/** Those of the chains that are added up by the days of their reseller's zone. */
export async function selectChainsWithDaysAcrossResellers(db: Db, owners: readonly ChainOwner[]): Promise<ZonedChain[]> {
  const { rows } = await db.query<ZonedChainRow>(
    `select reseller_id, sub_client_id, r.time_zone
       from unnest($1::text[], $2::text[]) as o (reseller_id, sub_client_id)
       join usage_chains c using (reseller_id, sub_client_id)
       join resellers r using (reseller_id)
      where c.days_zone = r.time_zone`,
    [owners.map(({ resellerId }) => resellerId), owners.map(({ subClientId }) => subClientId)],
  )
  return rows.map(chainFromRow)
}

/** At most `limit` of those that are not. */
export async function selectChainsWithoutDaysAcrossResellers(db: Db, limit: number): Promise<ZonedChain[]> {
  const { rows } = await db.query<ZonedChainRow>(
    `select reseller_id, sub_client_id, r.time_zone
       from usage_chains c
       join resellers r using (reseller_id)
      where c.days_zone is distinct from r.time_zone
      limit $1`,
    [limit],
  )
  return rows.map(chainFromRow)
}

export async function addDaysAcrossResellers(db: Db, days: readonly DayCount[]): Promise<void> {
  await db.query(
    `insert into usage_days as d (reseller_id, sub_client_id, starts_at, meter, count)
     select reseller_id, sub_client_id, starts_at, meter, sum(count)
       from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::bigint[]) as a (reseller_id, sub_client_id, starts_at, meter, count)
      group by 1, 2, 3, 4
     on conflict (reseller_id, sub_client_id, starts_at, meter) do update set count = d.count + excluded.count`,
    [
      days.map(({ resellerId }) => resellerId),
      days.map(({ subClientId }) => subClientId),
      days.map(({ startsAtMs }) => new Date(startsAtMs)),
      days.map(({ meter }) => meter),
      days.map(({ count }) => count),
    ],
  )
}

/** From the first to the last quarter-hour that the chain has a line of. */
export async function selectChainSpanAcrossResellers(db: Db, { resellerId, subClientId }: ChainOwner) {
  const { rows } = await db.query<{ first: Date; last: Date }>(
    'select min(bucket) as first, max(bucket) as last from usage_lines where reseller_id = $1 and sub_client_id = $2',
    [resellerId, subClientId],
  )
  return rows[0]
}

/** Adds up all lines of a chain anew. `dayStartsMs`: every day of the chain's span in its zone, in order. */
export async function rebuildDaysAcrossResellers(
  db: Db,
  { resellerId, subClientId, timeZone }: ZonedChain,
  dayStartsMs: readonly number[],
): Promise<void> {
  await db.query('delete from usage_days where reseller_id = $1 and sub_client_id = $2', [resellerId, subClientId])
  await db.query(
    `insert into usage_days (reseller_id, sub_client_id, starts_at, meter, count)
     select reseller_id, sub_client_id, ($3::timestamptz[])[width_bucket(bucket, $3::timestamptz[])], meter, sum(count)
       from usage_lines
      where reseller_id = $1 and sub_client_id = $2
      group by 1, 2, 3, 4`,
    [resellerId, subClientId, dayStartsMs.map((startMs) => new Date(startMs))],
  )
  await db.query('update usage_chains set days_zone = $3 where reseller_id = $1 and sub_client_id = $2', [
    resellerId,
    subClientId,
    timeZone,
  ])
}

type ZonedChainRow = { reseller_id: string; sub_client_id: string; time_zone: string }

function chainFromRow(row: ZonedChainRow): ZonedChain {
  return { resellerId: row.reseller_id, subClientId: row.sub_client_id, timeZone: row.time_zone }
}
