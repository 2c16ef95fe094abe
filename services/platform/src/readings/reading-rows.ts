// Readings on their way to the store, as the bytes of its rows. A reading is encoded when it is accepted: what waits for a commit is then
// one buffer, where as objects it would be copied by the garbage collector again and again and hold several times the memory.

import { CopyRows } from '@roadworthy/service-kit/postgres/copy-rows'
import { byteaCodec, type Codec, float8Codec, jsonbCodec, textCodec, timestamptzCodec } from '@roadworthy/service-kit/postgres/pg-binary'
import { activeSpan } from '@roadworthy/service-kit/telemetry/tracing'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'
import type { SignalValues } from '@roadworthy/signals/registry'
import type { UsageCount } from '../limits/usage.sql.ts'
import { usageBucketMs } from '../limits/usage-bucket.ts'
import { type Alarm, alarmEventOf, foldAlarms } from './alarm.ts'
import type { Reading, ReadingAttributes } from './reading.ts'

/** In the order in which `ReadingRows` writes them: first what the readings of a batch have in common. */
export const READING_COLUMNS = {
  source_id: textCodec,
  reseller_id: textCodec,
  sub_client_id: textCodec,
  device_id: textCodec,
  vehicle_id: textCodec,
  kind: textCodec,
  received_at: timestamptzCodec,
  recorded_at: timestamptzCodec,
  digest: byteaCodec,
  latitude: float8Codec,
  longitude: float8Codec,
  signals: jsonbCodec,
  attributes: jsonbCodec,
} as const
type ColumnName = keyof typeof READING_COLUMNS
const COLUMN_NAMES = Object.keys(READING_COLUMNS) as ColumnName[]

/** Of a reading with six signals and a position. A larger one makes the memory grow. */
const TYPICAL_BYTES = 400

/** A device with something reported in a day of its reseller's zone. `subClientId` is '' where it belongs to none. */
export type ActiveDevice = { readonly resellerId: string; readonly subClientId: string; readonly deviceId: string; readonly day: Period }

/** Readings of one sub-client that were received in one quarter-hour. `subClientId` is '' where they belong to none. */
type Received = {
  readonly sourceId: string
  readonly resellerId: string
  readonly subClientId: string
  readonly bucketMs: number
  count: number
}

export class ReadingRows {
  readonly #rows: CopyRows
  /** By index of the reading, for the order in which they are written. */
  readonly #sourceIds: string[] = []
  readonly #recordedAtMs: number[] = []
  /** The reading added last, and where in the rows are its first columns, which those of the same batch have in common. */
  #last: Reading | undefined
  #beginningFrom = 0
  #beginningTo = 0
  #oldestMs = Number.POSITIVE_INFINITY
  #newestMs = Number.NEGATIVE_INFINITY
  /** By index of the reading; of nearly all there is none. */
  readonly #activeDays = new Map<number, Period>()
  /** By index of the reading; of nearly all there is none. */
  readonly #alarms = new Map<number, Alarm>()
  /** By sub-client and quarter-hour. */
  readonly #received = new Map<string, Received>()
  /** Most readings are counted with the one before. */
  #lastReceived: Received | undefined

  constructor(countExpected: number) {
    this.#rows = new CopyRows(Object.values(READING_COLUMNS), countExpected * TYPICAL_BYTES)
  }

  get count(): number {
    return this.#rows.count
  }

  /** The span of recorded times, in ms. */
  get recordedMs(): { readonly oldest: number; readonly newest: number } {
    return { oldest: this.#oldestMs, newest: this.#newestMs }
  }

  add(reading: Reading): void {
    const alarm = alarmOf(reading)
    if (alarm !== undefined) this.#alarms.set(this.count, alarm)
    if (reading.activeDay !== undefined) this.#activeDays.set(this.count, reading.activeDay)
    this.#put(reading)
    this.#sourceIds.push(reading.sourceId)
    this.#recordedAtMs.push(reading.recordedAtMs)
    this.#last = reading
    this.#oldestMs = Math.min(this.#oldestMs, reading.recordedAtMs)
    this.#newestMs = Math.max(this.#newestMs, reading.recordedAtMs)
    this.#countReceived(reading)
  }

  /** In the order of `READING_COLUMNS`. */
  #put(reading: Reading): void {
    const rows = this.#rows
    rows.begin()
    const from = rows.end
    if (this.#last !== undefined && beginAlike(this.#last, reading)) rows.putAgain(this.#beginningFrom, this.#beginningTo)
    else {
      rows.putText(reading.sourceId)
      rows.putText(reading.resellerId)
      rows.putText(reading.subClientId)
      rows.putText(reading.deviceId)
      rows.putText(reading.vehicleId)
      rows.putText(reading.kind)
      rows.putTimestamptz(reading.receivedAtMs)
    }
    this.#beginningFrom = from
    this.#beginningTo = rows.end
    rows.putTimestamptz(reading.recordedAtMs)
    rows.putBytea(reading.digestHex)
    rows.putFloat8(reading.position?.latitude)
    rows.putFloat8(reading.position?.longitude)
    rows.putJsonb(reading.signalsJson)
    rows.putJsonb(reading.attributesJson)
  }

  #countReceived({ sourceId, resellerId, subClientId = '', receivedAtMs }: Reading): void {
    const bucketMs = usageBucketMs(receivedAtMs)
    const last = this.#lastReceived
    if (last !== undefined && last.subClientId === subClientId && last.resellerId === resellerId && last.bucketMs === bucketMs) {
      last.count++
      return
    }
    const key = `${resellerId}\n${subClientId}\n${bucketMs}`
    const received = this.#received.get(key) ?? { sourceId, resellerId, subClientId, bucketMs, count: 0 }
    received.count++
    this.#received.set(key, received)
    this.#lastReceived = received
  }

  /** What is metered when all readings are stored; each with a source whose readings are among those counted. */
  pointsIngested(): (UsageCount & { readonly sourceId: string })[] {
    return [...this.#received.values()].map(({ bucketMs, ...of }) => ({ ...of, meter: 'points_ingested', bucket: new Date(bucketMs) }))
  }

  /** As an array parameter for each of `READING_COLUMNS`, in their order. */
  toParameters(): Buffer[] {
    return this.#rows.toArrays()
  }

  /**
   * As COPY reads them, with `READING_COLUMNS`: those of each of these spans of recorded time in ms, but for spans that none is of. In the order of the primary key:
   * everybody writes readings in one order, so that two transactions never wait for each other in a ring, and what is near in the index is written together.
   */
  toCopies<Span extends { readonly fromMs: number; readonly toMs: number }>(spans: readonly Span[]): { span: Span; copied: Buffer[] }[] {
    const order = this.#orderOfKey()
    return spans.flatMap((span) => {
      const ofSpan = order.filter((index) => {
        const recordedAtMs = this.#recordedAtMs[index] ?? Number.NaN
        return recordedAtMs >= span.fromMs && recordedAtMs < span.toMs
      })
      return ofSpan.length === 0 ? [] : [{ span, copied: this.#rows.toCopy(ofSpan) }]
    })
  }

  #orderOfKey(): number[] {
    const sourceIds = this.#sourceIds
    const recordedAtMs = this.#recordedAtMs
    return Array.from(sourceIds.keys()).sort((a, b) => {
      const [one = '', other = ''] = [sourceIds[a], sourceIds[b]]
      if (one !== other) return one < other ? -1 : 1
      const apartMs = (recordedAtMs[a] ?? 0) - (recordedAtMs[b] ?? 0)
      if (apartMs !== 0) return apartMs
      return this.digestAt(a) < this.digestAt(b) ? -1 : 1
    })
  }

  /** Empties the rows for another round in the same memory; parameters taken from them before are void. */
  clear(): void {
    this.#rows.clear()
    this.#sourceIds.length = 0
    this.#recordedAtMs.length = 0
    this.#last = undefined
    this.#activeDays.clear()
    this.#alarms.clear()
    this.#received.clear()
    this.#lastReceived = undefined
    this.#oldestMs = Number.POSITIVE_INFINITY
    this.#newestMs = Number.NEGATIVE_INFINITY
  }

  /** The devices that may have become active with these readings, each once per sub-client and day. */
  activeDevices(): ActiveDevice[] {
    const active = new Map<string, ActiveDevice>()
    for (const [index, day] of this.#activeDays) {
      const deviceId = required(this.#valueAt(index, 'device_id'))
      const resellerId = required(this.#valueAt(index, 'reseller_id'))
      const subClientId = this.#valueAt(index, 'sub_client_id') ?? ''
      active.set(`${deviceId} ${resellerId} ${subClientId} ${day.label}`, { resellerId, subClientId, deviceId, day })
    }
    return [...active.values()]
  }

  /** Whether `activeDevices` has any. */
  get hasActiveDevices(): boolean {
    return this.#activeDays.size > 0
  }

  get hasAlarms(): boolean {
    return this.#alarms.size > 0
  }

  /** What the readings with these digests raise, or all of them; the same reading twice counts once. */
  alarms(stored: ReadonlySet<string> | undefined): Alarm[] {
    const counted = new Set<string>()
    const raised: Alarm[] = []
    for (const [index, alarm] of this.#alarms) {
      const digest = this.digestAt(index)
      if (counted.has(digest) || (stored !== undefined && !stored.has(digest))) continue
      counted.add(digest)
      raised.push(alarm)
    }
    return foldAlarms(raised)
  }

  digestAt(index: number): string {
    return required(this.#valueAt(index, 'digest'))
  }

  sourceIdAt(index: number): string {
    return required(this.#valueAt(index, 'source_id'))
  }

  /** The readings as they were added. */
  toReadings(): Reading[] {
    return Array.from({ length: this.count }, (_, i) => this.#readingAt(i))
  }

  #valueAt<C extends ColumnName>(index: number, column: C): ValueOf<C> | undefined {
    return this.#rows.valueAt(index, COLUMN_NAMES.indexOf(column), READING_COLUMNS[column] as Codec<ValueOf<C>>)
  }

  #readingAt(index: number): Reading {
    const read = <C extends ColumnName>(column: C) => this.#valueAt(index, column)
    const latitude = read('latitude')
    const longitude = read('longitude')
    const signalsJson = read('signals') ?? null
    const attributesJson = read('attributes') ?? null
    const { implausible = [], ...attributes } = JSON.parse(attributesJson ?? '{}') as ReadingAttributes & { implausible?: string[] }
    return {
      sourceId: required(read('source_id')),
      recordedAtMs: required(read('recorded_at')),
      digestHex: this.digestAt(index),
      resellerId: required(read('reseller_id')),
      subClientId: read('sub_client_id'),
      deviceId: read('device_id'),
      vehicleId: read('vehicle_id'),
      kind: required(read('kind')) as Reading['kind'],
      receivedAtMs: required(read('received_at')),
      activeDay: this.#activeDays.get(index),
      position: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
      signals: JSON.parse(signalsJson ?? '{}') as SignalValues,
      attributes,
      implausible,
      signalsJson,
      attributesJson,
    }
  }
}

type ValueOf<C extends ColumnName> = (typeof READING_COLUMNS)[C] extends Codec<infer T> ? T : never

/** Whether two readings have the same values in the first columns. */
function beginAlike(one: Reading, other: Reading): boolean {
  return (
    one.sourceId === other.sourceId &&
    one.receivedAtMs === other.receivedAtMs &&
    one.resellerId === other.resellerId &&
    one.subClientId === other.subClientId &&
    one.deviceId === other.deviceId &&
    one.vehicleId === other.vehicleId &&
    one.kind === other.kind
  )
}

function alarmOf({ attributes, resellerId, vehicleId, deviceId, recordedAtMs, position }: Reading): Alarm | undefined {
  const event = alarmEventOf(attributes.event)
  if (event === undefined) return undefined
  const recordedAt = new Date(recordedAtMs)
  const traceparent = activeSpan()?.traceparent
  const alarm = { resellerId, vehicleId, event, deviceId, count: 1, firstRecordedAt: recordedAt, lastRecordedAt: recordedAt, position }
  return traceparent === undefined ? alarm : { ...alarm, traceparent }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a column that takes no null holds one')
  return value
}
