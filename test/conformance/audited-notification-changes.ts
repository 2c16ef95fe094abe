// What the audit log says of changes to notification rules (`audit.test.ts`).

import type { Changes } from './audited-sim-changes.ts'

const RULES = '/api/v1/notification-rules'
const CHANNELS = '/api/v1/notification-channels'
const CHANNEL = { name: 'Dispatch', kind: 'webhook', url: 'http://127.0.0.1:9999/' } as const

/** `make` answers the id of a rule, `makeChannel` that of a channel, `invite` that of a new person. */
export function notificationChanges(
  make: (body: object) => Promise<string>,
  makeChannel: (body: object) => Promise<string>,
  invite: () => Promise<string>,
): Changes {
  const newRule = async () => ({ name: 'Workshop', minSeverity: 'high', recipients: [await invite()] })
  const channelPath = async () => `${CHANNELS}/${await makeChannel(CHANNEL)}`
  const rulePath = async () => `${RULES}/${await make(await newRule())}`
  return {
    createNotificationRule: ['notification_rule.created', async (ask) => ask('POST', RULES, await newRule())],
    changeNotificationRule: ['notification_rule.updated', async (ask) => ask('PATCH', await rulePath(), { enabled: false })],
    deleteNotificationRule: ['notification_rule.deleted', async (ask) => ask('DELETE', await rulePath())],
    createNotificationChannel: ['notification_channel.created', (ask) => ask('POST', CHANNELS, CHANNEL)],
    changeNotificationChannel: ['notification_channel.updated', async (ask) => ask('PATCH', await channelPath(), { name: 'Night shift' })],
    deleteNotificationChannel: ['notification_channel.deleted', async (ask) => ask('DELETE', await channelPath())],
    testNotificationChannel: ['notification_channel.tested', async (ask) => ask('POST', `${await channelPath()}/test`)],
    testNotificationRule: ['notification_rule.tested', async (ask) => ask('POST', `${await rulePath()}/test`)],
  }
}
