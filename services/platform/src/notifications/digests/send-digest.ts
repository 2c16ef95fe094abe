// The digest of a rule, by whichever process holds its job. What it is about and each of its rows are committed before anything is sent (ADR 0025).

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { JobId, JobOutcome } from '../../jobs/job.ts'
import { deleteJob, setJob } from '../../jobs/jobs.sql.ts'
import { withBrowsers } from '../browsers/push-subscriptions.sql.ts'
import type { Notification } from '../notification.ts'
import {
  insertNotifications,
  selectNotificationsAbout,
  updateLeftNotifications,
  updateNotificationsCancelled,
} from '../notifications.sql.ts'
import { recipientOf } from '../recipient.ts'
import { type DigestRule, isDigestRule, isNamedBy, NOT_NAMED, type Rule } from '../rules/rule.ts'
import { selectRule, updateDigestedUntil } from '../rules/rules.sql.ts'
import { type Prepared, type SendDeps, sendInTurns, sendNotification } from '../send-notification.ts'
import { selectDigest } from './digest.read.sql.ts'
import { type DigestTime, digestTimes } from './digest.ts'
import { digestMessageOf, isEmptyDigest } from './digest-message.ts'

/** The key of the job is the id of the rule. */
export const DIGEST_JOB = 'notification-digest'

/** In the transaction that changes the rule. */
export async function scheduleDigest(db: Db, resellerId: string, rule: Rule, at: Date): Promise<void> {
  const job = { resellerId, kind: DIGEST_JOB, key: rule.ruleId }
  const known = await selectNotificationsAbout(db, resellerId, { digestsOfRuleId: rule.ruleId })
  const retriesAt = known.filter(({ status }) => status === 'pending').map(({ nextAttemptAt }) => nextAttemptAt)
  // What waits for another attempt is sent in its time, or, where no digest is sent any more, cancelled now.
  const times = isDigestRule(rule) ? [digestTimes(rule.digest, at).next.at, ...retriesAt] : retriesAt.slice(0, 1).map(() => at)
  if (times.length === 0) await deleteJob(db, job)
  else await setJob(db, job, new Date(Math.min(...times.map((time) => time.getTime()))))
}

export async function sendDigest(deps: SendDeps, { resellerId, key: ruleId }: JobId, at: Date): Promise<JobOutcome> {
  const plan = await deps.database.tenant(resellerId, (db) => planDigest(db, resellerId, ruleId, at))
  if (plan === undefined) return 'done'
  const db = deps.database.tenantPool(resellerId)
  const retriesAt = await sendInTurns(plan.pending, async (notification) => {
    const prepareIt = () => prepare(db, deps, resellerId, plan.rule, notification, at)
    return await sendNotification(deps.database, resellerId, notification, prepareIt, at)
  })
  return { againAt: new Date(Math.min(...[plan.nextAt, ...retriesAt].map((time) => time.getTime()))) }
}

type Plan = { readonly rule: DigestRule; readonly pending: readonly Notification[]; readonly nextAt: Date }

async function planDigest(db: Db, resellerId: string, ruleId: string, at: Date): Promise<Plan | undefined> {
  const topic = { digestsOfRuleId: ruleId }
  await updateLeftNotifications(db, resellerId, topic)
  // Locked: two processes plan one after the other.
  const rule = await selectRule(db, { resellerId, subClientPin: undefined }, ruleId, 'locked')
  const known = await selectNotificationsAbout(db, resellerId, topic)
  if (rule === undefined || !isDigestRule(rule)) {
    const notificationIds = known.map(({ notificationId }) => notificationId)
    await updateNotificationsCancelled(db, resellerId, { notificationIds, reason: 'The rule is gone or disabled, or sends no digest.' })
    return undefined
  }
  const dropped = known.filter((each) => !isNamedBy(rule, each)).map(({ notificationId }) => notificationId)
  await updateNotificationsCancelled(db, resellerId, { notificationIds: dropped, reason: NOT_NAMED })
  const { last, next } = digestTimes(rule.digest, at)
  const step = `digest.${last.day}`
  // Of a rule whose time was moved within the day, the rest of the day is in the next one.
  if (last.at > rule.digestedUntil && !known.some((each) => each.step === step)) await decideDigest(db, resellerId, rule, step, last, at)
  const pending = (await selectNotificationsAbout(db, resellerId, topic)).filter(({ status }) => status === 'pending')
  return { rule, pending, nextAt: next.at }
}

/** Of a day on which there is nothing to say, nothing is sent. */
async function decideDigest(db: Db, resellerId: string, rule: DigestRule, step: string, last: DigestTime, at: Date): Promise<void> {
  const { ruleId, subClientId, recipients } = rule
  const window = { from: rule.digestedUntil, until: last.at }
  if (!isEmptyDigest(await selectDigest(db, resellerId, rule, window))) {
    const wanted = recipients.map((recipient) => ({ ruleId, incidentId: undefined, subClientId, step, recipient, window }))
    await insertNotifications(db, resellerId, await withBrowsers(db, resellerId, wanted), at)
  }
  await updateDigestedUntil(db, resellerId, ruleId, last.at)
}

async function prepare(
  db: Db,
  deps: SendDeps,
  resellerId: string,
  rule: DigestRule,
  notification: Notification,
  at: Date,
): Promise<Prepared> {
  const { subClientId, name: ruleName, digest } = rule
  const { window } = notification
  if (window === undefined) return 'It is no digest.'
  const recipient = await recipientOf(db, deps, { resellerId, subClientId }, notification, at)
  if (typeof recipient === 'string') return recipient
  const content = await selectDigest(db, resellerId, rule, window)
  return () =>
    recipient.send((sender, wording) => digestMessageOf({ content, window, timeZone: digest.timeZone, ruleName }, sender, wording))
}
