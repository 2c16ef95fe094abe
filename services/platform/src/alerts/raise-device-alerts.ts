// What devices raise by the `event` of a reading becomes an alert: one open per vehicle and event, or per device where it is in no vehicle that is
// known. Ingest has noted it in the commit of the reading, so it waits for nothing of scoring, and nothing of it is lost while this task, or its process, is away.

import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import type { TraceSpan } from '@roadworthy/service-kit/telemetry/tracer'
import { endAfter, resumeSpan, withinSpans } from '@roadworthy/service-kit/telemetry/tracing'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { Severity } from '@roadworthy/signals/severity'
import { type Alarm, type AlarmEvent, type AlarmSubject, subjectText } from '../readings/alarm.ts'
import { isAnyAlarmAcrossResellers, takeAlarmsAcrossResellers } from '../readings/alarms.sql.ts'
import type { ReportedAlert } from './alert.ts'
import type { AlertTransition } from './alert-events.ts'
import { type ResellerAlert, selectStandingDeviceAlertsAcrossResellers, selectSubjectsThereAcrossResellers } from './alerts.sql.ts'
import { openAlert } from './decide-alerts.ts'
import { storeAlertsAcrossResellers } from './store-alerts.ts'

type Meaning = Pick<ReportedAlert, 'component' | 'description' | 'message' | 'urgency'> & { readonly severity: Severity }

/** Assumption: a person in danger is critical, somebody at the vehicle or its tracker high, and a cut supply, which a workshop does too, medium. */
const meanings: Readonly<Record<AlarmEvent, Meaning>> = {
  sos: alarm('critical', 'immediate', 'vehicle', 'SOS', 'The device reports that somebody called for help.'),
  crash: alarm('critical', 'immediate', 'vehicle', 'Crash', 'The device reports a crash.'),
  tow: alarm('high', 'urgent', 'vehicle', 'Towing', 'The device reports that the vehicle is being moved without its engine.'),
  tamper: alarm('high', 'urgent', 'device', 'Tampering', 'The device reports that somebody opens or moves it.'),
  jamming: alarm('high', 'urgent', 'device', 'Jamming', 'The device reports that its radio or its position is being jammed.'),
  power_cut: alarm('medium', 'soon', 'device', 'Power cut', 'The device reports that it is cut off from the supply of the vehicle.'),
}

const BATCH_SIZE = 500
/** About the delay from a reading to its alert. */
const IDLE_MS = 500
const RETRY_MS = 2_000

type RaiseDeps = { readonly database: Database; readonly now: () => Date }

/** One round; answers how many alarms were taken. */
export async function raiseDeviceAlerts({ database, now }: RaiseDeps): Promise<number> {
  if (!(await isAnyAlarmAcrossResellers(database.systemPool))) return 0
  return await database.system(async (db) => {
    const taken = await takeAlarmsAcrossResellers(db, BATCH_SIZE)
    if (taken.length === 0) return 0
    const at = now()
    const alarms = await ofWhatIsThere(db, taken)
    const standing = new Map(
      (await selectStandingDeviceAlertsAcrossResellers(db, alarms)).map((alert) => [keyOf(alert, alert.type), alert]),
    )
    const opened: ResellerAlert[] = []
    const changed: AlertTransition[] = []
    for (const each of alarms) {
      const alert = standing.get(keyOf(each, each.event))
      if (alert !== undefined && alert.status !== 'resolved') changed.push({ before: alert, after: repeated(alert, each, at) })
      else {
        // A process of an earlier version lets the condition of what a person resolved go on.
        if (alert !== undefined) changed.push({ before: alert, after: { ...alert, conditionEndedAt: at, updatedAt: at } })
        opened.push(toAlert(each, at))
      }
    }
    const spans = startSpans(alarms)
    await endAfter([...spans.values()], () => withinSpans(spans, () => storeAlertsAcrossResellers(db, { changed, opened }, at)))
    return taken.length
  })
}

/** One for each vehicle, or device in none, whose alarm is part of a trace. */
function startSpans(alarms: readonly Alarm[]): Map<string, TraceSpan> {
  const spans = new Map<string, TraceSpan>()
  for (const { resellerId, vehicleId, deviceId, event, traceparent } of alarms) {
    const key = `${resellerId}/${vehicleId ?? deviceId}`
    if (spans.has(key)) continue
    const attributes = { 'fleet.reseller.id': resellerId, 'fleet.alarm.event': event }
    const span = resumeSpan({ name: 'raise device alert', kind: 'consumer', attributes }, traceparent)
    if (span !== undefined) spans.set(key, span)
  }
  return spans
}

/** Without those whose subject is not there, and without devices that are not. */
async function ofWhatIsThere(db: Db, alarms: readonly Alarm[]): Promise<Alarm[]> {
  const found = await selectSubjectsThereAcrossResellers(db, alarms)
  return alarms.flatMap((alarm, nth) => {
    const { hasVehicle = false, hasDevice = false } = found[nth] ?? {}
    if (alarm.vehicleId === undefined ? !hasDevice : !hasVehicle) return []
    return [hasDevice ? alarm : { ...alarm, deviceId: undefined }]
  })
}

export function startDeviceAlerts(deps: RaiseDeps & { readonly onError: (error: unknown) => void }): Rounds {
  return startRounds(async () => ((await raiseDeviceAlerts(deps)) >= BATCH_SIZE ? 0 : IDLE_MS), RETRY_MS, deps.onError)
}

function toAlert(raised: Alarm, at: Date): ResellerAlert {
  const { resellerId, vehicleId, deviceId, event, count, lastRecordedAt } = raised
  const report = { type: event, ...meanings[event], code: undefined, evidence: evidenceOf(raised) }
  const opened = openAlert(
    report,
    { alertId: newId('alr'), vehicleId, deviceId, source: 'device' },
    { scoredAt: at, readingAt: lastRecordedAt },
  )
  return { ...opened, occurrences: count, resellerId }
}

function repeated(alert: ResellerAlert, raised: Alarm, at: Date): ResellerAlert {
  const isNewer = raised.lastRecordedAt > alert.lastReadingAt
  return {
    ...alert,
    occurrences: alert.occurrences + raised.count,
    lastSeenAt: at,
    ...(isNewer ? { lastReadingAt: raised.lastRecordedAt, evidence: evidenceOf(raised) } : {}),
  }
}

function evidenceOf({ event, deviceId, lastRecordedAt, position }: Alarm): Record<string, unknown> {
  return { event, recordedAt: lastRecordedAt.toISOString(), ...(deviceId === undefined ? {} : { deviceId }), ...position }
}

function keyOf(about: AlarmSubject, type: string): string {
  return `${subjectText(about)} ${type}`
}

function alarm(severity: Severity, urgency: string, component: string, description: string, message: string): Meaning {
  return { severity, urgency, component, description, message }
}
