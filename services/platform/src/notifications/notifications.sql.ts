import type { Db } from '@roadworthy/service-kit/db'
import { newId } from '@roadworthy/service-kit/ids'
import type { Notification, NotificationStatus } from './notification.ts'

export type NewNotification = Pick<Notification, 'ruleId' | 'incidentId' | 'subClientId' | 'step' | 'recipient'>

/** Due at once. What is there already, of the same rule, incident, step and recipient, is left alone. */
export async function insertNotifications(db: Db, resellerId: string, wanted: readonly NewNotification[], at: Date): Promise<void> {
  if (wanted.length === 0) return
  await db.query(
    `insert into notifications (reseller_id, notification_id, rule_id, incident_id, sub_client_id, step, recipient, status, attempt_count,
                                next_attempt_at, created_at)
     select $1, n.*, 'pending', 0, $8, $8
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) n
         on conflict (reseller_id, incident_id, rule_id, step, recipient) where incident_id is not null do nothing`,
    [
      resellerId,
      wanted.map(() => newId('ntf')),
      wanted.map(({ ruleId }) => ruleId),
      wanted.map(({ incidentId }) => incidentId ?? null),
      wanted.map(({ subClientId }) => subClientId ?? null),
      wanted.map(({ step }) => step),
      wanted.map(({ recipient }) => recipient),
      at,
    ],
  )
}

/** In the order in which they were decided. */
export async function selectNotificationsOfIncident(db: Db, resellerId: string, incidentId: string): Promise<Notification[]> {
  const { rows } = await db.query<NotificationRow>(
    'select * from notifications where reseller_id = $1 and incident_id = $2 order by created_at, notification_id',
    [resellerId, incidentId],
  )
  return rows.map(notificationFromRow)
}

/** What a process that was killed left behind. May only be called by who holds the job of the incident. */
export async function updateLeftNotifications(db: Db, resellerId: string, incidentId: string): Promise<void> {
  await db.query(
    `update notifications
        set status = 'uncertain', error = 'The process that was sending it ended; it may have been sent, and is not sent again.'
      where reseller_id = $1 and incident_id = $2 and status = 'sending'`,
    [resellerId, incidentId],
  )
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
  rule_id: string
  incident_id: string | null
  sub_client_id: string | null
  step: string
  recipient: string
  status: NotificationStatus
  attempt_count: number
  next_attempt_at: Date
  error: string | null
  created_at: Date
  sent_at: Date | null
}

function notificationFromRow(row: NotificationRow): Notification {
  return {
    notificationId: row.notification_id,
    ruleId: row.rule_id,
    incidentId: row.incident_id ?? undefined,
    subClientId: row.sub_client_id ?? undefined,
    step: row.step,
    recipient: row.recipient,
    status: row.status,
    attemptCount: row.attempt_count,
    nextAttemptAt: row.next_attempt_at,
    error: row.error ?? undefined,
    createdAt: row.created_at,
    sentAt: row.sent_at ?? undefined,
  }
}
