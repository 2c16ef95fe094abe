// Builds what the engine is asked about one vehicle from the newest readings of its sources and those before. Pure.

import type { HealthStatus } from '@roadworthy/signals/health-bands'
import {
  HOUR_METER_FROM_S,
  isPlausible,
  type LampStates,
  lampNames,
  lampStates,
  lamps,
  type SignalName,
  type SignalValues,
  signalNames,
  signals,
} from '@roadworthy/signals/registry'
import type { SelectedReading } from '../../readings/reading.read.sql.ts'

/** A value and when it was recorded, in ms since the epoch: the form of `latest_states.signals` and `.states`. */
export type Timed<T> = readonly [value: T, recordedAtMs: number]

/** The newest of one source (a device, or the vehicle itself) that reports for a vehicle. Names and units are canonical. */
export type SourceState = {
  readonly recordedAtMs: number
  readonly signals: Readonly<Record<string, Timed<unknown>>>
  readonly states: Readonly<Record<string, Timed<unknown>>>
  readonly fix: { readonly latitude: number; readonly longitude: number; readonly recordedAtMs: number } | undefined
}

export type PastReading = {
  readonly recordedAtMs: number
  readonly signals: SignalValues | null
  readonly attributes: Pick<SelectedReading['attributes'], 'lamps' | 'dtcCodes' | 'implausible'> | null
}

/** A part that was replaced, by what the odometer then showed, where that is known, and when. */
export type ReplacedPart = { readonly component: string; readonly odometerKm: number | undefined; readonly replacedAtMs: number }

/** What to add to the odometer that the vehicle reports, in readings from the given time on: for example because its instrument cluster is another one. */
export type OdometerOffset = { readonly km: number; readonly sinceMs: number }

/** What the odometer is kept at, and the time of the reading that it is kept from. It never runs backwards. */
export type KeptOdometer = { readonly km: number; readonly atMs: number }

/** The description of the vehicle itself in its record. */
export type DescribedVehicle = {
  readonly vehicleClass?: string | undefined
  readonly fuelType?: string | undefined
  readonly drivetrain?: string | undefined
  readonly batteryNominalV?: number | undefined
  readonly vin?: string | undefined
}

export type KnownVehicle = DescribedVehicle & {
  readonly vehicleId: string
  readonly previousStatus: HealthStatus | undefined
  readonly modelYear: number | undefined
  readonly odometerOffset?: OdometerOffset | undefined
  readonly keptOdometer?: KeptOdometer | undefined
  readonly replacedParts?: readonly ReplacedPart[] | undefined
  readonly sources: readonly SourceState[]
  /** Oldest first. */
  readonly history: readonly PastReading[]
}

/** What goes over the wire, in the names and units of spec §2.6. */
export type EngineInput = { vehicleId: string } & Record<string, unknown>

/** As many earlier readings as the engine looks at (Spec gap §2.6: `history`). */
export const MAX_HISTORY = 120

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * A value this old, counted from the newest reading of the vehicle, is not sent as of now; the history still has it with its own time.
 * 10 s joins sensors that report in turn, and is as long as the engine's shortest hold: sent as of now for longer, one hot reading would
 * look as if it had lasted.
 */
const SIGNAL_STALE_AFTER_MS = 10_000
/** Signals that move slowly enough to stand longer. */
const SLOW_SIGNAL_STALE_AFTER_MS: Partial<Record<SignalName, number>> = {
  odometerKm: 30 * DAY_MS,
  fuelLevelPct: HOUR_MS,
  ambientTempC: HOUR_MS,
}
const HOUR_METER_STALE_AFTER_MS = 30 * DAY_MS

function staleAfterMsOf(name: SignalName, value: number): number {
  if (name === 'engineRunTimeS' && value >= HOUR_METER_FROM_S) return HOUR_METER_STALE_AFTER_MS
  return SLOW_SIGNAL_STALE_AFTER_MS[name] ?? SIGNAL_STALE_AFTER_MS
}

/** A lamp or a fault code is over when the vehicle reports it, not when it is silent about it; silence for a day is too long to go on. */
const STATE_STALE_AFTER_MS = DAY_MS

/** The vehicle as of the newest reading of any of its sources. */
export function toEngineInput(vehicle: KnownVehicle): EngineInput {
  const newestMs = newestRecordedAtMs(vehicle.sources)
  if (newestMs === undefined) return { vehicleId: vehicle.vehicleId, ...descriptionFields(vehicle) }
  const { values, lampsLit, dtcCodes, odometerAtMs } = mergeSources(vehicle.sources, newestMs)
  if (odometerAtMs !== undefined) correctOdometer(values, odometerAtMs, vehicle.odometerOffset)
  if (hasFallenBack(values, vehicle.keptOdometer)) values.odometerKm = vehicle.keptOdometer.km
  const fix = newestOf(vehicle.sources.map((source) => source.fix))
  return {
    vehicleId: vehicle.vehicleId,
    timestamp: new Date(newestMs).toISOString(),
    ...toEngineFields(values, lampsLit, dtcCodes),
    ...(fix !== undefined && newestMs - fix.recordedAtMs < SIGNAL_STALE_AFTER_MS
      ? { latitude: fix.latitude, longitude: fix.longitude }
      : {}),
    ...(vehicle.previousStatus === undefined ? {} : { previousHealthStatus: vehicle.previousStatus }),
    ...descriptionFields(vehicle),
    ...ageField(vehicle.modelYear, newestMs),
    ...replacedPartsField(vehicle.replacedParts),
    history: vehicle.history.slice(-MAX_HISTORY).map((reading) => toHistoryItem(reading, vehicle)),
  }
}

const VIN_LENGTH = 17

/** By the names of the engine's wire. A record may have a VIN of before 1981, which shows nothing. */
export function descriptionFields({ vehicleClass, fuelType, drivetrain, batteryNominalV, vin }: DescribedVehicle): Record<string, unknown> {
  const fields = { vehicleClass, fuelType, drivetrain, batteryNominalV, vin: vin?.length === VIN_LENGTH ? vin : undefined }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The signals an input has as of now, by their names on the engine's wire, as its alerts name them. */
export function currentSignals(input: EngineInput): string[] {
  return signalNames.map((name) => signals[name].engine.key).filter((key) => key in input)
}

export function newestRecordedAtMs(sources: readonly SourceState[]): number | undefined {
  return newestOf(sources)?.recordedAtMs
}

/** Canonical values in the names and units of the engine's wire. Absent stays absent: unknown is not zero, off or none. */
export function toEngineFields(values: SignalValues, lampsLit: LampStates, dtcCodes: readonly string[] | undefined) {
  const fields: Record<string, unknown> = {}
  for (const name of signalNames) {
    const value = values[name]
    if (value === undefined) continue
    const { key, scale } = signals[name].engine
    // Six decimals: 45 PSI stored as kPa comes back as 45, not 44.99999999.
    fields[key] = scale === 1 ? value : Math.round((value / scale) * 1e6) / 1e6
  }
  for (const name of lampNames) {
    const isLit = lampsLit[name]
    if (isLit !== undefined) fields[lamps[name].engineKey] = isLit ? lampStates[0] : lampStates[1]
  }
  if (dtcCodes !== undefined) fields['dtc_codes'] = dtcCodes
  return fields
}

function mergeSources(sources: readonly SourceState[], newestMs: number) {
  const values: SignalValues = {}
  let odometerAtMs: number | undefined
  for (const name of signalNames) {
    const newest = newestTimed(sources.map(({ signals: timed }) => timed[name]))
    const value = newest === undefined ? undefined : toValue(name, newest[0])
    if (newest === undefined || value === undefined || newestMs - newest[1] >= staleAfterMsOf(name, value)) continue
    values[name] = value
    if (name === 'odometerKm') odometerAtMs = newest[1]
  }
  const lampsLit: LampStates = {}
  const isStanding = (timed: Timed<unknown> | undefined) => timed !== undefined && newestMs - timed[1] < STATE_STALE_AFTER_MS
  for (const name of lampNames) {
    const newest = newestTimed(sources.map(({ states }) => states[name]))
    const isLit = isStanding(newest) ? toLamp(newest?.[0]) : undefined
    if (isLit !== undefined) lampsLit[name] = isLit
  }
  const codes = newestTimed(sources.map(({ states }) => states['dtcCodes']))
  return { values, lampsLit, odometerAtMs, dtcCodes: isStanding(codes) ? toCodes(codes?.[0]) : undefined }
}

function correctOdometer(values: SignalValues, recordedAtMs: number, offset: OdometerOffset | undefined): void {
  if (offset === undefined || values.odometerKm === undefined || recordedAtMs < offset.sinceMs) return
  values.odometerKm = Math.max(0, values.odometerKm + offset.km)
}

/** A dongle that lost its count, or another instrument cluster that nobody has put right: lives go on from what is kept, as schedules do. */
function hasFallenBack({ odometerKm }: SignalValues, kept: KeptOdometer | undefined): kept is KeptOdometer {
  return odometerKm !== undefined && kept !== undefined && odometerKm < kept.km
}

function replacedPartsField(parts: readonly ReplacedPart[] | undefined) {
  if (parts === undefined || parts.length === 0) return {}
  const replacedParts = parts.map(({ component, odometerKm, replacedAtMs }) => {
    return { component, ...(odometerKm === undefined ? {} : { odometerKm }), replacedAt: new Date(replacedAtMs).toISOString() }
  })
  return { replacedParts }
}

function toHistoryItem(
  { recordedAtMs, signals: reported, attributes }: PastReading,
  { odometerOffset: offset, keptOdometer: kept }: KnownVehicle,
): Record<string, unknown> {
  const values: SignalValues = {}
  for (const name in reported) {
    if (!Object.hasOwn(signals, name) || attributes?.implausible?.includes(name) === true) continue
    const value = toValue(name as SignalName, reported[name as SignalName])
    if (value !== undefined) values[name as SignalName] = value
  }
  // What was read before a correction is no measure of what is read after it: beside each other they would look like a jump of the sensor.
  if (offset !== undefined && recordedAtMs < offset.sinceMs) delete values.odometerKm
  correctOdometer(values, recordedAtMs, offset)
  if (hasFallenBack(values, kept) && recordedAtMs > kept.atMs) delete values.odometerKm
  return { timestamp: new Date(recordedAtMs).toISOString(), ...toEngineFields(values, attributes?.lamps ?? {}, attributes?.dtcCodes) }
}

/** Nothing shows when a vehicle was first registered: the middle of its model year is half a year off at most, for most. */
function ageField(modelYear: number | undefined, atMs: number): { vehicleAgeDays?: number } {
  if (modelYear === undefined) return {}
  return { vehicleAgeDays: Math.max(0, Math.floor((atMs - Date.UTC(modelYear, 6, 1)) / DAY_MS)) }
}

/** The second wall behind ingest's marking: an implausible value is never scored. */
function toValue(name: SignalName, value: unknown): number | undefined {
  return typeof value === 'number' && isPlausible(name, value) ? value : undefined
}

function toLamp(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function toCodes(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((code) => typeof code === 'string') : undefined
}

function newestTimed(all: readonly (Timed<unknown> | undefined)[]): Timed<unknown> | undefined {
  let newest: Timed<unknown> | undefined
  for (const timed of all) if (timed !== undefined && (newest === undefined || timed[1] > newest[1])) newest = timed
  return newest
}

function newestOf<T extends { readonly recordedAtMs: number }>(all: readonly (T | undefined)[]): T | undefined {
  let newest: T | undefined
  for (const each of all) if (each !== undefined && (newest === undefined || each.recordedAtMs > newest.recordedAtMs)) newest = each
  return newest
}
