// The fleet on a map and in numbers, for pages that do not ask for every vehicle.

import { healthStatuses } from '@roadworthy/signals/health-bands'
import { type Static, Type } from 'typebox'
import { nullable, total } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'
import { vehicleChoice } from './vehicles.ts'

/** Points in one answer; beyond, those that lie close together are counted. */
export const MAX_MAP_POINTS = 500

const count = (description: string) => Type.Integer({ minimum: 0, description })
const latitude = Type.Number({ minimum: -90, maximum: 90 })
const longitude = Type.Number({ minimum: -180, maximum: 180 })

const HealthCounts = Type.Object(
  {
    critical: count('Health below 40.'),
    warning: count('Health below 70.'),
    healthy: count('Health of 70 and more.'),
    unknown: count('Not scored yet.'),
  },
  { title: 'HealthCounts' },
)

const Bounds = Type.Object({ west: longitude, south: latitude, east: longitude, north: latitude }, { title: 'Bounds' })

const MapPoint = Type.Object(
  {
    id: Type.String(),
    label: Type.String({ description: 'What people know it by: plate, name or own reference, else the VIN or the id.' }),
    latitude,
    longitude,
    heading: nullable(Type.Number({ description: 'Degrees clockwise from north.' })),
    healthStatus: nullable(Type.Enum(healthStatuses, { type: 'string' })),
    online: Type.Boolean(),
    lastReadingAt: nullable(Type.String({ format: 'date-time' })),
  },
  { title: 'MapPoint', description: 'A vehicle where it was last.' },
)
export type MapPoint = Static<typeof MapPoint>

const MapCluster = Type.Object(
  { latitude, longitude, health: HealthCounts, bounds: Bounds },
  { title: 'MapCluster', description: 'Vehicles that lie close together, at the middle of where they are.' },
)
export type MapCluster = Static<typeof MapCluster>

export const FleetMap = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'Vehicles in the box that are chosen and have a position.' }),
    bounds: Type.Union([Bounds, Type.Null()], {
      description: 'Around them; across the antimeridian, where that is narrower, west is greater than east. Null where there is none.',
    }),
    points: Type.Array(MapPoint, { description: `Each of them, up to ${MAX_MAP_POINTS}; else those that lie alone.` }),
    clusters: Type.Array(MapCluster, { description: `The others, where there are more than ${MAX_MAP_POINTS}.` }),
  },
  {
    title: 'FleetMap',
    description: 'The chosen vehicles of a part of the map.',
    examples: [
      {
        total: 1,
        bounds: { west: 77.5946, south: 12.9716, east: 77.5946, north: 12.9716 },
        points: [
          {
            ...{ id: vehicleIdExample, label: 'KA-01-AB-1234', latitude: 12.9716, longitude: 77.5946, heading: 270 },
            ...{ healthStatus: 'healthy', online: true, lastReadingAt: '2026-11-20T12:00:00.000Z' },
          },
        ],
        clusters: [],
      },
    ],
  },
)
export type FleetMap = Static<typeof FleetMap>

export const FleetMapQuery = Type.Object(vehicleChoice)

export const VehicleCounts = Type.Object(
  {
    total,
    health: HealthCounts,
    online: count('Heard of within the last minutes (a setting, 5 by default).'),
    offline: count('The others.'),
  },
  {
    title: 'VehicleCounts',
    description: 'How many of the chosen vehicles are in which state.',
    examples: [{ total: 3, health: { critical: 0, warning: 1, healthy: 2, unknown: 0 }, online: 2, offline: 1 }],
  },
)
export type VehicleCounts = Static<typeof VehicleCounts>

export const VehicleCountsQuery = Type.Object(vehicleChoice)
