import type { IncidentStep, Incident as WireIncident } from '@roadworthy/contracts/platform-v1/incidents'
import type { AuditRow } from '../audit/audit.sql.ts'
import { type AdviceBasis, datedAdvice } from '../predictions/dated-advice.ts'
import { flappingOf, shownTitle } from './incident.ts'
import type { ShownIncident } from './incidents.read.sql.ts'

export function toPlatformIncident(
  incident: ShownIncident,
  basisOf: ((vehicleId: string) => AdviceBasis) | undefined,
  today: Date,
): WireIncident {
  const { alerts, resolution, statusNow } = incident
  const standing = alerts.filter(({ isStanding }) => isStanding)
  const flapping = flappingOf(incident)
  return {
    id: incident.incidentId,
    vehicleId: incident.vehicleId ?? null,
    deviceId: incident.deviceId ?? null,
    component: incident.component,
    severity: incident.severity,
    status: statusNow,
    title: shownTitle(incident),
    recommendation: incident.recommendation,
    advice: adviceOf(incident, basisOf, today),
    evidence: (standing.length > 0 ? standing : alerts).map(({ isStanding: _, code, ...alert }) => ({ ...alert, code: code ?? null })),
    alertIds: alerts.map(({ alertId }) => alertId),
    occurrences: incident.occurrences,
    flapping: flapping === undefined ? null : { count: flapping.count, since: flapping.since.toISOString() },
    source: incident.source,
    cause: incident.cause,
    actBy: incident.actBy?.toISOString() ?? null,
    openedAt: incident.openedAt.toISOString(),
    updatedAt: incident.updatedAt.toISOString(),
    acknowledgedAt: incident.acknowledgedAt?.toISOString() ?? null,
    acknowledgedBy: incident.acknowledgedBy ?? null,
    assignee: incident.assignee ?? null,
    snoozedUntil: statusNow === 'snoozed' ? (incident.snoozedUntil?.toISOString() ?? null) : null,
    resolvedAt: incident.resolvedAt?.toISOString() ?? null,
    resolvedBy: incident.resolvedBy ?? null,
    resolution:
      resolution === undefined
        ? null
        : { reason: resolution.reason, note: resolution.note ?? null, maintenanceId: resolution.maintenanceId ?? null },
  }
}

function adviceOf(
  { advice, vehicleId }: ShownIncident,
  basisOf: ((vehicleId: string) => AdviceBasis) | undefined,
  today: Date,
): WireIncident['advice'] {
  if (advice === undefined || vehicleId === undefined || basisOf === undefined) return null
  return datedAdvice(advice.of, basisOf(vehicleId), { judgedAt: advice.judgedAt, today }) ?? null
}

const acts = { acknowledged: true, snoozed: true, reopened: true, resolved: true, assigned: true } as const
type Act = keyof typeof acts

/** What a person did to an incident, of its row in the audit log. Who they are is an id: not everybody may see every address. */
export function toPlatformStep({ at, id, action, changes }: AuditRow): IncidentStep {
  const act = action.slice(action.indexOf('.') + 1)
  const { assignee, snoozedUntil, reason, note } = changes
  return {
    at: at.toISOString(),
    action: Object.hasOwn(acts, act) ? (act as Act) : 'changed',
    by: id,
    ...(assignee === undefined ? {} : { assignee: textOf(assignee.to), formerAssignee: textOf(assignee.from) }),
    ...(snoozedUntil === undefined ? {} : { snoozedUntil: textOf(snoozedUntil.to) }),
    ...(reason === undefined ? {} : { reason: textOf(reason.to) }),
    ...(note === undefined ? {} : { note: textOf(note.to) }),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
