import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { NewNotification } from '../notifications.sql.ts'
import type { PushSubscription } from './push-subscription.ts'

/** Held to the end of the transaction: subscriptions of a person are counted and added by one at a time. */
export async function lockPushSubscriptions(db: Db, resellerId: string, userId: string): Promise<PushSubscription[]> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('push_subscriptions ' || $1 || ' ' || $2, 0))", [resellerId, userId])
  return await selectPushSubscriptions(db, resellerId, userId)
}

/** Oldest first. */
export async function selectPushSubscriptions(db: Db, resellerId: string, userId: string): Promise<PushSubscription[]> {
  const { rows } = await db.query<PushSubscriptionRow>(
    'select * from push_subscriptions where reseller_id = $1 and user_id = $2 order by created_at, subscription_id',
    [resellerId, userId],
  )
  return rows.map(subscriptionFromRow)
}

export async function selectPushSubscription(
  db: Db,
  resellerId: string,
  subscriptionId: string,
  lock: 'locked' | 'unlocked' = 'unlocked',
): Promise<PushSubscription | undefined> {
  const { rows } = await db.query<PushSubscriptionRow>(
    `select * from push_subscriptions where reseller_id = $1 and subscription_id = $2 ${lock === 'locked' ? 'for update' : ''}`,
    [resellerId, subscriptionId],
  )
  return rows.map(subscriptionFromRow)[0]
}

/** Violates `push_subscriptions_endpoint_key` when the browser is there. */
export async function insertPushSubscription(db: Db, resellerId: string, subscription: PushSubscription): Promise<void> {
  const { subscriptionId, userId, name, host, endpointSha256, targetSealed, createdAt } = subscription
  await db.query(
    `insert into push_subscriptions (reseller_id, subscription_id, user_id, name, host, endpoint_sha256, target_sealed, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [resellerId, subscriptionId, userId, name, host, endpointSha256, targetSealed, createdAt],
  )
}

export async function deletePushSubscription(db: Db, resellerId: string, subscriptionId: string): Promise<void> {
  await db.query('delete from push_subscriptions where reseller_id = $1 and subscription_id = $2', [resellerId, subscriptionId])
}

/** Whoever used the browser before, also of another reseller, gets nothing more on it. */
export async function deletePushSubscriptionsByEndpointAcrossResellers(db: Db, endpointSha256: Buffer): Promise<void> {
  await db.query('delete from push_subscriptions where endpoint_sha256 = $1', [endpointSha256])
}

/** The same, and after each message to a person the same to each of their browsers. */
export async function withBrowsers(db: Db, resellerId: string, wanted: readonly NewNotification[]): Promise<NewNotification[]> {
  const { rows } = await db.query<{ subscription_id: string; user_id: string }>(
    `select subscription_id, user_id
       from push_subscriptions
      where reseller_id = $1 and user_id = any ($2)
      order by created_at, subscription_id`,
    [resellerId, [...new Set(wanted.map(({ recipient }) => recipient))]],
  )
  return wanted.flatMap((each) => [
    each,
    ...rows
      .filter((row) => row.user_id === each.recipient)
      .map((row) => ({ ...each, recipient: row.subscription_id, userId: row.user_id })),
  ])
}

type PushSubscriptionRow = {
  subscription_id: string
  user_id: string
  name: string
  host: string
  endpoint_sha256: Buffer
  target_sealed: Buffer
  created_at: Date
}

function subscriptionFromRow(row: PushSubscriptionRow): PushSubscription {
  return {
    subscriptionId: row.subscription_id,
    userId: row.user_id,
    name: row.name,
    host: row.host,
    endpointSha256: row.endpoint_sha256,
    targetSealed: row.target_sealed,
    createdAt: row.created_at,
  }
}
