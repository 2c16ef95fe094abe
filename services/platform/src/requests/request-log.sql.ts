import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Position } from '@roadworthy/service-kit/postgres/keyset'
import type { SurfaceName } from '../limits/plans.ts'
import type { LoggedCall, StatusClass } from './logged-call.ts'

export async function insertCallsAcrossResellers(db: Db, calls: readonly LoggedCall[]): Promise<void> {
  const column = (of: (call: LoggedCall) => unknown) => calls.map((call) => of(call) ?? null)
  await db.query(
    {
      name: 'insert_request_log',
      text: `insert into request_log (reseller_id, entry_id, at, key_id, sub_client_id, surface, method, path, query, status, duration_ms,
                                      request_id, error_code, error_message, address, user_agent)
             select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                                  $9::text[], $10::smallint[], $11::integer[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[])`,
    },
    [
      column(({ resellerId }) => resellerId),
      column(({ entryId }) => entryId),
      column(({ at }) => at),
      column(({ keyId }) => keyId),
      column(({ subClientId }) => subClientId),
      column(({ surface }) => surface),
      column(({ method }) => method),
      column(({ path }) => path),
      column(({ query }) => query),
      column(({ status }) => status),
      column(({ durationMs }) => durationMs),
      column(({ requestId }) => requestId),
      column(({ error }) => error?.code),
      column(({ error }) => error?.message),
      column(({ address }) => address),
      column(({ userAgent }) => userAgent),
    ],
  )
}

export type CallsOfKey = { readonly resellerId: string; readonly keyId: string; readonly isRefused: boolean }

/** Of each of these keys, keeps the newest `kept` calls that were refused, or that were not. One process does it at a time. */
export async function deleteCallsBeyondAcrossResellers(db: Db, keys: readonly CallsOfKey[], kept: number): Promise<void> {
  await db.query(
    `with beyond as (
       select k.reseller_id, k.key_id, k.is_refused, last.at, last.entry_id
         from unnest($1::text[], $2::text[], $3::boolean[]) k (reseller_id, key_id, is_refused)
        cross join lateral (select r.at, r.entry_id
                              from request_log r
                             where r.reseller_id = k.reseller_id and r.key_id = k.key_id and r.is_refused = k.is_refused
                             order by r.at desc, r.entry_id desc
                            offset $4 limit 1) last
        where pg_try_advisory_xact_lock(hashtextextended('request_log', 0))
     )
     delete from request_log r
      using beyond b
      where r.reseller_id = b.reseller_id and r.key_id = b.key_id and r.is_refused = b.is_refused and (r.at, r.entry_id) <= (b.at, b.entry_id)`,
    [keys.map(({ resellerId }) => resellerId), keys.map(({ keyId }) => keyId), keys.map(({ isRefused }) => isRefused), kept],
  )
}

/** Removes a bounded number of calls of before, the oldest first, and answers how many. */
export async function deleteOldRequestsAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'delete from request_log where ctid = any (array(select ctid from request_log where at < $1 order by at limit $2))',
    [before, limit],
  )
  return rowCount ?? 0
}

export type CallFilter = {
  /** Of the caller: calls of keys of another sub-client, and of the reseller's own, are none of its business. */
  readonly subClientPin: string | undefined
  readonly keyId: string | undefined
  readonly statusClass: StatusClass | undefined
  readonly method: string | undefined
  readonly pathPrefix: string | undefined
  readonly requestId: string | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
}

/** Written as literals where they are not given: an index on part of the table is used only where the statement contains it. */
const statusConditions: Readonly<Record<StatusClass, string>> = {
  '2xx': 'and status between 200 and 299',
  '3xx': 'and status between 300 and 399',
  '4xx': 'and is_refused and status < 500',
  '5xx': 'and is_refused and status >= 500',
  refused: 'and is_refused',
}

/** Newest first, one more than the page holds. */
export async function selectCalls(
  db: Db,
  resellerId: string,
  filter: CallFilter,
  page: { after: Position; limit: number },
): Promise<LoggedCall[]> {
  const { rows } = await db.query<StoredRow>(
    `select *
       from request_log
      where reseller_id = $1 and ($2::text is null or sub_client_id = $2) and ($3::text is null or key_id = $3)
        and ($4::text is null or method = $4) and ($5::text is null or starts_with(path, $5)) and ($6::text is null or request_id = $6)
        and ($7::timestamptz is null or at >= $7) and ($8::timestamptz is null or at < $8)
        ${filter.statusClass === undefined ? '' : statusConditions[filter.statusClass]}
        and (at, entry_id) < ($9::timestamptz, $10)
      order by at desc, entry_id desc
      limit $11`,
    [
      resellerId,
      ...[filter.subClientPin, filter.keyId, filter.method, filter.pathPrefix, filter.requestId, filter.from, filter.to].map(
        (value) => value ?? null,
      ),
      page.after.at,
      page.after.id,
      page.limit + 1,
    ],
  )
  return rows.map(callFromRow)
}

type StoredRow = {
  entry_id: string
  at: Date
  reseller_id: string
  key_id: string
  sub_client_id: string | null
  surface: SurfaceName
  method: string
  path: string
  query: string | null
  status: number
  duration_ms: number
  request_id: string
  error_code: string | null
  error_message: string | null
  address: string
  user_agent: string | null
}

function callFromRow(row: StoredRow): LoggedCall {
  return {
    entryId: row.entry_id,
    at: row.at,
    resellerId: row.reseller_id,
    keyId: row.key_id,
    subClientId: row.sub_client_id ?? undefined,
    surface: row.surface,
    method: row.method,
    path: row.path,
    query: row.query ?? undefined,
    status: row.status,
    durationMs: row.duration_ms,
    requestId: row.request_id,
    error: row.error_code === null ? undefined : { code: row.error_code, message: row.error_message ?? '' },
    address: row.address,
    userAgent: row.user_agent ?? undefined,
  }
}
