// Vehicles (spec §2.3, §4.1).

import { batteryVoltages, drivetrains, fuelTypes, vehicleClasses } from '@roadworthy/signals/vehicle-description'
import { type Static, Type } from 'typebox'
import { nullable, oneLine, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { deviceReference, externalRef, reference, subClientFilter, subClientId, success, text } from './references.ts'

const example = {
  make: 'Toyota',
  model: 'Etios',
  year: 2014,
  vin: 'MBJ11JV4007512345',
  license_plate: 'KA-01-AB-1234',
}

export const vehicleIdExample = 'veh-7h3d9s2k5f8j1l4a6g0q'

const vehicleStatuses = ['active', 'retired'] as const

/** What describes a vehicle wherever one is created. */
export const vehicleDescription = {
  make: Type.Optional(nullable(text('Manufacturer.', example.make))),
  model: Type.Optional(nullable(text('Model.', example.model))),
  year: Type.Optional(nullable(Type.Integer({ minimum: 1900, maximum: 2100, description: 'Model year.', examples: [example.year] }))),
  vin: Type.Optional(
    nullable(
      Type.String({
        pattern: '^[A-Za-z0-9]{1,17}$',
        description: 'Vehicle identification number; kept in upper case and unique within the reseller.',
        examples: [example.vin],
      }),
    ),
  ),
  license_plate: Type.Optional(
    nullable(
      Type.String({ minLength: 1, maxLength: 32, ...oneLine, description: 'Registration plate.', examples: [example.license_plate] }),
    ),
  ),
  name: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 200, ...oneLine, description: 'Name for people.', examples: ['Truck 17'] })),
  ),
  vehicle_class: Type.Optional(
    nullable(
      Type.Enum([...vehicleClasses], {
        type: 'string',
        description:
          'Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it.',
      }),
    ),
  ),
  fuel_type: Type.Optional(
    nullable(
      Type.Enum([...fuelTypes], { type: 'string', description: 'What it runs on. An electric vehicle has no predictions of an engine.' }),
    ),
  ),
  drivetrain: Type.Optional(
    nullable(Type.Enum([...drivetrains], { type: 'string', description: 'Which wheels are driven, as drive or axle configuration.' })),
  ),
  battery_nominal_v: Type.Optional(
    nullable(Type.Enum([...batteryVoltages], { type: 'integer', description: 'Nominal voltage of the starter battery, in volts.' })),
  ),
}

export const Vehicle = Type.Object(
  {
    vehicle_id: Type.String(),
    external_ref: nullable(Type.String({ description: "The caller's own name for the vehicle; telemetry may use it as `vehicle_id`." })),
    make: nullable(Type.String()),
    model: nullable(Type.String()),
    year: nullable(Type.Integer()),
    vin: nullable(Type.String()),
    license_plate: nullable(Type.String()),
    name: nullable(Type.String({ description: "Its name; of a vehicle without name and plate, its device's." })),
    vehicle_class: nullable(Type.String()),
    fuel_type: nullable(Type.String()),
    drivetrain: nullable(Type.String()),
    battery_nominal_v: nullable(Type.Integer()),
    status: Type.Enum([...vehicleStatuses], { type: 'string' }),
    retired_at: nullable(timestamp('When it was retired.')),
    sub_client_id: nullable(Type.String({ description: 'Owner.' })),
    device_id: nullable(Type.String({ description: 'The device linked to it last that is not decommissioned.' })),
    health_score: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'Null until the vehicle is first scored.' })),
    registered: Type.Boolean({ description: 'False for a vehicle that was made by a reading which named it.' }),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it was last changed.'),
  },
  {
    title: 'Vehicle',
    examples: [
      {
        vehicle_id: vehicleIdExample,
        external_ref: null,
        ...example,
        name: 'Truck 17',
        vehicle_class: 'heavy_truck',
        fuel_type: 'diesel',
        drivetrain: 'rwd',
        battery_nominal_v: 24,
        status: 'active',
        retired_at: null,
        sub_client_id: 'acme-logistics',
        device_id: 'dev-4k2p9x7m1c8v5b3n6q0z',
        health_score: 91.5,
        registered: true,
        created_at: timestampExample,
        updated_at: timestampExample,
      },
    ],
  },
)
export type Vehicle = Static<typeof Vehicle>

export const VehicleUpsert = Type.Object(
  {
    ...vehicleDescription,
    external_ref: Type.Optional(nullable(externalRef)),
    sub_client_id: Type.Optional(nullable(subClientId())),
    device_id: Type.Optional(nullable({ ...deviceReference, description: 'Device id or IMEI to link to the vehicle.' })),
  },
  {
    title: 'VehicleUpsert',
    description:
      'Found by `vin`, else by `external_ref`, else by `license_plate` within the sub-client; else new. What is left out or null stays as it is.',
    examples: [{ ...example, sub_client_id: 'acme-logistics', device_id: 'dev-4k2p9x7m1c8v5b3n6q0z' }],
  },
)
export type VehicleUpsert = Static<typeof VehicleUpsert>

export const VehicleUpdate = Type.Object(
  {
    ...vehicleDescription,
    external_ref: Type.Optional(nullable(externalRef)),
    sub_client_id: Type.Optional(nullable(subClientId('Moves the vehicle; null takes it out of its sub-client.'))),
    status: Type.Optional(
      Type.Enum([...vehicleStatuses], { type: 'string', description: '`active` restores a vehicle that was retired.' }),
    ),
  },
  {
    title: 'VehicleUpdate',
    minProperties: 1,
    description: 'What is left out stays; null clears.',
    examples: [{ license_plate: null, name: 'Truck 17' }],
  },
)
export type VehicleUpdate = Static<typeof VehicleUpdate>

export const VehicleUpserted = Type.Object(
  {
    success,
    vehicle_id: Type.String({ examples: [vehicleIdExample] }),
    created: Type.Boolean({ description: 'False when the vehicle was known and has been updated.', examples: [true] }),
    vehicle: Vehicle,
  },
  { title: 'VehicleUpserted', description: 'The vehicle as it is now, and whether it is new.' },
)
export const VehicleAnswer = Type.Object({ success, vehicle: Vehicle }, { title: 'VehicleAnswer', description: 'The vehicle.' })
export const VehicleList = Type.Object(
  { total, vehicles: Type.Array(Vehicle), pagination: Pagination },
  { title: 'VehicleList', description: 'A page of vehicles.' },
)

export const VehicleParams = Type.Object({ vehicle_id: reference("Our id, or the caller's own `external_ref`.", vehicleIdExample) })
export const VehicleListQuery = Type.Object({
  sub_client_id: subClientFilter,
  vin: Type.Optional(reference('Only the vehicle with this VIN.', example.vin)),
  license_plate: Type.Optional(reference('Only vehicles with this plate.', example.license_plate)),
  status: Type.Optional(
    Type.Enum([...vehicleStatuses], {
      type: 'string',
      default: 'active',
      description: 'Those that are in service, or those that are retired.',
    }),
  ),
  ...pageQuery,
})
