// Spec gap §1, §2.10: connections to payment gateways. Credentials go in and never come out.

import { type Static, Type } from 'typebox'
import { success } from '../external/references.ts'
import { closed, nullable, oneLine, timestamp, timestampExample } from '../wire-fields.ts'

export const gatewayNames = ['stripe', 'razorpay'] as const
/** Nobody needs more; it bounds what one reseller can have us keep. */
export const MAX_GATEWAY_CONNECTIONS = 10

const connectionIdExample = 'gwc-3f8k1m6q9t2w5z8c1v4b'

const gateway = Type.Enum([...gatewayNames], {
  type: 'string',
  description: '`stripe`: Stripe Checkout. `razorpay`: Razorpay Payment Links.',
})
const name = Type.String({ minLength: 1, maxLength: 100, ...oneLine, description: 'For people.', examples: ['Stripe, main account'] })
const enabled = Type.Boolean({
  description: 'Whether new payments go through it. Callbacks, refunds and payments under way are served in any case.',
})
const settings = Type.Object(
  {
    base_url: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Where the gateway's API is, if not at the gateway itself." }),
    ),
    key_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Of Razorpay: the id of the API key.' })),
  },
  { title: 'GatewaySettings', ...closed, description: 'What is no secret.', examples: [{}] },
)
const secret = (description: string) => Type.String({ minLength: 8, maxLength: 500, description })
const credentials = Type.Object(
  {
    api_key: Type.Optional(secret('Of Stripe: a secret or a restricted key.')),
    key_secret: Type.Optional(secret('Of Razorpay: the secret of the API key.')),
    webhook_secret: Type.Optional(
      secret('With which the gateway signs its callbacks. The one before stays valid for three days after it was replaced.'),
    ),
  },
  {
    title: 'GatewayCredentials',
    description: 'Sealed at rest and never shown again.',
    examples: [{ api_key: 'rk_live_51H…', webhook_secret: 'whsec_8f3k…' }],
  },
)

export const GatewayConnection = Type.Object(
  {
    connection_id: Type.String(),
    gateway,
    name,
    enabled,
    mode: Type.Enum(['live', 'test'], { type: 'string', description: 'Whether real money moves, by the form of the key.' }),
    settings,
    credential_names: Type.Array(Type.String(), { description: 'Which credentials are stored.' }),
    callback_url: Type.String({ description: 'Enter this at the gateway as the URL of its webhooks.' }),
    previous_webhook_secret_until: nullable(timestamp('Until when a webhook secret that was replaced is valid, where one is.')),
    last_event_at: nullable(timestamp('When the last callback came that was shown to be the gateway’s.')),
    refused_callbacks: Type.Integer({ minimum: 0, description: 'Callbacks that were not shown to be the gateway’s.' }),
    last_refused_at: nullable(timestamp('When the last of them came.')),
    last_refusal: nullable(Type.String({ description: 'Why it was refused. `bad_signature`: check the webhook secret.' })),
    created_at: timestamp('When it was made.'),
    updated_at: timestamp('When it was last changed.'),
  },
  {
    title: 'GatewayConnection',
    description: 'An account at a payment gateway, without its credentials.',
    examples: [
      {
        connection_id: connectionIdExample,
        gateway: 'stripe',
        name: 'Stripe, main account',
        enabled: true,
        mode: 'live',
        settings: {},
        credential_names: ['api_key', 'webhook_secret'],
        callback_url: `https://app.example.com/api/sim-billing/payments/callback/stripe/${connectionIdExample}`,
        previous_webhook_secret_until: null,
        last_event_at: timestampExample,
        refused_callbacks: 0,
        last_refused_at: null,
        last_refusal: null,
        created_at: timestampExample,
        updated_at: timestampExample,
      },
    ],
  },
)
export type GatewayConnection = Static<typeof GatewayConnection>

export const GatewayConnectionCreate = Type.Object(
  { gateway, name, enabled: Type.Optional({ ...enabled, default: true }), settings: Type.Optional(settings), credentials },
  {
    title: 'GatewayConnectionCreate',
    examples: [
      {
        gateway: 'razorpay',
        name: 'Razorpay',
        settings: { key_id: 'rzp_live_8Kd2mQ' },
        credentials: { key_secret: 's3cr3t-of-the-key', webhook_secret: 's3cr3t-of-webhooks' },
      },
    ],
  },
)
export type GatewayConnectionCreate = Static<typeof GatewayConnectionCreate>

export const GatewayConnectionUpdate = Type.Object(
  {
    name: Type.Optional(name),
    enabled: Type.Optional(enabled),
    settings: Type.Optional(settings),
    credentials: Type.Optional(credentials),
  },
  {
    title: 'GatewayConnectionUpdate',
    minProperties: 1,
    description:
      'What is left out stays; `settings` replaces all of them, of `credentials` those that are given. Another `base_url` needs the key again. From ' +
      'test to live is another connection.',
    examples: [{ credentials: { webhook_secret: 'whsec_9w2m…' } }],
  },
)
export type GatewayConnectionUpdate = Static<typeof GatewayConnectionUpdate>

export const GatewayConnectionAnswer = Type.Object(
  { success, connection: GatewayConnection },
  { title: 'GatewayConnectionAnswer', description: 'The connection as it is now.' },
)
export const GatewayConnectionList = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'How many there are: ten at most.', examples: [1] }),
    connections: Type.Array(GatewayConnection),
  },
  { title: 'GatewayConnectionList', description: 'All of them, oldest first.' },
)
export const GatewayConnectionDeleted = Type.Object(
  { success, connection_id: Type.String({ examples: [connectionIdExample] }) },
  { title: 'GatewayConnectionDeleted', description: 'It is forgotten.' },
)
export const GatewayConnectionTest = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether the gateway took the credentials and answered.' }),
    message: Type.String({ description: 'What it answered; of a failure, what was wrong.' }),
    account: nullable(Type.String({ description: 'The id of the account, where the gateway gives it.' })),
    mode: Type.Enum(['live', 'test'], { type: 'string', description: 'Whether real money moves.' }),
    duration_ms: Type.Integer({ minimum: 0 }),
  },
  {
    title: 'GatewayConnectionTest',
    description: 'What a call with these credentials brought. It moves no money, and does not test callbacks.',
    examples: [{ success: true, message: 'The gateway took the credentials.', account: null, mode: 'test', duration_ms: 210 }],
  },
)
export type GatewayConnectionTest = Static<typeof GatewayConnectionTest>

export const GatewayConnectionParams = Type.Object({
  connection_id: Type.String({ minLength: 1, maxLength: 200, examples: [connectionIdExample] }),
})
