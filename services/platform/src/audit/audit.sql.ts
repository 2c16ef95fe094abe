import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Position } from '@roadworthy/service-kit/postgres/keyset'

export type ActorType = 'key' | 'user' | 'cli' | 'system' | 'anonymous'

/** What a field was and is. Both are left out where the field is a secret. */
export type FieldChange = { readonly from?: unknown; readonly to?: unknown }

export type AuditRow = {
  readonly auditId: string
  readonly at: Date
  readonly type: ActorType
  readonly id: string
  /** What the key was called, or the person's address, when it happened. */
  readonly name?: string | undefined
  readonly action: string
  readonly objectId: string
  readonly subClientId?: string | undefined
  readonly requestId?: string | undefined
  readonly address?: string | undefined
  readonly changes: Readonly<Record<string, FieldChange>>
}

/** Keeps the name of the author beside the id: the row outlives both the key and the person. */
export async function insertAuditRow(db: Db, row: AuditRow & { readonly resellerId: string }): Promise<void> {
  await db.query(
    `insert into audit_log
       (reseller_id, audit_id, at, actor_type, actor_id, actor_name, action, object_id, sub_client_id, request_id, address, changes)
     values ($1, $2, $3, $4, $5,
             case $4::text when 'user' then (select email from users where reseller_id = $1 and user_id = $5)
                           when 'key' then (select name from api_keys where reseller_id = $1 and key_id = $5) end,
             $6, $7, $8, $9, $10, $11::jsonb)`,
    [
      row.resellerId,
      row.auditId,
      row.at,
      row.type,
      row.id,
      row.action,
      row.objectId,
      row.subClientId ?? null,
      row.requestId ?? null,
      row.address ?? null,
      JSON.stringify(row.changes),
    ],
  )
}

export type AuditFilter = {
  readonly actorId: string | undefined
  readonly action: string | undefined
  readonly objectId: string | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
}

const filtered = `
  reseller_id = $1 and ($2::text is null or actor_id = $2) and ($3::text is null or action = $3) and ($4::text is null or object_id = $4)
  and ($5::timestamptz is null or at >= $5) and ($6::timestamptz is null or at < $6)`

function filterValues(resellerId: string, filter: AuditFilter): unknown[] {
  return [resellerId, filter.actorId, filter.action, filter.objectId, filter.from, filter.to].map((value) => value ?? null)
}

/** Newest first, one more than the page holds. */
export async function selectAuditRows(
  db: Db,
  resellerId: string,
  filter: AuditFilter,
  page: { after: Position; limit: number },
): Promise<AuditRow[]> {
  const { rows } = await db.query<StoredRow>(
    `select audit_id, at, actor_type, actor_id, actor_name, action, object_id, sub_client_id, request_id, address, changes
       from audit_log
      where ${filtered} and (at, audit_id) < ($7::timestamptz, $8)
        -- Repeated for the partitions, which no row comparison rules out.
        and at <= $7::timestamptz
      order by at desc, audit_id desc
      limit $9`,
    [...filterValues(resellerId, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(auditRowFromRow)
}

export async function countAuditRows(db: Db, resellerId: string, filter: AuditFilter): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*)::integer as total from audit_log where ${filtered}`,
    filterValues(resellerId, filter),
  )
  return rows[0]?.total ?? 0
}

/** Up to when the log of a reseller has been removed. */
export async function selectAuditRemovedUpTo(db: Db, resellerId: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ removed_up_to: Date }>('select removed_up_to from audit_log_starts where reseller_id = $1', [
    resellerId,
  ])
  return rows[0]?.removed_up_to
}

/** Notes that the log of every reseller is removed as far as it is older than `before`: to be called before it is. */
export async function noteAuditRemovedBeforeAcrossResellers(db: Db, before: Date): Promise<void> {
  await db.query(
    `insert into audit_log_starts as s (reseller_id, removed_up_to)
     select r.reseller_id, last.at
       from resellers r
      cross join lateral (select a.at from audit_log a
                           where a.reseller_id = r.reseller_id and a.at < $1
                           order by a.at desc, a.audit_id desc limit 1) last
     on conflict (reseller_id) do update set removed_up_to = greatest(s.removed_up_to, excluded.removed_up_to)
      where s.removed_up_to < excluded.removed_up_to`,
    [before],
  )
}

/**
 * Removes a bounded number of the rows of before the log was partitioned, which go row by row, and notes up to when, in one statement. Answers
 * how many; call again while it is that number.
 */
export async function deleteOldAuditRowsAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with removed as (
       delete from audit_log
        where to_regclass('public.audit_log_before') is not null and tableoid = to_regclass('public.audit_log_before')
          and ctid = any (array(select ctid from audit_log
                                 where tableoid = to_regclass('public.audit_log_before') and at < $1 order by at limit $2))
       returning reseller_id, at
     ), noted as (
       insert into audit_log_starts as s (reseller_id, removed_up_to)
       select reseller_id, max(at) from removed group by reseller_id
       on conflict (reseller_id) do update set removed_up_to = greatest(s.removed_up_to, excluded.removed_up_to)
     )
     select count(*)::int as count from removed`,
    [before, limit],
  )
  return rows[0]?.count ?? 0
}

type StoredRow = {
  audit_id: string
  at: Date
  actor_type: AuditRow['type']
  actor_id: string
  actor_name: string | null
  action: string
  object_id: string
  sub_client_id: string | null
  request_id: string | null
  address: string | null
  changes: Record<string, FieldChange>
}

function auditRowFromRow(row: StoredRow): AuditRow {
  return {
    auditId: row.audit_id,
    at: row.at,
    type: row.actor_type,
    id: row.actor_id,
    name: row.actor_name ?? undefined,
    action: row.action,
    objectId: row.object_id,
    subClientId: row.sub_client_id ?? undefined,
    requestId: row.request_id ?? undefined,
    address: row.address ?? undefined,
    changes: row.changes,
  }
}
