// What Traccar Client sends from version 9 on: JSON of one location. After `locationTemplate` of the client's preferences.dart and Traccar's
// OsmAndProtocolDecoder, whose tests have more fields than the template: those of flutter_background_geolocation.

import { isoTime, readSensor } from './osmand.ts'
import { setAlarm } from './tracker-alarms.ts'
import { booleanOf, numberOf, objectOf, type TrackerReading, TrackerRecord } from './tracker-reading.ts'
import { KMH_PER_MPS, PERCENT_PER_ONE } from './units.ts'

/** Understood, and no signal of a vehicle. */
const keptOfLocation: Readonly<Record<string, string>> = {
  is_moving: 'moving',
  // Metres since the app was installed, by the phone: no odometer of a vehicle.
  odometer: 'phone_odometer_m',
  event: 'phone_event',
  mock: 'mock',
  age: 'phone_age_ms',
  uuid: 'phone_uuid',
}
const keptOfCoords: ReadonlySet<string> = new Set([
  ...['accuracy', 'speed_accuracy', 'heading_accuracy', 'altitude_accuracy', 'ellipsoidal_altitude', 'floor'],
])
/** Read as groups below. `_` repeats the position for servers that look for it in a log, with the identifier of the device: its token. */
const readElsewhere: ReadonlySet<string> = new Set(['timestamp', 'coords', 'battery', 'activity', 'alarm', 'extras', '_'])

/** Never throws. `location` may lack `coords`: then there is no position. */
export function parseTraccarClient(body: unknown): TrackerReading {
  const record = new TrackerRecord()
  const { location: sent, device_id: _token, ...others } = objectOf(body)
  const location = objectOf(sent)
  // Refused by its name: a list of locations, which other settings of the app's library send, would be a reading without any.
  if (sent !== location) record.set('location', sent)
  const { timestamp } = location
  if (timestamp !== undefined && timestamp !== null) record.set('timestamp', typeof timestamp === 'string' ? isoTime(timestamp) : timestamp)
  readCoords(record, objectOf(location['coords']))
  readBattery(record, objectOf(location['battery']))
  readActivity(record, objectOf(location['activity']))
  // The app has its call for help in `extras`; where they are merged into the location, at its top.
  const { alarm: alarmOfExtras, ...extras } = objectOf(location['extras'])
  const isAlarmInExtras = location['alarm'] === undefined && typeof alarmOfExtras === 'string'
  setAlarm(record, isAlarmInExtras ? alarmOfExtras : location['alarm'])
  for (const [key, value] of Object.entries(location)) {
    if (readElsewhere.has(key)) continue
    if (Object.hasOwn(keptOfLocation, key)) record.keep(keptOfLocation[key] as string, value)
    else record.keepUnread(key, value)
  }
  for (const [key, value] of Object.entries(extras)) if (!readSensor(record, key, value)) record.keepUnread(key, value)
  if (!isAlarmInExtras) record.keepUnread('alarm', alarmOfExtras)
  for (const [key, value] of Object.entries(others)) record.keepUnread(key, value)
  return record.finish()
}

/** -1 stands for a speed or a heading that the phone does not know. */
const known = (value: unknown) => ((numberOf(value) ?? 0) < 0 ? undefined : value)

function readCoords(record: TrackerRecord, coords: Readonly<Record<string, unknown>>): void {
  const { latitude, longitude, speed, heading, altitude, ...others } = coords
  record.place(latitude, longitude)
  record.measure('speed', 'speed', known(speed), KMH_PER_MPS)
  record.measure('heading', 'heading', known(heading))
  record.measure('altitude', 'altitude', altitude)
  for (const [key, value] of Object.entries(others)) {
    if (!keptOfCoords.has(key)) record.keepUnread(`coords.${key}`, value)
    else if ((numberOf(value) ?? 0) >= 0) record.keep(key, value)
  }
}

function readBattery(record: TrackerRecord, battery: Readonly<Record<string, unknown>>): void {
  const { level, is_charging: isCharging, ...others } = battery
  record.measure('device_battery', 'battery.level', known(level), PERCENT_PER_ONE)
  record.keep('charging', booleanOf(isCharging))
  for (const [key, value] of Object.entries(others)) record.keepUnread(`battery.${key}`, value)
}

function readActivity(record: TrackerRecord, activity: Readonly<Record<string, unknown>>): void {
  const { type, confidence, ...others } = activity
  record.keep('activity', type)
  record.keep('activity_confidence', confidence)
  for (const [key, value] of Object.entries(others)) record.keepUnread(`activity.${key}`, value)
}
