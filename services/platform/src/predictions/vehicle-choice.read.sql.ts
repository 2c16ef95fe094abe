// Vehicles that are chosen, in an order, and how many there are. What is shown of them is selected by their ids.

import type { Db } from '@roadworthy/service-kit/db'
import type { PageRequest } from '@roadworthy/service-kit/keyset'
import { isOfServedDevice } from '../devices/connections.read.sql.ts'
import { isInGroup } from '../fleet/vehicle-groups.sql.ts'
import type { VehicleChoice } from './vehicle-choice.ts'
import type { SortedPage, SortPosition, VehicleSort } from './vehicle-order.ts'

/** Of a vehicle `v`: what people know it by. A device's name is looked up only where it has neither plate nor name. */
export const LABEL = `
  coalesce(v.license_plate, v.name,
    (select d.name from devices d
      where d.reseller_id = v.reseller_id and d.vehicle_id = v.vehicle_id and d.status <> 'decommissioned'
      order by d.vehicle_linked_at desc nulls last, d.device_id limit 1),
    v.external_ref, v.vin, v.vehicle_id)`

/** Of a vehicle `v`: where it was last. */
export const NEWEST_FIX = `
  (select l.latitude, l.longitude, l.fix_recorded_at, (l.fix->>'headingDeg')::float8 as heading_deg
     from latest_states l
    where l.reseller_id = v.reseller_id and l.vehicle_id = v.vehicle_id and l.fix_recorded_at is not null
    order by l.fix_recorded_at desc limit 1)`

/** By \`choiceValues\`. */
export const CHOSEN = `
  vehicles v
  left join vehicle_health h on h.reseller_id = v.reseller_id and h.vehicle_id = v.vehicle_id
  where v.reseller_id = $1 and ($2::text is null or v.sub_client_id = $2) and ($3::text is null or v.sub_client_id = $3)
    and ($4::text[] is null or v.vehicle_id = any ($4)) and ($5::text is null or coalesce(h.health_status, 'unknown') = $5) and v.status = $6
    and ($7::text[] = '{}' or not exists (
      select from unnest($7::text[]) word
       where position(word in lower(concat_ws(' ', ${LABEL}, v.license_plate, v.name, v.make, v.model, v.year, v.vin, v.external_ref,
                                              v.sub_client_id, v.vehicle_id))) = 0))
    and ($8::text is null or ($8 = 'online') = exists (
      select from latest_states l where l.reseller_id = v.reseller_id and l.vehicle_id = v.vehicle_id and l.received_at >= $9 and ${isOfServedDevice}))
    and ($10::float8 is null or exists (
      select from ${NEWEST_FIX} at
       where at.latitude between $11 and $13
         and case when $10 <= $12::float8 then at.longitude between $10 and $12 else at.longitude >= $10 or at.longitude <= $12 end))
    and ${isInGroup('$14', '$2')}`

export function choiceValues({
  viewer,
  ids,
  groupId,
  subClientId,
  healthStatus,
  status,
  words,
  presence,
  heardSince,
  box,
}: VehicleChoice): unknown[] {
  return [
    ...[viewer.resellerId, viewer.subClientPin ?? null, subClientId ?? null, ids ?? null, healthStatus ?? null, status, words],
    ...[presence ?? null, heardSince, box?.west ?? null, box?.south ?? null, box?.east ?? null, box?.north ?? null, groupId ?? null],
  ]
}

/** Oldest first, one more than asked when there is one. */
export async function selectOldestChosen(db: Db, choice: VehicleChoice, page: PageRequest): Promise<string[]> {
  const { rows } = await db.query<{ vehicle_id: string }>(
    `select v.vehicle_id from ${CHOSEN} and (v.created_at, v.vehicle_id) > ($15::timestamptz, $16)
      order by v.created_at, v.vehicle_id
      limit $17`,
    [...choiceValues(choice), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map((row) => row.vehicle_id)
}

/** As people count: 9 before 10. Cut, for it goes into cursors. */
const NAME_KEY = `
  left(regexp_replace(regexp_replace(lower(${LABEL}), '(\\d+)', '000000000\\1', 'g'), '0*(\\d{10})', '\\1', 'g'), 48) collate "C"`
/** Of what comes last in either order. */
const LAST = '1e308::float8'

/** Smaller comes first. */
const sortKeys: Readonly<Record<Exclude<VehicleSort, 'name'>, string>> = {
  health: 'h.health_score::float8',
  alerts: `(select count(*) from alerts a where a.reseller_id = v.reseller_id and a.vehicle_id = v.vehicle_id and a.status <> 'resolved')::float8`,
  heard: `(select extract(epoch from max(l.recorded_at)) from latest_states l
            where l.reseller_id = v.reseller_id and l.vehicle_id = v.vehicle_id)::float8`,
}

/** One more than asked when there is one. */
export async function selectSortedChosen(
  db: Db,
  choice: VehicleChoice,
  { sort, order, limit, after }: SortedPage,
): Promise<SortPosition[]> {
  const isDescending = order === 'desc'
  const key = sort === 'name' ? '0::float8' : `coalesce(${isDescending ? '-' : ''}${sortKeys[sort]}, ${LAST})`
  // Equals come by name in either order; only by name itself, all of it is turned round.
  const isTurned = sort === 'name' && isDescending
  const direction = isTurned ? 'desc' : 'asc'
  const { rows } = await db.query<SortPosition>(
    `select * from (select ${key} as key, ${NAME_KEY} as name, v.vehicle_id as id from ${CHOSEN}) chosen
      where $15::float8 is null or (key, name, id) ${isTurned ? '<' : '>'} ($15::float8, $16::text collate "C", $17::text)
      order by key ${direction}, name ${direction}, id ${direction}
      limit $18`,
    [...choiceValues(choice), after?.key ?? null, after?.name ?? null, after?.id ?? null, limit + 1],
  )
  return rows
}

export type ChosenCounts = {
  readonly total: number
  readonly critical: number
  readonly warning: number
  readonly healthy: number
  readonly unknown: number
  readonly online: number
}

export async function countChosen(db: Db, choice: VehicleChoice): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${CHOSEN}`, choiceValues(choice))
  return rows[0]?.count ?? 0
}

export async function countChosenByState(db: Db, choice: VehicleChoice): Promise<ChosenCounts> {
  const { rows } = await db.query<ChosenCounts>(
    `select count(*)::int as total,
            count(*) filter (where h.health_status = 'critical')::int as critical,
            count(*) filter (where h.health_status = 'warning')::int as warning,
            count(*) filter (where h.health_status = 'healthy')::int as healthy,
            count(*) filter (where h.health_status is null)::int as unknown,
            count(*) filter (where exists (
              select from latest_states l where l.reseller_id = v.reseller_id and l.vehicle_id = v.vehicle_id and l.received_at >= $9 and ${isOfServedDevice}))::int as online
       from ${CHOSEN}`,
    choiceValues(choice),
  )
  return rows[0] ?? { total: 0, critical: 0, warning: 0, healthy: 0, unknown: 0, online: 0 }
}
