// From what a person typed about a vehicle to what the service is asked to change. Pure.

import type { Vehicle, VehicleChange } from '@roadworthy/contracts/platform-v1/vehicles'

export const textFields = ['name', 'licensePlate', 'vin', 'make', 'model', 'externalRef'] as const
type Field = (typeof textFields)[number] | 'vehicleClass' | 'fuelType' | 'drivetrain' | 'year' | 'batteryNominalV' | 'subClientId'

/** As the fields hold it; what was not touched is left out. */
export type VehicleEdits = { readonly [Name in Field]?: string | number | null }

/** Only what differs; an empty field clears. */
export function vehicleChanges(vehicle: Vehicle, edits: VehicleEdits): VehicleChange {
  const changes: Record<string, string | number | null> = {}
  for (const [field, value] of Object.entries(edits)) {
    const given = typeof value === 'string' ? value.trim() : value
    const wanted = given === '' || given === undefined ? null : given
    if (wanted !== vehicle[field as Field]) changes[field] = wanted
  }
  return changes as VehicleChange
}
