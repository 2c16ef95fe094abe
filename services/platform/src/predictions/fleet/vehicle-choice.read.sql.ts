// Vehicles that are chosen, in an order, and how many there are. What is shown of them is selected by their ids.

import { fillPage } from '@roadworthy/service-kit/http/fill-page'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest, Position } from '@roadworthy/service-kit/postgres/keyset'
import { isOfServedDevice } from '../../devices/connections.read.sql.ts'
import type { Box } from '../../fleet/box.ts'
import { isInGroup } from '../../fleet/vehicle-groups.sql.ts'
import type { VehicleChoice } from './vehicle-choice.ts'
import type { SortedPage, SortPosition, VehicleSort } from './vehicle-order.ts'

/** Of a vehicle `v`: what people know it by. A device's name is looked up only where it has neither plate nor name. */
export const LABEL = `
  coalesce(v.license_plate, v.name,
    (select d.name from devices d
      where d.reseller_id = v.reseller_id and d.vehicle_id = v.vehicle_id and d.status <> 'decommissioned'
      order by d.vehicle_linked_at desc nulls last, d.device_id limit 1),
    v.external_ref, v.vin, v.vehicle_id)`

/** Of vehicles `v` and their health `h`, by `fittingValues`: the choice but for what devices reported. */
const FITTING = `
  vehicles v
  left join vehicle_health h on h.reseller_id = v.reseller_id and h.vehicle_id = v.vehicle_id
  where v.reseller_id = $1 and ($2::text is null or v.sub_client_id = $2) and ($3::text is null or v.sub_client_id = $3)
    and ($4::text[] is null or v.vehicle_id = any ($4)) and ($5::text is null or coalesce(h.health_status, 'unknown') = $5) and v.status = $6
    and ($7::text[] = '{}' or not exists (
      select from unnest($7::text[]) word
       where position(word in lower(concat_ws(' ', ${LABEL}, v.license_plate, v.name, v.make, v.model, v.year, v.vin, v.external_ref,
                                              v.sub_client_id, v.vehicle_id))) = 0))
    and ${isInGroup('$8', '$2')}`

function fittingValues({ viewer, ids, groupId, subClientId, healthStatus, status, words }: VehicleChoice): unknown[] {
  const own = [viewer.resellerId, viewer.subClientPin ?? null]
  return [...own, subClientId ?? null, ids ?? null, healthStatus ?? null, status, words, groupId ?? null]
}

const REPORTED_OF_FITTING = 'from latest_states l where l.reseller_id = $1 and l.vehicle_id in (select f.vehicle_id from fitting f)'
/** Of the vehicles that fit, those of which devices reported something: which are heard, where they were last, and when their last readings were recorded. */
const REPORTED = {
  heard: (heardSince: string) =>
    `select distinct l.vehicle_id, true as is_heard ${REPORTED_OF_FITTING} and l.received_at >= ${heardSince} and ${isOfServedDevice}`,
  placed: () => `
    select distinct on (l.vehicle_id) l.vehicle_id, l.latitude, l.longitude, (l.fix->>'headingDeg')::float8 as heading_deg
      ${REPORTED_OF_FITTING} and l.fix_recorded_at is not null
     order by l.vehicle_id, l.fix_recorded_at desc`,
  recorded: () => `select l.vehicle_id, max(l.recorded_at) as last_reading_at ${REPORTED_OF_FITTING} group by l.vehicle_id`,
} as const satisfies Record<string, (heardSince: string) => string>
type Reported = keyof typeof REPORTED

/**
 * What a statement on `chosen` begins with. `columns`: of vehicles `v` and their health `h`; the vehicle's id is one of them. What devices reported is selected
 * by itself, and only where it is needed: on a cluster it comes from the nodes, and is joined on the coordinator, where everything else is.
 */
export function choose(
  choice: VehicleChoice,
  columns: string,
  ...shown: Reported[]
): { readonly begin: string; readonly values: readonly unknown[] } {
  const { presence, box, heardSince } = choice
  const fitting = `select ${columns} from ${FITTING}`
  const values = fittingValues(choice)
  const param = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const needed = new Set(shown)
  const conditions: string[] = []
  if (presence !== undefined) {
    needed.add('heard')
    conditions.push(presence === 'online' ? 'is_heard' : 'is_heard is null')
  }
  if (box !== undefined) {
    needed.add('placed')
    conditions.push(isWithin(box, (degrees) => param(degrees, 'float8')))
  }
  if (needed.size === 0) return { begin: `with chosen as (${fitting})`, values }
  const parts = [...needed].map(
    (name) => `${name} as materialized (${REPORTED[name](name === 'heard' ? param(heardSince, 'timestamptz') : '')})`,
  )
  // A full join, though none of them has others than fit: it is hashed, however few rows PostgreSQL expects.
  const joined = [...needed].map((name) => `full join ${name} using (vehicle_id)`).join(' ')
  const begin = `
    with fitting as materialized (${fitting}), ${parts.join(', ')},
         joined as materialized (select * from fitting ${joined}),
         chosen as (select * from joined ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`})`
  return { begin, values }
}

function isWithin({ west, south, east, north }: Box, param: (degrees: number) => string): string {
  const isEastOfWest = `longitude >= ${param(west)}`
  const isWestOfEast = `longitude <= ${param(east)}`
  return `latitude between ${param(south)} and ${param(north)} and (${isEastOfWest} ${west <= east ? 'and' : 'or'} ${isWestOfEast})`
}

/** Oldest first, one more than asked when there is one. */
export async function selectOldestChosen(db: Db, choice: VehicleChoice, page: PageRequest): Promise<string[]> {
  if (choice.presence === undefined && choice.box === undefined) {
    return (await selectOldestFitting(db, choice, page.after, page.limit + 1)).map(({ id }) => id)
  }
  return await fillPage(page, {
    selectNext: (after, count) => selectOldestFitting(db, choice, after, count),
    positionOf: (position) => position,
    selectShown: (positions) =>
      selectChosenAmong(
        db,
        choice,
        positions.map(({ id }) => id),
      ),
  })
}

async function selectOldestFitting(db: Db, choice: VehicleChoice, after: Position, count: number): Promise<Position[]> {
  const { rows } = await db.query<Position>(
    `select v.created_at as at, v.vehicle_id as id from ${FITTING} and (v.created_at, v.vehicle_id) > ($9::timestamptz, $10)
      order by v.created_at, v.vehicle_id
      limit $11`,
    [...fittingValues(choice), after.at, after.id, count],
  )
  return rows
}

async function selectChosenAmong(db: Db, choice: VehicleChoice, ids: readonly string[]): Promise<string[]> {
  const { begin, values } = choose({ ...choice, ids }, 'v.vehicle_id, v.created_at')
  const { rows } = await db.query<{ vehicle_id: string }>(
    `${begin} select v.vehicle_id from chosen v order by v.created_at, v.vehicle_id`,
    values,
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
  health: 'v.health_score::float8',
  alerts: `(select count(*) from alerts a where a.reseller_id = v.reseller_id and a.vehicle_id = v.vehicle_id and a.status <> 'resolved')::float8`,
  heard: 'extract(epoch from v.last_reading_at)::float8',
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
  const { begin, values } = choose(choice, 'v.*, h.health_score', ...(sort === 'heard' ? (['recorded'] as const) : []))
  const nth = (count: number) => `$${values.length + count}`
  const { rows } = await db.query<SortPosition>(
    `${begin}
     select * from (select ${key} as key, ${NAME_KEY} as name, v.vehicle_id as id
                      from chosen v) sorted
      where ${nth(1)}::float8 is null or (key, name, id) ${isTurned ? '<' : '>'} (${nth(1)}::float8, ${nth(2)}::text collate "C", ${nth(3)}::text)
      order by key ${direction}, name ${direction}, id ${direction}
      limit ${nth(4)}`,
    [...values, after?.key ?? null, after?.name ?? null, after?.id ?? null, limit + 1],
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
  const { begin, values } = choose(choice, 'v.vehicle_id')
  const { rows } = await db.query<{ count: number }>(`${begin} select count(*)::int as count from chosen`, values)
  return rows[0]?.count ?? 0
}

export async function countChosenByState(db: Db, choice: VehicleChoice): Promise<ChosenCounts> {
  const { begin, values } = choose(choice, 'v.vehicle_id, h.health_status', 'heard')
  const { rows } = await db.query<ChosenCounts>(
    `${begin}
     select count(*)::int as total,
            count(*) filter (where v.health_status = 'critical')::int as critical,
            count(*) filter (where v.health_status = 'warning')::int as warning,
            count(*) filter (where v.health_status = 'healthy')::int as healthy,
            count(*) filter (where v.health_status is null)::int as unknown,
            count(*) filter (where v.is_heard)::int as online
       from chosen v`,
    values,
  )
  return rows[0] ?? { total: 0, critical: 0, warning: 0, healthy: 0, unknown: 0, online: 0 }
}
