// Tests of a rule: a message to each of its people, by the way that messages about incidents go.

import type { JobId, JobOutcome } from '../jobs/job.ts'
import { testMessage } from './message.ts'
import { selectNotificationsAbout, updateLeftNotifications } from './notifications.sql.ts'
import { recipientOf } from './recipient.ts'
import { selectRule } from './rules/rules.sql.ts'
import { type SendDeps, sendInTurns, sendNotification } from './send-notification.ts'

/** The key of the job is the id of the rule. */
export const TEST_JOB = 'test-notification-rule'

export async function sendTests(deps: SendDeps, { resellerId, key }: JobId, at: Date): Promise<JobOutcome> {
  const db = deps.database.tenantPool(resellerId)
  const topic = { testsOfRuleId: key }
  await updateLeftNotifications(db, resellerId, topic)
  const rule = await selectRule(db, { resellerId, subClientPin: undefined }, key)
  const pending = (await selectNotificationsAbout(db, resellerId, topic)).filter(({ status }) => status === 'pending')
  const retriesAt = await sendInTurns(pending, async (notification) => {
    const prepare = async () => {
      if (rule === undefined) return 'The rule is gone.'
      const of = { resellerId, subClientId: rule.subClientId }
      const recipient = await recipientOf(db, deps, of, notification, at)
      return typeof recipient === 'string'
        ? recipient
        : () => recipient.send(testMessage.bind(undefined, { what: 'rule', name: rule.name }))
    }
    return await sendNotification(deps.database, resellerId, notification, prepare, at)
  })
  return retriesAt.length === 0 ? 'done' : { againAt: new Date(Math.min(...retriesAt.map((time) => time.getTime()))) }
}
