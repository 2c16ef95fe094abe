// What the audit log says of changes to notification rules (`audit.test.ts`).

import type { Changes } from './audited-sim-changes.ts'

const RULES = '/api/v1/notification-rules'

/** `make` answers the id of a rule, `invite` that of a new person. */
export function notificationChanges(make: (body: object) => Promise<string>, invite: () => Promise<string>): Changes {
  const newRule = async () => ({ name: 'Workshop', minSeverity: 'high', recipients: [await invite()] })
  const rulePath = async () => `${RULES}/${await make(await newRule())}`
  return {
    createNotificationRule: ['notification_rule.created', async (ask) => ask('POST', RULES, await newRule())],
    changeNotificationRule: ['notification_rule.updated', async (ask) => ask('PATCH', await rulePath(), { enabled: false })],
    deleteNotificationRule: ['notification_rule.deleted', async (ask) => ask('DELETE', await rulePath())],
    testNotificationRule: ['notification_rule.tested', async (ask) => ask('POST', `${await rulePath()}/test`)],
  }
}
