// Webhook endpoints and what was sent to them (spec §6.1; Spec gap §6: routes, signing, delivery).

import { type Static, Type } from 'typebox'
import { eventTypes } from '../webhooks/events.ts'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'

const MAX_URL_LENGTH = 2_000

const endpointIdExample = 'whe-3f8k1m6q9t2w5z8c1v4b'
const deliveryIdExample = 'whd-7n2p5s8v1y4b7e0h3k6m'
const eventIdExample = 'evt-5d8g1j4m7q0t3w6z9c2f'

const eventType = Type.Enum(eventTypes, { type: 'string' })
const url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  description: 'Where events are sent. https, and a public address.',
  examples: ['https://hooks.example.com/roadworthy'],
})
const description = Type.String({ maxLength: 500, description: 'For people.' })
const eventTypeFilter = nullable(
  Type.Array(eventType, {
    minItems: 1,
    maxItems: eventTypes.length * 2,
    description: 'The types of events it is sent. Null: all, also those that are added one day.',
  }),
)
const subClientId = Type.String({ minLength: 1, maxLength: 64, description: 'It is sent events of this sub-client only.' })
const headers = Type.Record(Type.String(), Type.String({ maxLength: 1_000 }), {
  description: 'Sent along with every event, 10 at most, for example to sign in with a gateway. Never shown again.',
  examples: [{ 'X-Gateway-Key': 'k7f3' }],
})

export const Webhook = Type.Object(
  {
    id: Type.String(),
    url,
    description,
    eventTypes: eventTypeFilter,
    subClientId: nullable(subClientId),
    headerNames: Type.Array(Type.String(), { description: 'Names of the headers that are sent along.' }),
    status: Type.Enum(['enabled', 'paused', 'disabled'], {
      type: 'string',
      description: '`paused`: by a person; events are kept and sent when it is resumed. `disabled`: by us; see `disabledReason`.',
    }),
    disabledReason: nullable(
      Type.Enum(['failing', 'gone'], { type: 'string', description: '`failing`: for five days. `gone`: it answered 410.' }),
    ),
    failingSince: nullable(timestamp('Of the first attempt that failed since one succeeded.')),
    failureCount: Type.Integer({ minimum: 0, description: 'Attempts that failed since one succeeded.' }),
    warnedAt: nullable(timestamp('When it had been failing for a day. Four days later it is disabled.')),
    lastSuccessAt: nullable(timestamp('Of the last attempt that succeeded, to the minute.')),
    previousSecretExpiresAt: nullable(timestamp('Until when messages are signed with the secret before the last rotation as well.')),
    createdAt: timestamp('When it was made.'),
    updatedAt: timestamp('When it was last changed, by anybody.'),
  },
  {
    title: 'Webhook',
    description: 'An endpoint that events are sent to.',
    examples: [
      {
        id: endpointIdExample,
        url: 'https://hooks.example.com/roadworthy',
        description: 'Workshop scheduling',
        eventTypes: ['alert.created', 'maintenance.completed'],
        subClientId: null,
        headerNames: ['X-Gateway-Key'],
        status: 'enabled',
        disabledReason: null,
        failingSince: null,
        failureCount: 0,
        warnedAt: null,
        lastSuccessAt: timestampExample,
        previousSecretExpiresAt: null,
        createdAt: timestampExample,
        updatedAt: timestampExample,
      },
    ],
  },
)
export type Webhook = Static<typeof Webhook>

export const CreateWebhookRequest = Type.Object(
  {
    url,
    description: Type.Optional(description),
    eventTypes: Type.Optional(eventTypeFilter),
    subClientId: Type.Optional(nullable(subClientId)),
    headers: Type.Optional(headers),
  },
  {
    title: 'CreateWebhookRequest',
    examples: [{ url: 'https://hooks.example.com/roadworthy', eventTypes: ['alert.created', 'maintenance.completed'] }],
  },
)
export type CreateWebhookRequest = Static<typeof CreateWebhookRequest>

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    eventTypes: Type.Optional(eventTypeFilter),
    headers: Type.Optional(headers),
  },
  {
    title: 'WebhookChange',
    minProperties: 1,
    description:
      'What is left out stays as it is. `headers` replaces all of them. A `url` with another scheme, host or port needs them again, or `{}` for none.',
    examples: [{ eventTypes: null }],
  },
)
export type WebhookChange = Static<typeof WebhookChange>

export const WebhookWithSecret = Type.Object(
  {
    secret: Type.String({
      description: 'By which the receiver verifies signatures (Standard Webhooks). It is shown this once only.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDmqeGh0cGZ2A='],
    }),
    webhook: Webhook,
  },
  { title: 'WebhookWithSecret', description: 'The endpoint; this is the one time its new secret is shown.' },
)
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const WebhookList = Type.Object(
  { total, webhooks: Type.Array(Webhook), pagination: Pagination },
  { title: 'WebhookList', description: 'A page of endpoints, oldest first.' },
)
export type WebhookList = Static<typeof WebhookList>

export const DeletedWebhook = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  { title: 'DeletedWebhook', description: 'It is sent nothing more.', examples: [{ id: endpointIdExample, deleted: true }] },
)

export const WebhookTestRequest = Type.Object(
  {
    eventType: Type.Optional(
      nullable(Type.Enum(eventTypes, { type: 'string', description: 'The type that the event has. Absent: `webhook.test`.' })),
    ),
  },
  { title: 'WebhookTestRequest', examples: [{ eventType: 'alert.created' }] },
)

export const WebhookTestSent = Type.Object(
  { eventId: Type.String({ description: 'Of the event that is sent; deliveries can be filtered by it.' }) },
  { title: 'WebhookTestSent', description: 'The event is on its way.', examples: [{ eventId: eventIdExample }] },
)

const deliveryStatus = Type.Enum(['pending', 'delivered', 'failed'], {
  type: 'string',
  description: '`pending`: an attempt is still to come. `failed`: all ten were made.',
})
const attemptOutcome = Type.Enum(['delivered', 'refused', 'timeout', 'unreachable', 'forbidden'], {
  type: 'string',
  description:
    '`delivered`: answered 2xx. `refused`: answered anything else. `timeout`: no complete answer in 15 s. `unreachable`: no connection, no ' +
    'TLS, or cut off. `forbidden`: the address is not public, and nothing was sent.',
})
const answerStatus = Type.Integer({ minimum: 0, description: 'The HTTP status that was answered.' })

const deliveryExample = {
  id: deliveryIdExample,
  webhookId: endpointIdExample,
  eventId: eventIdExample,
  eventType: 'alert.created',
  status: 'pending',
  attemptCount: 1,
  nextAttemptAt: timestampExample,
  lastAttemptAt: timestampExample,
  lastOutcome: 'refused',
  lastAnswerStatus: 503,
  deliveredAt: null,
  createdAt: timestampExample,
}

export const WebhookDelivery = Type.Object(
  {
    id: Type.String(),
    webhookId: Type.String(),
    eventId: Type.String({ description: 'What the receiver gets as `webhook-id`, the same in every attempt.' }),
    eventType,
    status: deliveryStatus,
    attemptCount: Type.Integer({ minimum: 0 }),
    nextAttemptAt: nullable(timestamp('When the next attempt is due, or was; only while pending.')),
    lastAttemptAt: nullable(timestamp('When the last attempt was made.')),
    lastOutcome: nullable(attemptOutcome),
    lastAnswerStatus: nullable(answerStatus),
    deliveredAt: nullable(timestamp('When it was first answered 2xx.')),
    createdAt: timestamp('When it was decided that this endpoint is sent it.'),
  },
  {
    title: 'WebhookDelivery',
    description: 'One event for one endpoint.',
    examples: [deliveryExample],
  },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

const attemptExample = {
  id: 'wha-1a4d7g0j3m6p9s2v5y8b',
  attemptedAt: timestampExample,
  url: 'https://hooks.example.com/roadworthy',
  requestHeaders: {
    'content-type': 'application/json',
    'user-agent': 'Roadworthy-Webhooks/2.0',
    'webhook-id': eventIdExample,
    'webhook-timestamp': '1769847300',
    'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
  outcome: 'refused',
  answerStatus: 503,
  answerHeaders: { 'content-type': 'text/plain' },
  answerBody: 'try later',
  error: 'answered 503',
  durationMs: 41,
}

const WebhookAttempt = Type.Object(
  {
    id: Type.String(),
    attemptedAt: timestamp('When it began.'),
    url,
    requestHeaders: Type.Record(Type.String(), Type.String(), { description: 'Values of added headers are not shown.' }),
    outcome: attemptOutcome,
    answerStatus: nullable(answerStatus),
    answerHeaders: nullable(Type.Record(Type.String(), Type.String(), { description: 'The first 40, 500 characters of each.' })),
    answerBody: nullable(Type.String({ description: 'Its first 4 kB.' })),
    error: nullable(Type.String({ description: 'Why it was not delivered.' })),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  {
    title: 'WebhookAttempt',
    examples: [attemptExample],
  },
)
export type WebhookAttempt = Static<typeof WebhookAttempt>

export const WebhookDeliveryDetail = Type.Object(
  {
    ...WebhookDelivery.properties,
    body: Type.String({ description: 'The bytes that are signed and sent.' }),
    attempts: Type.Array(WebhookAttempt, { description: 'Newest first, 50 at most; each is kept for 30 days.' }),
  },
  {
    title: 'WebhookDeliveryDetail',
    description: 'A delivery with what was sent and what was answered.',
    examples: [
      {
        ...deliveryExample,
        body: '{"id":"evt-5d8g1j4m7q0t3w6z9c2f","event":"alert.created","timestamp":"2026-01-31T08:15:00.000Z","data":{},"sub_client_id":null}',
        attempts: [attemptExample],
      },
    ],
  },
)
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>

export const WebhookDeliveryList = Type.Object(
  { deliveries: Type.Array(WebhookDelivery), pagination: Pagination },
  { title: 'WebhookDeliveryList', description: 'A page of deliveries, newest first.' },
)
export type WebhookDeliveryList = Static<typeof WebhookDeliveryList>

export const WebhookStatistics = Type.Object(
  {
    since: timestamp('What was decided to be sent from here on is counted: a day.'),
    delivered: Type.Integer({ minimum: 0, description: 'Answered 2xx, at whichever attempt.' }),
    failing: Type.Integer({ minimum: 0, description: 'Not delivered so far, with an attempt that failed; another may still come.' }),
    waiting: Type.Integer({ minimum: 0, description: 'Not attempted yet.' }),
    isComplete: Type.Boolean({ description: 'False: there were more; the newest 10,000 are counted.' }),
  },
  {
    title: 'WebhookStatistics',
    description: 'How the last day went.',
    examples: [{ since: timestampExample, delivered: 214, failing: 2, waiting: 0, isComplete: true }],
  },
)
export type WebhookStatistics = Static<typeof WebhookStatistics>

export const WebhookParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: [endpointIdExample] }) })
export const WebhookDeliveryParams = Type.Object({
  ...WebhookParams.properties,
  deliveryId: Type.String({ minLength: 1, maxLength: 200, examples: [deliveryIdExample] }),
})
export const WebhookDeliveryListQuery = Type.Object({
  status: Type.Optional(deliveryStatus),
  eventType: Type.Optional(Type.Enum(eventTypes, { type: 'string', description: 'Only events of this type.' })),
  eventId: Type.Optional(Type.String({ pattern: '^evt-[a-z0-9]{1,40}$', description: 'Only this event.', examples: [eventIdExample] })),
  from: Type.Optional(
    Type.String({ pattern: '^[\\x20-\\x7e]{1,200}$', description: 'Only what was made from then on; RFC 3339 with an offset.' }),
  ),
  to: Type.Optional(
    Type.String({ pattern: '^[\\x20-\\x7e]{1,200}$', description: 'Only what was made before then; RFC 3339 with an offset.' }),
  ),
  ...pageQuery,
})

export const RecoverRequest = Type.Object(
  {
    since: timestamp('Events that happened from here on, at the earliest what is still in the log.'),
    until: Type.Optional(nullable(timestamp('And before this. Absent: now.'))),
  },
  { title: 'RecoverRequest', examples: [{ since: timestampExample }] },
)
export type RecoverRequest = Static<typeof RecoverRequest>

export const Recovered = Type.Object(
  {
    recovered: Type.Integer({ minimum: 0, description: 'Deliveries that became due.' }),
    isComplete: Type.Boolean({ description: 'False: there is more than one request recovers. Send the same again.' }),
  },
  { title: 'RecoveredDeliveries', description: 'What is sent from now on.', examples: [{ recovered: 214, isComplete: true }] },
)
export type Recovered = Static<typeof Recovered>
