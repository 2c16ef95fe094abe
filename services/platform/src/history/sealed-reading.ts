// A reading as a row of a sealed file. Known signals and attributes have a column each, so that anyone can read the file; what is left over is kept as JSON, so
// that nothing is lost. The digest is made again from the content when a reading is asked for, and kept only where that gives another one.

import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import { type SignalName, signalNames } from '@roadworthy/signals/registry'
import type { SelectedReading } from '../readings/reading.read.sql.ts'
import { createReading, type ReadingAttributes, type ReadingContent } from '../readings/reading.ts'
import type { StoredReading } from '../readings/stored-reading.ts'

export type ColumnType = 'text' | 'time' | 'number' | 'flag' | 'texts' | 'bytes' | 'small' | 'whole'

const numberAttributes = ['headingDeg', 'altitudeM', 'satellites', 'deviceBatteryPct', 'deviceBatteryV'] as const

/** In the order in which they stand in a file. Adding one is fine: files of before are read as if it were empty in them. */
export const sealedColumns = [
  ['sourceId', 'text'],
  ['recordedAt', 'time'],
  // 0 but where one source reported several times for one instant: their order
  ['tie', 'small'],
  ['kind', 'text'],
  ['deviceId', 'text'],
  ['vehicleId', 'text'],
  ['subClientId', 'text'],
  ['receivedAt', 'time'],
  // Degrees by 10^7, which is a centimetre: whole numbers that differ little from row to row take half of what fractions take.
  ['latitudeE7', 'whole'],
  ['longitudeE7', 'whole'],
  // Degrees, only where that would not be the very number that the device sent
  ['latitude', 'number'],
  ['longitude', 'number'],
  ...signalNames.map((name) => [name, 'number'] as const),
  ...numberAttributes.map((name) => [name, 'number'] as const),
  ['ignition', 'flag'],
  ['event', 'text'],
  ['dtcCodes', 'texts'],
  ['implausible', 'texts'],
  ['other', 'text'],
  ['digest', 'bytes'],
] as const satisfies readonly (readonly [string, ColumnType])[]

export type SealedColumn = (typeof sealedColumns)[number][0]
/** Times in microseconds, as PostgreSQL has them. */
export type SealedValue = string | bigint | number | boolean | readonly string[] | Uint8Array | null
export type SealedRow = Readonly<Record<SealedColumn, SealedValue>>

const knownSignals: ReadonlySet<string> = new Set(signalNames)

/** Makes rows of readings that come sorted by source, time and digest. */
export class SealedRows {
  #sourceId = ''
  #recordedAtUs = 0n
  #tie = 0
  /** Of the last reading that had lamps: the next one mostly comes from the same device. */
  #lampOrder: readonly string[] = []

  next(reading: StoredReading): SealedRow {
    const { sourceId, recordedAtUs } = reading
    this.#tie = sourceId === this.#sourceId && recordedAtUs === this.#recordedAtUs ? this.#tie + 1 : 0
    this.#sourceId = sourceId
    this.#recordedAtUs = recordedAtUs
    return toRow(this.#asSent(reading), this.#tie)
  }

  /**
   * The digest is over lamps in the order in which the device sent them, which PostgreSQL does not keep. There are few orders, so the one is found
   * that gives the digest.
   */
  #asSent(reading: StoredReading): StoredReading {
    const { lamps } = reading.attributes
    if (lamps === null || typeof lamps !== 'object' || Array.isArray(lamps)) return reading
    const names = Object.keys(lamps)
    if (names.length < 2 || names.length > MAX_ORDERED_LAMPS) return reading
    const isLikely = this.#lampOrder.length === names.length && names.every((name) => this.#lampOrder.includes(name))
    for (const order of [...(isLikely ? [this.#lampOrder] : []), ...ordersOf(names)]) {
      const inOrder = Object.fromEntries(order.map((name) => [name, (lamps as Record<string, unknown>)[name]]))
      const candidate = { ...reading, attributes: { ...reading.attributes, lamps: inOrder } }
      if (digestOf(candidate) !== reading.digestHex) continue
      this.#lampOrder = order
      return candidate
    }
    return reading
  }
}

/** There are four lamps, and so 24 orders. */
const MAX_ORDERED_LAMPS = 4

function ordersOf(names: readonly string[]): string[][] {
  if (names.length <= 1) return [[...names]]
  return names.flatMap((first) => ordersOf(names.filter((name) => name !== first)).map((rest) => [first, ...rest]))
}

function toRow(reading: StoredReading, tie: number): SealedRow {
  const { signals, attributes, digestHex } = reading
  const takenAttributes: Record<string, SealedValue> = {}
  const otherAttributes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (isColumnOf(name, value)) takenAttributes[name] = value as SealedValue
    else otherAttributes[name] = value
  }
  const otherSignals = Object.entries(signals).filter(([name, value]) => !knownSignals.has(name) || typeof value !== 'number')
  const other = {
    ...(Object.keys(otherAttributes).length > 0 ? { attributes: otherAttributes } : {}),
    ...(otherSignals.length > 0 ? { signals: Object.fromEntries(otherSignals) } : {}),
  }
  const row: Record<string, SealedValue> = {
    ...{ sourceId: reading.sourceId, recordedAt: reading.recordedAtUs, tie, kind: reading.kind },
    ...{ deviceId: reading.deviceId, vehicleId: reading.vehicleId, subClientId: reading.subClientId },
    receivedAt: reading.receivedAtUs,
    ...placeColumns(reading),
    ...takenAttributes,
    other: Object.keys(other).length > 0 ? JSON.stringify(other) : null,
    digest: digestOf(reading) === digestHex ? null : Buffer.from(digestHex, 'hex'),
  }
  for (const name of signalNames) if (typeof signals[name] === 'number') row[name] = signals[name] as number
  return Object.fromEntries(sealedColumns.map(([name]) => [name, row[name] ?? null])) as SealedRow
}

const E7 = 1e7

function placeColumns({ latitude, longitude }: StoredReading): Partial<Record<SealedColumn, SealedValue>> {
  if (latitude === null || longitude === null) return { latitude, longitude }
  const [latitudeE7, longitudeE7] = [Math.round(latitude * E7), Math.round(longitude * E7)]
  const isExact = latitudeE7 / E7 === latitude && longitudeE7 / E7 === longitude
  return isExact ? { latitudeE7, longitudeE7 } : { latitude, longitude }
}

function degreesOf(degrees: SealedValue, e7: SealedValue): number | null {
  return e7 === null ? (degrees as number | null) : (e7 as number) / E7
}

function isColumnOf(name: string, value: unknown): boolean {
  if ((numberAttributes as readonly string[]).includes(name)) return typeof value === 'number'
  if (name === 'ignition') return typeof value === 'boolean'
  if (name === 'event') return typeof value === 'string'
  if (name === 'dtcCodes' || name === 'implausible') return Array.isArray(value) && value.every((each) => typeof each === 'string')
  return false
}

/** The same reading again, of the row as it was or as it was read from a file. */
export function fromSealedRow(row: SealedRow): StoredReading {
  const other = JSON.parse((row.other as string | null) ?? '{}') as { attributes?: object; signals?: object }
  const signals: Record<string, unknown> = { ...other.signals }
  for (const name of signalNames) if (row[name] !== null) signals[name] = row[name]
  const attributes: Record<string, unknown> = { ...other.attributes }
  for (const name of [...numberAttributes, 'ignition', 'event', 'dtcCodes', 'implausible'] as const) {
    if (row[name] !== null) attributes[name] = row[name]
  }
  const reading = {
    ...{ sourceId: row.sourceId as string, recordedAtUs: row.recordedAt as bigint, kind: row.kind as StoredReading['kind'] },
    ...{ deviceId: row.deviceId as string | null, vehicleId: row.vehicleId as string | null },
    ...{ subClientId: row.subClientId as string | null, receivedAtUs: row.receivedAt as bigint },
    ...{ latitude: degreesOf(row.latitude, row.latitudeE7), longitude: degreesOf(row.longitude, row.longitudeE7), signals, attributes },
  }
  const kept = row.digest as Uint8Array | null
  return { ...reading, digestHex: kept === null ? digestOf(reading) : Buffer.from(kept).toString('hex') }
}

/** Of source, time and content, as ingest makes it. */
function digestOf(reading: Omit<StoredReading, 'digestHex'>): string {
  const { sourceId, recordedAtUs, receivedAtUs, kind, latitude, longitude } = reading
  const { implausible = [], ...attributes } = reading.attributes as ReadingAttributes & { implausible?: string[] }
  const content: ReadingContent = {
    recordedAtMs: toMs(recordedAtUs),
    position: latitude === null || longitude === null ? undefined : { latitude, longitude },
    signals: reading.signals as Partial<Record<SignalName, number>>,
    ...{ attributes, implausible },
  }
  const about = { kind, resellerId: '', sourceId, deviceId: undefined, vehicleId: undefined, subClientId: undefined }
  return createReading(content, { ...about, receivedAtMs: toMs(receivedAtUs) }).digestHex
}

const US_PER_MS = 1000n
/** What is finer is cut off, as the driver of PostgreSQL does it. */
const toMs = (us: bigint) => Number(us / US_PER_MS)

export function toSelectedReading(stored: StoredReading): SelectedReading {
  return {
    ...{ sourceId: stored.sourceId, recordedAtMs: toMs(stored.recordedAtUs), digestHex: stored.digestHex, kind: stored.kind },
    ...{ deviceId: stored.deviceId ?? undefined, vehicleId: stored.vehicleId ?? undefined, subClientId: stored.subClientId ?? undefined },
    receivedAt: new Date(toMs(stored.receivedAtUs)),
    ...{ latitude: stored.latitude ?? undefined, longitude: stored.longitude ?? undefined },
    signals: stored.signals as SelectedReading['signals'],
    attributes: stored.attributes as SelectedReading['attributes'],
  }
}

/** Every value of a reading as one line of text; equal for equal readings. */
export function lineOf(stored: StoredReading): string {
  const { recordedAtUs, receivedAtUs, ...rest } = stored
  return `${canonicalJson({ ...rest, recordedAtUs: String(recordedAtUs), receivedAtUs: String(receivedAtUs) })}\n`
}
