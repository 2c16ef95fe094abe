// The last messages of a device, with what was made of each.

import { type Static, Type } from 'typebox'
import { FieldWarning, nullable, timestamp, timestampExample } from '../wire-fields.ts'

const Understood = Type.Object(
  {
    key: Type.String({ examples: ['coolant'] }),
    value: Type.Unknown({ examples: [88] }),
    unit: nullable(Type.String({ examples: ['°C'] })),
    implausible: Type.Boolean({ description: 'Stored, and judged by nothing.' }),
  },
  { title: 'UnderstoodValue' },
)
export type UnderstoodValue = Static<typeof Understood>

const receivers = ['rest', 'mqtt', 'stream', 'osmand', 'traccar', 'flespi', 'torque', 'freematics'] as const

export const DeviceMessage = Type.Object(
  {
    id: Type.String(),
    receivedAt: timestamp('When it was received.'),
    recordedAt: nullable(timestamp('The time of the reading, by the clock of the device. Null where it was refused.')),
    receiver: Type.Union([Type.Enum([...receivers], { type: 'string' }), Type.Null()], {
      description:
        'How it came; the last five are formats of phones and trackers over HTTP. Null where messages were not recorded at that time.',
    }),
    status: Type.Enum(['stored', 'duplicate', 'refused'], { type: 'string' }),
    readingId: nullable(Type.String({ description: 'Of the reading that was made of it.' })),
    understood: Type.Array(Understood, { description: 'The content of the reading.' }),
    keptUnread: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Fields with an unknown name, kept with the reading in `extra`. Shown without what looks like a credential.',
    }),
    warnings: Type.Array(FieldWarning),
    error: Type.Union(
      [
        Type.Object(
          { code: Type.String(), message: Type.String(), field: nullable(Type.String({ description: 'To blame, as it was sent.' })) },
          { title: 'MessageError' },
        ),
        Type.Null(),
      ],
      { description: 'Why it was refused. Over MQTT the device was sent the same on `errorsTopic`.' },
    ),
    body: nullable(
      Type.String({
        description: 'As it was sent, without what looks like a credential, up to 4,096 characters. Null where it was not recorded.',
      }),
    ),
    bodyBytes: nullable(Type.Integer({ minimum: 0 })),
    isBodyCut: Type.Boolean(),
  },
  { title: 'DeviceMessage' },
)
export type DeviceMessage = Static<typeof DeviceMessage>

export const DeviceMessages = Type.Object(
  {
    deviceId: Type.String(),
    recordingUntil: nullable(timestamp('Until when every message is recorded as it was sent. Null: only refused ones are.')),
    errorsTopic: Type.String({
      description: 'Where the device is sent refusals and warnings over MQTT.',
      examples: ['fleet/north-fleet/devices/dev-7h3d9s2k5f8j1l4a6g0q/errors'],
    }),
    messages: Type.Array(DeviceMessage, { description: 'Up to 50, newest first.' }),
  },
  {
    title: 'DeviceMessages',
    description: 'The last messages of a device, newest first.',
    examples: [
      {
        deviceId: 'dev-7h3d9s2k5f8j1l4a6g0q',
        recordingUntil: null,
        errorsTopic: 'fleet/north-fleet/devices/dev-7h3d9s2k5f8j1l4a6g0q/errors',
        messages: [
          {
            id: 'msg-17',
            receivedAt: timestampExample,
            recordedAt: null,
            receiver: 'mqtt',
            status: 'refused',
            readingId: null,
            understood: [],
            keptUnread: {},
            warnings: [],
            error: { code: 'invalid_request', message: '"rpm" must be a number.', field: 'rpm' },
            body: '{"rpm":"fast"}',
            bodyBytes: 14,
            isBodyCut: false,
          },
        ],
      },
    ],
  },
)
export type DeviceMessages = Static<typeof DeviceMessages>

export const StartRecording = Type.Object(
  { minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: 15 })) },
  { title: 'StartRecording', examples: [{ minutes: 15 }] },
)

export const Recording = Type.Object(
  { deviceId: Type.String(), recordingUntil: nullable(timestamp('Null: messages are not recorded any more.')) },
  {
    title: 'MessageRecording',
    description: 'Whether messages are recorded, and until when.',
    examples: [{ deviceId: 'dev-7h3d9s2k5f8j1l4a6g0q', recordingUntil: timestampExample }],
  },
)
