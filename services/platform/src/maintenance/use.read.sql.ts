import type { Db } from '@roadworthy/service-kit/postgres/db'
import { keyColumns, type VehicleKey, vehicleKeyText } from '../predictions/vehicle-key.ts'

/** What a vehicle's meters stand at, and how much it is used a day. */
export type KnownUse = {
  readonly odometerKm: number | undefined
  readonly odometerAt: Date | undefined
  readonly engineHours: number | undefined
  readonly engineHoursAt: Date | undefined
  readonly kmPerDay: number | undefined
  readonly engineHoursPerDay: number | undefined
  /** Over how many days use was looked at. */
  readonly days: number
}

export const nothingKnown: KnownUse = {
  odometerKm: undefined,
  odometerAt: undefined,
  engineHours: undefined,
  engineHoursAt: undefined,
  kmPerDay: undefined,
  engineHoursPerDay: undefined,
  days: 0,
}

/** Long enough for a month that differs from the next. */
const WINDOW_DAYS = 60
/** A week of work and rest; less shows too little. */
const LEAST_DAYS = 7

/** By key of `vehicleKeyText`; vehicles that never reported a meter are left out. Parked days count. */
export async function selectUseAcrossResellers(db: Db, vehicles: readonly VehicleKey[], now: Date): Promise<Map<string, KnownUse>> {
  const { rows } = await db.query<UseRow>(
    `select m.reseller_id, m.vehicle_id, m.odometer_km, m.odometer_at, m.engine_hours, m.engine_hours_at, u.driven_km,
            u.engine_hours as ran_hours, coalesce(($3::timestamptz at time zone 'UTC')::date - u.first_day, 0) as days
       from (select distinct * from unnest($1::text[], $2::text[])) w (reseller_id, vehicle_id)
       join vehicle_meters m on m.reseller_id = w.reseller_id and m.vehicle_id = w.vehicle_id
       left join lateral (
         select sum(n.driven_km) as driven_km, sum(n.engine_hours) as engine_hours, min(n.day) as first_day
           from vehicle_use n
          where n.reseller_id = w.reseller_id and n.vehicle_id = w.vehicle_id
            and n.day >= ($3::timestamptz at time zone 'UTC')::date - $4::int
       ) u on true`,
    [...keyColumns(vehicles), now, WINDOW_DAYS],
  )
  return new Map(rows.map((row) => [vehicleKeyText({ resellerId: row.reseller_id, vehicleId: row.vehicle_id }), useFromRow(row)]))
}

type UseRow = {
  reseller_id: string
  vehicle_id: string
  odometer_km: number | null
  odometer_at: Date | null
  engine_hours: number | null
  engine_hours_at: Date | null
  driven_km: number | null
  ran_hours: number | null
  days: number
}

function useFromRow(row: UseRow): KnownUse {
  const perDay = (sum: number | null) => (sum === null || row.days < LEAST_DAYS ? undefined : sum / row.days)
  return {
    odometerKm: row.odometer_km ?? undefined,
    odometerAt: row.odometer_at ?? undefined,
    engineHours: row.engine_hours ?? undefined,
    engineHoursAt: row.engine_hours_at ?? undefined,
    kmPerDay: row.odometer_km === null ? undefined : perDay(row.driven_km),
    engineHoursPerDay: row.engine_hours === null ? undefined : perDay(row.ran_hours),
    days: row.days,
  }
}
