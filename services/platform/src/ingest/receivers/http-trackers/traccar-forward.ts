// What a Traccar server forwards (`forward.type` = `json`): one position with its device. After PositionForwarderJson and Position of Traccar. The same JSON is what it
// publishes to Kafka and MQTT.

import { isoTime } from './osmand.ts'
import { setAlarm } from './tracker-alarms.ts'
import { booleanOf, numberOf, objectOf, type TrackerReading, TrackerRecord, timeText } from './tracker-reading.ts'
import { consumptionOf, KM_PER_M, KMH_PER_KNOT } from './units.ts'

/** Of the position itself. Understood, and no signal. */
const keptOfPosition: ReadonlySet<string> = new Set(['protocol', 'address', 'accuracy', 'network', 'geofenceIds', 'outdated', 'valid'])
/** Numbers of Traccar's database, and times that the fix has better. */
const droppedOfPosition: ReadonlySet<string> = new Set(['id', 'deviceId', 'type', 'serverTime', 'deviceTime', 'fixTime'])
const readOfPosition: ReadonlySet<string> = new Set(['latitude', 'longitude', 'altitude', 'speed', 'course', 'attributes'])

/** Attributes that a signal is made of, with the factor to our unit (`Position.KEY_*`). */
const measured: Readonly<Record<string, readonly [key: string, scale: number]>> = {
  rpm: ['rpm', 1],
  // Volts of what feeds the tracker, which is the vehicle; `battery` and `batteryLevel` are the tracker's own.
  power: ['battery_voltage', 1],
  battery: ['device_battery_voltage', 1],
  batteryLevel: ['device_battery', 1],
  // %; `fuel` is litres.
  fuelLevel: ['fuel_level', 1],
  throttle: ['throttle', 1],
  sat: ['satellites', 1],
}

/**
 * Understood, and not read as a signal: metres since the last fix and in all by GPS, lifetime hours in ms, litres. `obdSpeed` has been knots and
 * km/h in versions of Traccar, and no position says by which it was written: the speed of the position is knots in all.
 */
const keptAttributes: ReadonlySet<string> = new Set([
  ...['distance', 'totalDistance', 'tripOdometer', 'serviceOdometer', 'hours', 'motion', 'fuel', 'fuelUsed', 'obdSpeed', 'engineLoad'],
  ...['hdop', 'vdop', 'pdop', 'satVisible', 'rssi', 'charge', 'archive', 'driverUniqueId', 'deviceTemp', 'vin'],
])
const readAttributes: ReadonlySet<string> = new Set([
  ...['coolantTemp', 'engineTemp', 'obdOdometer', 'odometer', 'fuelConsumption', 'ignition', 'alarm', 'dtcs'],
])
const MAX_DTC_CODES = 64
const MAX_DTC_CHARACTERS = 32

/** Never throws. Undefined where there is neither a position nor a device in it. */
export function parseTraccarForward(body: unknown): TrackerReading | undefined {
  const { position: sent, device: from, ...others } = objectOf(body)
  const position = objectOf(sent)
  const device = objectOf(from)
  if (sent === undefined || from === undefined) return undefined
  const record = new TrackerRecord()
  const attributes = objectOf(position['attributes'])
  const isFix = booleanOf(position['valid']) !== false && !isOutdated(position, attributes)
  record.set('timestamp', timeOf(isFix ? (position['fixTime'] ?? position['deviceTime']) : (position['deviceTime'] ?? position['fixTime'])))
  if (isFix) readFix(record, position)
  else record.keepWithoutFix(position['latitude'], position['longitude'])
  readAttributesOf(record, attributes, isFix ? position['speed'] : undefined)
  for (const [key, value] of Object.entries(position)) {
    if (readOfPosition.has(key) || droppedOfPosition.has(key)) continue
    if (keptOfPosition.has(key)) keepUnlessUsual(record, key, value)
    else record.keepUnread(`position.${key}`, value)
  }
  for (const [key, value] of Object.entries(others)) record.keepUnread(key, value)
  const { uniqueId } = device
  return record.finish(typeof uniqueId === 'string' ? uniqueId : '')
}

/** Clocks of trackers, and the sending of a fix that is new, differ by seconds. Assumption. */
const MAX_FIX_AGE_MS = 60_000

/**
 * Where a message has no fix, Traccar repeats the one before with its `fixTime`, and `deviceTime` is that of the message. Version 5 marks it
 * (`outdated`); version 6 leaves the mark out of what it forwards, and its database has none: it is then an older fix that is no metre from the one before.
 */
function isOutdated(position: Readonly<Record<string, unknown>>, attributes: Readonly<Record<string, unknown>>): boolean {
  const marked = booleanOf(position['outdated'])
  if (marked !== undefined) return marked
  // What the tracker kept while it was out of reach: both times may be right.
  if (booleanOf(attributes['archive']) === true) return false
  const ageMs = epochMsOf(position['deviceTime']) - epochMsOf(position['fixTime'])
  return ageMs > MAX_FIX_AGE_MS && numberOf(attributes['distance']) === 0
}

function epochMsOf(value: unknown): number {
  const time = timeOf(value)
  return typeof time === 'string' ? Date.parse(time) : Number.NaN
}

function timeOf(value: unknown): unknown {
  if (typeof value === 'string') return isoTime(value)
  const epochMs = numberOf(value)
  return epochMs === undefined ? value : timeText(epochMs, value)
}

function readFix(record: TrackerRecord, { latitude, longitude, altitude, speed, course }: Readonly<Record<string, unknown>>): void {
  record.place(latitude, longitude)
  record.measure('speed', 'speed', speed, KMH_PER_KNOT)
  record.measure('heading', 'course', course)
  record.measure('altitude', 'altitude', altitude)
}

/** That a position is valid, and that nothing is known of its accuracy, is said of nearly all. */
function keepUnlessUsual(record: TrackerRecord, key: string, value: unknown): void {
  const isUsual = (key === 'valid' && value === true) || (key === 'outdated' && value === false) || (key === 'accuracy' && value === 0)
  if (!isUsual) record.keep(key, value)
}

function readAttributesOf(record: TrackerRecord, attributes: Readonly<Record<string, unknown>>, speedKnots: unknown): void {
  const { coolantTemp, engineTemp, obdOdometer, odometer, fuelConsumption, ignition, alarm, dtcs } = attributes
  record.measure('coolant_temp', 'coolantTemp', coolantTemp ?? engineTemp)
  record.measure('odometer', 'odometer', obdOdometer ?? odometer, KM_PER_M)
  record.setFlag('ignition', 'ignition', ignition)
  setAlarm(record, alarm)
  if (typeof dtcs === 'string') record.set('dtc_codes', codesOf(dtcs))
  const speed = numberOf(speedKnots)
  const consumption = consumptionOf(numberOf(fuelConsumption), speed === undefined ? undefined : speed * KMH_PER_KNOT)
  if (consumption === undefined) record.keep('fuel_rate_l_per_h', fuelConsumption)
  else record.set('fuel_consumption', consumption)
  for (const [key, value] of Object.entries(attributes)) {
    const reading = Object.hasOwn(measured, key) ? measured[key] : undefined
    if (reading !== undefined) record.measure(reading[0], key, value, reading[1])
    else if (keptAttributes.has(key)) record.keep(key, value)
    else if (!readAttributes.has(key)) record.keepUnread(key, value)
  }
}

function codesOf(text: string): string[] | undefined {
  const codes = text.split(/[\s,]+/).filter((code) => code !== '' && code.length <= MAX_DTC_CHARACTERS)
  return codes.length === 0 ? undefined : codes.slice(0, MAX_DTC_CODES)
}
