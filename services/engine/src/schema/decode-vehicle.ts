// The description of the vehicle itself in an input.
import type { VehicleDescription } from '@roadworthy/prognostics/inputs/observation'
import { isVin } from '@roadworthy/prognostics/vehicle/vin'
import { batteryVoltages, drivetrains, fuelTypes, vehicleClasses } from '@roadworthy/signals/vehicle-description'

const wordsOf = {
  vehicle_class: ['vehicleClass', vehicleClasses],
  fuel_type: ['fuelType', fuelTypes],
  drivetrain: ['drivetrain', drivetrains],
  battery_nominal_v: ['batteryNominalV', batteryVoltages],
} as const
export type DescriptionKind = keyof typeof wordsOf

/** The description with this field, or why it cannot be used. */
export function describe(
  known: VehicleDescription | undefined,
  kind: DescriptionKind,
  value: unknown,
): { vehicle: VehicleDescription | undefined; reason: string | undefined } {
  const [field, words] = wordsOf[kind]
  if (!words.some((word) => word === value)) return { vehicle: known, reason: `it is not one of ${words.join(', ')}` }
  return { vehicle: { ...known, [field]: value }, reason: undefined }
}

/** An id that is a VIN is one, whichever name it goes by. */
export function withVin(
  vehicle: VehicleDescription | undefined,
  vin: string | undefined,
  vehicleId: string,
): VehicleDescription | undefined {
  const known = vin ?? (isVin(vehicleId) ? vehicleId : undefined)
  return known === undefined ? vehicle : { ...vehicle, vin: known }
}
