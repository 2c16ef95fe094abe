// Vehicles as the External API spells them.

import type { VehicleUpdate, VehicleUpsert, Vehicle as WireVehicle } from '@roadworthy/contracts/external/vehicles'
import { shownName, type Vehicle, type VehicleChanges, type VehicleDescription } from './vehicle.ts'

const fields = {
  make: 'make',
  model: 'model',
  year: 'year',
  vin: 'vin',
  license_plate: 'licensePlate',
  external_ref: 'externalRef',
  name: 'name',
  vehicle_class: 'vehicleClass',
  fuel_type: 'fuelType',
  drivetrain: 'drivetrain',
  battery_nominal_v: 'batteryNominalV',
  sub_client_id: 'subClientId',
  status: 'status',
} as const satisfies Record<keyof VehicleUpdate, keyof VehicleChanges>

/** Null, which clears, is `undefined` in a field that is given. */
export function fromExternalUpdate(body: VehicleUpdate): VehicleChanges {
  const given = Object.entries(body).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([key, value]) => [fields[key as keyof VehicleUpdate], value ?? undefined]))
}

export function fromExternalVehicle(body: VehicleUpsert): VehicleDescription & { subClientId: string | undefined } {
  return {
    make: body.make ?? undefined,
    model: body.model ?? undefined,
    year: body.year ?? undefined,
    vin: body.vin ?? undefined,
    licensePlate: body.license_plate ?? undefined,
    externalRef: body.external_ref ?? undefined,
    name: body.name ?? undefined,
    vehicleClass: body.vehicle_class ?? undefined,
    fuelType: body.fuel_type ?? undefined,
    drivetrain: body.drivetrain ?? undefined,
    batteryNominalV: body.battery_nominal_v ?? undefined,
    subClientId: body.sub_client_id ?? undefined,
  }
}

export function toExternalVehicle(vehicle: Vehicle): WireVehicle {
  return {
    vehicle_id: vehicle.vehicleId,
    external_ref: vehicle.externalRef ?? null,
    make: vehicle.make ?? null,
    model: vehicle.model ?? null,
    year: vehicle.year ?? null,
    vin: vehicle.vin ?? null,
    license_plate: vehicle.licensePlate ?? null,
    name: shownName(vehicle) ?? null,
    vehicle_class: vehicle.vehicleClass ?? null,
    fuel_type: vehicle.fuelType ?? null,
    drivetrain: vehicle.drivetrain ?? null,
    battery_nominal_v: vehicle.batteryNominalV ?? null,
    status: vehicle.status,
    retired_at: vehicle.retiredAt?.toISOString() ?? null,
    sub_client_id: vehicle.subClientId ?? null,
    device_id: vehicle.deviceId ?? null,
    health_score: vehicle.healthScore ?? null,
    registered: vehicle.registered,
    created_at: vehicle.createdAt.toISOString(),
    updated_at: vehicle.updatedAt.toISOString(),
  }
}
