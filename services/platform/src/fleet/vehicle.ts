import { Problem } from '@roadworthy/service-kit/http/problem'
import { isLonger } from '@roadworthy/service-kit/text/text-length'
import type { AuditedFields } from '../audit/audit.ts'

/** A retired vehicle keeps its history; nothing is stored of it, it is not scored, and no alert of it opens. */
export type VehicleStatus = 'active' | 'retired'

/** What is kept of a vehicle itself. */
export type VehicleFields = {
  readonly vehicleId: string
  readonly externalRef: string | undefined
  readonly make: string | undefined
  readonly model: string | undefined
  readonly year: number | undefined
  readonly vin: string | undefined
  readonly licensePlate: string | undefined
  readonly name: string | undefined
  readonly vehicleClass: string | undefined
  readonly fuelType: string | undefined
  readonly drivetrain: string | undefined
  readonly batteryNominalV: number | undefined
  readonly status: VehicleStatus
  readonly retiredAt: Date | undefined
  readonly subClientId: string | undefined
  readonly registered: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type Vehicle = VehicleFields & {
  /** The living device linked last. */
  readonly deviceId: string | undefined
  readonly deviceName: string | undefined
  readonly healthScore: number | undefined
}

/** What people enter of a vehicle. What is absent is not known, or stays as it is. */
export type VehicleDescription = {
  readonly make?: string | undefined
  readonly model?: string | undefined
  readonly year?: number | undefined
  readonly vin?: string | undefined
  readonly licensePlate?: string | undefined
  readonly externalRef?: string | undefined
  readonly name?: string | undefined
  readonly vehicleClass?: string | undefined
  readonly fuelType?: string | undefined
  readonly drivetrain?: string | undefined
  readonly batteryNominalV?: number | undefined
}

/** What was not given stays; `undefined` in a given field removes it. */
export type VehicleChanges = VehicleDescription & { readonly subClientId?: string | undefined; readonly status?: VehicleStatus }

const MAX_REFERENCE_LENGTH = 200

/**
 * Vehicles of one reseller that were created by a reading which named them, and are neither registered since nor retired. Assumption: ten
 * times the largest fleet a reseller is likely to have; a key that makes up references stops there.
 */
export const MAX_NAMED_VEHICLES = 100_000

/** Whether a text can name a vehicle: our id, or whatever the caller calls it, as long as PostgreSQL can hold it. */
export function isVehicleReference(text: string): boolean {
  return text !== '' && !isLonger(text, MAX_REFERENCE_LENGTH) && !text.includes('\u0000') && text.isWellFormed()
}

/** What the audit log holds of it. */
export function auditedVehicle(vehicle: Vehicle): AuditedFields {
  const { make, model, year, vin, licensePlate, externalRef, subClientId, deviceId, status } = vehicle
  const { name, vehicleClass, fuelType, drivetrain, batteryNominalV } = vehicle
  const described = { make, model, year, vin, licensePlate, externalRef, name, vehicleClass, fuelType, drivetrain, batteryNominalV }
  return { ...described, subClientId, deviceId, status }
}

const judgedBy = ['vehicleClass', 'fuelType', 'batteryNominalV', 'vin', 'year'] as const satisfies readonly (keyof VehicleDescription)[]

/** Whether its predictions may be other ones after the change, though it reported nothing new. */
export function isJudgedOtherwise(before: VehicleDescription, after: VehicleDescription): boolean {
  return judgedBy.some((field) => before[field] !== after[field])
}

/** For people: a vehicle without plate and name is known by its device. */
export function shownName({ name, licensePlate, deviceName }: Pick<Vehicle, 'name' | 'licensePlate' | 'deviceName'>): string | undefined {
  return name ?? (licensePlate === undefined ? deviceName : undefined)
}

/** VINs are compared in upper case, plates and references as written but for space around them. */
export function normalizeDescription<Given extends VehicleDescription>(given: Given): Given {
  const normalized = { ...given } as Given & { vin?: string; licensePlate?: string; externalRef?: string; name?: string }
  if (given.vin !== undefined) normalized.vin = given.vin.toUpperCase()
  if (given.licensePlate !== undefined) normalized.licensePlate = given.licensePlate.trim()
  if (given.externalRef !== undefined) normalized.externalRef = given.externalRef.trim()
  if (given.name !== undefined) normalized.name = given.name.trim()
  return normalized
}

/** A device and its vehicle are of one sub-client; where either is of none, nobody else is shown the readings of the device. */
export function vehicleOfOtherSubClient(): Problem {
  return new Problem(
    'vehicle_of_other_sub_client',
    'The vehicle belongs to another sub-client than the device or "sub_client_id". Name a vehicle of the same sub-client, or move one of them.',
    { details: { field: 'vehicle_id' } },
  )
}

export function vehicleIsRetired(): Problem {
  return new Problem('conflict', 'The vehicle is retired. Restore it first: PUT /api/external/vehicles/{id} with status "active".', {
    details: { field: 'vehicle_id' },
  })
}

export function areOfDifferentSubClients(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b
}

export function noSuchVehicle(): Problem {
  return new Problem('not_found', 'There is no such vehicle.')
}
