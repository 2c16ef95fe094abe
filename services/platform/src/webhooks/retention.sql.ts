import type { Db } from '@roadworthy/service-kit/db'

/** Removes a bounded number of what is old, a table at a time. Answers the most it removed of one; call again while it is that number. */
export async function deleteOldDeliveriesAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const attempts = await db.query(
    `delete from webhook_attempts
      where (reseller_id, delivery_id, attempt_id) in (
              select reseller_id, delivery_id, attempt_id from webhook_attempts where attempted_at < $1 order by attempted_at limit $2)`,
    [before, limit],
  )
  const deliveries = await db.query(
    `delete from webhook_deliveries
      where (reseller_id, delivery_id) in (select reseller_id, delivery_id from webhook_deliveries where created_at < $1 order by created_at limit $2)`,
    [before, limit],
  )
  const messages = await db.query(
    `delete from webhook_messages
      where (reseller_id, event_id) in (select reseller_id, event_id from webhook_messages where created_at < $1 order by created_at limit $2)`,
    [before, limit],
  )
  return Math.max(attempts.rowCount ?? 0, deliveries.rowCount ?? 0, messages.rowCount ?? 0)
}

/** The same for what deleted endpoints leave behind. */
export async function deleteDeliveriesOfDeletedAcrossResellers(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from webhook_deliveries
      where (reseller_id, delivery_id) in (
              select d.reseller_id, d.delivery_id
                from webhook_endpoints e
                join webhook_deliveries d using (reseller_id, endpoint_id)
               where e.status = 'deleted'
               limit $1)`,
    [limit],
  )
  return rowCount ?? 0
}

/** Removes deleted endpoints of which nothing is left. */
export async function deleteEmptiedEndpointsAcrossResellers(db: Db): Promise<void> {
  await db.query(
    `delete from webhook_endpoints e
      where e.status = 'deleted'
        and not exists (select from webhook_deliveries d where d.reseller_id = e.reseller_id and d.endpoint_id = e.endpoint_id)`,
  )
}
