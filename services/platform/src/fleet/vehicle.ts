const MAX_REFERENCE_LENGTH = 200

/** Whether a text can name a vehicle: our id, or whatever the caller calls it, as long as PostgreSQL can hold it. */
export function isVehicleReference(text: string): boolean {
  return text.length >= 1 && text.length <= MAX_REFERENCE_LENGTH && !text.includes('\u0000') && text.isWellFormed()
}
