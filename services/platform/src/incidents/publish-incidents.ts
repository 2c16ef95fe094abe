import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { NewEvent } from '../events/event.ts'
import { writeEvents } from '../events/outbox.ts'
import { subjectText } from '../readings/alarm.ts'
import type { IncidentEventType, PublishedTransition } from './decide-publication.ts'
import { flappingOf, type Incident, shownTitle, statusAt } from './incident.ts'
import { selectIncidentOwnersAcrossResellers } from './incidents.read.sql.ts'

const MAX_TOLD_ALERTS = 50

/** Spec gap §6.1: `incident.opened`, `incident.updated`, `incident.resolved`, in the transaction of the change. */
export async function publishIncidents(db: Db, transitions: readonly PublishedTransition[], at: Date): Promise<void> {
  const published = transitions.flatMap((each) => (each.event === undefined ? [] : { ...each, event: each.event }))
  if (published.length === 0) return
  const owners = await selectIncidentOwnersAcrossResellers(
    db,
    published.map(({ after }) => after),
  )
  await writeEvents(
    db,
    published.map(({ after, before, event, alertIds }) => {
      const about = { resellerId: after.resellerId, subClientId: owners.get(subjectText(after)), occurredAt: at }
      return { ...about, type: event, data: dataOf(event, after, before, alertIds, at) } as NewEvent
    }),
  )
}

function dataOf(event: IncidentEventType, incident: Incident, before: Incident | undefined, alertIds: readonly string[], at: Date) {
  const flapping = flappingOf(incident)
  const described = {
    id: incident.incidentId,
    vehicleId: incident.vehicleId ?? null,
    deviceId: incident.deviceId ?? null,
    component: incident.component,
    severity: incident.severity,
    status: statusAt(incident, at),
    title: shownTitle(incident),
    recommendation: incident.recommendation,
    alertIds: alertIds.slice(0, MAX_TOLD_ALERTS),
    occurrences: incident.occurrences,
    flapping: flapping === undefined ? null : { count: flapping.count, since: flapping.since.toISOString() },
    assignee: incident.assignee ?? null,
    openedAt: incident.openedAt.toISOString(),
  }
  if (event === 'incident.opened' || before === undefined) return described
  if (event === 'incident.updated')
    return { ...described, previousSeverity: before.published.severity, previousStatus: statusAt(before, at) }
  const { resolution, resolvedAt = at, resolvedBy = 'engine' } = incident
  const { reason = 'other', note, maintenanceId } = resolution ?? {}
  return {
    ...described,
    resolvedAt: resolvedAt.toISOString(),
    resolvedBy,
    resolution: { reason, note: note ?? null, maintenanceId: maintenanceId ?? null },
  }
}
