import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { Viewer } from '../fleet/viewer.ts'
import type { Notification, NotificationStatus } from './notification.ts'

export type NewNotification = Pick<Notification, 'ruleId' | 'incidentId' | 'subClientId' | 'step' | 'recipient'> &
  Partial<Pick<Notification, 'userId' | 'window'>>

/** Due at once. What is there already, of the same rule, incident or day, step and recipient, is left alone. */
export async function insertNotifications(db: Db, resellerId: string, wanted: readonly NewNotification[], at: Date): Promise<void> {
  if (wanted.length === 0) return
  await db.query(
    `insert into notifications (reseller_id, notification_id, rule_id, incident_id, sub_client_id, step, recipient, user_id, window_from,
                                window_until, status, attempt_count, next_attempt_at, created_at)
     select $1, n.*, 'pending', 0, $11, $11
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[],
                   $10::timestamptz[]) n
         on conflict do nothing`,
    [
      resellerId,
      wanted.map(() => newId('ntf')),
      wanted.map(({ ruleId }) => ruleId ?? null),
      wanted.map(({ incidentId }) => incidentId ?? null),
      wanted.map(({ subClientId }) => subClientId ?? null),
      wanted.map(({ step }) => step),
      wanted.map(({ recipient }) => recipient),
      wanted.map(({ userId }) => userId ?? null),
      wanted.map(({ window }) => window?.from ?? null),
      wanted.map(({ window }) => window?.until ?? null),
      at,
    ],
  )
}

/** What one job is about: an incident, the digests of a rule, or the tests of a rule, or of a channel or a browser. */
export type Topic =
  | { readonly incidentId: string }
  | { readonly digestsOfRuleId: string }
  | { readonly testsOfRuleId: string }
  | { readonly testsOfRecipient: string }

const OF_TOPIC = `reseller_id = $1 and (incident_id = $2 or (incident_id is null and window_until is null and rule_id = $3)
         or (incident_id is null and rule_id is null and recipient = $4)
         or (window_until is not null and rule_id = $5))`

function topicValues(resellerId: string, topic: Topic): (string | null)[] {
  const { incidentId, testsOfRuleId, testsOfRecipient, digestsOfRuleId } = topic as Partial<Record<string, string>>
  return [resellerId, incidentId ?? null, testsOfRuleId ?? null, testsOfRecipient ?? null, digestsOfRuleId ?? null]
}

export async function selectNotification(
  db: Db,
  resellerId: string,
  notificationId: string,
  lock: 'locked' | 'unlocked' = 'unlocked',
): Promise<Notification | undefined> {
  const { rows } = await db.query<NotificationRow>(
    `select * from notifications where reseller_id = $1 and notification_id = $2 ${lock === 'locked' ? 'for update' : ''}`,
    [resellerId, notificationId],
  )
  return rows.map(notificationFromRow)[0]
}

/** Its link is used up. */
export async function updateNotificationAcknowledged(db: Db, resellerId: string, notificationId: string, at: Date): Promise<void> {
  await db.query('update notifications set acknowledged_at = $3 where reseller_id = $1 and notification_id = $2', [
    resellerId,
    notificationId,
    at,
  ])
}

/** In the order in which they were decided. */
export async function selectNotificationsAbout(db: Db, resellerId: string, topic: Topic): Promise<Notification[]> {
  const { rows } = await db.query<NotificationRow>(
    `select * from notifications where ${OF_TOPIC} order by created_at, notification_id`,
    topicValues(resellerId, topic),
  )
  return rows.map(notificationFromRow)
}

/** What a process that was killed left behind. May only be called by who holds the job. */
export async function updateLeftNotifications(db: Db, resellerId: string, topic: Topic): Promise<void> {
  await db.query(
    `update notifications
        set status = 'uncertain', error = 'The process that was sending it ended; it may have been sent, and is not sent again.'
      where ${OF_TOPIC} and status = 'sending'`,
    topicValues(resellerId, topic),
  )
}

export type NotificationFilter = {
  readonly ruleId: string | undefined
  readonly incidentId: string | undefined
  readonly recipient: string | undefined
  readonly status: NotificationStatus | undefined
}

/** Newest first. One more than asked. With a pin those of the rules of that sub-client: others name people whom it does not know. */
export async function selectNotifications(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  { ruleId, incidentId, recipient, status }: NotificationFilter,
  page: PageRequest,
): Promise<Notification[]> {
  const { rows } = await db.query<NotificationRow>(
    `select *
       from notifications n
      where reseller_id = $1 and ($3::text is null or rule_id = $3) and ($4::text is null or incident_id = $4)
        and ($5::text is null or status = $5) and ($9::text is null or recipient = $9 or user_id = $9)
        and (created_at, notification_id) < ($6::timestamptz, $7)
        and ($2::text is null or exists (
            select from notification_rules r
             where r.reseller_id = n.reseller_id and r.rule_id = n.rule_id and r.sub_client_id = $2)
             or n.rule_id is null and n.sub_client_id = $2)
      order by created_at desc, notification_id desc
      limit $8`,
    [
      ...[resellerId, subClientPin ?? null, ruleId ?? null, incidentId ?? null, status ?? null],
      ...[page.after.at, page.after.id, page.limit + 1, recipient ?? null],
    ],
  )
  return rows.map(notificationFromRow)
}

/** Removes a bounded number of what is old; of an incident that lives nothing, because it says what was sent. Answers how many. */
export async function deleteOldNotificationsAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from notifications
      where (reseller_id, notification_id) in (
              select n.reseller_id, n.notification_id
                from notifications n
               where n.created_at < $1
                 and not exists (select from incidents i
                                  where i.reseller_id = n.reseller_id and i.incident_id = n.incident_id and i.status <> 'resolved')
               limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}

/** What waits for another attempt and is no longer wanted. */
export async function updateNotificationsCancelled(
  db: Db,
  resellerId: string,
  cancelled: { readonly notificationIds: readonly string[]; readonly reason: string },
): Promise<void> {
  await db.query(
    `update notifications set status = 'cancelled', error = $3 where reseller_id = $1 and notification_id = any ($2) and status = 'pending'`,
    [resellerId, cancelled.notificationIds, cancelled.reason],
  )
}

/** First messages that were cancelled for one of these reasons before they were sent: decided anew, so that what is counted from them is counted from now. */
export async function updateFirstNotificationsDueAgain(
  db: Db,
  resellerId: string,
  { incidentId, reasons, at }: { readonly incidentId: string; readonly reasons: readonly string[]; readonly at: Date },
): Promise<void> {
  await db.query(
    `update notifications set status = 'pending', error = null, attempt_count = 0, next_attempt_at = $4, created_at = $4
      where reseller_id = $1 and incident_id = $2 and step = 'first' and status = 'cancelled' and error = any ($3)`,
    [resellerId, incidentId, reasons, at],
  )
}

/** Takes one to send. False: another process did, or it is over. */
export async function updateNotificationSending(db: Db, resellerId: string, notificationId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update notifications set status = 'sending', attempt_count = attempt_count + 1
      where reseller_id = $1 and notification_id = $2 and status = 'pending'`,
    [resellerId, notificationId],
  )
  return rowCount === 1
}

export type Ending = {
  readonly status: NotificationStatus
  readonly error?: string | undefined
  readonly nextAttemptAt?: Date | undefined
  readonly at: Date
}

/** What came of an attempt, also of one whose process was thought dead. */
export async function updateNotificationEnded(db: Db, resellerId: string, notificationId: string, ending: Ending): Promise<void> {
  const { status, error, nextAttemptAt, at } = ending
  await db.query(
    `update notifications
        set status = $3, error = $4, next_attempt_at = coalesce($5, next_attempt_at), sent_at = case when $3 = 'sent' then $6 else sent_at end
      where reseller_id = $1 and notification_id = $2 and (status = 'sending' or status = 'uncertain' and $3 <> 'pending')`,
    [resellerId, notificationId, status, error ?? null, nextAttemptAt ?? null, at],
  )
}

type NotificationRow = {
  notification_id: string
  rule_id: string | null
  incident_id: string | null
  sub_client_id: string | null
  step: string
  recipient: string
  user_id: string | null
  window_from: Date | null
  window_until: Date | null
  status: NotificationStatus
  attempt_count: number
  next_attempt_at: Date
  error: string | null
  created_at: Date
  sent_at: Date | null
  acknowledged_at: Date | null
}

function notificationFromRow(row: NotificationRow): Notification {
  const { window_from: from, window_until: until } = row
  return {
    notificationId: row.notification_id,
    ruleId: row.rule_id ?? undefined,
    incidentId: row.incident_id ?? undefined,
    subClientId: row.sub_client_id ?? undefined,
    step: row.step,
    recipient: row.recipient,
    userId: row.user_id ?? undefined,
    window: from === null || until === null ? undefined : { from, until },
    status: row.status,
    attemptCount: row.attempt_count,
    nextAttemptAt: row.next_attempt_at,
    error: row.error ?? undefined,
    createdAt: row.created_at,
    sentAt: row.sent_at ?? undefined,
    acknowledgedAt: row.acknowledged_at ?? undefined,
  }
}
