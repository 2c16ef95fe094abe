// Reads one telemetry input by hand: a generic validator would cost more than the prediction itself, and it refuses where we drop and
// report (Spec gap §2.6). That the published schema and this agree is tested, not assumed.
import { MAX_DTC_CODE_LENGTH, MAX_DTC_CODES, MAX_HISTORY_READINGS, MAX_VEHICLE_ID_LENGTH } from '@roadworthy/contracts/engine-v1/input'
import { MAX_UNMAPPED_NAMES } from '@roadworthy/contracts/engine-v1/output'
import type { Observation, PredictionInput, VehicleDescription } from '@roadworthy/prognostics/observation'
import { statedIn } from '@roadworthy/prognostics/provenance'
import { isVin } from '@roadworthy/prognostics/vin'
import { isIsoForm, parseRfc3339 } from '@roadworthy/service-kit/rfc3339'
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
  /** Aliases left aside because the field was there under its standard name, or under an earlier alias. */
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
  unmapped: Map<string, UnmappedName> | undefined
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
    unmapped: found.unmapped === undefined ? undefined : [...found.unmapped.values()],
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
        into.leftAside.push(key)
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

function decodeCodes(into: Collected, standard: string, value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    drop(into, standard, 'it is not an array of texts')
    return undefined
  }
  const isCode = (code: unknown): code is string => typeof code === 'string' && code.trim() !== '' && !isLonger(code, MAX_DTC_CODE_LENGTH)
  const codes = value.filter(isCode)
  if (codes.length < value.length) drop(into, standard, `only texts of 1 to ${MAX_DTC_CODE_LENGTH} characters were read`)
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
  if (value.length > MAX_HISTORY_READINGS)
    drop(into, 'history', `only the newest ${MAX_HISTORY_READINGS} of ${value.length} readings were used`)
  const newest = value.slice(-MAX_HISTORY_READINGS)
  const observations: Observation[] = []
  let nextAtMs = currentAtMs
  for (let index = newest.length - 1; index >= 0; index--) {
    const reading: unknown = newest[index]
    if (!isObject(reading)) {
      drop(into, 'history', 'readings that are not objects were left out')
      continue
    }
    const earlier = collect(reading)
    if (isOfAnother(earlier, into)) {
      drop(into, 'history', 'readings of another vehicle were left out')
      continue
    }
    const { signals, lamps, dtcCodes, recordedAtMs, mapped, unmapped } = earlier
    for (const name of unmapped?.values() ?? []) addUnmapped(into, name)
    if (mapped !== undefined) into.mapped = { ...into.mapped, ...mapped }
    nextAtMs = recordedAtMs ?? nextAtMs - ASSUMED_INTERVAL_MS
    observations.push({ recordedAtMs: nextAtMs, signals, lamps, dtcCodes })
  }
  return observations.reverse()
}

function noteName(into: Collected, key: string, name: string): void {
  into.names ??= []
  into.names.push(name.trim())
  into.hasVinKey ||= isVinKey(key)
}

function noteUnmapped(into: Collected, key: string): void {
  if ((into.unmapped?.size ?? 0) >= MAX_UNMAPPED_NAMES) return
  const field = key.length > MAX_SHOWN_NAME_LENGTH ? `${key.slice(0, MAX_SHOWN_NAME_LENGTH)}…` : key
  addUnmapped(into, { field, closest: closestField(key) ?? null })
}

function addUnmapped(into: Collected, name: UnmappedName): void {
  into.unmapped ??= new Map()
  if (into.unmapped.size < MAX_UNMAPPED_NAMES) into.unmapped.set(name.field, name)
}

function drop(into: Collected, field: string, reason: string): void {
  into.dropped ??= {}
  into.dropped[field] ??= reason
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Characters are code points, as in JSON Schema (RFC 8259 §7); a string's own length is never less than their number. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit)
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
