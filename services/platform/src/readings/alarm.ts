// Events by which a device calls for help or reports that somebody is at it. They are noted beside the readings that carry them.

/** DECISIONS, events: the words of `event` that open an alert. */
export const alarmEvents = ['sos', 'crash', 'tamper', 'tow', 'power_cut', 'jamming'] as const
export type AlarmEvent = (typeof alarmEvents)[number]

/** What an alarm, or an alert, is about: a vehicle, or else a device that is in none. */
export type AlarmSubject = { readonly resellerId: string; readonly vehicleId: string | undefined; readonly deviceId: string | undefined }

/** What the readings of one commit report of one subject and event. */
export type Alarm = AlarmSubject & {
  readonly event: AlarmEvent
  /** Of the newest reading, as is the position. */
  readonly deviceId: string | undefined
  readonly count: number
  readonly firstRecordedAt: Date
  readonly lastRecordedAt: Date
  readonly position: { readonly latitude: number; readonly longitude: number } | undefined
  /** Of the trace that a reading of it is part of, where it is kept. */
  readonly traceparent?: string | undefined
}

export function alarmEventOf(event: string | undefined): AlarmEvent | undefined {
  if (event === undefined) return undefined
  const word = event.trim().toLowerCase()
  return alarmEvents.find((each) => each === word)
}

/** Equal for alarms about the same. Whichever device reported for a vehicle, it is the vehicle. */
export function subjectText({ resellerId, vehicleId, deviceId }: AlarmSubject): string {
  return JSON.stringify(vehicleId === undefined ? [resellerId, 'device', deviceId] : [resellerId, 'vehicle', vehicleId])
}

/** One for each subject and event, in the order in which rows are locked. */
export function foldAlarms(alarms: readonly Alarm[]): Alarm[] {
  const folded = new Map<string, Alarm>()
  for (const alarm of alarms) {
    const key = `${subjectText(alarm)} ${alarm.event}`
    const other = folded.get(key)
    folded.set(key, other === undefined ? alarm : join(other, alarm))
  }
  return [...folded].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, alarm]) => alarm)
}

function join(a: Alarm, b: Alarm): Alarm {
  const newest = b.lastRecordedAt >= a.lastRecordedAt ? b : a
  const traceparent = newest.traceparent ?? a.traceparent ?? b.traceparent
  return {
    ...newest,
    count: a.count + b.count,
    ...(traceparent === undefined ? {} : { traceparent }),
    firstRecordedAt: a.firstRecordedAt < b.firstRecordedAt ? a.firstRecordedAt : b.firstRecordedAt,
  }
}
