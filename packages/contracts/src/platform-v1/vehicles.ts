// Vehicles and their health (spec §2.8, §4.2).

import { healthStatuses, riskLevels } from '@roadworthy/signals/health-bands'
import { severities } from '@roadworthy/signals/severity'
import { type Static, Type } from 'typebox'
import { externalRef, subClientId } from '../external/references.ts'
import { vehicleDescription } from '../external/vehicles.ts'
import { nullable, Pagination, pageQuery, RESTS_ON_ASSUMPTION, timestamp, timestampExample, total } from '../wire-fields.ts'
import { AdviceByComponent, adviceExample } from './advice.ts'
import { Alert, vehicleIdExample } from './alerts.ts'

const score = Type.Number({ minimum: 0, maximum: 100 })
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const healthStatus = Type.Enum(healthStatuses, { type: 'string', description: 'At least 70, at least 40, below 40.' })
const riskLevel = Type.Enum(riskLevels, { type: 'string', description: `By \`maintenanceProbability\`. ${RESTS_ON_ASSUMPTION}` })

const vehicleStatus = Type.Enum(['active', 'retired'], { type: 'string', description: 'A retired vehicle is not scored.' })

const VehicleLocation = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    heading: nullable(Type.Number({ description: 'Degrees clockwise from north.' })),
    speed: nullable(Type.Number({ description: 'km/h' })),
    ignition: nullable(Type.Boolean({ description: 'Whether it is on, as of the position or the newest reported.' })),
    batteryVoltage: nullable(Type.Number({ description: 'Volts, as of the position or the newest reported.' })),
    timestamp: timestamp('When the vehicle was there.'),
  },
  { title: 'VehicleLocation' },
)

export const Vehicle = Type.Object(
  {
    id: Type.String(),
    vin: nullable(Type.String()),
    make: nullable(Type.String()),
    model: nullable(Type.String()),
    healthScore: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'Null until the vehicle first reported and was scored.' })),
    year: nullable(Type.Integer()),
    licensePlate: nullable(Type.String()),
    name: nullable(Type.String({ description: "Its name; of a vehicle without name and plate, its device's." })),
    vehicleClass: nullable(Type.String({ description: 'Such as `heavy_truck`.' })),
    fuelType: nullable(Type.String({ description: 'Such as `diesel`.' })),
    drivetrain: nullable(Type.String({ description: 'Such as `rwd`.' })),
    batteryNominalV: nullable(Type.Integer({ description: 'Nominal voltage of the starter battery, in volts.' })),
    status: vehicleStatus,
    externalRef: nullable(Type.String({ description: "The caller's own name for the vehicle." })),
    subClientId: nullable(Type.String({ description: 'Owner.' })),
    registered: Type.Boolean({ description: 'False for a vehicle that was made by a reading which named it.' }),
    healthStatus: nullable(healthStatus),
    riskLevel: nullable(riskLevel),
    scoredAt: nullable(timestamp('When the vehicle was last scored.')),
    lastReadingAt: nullable(timestamp('When the newest reading was recorded.')),
    openAlerts: Type.Integer({ minimum: 0, description: 'Alerts that are not resolved.' }),
    online: Type.Boolean({
      description: 'Whether anything was heard of it within the last minutes (a setting, 5 by default), by a device that is not suspended.',
    }),
    location: Type.Union([VehicleLocation, Type.Null()], { description: 'Where it was last. Null until it reported a position.' }),
    createdAt: timestamp('When the vehicle was created.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  {
    title: 'Vehicle',
    description: 'A vehicle and how it is.',
    examples: [
      {
        id: vehicleIdExample,
        vin: 'MBJ11JV4007512345',
        make: 'Toyota',
        model: 'Etios',
        healthScore: 91.5,
        year: 2014,
        licensePlate: 'KA-01-AB-1234',
        name: 'Truck 17',
        vehicleClass: 'heavy_truck',
        fuelType: 'diesel',
        drivetrain: 'rwd',
        batteryNominalV: 24,
        status: 'active',
        externalRef: null,
        subClientId: 'acme-logistics',
        registered: true,
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
        createdAt: timestampExample,
        updatedAt: timestampExample,
      },
    ],
  },
)
export type Vehicle = Static<typeof Vehicle>

const { vehicle_class, fuel_type, license_plate, battery_nominal_v, ...sameOnBoth } = vehicleDescription

export const VehicleChange = Type.Object(
  {
    ...sameOnBoth,
    licensePlate: license_plate,
    vehicleClass: vehicle_class,
    fuelType: fuel_type,
    batteryNominalV: battery_nominal_v,
    externalRef: Type.Optional(nullable(externalRef)),
    subClientId: Type.Optional(nullable(subClientId('Moves the vehicle; null takes it out of its sub-client.'))),
    status: Type.Optional({ ...vehicleStatus, description: '`retired` takes it out of service, `active` brings it back.' }),
  },
  {
    title: 'VehicleChange',
    minProperties: 1,
    description: 'What is left out stays; null clears.',
    examples: [{ licensePlate: null, name: 'Truck 17' }],
  },
)
export type VehicleChange = Static<typeof VehicleChange>

export const VehicleList = Type.Object(
  { vehicles: Type.Array(Vehicle), total, pagination: Pagination },
  { title: 'VehicleList', description: 'A page of vehicles.' },
)

export const VehicleParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: "Our id, or the caller's own reference.", examples: [vehicleIdExample] }),
})
export const MAX_CHOSEN_IDS = 500

/** Which vehicles are meant. All of it must hold. */
export const vehicleChoice = {
  ids: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 13_000,
      description: `Only these, up to ${MAX_CHOSEN_IDS} ids, separated by commas.`,
      examples: [vehicleIdExample],
    }),
  ),
  groupId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only vehicles of this group (`/vehicle-groups`).' })),
  subClientId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only vehicles of this sub-client.' })),
  healthStatus: Type.Optional(
    Type.Enum([...healthStatuses, 'unknown'], {
      type: 'string',
      description: 'Only vehicles of this health: at least 70, at least 40, below 40, or not judged yet.',
    }),
  ),
  status: Type.Optional({ ...vehicleStatus, default: 'active', description: 'Those that are in service, or those that are retired.' }),
  presence: Type.Optional(
    Type.Enum(['online', 'offline'], { type: 'string', description: 'Whether anything was heard of it within the last minutes.' }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Only vehicles that have each of these words, 8 at most, in plate, name, make, model, year, VIN, `externalRef`, sub-client or id, in any case.',
      examples: ['transit KA-01'],
    }),
  ),
  bbox: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        '`west,south,east,north` in degrees: only vehicles whose newest position lies within. ' +
        'A box across the antimeridian has its west greater than its east.',
      examples: ['77.4,12.8,77.8,13.2'],
    }),
  ),
}

const vehicleSorts = ['created', 'health', 'name', 'alerts', 'heard'] as const
export const VehicleListQuery = Type.Object({
  ...vehicleChoice,
  sort: Type.Optional(
    Type.Enum(vehicleSorts, {
      type: 'string',
      default: 'created',
      description:
        'By when it was created, its health score, its name, the number of its alerts, or when it was heard last. Equals come by name. ' +
        'What has no score, or was never heard, comes last in either order.',
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { type: 'string', default: 'asc', description: '`created` is `asc` only.' })),
  ...pageQuery,
})

export const Health = Type.Object(
  {
    vehicleId: Type.String(),
    healthScore: score,
    components: Type.Record(Type.String(), score, { description: 'Health of each component.' }),
    advice: AdviceByComponent,
    alerts: Type.Array(Alert, { description: 'Alerts of the vehicle that are not resolved, newest first.' }),
    healthStatus,
    riskLevel,
    maintenanceNeeded: Type.Boolean(),
    maintenanceProbability: share(`That some component needs work within 30 days. ${RESTS_ON_ASSUMPTION}`),
    anomalyScore: share('How unlike the normal the newest readings are.'),
    anomalyDetected: Type.Boolean(),
    anomalyBasis: nullable(
      Type.Array(Type.String(), {
        description:
          'Fields of the engine that `anomalyScore` was judged by. Empty where none could be judged: a score of 0 then means nothing. Null from an engine that does not report them.',
      }),
    ),
    confidence: share('How much was reported, not how likely this is right. Near 0 for a vehicle that has not reported.'),
    componentConfidence: Type.Record(
      Type.String(),
      share('0.1 where the remaining life is as uncertain as that of a vehicle of which nothing is known.'),
      {
        description: 'How well the remaining life of each component is known. Empty from an engine that does not report it.',
      },
    ),
    insights: Type.Array(Type.String(), { description: 'What was found and not found, with readings and thresholds.' }),
    recommendations: Type.Array(Type.String()),
    scoredAt: nullable(
      timestamp('When the vehicle was scored. Null before its first score: then the engine was asked for this answer, with what is known.'),
    ),
  },
  {
    title: 'Health',
    description: 'The health of the vehicle and what drives it.',
    examples: [
      {
        vehicleId: vehicleIdExample,
        healthScore: 91.5,
        components: { engine: 94, transmission: 97, brakes: 91 },
        advice: { brakes: adviceExample },
        alerts: [],
        healthStatus: 'healthy',
        riskLevel: 'low',
        maintenanceNeeded: false,
        maintenanceProbability: 0.12,
        anomalyScore: 0.21,
        anomalyDetected: false,
        anomalyBasis: ['coolant', 'battery_voltage', 'dtc_codes'],
        confidence: 0.86,
        componentConfidence: { engine: 0.63, transmission: 0.61, brakes: 0.35 },
        insights: ['Every reading given is within its normal band'],
        recommendations: [],
        scoredAt: timestampExample,
      },
    ],
  },
)
export type Health = Static<typeof Health>

const HealthPoint = Type.Object(
  {
    scoredAt: timestamp('From here on.'),
    healthScore: score,
    healthStatus,
    components: Type.Union([Type.Record(Type.String(), score), Type.Null()], {
      description: 'Health of each component. Null of a point that was stored before they were kept.',
    }),
  },
  {
    title: 'HealthPoint',
    examples: [
      { scoredAt: timestampExample, healthScore: 91.5, healthStatus: 'healthy', components: { engine: 94, transmission: 97, brakes: 91 } },
    ],
  },
)
export type HealthPoint = Static<typeof HealthPoint>

export const HealthHistory = Type.Object(
  {
    vehicleId: Type.String({ examples: [vehicleIdExample] }),
    from: timestamp('Start of the range, included.'),
    to: timestamp('End of the range, not included.'),
    history: Type.Array(HealthPoint, {
      description: 'Oldest first: a point for each change of a point or of status, and at least one an hour while the vehicle reports.',
    }),
    total,
    pagination: Pagination,
  },
  { title: 'HealthHistory', description: 'A page of the health of the vehicle over time.' },
)

const FaultCode = Type.Object(
  {
    code: Type.String({ description: 'As the vehicle reports it.' }),
    title: nullable(Type.String({ description: 'What it means, in plain words. Null until it was judged, and of a retired vehicle.' })),
    drivingOn: nullable(Type.String({ description: 'What it means for driving on.' })),
    component: nullable(Type.String({ description: 'The part it is about.' })),
    severity: nullable(Type.Enum(severities, { type: 'string', description: 'Of the alert that names it.' })),
    incidentId: nullable(Type.String({ description: 'The incident that it belongs, or belonged, to.' })),
    active: Type.Boolean({ description: 'Whether the newest list of codes has it.' }),
    firstSeenAt: timestamp('When it was first reported within the range.'),
    lastSeenAt: timestamp('When it was last reported.'),
    readingCount: Type.Integer({ minimum: 1, description: 'How many readings of the range report it.' }),
  },
  {
    title: 'FaultCode',
    examples: [
      {
        code: 'P0217',
        title: 'Engine overheating',
        drivingOn: 'Stop as soon as it is safe',
        component: 'cooling',
        severity: 'critical',
        incidentId: 'inc-8k2m5v9c1b4n7h0j3d6f',
        active: true,
        firstSeenAt: timestampExample,
        lastSeenAt: timestampExample,
        readingCount: 12,
      },
    ],
  },
)
export type FaultCode = Static<typeof FaultCode>

export const FaultCodes = Type.Object(
  {
    vehicleId: Type.String({ examples: [vehicleIdExample] }),
    from: timestamp('Start of the range, included.'),
    to: timestamp('End of the range, not included.'),
    reportedAt: nullable(timestamp('When the vehicle last reported a list of codes, empty or not. Null: it never did.')),
    faultCodes: Type.Array(FaultCode, { description: 'Active ones first, then by when they were last reported. 200 at most.' }),
  },
  { title: 'FaultCodeList', description: 'The fault codes of a vehicle.' },
)
