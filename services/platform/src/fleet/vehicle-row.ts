import type { VehicleFields, VehicleStatus } from './vehicle.ts'

/** A row of `vehicles` as it is read. */
export type VehicleRow = {
  vehicle_id: string
  external_ref: string | null
  make: string | null
  model: string | null
  year: number | null
  vin: string | null
  license_plate: string | null
  name: string | null
  vehicle_class: string | null
  fuel_type: string | null
  drivetrain: string | null
  battery_nominal_v: number | null
  status: VehicleStatus
  retired_at: Date | null
  sub_client_id: string | null
  registered: boolean
  created_at: Date
  updated_at: Date
}

export function vehicleFieldsFromRow(row: VehicleRow): VehicleFields {
  return {
    vehicleId: row.vehicle_id,
    externalRef: row.external_ref ?? undefined,
    make: row.make ?? undefined,
    model: row.model ?? undefined,
    year: row.year ?? undefined,
    vin: row.vin ?? undefined,
    licensePlate: row.license_plate ?? undefined,
    name: row.name ?? undefined,
    vehicleClass: row.vehicle_class ?? undefined,
    fuelType: row.fuel_type ?? undefined,
    drivetrain: row.drivetrain ?? undefined,
    batteryNominalV: row.battery_nominal_v ?? undefined,
    status: row.status,
    retiredAt: row.retired_at ?? undefined,
    subClientId: row.sub_client_id ?? undefined,
    registered: row.registered,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
