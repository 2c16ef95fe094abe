// Tests of a rule: a message to each of its people, by the way that messages about incidents go.

import { selectUser } from '../access/users.sql.ts'
import type { JobId, JobOutcome } from '../jobs/job.ts'
import { testMessage } from './message.ts'
import { selectNotificationsAbout, updateLeftNotifications } from './notifications.sql.ts'
import { selectRule } from './rules.sql.ts'
import { isAudience, type SendDeps, sendNotification } from './send-notification.ts'

/** The key of the job is the id of the rule. */
export const TEST_JOB = 'test-notification-rule'

export async function sendTests(deps: SendDeps, { resellerId, key }: JobId, at: Date): Promise<JobOutcome> {
  const db = deps.database.tenantPool(resellerId)
  const topic = { testsOfRuleId: key }
  await updateLeftNotifications(db, resellerId, topic)
  const rule = await selectRule(db, { resellerId, subClientPin: undefined }, key)
  const retriesAt: number[] = []
  for (const notification of await selectNotificationsAbout(db, resellerId, topic)) {
    if (notification.status !== 'pending') continue
    const prepare = async () => {
      const user = await selectUser(db, resellerId, notification.recipient, undefined)
      if (rule === undefined || !isAudience(user, rule.subClientId)) return 'The recipient cannot sign in, or sees no such incident.'
      return { user, write: testMessage.bind(undefined, `the rule "${rule.name}"`) }
    }
    const next = await sendNotification(deps, resellerId, notification, prepare, at)
    if (next !== undefined) retriesAt.push(next.getTime())
  }
  return retriesAt.length === 0 ? 'done' : { againAt: new Date(Math.min(...retriesAt)) }
}
