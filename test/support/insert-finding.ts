// An alert of the engine and its incident, put in by hand: one of the engine's takes a minute of readings, and is resolved when the engine does.

import { randomUUID } from 'node:crypto'
import type { Database } from '@roadworthy/service-kit/postgres/db'

export async function insertFinding(
  { systemPool }: Pick<Database, 'systemPool'>,
  resellerId: string,
  vehicleId: string,
): Promise<{ alertId: string; incidentId: string }> {
  const unique = () => randomUUID().replaceAll('-', '').slice(0, 20)
  const [alertId, incidentId] = [`alr-${unique()}`, `inc-${unique()}`]
  await systemPool.query(
    `insert into incidents (reseller_id, incident_id, vehicle_id, source, cause, component, severity, status, title, recommendation, occurrences,
                            opened_at, updated_at, resumes_as, published_live, published_severity)
     values ($1, $2, $3, 'engine', 'cooling', 'cooling', 'critical', 'open', 'Hot', 'Stop', 1, now(), now(), 'open', true, 'critical')`,
    [resellerId, incidentId, vehicleId],
  )
  await systemPool.query(
    `insert into alerts (reseller_id, alert_id, incident_id, vehicle_id, type, component, severity, status, description, message, urgency,
                         occurrences, missed_scores, opened_at, last_seen_at, last_reading_at, updated_at)
     values ($1, $2, $3, $4, 'coolant_high', 'cooling', 'critical', 'open', 'Hot', 'Coolant is hot', 'immediate', 1, 0, now(), now(), now(), now())`,
    [resellerId, alertId, incidentId, vehicleId],
  )
  return { alertId, incidentId }
}
