// What people and programs do with rules. Those of another reseller, or outside the caller's sub-client, do not exist.

import type { CreateNotificationRule, NotificationRuleChange } from '@roadworthy/contracts/platform-v1/notifications'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { isOneLine } from '@roadworthy/service-kit/text/one-line'
import { isTimeZone } from '@roadworthy/service-kit/time/zoned-time'
import { type AuditedFields, type Author, writeAudit } from '../../audit/audit.ts'
import { requireWritableSubClient } from '../../fleet/sub-client-access.ts'
import { noSuchVehicleGroup } from '../../fleet/vehicle-group.ts'
import { selectVehicleGroup } from '../../fleet/vehicle-groups.sql.ts'
import { upsertJob, upsertJobs } from '../../jobs/jobs.sql.ts'
import type { Caller } from '../../keys/caller.ts'
import { subClientForWrite } from '../../keys/pins.ts'
import { selectUser } from '../../people/users.sql.ts'
import { requireVehicle } from '../../readings/require-vehicle.ts'
import { withBrowsers } from '../browsers/push-subscriptions.sql.ts'
import { isChannelId } from '../channels/channel.ts'
import { selectChannel } from '../channels/channels.sql.ts'
import { scheduleDigest } from '../digests/send-digest.ts'
import { refusal } from '../given-fields.ts'
import { insertNotifications, selectNotificationsAbout } from '../notifications.sql.ts'
import { INCIDENT_JOB } from '../record-incidents.ts'
import { isOf } from '../send-notification.ts'
import { TEST_JOB } from '../send-tests.ts'
import { firstAllowed } from './hours.ts'
import { isDigestRule, type Rule } from './rule.ts'
import { deleteRule, lockRuleCount, selectIncidentsToDecideAnew, selectRule, upsertRule } from './rules.sql.ts'

/** Each is looked at for each change of an incident. */
const MAX_RULES = 200
/** Nobody's mailbox is filled by tests. */
const TEST_EVERY_MS = 60_000

/** On whose behalf. A `Caller` is one. */
type Keeper = Pick<Caller, 'resellerId' | 'subClientPin'>

export async function createRule(database: Database, caller: Caller, given: CreateNotificationRule, author: Author): Promise<Rule> {
  const { resellerId } = caller
  const subClientId = subClientForWrite(caller, given.subClientId)
  return await database.tenant(resellerId, async (db) => {
    if (subClientId !== undefined) await requireWritableSubClient(db, caller, subClientId)
    if ((await lockRuleCount(db, resellerId)) >= MAX_RULES) {
      throw new Problem('conflict', `There are ${MAX_RULES} notification rules already, which is the most; delete one first.`, {
        details: { limit: MAX_RULES },
      })
    }
    return await addRule(db, caller, given, { ruleId: newId('nrl'), subClientId, ownerId: undefined }, author)
  })
}

/** In the transaction that counted them. */
export async function addRule(
  db: Db,
  keeper: Keeper,
  given: CreateNotificationRule,
  of: Pick<Rule, 'ruleId' | 'subClientId' | 'ownerId'>,
  author: Author,
): Promise<Rule> {
  const { at } = author
  const blank = {
    ...{ ...of, name: given.name, isEnabled: true, minSeverity: given.minSeverity, components: undefined, vehicleIds: undefined },
    ...{ vehicleGroupIds: undefined, recipients: [], workingHours: undefined, quietHours: undefined },
    ...{ criticalAtAnyHour: false, repeatMinutes: undefined, escalation: undefined, digest: undefined, digestedUntil: undefined },
    ...{ createdAt: at, updatedAt: at },
  }
  const rule = await checked(db, keeper, blank, merged(blank, given, at))
  await upsertRule(db, keeper.resellerId, rule)
  await scheduleDigest(db, keeper.resellerId, rule, at)
  const { ruleId: objectId, subClientId, ownerId } = rule
  const action = ownerId === undefined ? 'notification_rule.created' : 'personal_notification_rule.created'
  await writeAudit(db, author, { action, objectId, subClientId, after: auditedRule(rule) })
  return rule
}

export async function requireRule(db: Db, caller: Caller, ruleId: string, lock: 'locked' | 'unlocked' = 'unlocked'): Promise<Rule> {
  const rule = /^nrl-[a-z0-9]+$/.test(ruleId) ? await selectRule(db, caller, ruleId, lock) : undefined
  if (rule === undefined) throw new Problem('not_found', 'There is no such notification rule.')
  return rule
}

export async function changeRule(
  database: Database,
  caller: Caller,
  ruleId: string,
  given: NotificationRuleChange,
  author: Author,
): Promise<Rule> {
  return await database.tenant(caller.resellerId, async (db) => {
    return await alterRule(db, caller, await requireRule(db, caller, ruleId, 'locked'), given, author)
  })
}

/** `before` is locked. */
export async function alterRule(db: Db, keeper: Keeper, before: Rule, given: NotificationRuleChange, author: Author): Promise<Rule> {
  const after = await checked(db, keeper, before, merged(before, given, author.at))
  await upsertRule(db, keeper.resellerId, after)
  await scheduleDigest(db, keeper.resellerId, after, author.at)
  if (after.isEnabled) await decideAnew(db, keeper.resellerId, after, author.at)
  const { ruleId: objectId, subClientId, ownerId } = before
  const action = ownerId === undefined ? 'notification_rule.updated' : 'personal_notification_rule.updated'
  await writeAudit(db, author, { action, objectId, subClientId, before: auditedRule(before), after: auditedRule(after) })
  return after
}

/** What was decided by the rule of before: hours that it waits for, and when, if ever, something follows. */
async function decideAnew(db: Db, resellerId: string, { ruleId }: Rule, at: Date): Promise<void> {
  const job = { resellerId, kind: INCIDENT_JOB }
  await upsertJobs(db, job, await selectIncidentsToDecideAnew(db, { resellerId, jobKind: INCIDENT_JOB, ruleId }), at)
}

export async function removeRule(database: Database, caller: Caller, ruleId: string, author: Author): Promise<void> {
  await database.tenant(caller.resellerId, async (db) => {
    await dropRule(db, caller, await requireRule(db, caller, ruleId, 'locked'), author)
  })
}

/** `rule` is locked. */
export async function dropRule(db: Db, { resellerId }: Keeper, rule: Rule, author: Author): Promise<void> {
  const { ruleId: objectId, subClientId, ownerId } = rule
  await deleteRule(db, resellerId, objectId)
  const action = ownerId === undefined ? 'notification_rule.deleted' : 'personal_notification_rule.deleted'
  await writeAudit(db, author, { action, objectId, subClientId, before: auditedRule(rule) })
}

/** Answers to how many people a test goes. */
export async function requestTest(database: Database, caller: Caller, ruleId: string, author: Author): Promise<number> {
  const { resellerId } = caller
  const { at } = author
  return await database.tenant(resellerId, async (db) => {
    const rule = await requireRule(db, caller, ruleId, 'locked')
    const { subClientId } = rule
    const tests = await selectNotificationsAbout(db, resellerId, { testsOfRuleId: ruleId })
    if (tests.some(({ createdAt }) => at.getTime() - createdAt.getTime() < TEST_EVERY_MS)) {
      throw new Problem('conflict', 'The rule was tested within the last minute; wait a minute.', { details: { waitSeconds: 60 } })
    }
    const people = [...recipientsOf(rule)]
    const wanted = people.map((recipient) => ({ ruleId, incidentId: undefined, subClientId, step: 'test', recipient }))
    await insertNotifications(db, resellerId, await withBrowsers(db, resellerId, wanted), at)
    await upsertJob(db, { resellerId, kind: TEST_JOB, key: ruleId }, at)
    await writeAudit(db, author, { action: 'notification_rule.tested', objectId: ruleId, subClientId })
    return people.length
  })
}

/** What is left out stays; null is nothing. */
function merged(before: Rule, given: NotificationRuleChange, at: Date): Rule {
  const after = mergedFields(before, given, at)
  // A digest that was not sent until now is about what happens from now on.
  const digestedUntil = isDigestRule(before) ? before.digestedUntil : at
  return { ...after, digestedUntil: after.digest === undefined ? undefined : digestedUntil }
}

function mergedFields(rule: Rule, given: NotificationRuleChange, at: Date): Rule {
  const chosen = <T>(next: T | null | undefined, before: T | undefined) => (next === undefined ? before : (next ?? undefined))
  return {
    ...rule,
    name: (given.name ?? rule.name).trim(),
    isEnabled: given.enabled ?? rule.isEnabled,
    minSeverity: given.minSeverity ?? rule.minSeverity,
    components: chosen<readonly string[]>(given.components, rule.components),
    vehicleIds: chosen<readonly string[]>(given.vehicleIds, rule.vehicleIds),
    vehicleGroupIds: chosen<readonly string[]>(given.vehicleGroupIds, rule.vehicleGroupIds),
    recipients: given.recipients ?? rule.recipients,
    workingHours: chosen(given.workingHours, rule.workingHours),
    quietHours: chosen(given.quietHours, rule.quietHours),
    criticalAtAnyHour: given.criticalAtAnyHour ?? rule.criticalAtAnyHour,
    repeatMinutes: chosen(given.repeatMinutes, rule.repeatMinutes),
    escalation: chosen(given.escalation, rule.escalation),
    digest: chosen(given.digest, rule.digest),
    updatedAt: at,
  }
}

/**
 * As it is kept: with our ids of vehicles, and nobody twice. Throws on what could never be sent, or to somebody new who does not see it. Whom the rule had
 * stays also where they are gone, and is sent nothing: a rule of somebody who left can be switched off.
 */
async function checked(db: Db, keeper: Keeper, before: Rule, rule: Rule): Promise<Rule> {
  checkHours(rule)
  checkDigest(rule)
  const recipients = [...new Set(rule.recipients)]
  const escalation = rule.escalation && { ...rule.escalation, recipients: [...new Set(rule.escalation.recipients)] }
  const known = recipientsOf(before)
  for (const recipient of recipientsOf(rule)) if (!known.has(recipient)) await requireAudience(db, keeper, rule, recipient)
  return { ...rule, recipients, escalation, ...(await checkedVehicles(db, keeper, before, rule)) }
}

function recipientsOf({ recipients, escalation }: Rule): Set<string> {
  return new Set([...recipients, ...(escalation?.recipients ?? [])])
}

/** What the rule had stays also where it is no longer seen: a rule whose vehicle moved can be switched off. */
async function checkedVehicles(db: Db, keeper: Keeper, before: Rule, rule: Rule): Promise<Pick<Rule, 'vehicleIds' | 'vehicleGroupIds'>> {
  const vehicleIds: string[] = []
  for (const reference of rule.vehicleIds ?? []) {
    const isKnown = before.vehicleIds?.includes(reference) ?? false
    vehicleIds.push(isKnown ? reference : (await requireVehicle(db, keeper, reference)).vehicleId)
  }
  const vehicleGroupIds = rule.vehicleGroupIds && [...new Set(rule.vehicleGroupIds)]
  for (const groupId of vehicleGroupIds ?? []) {
    if (!(before.vehicleGroupIds?.includes(groupId) ?? false)) await requireGroup(db, keeper, rule, groupId)
  }
  return { vehicleGroupIds, vehicleIds: rule.vehicleIds === undefined ? undefined : [...new Set(vehicleIds)] }
}

function checkHours({ workingHours, quietHours, updatedAt, ...rule }: Rule): void {
  if (rule.name === '' || !isOneLine(rule.name)) throw refusal('name', '"name" is one line of text.')
  if (workingHours !== undefined && workingHours.from >= workingHours.to) {
    throw refusal('workingHours/to', '"workingHours" ends on the day on which it begins, so "to" is later than "from".')
  }
  if (quietHours !== undefined && quietHours.from === quietHours.to) {
    throw refusal('quietHours/to', '"quietHours" ends at another time than it begins.')
  }
  if (firstAllowed({ workingHours, quietHours }, 'UTC', updatedAt) === undefined) {
    throw refusal('quietHours', 'All of the working hours are quiet, so that nothing would ever be sent.')
  }
}

/** It has its one time, and nobody can acknowledge it. */
function checkDigest({ digest, ...rule }: Rule): void {
  if (digest === undefined) return
  if (!isTimeZone(digest.timeZone)) throw refusal('digest/timeZone', '"timeZone" is the name of a time zone, such as Europe/Berlin.')
  for (const field of ['workingHours', 'quietHours', 'repeatMinutes', 'escalation'] as const) {
    if (rule[field] !== undefined) throw refusal(field, `A rule with a digest has no "${field}".`)
  }
}

/** Held, so that it is not deleted before the rule that names it is there. One of another sub-client would never be met. */
async function requireGroup(db: Db, keeper: Keeper, { subClientId }: Rule, groupId: string): Promise<void> {
  const group = await selectVehicleGroup(db, keeper, groupId, 'kept')
  if (group === undefined || (subClientId !== undefined && !isOf(group, subClientId))) throw noSuchVehicleGroup()
}

async function requireAudience(db: Db, { resellerId, subClientPin }: Keeper, { subClientId }: Rule, recipient: string): Promise<void> {
  if (isChannelId(recipient)) {
    const channel = await selectChannel(db, { resellerId, subClientPin }, recipient)
    if (channel === undefined || !isOf(channel, subClientId)) {
      throw new Problem('not_found', 'There is no such notification channel for the incidents of the rule.')
    }
    return
  }
  const user = await selectUser(db, resellerId, recipient, subClientPin)
  const isThere = user !== undefined && user.status !== 'deactivated' && isOf(user, subClientId)
  if (!isThere) throw new Problem('not_found', 'There is no such user who sees the incidents of the rule.')
}

function auditedRule(rule: Rule): AuditedFields {
  const { ruleId: _, digestedUntil: _until, createdAt: _created, updatedAt: _updated, ...fields } = rule
  return fields
}
