import type { Db } from '@roadworthy/service-kit/postgres/db'

/** `callId` is of this call alone. */
export type CallId = { readonly credentialHmacHex: string; readonly callId: string }
export type CallTerms = { readonly maxPerSecond: number; readonly maxConcurrent: number; readonly leaseS: number }

/** How long somebody waits who found another at it: a call of a platform takes some hundred milliseconds, an assumption. */
const BUSY_MS = 25

/**
 * Begins a call and answers 0, or begins nothing and answers after how many milliseconds to ask again. A call counts from here until a second after its
 * end, so that no second has more than `maxPerSecond`, however late a call arrives. `on conflict` holds the row before it reads the clock.
 */
export async function beginCallAcrossResellers(db: Db, { credentialHmacHex, callId }: CallId, terms: CallTerms): Promise<number> {
  const { rows } = await db.query<{ wait_ms: number }>(
    `insert into operator_calls as c (credential_hmac, under_way, ended, wait_ms, used_at)
     values (decode($1, 'hex'), jsonb_build_object($2::text, extract(epoch from clock_timestamp())::float8 + $5::float8), '{}', 0,
             clock_timestamp())
         on conflict (credential_hmac) do update
            set (under_way, ended, wait_ms, used_at) = (
                select case when wait_ms = 0 then calls || jsonb_build_object($2::text, at + $5::float8) else calls end, ended, wait_ms,
                       to_timestamp(at)
                  from (select extract(epoch from clock_timestamp())::float8 as at) clock
                 cross join lateral (
                       select coalesce(jsonb_object_agg(key, value), '{}') as calls, count(*) as under_way_count
                         from jsonb_each(c.under_way)
                        where value::float8 > at and value::float8 <= at + $5::float8) live
                 cross join lateral (
                       select coalesce(array_agg(ended_at), '{}') as ended, count(*) as ended_count, min(ended_at) as first_ended_at
                         from unnest(c.ended) ended_at
                        where ended_at > at - 1 and ended_at <= at) recent
                 cross join lateral (
                       select case when under_way_count >= $4 then ${BUSY_MS}
                                   when under_way_count + ended_count < $3 then 0
                                   else ceil(coalesce((first_ended_at + 1 - at) * 1000, ${BUSY_MS}))::integer
                              end as wait_ms) turn)
      returning wait_ms`,
    [credentialHmacHex, callId, terms.maxPerSecond, terms.maxConcurrent, terms.leaseS],
  )
  return rows[0]?.wait_ms ?? BUSY_MS
}

/** It is under way for another lease. False: it is not any more, and another may have begun. */
export async function extendCallAcrossResellers(db: Db, { credentialHmacHex, callId }: CallId, leaseS: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update operator_calls
        set under_way = under_way || jsonb_build_object($2::text, extract(epoch from clock_timestamp())::float8 + $3::float8)
      where credential_hmac = decode($1, 'hex') and under_way ? $2`,
    [credentialHmacHex, callId, leaseS],
  )
  return rowCount === 1
}

export async function endCallAcrossResellers(db: Db, { credentialHmacHex, callId }: CallId): Promise<void> {
  await db.query(
    `update operator_calls
        set under_way = under_way - $2::text, ended = ended || extract(epoch from clock_timestamp())::float8
      where credential_hmac = decode($1, 'hex') and under_way ? $2`,
    [credentialHmacHex, callId],
  )
}

/** Of credentials that nobody used since then. */
export async function deleteOldCallsAcrossResellers(db: Db, usedBefore: Date): Promise<void> {
  await db.query('delete from operator_calls where used_at < $1', [usedBefore])
}
