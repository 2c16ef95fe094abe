// Sends one message, of which the row is there: `sending` is committed before anything leaves the process (ADR 0025).

import type { Database } from '@roadworthy/service-kit/db'
import type { Notices } from '../access/post.ts'
import type { User } from '../access/users.sql.ts'
import { mailOf } from './mail.ts'
import type { Message, Sender } from './message.ts'
import { type Notification, nextAttemptAfter } from './notification.ts'
import { type Ending, updateNotificationEnded, updateNotificationSending } from './notifications.sql.ts'

export type SendDeps = { readonly database: Database; readonly notices: Notices }
export type Prepared = { readonly user: User; readonly write: (sender: Sender) => Message }

/** Answers when to try again, where that is needed. `prepare` answers why nothing is sent, where that is so. */
export async function sendNotification(
  { database, notices }: SendDeps,
  resellerId: string,
  notification: Notification,
  prepare: () => Promise<Prepared | string>,
  at: Date,
): Promise<Date | undefined> {
  const { notificationId, nextAttemptAt } = notification
  if (nextAttemptAt > at) return nextAttemptAt
  const db = database.tenantPool(resellerId)
  const prepared = notices.isMailing ? await prepare() : 'The service has no mail server.'
  if (!(await updateNotificationSending(db, resellerId, notificationId))) return undefined
  const ending =
    typeof prepared === 'string'
      ? ({ status: 'failed', error: prepared, at } as const)
      : await mail(notices, resellerId, prepared, notification, at)
  await updateNotificationEnded(db, resellerId, notificationId, ending)
  return ending.status === 'pending' ? ending.nextAttemptAt : undefined
}

async function mail(
  notices: Notices,
  resellerId: string,
  { user, write }: Prepared,
  { notificationId, attemptCount }: Notification,
  at: Date,
): Promise<Ending> {
  const isMailed = await notices.notify({
    email: user.email,
    resellerId,
    subClientId: user.subClientId,
    messageId: notificationId,
    write: (name, baseUrl, colour) => mailOf(write({ name, baseUrl, colour }), { name, baseUrl, colour }),
  })
  if (isMailed) return { status: 'sent', at }
  const error = 'The mail server did not take the message.'
  const nextAttemptAt = nextAttemptAfter(attemptCount + 1, at)
  return nextAttemptAt === undefined ? { status: 'failed', error, at } : { status: 'pending', error, nextAttemptAt, at }
}

/** Whether somebody who can sign in sees what belongs to this sub-client, or to none. */
export function isAudience(user: User | undefined, subClientId: string | undefined): user is User {
  return user?.status === 'active' && (user.subClientId === undefined || user.subClientId === subClientId)
}
