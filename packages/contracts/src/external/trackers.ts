// Formats of phones, trackers and platforms that forward trackers, over HTTP. They are of others: what they may hold is described here and judged, message by
// message, by the receiver.

import { Type } from 'typebox'
import { imeiExample, trackerTokenExample } from './devices.ts'
import { ExternalError } from './errors.ts'

const number = (description: string) => Type.Optional(Type.Number({ description }))
const text = (description: string) => Type.Optional(Type.String({ description }))

export const OsmandQuery = Type.Object(
  {
    id: text('The token of the device; `deviceid` is taken too.'),
    timestamp: text(
      'Seconds or milliseconds since 1970, ISO 8601, or `yyyy-MM-dd HH:mm:ss` in UTC. The time of receipt where it is missing.',
    ),
    lat: number('Degrees. With `lon`, or both in `location` with a comma between them.'),
    lon: number('Degrees.'),
    location: text('`lat,lon`'),
    valid: text('Not `true` or `1`: the position is no fix and is not used.'),
    speed: number('Knots.'),
    bearing: number('Degrees; `heading` is taken too.'),
    altitude: number('Metres.'),
    accuracy: number('Metres.'),
    hdop: number('Dilution of precision.'),
    batt: number('Charge of the phone or tracker itself, in %.'),
    charge: text('Whether it is being charged.'),
    alarm: text('As Traccar names alarms: `sos`, `overspeed`, `tampering` …'),
    ignition: text('`true` or `false`'),
    rpm: number('Engine speed in RPM.'),
    coolantTemp: number('°C; `coolant_temp` is taken too.'),
    fuelLevel: number('%; `fuel_level` is taken too. `fuel` is litres by custom, and kept unread.'),
    power: number('Voltage of the vehicle in V; `battery_voltage` is taken too.'),
    throttle: number('%'),
  },
  {
    title: 'OsmandQuery',
    additionalProperties: true,
    description: 'Any other parameter is kept in `extra` and named among the messages of the device.',
    examples: [{ id: trackerTokenExample, timestamp: '1769847300', lat: 12.9716, lon: 77.5946, speed: 27, bearing: 63, batt: 79 }],
  },
)

export const TraccarClientBody = Type.Object(
  {
    device_id: text('The token of the device.'),
    location: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: '`timestamp`, `coords`, `battery`, `activity` and more, as the app sends them.' },
      ),
    ),
  },
  {
    title: 'TraccarClientBody',
    additionalProperties: true,
    examples: [
      {
        location: {
          timestamp: '2026-01-31T08:15:00.000Z',
          coords: { latitude: 12.9716, longitude: 77.5946, accuracy: 5, speed: 13.9, heading: 63, altitude: 920 },
          is_moving: true,
          odometer: 1200,
          event: '',
          battery: { level: 0.79, is_charging: false },
          activity: { type: 'in_vehicle' },
          extras: {},
        },
        device_id: trackerTokenExample,
      },
    ],
  },
)

export const MessageRefused = Type.Object(ExternalError.properties, {
  title: 'MessageRefused',
  description:
    'Nothing is stored, and sending it again would change nothing. Phones send again whatever is not answered 200, and nothing behind it: so this is a 200.',
  examples: [
    {
      success: false,
      error: {
        code: 'invalid_request',
        message: '"timestamp" is more than 30 days ago; older readings are not taken.',
        request_id: '5f6b2f0e-1c7a-4a8e-9d55-0c8a5b7f2f10',
        details: { field: 'timestamp' },
      },
    },
  ],
})

export const TrackerTokenParams = Type.Object({
  token: Type.String({ maxLength: 64, description: 'The token of the device.', examples: [trackerTokenExample] }),
})
export const FreematicsParams = Type.Object({
  ...TrackerTokenParams.properties,
  device: Type.String({
    maxLength: 64,
    description: 'What the firmware calls the device; the token says which it is.',
    examples: ['M0ZR4X0'],
  }),
})

export const TorqueQuery = Type.Object(
  {
    time: number('Milliseconds since 1970.'),
    kff1006: number('Latitude in degrees.'),
    kff1005: number('Longitude in degrees.'),
    kff1001: number('Speed by GPS in km/h; `kd`, by OBD-II, counts for more.'),
    kc: number('Engine speed in RPM.'),
    k5: number('Coolant in °C.'),
  },
  {
    additionalProperties: true,
    description: '`k` and the PID in hexadecimal. What is not read is kept in `extra` and named among the messages of the device.',
  },
)

export const TorqueTaken = Type.String({ description: '`OK!`, without which Torque sends it again.', examples: ['OK!'] })

export const FreematicsPacket = Type.String({
  description: 'Samples as `key=value`, separated by commas, with or without an id before `#` and a checksum behind `*`.',
  examples: ['M0ZR4X0#0=204391,10=8140000,A=12.971600,B=77.594600,10D=50,24=1380'],
})

export const FreematicsPush = Type.Object(
  {
    id: text('What the firmware calls the device; the token says which it is.'),
    timestamp: text('ISO 8601 in UTC. The time of receipt where it is missing or empty.'),
    lat: number('Degrees.'),
    lon: number('Degrees.'),
    altitude: number('Metres.'),
    speed: number('Knots.'),
    heading: number('Degrees.'),
  },
  {
    title: 'FreematicsPush',
    additionalProperties: true,
    examples: [{ id: 'M0ZR4X0', timestamp: '2026-01-31T08:15:00Z', lat: 12.9716, lon: 77.5946, altitude: 920, speed: 27, heading: 63 }],
  },
)

const fix = { latitude: 12.9716, longitude: 77.5946, altitude: 920, speed: 27, course: 63 }

export const TraccarPosition = Type.Object(
  {
    position: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'As Traccar has it: speed in knots, `odometer` of the attributes in metres, `power` in V.',
      },
    ),
    device: Type.Object(
      { uniqueId: Type.Optional(Type.String({ description: 'IMEI of the device, or its id here.' })) },
      { title: 'TraccarDevice', additionalProperties: true },
    ),
  },
  {
    title: 'TraccarPosition',
    additionalProperties: true,
    examples: [
      {
        position: {
          protocol: 'teltonika',
          ...{ fixTime: '2026-01-31T08:15:00.000+00:00', valid: true, outdated: false, ...fix },
          attributes: { power: 13.9, battery: 4.1, sat: 11, ignition: true, odometer: 50012345 },
        },
        device: { name: 'Truck 17', uniqueId: imeiExample },
      },
    ],
  },
)

const flespiExample = {
  ...{ ident: imeiExample, timestamp: 1769847300.25, 'position.latitude': fix.latitude, 'position.longitude': fix.longitude },
  ...{ 'position.speed': 50, 'can.engine.rpm': 1850, 'external.powersource.voltage': 13.9, 'battery.voltage': 4.1 },
}
export const MAX_FLESPI_MESSAGES = 500
export const FlespiMessages = Type.Array(
  Type.Object(
    {
      ident: Type.Optional(Type.String({ description: 'IMEI of the device, or its id here.' })),
      timestamp: number('Seconds since 1970.'),
    },
    { title: 'FlespiMessage', additionalProperties: true },
  ),
  {
    title: 'FlespiMessages',
    description: `1 to ${MAX_FLESPI_MESSAGES} messages, or one without the array: set \`limit_messages\` of the stream.`,
    examples: [[flespiExample]],
  },
)
