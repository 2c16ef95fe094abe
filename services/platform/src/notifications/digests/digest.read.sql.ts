// What a digest says: incidents of a rule that opened or ended within its time, those that are still open, and work that is due.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { dayAt } from '@roadworthy/service-kit/time/zoned-time'
import { type Severity, severities, severityRank } from '@roadworthy/signals/severity'
import { selectVehicleIdsOfGroups } from '../../fleet/vehicle-groups.sql.ts'
import { type DigestRule, partKey } from '../rules/rule.ts'
import { VEHICLE_NAME } from '../subject-name.read.sql.ts'

/** Of each kind; more is counted and not listed. */
const MAX_LISTED = 20
/** The week in which a workshop finds a slot. */
const DUE_WITHIN_DAYS = 7

export type Listed<Item> = { readonly count: number; readonly items: readonly Item[] }
export type DigestIncident = {
  readonly incidentId: string
  /** As people call the vehicle or the device. */
  readonly subject: string
  readonly title: string
  readonly severity: Severity
  readonly isResolved: boolean
}
export type DueWork = {
  readonly subject: string
  readonly vehicleId: string
  readonly component: string
  readonly title: string | undefined
  readonly dueAt: Date | undefined
  readonly isOverdue: boolean
}
export type DigestContent = {
  readonly opened: Listed<DigestIncident>
  /** From before, and nobody resolved them. */
  readonly stillOpen: Listed<DigestIncident>
  readonly resolved: Listed<DigestIncident>
  readonly work: Listed<DueWork>
}

export type DigestWindow = { readonly from: Date; readonly until: Date }
/** `vehicleIds`: with those of its groups. */
type RuleScope = Pick<DigestRule, 'subClientId' | 'minSeverity' | 'components' | 'vehicleIds' | 'digest'>

export async function selectDigest(
  db: Db,
  resellerId: string,
  { vehicleGroupIds, ...rule }: RuleScope & Pick<DigestRule, 'vehicleGroupIds'>,
  window: DigestWindow,
): Promise<DigestContent> {
  const grouped = vehicleGroupIds === undefined ? [] : await selectVehicleIdsOfGroups(db, resellerId, vehicleGroupIds)
  return await selectOf(
    db,
    resellerId,
    vehicleGroupIds === undefined ? rule : { ...rule, vehicleIds: [...(rule.vehicleIds ?? []), ...grouped] },
    window,
  )
}

async function selectOf(db: Db, resellerId: string, rule: RuleScope, window: DigestWindow): Promise<DigestContent> {
  const incidents = (when: string) => selectIncidentsWhere(db, resellerId, rule, window, when)
  return {
    opened: await incidents('i.opened_at > $6 and i.opened_at <= $7'),
    stillOpen: await incidents("i.opened_at <= $6 and i.status <> 'resolved'"),
    resolved: await incidents("i.status = 'resolved' and i.resolved_at > $6 and i.resolved_at <= $7 and i.opened_at <= $6"),
    work: await selectDueWork(db, resellerId, rule, window.until),
  }
}

/** Gravest first. What opened and ended within the time is among those that opened, after those that are still open. */
async function selectIncidentsWhere(
  db: Db,
  resellerId: string,
  { subClientId, minSeverity, components, vehicleIds }: RuleScope,
  { from, until }: DigestWindow,
  when: string,
): Promise<Listed<DigestIncident>> {
  const wanted = severities.filter((severity) => severityRank[severity] >= severityRank[minSeverity])
  const { rows } = await db.query<DigestIncident & { total: number }>(
    `select count(*) over ()::int as total, i.incident_id as "incidentId", i.title, i.severity, ${SUBJECT} as subject,
            i.status = 'resolved' as "isResolved"
       from incidents i
       left join vehicles v on v.reseller_id = i.reseller_id and v.vehicle_id = i.vehicle_id
       left join devices d on i.vehicle_id is null and d.reseller_id = i.reseller_id and d.device_id = i.device_id
      where i.reseller_id = $1 and ($2::text is null or case when i.vehicle_id is null then d.sub_client_id else v.sub_client_id end = $2)
        and i.severity = any ($3) and ($4::text[] is null or translate(i.component, ' -', '__') = any ($4)) and ($5::text[] is null or i.vehicle_id = any ($5))
        and $6::timestamptz < $7::timestamptz and ${when}
      order by i.status = 'resolved', array_position($3, i.severity) desc, i.opened_at, i.incident_id
      limit ${MAX_LISTED}`,
    [resellerId, subClientId ?? null, wanted, components?.map(partKey) ?? null, vehicleIds ?? null, from, until],
  )
  return listOf(rows)
}

const SUBJECT = `coalesce(${VEHICLE_NAME}, d.name, i.vehicle_id, i.device_id)`

/** Overdue first, then by when it is due: what is planned for a day is overdue from the next one, as in the dashboard. Work that is planned for a schedule which is due is left to the schedule. */
async function selectDueWork(db: Db, resellerId: string, rule: RuleScope, until: Date): Promise<Listed<DueWork>> {
  const { subClientId, components, vehicleIds, digest } = rule
  const today = new Date(dayAt(digest.timeZone, until.getTime()).fromMs)
  const { rows } = await db.query<DueWorkRow>(
    `select count(*) over ()::int as total, coalesce(${VEHICLE_NAME}, v.vehicle_id) as subject, v.vehicle_id, w.component, w.title, w.due_at, w.is_overdue
       from (select s.schedule_id as id, s.vehicle_id, s.component, s.title, s.projected_at as due_at, s.status = 'overdue' as is_overdue
               from maintenance_schedules s
              where s.reseller_id = $1 and s.status in ('overdue', 'due_soon')
              union all
             select m.maintenance_id, m.vehicle_id, m.component, null, m.due_at, m.due_at < $6
               from maintenance_records m
              where m.reseller_id = $1 and m.status = 'planned' and m.due_at < $5::timestamptz + make_interval(days => ${DUE_WITHIN_DAYS})
                and not exists (select from maintenance_schedules s
                                 where s.reseller_id = m.reseller_id and s.schedule_id = m.schedule_id and s.status in ('overdue', 'due_soon'))) w
       join vehicles v on v.reseller_id = $1 and v.vehicle_id = w.vehicle_id
      where v.status = 'active' and ($2::text is null or v.sub_client_id = $2)
        and ($3::text[] is null or translate(w.component, ' -', '__') = any ($3)) and ($4::text[] is null or w.vehicle_id = any ($4))
      order by w.is_overdue desc, w.due_at nulls last, w.id
      limit ${MAX_LISTED}`,
    [resellerId, subClientId ?? null, components?.map(partKey) ?? null, vehicleIds ?? null, until, today],
  )
  return listOf(rows.map(workFromRow))
}

function listOf<Item>(rows: readonly (Item & { readonly total: number })[]): Listed<Item> {
  return { count: rows[0]?.total ?? 0, items: rows }
}

type DueWorkRow = {
  total: number
  subject: string
  vehicle_id: string
  component: string
  title: string | null
  due_at: Date | null
  is_overdue: boolean
}

function workFromRow(row: DueWorkRow): DueWork & { total: number } {
  return {
    ...{ total: row.total, subject: row.subject, vehicleId: row.vehicle_id, component: row.component, isOverdue: row.is_overdue },
    ...{ title: row.title ?? undefined, dueAt: row.due_at ?? undefined },
  }
}
