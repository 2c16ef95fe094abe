import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Removes a bounded number of what is old, a table at a time. Answers the most it removed of one; call again while it is that number. */
export async function deleteOldDeliveriesAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  // By ctid: keys PostgreSQL may take from an index that has the time as well, but not in its order, and each statement reads it from end to end.
  const deliveries = await db.query(
    `delete from webhook_deliveries
      where ctid = any (array(select ctid from webhook_deliveries where created_at < $1 order by created_at limit $2))`,
    [before, limit],
  )
  const messages = await db.query(
    `delete from webhook_messages
      where ctid = any (array(select ctid from webhook_messages where created_at < $1 order by created_at limit $2))`,
    [before, limit],
  )
  return Math.max(deliveries.rowCount ?? 0, messages.rowCount ?? 0)
}

/** The same for attempts of before their table was partitioned; others go with their partitions. */
export async function deleteOldAttemptsAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from webhook_attempts
      where to_regclass('public.webhook_attempts_before') is not null and tableoid = to_regclass('public.webhook_attempts_before')
        and ctid = any (array(select ctid from webhook_attempts
                               where tableoid = to_regclass('public.webhook_attempts_before') and attempted_at < $1
                               order by attempted_at limit $2))`,
    [before, limit],
  )
  return rowCount ?? 0
}

/** The same for what deleted endpoints leave behind, the attempts with their deliveries. */
export async function deleteDeliveriesOfDeletedAcrossResellers(db: Db, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with removed as (
       delete from webhook_deliveries
        where (reseller_id, delivery_id) in (
                select d.reseller_id, d.delivery_id
                  from webhook_endpoints e
                  join webhook_deliveries d using (reseller_id, endpoint_id)
                 where e.status = 'deleted'
                 limit $1)
       returning reseller_id, delivery_id
     ), attempts as (
       delete from webhook_attempts a using removed r where a.reseller_id = r.reseller_id and a.delivery_id = r.delivery_id
     )
     select count(*)::int as count from removed`,
    [limit],
  )
  return rows[0]?.count ?? 0
}

/** Removes deleted endpoints of which nothing is left. */
export async function deleteEmptiedEndpointsAcrossResellers(db: Db): Promise<void> {
  await db.query(
    `delete from webhook_endpoints e
      where e.status = 'deleted'
        and not exists (select from webhook_deliveries d where d.reseller_id = e.reseller_id and d.endpoint_id = e.endpoint_id)`,
  )
}
