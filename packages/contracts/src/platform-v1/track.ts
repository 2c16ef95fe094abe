// Where a vehicle was over a time range.

import { type Static, Type } from 'typebox'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'
import { timeRangeQuery } from './readings.ts'

export const DEFAULT_TRACK_POINTS = 2_000
const MAX_TRACK_POINTS = 5_000
/** Stops and gaps in one answer; of more the longest. */
export const MAX_TRACK_SPANS = 500

export const TrackQuery = Type.Object({
  ...timeRangeQuery('A day'),
  maxPoints: Type.Optional(
    Type.Integer({ minimum: 2, maximum: MAX_TRACK_POINTS, default: DEFAULT_TRACK_POINTS, description: 'At most so many points.' }),
  ),
})

const latitude = Type.Number({ minimum: -90, maximum: 90 })
const longitude = Type.Number({ minimum: -180, maximum: 180 })

const TrackPoint = Type.Object(
  {
    at: timestamp('When the vehicle was there, by the clock of the device.'),
    latitude,
    longitude,
    speed: nullable(Type.Number({ description: 'km/h' })),
    heading: nullable(Type.Number({ description: 'Degrees clockwise from north.' })),
    ignition: nullable(Type.Boolean()),
  },
  { title: 'TrackPoint' },
)
export type TrackPoint = Static<typeof TrackPoint>

const TrackStop = Type.Object(
  { from: timestamp('When it came.'), to: timestamp('When it was there last.'), latitude, longitude },
  { title: 'TrackStop', description: 'The vehicle stayed within 100 m for five minutes or more.' },
)
export type TrackStop = Static<typeof TrackStop>

const TrackGap = Type.Object(
  { from: timestamp('When it was heard last.'), to: timestamp('When it was heard again, elsewhere.') },
  {
    title: 'TrackGap',
    description: 'Nothing was heard for longer than a vehicle may be silent and count as online (a setting, 5 minutes by default).',
  },
)
export type TrackGap = Static<typeof TrackGap>

export const Track = Type.Object(
  {
    vehicleId: Type.String(),
    from: timestamp('Start of the range, included.'),
    to: timestamp('End of the range, not included.'),
    points: Type.Array(TrackPoint, { description: 'Oldest first.' }),
    stops: Type.Array(TrackStop, { description: `Oldest first; of more than ${MAX_TRACK_SPANS} the longest.` }),
    gaps: Type.Array(TrackGap, { description: `Oldest first; of more than ${MAX_TRACK_SPANS} the longest.` }),
    distanceKm: Type.Number({ minimum: 0, description: 'Along the positions, without gaps and stops. The odometer is more exact.' }),
    maxSpeed: nullable(Type.Number({ description: 'km/h' })),
    everySeconds: Type.Integer({ minimum: 1, description: 'At most one position was read for each of so many seconds.' }),
    toleranceM: nullable(
      Type.Number({
        minimum: 0,
        description:
          'No position that was read, can be, and was left out is farther than this from where the points put the vehicle at its time. Null where too many gaps left no room for it.',
      }),
    ),
  },
  {
    title: 'Track',
    description: 'Where the vehicle was.',
    examples: [
      {
        vehicleId: vehicleIdExample,
        from: '2026-01-31T00:00:00.000Z',
        to: '2026-02-01T00:00:00.000Z',
        points: [{ at: timestampExample, latitude: 12.9716, longitude: 77.5946, speed: 42.5, heading: 270, ignition: true }],
        stops: [{ from: '2026-01-31T09:00:00.000Z', to: '2026-01-31T09:40:00.000Z', latitude: 12.98, longitude: 77.6 }],
        gaps: [],
        distanceKm: 84.2,
        maxSpeed: 88,
        everySeconds: 2,
        toleranceM: 3.4,
      },
    ],
  },
)
export type Track = Static<typeof Track>
