// For how long readings are kept: of the service, unless a reseller or one of its sub-clients sets another time.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { forgetCleared } from './cleared.sql.ts'

/** `subClientId` is '' for what holds for the whole reseller; null days: for ever. */
export type RetentionTerm = { readonly subClientId: string; readonly days: number | null }

export async function selectRetention(db: Db, resellerId: string): Promise<RetentionTerm[]> {
  const { rows } = await db.query<{ sub_client_id: string; days: number | null }>(
    'select sub_client_id, days from readings_retention where reseller_id = $1 order by sub_client_id',
    [resellerId],
  )
  return rows.map(({ sub_client_id: subClientId, days }) => ({ subClientId, days }))
}

/** Days by sub-client, undefined for none: infinite where they are for ever. */
export function keptDaysBy(terms: readonly RetentionTerm[], presetDays: number): (subClientId: string | undefined) => number {
  const daysOf = new Map(terms.map(({ subClientId, days }) => [subClientId, days ?? Number.POSITIVE_INFINITY]))
  const others = daysOf.get('') ?? presetDays
  return (subClientId = '') => daysOf.get(subClientId) ?? others
}

/** All that the reseller sets, in place of what it set before. */
export async function replaceRetention(db: Db, resellerId: string, terms: readonly RetentionTerm[]): Promise<void> {
  await forgetCleared(db, resellerId)
  await db.query('delete from readings_retention where reseller_id = $1', [resellerId])
  await db.query(
    'insert into readings_retention (reseller_id, sub_client_id, days) select $1, sub_client_id, days from unnest($2::text[], $3::int[]) t (sub_client_id, days)',
    [resellerId, terms.map(({ subClientId }) => subClientId), terms.map(({ days }) => days)],
  )
}

/** One change of it after the other. */
export async function lockRetention(db: Db, resellerId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('readings_retention ' || $1, 0))`, [resellerId])
}

/** The longest that anybody's readings and history of health are kept, in days: infinite where somebody keeps them for ever. */
export async function selectLongestDaysAcrossResellers(db: Db, presetDays: number): Promise<number> {
  const { rows } = await db.query<{ days: number }>(
    `select coalesce(max(coalesce(days::float8, 'infinity')), 0) as days from readings_retention`,
  )
  return Math.max(presetDays, rows[0]?.days ?? 0)
}

export type RetentionTerms = readonly (RetentionTerm & { readonly resellerId: string })[]

/** What is set by anybody; none where all is kept as the service has it. */
export async function selectTermsAcrossResellers(db: Db): Promise<RetentionTerms> {
  const { rows } = await db.query<{ reseller_id: string; sub_client_id: string; days: number | null }>(
    'select reseller_id, sub_client_id, days from readings_retention order by reseller_id, sub_client_id',
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, subClientId: row.sub_client_id, days: row.days }))
}

/** Readings of these sub-clients, or of all but these, are past their time when they were recorded before. */
export type PastRetention = {
  readonly resellerId: string
  readonly subClientIds: readonly string[]
  readonly isAllBut: boolean
  readonly days: number
}

/** Of resellers of whom any reading may be kept for shorter than partitions are; none where all are kept as the service has it. */
export async function selectShorterAcrossResellers(db: Db, presetDays: number): Promise<PastRetention[]> {
  const { rows } = await db.query<{ reseller_id: string; sub_client_ids: string[]; is_all_but: boolean; days: number }>(
    `select reseller_id, array[sub_client_id] as sub_client_ids, false as is_all_but, days
       from readings_retention
      where sub_client_id <> '' and days is not null
      union all
     select r.reseller_id, coalesce((select array_agg(o.sub_client_id) from readings_retention o where o.reseller_id = r.reseller_id and o.sub_client_id <> ''), '{}'),
            true, coalesce(w.days, $1)
       from resellers r
       left join readings_retention w on w.reseller_id = r.reseller_id and w.sub_client_id = ''
      where exists (select from readings_retention) and not (w.reseller_id is not null and w.days is null)
      order by reseller_id`,
    [presetDays],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, subClientIds: row.sub_client_ids, isAllBut: row.is_all_but, days: row.days }))
}

export type ExpiredFile = { readonly fileId: string; readonly resellerId: string; readonly subClientIds: readonly string[] }

/** Which readings a file holds that are all past their time, by sub-client. */
const EXPIRED = `
  select f.file_id, f.reseller_id, array_agg(s.sub_client_id) as sub_client_ids
    from sealed_readings_files f
   cross join unnest(f.sub_client_ids) s (sub_client_id)
    left join readings_retention own on own.reseller_id = f.reseller_id and own.sub_client_id = s.sub_client_id and s.sub_client_id <> ''
    left join readings_retention whole on whole.reseller_id = f.reseller_id and whole.sub_client_id = ''
   where f.state = 'live'
     and f.last_recorded_at < $1::timestamptz - make_interval(days => case when own.reseller_id is not null then own.days
                                                                           when whole.reseller_id is not null then whole.days
                                                                           else $2::int end)
   group by f.file_id, f.reseller_id`

export async function selectExpiredFilesAcrossResellers(db: Db, at: Date, presetDays: number): Promise<ExpiredFile[]> {
  const { rows } = await db.query<{ file_id: string; reseller_id: string; sub_client_ids: string[] }>(`${EXPIRED} order by f.file_id`, [
    at,
    presetDays,
  ])
  return rows.map((row) => ({ fileId: row.file_id, resellerId: row.reseller_id, subClientIds: row.sub_client_ids }))
}

/** Whether there is something to clean up or to expire. */
export async function hasWorkAcrossResellers(db: Db, at: Date, presetDays: number): Promise<boolean> {
  const { rows } = await db.query<{ there_is: boolean }>(
    `select exists (select from sealed_readings_files where state <> 'live') or exists (${EXPIRED}) as there_is`,
    [at, presetDays],
  )
  return rows[0]?.there_is === true
}
