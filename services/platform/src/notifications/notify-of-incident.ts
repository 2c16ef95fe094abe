// The messages about one incident, by whichever process holds its job. Each has its row before it is sent (ADR 0025).

import type { Db } from '@roadworthy/service-kit/db'
import { pageRequest } from '@roadworthy/service-kit/keyset'
import { selectGroupIdsOfVehicle } from '../fleet/vehicle-groups.sql.ts'
import { statusAt } from '../incidents/incident.ts'
import { type ShownIncident, selectIncidentOwnersAcrossResellers, selectIncidents } from '../incidents/incidents.read.sql.ts'
import type { JobId, JobKind, JobOutcome } from '../jobs/job.ts'
import { datedAdvice, type LoadAdviceBases } from '../predictions/dated-advice.ts'
import { subjectText } from '../readings/alarm.ts'
import { selectReseller } from '../resellers/resellers.sql.ts'
import type { AcknowledgeLinks } from './acknowledge-link.ts'
import { type DoneStep, decide } from './decide.ts'
import { type Facts, messageOf } from './message.ts'
import type { Notification } from './notification.ts'
import {
  insertNotifications,
  type NewNotification,
  selectNotificationsAbout,
  updateLeftNotifications,
  updateNotificationsCancelled,
} from './notifications.sql.ts'
import { withBrowsers } from './push-subscriptions.sql.ts'
import { recipientOf } from './recipient.ts'
import { INCIDENT_JOB } from './record-incidents.ts'
import type { Rule } from './rule.ts'
import { selectEnabledRules } from './rules.sql.ts'
import { DIGEST_JOB, sendDigest } from './send-digest.ts'
import { type Prepared, type SendDeps, sendNotification } from './send-notification.ts'
import { sendTests, TEST_JOB } from './send-tests.ts'
import { selectSubjectName } from './subject-name.read.sql.ts'
import { settleTests, TRIAL_JOB } from './try-recipient.ts'

export type NotifyDeps = SendDeps & {
  readonly loadAdviceBases: LoadAdviceBases
  readonly links: AcknowledgeLinks
  /** The database's clock, or a test's. */
  readonly now: () => Promise<Date>
}

/** Messages of one incident that are under way at once. */
const CONCURRENT_MESSAGES = 6

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
  const retriesAt: Date[] = []
  const db = deps.database.tenantPool(resellerId)
  // One receiver that hangs does not keep the others waiting.
  const turns = Array.from({ length: CONCURRENT_MESSAGES }, (_, turn) =>
    plan.pending.filter((_each, nth) => nth % CONCURRENT_MESSAGES === turn),
  )
  const sendInTurn = async (notifications: readonly Notification[]) => {
    for (const notification of notifications) {
      const prepareIt = () => prepare(db, deps, plan, notification, at)
      const next = await sendNotification(deps.database, resellerId, notification, prepareIt, at)
      if (next !== undefined) retriesAt.push(next)
    }
  }
  await Promise.all(turns.map(sendInTurn))
  const times = [...retriesAt, ...(plan.nextAt === undefined ? [] : [plan.nextAt])]
  return times.length === 0 ? 'done' : { againAt: new Date(Math.min(...times.map((time) => time.getTime()))) }
}

async function planMessages(db: Db, resellerId: string, incidentId: string, at: Date): Promise<Plan | undefined> {
  const page = pageRequest({ limit: 1 }, 'newest first')
  const [incident] = await selectIncidents(db, resellerId, { incidentId, subClientPin: undefined }, page)
  const reseller = await selectReseller(db, resellerId)
  if (incident === undefined || reseller === undefined) return undefined
  const { timeZone } = reseller
  await updateLeftNotifications(db, resellerId, { incidentId })
  const subClientId = (await selectIncidentOwnersAcrossResellers(db, [incident])).get(subjectText(incident))
  const rules = await selectEnabledRules(db, resellerId)
  const groupIds = await groupIdsOf(db, incident, rules)
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

/** Nobody looks where no rule asks. */
async function groupIdsOf(db: Db, { resellerId, vehicleId }: ShownIncident, rules: readonly Rule[]): Promise<string[]> {
  if (vehicleId === undefined || rules.every(({ vehicleGroupIds }) => vehicleGroupIds === undefined)) return []
  return await selectGroupIdsOfVehicle(db, resellerId, vehicleId)
}

/** A step has a row for each recipient. */
function doneSteps(notifications: readonly Notification[]): DoneStep[] {
  return [...new Map(notifications.map(({ step, createdAt }) => [step, createdAt]))].map(([step, at]) => ({ step, at }))
}

/** Attempts that are still to come, of an incident that is no longer open, or of a rule that is gone. */
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
  const isOfRule = ({ ruleId }: Notification) => rules.some((rule) => rule.ruleId === ruleId)
  const late = status === 'open' ? [] : pending
  const orphans = status === 'open' ? pending.filter((each) => !isOfRule(each)) : []
  const idsOf = (notifications: readonly Notification[]) => notifications.map(({ notificationId }) => notificationId)
  await updateNotificationsCancelled(db, resellerId, { notificationIds: idsOf(late), reason: `The incident is ${status}.` })
  await updateNotificationsCancelled(db, resellerId, { notificationIds: idsOf(orphans), reason: 'The rule is gone or disabled.' })
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
  const facts = { ...of, incident, subject, timeZone }
  if (advice === undefined || vehicleId === undefined) return { ...facts, advice: undefined }
  const basisOf = await loadAdviceBases(db, resellerId, [vehicleId], at)
  return { ...facts, advice: datedAdvice(advice.of, basisOf(vehicleId), { judgedAt: advice.judgedAt, today: at }) }
}
