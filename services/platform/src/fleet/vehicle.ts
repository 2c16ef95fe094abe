import { Problem } from '@roadworthy/service-kit/problem'
import type { AuditedFields } from '../access/audit.ts'

export type Vehicle = {
  readonly vehicleId: string
  readonly externalRef: string | undefined
  readonly make: string | undefined
  readonly model: string | undefined
  readonly year: number | undefined
  readonly vin: string | undefined
  readonly licensePlate: string | undefined
  readonly subClientId: string | undefined
  /** The living device linked last. */
  readonly deviceId: string | undefined
  readonly healthScore: number | undefined
  readonly registered: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What people tell of a vehicle. What is absent is not known, or stays as it is. */
export type VehicleDescription = {
  readonly make?: string | undefined
  readonly model?: string | undefined
  readonly year?: number | undefined
  readonly vin?: string | undefined
  readonly licensePlate?: string | undefined
  readonly externalRef?: string | undefined
}

const MAX_REFERENCE_LENGTH = 200

/** Whether a text can name a vehicle: our id, or whatever the caller calls it, as long as PostgreSQL can hold it. */
export function isVehicleReference(text: string): boolean {
  return text.length >= 1 && text.length <= MAX_REFERENCE_LENGTH && !text.includes('\u0000') && text.isWellFormed()
}

/** What the audit log tells of it. */
export function auditedVehicle({ make, model, year, vin, licensePlate, externalRef, subClientId, deviceId }: Vehicle): AuditedFields {
  return { make, model, year, vin, licensePlate, externalRef, subClientId, deviceId }
}

/** VINs are compared in upper case, plates and references as written but for space around them. */
export function normalizeDescription(description: VehicleDescription): VehicleDescription {
  return {
    ...description,
    vin: description.vin?.toUpperCase(),
    licensePlate: description.licensePlate?.trim(),
    externalRef: description.externalRef?.trim(),
  }
}

export function noSuchVehicle(): Problem {
  return new Problem('not_found', 'There is no such vehicle.')
}
