// Spec gap §6.2: where a reseller's telemetry is read from by Kafka, how that goes, and a test of it.

import { type Static, Type } from 'typebox'
import { saslMechanisms } from '../stream/sasl-mechanisms.ts'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'

const MAX_BROKERS = 20
/** With `.dlq` behind it, it must still be a name that Kafka takes. */
const MAX_TOPIC_LENGTH = 245
const MAX_PEM_LENGTH = 8_192

const enabled = Type.Boolean({ description: 'Whether the topic is read.' })
const brokers = Type.Array(Type.String({ minLength: 3, maxLength: 261 }), {
  minItems: 1,
  maxItems: MAX_BROKERS,
  description: 'Brokers to begin with, each `HOST:PORT`: public addresses, port 443 or from 1024 up.',
})
const topic = Type.String({
  minLength: 1,
  maxLength: MAX_TOPIC_LENGTH,
  description: 'Topic of the telemetry. What cannot be taken goes to the topic of this name with `.dlq` behind it.',
})
const groupId = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^\\S+$',
  description:
    'Consumer group; left out: `roadworthy-` and the slug of the reseller. How far the topic is read is kept for each group: another one begins anew.',
})
const startAt = Type.Enum(['earliest', 'latest'], {
  type: 'string',
  description: 'Where a group begins of which neither this service nor Kafka knows how far it came.',
})
const pem = (description: string) => Type.String({ minLength: 1, maxLength: MAX_PEM_LENGTH, description: `PEM. ${description}` })
const ca = pem('Certificates of the authorities that sign the brokers. Null: those that Node trusts.')
const certificate = pem('Certificate of ours, where the brokers ask for one.')
const mechanism = Type.Enum([...saslMechanisms], { type: 'string' })
const username = Type.String({ minLength: 1, maxLength: 256 })

const shared = {
  enabled: true,
  brokers: ['kafka-1.example.com:9093', 'kafka-2.example.com:9093'],
  topic: 'telemetry',
  groupId: 'roadworthy-acme',
  startAt: 'earliest' as const,
}
const sasl = { mechanism: 'SCRAM-SHA-512' as const, username: 'roadworthy' }

export const PutStreamConnectionRequest = Type.Object(
  {
    enabled: Type.Optional({ ...enabled, default: true }),
    brokers,
    topic,
    groupId: Type.Optional(groupId),
    startAt: Type.Optional({ ...startAt, default: 'earliest' }),
    tls: Type.Optional(
      nullable(
        Type.Object(
          {
            ca: Type.Optional(nullable(ca)),
            certificate: Type.Optional(nullable(certificate)),
            key: Type.Optional(
              nullable(
                pem(
                  'Private key of that certificate, without a passphrase. Never shown again. Left out: the stored one stays; null: none.',
                ),
              ),
            ),
          },
          { title: 'StreamTlsRequest', additionalProperties: false, description: 'Null: plain text.' },
        ),
      ),
    ),
    sasl: Type.Optional(
      nullable(
        Type.Object(
          {
            mechanism,
            username,
            password: Type.Optional(
              nullable(
                Type.String({
                  minLength: 1,
                  maxLength: 1_024,
                  description: 'Never shown again. Left out: the stored one stays, unless a broker was added or TLS was left; null: none.',
                }),
              ),
            ),
          },
          { title: 'StreamSaslRequest', additionalProperties: false, description: 'Null: no sign-in.' },
        ),
      ),
    ),
  },
  {
    title: 'PutStreamConnectionRequest',
    additionalProperties: false,
    examples: [{ ...shared, tls: {}, sasl: { ...sasl, password: 'correct horse battery' } }],
  },
)
export type PutStreamConnectionRequest = Static<typeof PutStreamConnectionRequest>

const state = Type.Enum(['disabled', 'connecting', 'running', 'waiting', 'failed', 'quarantined'], {
  type: 'string',
  description:
    'waiting: connected, and held up by what stands in detail. failed: not connected; tried again. quarantined: what the brokers sent ended the reader again and again; left out for a day, or until the connection is changed. Of several processes, that of the one that is worst off.',
})
const detail = nullable(Type.String({ description: 'What is wrong and what would be right.' }))
const lagMessages = nullable(Type.Integer({ description: 'Messages that are in the topic and not settled yet. Null: not known.' }))

const consumerExample = {
  id: 'con-3f8k1m6q9t2w5z8c1v4b',
  state: 'running' as const,
  detail: null,
  partitions: [0, 1, 2],
  lagMessages: 0,
  storedRecords: 1200,
  duplicateRecords: 3,
  deadLetters: 1,
  warnings: [
    {
      field: 'coolnt_temp',
      reason: 'unknown, kept in extra; the closest known name is "coolant_temp"',
      count: 12,
      lastAt: timestampExample,
    },
  ],
  lastMessageAt: timestampExample,
  since: timestampExample,
  updatedAt: timestampExample,
}

const StreamConsumer = Type.Object(
  {
    id: Type.String(),
    state,
    detail,
    partitions: Type.Array(Type.Integer(), { description: 'That this process reads at the moment.' }),
    lagMessages,
    storedRecords: Type.Integer({ description: 'Since it began, as are the two below.' }),
    duplicateRecords: Type.Integer({ description: 'That were known already, and counted once.' }),
    deadLetters: Type.Integer({ description: 'Messages that went to the topic of dead letters.' }),
    warnings: Type.Array(
      Type.Object(
        {
          field: Type.String({ description: 'As it was sent.' }),
          reason: Type.String(),
          count: Type.Integer({
            description: 'Readings that had it, since the process began; of a field that was rare for long, since it came again.',
          }),
          lastAt: timestamp('When it was last stored.'),
        },
        { title: 'StreamWarning' },
      ),
      {
        maxItems: 20,
        description: 'Fields that were stored and not used, the most frequent first; of more than 20, those that came last.',
      },
    ),
    lastMessageAt: nullable(timestamp('When the newest message that was settled here was written.')),
    since: timestamp('When this process began to read.'),
    updatedAt: timestamp('When it last reported its state, which it does every few seconds.'),
  },
  { title: 'StreamConsumer', examples: [consumerExample] },
)

export const StreamConnection = Type.Object(
  {
    enabled,
    brokers,
    topic,
    deadLetterTopic: Type.String({ description: 'Where messages go that cannot be taken, with the reason.' }),
    groupId,
    startAt,
    tls: nullable(
      Type.Object(
        {
          ca: nullable(ca),
          certificate: nullable(certificate),
          hasKey: Type.Boolean({ description: 'Whether a private key is stored.' }),
        },
        { title: 'StreamTls' },
      ),
    ),
    sasl: nullable(
      Type.Object(
        { mechanism, username, hasPassword: Type.Boolean({ description: 'Whether a password is stored.' }) },
        { title: 'StreamSasl' },
      ),
    ),
    status: Type.Object(
      {
        state,
        detail,
        lagMessages,
        consumers: Type.Array(StreamConsumer, { description: 'The processes that read it.' }),
      },
      { title: 'StreamStatus' },
    ),
    createdAt: timestamp('When there was first a connection.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  {
    title: 'StreamConnection',
    description: 'Where telemetry is read from, without secrets, and how that goes.',
    examples: [
      {
        ...shared,
        deadLetterTopic: 'telemetry.dlq',
        tls: { ca: null, certificate: null, hasKey: false },
        sasl: { ...sasl, hasPassword: true },
        status: { state: 'running', detail: null, lagMessages: 0, consumers: [consumerExample] },
        createdAt: timestampExample,
        updatedAt: timestampExample,
      },
    ],
  },
)
export type StreamConnection = Static<typeof StreamConnection>

export const StreamConnectionList = Type.Object(
  { connections: Type.Array(StreamConnection, { maxItems: 1, description: 'One, or none while there is no connection.' }) },
  { title: 'StreamConnectionList', description: 'The stream connection of the reseller, if there is one.' },
)
export type StreamConnectionList = Static<typeof StreamConnectionList>

export const DeletedStreamConnection = Type.Object(
  { deleted: Type.Literal(true) },
  { title: 'DeletedStreamConnection', description: 'It is forgotten.', examples: [{ deleted: true }] },
)

export const streamTestSteps = ['name', 'tcp', 'tls', 'authentication', 'topic', 'sample'] as const
export type StreamTestStep = (typeof streamTestSteps)[number]

export const StreamConnectionTest = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether no step failed.' }),
    steps: Type.Array(
      Type.Object(
        {
          step: Type.Enum([...streamTestSteps], { type: 'string' }),
          status: Type.Enum(['ok', 'failed', 'skipped'], { type: 'string' }),
          detail: Type.String({ description: 'What was found; of a failure, what is wrong and what would be right.' }),
          duration_ms: Type.Integer(),
        },
        { title: 'StreamTestStep' },
      ),
      { description: 'In this order. After one that failed, the others are skipped.' },
    ),
  },
  {
    title: 'StreamConnectionTest',
    description: 'What each step found.',
    examples: [
      {
        success: false,
        steps: [
          { step: 'name', status: 'ok', detail: 'kafka-1.example.com has an address.', duration_ms: 12 },
          {
            step: 'tcp',
            status: 'failed',
            detail: 'kafka-1.example.com:9093 refuses connections (ECONNREFUSED). Check the port, and that a broker listens on it.',
            duration_ms: 3,
          },
          ...(['tls', 'authentication', 'topic', 'sample'] as const).map((step) => ({
            step,
            status: 'skipped' as const,
            detail: 'Not tried, because tcp failed.',
            duration_ms: 0,
          })),
        ],
      },
    ],
  },
)
export type StreamConnectionTest = Static<typeof StreamConnectionTest>
