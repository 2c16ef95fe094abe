// Where every device is, in one answer of lines: for live maps of a whole fleet.

import { type Static, Type } from 'typebox'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'

export const Position = Type.Object(
  {
    deviceId: Type.String(),
    imei: nullable(Type.String()),
    name: nullable(Type.String({ description: 'Of the device.' })),
    subClientId: nullable(Type.String()),
    vehicleId: nullable(Type.String()),
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    speed: nullable(Type.Number({ description: 'km/h' })),
    heading: nullable(Type.Number({ description: 'Degrees clockwise from north.' })),
    ignition: nullable(Type.Boolean()),
    timestamp: timestamp('When the device was there.'),
    receivedAt: timestamp('When the service received it; of one that came in while the answer was being read, when that began.'),
    online: Type.Boolean({ description: 'As of the device.' }),
  },
  { title: 'Position' },
)
export type Position = Static<typeof Position>

const example: Position = {
  ...{ deviceId: 'dev-5k1m8p3r7t0v2x6z9b4d', imei: '356938035643809', name: 'Truck 17 dongle', subClientId: 'acme-logistics' },
  ...{ vehicleId: vehicleIdExample, latitude: 12.9716, longitude: 77.5946, speed: 42.5, heading: 270, ignition: true },
  ...{ timestamp: timestampExample, receivedAt: timestampExample, online: true },
}

export const positionLines = {
  'application/x-ndjson': {
    schema: Type.String({ description: 'The JSON of a `Position` on each line, which ends with a newline.' }),
    examples: { one: { value: `${JSON.stringify(example)}\n` } },
  },
}

export const PositionQuery = Type.Object({
  subClientId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only devices of this sub-client.' })),
  receivedSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Only positions that came in since: give the newest `receivedAt` of the answer before to get what is new. Those of the 10 seconds before come again, as they may have been stored after that answer.',
      examples: [timestampExample],
    }),
  ),
})
