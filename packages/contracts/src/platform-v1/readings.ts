// Readings of a vehicle, and sending one (spec §2.8, §4.2).

import { lampStates, lamps, type SignalSpec, signalNames, signals } from '@roadworthy/signals/registry'
import { wireKeyOf } from '@roadworthy/signals/wire-names'
import { type Static, type TSchema, Type } from 'typebox'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total, Warnings } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'

const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description, examples: [timestampExample] }))

/** In one answer. */
export const MAX_BUCKETS = 2_000

/** Half-open: a reading at `from` is in it, one at `to` is not. */
export const timeRangeQuery = (span: string) => ({
  from: time(`Start of the range, included. ${span} before \`to\` when left out.`),
  to: time('End of the range, not included. Now when left out.'),
})

export const ReadingsQuery = Type.Object({
  ...timeRangeQuery('An hour'),
  signals: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: `Only these signals, and only readings with any of them: names separated by commas, of ${signalNames.map((name) => wireKeyOf(name, 'engine').key).join(', ')}; aliases are taken too.`,
      examples: ['coolant,engine_speed'],
    }),
  ),
  downsample: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,5}[smhd]$',
      description: 'Answer buckets of this length with lowest, mean and highest of each signal, instead of single readings.',
      examples: ['5m'],
    }),
  ),
  points: Type.Optional(
    Type.Integer({
      minimum: 10,
      maximum: MAX_BUCKETS,
      description: 'Instead of `downsample`: answer at most this many buckets. The service chooses their length, which is in the answer.',
      examples: [600],
    }),
  ),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], {
      type: 'string',
      default: 'asc',
      description: 'Of single readings by when they were recorded: `asc` is oldest first. A cursor goes on in the order it was made in.',
    }),
  ),
  ...pageQuery,
})

const values = Type.Record(Type.String(), Type.Number(), { description: 'By the field names and in the units of telemetry.' })

const readingExample = {
  id: 'tel-1Vq3hUwqGx0f3nB9kM2a7w-mk2v1c0g-dev-4k2p9x7m1c8v5b3n6q0z',
  recordedAt: timestampExample,
  receivedAt: timestampExample,
  deviceId: 'dev-4k2p9x7m1c8v5b3n6q0z',
  latitude: 12.97,
  longitude: 77.59,
  signals: { coolant: 92, engine_speed: 1850 },
  attributes: { heading: 270, ignition: true, mil_lamp: 'LAMP_OFF' },
  implausible: [],
}

export const Reading = Type.Object(
  {
    id: Type.String({ description: 'As in the answer that acknowledged it.' }),
    recordedAt: timestamp('By the clock of the device.'),
    receivedAt: timestamp('When it reached this service.'),
    deviceId: nullable(Type.String()),
    latitude: nullable(Type.Number()),
    longitude: nullable(Type.Number()),
    signals: values,
    attributes: Type.Record(Type.String(), Type.Unknown(), {
      description:
        '`heading`, `altitude`, `satellites`, `device_battery`, `ignition`, `event`, the lamps, `dtc_codes`, and in `extra` what else was sent.',
    }),
    implausible: Type.Array(Type.String(), { description: 'Fields outside their documented range: kept, never used for scoring.' }),
  },
  {
    title: 'Reading',
    examples: [readingExample],
  },
)
export type Reading = Static<typeof Reading>

export const ReadingBucket = Type.Object(
  {
    start: timestamp('The bucket holds readings from here until `bucketSeconds` later; buckets are aligned to the epoch.'),
    signals: Type.Record(
      Type.String(),
      Type.Object(
        {
          min: Type.Number(),
          avg: Type.Number(),
          max: Type.Number(),
          count: Type.Integer({ minimum: 1, description: 'Values in the bucket. Implausible ones are left out.' }),
        },
        { title: 'SignalSummary' },
      ),
    ),
  },
  {
    title: 'ReadingBucket',
    examples: [{ start: timestampExample, signals: { coolant: { min: 88, avg: 90.4, max: 93, count: 60 } } }],
  },
)
export type ReadingBucket = Static<typeof ReadingBucket>

const range = {
  vehicleId: Type.String(),
  from: timestamp('Start of the range, included.'),
  to: timestamp('End of the range, not included.'),
}

/** Without `downsample` `readings`, with it `buckets`. */
export const Readings = Type.Object(
  {
    ...range,
    readings: Type.Optional(Type.Array(Reading, { description: 'By `order`, oldest first. Without `downsample`.' })),
    bucketSeconds: Type.Optional(Type.Integer({ minimum: 1 })),
    buckets: Type.Optional(Type.Array(ReadingBucket, { description: 'Oldest first, empty ones left out. With `downsample` or `points`.' })),
    total,
    pagination: Pagination,
  },
  {
    title: 'ReadingList',
    description: 'A page of readings, or the buckets that were asked for.',
    examples: [
      {
        vehicleId: vehicleIdExample,
        from: '2026-01-31T08:00:00.000Z',
        to: '2026-01-31T09:00:00.000Z',
        readings: [readingExample],
        total: 1,
        pagination: { endCursor: null, hasNextPage: false },
      },
    ],
  },
)
export type Readings = Static<typeof Readings>

function sensorFields(): Record<string, TSchema> {
  const fields: Record<string, TSchema> = {}
  for (const name of signalNames) {
    const { label, engine } = signals[name] as SignalSpec
    if (engine !== null) fields[engine.key] = Type.Optional(Type.Number({ description: `${label}, ${engine.unit}.` }))
  }
  for (const { label, engineKey } of Object.values(lamps)) {
    fields[engineKey] = Type.Optional(Type.Enum([...lampStates], { type: 'string', description: label }))
  }
  return fields
}

/** Ingest reads the record itself, as on the External API: this schema describes it. */
export const TelemetryInput = Type.Object(
  {
    vehicleId: Type.String({
      minLength: 1,
      maxLength: 128,
      description: "Our id, or the caller's own reference; a reference not seen before makes the vehicle.",
      examples: [vehicleIdExample],
    }),
    timestamp: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'RFC 3339 with an offset; from 30 days ago to 5 minutes ahead. The time of receipt when left out.',
        examples: [timestampExample],
      }),
    ),
    ...sensorFields(),
    dtc_codes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 64, description: 'Active fault codes.' }),
    ),
    latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
    longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  },
  {
    title: 'TelemetryInput',
    additionalProperties: true,
    description: 'The aliases of the ML engine are taken too. Unknown keys are kept.',
    examples: [
      {
        vehicleId: vehicleIdExample,
        engine_speed: 1850,
        coolant: 92,
        battery_voltage: 13.9,
        vehicleSpeed: 72,
      },
    ],
  },
)

export const TelemetryAccepted = Type.Object(
  {
    success: Type.Literal(true),
    telemetryId: Type.String(),
    vehicleId: nullable(Type.String()),
    receivedAt: timestamp('When it was received.'),
    duplicate: Type.Boolean({ description: 'The same reading was stored before; this one counts nothing.' }),
    warnings: Type.Optional(Warnings),
  },
  {
    title: 'TelemetryAccepted',
    description: 'Sent after the reading is committed.',
    examples: [
      {
        success: true,
        telemetryId: 'tel-1Vq3hUwqGx0f3nB9kM2a7w-mk2v1c0g-veh-7h3d9s2k5f8j1l4a6g0q',
        vehicleId: vehicleIdExample,
        receivedAt: timestampExample,
        duplicate: false,
      },
    ],
  },
)
