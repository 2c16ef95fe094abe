import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Severity } from '@roadworthy/signals/severity'
import { isInGroup } from '../fleet/vehicle-groups.sql.ts'
import { keyColumns, type VehicleKey, vehicleKeyText } from '../predictions/vehicle-key.ts'
import { type AlarmSubject, subjectText } from '../readings/alarm.ts'
import type { Alert, AlertSource, AlertStatus } from './alert.ts'

export type ResellerAlert = Alert & { readonly resellerId: string }

/** The vehicle that an alert is about, or the device where it is about no vehicle. */
function subjectsOf(alias: 'a' | 'w'): string {
  return `left join vehicles v on v.reseller_id = ${alias}.reseller_id and v.vehicle_id = ${alias}.vehicle_id
       left join devices d on ${alias}.vehicle_id is null and d.reseller_id = ${alias}.reseller_id and d.device_id = ${alias}.device_id`
}

/** Of what `subjectsOf` joins. */
const OWNER = 'case when v.vehicle_id is null then d.sub_client_id else v.sub_client_id end'

function subjectColumns(subjects: readonly AlarmSubject[]): (string | null)[][] {
  return [
    subjects.map(({ resellerId }) => resellerId),
    subjects.map(({ vehicleId }) => vehicleId ?? null),
    subjects.map(({ deviceId }) => deviceId ?? null),
  ]
}

/** Which of these vehicles are, by `vehicleKeyText`. */
export async function selectRetiredAcrossResellers(db: Db, vehicles: readonly VehicleKey[]): Promise<Set<string>> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string }>(
    `select v.reseller_id, v.vehicle_id
       from (select distinct * from unnest($1::text[], $2::text[])) w (reseller_id, vehicle_id)
       join vehicles v on v.reseller_id = w.reseller_id and v.vehicle_id = w.vehicle_id
      where v.status = 'retired'`,
    keyColumns(vehicles),
  )
  return new Set(rows.map((row) => vehicleKeyText({ resellerId: row.reseller_id, vehicleId: row.vehicle_id })))
}

/** The engine's alerts of these vehicles whose condition has not ended, locked: a person may be closing one at this moment. */
export async function selectStandingAlertsAcrossResellers(
  db: Db,
  vehicles: readonly { resellerId: string; vehicleId: string }[],
): Promise<ResellerAlert[]> {
  const { rows } = await db.query<AlertRow>(
    `select a.*
       from unnest($1::text[], $2::text[]) w (reseller_id, vehicle_id)
       join alerts a on a.reseller_id = w.reseller_id and a.vehicle_id = w.vehicle_id
      where a.condition_ended_at is null and a.source = 'engine'
      order by a.reseller_id, a.alert_id
        for update of a`,
    [vehicles.map(({ resellerId }) => resellerId), vehicles.map(({ vehicleId }) => vehicleId)],
  )
  return rows.map(alertFromRow)
}

/** What devices raised of these subjects and events, and nobody has ended, locked. */
export async function selectStandingDeviceAlertsAcrossResellers(
  db: Db,
  raised: readonly (AlarmSubject & { readonly event: string })[],
): Promise<ResellerAlert[]> {
  const { rows } = await db.query<AlertRow>(
    `with wanted as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) w (reseller_id, vehicle_id, device_id, event)
     ), standing as (
       select s.reseller_id, s.alert_id
         from wanted w
         join alerts s on s.reseller_id = w.reseller_id and s.vehicle_id = w.vehicle_id and s.type = w.event
        where s.condition_ended_at is null and s.source = 'device'
        union all
       select s.reseller_id, s.alert_id
         from wanted w
         join alerts s on s.reseller_id = w.reseller_id and s.device_id = w.device_id and s.type = w.event
        where w.vehicle_id is null and s.vehicle_id is null and s.condition_ended_at is null
     )
     select a.*
       from alerts a
      where (a.reseller_id, a.alert_id) in (select reseller_id, alert_id from standing) and a.condition_ended_at is null
      order by a.reseller_id, a.alert_id
        for update of a`,
    [...subjectColumns(raised), raised.map(({ event }) => event)],
  )
  return rows.map(alertFromRow)
}

/** In the order asked: which of what they name there is. */
export async function selectSubjectsThereAcrossResellers(
  db: Db,
  subjects: readonly AlarmSubject[],
): Promise<{ hasVehicle: boolean; hasDevice: boolean }[]> {
  const { rows } = await db.query<{ has_vehicle: boolean; has_device: boolean }>(
    `select v.vehicle_id is not null as has_vehicle, d.device_id is not null as has_device
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality w (reseller_id, vehicle_id, device_id, nth)
       left join vehicles v on v.reseller_id = w.reseller_id and v.vehicle_id = w.vehicle_id
       left join devices d on d.reseller_id = w.reseller_id and d.device_id = w.device_id
      order by w.nth`,
    subjectColumns(subjects),
  )
  return rows.map((row) => ({ hasVehicle: row.has_vehicle, hasDevice: row.has_device }))
}

/** The alerts of these schedules whose condition has not ended, locked. */
export async function selectStandingAlertsOfSchedulesAcrossResellers(
  db: Db,
  schedules: readonly { resellerId: string; scheduleId: string }[],
): Promise<ResellerAlert[]> {
  const { rows } = await db.query<AlertRow>(
    `select a.*
       from unnest($1::text[], $2::text[]) s (reseller_id, schedule_id)
       join alerts a on a.reseller_id = s.reseller_id and a.schedule_id = s.schedule_id
      where a.condition_ended_at is null
      order by a.reseller_id, a.alert_id
        for update of a`,
    [schedules.map(({ resellerId }) => resellerId), schedules.map(({ scheduleId }) => scheduleId)],
  )
  return rows.map(alertFromRow)
}

/**
 * Work on a component was done: the engine's alerts about it that were opened before are resolved. Their conditions stand until the engine
 * leaves them out, because the vehicle may go on reporting for a while what was before. Answers those that were resolved.
 */
export async function updateAlertsOfComponentResolved(
  db: Db,
  resellerId: string,
  work: { vehicleId: string; component: string; openedUntil: Date; at: Date },
): Promise<ResellerAlert[]> {
  const { rows } = await db.query<AlertRow>(
    `with standing as (
       select alert_id
         from alerts
        where reseller_id = $1 and vehicle_id = $2 and component = $3 and source = 'engine' and status <> 'resolved' and opened_at <= $4
        order by alert_id
          for update
     )
     update alerts a
        set status = 'resolved', resolved_at = $5, resolved_by = 'maintenance', updated_at = $5
       from standing s
      where a.reseller_id = $1 and a.alert_id = s.alert_id
  returning a.*`,
    [resellerId, work.vehicleId, work.component, work.openedUntil, work.at],
  )
  return rows.map(alertFromRow)
}

/**
 * The alerts of an incident that are not resolved are resolved by a person, or by work that a person reports as done. Taken in the order of a
 * score. Answers those that were resolved.
 */
export async function updateAlertsOfIncidentResolved(
  db: Db,
  resellerId: string,
  { incidentId, by, at }: { incidentId: string; by: 'user' | 'maintenance'; at: Date },
): Promise<ResellerAlert[]> {
  const { rows } = await db.query<AlertRow>(
    `with standing as (
       select alert_id from alerts where reseller_id = $1 and incident_id = $2 and status <> 'resolved' order by alert_id for update
     )
     update alerts a
        set status = 'resolved', resolved_at = $4, resolved_by = $3, updated_at = $4,
            condition_ended_at = case when a.source = 'device' then $4 else a.condition_ended_at end
       from standing s
      where a.reseller_id = $1 and a.alert_id = s.alert_id
  returning a.*`,
    [resellerId, incidentId, by, at],
  )
  return rows.map(alertFromRow)
}

/** Some alerts that are not resolved and belong to no incident: from before there were any, or opened by a process of an earlier release. */
export async function selectUnplacedAlertsAcrossResellers(db: Db, limit: number): Promise<ResellerAlert[]> {
  const { rows } = await db.query<AlertRow>(
    `select * from alerts where incident_id is null and status <> 'resolved' order by opened_at limit $1`,
    [limit],
  )
  return rows.map(alertFromRow)
}

/** The sub-clients that own these subjects, by `subjectText`; what belongs to none is left out. */
export async function selectOwnersAcrossResellers(db: Db, subjects: readonly AlarmSubject[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string | null; device_id: string | null; owner: string }>(
    `select w.reseller_id, w.vehicle_id, w.device_id, ${OWNER} as owner
       from unnest($1::text[], $2::text[], $3::text[]) w (reseller_id, vehicle_id, device_id)
       ${subjectsOf('w')}
      where ${OWNER} is not null`,
    subjectColumns(subjects),
  )
  return new Map(
    rows.map((row) => {
      const subject = { resellerId: row.reseller_id, vehicleId: row.vehicle_id ?? undefined, deviceId: row.device_id ?? undefined }
      return [subjectText(subject), row.owner]
    }),
  )
}

export async function insertAlertsAcrossResellers(db: Db, alerts: readonly ResellerAlert[]): Promise<void> {
  await db.query('insert into alerts select a.* from jsonb_populate_recordset(null::alerts, $1::jsonb) a', [toJsonRows(alerts)])
}

/** Writes everything about these alerts that a score or a review can change. */
export async function updateAlertsAcrossResellers(db: Db, alerts: readonly ResellerAlert[]): Promise<void> {
  await db.query(
    `update alerts a
        set severity = u.severity, status = u.status, description = u.description, message = u.message, urgency = u.urgency,
            evidence = u.evidence, occurrences = u.occurrences, missed_scores = u.missed_scores, last_seen_at = u.last_seen_at,
            last_reading_at = u.last_reading_at, resolved_at = u.resolved_at, resolved_by = u.resolved_by,
            condition_ended_at = u.condition_ended_at, updated_at = u.updated_at, incident_id = u.incident_id
       from jsonb_populate_recordset(null::alerts, $1::jsonb) u
      where a.reseller_id = u.reseller_id and a.alert_id = u.alert_id`,
    [toJsonRows(alerts)],
  )
}

/**
 * A person's move. Answers the alert as it is now, or `undefined` when it is not in a state the move starts from, is another
 * sub-client's, or does not exist.
 */
export async function updateAlertStatus(
  db: Db,
  resellerId: string,
  move: { alertId: string; from: readonly AlertStatus[]; to: 'acknowledged' | 'resolved'; at: Date; subClientPin: string | undefined },
): Promise<ResellerAlert | undefined> {
  const { rows } = await db.query<AlertRow>(
    `update alerts a
        set status = $4, updated_at = $5,
            acknowledged_at = case when $4 = 'acknowledged' then $5 else a.acknowledged_at end,
            resolved_at = case when $4 = 'resolved' then $5 end, resolved_by = case when $4 = 'resolved' then 'user' end,
            condition_ended_at = case when $4 = 'resolved' and a.source = 'device' then $5 else a.condition_ended_at end
      where a.reseller_id = $1 and a.alert_id = $2 and a.status = any ($3)
        and ($6::text is null or $6 = (select ${OWNER} from (select a.reseller_id, a.vehicle_id, a.device_id) w ${subjectsOf('w')}))
     returning a.*`,
    [resellerId, move.alertId, move.from, move.to, move.at, move.subClientPin ?? null],
  )
  return rows[0] && alertFromRow(rows[0])
}

export async function selectAlert(
  db: Db,
  resellerId: string,
  alertId: string,
  subClientPin: string | undefined,
): Promise<ResellerAlert | undefined> {
  const { rows } = await db.query<AlertRow>(
    `select a.*
       from alerts a
       ${subjectsOf('a')}
      where a.reseller_id = $1 and a.alert_id = $2 and ($3::text is null or ${OWNER} = $3)`,
    [resellerId, alertId, subClientPin ?? null],
  )
  return rows[0] && alertFromRow(rows[0])
}

export type AlertFilter = {
  readonly severity: Severity | undefined
  readonly statuses: readonly AlertStatus[] | undefined
  readonly vehicleId: string | undefined
  /** Only alerts that this device raised. */
  readonly deviceId: string | undefined
  /** Only alerts of vehicles that are in this group. */
  readonly groupId?: string | undefined
  /** Only alerts of this sub-client's vehicles, and of its devices without one. */
  readonly subClientPin: string | undefined
}

const FILTERED = `alerts a
       ${subjectsOf('a')}
      where a.reseller_id = $1 and ($2::text is null or a.severity = $2) and ($3::text[] is null or a.status = any ($3))
        and ($4::text is null or a.vehicle_id = $4) and ($5::text is null or a.device_id = $5) and ($6::text is null or ${OWNER} = $6)
        and ${isInGroup('$7', '$6')}`

/** Newest first: what a person looks for. Alerts that open meanwhile come before the first page and move nothing. One more than asked. */
export async function selectAlerts(db: Db, resellerId: string, filter: AlertFilter, page: PageRequest): Promise<Alert[]> {
  const { rows } = await db.query<AlertRow>(
    `select a.*
       from ${FILTERED} and (a.opened_at, a.alert_id) < ($8::timestamptz, $9)
      order by a.opened_at desc, a.alert_id desc
      limit $10`,
    [...filterValues(resellerId, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(alertFromRow)
}

export async function countAlerts(db: Db, resellerId: string, filter: AlertFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${FILTERED}`, filterValues(resellerId, filter))
  return rows[0]?.count ?? 0
}

function filterValues(resellerId: string, { severity, statuses, vehicleId, deviceId, groupId, subClientPin }: AlertFilter): unknown[] {
  return [resellerId, severity ?? null, statuses ?? null, vehicleId ?? null, deviceId ?? null, subClientPin ?? null, groupId ?? null]
}

type AlertRow = {
  reseller_id: string
  alert_id: string
  vehicle_id: string | null
  type: string
  component: string
  severity: Severity
  status: AlertStatus
  description: string
  message: string
  urgency: string
  code: string | null
  evidence: Readonly<Record<string, unknown>>
  occurrences: number
  missed_scores: number
  opened_at: Date
  last_seen_at: Date
  last_reading_at: Date
  acknowledged_at: Date | null
  resolved_at: Date | null
  resolved_by: Alert['resolvedBy'] | null
  condition_ended_at: Date | null
  updated_at: Date
  source: AlertSource
  schedule_id: string | null
  device_id: string | null
  incident_id: string | null
}

/** Rows for `jsonb_populate_recordset`, which takes names and types from the table: an alert is 25 columns, and a score changes few alerts. */
function toJsonRows(alerts: readonly ResellerAlert[]): string {
  return JSON.stringify(alerts.map(rowFromAlert))
}

function rowFromAlert(alert: ResellerAlert): AlertRow {
  return {
    reseller_id: alert.resellerId,
    alert_id: alert.alertId,
    vehicle_id: alert.vehicleId ?? null,
    type: alert.type,
    component: alert.component,
    severity: alert.severity,
    status: alert.status,
    description: alert.description,
    message: alert.message,
    urgency: alert.urgency,
    code: alert.code ?? null,
    evidence: alert.evidence,
    occurrences: alert.occurrences,
    missed_scores: alert.missedScores,
    opened_at: alert.openedAt,
    last_seen_at: alert.lastSeenAt,
    last_reading_at: alert.lastReadingAt,
    acknowledged_at: alert.acknowledgedAt ?? null,
    resolved_at: alert.resolvedAt ?? null,
    resolved_by: alert.resolvedBy ?? null,
    condition_ended_at: alert.conditionEndedAt ?? null,
    updated_at: alert.updatedAt,
    source: alert.source,
    schedule_id: alert.scheduleId ?? null,
    device_id: alert.deviceId ?? null,
    incident_id: alert.incidentId ?? null,
  }
}

function alertFromRow(row: AlertRow): ResellerAlert {
  return {
    resellerId: row.reseller_id,
    alertId: row.alert_id,
    vehicleId: row.vehicle_id ?? undefined,
    type: row.type,
    component: row.component,
    severity: row.severity,
    status: row.status,
    description: row.description,
    message: row.message,
    urgency: row.urgency,
    code: row.code ?? undefined,
    evidence: row.evidence,
    occurrences: row.occurrences,
    missedScores: row.missed_scores,
    openedAt: row.opened_at,
    lastSeenAt: row.last_seen_at,
    lastReadingAt: row.last_reading_at,
    acknowledgedAt: row.acknowledged_at ?? undefined,
    resolvedAt: row.resolved_at ?? undefined,
    resolvedBy: row.resolved_by ?? undefined,
    conditionEndedAt: row.condition_ended_at ?? undefined,
    updatedAt: row.updated_at,
    source: row.source,
    scheduleId: row.schedule_id ?? undefined,
    deviceId: row.device_id ?? undefined,
    incidentId: row.incident_id ?? undefined,
  }
}
