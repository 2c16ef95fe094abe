// The one place where alerts that open, change and end are written: with their incidents, and what of it is news.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { IncidentScope } from '../incidents/decide-incidents.ts'
import type { Description, Ending, Finding } from '../incidents/incident.ts'
import { settleIncidentsAcrossResellers } from '../incidents/settle-incidents.ts'
import { type AlarmSubject, subjectText } from '../readings/alarm.ts'
import type { Alert } from './alert.ts'
import { type AlertTransition, publishChanged, publishOpened } from './alert-events.ts'
import { insertAlertsAcrossResellers, type ResellerAlert, updateAlertsAcrossResellers } from './alerts.sql.ts'

/** What findings of one vehicle and score belong to, as the engine reports it. */
export type Causes = {
  causeOf(alert: Alert): string | undefined
  readonly descriptions: ReadonlyMap<string, Description>
}

export type AlertChanges = {
  /** Every standing alert of what is looked at: whose condition has not ended, of a vehicle, of a schedule, of an event. */
  readonly changed: readonly AlertTransition[]
  readonly opened: readonly ResellerAlert[]
  /** Of incidents that are left without an alert. */
  readonly ending?: Ending | undefined
}

/** In a bounded number of statements. `causesOf` is asked about alerts of the engine. */
export async function storeAlertsAcrossResellers(
  db: Db,
  { changed, opened, ending }: AlertChanges,
  at: Date,
  causesOf: (subject: AlarmSubject) => Causes | undefined = () => undefined,
): Promise<void> {
  const groups = [
    ...Map.groupBy([...changed, ...opened.map((after) => ({ before: undefined, after }))], ({ after }) => scopeKeyOf(after)).values(),
  ]
  const scopes = groups.map((group) => toScope(group, causesOf))
  const incidentIds = new Map<string, string>()
  for (const placed of await settleIncidentsAcrossResellers(db, scopes, { at, ending })) {
    for (const [alertId, incidentId] of placed) incidentIds.set(alertId, incidentId)
  }
  const place = (alert: ResellerAlert) => ({ ...alert, incidentId: incidentIds.get(alert.alertId) ?? alert.incidentId })
  // Ended ones first: a condition that got worse after a person closed its alert has a new row for the same key.
  if (changed.length > 0)
    await updateAlertsAcrossResellers(
      db,
      changed.map(({ after }) => place(after)),
    )
  if (opened.length > 0) await insertAlertsAcrossResellers(db, opened.map(place))
  await publishChanged(db, changed)
  await publishOpened(db, opened)
}

type Step = { readonly before: ResellerAlert | undefined; readonly after: ResellerAlert }

/** The engine's of a vehicle are looked at together; any other is an incident by itself. */
function scopeKeyOf(alert: ResellerAlert): string {
  return JSON.stringify([alert.source, subjectText(alert), alert.source === 'engine' ? null : ownCauseOf(alert)])
}

function ownCauseOf({ source, type, scheduleId }: Alert): string | undefined {
  if (source === 'engine') return undefined
  return source === 'maintenance' ? scheduleId : type
}

function toScope(group: readonly Step[], causesOf: (subject: AlarmSubject) => Causes | undefined): IncidentScope {
  const first = group[0]?.after
  if (first === undefined) throw new Error('a group of alerts is not empty')
  const { resellerId, vehicleId, deviceId, source } = first
  const causes = source === 'engine' ? causesOf(first) : undefined
  const standing = group.filter(({ after }) => after.status !== 'resolved')
  return {
    subject: { resellerId, vehicleId, deviceId: source === 'device' ? deviceId : undefined },
    source,
    cause: ownCauseOf(first),
    findings: standing.map(({ after }) => toFinding(after, ownCauseOf(after) ?? causes?.causeOf(after))),
    descriptions: causes?.descriptions ?? new Map(),
    shrunk: new Set(
      group.flatMap(({ before, after }) =>
        before !== undefined && before.status !== 'resolved' && after.status === 'resolved' ? (after.incidentId ?? []) : [],
      ),
    ),
  }
}

function toFinding({ alertId, incidentId, type, component, severity, description, urgency }: Alert, cause: string | undefined): Finding {
  return { alertId, incidentId, cause, type, component, severity, description, urgency }
}
