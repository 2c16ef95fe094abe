// What trackers call the things that our `event` has words for (`readings/alarm.ts`, Spec gap §2.4).

import { alarmEventOf, alarmEvents } from '../../../readings/alarm.ts'
import type { TrackerRecord } from './tracker-reading.ts'

const MAX_EVENT_CHARACTERS = 64

/** Alarms of Traccar (`Position.ALARM_*`), which Traccar Client sends too. */
const traccarAlarms: Readonly<Record<string, string>> = {
  sos: 'sos',
  overspeed: 'overspeed',
  tampering: 'tamper',
  removing: 'tamper',
  geofenceEnter: 'geofence_enter',
  geofenceExit: 'geofence_exit',
  hardAcceleration: 'harsh_acceleration',
  hardBraking: 'harsh_braking',
  hardCornering: 'harsh_cornering',
  powerCut: 'power_cut',
  lowBattery: 'low_battery',
  tow: 'tow',
  accident: 'crash',
  jamming: 'jamming',
}

/**
 * Traccar sends several alarms of one position as a list with commas, in no order of weight, and a reading has one event. It is the gravest that opens an
 * alert, so that a call for help does not go under behind a low battery; else the first that we have a word for. The list is kept.
 */
export function setAlarm(record: TrackerRecord, alarm: unknown): void {
  if (typeof alarm !== 'string' || alarm === '') return
  const names = alarm.split(',').map((name) => name.trim())
  const known = names.flatMap((name) => (Object.hasOwn(traccarAlarms, name) ? (traccarAlarms[name] as string) : (alarmEventOf(name) ?? [])))
  const event = alarmEvents.find((each) => known.includes(each)) ?? known[0] ?? (names[0] as string).slice(0, MAX_EVENT_CHARACTERS)
  if (event !== '') record.set('event', event)
  if (names.length > 1) record.keep('alarm', alarm)
}
