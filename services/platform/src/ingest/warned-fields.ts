// Which fields each device has been warned of within the hour. A device sends the same fields every second and need hear of each once.

import type { FieldWarning } from './inbound.ts'

const HOUR_MS = 3_600_000
/** A device that makes up keys hears of the first ones of an hour. */
const MAX_FIELDS_OF_DEVICE = 64
/** Of all devices, at some 200 bytes each. Beyond it those are forgotten that were warned first, and may hear of a field twice. */
const MAX_FIELDS = 50_000
const MAX_FIELD_LENGTH = 128

type Warned = { readonly untilMs: number; readonly fields: Set<string> }

export class WarnedFields {
  readonly #devices = new Map<string, Warned>()
  readonly #maxFields: number
  #fieldCount = 0

  constructor(maxFields = MAX_FIELDS) {
    this.#maxFields = maxFields
  }

  /** Those of the warnings that the device has not had within the hour. They count as reported. */
  takeNew(deviceId: string, warnings: readonly FieldWarning[], nowMs: number): FieldWarning[] {
    const { fields } = this.#warnedOf(deviceId, nowMs)
    return warnings.filter((warning) => {
      const key = `${warning.kind} ${warning.field.slice(0, MAX_FIELD_LENGTH)}`
      if (fields.has(key) || fields.size >= MAX_FIELDS_OF_DEVICE || !this.#hasRoomBeside(deviceId)) return false
      fields.add(key)
      this.#fieldCount++
      return true
    })
  }

  get fieldCount(): number {
    return this.#fieldCount
  }

  #warnedOf(deviceId: string, nowMs: number): Warned {
    const known = this.#devices.get(deviceId)
    if (known !== undefined && nowMs < known.untilMs) return known
    this.#forget(deviceId, known)
    // They stand in the order in which their hours began.
    for (const [oldest, warned] of this.#devices) {
      if (nowMs < warned.untilMs) break
      this.#forget(oldest, warned)
    }
    const warned = { untilMs: nowMs + HOUR_MS, fields: new Set<string>() }
    this.#devices.set(deviceId, warned)
    return warned
  }

  #hasRoomBeside(deviceId: string): boolean {
    for (const [oldest, warned] of this.#devices) {
      if (this.#fieldCount < this.#maxFields) return true
      if (oldest !== deviceId) this.#forget(oldest, warned)
    }
    return this.#fieldCount < this.#maxFields
  }

  #forget(deviceId: string, warned: Warned | undefined): void {
    this.#devices.delete(deviceId)
    this.#fieldCount -= warned?.fields.size ?? 0
  }
}
