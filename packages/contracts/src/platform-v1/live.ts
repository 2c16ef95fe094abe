// What changes while somebody looks on: the events of the log, and the state of vehicles.

import { type Static, Type } from 'typebox'
import { timestampExample } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'
import { Vehicle } from './vehicles.ts'

export const MAX_STREAMED_VEHICLES = 500

export const LiveQuery = Type.Object({
  vehicles: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 13_000,
      description: `Ids of up to ${MAX_STREAMED_VEHICLES} vehicles to show, separated by commas.`,
      examples: [vehicleIdExample],
    }),
  ),
  bbox: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        `\`west,south,east,north\` in degrees: also the vehicles within, those heard last first, until ${MAX_STREAMED_VEHICLES} are shown. ` +
        'A box across the antimeridian has its west greater than its east.',
      examples: ['77.4,12.8,77.8,13.2'],
    }),
  ),
  lastEventId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'As the header `Last-Event-ID`, which a browser cannot set by itself. The header counts for more.',
    }),
  ),
})

export const LiveHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the last event that was received: the stream goes on after it.' }),
  ),
})

/** Fields of a vehicle that change while it drives. */
export const VehicleChange = Type.Pick(
  Vehicle,
  ['id', 'healthScore', 'healthStatus', 'riskLevel', 'scoredAt', 'lastReadingAt', 'openAlerts', 'online', 'location'],
  {
    title: 'VehicleChange',
    description: 'What changes of a vehicle while it drives, with the names that it has in `Vehicle`.',
    examples: [
      {
        id: vehicleIdExample,
        healthScore: 91.5,
        healthStatus: 'healthy',
        riskLevel: 'low',
        scoredAt: timestampExample,
        lastReadingAt: timestampExample,
        openAlerts: 0,
        online: true,
        location: {
          latitude: 12.9716,
          longitude: 77.5946,
          heading: 270,
          speed: 42.5,
          ignition: true,
          batteryVoltage: 27.9,
          timestamp: timestampExample,
        },
      },
    ],
  },
)
export type VehicleChange = Static<typeof VehicleChange>
