// What needs somebody: incidents that nobody is at, and work that is due.

import type { DueWork, UrgentIncident } from '@roadworthy/contracts/platform-v1/overview'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { severities } from '@roadworthy/signals/severity'
import type { Viewer } from '../fleet/viewer.ts'
import type { EngineAdvice } from '../predictions/engine/engine-answer.ts'
import { VEHICLE_REFERENCE } from './vehicle-reference.sql.ts'

const MAX_SHOWN = 8
/** The week in which a workshop finds a slot. */
const DUE_WITHIN_DAYS = 7

/** A snooze that is over has ended. Whose it is follows the vehicle, or the device that is in none. */
const LIVE_INCIDENTS = `
  select i.*, case when i.status = 'snoozed' and i.snoozed_until <= now() then 'open' else i.status end as status_now
    from incidents i
    left join vehicles v on v.reseller_id = i.reseller_id and v.vehicle_id = i.vehicle_id
    left join devices d on i.vehicle_id is null and d.reseller_id = i.reseller_id and d.device_id = i.device_id
   where i.reseller_id = $1 and i.status <> 'resolved'
     and ($2::text is null or case when i.vehicle_id is null then d.sub_client_id else v.sub_client_id end = $2)`

export async function countLiveIncidents(db: Db, { resellerId, subClientPin }: Viewer): Promise<{ open: number; acknowledged: number }> {
  const { rows } = await db.query<{ open: number; acknowledged: number }>(
    `select count(*) filter (where i.status_now = 'open')::int as open,
            count(*) filter (where i.status_now = 'acknowledged')::int as acknowledged
       from (${LIVE_INCIDENTS}) i`,
    [resellerId, subClientPin ?? null],
  )
  return rows[0] ?? { open: 0, acknowledged: 0 }
}

export type AdvisedIncident = Omit<UrgentIncident, 'advice'> & {
  readonly advice: { readonly of: EngineAdvice; readonly judgedAt: Date } | undefined
}

/** Gravest first, then the longest open. What schedules raise is left to the work that is due. */
export async function selectUrgentIncidents(db: Db, { resellerId, subClientPin }: Viewer): Promise<AdvisedIncident[]> {
  const { rows } = await db.query<UrgentRow>(
    `select i.incident_id, ${VEHICLE_REFERENCE} as vehicle, i.device_id, i.component, i.source, i.severity, i.title, i.recommendation, i.opened_at,
            h.result -> 'predictions' -> 'advice' -> i.component as advice, h.result ->> 'timestamp' as judged_at, h.scored_at
       from (select i.*, array_position($3::text[], i.severity) as rank
               from (${LIVE_INCIDENTS}) i
              where i.status_now = 'open' and i.source <> 'maintenance'
              order by rank desc, i.opened_at, i.incident_id
              limit $4) i
       left join vehicles v on v.reseller_id = i.reseller_id and v.vehicle_id = i.vehicle_id
       left join vehicle_health h on i.source = 'engine' and h.reseller_id = i.reseller_id and h.vehicle_id = i.vehicle_id
      order by i.rank desc, i.opened_at, i.incident_id`,
    [resellerId, subClientPin ?? null, severities, MAX_SHOWN],
  )
  return rows.map(urgentFromRow)
}

/** What is planned for a day is overdue from the next one. Work that is planned for a schedule which is due is left to the schedule. */
const DUE_WORK = `
  select 'schedule' as kind, s.reseller_id, s.schedule_id as id, s.vehicle_id, s.component, s.title, s.projected_at as due_at,
         s.status = 'overdue' as overdue
    from maintenance_schedules s
   where s.reseller_id = $1 and s.status in ('overdue', 'due_soon')
   union all
  select 'planned', m.reseller_id, m.maintenance_id, m.vehicle_id, m.component, m.notes, m.due_at, m.due_at < $4
    from maintenance_records m
   where m.reseller_id = $1 and m.status = 'planned' and m.due_at < $3::timestamptz + make_interval(days => ${DUE_WITHIN_DAYS})
     and not exists (select from maintenance_schedules s
                      where s.reseller_id = m.reseller_id and s.schedule_id = m.schedule_id and s.status in ('overdue', 'due_soon'))`
const DUE_OF_VIEWER = `(${DUE_WORK}) w
       join vehicles v on v.reseller_id = w.reseller_id and v.vehicle_id = w.vehicle_id
      where v.status = 'active' and ($2::text is null or v.sub_client_id = $2)`

/** `today`: when the day of the reseller began. */
type Moment = { readonly now: Date; readonly today: Date }

export async function countDueWork(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  { now, today }: Moment,
): Promise<{ overdue: number; dueSoon: number }> {
  const { rows } = await db.query<{ overdue: number; dueSoon: number }>(
    `select count(*) filter (where w.overdue)::int as overdue, count(*) filter (where not w.overdue)::int as "dueSoon" from ${DUE_OF_VIEWER}`,
    [resellerId, subClientPin ?? null, now, today],
  )
  return rows[0] ?? { overdue: 0, dueSoon: 0 }
}

/** Overdue first, then by when it is due. */
export async function selectDueWork(db: Db, { resellerId, subClientPin }: Viewer, { now, today }: Moment): Promise<DueWork[]> {
  const { rows } = await db.query<DueRow>(
    `select w.kind, w.id, ${VEHICLE_REFERENCE} as vehicle, w.component, w.title, w.due_at, w.overdue
       from (select w.* from ${DUE_OF_VIEWER} order by w.overdue desc, w.due_at nulls last, w.id limit $5) w
       join vehicles v on v.reseller_id = w.reseller_id and v.vehicle_id = w.vehicle_id
      order by w.overdue desc, w.due_at nulls last, w.id`,
    [resellerId, subClientPin ?? null, now, today, MAX_SHOWN],
  )
  return rows.map(({ due_at: dueAt, ...row }) => ({ ...row, dueAt: dueAt?.toISOString() ?? null }))
}

type UrgentRow = Pick<UrgentIncident, 'vehicle' | 'component' | 'source' | 'severity' | 'title' | 'recommendation'> & {
  incident_id: string
  device_id: string | null
  opened_at: Date
  advice: EngineAdvice | null
  judged_at: string | null
  scored_at: Date | null
}

function urgentFromRow(row: UrgentRow): AdvisedIncident {
  const { incident_id: id, device_id: deviceId, opened_at: openedAt, advice, judged_at: judgedAt, scored_at: scoredAt, ...rest } = row
  const judged = judgedAt === null ? scoredAt : new Date(judgedAt)
  return {
    ...rest,
    ...{ id, deviceId, openedAt: openedAt.toISOString() },
    advice: advice === null || judged === null ? undefined : { of: advice, judgedAt: judged },
  }
}

type DueRow = Omit<DueWork, 'dueAt'> & { due_at: Date | null }
