// The description of the vehicle itself in its record.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { DescribedVehicle } from './engine/engine-input.ts'
import type { VehicleKey } from './vehicle-key.ts'

export type DescriptionRow = {
  vehicle_class: string | null
  fuel_type: string | null
  drivetrain: string | null
  battery_nominal_v: number | null
  vin: string | null
}

/** Nothing of a vehicle that has no record. */
export async function selectDescription(db: Db, { resellerId, vehicleId }: VehicleKey): Promise<DescribedVehicle> {
  const { rows } = await db.query<DescriptionRow>(
    'select vehicle_class, fuel_type, drivetrain, battery_nominal_v, vin from vehicles where reseller_id = $1 and vehicle_id = $2',
    [resellerId, vehicleId],
  )
  return rows[0] === undefined ? {} : descriptionFromRow(rows[0])
}

export function descriptionFromRow(row: DescriptionRow): DescribedVehicle {
  return {
    vehicleClass: row.vehicle_class ?? undefined,
    fuelType: row.fuel_type ?? undefined,
    drivetrain: row.drivetrain ?? undefined,
    batteryNominalV: row.battery_nominal_v ?? undefined,
    vin: row.vin ?? undefined,
  }
}
