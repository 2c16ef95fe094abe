// What the audit log records of changes to notification rules, and of how a person is written to (`audit.test.ts`).

import { callerAt, ok, type Service } from '../support/service.ts'
import type { Changes } from './audited-sim-changes.ts'

const RULES = '/api/v1/notification-rules'
const CHANNELS = '/api/v1/notification-channels'
const PREFERENCES = '/api/v1/session/preferences'
const BROWSERS = '/api/v1/session/push-subscriptions'
const PERSONAL_RULES = '/api/v1/session/notification-rules'
const PERSONAL_RULE = { name: 'Mine', minSeverity: 'high' } as const
const BROWSER_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const CHANNEL = { name: 'Dispatch', kind: 'webhook', url: 'http://127.0.0.1:9999/' } as const

type People = {
  readonly service: Service
  readonly invite: () => Promise<{ readonly id: string }>
  /** Somebody who is signed in. */
  readonly join: () => Promise<{ readonly cookie: string }>
}

/** `make` answers the id of a rule, `makeChannel` that of a channel. */
export function notificationChanges(
  make: (body: object) => Promise<string>,
  makeChannel: (body: object) => Promise<string>,
  { service, invite, join }: People,
): Changes {
  let browsers = 0
  const newBrowser = () => ({ endpoint: `http://127.0.0.1:9999/${++browsers}`, keys: BROWSER_KEYS, name: 'Firefox' })
  const newPerson = async () => {
    const { cookie } = await join()
    const made = await callerAt(service.baseUrl, null)('POST', BROWSERS, { body: newBrowser(), headers: { cookie } })
    return { cookie, path: `${BROWSERS}/${ok<{ id: string }>(made).id}` }
  }
  const withOwnRule = async () => {
    const { cookie } = await join()
    const made = await callerAt(service.baseUrl, null)('POST', PERSONAL_RULES, { body: PERSONAL_RULE, headers: { cookie } })
    return { cookie, path: `${PERSONAL_RULES}/${ok<{ id: string }>(made).id}` }
  }
  const newRule = async () => ({ name: 'Workshop', minSeverity: 'high', recipients: [(await invite()).id] })
  const channelPath = async () => `${CHANNELS}/${await makeChannel(CHANNEL)}`
  const rulePath = async () => `${RULES}/${await make(await newRule())}`
  return {
    createNotificationRule: ['notification_rule.created', async (ask) => ask('POST', RULES, await newRule())],
    changeNotificationRule: ['notification_rule.updated', async (ask) => ask('PATCH', await rulePath(), { enabled: false })],
    deleteNotificationRule: ['notification_rule.deleted', async (ask) => ask('DELETE', await rulePath())],
    createNotificationChannel: ['notification_channel.created', (ask) => ask('POST', CHANNELS, CHANNEL)],
    changeNotificationChannel: ['notification_channel.updated', async (ask) => ask('PATCH', await channelPath(), { name: 'Night shift' })],
    deleteNotificationChannel: ['notification_channel.deleted', async (ask) => ask('DELETE', await channelPath())],
    changePreferences: ['user.preferences_changed', async (ask) => ask('PUT', PREFERENCES, { language: 'de' }, (await join()).cookie)],
    createPushSubscription: ['push_subscription.created', async (ask) => ask('POST', BROWSERS, newBrowser(), (await join()).cookie)],
    deletePushSubscription: [
      'push_subscription.deleted',
      async (ask) => {
        const { cookie, path } = await newPerson()
        return ask('DELETE', path, undefined, cookie)
      },
    ],
    testPushSubscription: [
      'push_subscription.tested',
      async (ask) => {
        const { cookie, path } = await newPerson()
        return ask('POST', `${path}/test`, undefined, cookie)
      },
    ],
    createPersonalNotificationRule: [
      'personal_notification_rule.created',
      async (ask) => ask('POST', PERSONAL_RULES, PERSONAL_RULE, (await join()).cookie),
    ],
    changePersonalNotificationRule: [
      'personal_notification_rule.updated',
      async (ask) => {
        const { cookie, path } = await withOwnRule()
        return ask('PATCH', path, { enabled: false }, cookie)
      },
    ],
    deletePersonalNotificationRule: [
      'personal_notification_rule.deleted',
      async (ask) => {
        const { cookie, path } = await withOwnRule()
        return ask('DELETE', path, undefined, cookie)
      },
    ],
    testNotificationChannel: ['notification_channel.tested', async (ask) => ask('POST', `${await channelPath()}/test`)],
    testNotificationRule: ['notification_rule.tested', async (ask) => ask('POST', `${await rulePath()}/test`)],
  }
}
