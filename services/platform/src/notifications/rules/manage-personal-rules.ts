// A person's own rules. They send to that person alone, so that nothing leaves by an address or a channel of somebody else. Those of others do not exist.

import {
  type CreatePersonalNotificationRule,
  MAX_PERSONAL_RULES,
  type PersonalNotificationRuleChange,
} from '@roadworthy/contracts/platform-v1/personal-notification-rules'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { Origin } from '../../audit/audit.ts'
import { selectUser, type User } from '../../people/users.sql.ts'
import { isAudience } from '../send-notification.ts'
import { authorOfPerson, type Person } from '../signed-in.ts'
import { addRule, alterRule, dropRule } from './manage-rules.ts'
import type { Rule } from './rule.ts'
import { lockPersonalRuleCount, selectRule, selectRulesThatReach } from './rules.sql.ts'

/** Their own, and those that name them and may send to them. Oldest first. */
export async function rulesThatReach(db: Db, { resellerId, userId }: Person): Promise<Rule[]> {
  const user = await selectUser(db, resellerId, userId, undefined)
  return (await selectRulesThatReach(db, resellerId, userId)).filter((rule) => mayReach(rule, user))
}

/** One of the whole fleet sends somebody of a sub-client messages about its vehicles, and no digest, which is about others too. */
function mayReach({ subClientId, digest }: Rule, user: User | undefined): boolean {
  return isAudience(user, subClientId === undefined && digest === undefined ? user?.subClientId : subClientId)
}

export async function createPersonalRule(
  database: Database,
  person: Person,
  given: CreatePersonalNotificationRule,
  origin: Origin,
): Promise<Rule> {
  const { resellerId, userId, subClientId } = person
  const author = authorOfPerson(person, await database.now(), origin)
  return await database.tenant(resellerId, async (db) => {
    if ((await lockPersonalRuleCount(db, resellerId, userId)) >= MAX_PERSONAL_RULES) {
      throw new Problem('conflict', `You have ${MAX_PERSONAL_RULES} rules of your own already, which is the most; delete one first.`, {
        details: { limit: MAX_PERSONAL_RULES },
      })
    }
    const of = { ruleId: newId('nrp'), subClientId, ownerId: userId }
    return await addRule(db, keeperOf(person), { ...given, recipients: [userId] }, of, author)
  })
}

export async function changePersonalRule(
  database: Database,
  person: Person,
  ruleId: string,
  given: PersonalNotificationRuleChange,
  origin: Origin,
): Promise<Rule> {
  const author = authorOfPerson(person, await database.now(), origin)
  return await database.tenant(person.resellerId, async (db) => {
    return await alterRule(db, keeperOf(person), await requirePersonalRule(db, person, ruleId), given, author)
  })
}

export async function removePersonalRule(database: Database, person: Person, ruleId: string, origin: Origin): Promise<void> {
  const author = authorOfPerson(person, await database.now(), origin)
  await database.tenant(person.resellerId, async (db) => {
    await dropRule(db, keeperOf(person), await requirePersonalRule(db, person, ruleId), author)
  })
}

/** Locked. */
async function requirePersonalRule(db: Db, { resellerId, userId }: Person, ruleId: string): Promise<Rule> {
  const hasForm = /^nrp-[a-z0-9]{1,40}$/.test(ruleId)
  const rule = hasForm ? await selectRule(db, { resellerId, subClientPin: undefined }, ruleId, 'locked') : undefined
  if (rule?.ownerId !== userId) throw noSuchPersonalRule()
  return rule
}

export function noSuchPersonalRule(): Problem {
  return new Problem('not_found', 'You have no such notification rule.')
}

/** Vehicles and groups that the person does not see do not exist for their rule. */
function keeperOf({ resellerId, subClientId }: Person): { resellerId: string; subClientPin: string | undefined } {
  return { resellerId, subClientPin: subClientId }
}
