// The OsmAnd protocol: one position as a query or a form. OsmAnd's online tracking, Traccar Client before version 9 and many trackers speak it.
// After https://www.traccar.org/osmand/ and Traccar's OsmAndProtocolDecoder, which takes more than the page names.

import { setAlarm } from './tracker-alarms.ts'
import { booleanOf, numberOf, type TrackerReading, TrackerRecord, timeText } from './tracker-reading.ts'
import { KMH_PER_KNOT } from './units.ts'

/** Smaller counts of time are seconds, larger ones milliseconds, as in Traccar: the limit is 2038 in seconds and 25 days after 1970 in milliseconds. */
const FIRST_MILLISECONDS = 2 ** 31

/** How senders name the device, which here is its token. */
export const osmandIdKeys = ['id', 'deviceid'] as const

type Read<Value = string> = (record: TrackerRecord, value: Value, key: string) => void

const measured =
  (key: string, scale = 1): Read<unknown> =>
  (record, value, sentAs) =>
    record.measure(key, sentAs, value, scale)
const kept: Read = (record, value, key) => void record.keep(key, numberOf(value) ?? booleanOf(value) ?? value)

/**
 * Sensors of the vehicle, which people add to the address, and to `extras` of Traccar Client, by the names of Traccar's attributes or of our API, where both
 * mean the same unit. `odometer` (metres by Traccar's convention), `fuel` (litres) and `battery` stand in no mapping.
 */
const sensors: Readonly<Record<string, Read<unknown>>> = {
  rpm: measured('rpm'),
  coolantTemp: measured('coolant_temp'),
  coolant_temp: measured('coolant_temp'),
  power: measured('battery_voltage'),
  battery_voltage: measured('battery_voltage'),
  fuelLevel: measured('fuel_level'),
  fuel_level: measured('fuel_level'),
  throttle: measured('throttle'),
  ignition: (record, value, sentAs) => record.setFlag('ignition', sentAs, value),
}

/** Returns whether the key is that of a sensor. */
export function readSensor(record: TrackerRecord, key: string, value: unknown): boolean {
  const read = Object.hasOwn(sensors, key) ? sensors[key] : undefined
  read?.(record, value, key)
  return read !== undefined
}

const readers: Readonly<Record<string, Read>> = {
  speed: measured('speed', KMH_PER_KNOT),
  bearing: measured('heading'),
  heading: measured('heading'),
  altitude: measured('altitude'),
  sat: measured('satellites'),
  satellites: measured('satellites'),
  batt: measured('device_battery'),
  // A sender whose clock is not set yet leaves it empty: then it is missing, as any other.
  timestamp: (record, value) => record.set('timestamp', value === '' ? undefined : osmandTime(value)),
  alarm: (record, value) => setAlarm(record, value),
  charge: (record, value) => void record.keep('charging', booleanOf(value)),
  accuracy: kept,
  hdop: kept,
  driverUniqueId: kept,
}

/** Whose values are read together, or are no content. */
const placeKeys: ReadonlySet<string> = new Set(['lat', 'lon', 'location', 'valid', ...osmandIdKeys])

/** What a receiver without a fix repeats or makes up. */
const ofFix: ReadonlySet<string> = new Set(['speed', 'bearing', 'heading', 'altitude'])

/** Never throws. Of a key that is repeated, the last counts. */
export function parseOsmand(parameters: URLSearchParams): TrackerReading {
  const record = new TrackerRecord()
  const byKey = new Map(parameters)
  const isFix = placeOf(record, byKey)
  for (const [key, value] of byKey) {
    if (placeKeys.has(key) || (!isFix && ofFix.has(key))) continue
    const read = Object.hasOwn(readers, key) ? readers[key] : undefined
    if (read === undefined && readSensor(record, key, value)) continue
    if (read === undefined) record.keepUnread(key, numberOf(value) ?? flagOf(value) ?? value)
    else read(record, value, key)
  }
  return record.finish()
}

/** Returns whether there is a fix, or nothing said against one. */
function placeOf(record: TrackerRecord, byKey: ReadonlyMap<string, string>): boolean {
  const [first, second] = (byKey.get('location') ?? '').split(',')
  const latitude = byKey.get('lat') ?? (first === '' ? undefined : first)
  const longitude = byKey.get('lon') ?? second
  const valid = byKey.get('valid')
  const isFix = valid === undefined || booleanOf(valid) === true
  if (isFix) record.place(latitude, longitude)
  else record.keepWithoutFix(latitude, longitude)
  return isFix
}

/** `true` and `false` only: a 1 may be a number. */
function flagOf(value: string): boolean | undefined {
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** Seconds, milliseconds, ISO 8601, or `yyyy-MM-dd HH:mm:ss`, which we take for UTC. */
function osmandTime(value: string): string {
  const count = numberOf(value)
  if (count !== undefined) return timeText(Math.abs(count) < FIRST_MILLISECONDS ? count * 1_000 : count, value)
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return `${value.replace(' ', 'T')}Z`
  // The plus of an offset that was not escaped arrives as a space.
  return isoTime(value.replace(/^(\d{4}-\d\d-\d\dT[\d:.]+) (\d\d:?\d\d)$/, '$1+$2'))
}

/** RFC 3339 wants the colon in an offset that ISO 8601 and Java leave out (`+0000`). */
export function isoTime(value: string): string {
  return value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
}
