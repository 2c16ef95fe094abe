// Browsers in which a person is shown messages (Web Push): https://w3c.github.io/push-api/.

import { type Static, Type } from 'typebox'
import { timestamp, timestampExample } from '../wire-fields.ts'
import { NotificationChannelTest } from './notification-channels.ts'

export const MAX_PUSH_SUBSCRIPTIONS = 5

const idExample = 'psh-6r9u2x5a8d1g4k7n0q3t'
const name = Type.String({ minLength: 1, maxLength: 120, description: 'Of the browser, for the person.', examples: ['Firefox on Linux'] })

const subscriptionExample = {
  ...{ id: idExample, name: 'Firefox on Linux', host: 'updates.push.services.mozilla.com' },
  ...{ endpointSha256: 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184', createdAt: timestampExample },
}

export const PushSubscription = Type.Object(
  {
    id: Type.String(),
    name,
    host: Type.String({ description: 'Of the push service of the browser.' }),
    endpointSha256: Type.String({ description: 'By it a page knows its own browser: SHA-256 of the endpoint, in hexadecimal.' }),
    createdAt: timestamp('When it was allowed.'),
  },
  { title: 'PushSubscription', description: 'A browser in which the person is shown messages.', examples: [subscriptionExample] },
)
export type PushSubscription = Static<typeof PushSubscription>

export const PushSubscriptionList = Type.Object(
  {
    publicKey: Type.String({ description: 'What a browser subscribes with, as `applicationServerKey`: base64url.' }),
    limit: Type.Integer({ description: 'How many there can be.' }),
    pushSubscriptions: Type.Array(PushSubscription),
  },
  {
    title: 'PushSubscriptionList',
    description: 'Those of who is signed in, oldest first.',
    examples: [{ publicKey: 'BNcRd…', limit: MAX_PUSH_SUBSCRIPTIONS, pushSubscriptions: [subscriptionExample] }],
  },
)

const key = (characters: number, description: string) =>
  Type.String({ pattern: `^[A-Za-z0-9_-]{${characters}}$`, description: `${description} Base64url.` })

/** As `PushSubscription.toJSON()` of a browser gives it, with a name. */
export const CreatePushSubscription = Type.Object(
  {
    endpoint: Type.String({ minLength: 1, maxLength: 2_000, description: 'Of the push service: https, and a public address.' }),
    keys: Type.Object(
      {
        p256dh: key(87, 'The public key of the browser.'),
        auth: key(22, 'Its authentication secret.'),
      },
      { title: 'PushKeys' },
    ),
    name,
  },
  {
    title: 'CreatePushSubscription',
    description: 'What the browser answers when it is subscribed.',
    examples: [
      {
        endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        name: 'Firefox on Linux',
      },
    ],
  },
)
export type CreatePushSubscription = Static<typeof CreatePushSubscription>

export const DeletedPushSubscription = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  { title: 'DeletedPushSubscription', description: 'The browser is shown nothing more.', examples: [{ id: idExample, deleted: true }] },
)

export const PushSubscriptionTest = Type.Object(NotificationChannelTest.properties, {
  title: 'PushSubscriptionTest',
  description: 'What came of the test.',
  examples: [{ id: idExample, notificationId: 'ntf-9d2g5j8m1p4s7v0y3b6e', status: 'sent' as const, error: null }],
})

export const PushSubscriptionParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: [idExample] }) })
