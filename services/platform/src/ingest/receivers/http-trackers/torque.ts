// What Torque Pro uploads: a query with `k` and the PID in hexadecimal for each value. After keys that are published with servers for it
// (surfrock66/torque) and logs of uploads. Values are metric whatever the app shows; the units that the app shows come in requests of their own.

import { numberOf, type TrackerReading, TrackerRecord, timeText } from './tracker-reading.ts'
import { consumptionOf } from './units.ts'

/** SAE J1979 PIDs and those of Torque (`ff…`), by the key in which their value has our unit. */
const measured: Readonly<Record<string, string>> = {
  c: 'rpm',
  '5': 'coolant_temp',
  '2f': 'fuel_level',
  '5c': 'engineOilTemp',
  '1f': 'runTime',
  // km. `31` is the distance since fault codes were cleared, `ff1204` that of the trip.
  a6: 'odometer',
  '46': 'ambient_temp',
  f: 'intake_air_temp',
  '11': 'throttle',
  ff1010: 'altitude',
  ff123a: 'satellites',
}
/** Understood, and no signal. */
const kept: Readonly<Record<string, string>> = {
  '4': 'engineLoad',
  '31': 'distance_since_codes_cleared_km',
  ff1204: 'trip_distance_km',
  ff1239: 'accuracy',
}
const readTogether: ReadonlySet<string> = new Set(['d', 'ff1001', 'ff1005', 'ff1006', 'ff1007', 'ff123b', '42', 'ff1238', '5e', 'ff1207'])
/** Of the app and of who owns it. */
const ofTheApp: ReadonlySet<string> = new Set(['eml', 'v', 'session', 'id', 'time'])
const ANNOUNCEMENT = /^(user|default|profile)/
/** What Torque sends for a consumption that it does not know. */
const UNKNOWN_CONSUMPTION = 255

/** Apps write the PID with leading zeros or without. The key is as long as its sender likes, so it is read once, from its beginning to its end. */
function pidOf(key: string): string | undefined {
  const digits = /^k([0-9a-f]+)$/i.exec(key)?.[1]?.toLowerCase()
  return digits?.replace(/^0+(?=.)/, '')
}

/** Never throws. Undefined for a request that only announces names and units. */
export function parseTorque(parameters: URLSearchParams): TrackerReading | undefined {
  // Keys may be repeated: the last counts.
  const byPid = new Map<string, string>()
  const record = new TrackerRecord()
  for (const [key, value] of new Map(parameters)) {
    const pid = pidOf(key)
    if (pid !== undefined) byPid.set(pid, value)
    else if (!ofTheApp.has(key) && !ANNOUNCEMENT.test(key)) record.keepUnread(key, value)
  }
  if (byPid.size === 0) return undefined
  const time = numberOf(parameters.get('time'))
  if (time !== undefined) record.set('timestamp', timeText(time, time))
  readTogetherFrom(record, byPid)
  for (const [pid, value] of byPid) {
    if (readTogether.has(pid)) continue
    const key = Object.hasOwn(measured, pid) ? measured[pid] : undefined
    const keptAs = Object.hasOwn(kept, pid) ? kept[pid] : undefined
    if (key !== undefined) record.measure(key, `k${pid}`, known(value))
    else if (keptAs !== undefined) record.keep(keptAs, numberOf(value))
    else record.keepUnread(`k${pid}`, numberOf(value) ?? value)
  }
  return record.finish()
}

/** Java writes these where a sensor has nothing to say. */
const known = (value: string | undefined) => (value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? undefined : value)

function readTogetherFrom(record: TrackerRecord, byPid: ReadonlyMap<string, string>): void {
  const first = (...pids: readonly string[]) => pids.map((pid) => known(byPid.get(pid))).find((value) => numberOf(value) !== undefined)
  const [latitude, longitude] = [known(byPid.get('ff1006')), known(byPid.get('ff1005'))]
  // Without a fix the app sends 0 or leaves one of the two out.
  if (latitude !== undefined && longitude !== undefined) record.place(latitude, longitude)
  const speed = first('d', 'ff1001')
  record.measure('speed', 'kd', speed)
  record.measure('heading', 'kff1007', first('ff1007', 'ff123b'))
  // Of the control module; the adapter measures at the socket.
  record.measure('battery_voltage', 'k42', first('42', 'ff1238'))
  const shown = numberOf(first('ff1207'))
  const rate = numberOf(first('5e'))
  const consumption = shown !== undefined && shown < UNKNOWN_CONSUMPTION ? shown : consumptionOf(rate, numberOf(speed))
  record.set('fuel_consumption', consumption)
  record.keep('fuel_rate_l_per_h', rate)
}
