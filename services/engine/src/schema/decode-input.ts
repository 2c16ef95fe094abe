// Reads one telemetry input by hand: a generic validator would cost more than the prediction itself, and it refuses where we drop and
// report (Spec gap §2.6). That the published schema and this agree is tested, not assumed.
import { MAX_DTC_CODE_LENGTH, MAX_DTC_CODES, MAX_HISTORY_READINGS, MAX_VEHICLE_ID_LENGTH } from '@roadworthy/contracts/engine-v1/input'
import { MAX_IGNORED_NAMES, MAX_UNMAPPED_NAMES } from '@roadworthy/contracts/engine-v1/output'
import { splitCodes } from '@roadworthy/prognostics/detection/fault-codes/split-codes'
import type { Observation, PredictionInput, VehicleDescription } from '@roadworthy/prognostics/inputs/observation'
import { statedIn } from '@roadworthy/prognostics/provenance'
import { isVin } from '@roadworthy/prognostics/vehicle/vin'
import { isLonger } from '@roadworthy/service-kit/text/text-length'
import { isIsoForm, parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'
import { type HealthStatus, healthStatuses } from '@roadworthy/signals/health-bands'
import type { LampStates, SignalValues } from '@roadworthy/signals/registry'
import { decodeReplacedParts } from './decode-replaced-parts.ts'
import { describe, withVin } from './decode-vehicle.ts'
import { closestField, fieldOf, isVinKey } from './known-names.ts'

export type Decoded = {
  readonly vehicleId: string
  readonly input: PredictionInput
  /** `input.recordedAtMs` as `toISOString` writes it, where the input has it in that form. */
  readonly timestamp: string | undefined
  /** Alias → standard name. */
  readonly mapped: Readonly<Record<string, string>> | undefined
  /** Aliases left aside because the field was there under its standard name, or under an earlier alias. At most `MAX_IGNORED_NAMES`. */
  readonly leftAside: readonly string[] | undefined
  /** Keys that mean no field, also those of the history. At most `MAX_UNMAPPED_NAMES`. */
  readonly unmapped: readonly UnmappedName[] | undefined
  /** Field → why it was dropped. */
  readonly dropped: Readonly<Record<string, string>> | undefined
}

/** `closest` is the standard field whose name is nearest, where one is near. */
type UnmappedName = { readonly field: string; readonly closest: string | null }

/** The one thing that makes an input unusable. */
export type Undecodable = { readonly vehicleId: string | null; readonly message: string; readonly field: string | undefined }

export function isUndecodable(decoded: Decoded | Undecodable): decoded is Undecodable {
  return 'message' in decoded
}

const MAX_LATITUDE_DEG = 90
const MAX_LONGITUDE_DEG = 180
/** Days; a hundred years. */
const MAX_AGE_DAYS = 36_525
/** Readings of a history that have no time are taken as this far apart. */
const ASSUMED_INTERVAL_MS = 1000

export const historyNumbers = statedIn('decode-input', [
  [{ ASSUMED_INTERVAL_MS }, 'ms', 'assumption', 'The short side of what devices report at, so that nothing is confirmed too early.'],
])

/** A name is for people: a key may have kilobytes. */
const MAX_SHOWN_NAME_LENGTH = 128

type Collected = {
  signals: SignalValues
  lamps: LampStates
  dtcCodes: readonly string[] | undefined
  recordedAtMs: number | undefined
  timestamp: string | undefined
  vehicleId: unknown
  /** Every name that is given to the vehicle, whichever counts. */
  names: string[] | undefined
  /** Whether one of them is under a key for VINs. */
  hasVinKey: boolean
  history: unknown
  ageDays: number | undefined
  replacedParts: PredictionInput['replacedParts']
  vehicle: VehicleDescription | undefined
  vin: string | undefined
  previousStatus: HealthStatus | undefined
  mapped: Record<string, string> | undefined
  leftAside: string[] | undefined
  unmapped: Set<string> | undefined
  dropped: Record<string, string> | undefined
}

export function decodeInput(body: unknown, receivedAtMs: number): Decoded | Undecodable {
  if (!isObject(body)) return { vehicleId: null, message: 'The input must be a JSON object with at least a vehicleId.', field: undefined }
  const found = collect(body)
  const { vehicleId } = found
  if (vehicleId === undefined || vehicleId === null)
    return { vehicleId: null, message: 'Missing required field: vehicleId', field: 'vehicleId' }
  if (typeof vehicleId !== 'string' || vehicleId.trim() === '' || isLonger(vehicleId, MAX_VEHICLE_ID_LENGTH)) {
    const message = `The required field vehicleId must be a text of 1 to ${MAX_VEHICLE_ID_LENGTH} characters.`
    return { vehicleId: null, message, field: 'vehicleId' }
  }
  const recordedAtMs = found.recordedAtMs ?? receivedAtMs
  const { signals, lamps, dtcCodes, ageDays, replacedParts, previousStatus } = found
  const vehicle = withVin(found.vehicle, found.vin, vehicleId)
  const { history: sent } = found
  const history = sent === undefined || sent === null ? undefined : decodeHistory(sent, recordedAtMs, found)
  return {
    vehicleId,
    input: { recordedAtMs, signals, lamps, dtcCodes, history, vehicle, ageDays, replacedParts, previousStatus },
    timestamp: found.timestamp,
    mapped: found.mapped,
    leftAside: found.leftAside,
    unmapped: found.unmapped === undefined ? undefined : Array.from(found.unmapped, toUnmappedName),
    dropped: found.dropped,
  }
}

function collect(body: Readonly<Record<string, unknown>>): Collected {
  const into: Collected = {
    signals: {},
    lamps: {},
    dtcCodes: undefined,
    recordedAtMs: undefined,
    timestamp: undefined,
    vehicleId: undefined,
    names: undefined,
    hasVinKey: false,
    history: undefined,
    ageDays: undefined,
    replacedParts: undefined,
    vehicle: undefined,
    vin: undefined,
    previousStatus: undefined,
    mapped: undefined,
    leftAside: undefined,
    unmapped: undefined,
    dropped: undefined,
  }
  for (const key of Object.keys(body)) {
    const field = fieldOf(key)
    const value = body[key]
    if (field === undefined) {
      noteUnmapped(into, key)
      continue
    }
    if (value === null || value === undefined) continue
    const { standard } = field
    if (field.kind === 'vehicle_id' && typeof value === 'string') noteName(into, key, value)
    if (key !== standard) {
      const isUsedAsVin = field.kind === 'vehicle_id' && typeof value === 'string' && isVinKey(key) && isVin(value)
      if (isUsedAsVin) into.vin = value
      // The standard name wins over an alias, and the first alias over the next (DECISIONS, Predictions).
      if (hasValue(body, standard) || isMappedTo(into.mapped, standard)) {
        if (isUsedAsVin) continue
        into.leftAside ??= []
        if (into.leftAside.length < MAX_IGNORED_NAMES) into.leftAside.push(key)
        continue
      }
      into.mapped ??= {}
      into.mapped[key] = standard
    }
    switch (field.kind) {
      case 'signal':
        // `1e999` parses to Infinity and is dropped here; what is out of range is the gate's business.
        if (typeof value === 'number' && Number.isFinite(value * field.scale)) into.signals[field.name] = value * field.scale
        else drop(into, standard, 'it is not a finite number')
        break
      case 'whole_signal':
        if (Number.isInteger(value)) into.signals[field.name] = (value as number) * field.scale
        else drop(into, standard, 'it is not a whole number')
        break
      case 'lamp':
        if (value === 'LAMP_ON' || value === 'LAMP_OFF') into.lamps[field.name] = value === 'LAMP_ON'
        else drop(into, standard, 'it is neither LAMP_ON nor LAMP_OFF')
        break
      default:
        collectPlain(into, field.kind, standard, value)
    }
  }
  return into
}

function collectPlain(into: Collected, kind: string, standard: string, value: unknown): void {
  switch (kind) {
    case 'vehicle_id':
      into.vehicleId = value
      return
    case 'history':
      into.history = value
      return
    case 'dtc_codes':
      into.dtcCodes = decodeCodes(into, standard, value)
      return
    case 'timestamp':
      into.recordedAtMs = typeof value === 'string' ? parseRfc3339(value) : undefined
      if (into.recordedAtMs === undefined) drop(into, standard, 'it is not an RFC 3339 time with an offset; the time of receipt was used')
      else if (isIsoForm(value as string)) into.timestamp = value as string
      return
    case 'latitude':
    case 'longitude': {
      const limit = kind === 'latitude' ? MAX_LATITUDE_DEG : MAX_LONGITUDE_DEG
      if (!isNumberWithin(value, -limit, limit)) drop(into, standard, `it is not a number from -${limit} to ${limit}`)
      return
    }
    case 'vehicle_age':
      if (isNumberWithin(value, 0, MAX_AGE_DAYS)) into.ageDays = value
      else drop(into, standard, `it is not a number from 0 to ${MAX_AGE_DAYS}`)
      return
    case 'vehicle_class':
    case 'fuel_type':
    case 'drivetrain':
    case 'battery_nominal_v': {
      const { vehicle, reason } = describe(into.vehicle, kind, value)
      into.vehicle = vehicle
      if (reason !== undefined) drop(into, standard, reason)
      return
    }
    case 'replaced_parts': {
      const { parts, reason } = decodeReplacedParts(value)
      into.replacedParts = parts
      if (reason !== undefined) drop(into, standard, reason)
      return
    }
    case 'previous_status':
      into.previousStatus = healthStatuses.find((status) => status === value)
      if (into.previousStatus === undefined) drop(into, standard, `it is not one of ${healthStatuses.join(', ')}`)
  }
}

/**
 * Spec gap §2.6: one text in place of the array is left out, and not taken for a code: what has no codes to report sends `none`, `0` or `NaN` there, and
 * each would be a fault. Receivers of formats that have codes in one text split it.
 */
function decodeCodes(into: Collected, standard: string, value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    drop(into, standard, 'it is not an array of texts, as ["P0301", "P0420"]')
    return undefined
  }
  const isCode = (code: unknown): code is string => typeof code === 'string' && code.trim() !== '' && !isLonger(code, MAX_DTC_CODE_LENGTH)
  const texts = value.filter(isCode)
  if (texts.length < value.length) drop(into, standard, `only texts of 1 to ${MAX_DTC_CODE_LENGTH} characters were read`)
  const codes = texts.flatMap(splitCodes)
  if (codes.length > MAX_DTC_CODES) drop(into, standard, `only the first ${MAX_DTC_CODES} codes were read`)
  // Where nothing of it could be read, nothing is known: that is not the same as "no codes".
  return codes.length === 0 && value.length > 0 ? undefined : codes.slice(0, MAX_DTC_CODES)
}

/** A reading without a name is of the vehicle whose history it stands in, and so is one with a VIN where the vehicle has none to compare it with. */
function isOfAnother(reading: Collected, { names = [], hasVinKey }: Collected): boolean {
  const { names: others } = reading
  if (others === undefined || (reading.hasVinKey && others.length === 1 && !hasVinKey)) return false
  return !others.some((other) => names.includes(other))
}

function decodeHistory(value: unknown, currentAtMs: number, into: Collected): Observation[] | undefined {
  if (!Array.isArray(value)) {
    drop(into, 'history', 'it is not an array')
    return undefined
  }
  const sent = readHistory(value, currentAtMs, into)
  const earlier = sent.filter(({ recordedAtMs }) => recordedAtMs <= currentAtMs)
  if (earlier.length < sent.length) drop(into, 'history', 'readings later than the one that is judged were left out')
  const { newest, hasMore } = newestOf(earlier)
  if (hasMore) drop(into, 'history', `only the newest ${MAX_HISTORY_READINGS} of ${earlier.length} readings were used`)
  for (const { unmapped, dropped, mapped } of newest.toReversed()) {
    for (const name of unmapped ?? []) addUnmapped(into, name)
    if (dropped !== undefined) dropOfHistory(into, dropped)
    if (mapped !== undefined) into.mapped = { ...into.mapped, ...mapped }
  }
  return newest.map(({ recordedAtMs, signals, lamps, dtcCodes }) => ({ recordedAtMs, signals, lamps, dtcCodes }))
}

/**
 * What was sent twice takes no place of another reading. Found by its text, and no further back than needed: a body may hold thousands of one instant. Fewer
 * need no look here, as what judges them counts each once.
 */
function newestOf(readings: readonly TimedReading[]): { newest: readonly TimedReading[]; hasMore: boolean } {
  if (readings.length <= MAX_HISTORY_READINGS) return { newest: readings, hasMore: false }
  const found = new Map<string, TimedReading>()
  for (const reading of readings.toReversed()) {
    const { recordedAtMs, signals, lamps, dtcCodes } = reading
    const text = JSON.stringify([recordedAtMs, signals, lamps, dtcCodes])
    if (found.has(text)) continue
    if (found.size === MAX_HISTORY_READINGS) return { newest: [...found.values()].reverse(), hasMore: true }
    found.set(text, reading)
  }
  return { newest: [...found.values()].reverse(), hasMore: false }
}

type TimedReading = Collected & { recordedAtMs: number }

/** Those of this vehicle in the order of its clock, in whichever order they were sent. */
function readHistory(value: readonly unknown[], currentAtMs: number, into: Collected): TimedReading[] {
  const readings: TimedReading[] = []
  let nextAtMs = currentAtMs
  for (let index = value.length - 1; index >= 0; index--) {
    const reading: unknown = value[index]
    if (!isObject(reading)) {
      drop(into, 'history', 'readings that are not objects were left out')
      continue
    }
    const earlier = collect(reading)
    if (isOfAnother(earlier, into)) {
      drop(into, 'history', 'readings of another vehicle were left out')
      continue
    }
    earlier.recordedAtMs ??= nextAtMs - ASSUMED_INTERVAL_MS
    nextAtMs = earlier.recordedAtMs
    readings.push(earlier as TimedReading)
  }
  return readings.reverse().sort((one, other) => one.recordedAtMs - other.recordedAtMs)
}

/** Of each field the reason of the newest reading that lacks it. */
function dropOfHistory(into: Collected, dropped: Readonly<Record<string, string>>): void {
  const untimed = `it is not an RFC 3339 time with an offset; ${ASSUMED_INTERVAL_MS / 1000} s before the next reading was assumed`
  for (const [field, reason] of Object.entries(dropped)) drop(into, `history.${field}`, field === 'timestamp' ? untimed : reason)
}

function noteName(into: Collected, key: string, name: string): void {
  into.names ??= []
  into.names.push(name.trim())
  into.hasVinKey ||= isVinKey(key)
}

function noteUnmapped(into: Collected, key: string): void {
  addUnmapped(into, key.length > MAX_SHOWN_NAME_LENGTH ? `${key.slice(0, MAX_SHOWN_NAME_LENGTH).toWellFormed()}…` : key)
}

function addUnmapped(into: Collected, name: string): void {
  into.unmapped ??= new Set()
  if (into.unmapped.size < MAX_UNMAPPED_NAMES) into.unmapped.add(name)
}

/** Only of names that are reported: to find the closest field takes longer than to read the input. */
function toUnmappedName(field: string): UnmappedName {
  return { field, closest: closestField(field) ?? null }
}

function drop(into: Collected, field: string, reason: string): void {
  into.dropped ??= {}
  into.dropped[field] ??= reason
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasValue(body: Readonly<Record<string, unknown>>, key: string): boolean {
  return Object.hasOwn(body, key) && body[key] !== null && body[key] !== undefined
}

function isMappedTo(mapped: Readonly<Record<string, string>> | undefined, standard: string): boolean {
  return mapped !== undefined && Object.values(mapped).includes(standard)
}

function isNumberWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max
}
