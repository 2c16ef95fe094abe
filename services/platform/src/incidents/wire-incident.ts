import type { Incident as WireIncident } from '@roadworthy/contracts/platform-v1/incidents'
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
