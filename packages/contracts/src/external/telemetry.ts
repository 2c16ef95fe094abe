// Readings on the External API (spec §2.4, §2.5). `/telemetry` and `/track` take the same shapes; the numeric sensor keys come from the
// signal table. Ingest reads records itself, so that a bad one is refused by its index: these schemas describe what it takes.

import { lampStates, lamps, type SignalSpec, signalNames, signals } from '@roadworthy/signals/registry'
import { type Static, type TSchema, Type } from 'typebox'
import { Warnings } from '../wire-fields.ts'

export const MAX_BATCH_RECORDS = 100

/** Of answers alone: a reading with a fixed time can be sent for 30 days only, and examples are sent as they stand. */
const timestampExample = '2026-01-31T08:15:00.000Z'

function sensorKeys(): Record<string, TSchema> {
  const keys: Record<string, TSchema> = {}
  for (const name of signalNames) {
    const { label, external, engine, min, max } = signals[name] as SignalSpec
    const wire = external ?? engine
    if (wire === null) continue
    const range = `${Number((min / wire.scale).toFixed(3))} to ${Number((max / wire.scale).toFixed(3))}`
    keys[wire.key] = Type.Optional(
      Type.Number({ description: `${label}, ${wire.unit}. Outside ${range} it is stored, marked implausible and never used for scoring.` }),
    )
  }
  for (const { label, engineKey } of Object.values(lamps)) {
    keys[engineKey] = Type.Optional(Type.Enum([...lampStates], { type: 'string', description: label }))
  }
  keys['dtc_codes'] = Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 32 }), {
      maxItems: 64,
      description: 'Active fault codes: SAE J2012 (`P0217`) or J1939 (`SPN110-FMI0`).',
    }),
  )
  return keys
}

const position = {
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north, WGS 84. Also `lat`.' })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east, WGS 84. Also `lon` or `lng`.' })),
}

const readingFields = {
  sub_client_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Taken from the device when left out.' })),
  timestamp: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'RFC 3339 with an offset; from 30 days ago to 5 minutes ahead. The time of receipt when left out.',
    }),
  ),
  ...position,
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  location: Type.Optional(
    Type.Object(
      { lat: Type.Number({ minimum: -90, maximum: 90 }), lng: Type.Number({ minimum: -180, maximum: 180 }) },
      { title: 'ReadingPosition', additionalProperties: true },
    ),
  ),
  heading: Type.Optional(Type.Number({ description: 'Degrees clockwise from north, 0 to 360.' })),
  altitude: Type.Optional(Type.Number({ description: 'Metres above sea level.' })),
  satellites: Type.Optional(Type.Integer({ minimum: 0 })),
  device_battery: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: 'Charge of the phone or tracker itself, in %. Never that of the vehicle.' }),
  ),
  device_battery_voltage: Type.Optional(Type.Number({ minimum: 0, maximum: 60, description: 'Voltage of its battery, in V.' })),
  ignition: Type.Optional(Type.Boolean()),
  event: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'periodic, sos, tamper, overspeed, geofence_enter, geofence_exit, ignition_on, ignition_off, harsh_acceleration, harsh_braking, harsh_cornering, power_cut, low_battery, tow, crash, jamming, or a word of your own.',
    }),
  ),
  ...sensorKeys(),
  sensor_data: Type.Optional(
    Type.Object(sensorKeys(), { title: 'SensorData', additionalProperties: true, description: 'The sensor keys, gathered in one object.' }),
  ),
  extra: Type.Optional(
    Type.Object(
      {},
      {
        title: 'ExtraFields',
        additionalProperties: true,
        description: 'Protocol-specific fields. Unknown keys of the record end up here too.',
      },
    ),
  ),
}

export const TelemetryRecord = Type.Object(
  {
    device_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Registered device id, or IMEI. Either this or `vehicle_id` is required.' }),
    ),
    vehicle_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'Our vehicle id, or your own name for the vehicle; one we do not know is created (by a device itself, only where the reseller allows it).',
      }),
    ),
    ...readingFields,
  },
  {
    title: 'TelemetryRecord',
    additionalProperties: true,
    examples: [{ device_id: '356938035643809', lat: 28.6139, lon: 77.209, speed: 61, coolant_temp: 92 }],
  },
)

export const TrackPoint = Type.Object(
  {
    device_id: Type.String({ minLength: 1, maxLength: 128, description: 'Registered device id, or IMEI.' }),
    vehicle_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    ...readingFields,
  },
  {
    title: 'TrackPoint',
    additionalProperties: true,
    examples: [
      {
        device_id: '356938035643809',
        latitude: 28.6139,
        longitude: 77.209,
        speed: 42,
        heading: 270,
        ignition: true,
        event: 'periodic',
      },
    ],
  },
)

/** Spec gap §4.1: `{records: […]}` or the bare array. Items are described but judged one by one. */
export const TelemetryBatch = Type.Union(
  [
    Type.Object(
      { records: Type.Array(TelemetryRecord, { minItems: 1, maxItems: MAX_BATCH_RECORDS }) },
      { title: 'TelemetryRecords', additionalProperties: false },
    ),
    Type.Array(TelemetryRecord, { minItems: 1, maxItems: MAX_BATCH_RECORDS }),
  ],
  {
    title: 'TelemetryBatch',
    examples: [{ records: [{ vehicle_id: 'truck-17', sensor_data: { rpm: 1450, coolant_temp: 88 } }] }],
  },
)
export const TrackBatch = Type.Union(
  [
    Type.Array(TrackPoint, { minItems: 1, maxItems: MAX_BATCH_RECORDS }),
    Type.Object(
      { points: Type.Array(TrackPoint, { minItems: 1, maxItems: MAX_BATCH_RECORDS }) },
      { title: 'TrackPoints', additionalProperties: false },
    ),
  ],
  {
    title: 'TrackBatch',
    examples: [[{ device_id: '356938035643809', latitude: 28.6139, longitude: 77.209 }]],
  },
)

const nullableString = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })

const accepted = {
  success: Type.Literal(true),
  device_id: nullableString('The device it was stored for.'),
  vehicle_id: nullableString('The vehicle it was stored for; of a duplicate the one that the device is linked to now.'),
  sub_client_id: nullableString('The sub-client it was stored for; of a duplicate that of the device now.'),
  received_at: Type.String({ format: 'date-time' }),
  duplicate: Type.Boolean({ description: 'The same reading was stored before; it is stored and metered once.' }),
  warnings: Type.Optional(Warnings),
}
const readingIdExample = 'tel-1Vq3hUwqGx0f3nB9kM2a7w-mk2v1c0g-dev-4k2p9x7m1c8v5b3n6q0z'
const storedForExample = {
  device_id: 'dev-4k2p9x7m1c8v5b3n6q0z',
  vehicle_id: 'veh-7h3d9s2k5f8j1l4a6g0q',
  sub_client_id: 'acme-logistics',
}
const acceptedExample = { success: true, ...storedForExample, received_at: timestampExample, duplicate: false }

export const TelemetryAccepted = Type.Object(
  { telemetry_id: Type.String({ description: 'Reads the record back: GET /telemetry/{id}.' }), ...accepted },
  {
    title: 'TelemetryAccepted',
    description: 'The record is stored. Sent after it is committed.',
    examples: [{ telemetry_id: readingIdExample, ...acceptedExample }],
  },
)
export const TrackAccepted = Type.Object(
  { track_id: Type.String({ description: 'Reads the point back: GET /telemetry/{id}.' }), ...accepted },
  {
    title: 'TrackAccepted',
    description: 'The point is stored. Sent after it is committed.',
    examples: [{ track_id: readingIdExample, ...acceptedExample }],
  },
)
export type TelemetryAccepted = Static<typeof TelemetryAccepted>
export type TrackAccepted = Static<typeof TrackAccepted>

const BatchItemResult = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    status: Type.Enum(['stored', 'duplicate', 'rejected'], { type: 'string' }),
    id: Type.Optional(Type.String()),
    warnings: Type.Optional(Warnings),
    error: Type.Optional(
      Type.Object(
        { code: Type.String(), message: Type.String(), details: Type.Optional(Type.Object({}, { additionalProperties: true })) },
        { title: 'ItemProblem' },
      ),
    ),
  },
  { title: 'BatchItemResult' },
)
export const BatchAccepted = Type.Object(
  {
    success: Type.Literal(true),
    records_processed: Type.Integer({ description: 'Stored or known already.' }),
    records_rejected: Type.Integer(),
    duplicates: Type.Integer(),
    processing_time_ms: Type.Number(),
    results: Type.Array(BatchItemResult),
  },
  {
    title: 'BatchAccepted',
    description: 'What became of each record, in the order of the request. Sent after those that are stored are committed.',
    examples: [
      {
        success: true,
        records_processed: 1,
        records_rejected: 1,
        duplicates: 0,
        processing_time_ms: 4.2,
        results: [
          { index: 0, status: 'stored', id: readingIdExample },
          {
            index: 1,
            status: 'rejected',
            error: { code: 'device_not_found', message: 'There is no registered device with this id or IMEI.' },
          },
        ],
      },
    ],
  },
)
export type BatchAccepted = Static<typeof BatchAccepted>

export const StoredReading = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['telemetry', 'track'], { type: 'string' }),
    device_id: nullableString('Device that sent it.'),
    vehicle_id: nullableString('Vehicle it is about.'),
    sub_client_id: nullableString('Sub-client at the time of receipt.'),
    timestamp: Type.String({ format: 'date-time' }),
    received_at: Type.String({ format: 'date-time' }),
    latitude: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    longitude: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    sensor_data: Type.Object({}, { additionalProperties: true, description: 'Sensor keys and units of the External API.' }),
    heading: Type.Optional(Type.Number()),
    altitude: Type.Optional(Type.Number()),
    satellites: Type.Optional(Type.Number()),
    device_battery: Type.Optional(Type.Number()),
    device_battery_voltage: Type.Optional(Type.Number()),
    ignition: Type.Optional(Type.Boolean()),
    event: Type.Optional(Type.String()),
    extra: Type.Optional(Type.Object({}, { additionalProperties: true })),
    implausible: Type.Array(Type.String(), { description: 'Fields that were stored but are outside their documented range.' }),
  },
  {
    title: 'StoredReading',
    description: 'The record as it is stored.',
    examples: [
      {
        id: readingIdExample,
        kind: 'telemetry',
        ...storedForExample,
        timestamp: timestampExample,
        received_at: timestampExample,
        latitude: 28.6139,
        longitude: 77.209,
        sensor_data: { speed: 61, coolant_temp: 92 },
        implausible: [],
      },
    ],
  },
)
export type StoredReading = Static<typeof StoredReading>
