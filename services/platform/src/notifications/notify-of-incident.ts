// The messages about one incident, by whichever process holds its job. Each has its row before it is sent (ADR 0025).

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { selectGroupIdsOfVehicle } from '../fleet/vehicle-groups.sql.ts'
import { type IncidentStatus, statusAt } from '../incidents/incident.ts'
import { type ShownIncident, selectIncidentOwnersAcrossResellers, selectIncidents } from '../incidents/incidents.read.sql.ts'
import type { JobId, JobKind, JobOutcome } from '../jobs/job.ts'
import { datedAdvice, type LoadAdviceBases } from '../predictions/dated-advice.ts'
import { subjectText } from '../readings/alarm.ts'
import { selectReseller } from '../resellers/resellers.sql.ts'
import type { AcknowledgeLinks } from './acknowledgements/acknowledge-link.ts'
import { withBrowsers } from './browsers/push-subscriptions.sql.ts'
import { DIGEST_JOB, sendDigest } from './digests/send-digest.ts'
import { type Facts, messageOf } from './message.ts'
import type { Notification } from './notification.ts'
import {
  insertNotifications,
  type NewNotification,
  selectNotificationsAbout,
  updateFirstNotificationsDueAgain,
  updateLeftNotifications,
  updateNotificationsCancelled,
} from './notifications.sql.ts'
import { selectPlace } from './place.read.sql.ts'
import { recipientOf } from './recipient.ts'
import { INCIDENT_JOB } from './record-incidents.ts'
import { allowedFrom, type DoneStep, decide } from './rules/decide.ts'
import { isNamedBy, NOT_NAMED, type Rule } from './rules/rule.ts'
import { selectEnabledRules } from './rules/rules.sql.ts'
import { type Prepared, type SendDeps, sendInTurns, sendNotification } from './send-notification.ts'
import { sendTests, TEST_JOB } from './send-tests.ts'
import { selectSubjectName } from './subject-name.read.sql.ts'
import { settleTests, TRIAL_JOB } from './try-recipient.ts'

export type NotifyDeps = SendDeps & {
  readonly loadAdviceBases: LoadAdviceBases
  readonly links: AcknowledgeLinks
  /** The database's clock, or a test's. */
  readonly now: () => Promise<Date>
}

export function notificationJobs(deps: NotifyDeps): JobKind[] {
  const share = { concurrency: 8, perReseller: 4 }
  return [
    { kind: INCIDENT_JOB, run: async (job) => await notifyOfIncident(deps, job, await deps.now()), ...share },
    { kind: DIGEST_JOB, run: async (job) => await sendDigest(deps, job, await deps.now()), ...share },
    { kind: TEST_JOB, run: async (job) => await sendTests(deps, job, await deps.now()), ...share },
    { kind: TRIAL_JOB, run: async (job) => await settleTests(deps, job), ...share },
  ]
}

/** The incident as it is at that time, and what is to be sent of it. */
type Plan = {
  readonly incident: ShownIncident
  readonly subClientId: string | undefined
  readonly rules: ReadonlyMap<string, Rule>
  readonly timeZone: string
  readonly pending: readonly Notification[]
  readonly nextAt: Date | undefined
}

async function notifyOfIncident(deps: NotifyDeps, { resellerId, key }: JobId, at: Date): Promise<JobOutcome> {
  const plan = await deps.database.tenant(resellerId, (db) => planMessages(db, resellerId, key, at))
  if (plan === undefined) return 'done'
  const db = deps.database.tenantPool(resellerId)
  const retriesAt = await sendInTurns(plan.pending, async (notification) => {
    const prepareIt = () => prepare(db, deps, plan, notification, at)
    return closedUntil(plan, notification, at) ?? (await sendNotification(deps.database, resellerId, notification, prepareIt, at))
  })
  const times = [...retriesAt, ...(plan.nextAt === undefined ? [] : [plan.nextAt])]
  return times.length === 0 ? 'done' : { againAt: new Date(Math.min(...times.map((time) => time.getTime()))) }
}

async function planMessages(db: Db, resellerId: string, incidentId: string, at: Date): Promise<Plan | undefined> {
  const page = pageRequest('incidents', { limit: 1 }, 'newest first')
  const [incident] = await selectIncidents(db, resellerId, { incidentId, subClientPin: undefined }, page)
  const reseller = await selectReseller(db, resellerId)
  if (incident === undefined || reseller === undefined) return undefined
  const { timeZone } = reseller
  await updateLeftNotifications(db, resellerId, { incidentId })
  const subClientId = (await selectIncidentOwnersAcrossResellers(db, [incident])).get(subjectText(incident))
  const rules = await selectEnabledRules(db, resellerId)
  const groupIds = await groupIdsOf(db, incident, rules)
  if (statusAt(incident, at) === 'open') await updateFirstNotificationsDueAgain(db, resellerId, { incidentId, reasons: NOT_OPEN, at })
  const known = await selectNotificationsAbout(db, resellerId, { incidentId })
  const wanted: NewNotification[] = []
  const times: number[] = []
  for (const rule of rules) {
    const done = doneSteps(known.filter(({ ruleId }) => ruleId === rule.ruleId))
    const { due, nextAt } = decide({ ...incident, subClientId, groupIds }, rule, done, { at, timeZone })
    for (const { step, recipients } of due) {
      for (const recipient of recipients) wanted.push({ ruleId: rule.ruleId, incidentId, subClientId, step, recipient })
    }
    if (nextAt !== undefined) times.push(nextAt.getTime())
  }
  await insertNotifications(db, resellerId, await withBrowsers(db, resellerId, wanted), at)
  await cancelUnwanted(db, incident, known, rules, at)
  const pending = (await selectNotificationsAbout(db, resellerId, { incidentId })).filter(({ status }) => status === 'pending')
  return {
    ...{ incident, subClientId, timeZone, pending, rules: new Map(rules.map((rule) => [rule.ruleId, rule])) },
    nextAt: times.length === 0 ? undefined : new Date(Math.min(...times)),
  }
}

/** Until when a message waits that was decided before the hours of its rule ended, and not taken by who was to get it. */
function closedUntil({ incident, rules, timeZone }: Plan, { ruleId }: Notification, at: Date): Date | undefined {
  const rule = rules.get(ruleId ?? '')
  const allowedAt = rule === undefined ? undefined : allowedFrom(incident, rule, { at, timeZone })
  return allowedAt !== undefined && allowedAt > at ? allowedAt : undefined
}

/** Nobody looks where no rule asks. */
async function groupIdsOf(db: Db, { resellerId, vehicleId }: ShownIncident, rules: readonly Rule[]): Promise<string[]> {
  if (vehicleId === undefined || rules.every(({ vehicleGroupIds }) => vehicleGroupIds === undefined)) return []
  return await selectGroupIdsOfVehicle(db, resellerId, vehicleId)
}

/** A step has a row for each recipient, and was decided with the earliest of them. */
function doneSteps(notifications: readonly Notification[]): DoneStep[] {
  return [...new Map(notifications.map(({ step, createdAt }) => [step, createdAt] as const).reverse())].map(([step, at]) => ({ step, at }))
}

const notOpen = (status: IncidentStatus) => `The incident is ${status}.`
/** Why a message is not sent that waited. Where the incident is open again, as when it comes back within an hour, it is. */
const NOT_OPEN = (['acknowledged', 'snoozed', 'resolved'] as const).map(notOpen)

/** Attempts that are still to come, of an incident that is no longer open, of a rule that is gone, or to whom the rule names no more. */
async function cancelUnwanted(
  db: Db,
  incident: ShownIncident,
  known: readonly Notification[],
  rules: readonly Rule[],
  at: Date,
): Promise<void> {
  const { resellerId } = incident
  const pending = known.filter(({ status }) => status === 'pending')
  const status = statusAt(incident, at)
  const reasonOf = (notification: Notification) => {
    if (status !== 'open') return notOpen(status)
    const rule = rules.find(({ ruleId }) => ruleId === notification.ruleId)
    if (rule === undefined) return 'The rule is gone or disabled.'
    return isNamedBy(rule, notification) ? undefined : NOT_NAMED
  }
  for (const [reason, unwanted] of Map.groupBy(pending, reasonOf)) {
    if (reason === undefined) continue
    const notificationIds = unwanted.map(({ notificationId }) => notificationId)
    await updateNotificationsCancelled(db, resellerId, { notificationIds, reason })
  }
}

/** What is to be sent to whom, or why nothing is. */
async function prepare(db: Db, deps: NotifyDeps, plan: Plan, notification: Notification, at: Date): Promise<Prepared> {
  const { incident, rules, subClientId } = plan
  const { notificationId, ruleId, step, createdAt } = notification
  const rule = rules.get(ruleId ?? '')
  if (rule === undefined) return 'The rule is gone or disabled.'
  const { resellerId } = incident
  const recipient = await recipientOf(db, deps, { resellerId, subClientId }, notification, at)
  if (typeof recipient === 'string') return recipient
  const acknowledgeToken = recipient.mayAcknowledge ? deps.links.tokenOf({ resellerId, notificationId }, createdAt) : undefined
  const facts = await factsOf(db, deps, plan, { step, ruleName: rule.name, acknowledgeToken }, at)
  return () => recipient.send((sender, wording) => messageOf(facts, sender, wording))
}

async function factsOf(
  db: Db,
  { loadAdviceBases }: NotifyDeps,
  { incident, timeZone }: Plan,
  of: Pick<Facts, 'step' | 'ruleName' | 'acknowledgeToken'>,
  at: Date,
): Promise<Facts> {
  const { resellerId, vehicleId, advice } = incident
  const subject = await selectSubjectName(db, incident)
  const facts = { ...of, incident, subject, timeZone, place: await selectPlace(db, incident) }
  if (advice === undefined || vehicleId === undefined) return { ...facts, advice: undefined }
  const basisOf = await loadAdviceBases(db, resellerId, [vehicleId], at)
  return { ...facts, advice: datedAdvice(advice.of, basisOf(vehicleId), { judgedAt: advice.judgedAt, today: at, timeZone }) }
}
