// Sends one message, of which the row is there: `sending` is committed before anything leaves the process (ADR 0025). The one way out for all channels.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { startChildSpan, tracedAs } from '@roadworthy/service-kit/telemetry/tracing'
import type { Notices } from '../people/post.ts'
import type { User } from '../people/users.sql.ts'
import type { Sending, SendResult } from '../webhooks/send-webhook.ts'
import type { Wording } from '../words/wording.ts'
import type { Vapid } from './browsers/web-push.ts'
import { type Channel, openTarget } from './channels/channel.ts'
import { endingOf } from './channels/channel-answer.ts'
import { requestOf } from './channels/channel-forms.ts'
import { mailOf } from './mail.ts'
import type { Message, Sender } from './message.ts'
import { type Notification, nextAttemptAfter } from './notification.ts'
import { type Ending, updateNotificationEnded, updateNotificationSending } from './notifications.sql.ts'
import { isPersonalRuleId } from './rules/rule.ts'

/** How messages reach channels and browsers. */
export type ChannelExits = {
  readonly sealer: Sealer
  readonly vapid: Vapid
  /** Whose name and dashboard a message bears. */
  readonly present: (resellerId: string, subClientId: string | undefined) => Promise<Sender>
  /** One request, which ends in time whatever the receiver does. Never rejects. */
  readonly post: (sending: Sending) => Promise<SendResult>
}

export type SendDeps = { readonly database: Database; readonly notices: Notices; readonly exits: ChannelExits }
export type Write = (sender: Sender, wording: Wording) => Message
/** What is left to do once the row says `sending`; or why nothing is sent. */
export type Prepared = (() => Promise<Ending>) | string

/** Messages of one job that are under way at once. */
const CONCURRENT_MESSAGES = 6

/**
 * Several at once: one receiver that hangs does not keep the others waiting, nor make what was signed when the job began too old for its receiver.
 * Answers when to try again, of each for which that is needed.
 */
export async function sendInTurns(
  notifications: readonly Notification[],
  send: (notification: Notification) => Promise<Date | undefined>,
): Promise<Date[]> {
  const retriesAt: Date[] = []
  const sendInTurn = async (_: unknown, turn: number) => {
    for (const notification of notifications.filter((_each, nth) => nth % CONCURRENT_MESSAGES === turn)) {
      const next = await send(notification)
      if (next !== undefined) retriesAt.push(next)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_MESSAGES }, sendInTurn))
  return retriesAt
}

/** Answers when to try again, where that is needed. */
export async function sendNotification(
  database: Database,
  resellerId: string,
  notification: Notification,
  prepare: () => Promise<Prepared>,
  at: Date,
): Promise<Date | undefined> {
  const { notificationId, nextAttemptAt } = notification
  if (nextAttemptAt > at) return nextAttemptAt
  const db = database.tenantPool(resellerId)
  const prepared = await prepare()
  if (!(await updateNotificationSending(db, resellerId, notificationId))) return undefined
  const ending =
    typeof prepared === 'string' ? ({ status: 'failed', error: prepared, at } as const) : await sendTraced(notificationId, prepared)
  await updateNotificationEnded(db, resellerId, notificationId, ending)
  return ending.status === 'pending' ? ending.nextAttemptAt : undefined
}

/** Who it is sent to is no attribute. */
async function sendTraced(notificationId: string, send: () => Promise<Ending>): Promise<Ending> {
  const span = startChildSpan({ name: 'send notification', kind: 'client', attributes: { 'fleet.notification.id': notificationId } })
  return await tracedAs(span, async () => {
    const ending = await send()
    if (ending.status !== 'sent') span?.fail(ending.status)
    return ending
  })
}

/** To a person. */
export async function mailTo(
  notices: Notices,
  resellerId: string,
  user: User,
  { notificationId, ruleId, attemptCount }: Notification,
  write: (sender: Sender) => Message,
  at: Date,
): Promise<Ending> {
  const mailed = await notices.notify({
    email: user.email,
    resellerId,
    subClientId: user.subClientId,
    messageId: notificationId,
    write: (name, baseUrl, colour) => ({
      ...mailOf(write({ name, baseUrl, colour }), { name, baseUrl, colour }),
      unsubscribeUrl: isPersonalRuleId(ruleId) ? `${baseUrl}/settings/preferences` : undefined,
    }),
  })
  if (mailed.outcome === 'sent') return { status: 'sent', at }
  const error = mailed.reason
  const nextAttemptAt = mailed.outcome === 'refused' ? undefined : nextAttemptAfter(attemptCount + 1, at)
  return nextAttemptAt === undefined ? { status: 'failed', error, at } : { status: 'pending', error, nextAttemptAt, at }
}

/** To a channel. */
export async function postTo(
  { sealer, post }: ChannelExits,
  resellerId: string,
  { channelId, kind, targetSealed }: Channel,
  notification: Notification,
  message: Message,
  at: Date,
): Promise<Ending> {
  const target = openTarget(sealer, { resellerId, channelId }, targetSealed)
  const result = await post(requestOf(target, notification, message, at))
  return lastOfTest(notification, endingOf(kind, result, { count: notification.attemptCount + 1, at }))
}

/** Somebody waits for the answer of a test of a channel or a browser, so that it has one attempt. */
export function lastOfTest({ ruleId, incidentId }: Notification, ending: Ending): Ending {
  const isTest = ruleId === undefined && incidentId === undefined
  return isTest && ending.status === 'pending' ? { status: 'failed', error: ending.error, at: ending.at } : ending
}

/** Whether somebody who can sign in sees what belongs to this sub-client, or to none. */
export function isAudience(user: User | undefined, subClientId: string | undefined): user is User {
  return user?.status === 'active' && isOf(user, subClientId)
}

/** Whether people or channels of one sub-client, or of none, may be notified about what belongs to this one. */
export function isOf(of: { readonly subClientId: string | undefined }, subClientId: string | undefined): boolean {
  return of.subClientId === undefined || of.subClientId === subClientId
}
