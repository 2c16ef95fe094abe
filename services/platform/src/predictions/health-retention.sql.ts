// Points of the health history that go before their partition does.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { RetentionTerms } from '../history/retention.sql.ts'

/** Deletes a bounded number of the rows of before the table was partitioned, which go row by row. Call again while it returns that number. */
export async function deleteOldHealthHistoryAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from health_history
      where to_regclass('public.health_history_before') is not null and tableoid = to_regclass('public.health_history_before')
        and ctid = any (array(select ctid from health_history
                               where tableoid = to_regclass('public.health_history_before') and scored_at < $1 limit $2))`,
    [before, limit],
  )
  return rowCount ?? 0
}

type VehicleKey = { readonly resellerId: string; readonly vehicleId: string }
/** Vehicles in the order of their keys: those behind `after`, up to `last`; undefined: from the first, or to the end. */
export type VehicleSpan = { readonly after: VehicleKey | undefined; readonly last: VehicleKey | undefined }

/** All vehicles in spans of so many. */
export async function selectVehicleSpansAcrossResellers(db: Db, vehicleCount: number): Promise<VehicleSpan[]> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string }>(
    `select reseller_id, vehicle_id
       from (select reseller_id, vehicle_id, row_number() over (order by reseller_id, vehicle_id) as nth from vehicles) v
      where nth % $1 = 0
      order by reseller_id, vehicle_id`,
    [vehicleCount],
  )
  const ends = rows.map((row) => ({ resellerId: row.reseller_id, vehicleId: row.vehicle_id }))
  return [...ends, undefined].map((last, nth) => ({ after: ends[nth - 1], last }))
}

export type PastHealth = {
  readonly terms: RetentionTerms
  /** Of who sets nothing. */
  readonly presetDays: number
  readonly at: Date
  /** Undefined: from the beginning. */
  readonly from: Date | undefined
  readonly to: Date
  readonly vehicles: VehicleSpan
}

/**
 * Until the end of the transaction. Partitions of after the first are for who means a row by its key (migration 0077). PostgreSQL takes a span of vehicles of one reseller for all of its points, and
 * would read the whole partition for it.
 */
export async function beginDeletingByKey(db: Db): Promise<void> {
  await db.query(`select set_config('app.deletes_by_key', 'on', true), set_config('enable_seqscan', 'off', true)`)
}

/**
 * Deletes points that were scored between `from` and `to` and are past the time of their reseller or sub-client. One scan for the terms of all: what is kept for ever lies among what goes.
 * The transaction has begun to delete by key. Call again while it returns `limit`.
 */
export async function deletePastHealthAcrossResellers(
  db: Db,
  { terms, presetDays, at, from, to, vehicles: { after, last } }: PastHealth,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `with term as materialized (select * from unnest($1::text[], $2::text[], $3::int[]) t (reseller_id, sub_client_id, days)),
     past as materialized (
       select h.reseller_id, h.vehicle_id, h.scored_at
         from health_history h
         left join vehicles v on h.sub_client_id is null and v.reseller_id = h.reseller_id and v.vehicle_id = h.vehicle_id
         left join term own on own.reseller_id = h.reseller_id and own.sub_client_id = coalesce(h.sub_client_id, v.sub_client_id) and own.sub_client_id <> ''
         left join term whole on whole.reseller_id = h.reseller_id and whole.sub_client_id = ''
        where h.scored_at >= coalesce($5::timestamptz, '-infinity') and h.scored_at < $6
          and h.scored_at < $4::timestamptz - make_interval(days => case when own.reseller_id is not null then own.days
                                                                         when whole.reseller_id is not null then whole.days
                                                                         else $7::int end)
          and ($9::text is null or (h.reseller_id, h.vehicle_id) > ($9, $10)) and ($11::text is null or (h.reseller_id, h.vehicle_id) <= ($11, $12))
        limit $8)
     delete from health_history h
      using past p
      where h.reseller_id = p.reseller_id and h.vehicle_id = p.vehicle_id and h.scored_at = p.scored_at
        and h.scored_at >= coalesce($5::timestamptz, '-infinity') and h.scored_at < $6`,
    [
      terms.map(({ resellerId }) => resellerId),
      terms.map(({ subClientId }) => subClientId),
      terms.map(({ days }) => days),
      ...[at, from ?? null, to, presetDays, limit],
      ...[after, last].flatMap((key) => [key?.resellerId ?? null, key?.vehicleId ?? null]),
    ],
  )
  return rowCount ?? 0
}
