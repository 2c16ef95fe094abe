// Incidents as they are shown: with the alerts they stand on, what is advised about their component, and whose they are.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Severity } from '@roadworthy/signals/severity'
import { isInGroup } from '../fleet/vehicle-groups.sql.ts'
import { judgedAtOf } from '../predictions/dated-advice.ts'
import type { EngineAdvice } from '../predictions/engine/engine-answer.ts'
import { type AlarmSubject, subjectText } from '../readings/alarm.ts'
import type { Finding, Incident, IncidentStatus } from './incident.ts'
import { type IncidentRow, incidentFromRow } from './incidents.sql.ts'
import { ACT_BY, LATEST_SCORE, RANK_AT } from './urgency.sql.ts'

/** Shown of one incident: those that are not resolved first, then the newest. */
const MAX_SHOWN_ALERTS = 50

export type ShownAlert = {
  readonly alertId: string
  readonly type: string
  readonly component: string
  readonly severity: Severity
  readonly message: string
  readonly code: string | undefined
  readonly evidence: Readonly<Record<string, unknown>>
  readonly isStanding: boolean
}

export type ShownIncident = Incident & {
  /** By the database's clock. */
  readonly statusNow: IncidentStatus
  /** By when to act; undefined of one that ended. */
  readonly actBy: Date | undefined
  /** Its place in a list that is ordered by urgency; undefined in others. */
  readonly rankAt: Date | undefined
  readonly alerts: readonly ShownAlert[]
  /** Of its component, as of the reading that was judged last. */
  readonly advice: { readonly of: EngineAdvice; readonly judgedAt: Date } | undefined
}

/** What `SUBJECTS` joins. */
const OWNER = 'case when v.vehicle_id is null then d.sub_client_id else v.sub_client_id end'
const SUBJECTS = `left join vehicles v on v.reseller_id = i.reseller_id and v.vehicle_id = i.vehicle_id
       left join devices d on i.vehicle_id is null and d.reseller_id = i.reseller_id and d.device_id = i.device_id`
const STATUS_NOW = `case when i.status = 'snoozed' and i.snoozed_until <= now() then 'open' else i.status end`

const SHOWN = `i.*, ${STATUS_NOW} as status_now, latest.advice, latest.judged_at, latest.scored_at,
       case when i.status <> 'resolved' then ${ACT_BY} end as act_by,
       (select jsonb_agg(to_jsonb(e))
          from (select a.alert_id, a.type, a.component, a.severity, a.message, a.code, a.evidence, a.status <> 'resolved' as is_standing
                  from alerts a
                 where a.reseller_id = i.reseller_id and a.incident_id = i.incident_id
                 order by a.status = 'resolved', a.opened_at desc, a.alert_id desc
                 limit ${MAX_SHOWN_ALERTS}) e) as alerts`
export type IncidentFilter = {
  readonly incidentId?: string | undefined
  readonly status?: IncidentStatus | undefined
  readonly severity?: Severity | undefined
  readonly component?: string | undefined
  readonly vehicleId?: string | undefined
  readonly subClientId?: string | undefined
  /** Only of vehicles that are in it. */
  readonly groupId?: string | undefined
  /** The caller's; both must hold. */
  readonly subClientPin: string | undefined
  /** Only those that are not resolved, whatever their status. */
  readonly isLive?: boolean
}

/** What `incidents_live` holds is shown beside the status, which is computed. */
const FILTERED = `i.reseller_id = $1 and ($2::text is null or i.incident_id = $2)
        and ($3::text is null or $3 = 'resolved' or i.status <> 'resolved') and ($3::text is null or ${STATUS_NOW} = $3)
        and ($4::text is null or i.severity = $4) and ($5::text is null or i.component = $5) and ($6::text is null or i.vehicle_id = $6)
        and ($7::text is null or ${OWNER} = $7) and ($8::text is null or ${OWNER} = $8) and (not $9 or i.status <> 'resolved')
        and ${isInGroup('$10', '$8')}`

function filterValues(resellerId: string, filter: IncidentFilter): unknown[] {
  const { incidentId, status, severity, component, vehicleId, subClientId, subClientPin, groupId, isLive = false } = filter
  const texts = [incidentId, status, severity, component, vehicleId, subClientId, subClientPin].map((value) => value ?? null)
  return [resellerId, ...texts, isLive, groupId ?? null]
}

/** Newest first, as alerts. One more than asked. */
export async function selectIncidents(db: Db, resellerId: string, filter: IncidentFilter, page: PageRequest): Promise<ShownIncident[]> {
  const { rows } = await db.query<ShownRow>(
    `select ${SHOWN}, null::timestamptz as rank_at
       from (select i.* from incidents i ${SUBJECTS}
              where ${FILTERED} and (i.opened_at, i.incident_id) < ($11::timestamptz, $12)
              order by i.opened_at desc, i.incident_id desc
              limit $13) i
       ${LATEST_SCORE}
      order by i.opened_at desc, i.incident_id desc`,
    [...filterValues(resellerId, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(shownFromRow)
}

/** Those that live, the most urgent first. One more than asked. */
export async function selectIncidentsByUrgency(
  db: Db,
  resellerId: string,
  filter: IncidentFilter,
  page: PageRequest,
): Promise<ShownIncident[]> {
  const { rows } = await db.query<ShownRow>(
    `with ranked as materialized (
       select i.*, ${RANK_AT} as rank_at from incidents i ${SUBJECTS} ${LATEST_SCORE}
        where ${FILTERED}
     )
     select ${SHOWN}
       from (select * from ranked
              where (rank_at, incident_id) > ($11::timestamptz, $12)
              order by rank_at, incident_id
              limit $13) i
       ${LATEST_SCORE}
      order by i.rank_at, i.incident_id`,
    [...filterValues(resellerId, { ...filter, isLive: true }), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(shownFromRow)
}

export async function countIncidents(db: Db, resellerId: string, filter: IncidentFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from incidents i ${SUBJECTS} where ${FILTERED}`,
    filterValues(resellerId, filter),
  )
  return rows[0]?.count ?? 0
}

/** The alerts of these incidents that are not resolved, as findings. Unlocked: whoever adds one holds the incident. */
export async function selectFindingsOfIncidents(db: Db, resellerId: string, incidentIds: readonly string[]): Promise<Finding[]> {
  const { rows } = await db.query<FindingRow>(
    `select alert_id, incident_id, type, component, severity, description, urgency
       from alerts
      where reseller_id = $1 and incident_id = any ($2) and status <> 'resolved'
      order by opened_at, alert_id`,
    [resellerId, incidentIds],
  )
  return rows.map((row) => ({ ...row, alertId: row.alert_id, incidentId: row.incident_id, cause: undefined }))
}

/** Incidents that live although none of their alerts does: a process of an earlier release ended those. */
export async function selectEmptiedIncidentsAcrossResellers(db: Db, limit: number): Promise<{ resellerId: string; incidentId: string }[]> {
  const { rows } = await db.query<{ reseller_id: string; incident_id: string }>(
    `select i.reseller_id, i.incident_id
       from incidents i
      where i.status <> 'resolved'
        and not exists (select from alerts a
                         where a.reseller_id = i.reseller_id and a.incident_id = i.incident_id and a.status <> 'resolved')
      limit $1`,
    [limit],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, incidentId: row.incident_id }))
}

/**
 * Incidents that live, with the sub-client they belong to, whose assignee does not see them: removed, deactivated, or of another sub-client. Locked; those
 * that somebody is changing are left for the next time.
 */
export async function selectLostAssignmentsAcrossResellers(
  db: Db,
  limit: number,
): Promise<{ incident: Incident; subClientId: string | undefined }[]> {
  const { rows } = await db.query<IncidentRow & { owner: string | null }>(
    `select i.*, ${OWNER} as owner
       from incidents i ${SUBJECTS}
       left join users u on u.reseller_id = i.reseller_id and u.user_id = i.assignee and u.deactivated_at is null
      where i.status <> 'resolved' and i.assignee is not null
        and (u.user_id is null or (u.sub_client_id is not null and u.sub_client_id is distinct from ${OWNER}))
      order by i.reseller_id, i.incident_id
      limit $1
        for update of i skip locked`,
    [limit],
  )
  return rows.map((row) => ({ incident: incidentFromRow(row), subClientId: row.owner ?? undefined }))
}

/** Whether there is such work, done or planned, on this vehicle. */
export async function hasMaintenance(db: Db, resellerId: string, work: { vehicleId: string; maintenanceId: string }): Promise<boolean> {
  const { rows } = await db.query('select 1 from maintenance_records where reseller_id = $1 and vehicle_id = $2 and maintenance_id = $3', [
    resellerId,
    work.vehicleId,
    work.maintenanceId,
  ])
  return rows.length > 0
}

export type Assignee = {
  readonly userId: string
  readonly email: string
  readonly subClientId: string | undefined
  readonly createdAt: Date
}

/** People who can sign in or are invited to; with a pin those of that sub-client alone. */
const ASSIGNABLE = 'reseller_id = $1 and ($2::text is null or sub_client_id = $2) and deactivated_at is null'

/** Oldest first, one more than the page holds. */
export async function selectAssignees(db: Db, resellerId: string, pin: string | undefined, page: PageRequest): Promise<Assignee[]> {
  const { rows } = await db.query<{ user_id: string; email: string; sub_client_id: string | null; created_at: Date }>(
    `select user_id, email, sub_client_id, created_at
       from users
      where ${ASSIGNABLE} and (created_at, user_id) > ($3::timestamptz, $4)
      order by created_at, user_id
      limit $5`,
    [resellerId, pin ?? null, page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map((row) => ({
    ...{ userId: row.user_id, email: row.email },
    ...{ subClientId: row.sub_client_id ?? undefined, createdAt: row.created_at },
  }))
}

export async function countAssignees(db: Db, resellerId: string, pin: string | undefined): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from users where ${ASSIGNABLE}`, [
    resellerId,
    pin ?? null,
  ])
  return rows[0]?.count ?? 0
}

/** The sub-clients that own these subjects, by `subjectText`; what belongs to none is left out. */
export async function selectIncidentOwnersAcrossResellers(db: Db, subjects: readonly AlarmSubject[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string | null; device_id: string | null; owner: string }>(
    `select i.reseller_id, i.vehicle_id, i.device_id, ${OWNER} as owner
       from unnest($1::text[], $2::text[], $3::text[]) i (reseller_id, vehicle_id, device_id)
       ${SUBJECTS}
      where ${OWNER} is not null`,
    [
      subjects.map(({ resellerId }) => resellerId),
      subjects.map(({ vehicleId }) => vehicleId ?? null),
      subjects.map(({ deviceId }) => deviceId ?? null),
    ],
  )
  return new Map(
    rows.map((row) => {
      const subject = { resellerId: row.reseller_id, vehicleId: row.vehicle_id ?? undefined, deviceId: row.device_id ?? undefined }
      return [subjectText(subject), row.owner]
    }),
  )
}

type FindingRow = {
  alert_id: string
  incident_id: string
  type: string
  component: string
  severity: Severity
  description: string
  urgency: string
}

type ShownRow = IncidentRow & {
  status_now: IncidentStatus
  act_by: Date | null
  rank_at: Date | null
  alerts:
    | readonly (Omit<FindingRow, 'incident_id'> & {
        message: string
        code: string | null
        evidence: Record<string, unknown>
        is_standing: boolean
      })[]
    | null
  advice: EngineAdvice | null
  judged_at: string | null
  scored_at: Date | null
}

function shownFromRow(row: ShownRow): ShownIncident {
  const { advice, judged_at: judgedAt, scored_at: scoredAt } = row
  return {
    ...incidentFromRow(row),
    statusNow: row.status_now,
    actBy: row.act_by ?? undefined,
    rankAt: row.rank_at ?? undefined,
    alerts: (row.alerts ?? []).map((alert) => ({
      ...{ alertId: alert.alert_id, type: alert.type, component: alert.component, severity: alert.severity, message: alert.message },
      ...{ code: alert.code ?? undefined, evidence: alert.evidence, isStanding: alert.is_standing },
    })),
    advice:
      advice === null || scoredAt === null
        ? undefined
        : { of: advice, judgedAt: judgedAtOf({ timestamp: judgedAt ?? undefined }) ?? scoredAt },
  }
}
