// A vehicle as the Platform API shows it.

import type { VehicleChange, Vehicle as WireVehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { shownName, type VehicleChanges } from '../fleet/vehicle.ts'
import type { JudgedVehicle } from './health.read.sql.ts'

export function toPlatformVehicle({ health, location, ...vehicle }: JudgedVehicle, online: boolean): WireVehicle {
  return {
    id: vehicle.vehicleId,
    vin: vehicle.vin ?? null,
    make: vehicle.make ?? null,
    model: vehicle.model ?? null,
    healthScore: health?.score ?? null,
    year: vehicle.year ?? null,
    licensePlate: vehicle.licensePlate ?? null,
    name: shownName(vehicle) ?? null,
    vehicleClass: vehicle.vehicleClass ?? null,
    fuelType: vehicle.fuelType ?? null,
    drivetrain: vehicle.drivetrain ?? null,
    batteryNominalV: vehicle.batteryNominalV ?? null,
    status: vehicle.status,
    externalRef: vehicle.externalRef ?? null,
    subClientId: vehicle.subClientId ?? null,
    registered: vehicle.registered,
    healthStatus: health?.status ?? null,
    riskLevel: health?.riskLevel ?? null,
    scoredAt: health?.scoredAt.toISOString() ?? null,
    lastReadingAt: vehicle.lastReadingAt?.toISOString() ?? null,
    openAlerts: vehicle.openAlertCount,
    online,
    location:
      location === undefined
        ? null
        : {
            latitude: location.latitude,
            longitude: location.longitude,
            heading: location.headingDeg ?? null,
            speed: location.speedKmh ?? null,
            ignition: location.ignition ?? null,
            batteryVoltage: location.batteryVoltageV ?? null,
            timestamp: location.recordedAt.toISOString(),
          },
    createdAt: vehicle.createdAt.toISOString(),
    updatedAt: vehicle.updatedAt.toISOString(),
  }
}

/** Null, which clears, is `undefined` in a field that is given. */
export function fromPlatformChange(body: VehicleChange): VehicleChanges {
  const given = Object.entries(body).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([field, value]) => [field, value ?? undefined]))
}
