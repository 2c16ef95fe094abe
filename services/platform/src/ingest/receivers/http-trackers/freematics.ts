// What Freematics dongles send: samples of `key=value`, keys in hexadecimal, those of OBD-II with 0x100 added. After Traccar's FreematicsProtocolDecoder and its tests,
// and the firmware's telestore. Over HTTP the body may lack the id before `#` and the checksum behind `*`. Where the firmware is set to GET (its teleclient), it
// sends positions alone.

import { osmandIdKeys, parseOsmand } from './osmand.ts'
import { numberOf, type TrackerReading, TrackerRecord, timeText } from './tracker-reading.ts'
import { consumptionOf } from './units.ts'

/** Samples of one packet: the firmware's buffer holds some 1,500 bytes, and a sample without values has 9. */
const MAX_SAMPLES = 200

const measured: Readonly<Record<number, string>> = {
  12: 'altitude',
  14: 'heading',
  15: 'satellites',
  261: 'coolant_temp',
  268: 'rpm',
  271: 'intake_air_temp',
  273: 'throttle',
  287: 'runTime',
  303: 'fuel_level',
  326: 'ambient_temp',
  348: 'engineOilTemp',
  422: 'odometer',
}
/** Understood, and no signal. */
const kept: Readonly<Record<number, string>> = { 18: 'hdop', 32: 'acceleration', 129: 'rssi', 260: 'engineLoad' }
const TICK = 0x0
const [LATITUDE, LONGITUDE, GPS_SPEED] = [0xa, 0xb, 0xd]
const [TIME, DATE, SUPPLY, TEMPERATURE, OBD_SPEED, MODULE_VOLTAGE, FUEL_RATE] = [0x10, 0x11, 0x24, 0x82, 0x10d, 0x142, 0x15e]
const readTogether: ReadonlySet<number> = new Set([
  ...[TICK, LATITUDE, LONGITUDE, GPS_SPEED, TIME, DATE, SUPPLY, TEMPERATURE, OBD_SPEED, MODULE_VOLTAGE, FUEL_RATE],
])
/** Centivolts, and tenths of a degree. */
const SUPPLY_V = 0.01
const TEMPERATURE_C = 0.1
/** On a desk the dongle is fed by USB with 5 V and reports that; no vehicle has a battery below. */
const MIN_VEHICLE_V = 6

type Sample = Map<number, string>

/** Never throws. Undefined for a packet that was damaged on its way, by its checksum. */
export function parseFreematics(packet: string, receivedAtMs: number): TrackerReading[] | undefined {
  const payload = payloadOf(packet)
  if (payload === undefined) return undefined
  const samples = samplesOf(payload)
  const times = timesOf(samples, receivedAtMs)
  return samples.map((sample, i) => toReading(sample, times[i]))
}

/** A position as OsmAnd has it, its speed in knots too. Never throws. Undefined for the id alone, which is sent before there is one. */
export function parseFreematicsPush(parameters: URLSearchParams): TrackerReading | undefined {
  const isIdAlone = [...parameters.keys()].every((key) => osmandIdKeys.some((each) => each === key))
  return isIdAlone ? undefined : parseOsmand(parameters)
}

function payloadOf(packet: string): string | undefined {
  const trimmed = packet.trim()
  const end = trimmed.lastIndexOf('*')
  const withoutSum = end < 0 ? trimmed : trimmed.slice(0, end)
  if (end >= 0 && sumOf(withoutSum) !== Number.parseInt(trimmed.slice(end + 1), 16)) return undefined
  return withoutSum.slice(withoutSum.indexOf('#') + 1)
}

/** All bytes before `*`, modulo 256. */
function sumOf(text: string): number {
  let sum = 0
  for (const byte of Buffer.from(text)) sum = (sum + byte) & 0xff
  return sum
}

/** A tick begins a sample. What is no pair of a hexadecimal key and a value is left out with the notice of events (`EV=1,…`). */
function samplesOf(payload: string): Sample[] {
  const samples: Sample[] = []
  for (const pair of payload.split(',')) {
    const [, hex, value] = /^([0-9a-f]{1,4})[=:](.*)$/i.exec(pair) ?? []
    if (hex === undefined || value === undefined) continue
    const key = Number.parseInt(hex, 16)
    if (key === TICK) {
      if (samples.length === MAX_SAMPLES) break
      samples.push(new Map())
    }
    samples.at(-1)?.set(key, value)
  }
  return samples
}

/**
 * Samples with a time of GPS have that; the others are as far from the nearest one as their ticks (ms since the device started). Where none has, the last was
 * taken when the packet was received, and only then would the same packet sent again be another reading.
 */
function timesOf(samples: readonly Sample[], receivedAtMs: number): (number | undefined)[] {
  const ticks = samples.map((sample) => numberOf(sample.get(TICK)))
  const fixes = samples.map((sample) => gpsTimeOf(sample, receivedAtMs))
  const lastIndex = samples.length - 1
  const anchorIndex = fixes.findLastIndex((time) => time !== undefined)
  const anchorMs = fixes[anchorIndex] ?? receivedAtMs
  const anchorTick = ticks[anchorIndex < 0 ? lastIndex : anchorIndex]
  return samples.map((_, i) => {
    const tick = ticks[i]
    if (fixes[i] !== undefined) return fixes[i]
    return tick === undefined || anchorTick === undefined ? undefined : anchorMs + ticksBetween(anchorTick, tick)
  })
}

/** Ticks have 32 bits and begin anew after 49.7 days: the nearer way round is meant. */
const ticksBetween = (from: number, to: number) => (to - from) | 0

/** GPS is right; our clock may be behind it. */
const AHEAD_MS = 60_000
const DAY_MS = 86_400_000

/** Time HHMMSScc and date DDMMYY are sent as numbers, without zeros in front. Without a date it is the last time that clocks showed this. */
function gpsTimeOf(sample: Sample, receivedAtMs: number): number | undefined {
  const time = /^\d{1,8}$/.exec(sample.get(TIME) ?? '')?.[0].padStart(8, '0')
  if (time === undefined) return undefined
  const [hours, minutes, seconds, hundredths] = [0, 2, 4, 6].map((at) => Number(time.slice(at, at + 2))) as [number, number, number, number]
  const sinceMidnightMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000 + hundredths * 10
  const date = /^\d{5,6}$/.exec(sample.get(DATE) ?? '')?.[0].padStart(6, '0')
  if (date !== undefined) {
    const midnight = Date.parse(`20${date.slice(4)}-${date.slice(2, 4)}-${date.slice(0, 2)}T00:00:00Z`)
    return Number.isNaN(midnight) ? undefined : midnight + sinceMidnightMs
  }
  const today = receivedAtMs - (receivedAtMs % DAY_MS) + sinceMidnightMs
  return today > receivedAtMs + AHEAD_MS ? today - DAY_MS : today
}

function toReading(sample: Sample, recordedAtMs: number | undefined): TrackerReading {
  const record = new TrackerRecord()
  if (recordedAtMs !== undefined) record.set('timestamp', timeText(recordedAtMs, recordedAtMs))
  if (sample.has(LATITUDE) || sample.has(LONGITUDE)) record.place(sample.get(LATITUDE), sample.get(LONGITUDE))
  const speed = sample.get(OBD_SPEED) ?? sample.get(GPS_SPEED)
  record.measure('speed', 'D', speed)
  readVoltage(record, sample)
  const rate = numberOf(sample.get(FUEL_RATE))
  record.set('fuel_consumption', consumptionOf(rate, numberOf(speed)))
  record.keep('fuel_rate_l_per_h', rate)
  const temperature = numberOf(sample.get(TEMPERATURE))
  if (temperature !== undefined) record.keep('device_temp_c', Number((temperature * TEMPERATURE_C).toFixed(1)))
  for (const [key, value] of sample) {
    if (readTogether.has(key)) continue
    const hex = key.toString(16).toUpperCase()
    if (measured[key] !== undefined) record.measure(measured[key], hex, value)
    else if (kept[key] !== undefined) record.keep(kept[key], numberOf(value) ?? value)
    else record.keepUnread(hex, numberOf(value) ?? value)
  }
  return record.finish()
}

/** The dongle is fed by the socket: what it measures there is the vehicle's battery, unless it is not in a vehicle. The control module knows better. */
function readVoltage(record: TrackerRecord, sample: Sample): void {
  const supply = numberOf(sample.get(SUPPLY))
  const supplyV = supply === undefined ? undefined : Number((supply * SUPPLY_V).toFixed(2))
  const moduleV = sample.get(MODULE_VOLTAGE)
  if (moduleV !== undefined) record.measure('battery_voltage', '142', moduleV)
  else if (supplyV !== undefined && supplyV >= MIN_VEHICLE_V) record.set('battery_voltage', supplyV)
  if (!record.has('battery_voltage') || moduleV !== undefined) record.keep('supply_v', supplyV)
}
