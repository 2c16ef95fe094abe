// What changed since a time: how many of each kind, and the newest few.

import type { Changes } from '@roadworthy/contracts/platform-v1/overview'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { healthStatuses } from '@roadworthy/signals/health-bands'
import type { Viewer } from '../fleet/viewer.ts'
import { VEHICLE_REFERENCE } from './vehicle-reference.sql.ts'

const MAX_SHOWN = 5

type ListOf<Kind extends keyof Changes> = Exclude<Changes[Kind], null | string>

/** By when they were opened, or resolved. */
export async function selectChangedIncidents(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  what: 'opened_at' | 'resolved_at',
  since: Date,
): Promise<ListOf<'incidentsOpened'>> {
  const { rows } = await db.query<Counted<ListOf<'incidentsOpened'>>>(
    `select i.total, i.incident_id as id, i.title, i.severity, ${VEHICLE_REFERENCE} as vehicle, i.${what} as at
       from (select i.*, count(*) over ()::int as total
               from incidents i
               left join vehicles v on v.reseller_id = i.reseller_id and v.vehicle_id = i.vehicle_id
               left join devices d on i.vehicle_id is null and d.reseller_id = i.reseller_id and d.device_id = i.device_id
              where i.reseller_id = $1 and i.${what} > $3 ${what === 'resolved_at' ? "and i.status = 'resolved'" : ''}
                and ($2::text is null or case when i.vehicle_id is null then d.sub_client_id else v.sub_client_id end = $2)
              order by i.${what} desc, i.incident_id
              limit ${MAX_SHOWN}) i
       left join vehicles v on v.reseller_id = i.reseller_id and v.vehicle_id = i.vehicle_id
      order by i.${what} desc, i.incident_id`,
    [resellerId, subClientPin ?? null, since],
  )
  return toList(rows)
}

/** Now beside the last score until then; what was not scored since is as it was. Worst first. */
export async function selectWorsenedVehicles(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  since: Date,
): Promise<ListOf<'vehiclesWorsened'>> {
  const { rows } = await db.query<Counted<ListOf<'vehiclesWorsened'>>>(
    `select w.total, ${VEHICLE_REFERENCE} as vehicle, w."healthStatus", w.before
       from (select v.reseller_id, v.vehicle_id, h.health_score, h.health_status as "healthStatus", former.health_status as before,
                    count(*) over ()::int as total
               from vehicle_health h
               join vehicles v on v.reseller_id = h.reseller_id and v.vehicle_id = h.vehicle_id
               left join lateral (
                 select p.health_status
                   from health_history p
                  where p.reseller_id = h.reseller_id and p.vehicle_id = h.vehicle_id and p.scored_at <= $3
                  order by p.scored_at desc
                  limit 1) former on true
              where h.reseller_id = $1 and h.health_status <> 'healthy' and h.scored_at > $3 and v.status = 'active' and ($2::text is null or v.sub_client_id = $2)
                and array_position($4::text[], h.health_status) > coalesce(array_position($4::text[], former.health_status), 0)
              order by h.health_score, h.vehicle_id
              limit ${MAX_SHOWN}) w
       join vehicles v on v.reseller_id = w.reseller_id and v.vehicle_id = w.vehicle_id
      order by w.health_score, w.vehicle_id`,
    [resellerId, subClientPin ?? null, since, healthStatuses],
  )
  return toList(rows)
}

/** Done since, or done before and put on record since. */
export async function selectWorkDone(db: Db, { resellerId, subClientPin }: Viewer, since: Date): Promise<ListOf<'workDone'>> {
  const { rows } = await db.query<Counted<ListOf<'workDone'>>>(
    `select m.total, m.maintenance_id as id, ${VEHICLE_REFERENCE} as vehicle, m.component, m.completed_at as at
       from (select m.*, count(*) over ()::int as total
               from maintenance_records m
               join vehicles v on v.reseller_id = m.reseller_id and v.vehicle_id = m.vehicle_id
              where m.reseller_id = $1 and m.status = 'completed' and (m.completed_at > $3 or m.created_at > $3)
                and ($2::text is null or v.sub_client_id = $2)
              order by m.completed_at desc, m.maintenance_id
              limit ${MAX_SHOWN}) m
       join vehicles v on v.reseller_id = m.reseller_id and v.vehicle_id = m.vehicle_id
      order by m.completed_at desc, m.maintenance_id`,
    [resellerId, subClientPin ?? null, since],
  )
  return toList(rows)
}

export async function selectSilentDevices(db: Db, { resellerId, subClientPin }: Viewer, since: Date): Promise<ListOf<'devicesSilent'>> {
  const { rows } = await db.query<Counted<ListOf<'devicesSilent'>>>(
    `select s.total, s.device_id as "deviceId", s.name, ${VEHICLE_REFERENCE} as vehicle, s.changed_at as at
       from (select d.reseller_id, d.device_id, d.name, d.vehicle_id, p.changed_at, count(*) over ()::int as total
               from device_presence p
               join devices d on d.reseller_id = p.reseller_id and d.device_id = p.device_id
              where p.reseller_id = $1 and not p.is_online and p.changed_at > $3 and d.status <> 'decommissioned'
                and ($2::text is null or d.sub_client_id = $2)
              order by p.changed_at desc, d.device_id
              limit ${MAX_SHOWN}) s
       left join vehicles v on v.reseller_id = s.reseller_id and v.vehicle_id = s.vehicle_id
      order by s.changed_at desc, s.device_id`,
    [resellerId, subClientPin ?? null, since],
  )
  return toList(rows)
}

/** A row of a list, with how many there are in all. */
type Counted<List extends { items: readonly unknown[] }> = { total: number } & {
  [Field in keyof List['items'][number]]: Field extends 'at' ? Date : List['items'][number][Field]
}

function toList<Row extends { total: number; at?: Date }>(rows: readonly Row[]) {
  const items = rows.map(({ total: _, at, ...item }) => ({ ...item, ...(at === undefined ? {} : { at: at.toISOString() }) }))
  return { total: rows[0]?.total ?? 0, items } as { total: number; items: (Omit<Row, 'total' | 'at'> & { at: string })[] }
}
