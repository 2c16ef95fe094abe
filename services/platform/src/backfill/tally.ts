// What an import has found in its source: counted as it is read, so that memory does not grow with it.

import type { FieldWarning } from '../ingest/inbound.ts'
import type { Reading } from '../readings/reading.ts'
import type { Refusal } from './past-source.ts'

/** Records that are refused for one reason. */
export type Reason = { readonly text: string; readonly count: number; readonly places: readonly string[] }
export type WarnedField = { readonly field: string; readonly kind: FieldWarning['kind']; readonly count: number }

export type Found = {
  readonly recordCount: number
  readonly readingCount: number
  readonly refusedCount: number
  readonly reasons: readonly Reason[]
  /** Of `refusedCount`, those for reasons beyond the ones that are kept. */
  readonly otherCount: number
  readonly warnings: readonly WarnedField[]
  readonly deviceCount: number
  readonly vehicleCount: number
  readonly firstRecordedAt: Date | undefined
  readonly lastRecordedAt: Date | undefined
  /** Readings of weeks that are in files of the history. */
  readonly sealedCount: number
}

/** More are counted and not named. */
const MAX_REASONS = 50
const MAX_PLACES = 5
const MAX_WARNED_FIELDS = 100

export class Tally {
  readonly #sealedUntilMs: number
  readonly #reasons = new Map<string, { text: string; count: number; places: string[] }>()
  readonly #warnings = new Map<string, { field: string; kind: FieldWarning['kind']; count: number }>()
  readonly #devices = new Set<string>()
  readonly #vehicles = new Set<string>()
  #readingCount = 0
  #refusedCount = 0
  #otherCount = 0
  #sealedCount = 0
  #firstMs = Number.POSITIVE_INFINITY
  #lastMs = Number.NEGATIVE_INFINITY

  constructor(sealedUntil: Date | undefined) {
    this.#sealedUntilMs = sealedUntil?.getTime() ?? Number.NEGATIVE_INFINITY
  }

  add({ recordedAtMs, deviceId, vehicleId }: Reading, warnings: readonly FieldWarning[] = []): void {
    this.#readingCount++
    if (recordedAtMs < this.#sealedUntilMs) this.#sealedCount++
    this.#firstMs = Math.min(this.#firstMs, recordedAtMs)
    this.#lastMs = Math.max(this.#lastMs, recordedAtMs)
    if (deviceId !== undefined) this.#devices.add(deviceId)
    if (vehicleId !== undefined) this.#vehicles.add(vehicleId)
    for (const { field, kind } of warnings) this.#warn(field, kind)
  }

  #warn(field: string, kind: FieldWarning['kind']): void {
    const key = `${kind} ${field}`
    const known = this.#warnings.get(key)
    if (known !== undefined) known.count++
    else if (this.#warnings.size < MAX_WARNED_FIELDS) this.#warnings.set(key, { field, kind, count: 1 })
  }

  refuse(place: string, { kind, text }: Refusal): void {
    this.#refusedCount++
    const known = this.#reasons.get(kind)
    if (known !== undefined) {
      known.count++
      if (known.places.length < MAX_PLACES) known.places.push(place)
    } else if (this.#reasons.size < MAX_REASONS) this.#reasons.set(kind, { text, count: 1, places: [place] })
    else this.#otherCount++
  }

  /** Whether there are more reasons than are named. */
  get isFull(): boolean {
    return this.#otherCount > 0
  }

  found(): Found {
    const isEmpty = this.#readingCount === 0
    return {
      recordCount: this.#readingCount + this.#refusedCount,
      readingCount: this.#readingCount,
      refusedCount: this.#refusedCount,
      reasons: [...this.#reasons.values()],
      otherCount: this.#otherCount,
      warnings: [...this.#warnings.values()],
      deviceCount: this.#devices.size,
      vehicleCount: this.#vehicles.size,
      firstRecordedAt: isEmpty ? undefined : new Date(this.#firstMs),
      lastRecordedAt: isEmpty ? undefined : new Date(this.#lastMs),
      sealedCount: this.#sealedCount,
    }
  }
}
