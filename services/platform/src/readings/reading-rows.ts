// Readings on their way to the store, as the bytes of its columns. A reading is encoded when it is accepted: what waits for a commit is then
// a few buffers, where as objects it would be copied by the garbage collector again and again and hold several times the memory.

import { byteaColumn, float8Column, jsonbColumn, textColumn, timestamptzColumn } from '@roadworthy/service-kit/postgres/pg-arrays'
import { activeSpan } from '@roadworthy/service-kit/telemetry/tracing'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'
import type { SignalValues } from '@roadworthy/signals/registry'
import type { UsageCount } from '../limits/usage.sql.ts'
import { usageBucketMs } from '../limits/usage-bucket.ts'
import { type Alarm, alarmEventOf, foldAlarms } from './alarm.ts'
import type { Reading, ReadingAttributes } from './reading.ts'

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
  readonly #columns
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
    this.#columns = {
      sourceId: textColumn(countExpected),
      recordedAtMs: timestamptzColumn(countExpected),
      digestHex: byteaColumn(countExpected),
      resellerId: textColumn(countExpected),
      subClientId: textColumn(countExpected),
      deviceId: textColumn(countExpected),
      vehicleId: textColumn(countExpected),
      kind: textColumn(countExpected),
      receivedAtMs: timestamptzColumn(countExpected),
      latitude: float8Column(countExpected),
      longitude: float8Column(countExpected),
      signalsJson: jsonbColumn(countExpected),
      attributesJson: jsonbColumn(countExpected),
    }
  }

  get count(): number {
    return this.#columns.sourceId.count
  }

  /** The span of recorded times, in ms. */
  get recordedMs(): { readonly oldest: number; readonly newest: number } {
    return { oldest: this.#oldestMs, newest: this.#newestMs }
  }

  add(reading: Reading): void {
    const columns = this.#columns
    const alarm = alarmOf(reading)
    if (alarm !== undefined) this.#alarms.set(this.count, alarm)
    if (reading.activeDay !== undefined) this.#activeDays.set(this.count, reading.activeDay)
    columns.sourceId.add(reading.sourceId)
    columns.recordedAtMs.add(reading.recordedAtMs)
    columns.digestHex.add(reading.digestHex)
    columns.resellerId.add(reading.resellerId)
    columns.subClientId.add(reading.subClientId)
    columns.deviceId.add(reading.deviceId)
    columns.vehicleId.add(reading.vehicleId)
    columns.kind.add(reading.kind)
    columns.receivedAtMs.add(reading.receivedAtMs)
    columns.latitude.add(reading.position?.latitude)
    columns.longitude.add(reading.position?.longitude)
    columns.signalsJson.add(reading.signalsJson)
    columns.attributesJson.add(reading.attributesJson)
    this.#oldestMs = Math.min(this.#oldestMs, reading.recordedAtMs)
    this.#newestMs = Math.max(this.#newestMs, reading.recordedAtMs)
    this.#countReceived(reading)
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

  /** As array parameters, in the order of the fields above. */
  toParameters(): Buffer[] {
    return Object.values(this.#columns).map((column) => column.toParameter())
  }

  /** Empties the rows for another round in the same memory; parameters taken from them before are void. */
  clear(): void {
    for (const column of Object.values(this.#columns)) column.clear()
    this.#activeDays.clear()
    this.#alarms.clear()
    this.#received.clear()
    this.#lastReceived = undefined
    this.#oldestMs = Number.POSITIVE_INFINITY
    this.#newestMs = Number.NEGATIVE_INFINITY
  }

  /** The devices that may have become active with these readings, each once per sub-client and day. */
  activeDevices(): ActiveDevice[] {
    const columns = this.#columns
    const active = new Map<string, ActiveDevice>()
    for (const [index, day] of this.#activeDays) {
      const deviceId = required(columns.deviceId.valueAt(index))
      const resellerId = required(columns.resellerId.valueAt(index))
      const subClientId = columns.subClientId.valueAt(index) ?? ''
      active.set(`${deviceId} ${resellerId} ${subClientId} ${day.label}`, { resellerId, subClientId, deviceId, day })
    }
    return [...active.values()]
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
    return required(this.#columns.digestHex.valueAt(index))
  }

  sourceIdAt(index: number): string {
    return required(this.#columns.sourceId.valueAt(index))
  }

  /** The readings as they were added. */
  toReadings(): Reading[] {
    return Array.from({ length: this.count }, (_, i) => this.#readingAt(i))
  }

  #readingAt(index: number): Reading {
    const columns = this.#columns
    const latitude = columns.latitude.valueAt(index)
    const longitude = columns.longitude.valueAt(index)
    const signalsJson = columns.signalsJson.valueAt(index) ?? null
    const attributesJson = columns.attributesJson.valueAt(index) ?? null
    const { implausible = [], ...attributes } = JSON.parse(attributesJson ?? '{}') as ReadingAttributes & { implausible?: string[] }
    return {
      sourceId: required(columns.sourceId.valueAt(index)),
      recordedAtMs: required(columns.recordedAtMs.valueAt(index)),
      digestHex: this.digestAt(index),
      resellerId: required(columns.resellerId.valueAt(index)),
      subClientId: columns.subClientId.valueAt(index),
      deviceId: columns.deviceId.valueAt(index),
      vehicleId: columns.vehicleId.valueAt(index),
      kind: required(columns.kind.valueAt(index)) as Reading['kind'],
      receivedAtMs: required(columns.receivedAtMs.valueAt(index)),
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
