import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Severity } from '@roadworthy/signals/severity'
import type { AlarmSubject } from '../readings/alarm.ts'
import { type IncidentScope, RETURNS_WITHIN_MS } from './decide-incidents.ts'
import type { Incident, IncidentStatus, ResolutionReason, StandingStatus } from './incident.ts'

/**
 * The incidents that these scopes are held against: those that live, and those that ended by themselves so lately that they may come back. Whoever
 * locks alerts and incidents locks the alerts first.
 */
export async function selectKnownIncidentsAcrossResellers(
  db: Db,
  scopes: readonly Pick<IncidentScope, 'subject' | 'source' | 'cause'>[],
  at: Date,
  lock: 'locked' | 'unlocked',
): Promise<Incident[]> {
  const { rows } = await db.query<IncidentRow>(
    `with wanted as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) w (reseller_id, vehicle_id, device_id, source, cause)
     ), known as (
       select i.reseller_id, i.incident_id
         from wanted w
         join incidents i on i.reseller_id = w.reseller_id and i.vehicle_id = w.vehicle_id
                         and coalesce(i.resolved_at, 'infinity') > $6::timestamptz
        where i.source = w.source and (w.cause is null or i.cause = w.cause) and (i.resolved_at is null or i.resolved_by = 'engine')
        union
       select i.reseller_id, i.incident_id
         from wanted w
         join incidents i on i.reseller_id = w.reseller_id and i.device_id = w.device_id
                         and coalesce(i.resolved_at, 'infinity') > $6::timestamptz
        where w.vehicle_id is null and i.vehicle_id is null and i.source = w.source and (w.cause is null or i.cause = w.cause)
          and (i.resolved_at is null or i.resolved_by = 'engine')
     )
     select i.*
       from incidents i
      where (i.reseller_id, i.incident_id) in (select reseller_id, incident_id from known)
      order by i.reseller_id, i.incident_id
        ${lock === 'locked' ? 'for update of i' : ''}`,
    [
      scopes.map(({ subject }) => subject.resellerId),
      scopes.map(({ subject }) => subject.vehicleId ?? null),
      scopes.map(({ subject }) => subject.deviceId ?? null),
      scopes.map(({ source }) => source),
      scopes.map(({ cause }) => cause ?? null),
      new Date(at.getTime() - RETURNS_WITHIN_MS),
    ],
  )
  return rows.map(incidentFromRow)
}

export async function selectIncidentsForUpdate(db: Db, resellerId: string, incidentIds: readonly string[]): Promise<Incident[]> {
  const { rows } = await db.query<IncidentRow>(
    'select * from incidents where reseller_id = $1 and incident_id = any ($2) order by incident_id for update',
    [resellerId, incidentIds],
  )
  return rows.map(incidentFromRow)
}

/** What it is about. A statement of its own, so that nothing is locked for who may not see it. */
export async function selectIncidentSubject(db: Db, resellerId: string, incidentId: string): Promise<AlarmSubject | undefined> {
  const { rows } = await db.query<{ vehicle_id: string | null; device_id: string | null }>(
    'select vehicle_id, device_id from incidents where reseller_id = $1 and incident_id = $2',
    [resellerId, incidentId],
  )
  const [row] = rows
  return row && { resellerId, vehicleId: row.vehicle_id ?? undefined, deviceId: row.device_id ?? undefined }
}

export async function insertIncidentsAcrossResellers(db: Db, incidents: readonly Incident[]): Promise<void> {
  await db.query('insert into incidents select i.* from jsonb_populate_recordset(null::incidents, $1::jsonb) i', [toJsonRows(incidents)])
}

/** Writes everything about these incidents that can change. */
export async function updateIncidentsAcrossResellers(db: Db, incidents: readonly Incident[]): Promise<void> {
  await db.query(
    `update incidents i
        set component = u.component, severity = u.severity, status = u.status, title = u.title, recommendation = u.recommendation,
            occurrences = u.occurrences, returned_at = u.returned_at, updated_at = u.updated_at, acknowledged_at = u.acknowledged_at,
            acknowledged_by = u.acknowledged_by, assignee = u.assignee, snoozed_until = u.snoozed_until, resolved_at = u.resolved_at,
            resolved_by = u.resolved_by, resolution_reason = u.resolution_reason, resolution_note = u.resolution_note,
            maintenance_id = u.maintenance_id, resumes_as = u.resumes_as, published_live = u.published_live,
            published_severity = u.published_severity, change_published_at = u.change_published_at
       from jsonb_populate_recordset(null::incidents, $1::jsonb) u
      where i.reseller_id = u.reseller_id and i.incident_id = u.incident_id`,
    [toJsonRows(incidents)],
  )
}

export type IncidentRow = {
  reseller_id: string
  incident_id: string
  vehicle_id: string | null
  device_id: string | null
  source: Incident['source']
  cause: string
  component: string
  severity: Severity
  status: IncidentStatus
  title: string
  recommendation: string
  occurrences: number
  returned_at: Date | null
  opened_at: Date
  updated_at: Date
  acknowledged_at: Date | null
  acknowledged_by: string | null
  assignee: string | null
  snoozed_until: Date | null
  resolved_at: Date | null
  resolved_by: Incident['resolvedBy'] | null
  resolution_reason: ResolutionReason | null
  resolution_note: string | null
  maintenance_id: string | null
  resumes_as: StandingStatus
  published_live: boolean
  published_severity: Severity
  change_published_at: Date | null
}

function toJsonRows(incidents: readonly Incident[]): string {
  return JSON.stringify(incidents.map(rowFromIncident))
}

function rowFromIncident(incident: Incident): IncidentRow {
  return {
    reseller_id: incident.resellerId,
    incident_id: incident.incidentId,
    vehicle_id: incident.vehicleId ?? null,
    device_id: incident.deviceId ?? null,
    source: incident.source,
    cause: incident.cause,
    component: incident.component,
    severity: incident.severity,
    status: incident.status,
    title: incident.title,
    recommendation: incident.recommendation,
    occurrences: incident.occurrences,
    returned_at: incident.returnedAt ?? null,
    opened_at: incident.openedAt,
    updated_at: incident.updatedAt,
    acknowledged_at: incident.acknowledgedAt ?? null,
    acknowledged_by: incident.acknowledgedBy ?? null,
    assignee: incident.assignee ?? null,
    snoozed_until: incident.snoozedUntil ?? null,
    resolved_at: incident.resolvedAt ?? null,
    resolved_by: incident.resolvedBy ?? null,
    resolution_reason: incident.resolution?.reason ?? null,
    resolution_note: incident.resolution?.note ?? null,
    maintenance_id: incident.resolution?.maintenanceId ?? null,
    resumes_as: incident.resumesAs,
    published_live: incident.published.isLive,
    published_severity: incident.published.severity,
    change_published_at: incident.published.changedAt ?? null,
  }
}

export function incidentFromRow(row: IncidentRow): Incident {
  const { resolution_reason: reason, resolution_note: note, maintenance_id: maintenanceId } = row
  return {
    resellerId: row.reseller_id,
    incidentId: row.incident_id,
    vehicleId: row.vehicle_id ?? undefined,
    deviceId: row.device_id ?? undefined,
    source: row.source,
    cause: row.cause,
    component: row.component,
    severity: row.severity,
    status: row.status,
    title: row.title,
    recommendation: row.recommendation,
    occurrences: row.occurrences,
    returnedAt: row.returned_at ?? undefined,
    openedAt: row.opened_at,
    updatedAt: row.updated_at,
    acknowledgedAt: row.acknowledged_at ?? undefined,
    acknowledgedBy: row.acknowledged_by ?? undefined,
    assignee: row.assignee ?? undefined,
    snoozedUntil: row.snoozed_until ?? undefined,
    resolvedAt: row.resolved_at ?? undefined,
    resolvedBy: row.resolved_by ?? undefined,
    resolution: reason === null ? undefined : { reason, note: note ?? undefined, maintenanceId: maintenanceId ?? undefined },
    resumesAs: row.resumes_as,
    published: { isLive: row.published_live, severity: row.published_severity, changedAt: row.change_published_at ?? undefined },
  }
}
