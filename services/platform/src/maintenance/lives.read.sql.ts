// How long parts lasted, from their replacements on record to the next one, to their failure, or to the last look at what still runs.

import type { lifeUnits } from '@roadworthy/contracts/platform-v1/maintenance'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'

export type LifeUnit = (typeof lifeUnits)[number]

export type ObservedLife = {
  readonly maintenanceId: string
  readonly vehicleId: string
  readonly startedAt: Date
  readonly endedAt: Date
  /** In the unit asked for. */
  readonly age: number
  readonly failed: boolean
}

export type LivesAsked = {
  readonly component: string
  readonly unit: LifeUnit
  readonly subClientPin: string | undefined
  readonly now: Date
}

/**
 * A life ends with the next replacement, or when the part is found failed. One that ended with nobody reporting how, or whose age is not known,
 * has no `failed` or no `age`.
 */
const lives = `
  with work as (
    select r.*, lead(r.maintenance_id) over life as next_id, lead(r.completed_at) over life as next_at,
           lead(r.odometer_km) over life as next_km, lead(r.engine_hours) over life as next_hours,
           lead(r.condition_found) over life as next_condition
      from maintenance_records r
      join vehicles v on v.reseller_id = r.reseller_id and v.vehicle_id = r.vehicle_id
     where r.reseller_id = $1 and r.component = $2 and r.status = 'completed' and (r.renewed or r.condition_found = 'failed')
       and ($3::text is null or v.sub_client_id = $3)
    window life as (partition by r.vehicle_id order by r.completed_at, r.maintenance_id)
  ),
  lives as (
    select w.maintenance_id, w.vehicle_id, w.completed_at as started_at,
           case when w.next_id is not null then w.next_at
                when $4 = 'km' then m.odometer_at when $4 = 'engine_hours' then m.engine_hours_at else $5::timestamptz end as ended_at,
           case when $4 = 'km' then case when w.next_id is null then m.odometer_km else w.next_km end - w.odometer_km
                when $4 = 'engine_hours' then case when w.next_id is null then m.engine_hours else w.next_hours end - w.engine_hours
                else extract(epoch from coalesce(w.next_at, $5::timestamptz) - w.completed_at)::float8 / 86400 end as age,
           case when w.next_id is null then false else w.next_condition = 'failed' end as failed
      from work w
      left join vehicle_meters m on m.reseller_id = w.reseller_id and m.vehicle_id = w.vehicle_id
     where w.renewed
  )`
const isUsable = 'age > 0 and failed is not null and ended_at is not null'

function askedValues(resellerId: string, { component, subClientPin, unit, now }: LivesAsked): unknown[] {
  return [resellerId, component, subClientPin ?? null, unit, now]
}

/** Those that began first, first; one more than asked when there is one. */
export async function selectLives(db: Db, resellerId: string, asked: LivesAsked, page: PageRequest): Promise<ObservedLife[]> {
  const { rows } = await db.query<LifeRow>(
    `${lives}
     select * from lives
      where ${isUsable} and (started_at, maintenance_id) > ($6::timestamptz, $7)
      order by started_at, maintenance_id
      limit $8`,
    [...askedValues(resellerId, asked), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map((row) => ({
    maintenanceId: row.maintenance_id,
    vehicleId: row.vehicle_id,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    age: row.age,
    failed: row.failed,
  }))
}

export async function countLives(db: Db, resellerId: string, asked: LivesAsked): Promise<{ total: number; leftOut: number }> {
  const { rows } = await db.query<{ total: number; left_out: number }>(
    `${lives}
     select (count(*) filter (where ${isUsable}))::int as total, (count(*) filter (where (${isUsable}) is not true))::int as left_out from lives`,
    askedValues(resellerId, asked),
  )
  return { total: rows[0]?.total ?? 0, leftOut: rows[0]?.left_out ?? 0 }
}

type LifeRow = { maintenance_id: string; vehicle_id: string; started_at: Date; ended_at: Date; age: number; failed: boolean }
