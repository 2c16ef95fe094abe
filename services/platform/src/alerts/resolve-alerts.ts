import type { Db } from '@roadworthy/service-kit/postgres/db'
import { resettleIncidents } from '../incidents/settle-incidents.ts'
import { publishChanged } from './alert-events.ts'
import { type ResellerAlert, updateAlertsOfComponentResolved, updateAlertsOfIncidentResolved } from './alerts.sql.ts'

/**
 * Work on a component was done: the engine's alerts about it that were opened before are resolved, and with the last of them their incidents.
 */
export async function resolveAlertsOfComponent(
  db: Db,
  resellerId: string,
  work: { vehicleId: string; component: string; openedUntil: Date; at: Date; maintenanceId: string },
): Promise<void> {
  const resolved = await updateAlertsOfComponentResolved(db, resellerId, work)
  await publishResolved(db, resolved)
  const incidentIds = [...new Set(resolved.flatMap(({ incidentId }) => incidentId ?? []))]
  const resolution = { reason: 'work_done', maintenanceId: work.maintenanceId } as const
  await resettleIncidents(db, resellerId, incidentIds, { at: work.at, ending: { resolvedBy: 'maintenance', resolution } })
}

/** A person resolves an incident: its alerts are, by the rules of each. The incident is the caller's to end. */
export async function resolveAlertsOfIncident(
  db: Db,
  resellerId: string,
  of: { incidentId: string; by: 'user' | 'maintenance'; at: Date },
): Promise<void> {
  await publishResolved(db, await updateAlertsOfIncidentResolved(db, resellerId, of))
}

async function publishResolved(db: Db, resolved: readonly ResellerAlert[]): Promise<void> {
  await publishChanged(
    db,
    resolved.map((after) => ({ before: { ...after, status: 'open' }, after })),
  )
}
