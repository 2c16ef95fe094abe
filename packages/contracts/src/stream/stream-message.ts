// What a topic of telemetry holds, and what goes to its topic of dead letters (docs/message-stream.md).

import { Type } from 'typebox'
import { MAX_BATCH_RECORDS, TelemetryRecord } from '../external/telemetry.ts'

/** Of the value of a message, an envelope included. */
export const MAX_STREAM_MESSAGE_BYTES = 64 * 1024
/** Asked for in one fetch, so the most that one batch of a topic may have. */
export const MAX_STREAM_FETCH_BYTES = 2 * 1024 * 1024

const deviceIdExample = 'dev-4k2p9x7m1c8v5b3n6q0z'
const at = '2026-01-31T08:15:00.000Z'
const recordExample = { device_id: deviceIdExample, timestamp: at, speed: 61.5, coolant_temp: 92 }

/** The value of a message without an envelope, and of a CloudEvent in binary mode. */
export const StreamRecords = Type.Union(
  [TelemetryRecord, Type.Array(TelemetryRecord, { title: 'StreamRecordList', minItems: 1, maxItems: MAX_BATCH_RECORDS })],
  {
    title: 'StreamRecords',
    examples: [recordExample, [recordExample, { ...recordExample, timestamp: '2026-01-31T08:15:05.000Z', speed: 60 }]],
  },
)

const attributes = {
  specversion: Type.String({ pattern: '^1\\.', examples: ['1.0'], description: '`1.0`.' }),
  id: Type.Optional(Type.String({ description: 'Not read: the same content of the same device and time is one reading.' })),
  source: Type.Optional(Type.String({ description: 'Not read.' })),
  type: Type.Optional(Type.String({ description: 'Not read.' })),
  time: Type.Optional(Type.String({ format: 'date-time', description: 'The time of records that have none.' })),
}

/** The value of a CloudEvent 1.0 in structured mode. */
export const StreamCloudEvent = Type.Object(
  {
    ...attributes,
    datacontenttype: Type.Optional(Type.String({ description: 'A JSON type; JSON when left out.', examples: ['application/json'] })),
    data: Type.Optional(StreamRecords),
    data_base64: Type.Optional(Type.String({ description: 'The same JSON in base64. Read where `data` is not there.' })),
  },
  {
    title: 'StreamCloudEvent',
    additionalProperties: true,
    examples: [
      {
        specversion: '1.0',
        id: 'b3f1c0de-0001',
        source: '/gateways/north',
        type: 'com.example.telemetry',
        time: at,
        datacontenttype: 'application/json',
        data: { device_id: deviceIdExample, speed: 61.5, coolant_temp: 92 },
      },
    ],
  },
)

/** Headers of a CloudEvent 1.0 in binary mode. */
export const StreamCloudEventHeaders = Type.Object(
  {
    ce_specversion: attributes.specversion,
    ce_id: attributes.id,
    ce_source: attributes.source,
    ce_type: attributes.type,
    ce_time: attributes.time,
    'content-type': Type.Optional(Type.String({ description: 'A JSON type; JSON when left out.', examples: ['application/json'] })),
  },
  {
    title: 'StreamCloudEventHeaders',
    additionalProperties: true,
    examples: [
      {
        ...{ ce_specversion: '1.0', ce_id: 'b3f1c0de-0001', ce_source: '/gateways/north', ce_type: 'com.example.telemetry', ce_time: at },
        'content-type': 'application/json',
      },
    ],
  },
)

/** Why a message is set aside. */
const deadLetterCodes = [
  'invalid_json',
  'invalid_cloudevent',
  'empty_message',
  'payload_too_large',
  'batch_too_large',
  'invalid_request',
  'vehicle_of_other_sub_client',
  'device_not_found',
  'not_found',
  'device_suspended',
  'sub_client_suspended',
  'quota_exceeded',
] as const

/** Headers of a dead letter, beside those that the message had. */
export const DeadLetterHeaders = Type.Object(
  {
    'dead-letter-code': Type.String({
      description: `One of ${deadLetterCodes.map((code) => `\`${code}\``).join(', ')}; others may be added.`,
    }),
    'dead-letter-reason': Type.String({ description: 'What was wrong and what would be right.' }),
    'dead-letter-topic': Type.String({ description: 'Where the message was read.' }),
    'dead-letter-partition': Type.String({ pattern: '^[0-9]+$' }),
    'dead-letter-offset': Type.String({ pattern: '^[0-9]+$' }),
    'dead-letter-at': Type.String({ format: 'date-time', description: 'When it was set aside.' }),
    'dead-letter-content': Type.Optional(
      Type.Literal('too_large', { description: 'The topic takes less than the first one: the content was left out, and stands there.' }),
    ),
  },
  {
    title: 'DeadLetterHeaders',
    additionalProperties: true,
    examples: [
      {
        'dead-letter-code': 'device_not_found',
        'dead-letter-reason': 'There is no registered device with this id or IMEI.',
        'dead-letter-topic': 'telemetry',
        'dead-letter-partition': '3',
        'dead-letter-offset': '81725',
        'dead-letter-at': at,
      },
    ],
  },
)
