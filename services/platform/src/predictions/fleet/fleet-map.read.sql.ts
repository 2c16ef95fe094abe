// Where the chosen vehicles are: one by one, or counted by the squares of a grid.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { HealthStatus } from '@roadworthy/signals/health-bands'
import { isOfServedDevice } from '../../devices/connections.read.sql.ts'
import { choose, LABEL } from './vehicle-choice.read.sql.ts'
import type { VehicleChoice } from './vehicle-choice.ts'

/** Web Mercator shows nothing beyond. */
const MAX_LATITUDE = 85.05
/** 0 in the west and north, 1 in the east and south, as map tiles count. */
const MERCATOR_X = '(longitude + 180) / 360'
/** 90 is added first: of degrees next to nothing (5e-324) PostgreSQL makes no radians, it reports `value out of range: underflow`. */
const MERCATOR_Y = `(1 - ln(tan(radians(90 + greatest(-${MAX_LATITUDE}, least(${MAX_LATITUDE}, latitude))) / 2)) / pi()) / 2`

export type Cell = {
  readonly latitude: number
  readonly longitude: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  /** The westernmost of those in the eastern hemisphere, and the easternmost of those in the western: the ends of a box across the antimeridian. */
  readonly easternWest: number | null
  readonly westernEast: number | null
  readonly critical: number
  readonly warning: number
  readonly healthy: number
  readonly unknown: number
  /** One of them. */
  readonly vehicleId: string
}

/** By the squares of a grid of the whole map with sides of `cellSize`; without a size, all as one. */
export async function selectCells(db: Db, choice: VehicleChoice, cellSize: number | undefined): Promise<Cell[]> {
  const { begin, values } = choose(choice, 'v.vehicle_id, h.health_status', 'placed')
  const size = `$${values.length + 1}::float8`
  const { rows } = await db.query<Cell>(
    `${begin}
     select avg(latitude) as latitude, avg(longitude) as longitude, min(longitude) as west, min(latitude) as south,
            max(longitude) as east, max(latitude) as north,
            min(longitude) filter (where longitude >= 0) as "easternWest", max(longitude) filter (where longitude < 0) as "westernEast",
            count(*) filter (where health_status = 'critical')::int as critical,
            count(*) filter (where health_status = 'warning')::int as warning,
            count(*) filter (where health_status = 'healthy')::int as healthy,
            count(*) filter (where health_status is null)::int as unknown,
            min(vehicle_id) as "vehicleId"
       from chosen v
      where latitude is not null
      group by floor(${MERCATOR_X} / ${size}), floor(${MERCATOR_Y} / ${size})`,
    [...values, cellSize ?? 10],
  )
  return rows
}

export type PointRow = {
  readonly id: string
  readonly label: string
  readonly latitude: number
  readonly longitude: number
  readonly heading: number | null
  readonly healthStatus: HealthStatus | null
  readonly online: boolean
  readonly lastReadingAt: Date | null
}

/** Other data of devices is selected for the vehicles shown only. */
export async function selectPoints(db: Db, choice: VehicleChoice, limit: number): Promise<PointRow[]> {
  const { begin, values } = choose(choice, 'v.*, h.health_status', 'placed')
  const { rows } = await db.query<PointRow>(
    `${begin},
     shown as materialized (select * from chosen v where v.latitude is not null order by v.vehicle_id limit $${values.length + 1}),
     last_reports as materialized (
       select l.vehicle_id, max(l.recorded_at) as recorded_at, bool_or(l.received_at >= $${values.length + 2} and ${isOfServedDevice}) as is_heard
         from latest_states l
        where l.reseller_id = $1 and l.vehicle_id in (select vehicle_id from shown)
        group by l.vehicle_id)
     select v.vehicle_id as id, ${LABEL} as label, v.latitude, v.longitude, v.heading_deg as heading, v.health_status as "healthStatus",
            last_reports.is_heard as online, last_reports.recorded_at as "lastReadingAt"
       from shown v
       join last_reports using (vehicle_id)
      order by v.vehicle_id`,
    [...values, limit, choice.heardSince],
  )
  return rows
}
