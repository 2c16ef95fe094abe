// Where the chosen vehicles are: one by one, or counted by the squares of a grid.

import type { Db } from '@roadworthy/service-kit/db'
import type { HealthStatus } from '@roadworthy/signals/health-bands'
import { isOfServedDevice } from '../devices/connections.read.sql.ts'
import { CHOSEN, choiceValues, LABEL, NEWEST_FIX } from './vehicle-choice.read.sql.ts'
import type { VehicleChoice } from './vehicle-choice.ts'

/** Web Mercator shows nothing beyond. */
const MAX_LATITUDE = 85.05
/** 0 in the west and north, 1 in the east and south, as map tiles count. */
const MERCATOR_X = '(longitude + 180) / 360'
/** 90 is added first: of degrees next to nothing (5e-324) PostgreSQL makes no radians, it says `value out of range: underflow`. */
const MERCATOR_Y = `(1 - ln(tan(radians(90 + greatest(-${MAX_LATITUDE}, least(${MAX_LATITUDE}, latitude))) / 2)) / pi()) / 2`

const PLACED = `
  select v.vehicle_id, v.health_status, at.latitude, at.longitude
    from (select v.reseller_id, v.vehicle_id, h.health_status from ${CHOSEN}) v
    cross join lateral ${NEWEST_FIX} at`

export type Cell = {
  readonly latitude: number
  readonly longitude: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  readonly critical: number
  readonly warning: number
  readonly healthy: number
  readonly unknown: number
  /** One of them. */
  readonly vehicleId: string
}

/** By the squares of a grid of the whole map with sides of `cellSize`; without a size, all as one. */
export async function selectCells(db: Db, choice: VehicleChoice, cellSize: number | undefined): Promise<Cell[]> {
  const { rows } = await db.query<Cell>(
    `select avg(latitude) as latitude, avg(longitude) as longitude, min(longitude) as west, min(latitude) as south,
            max(longitude) as east, max(latitude) as north,
            count(*) filter (where health_status = 'critical')::int as critical,
            count(*) filter (where health_status = 'warning')::int as warning,
            count(*) filter (where health_status = 'healthy')::int as healthy,
            count(*) filter (where health_status is null)::int as unknown,
            min(vehicle_id) as "vehicleId"
       from (${PLACED}) placed
      group by floor(${MERCATOR_X} / $15::float8), floor(${MERCATOR_Y} / $15::float8)`,
    [...choiceValues(choice), cellSize ?? 10],
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

export async function selectPoints(db: Db, choice: VehicleChoice, limit: number): Promise<PointRow[]> {
  const { rows } = await db.query<PointRow>(
    `select v.vehicle_id as id, ${LABEL} as label, at.latitude, at.longitude, at.heading_deg as heading, v.health_status as "healthStatus",
            coalesce(heard.received_at >= $9, false) as online, heard.recorded_at as "lastReadingAt"
       from (select v.*, h.health_status from ${CHOSEN}) v
      cross join lateral ${NEWEST_FIX} at
      cross join lateral (
        select max(l.recorded_at) as recorded_at, max(l.received_at) filter (where ${isOfServedDevice}) as received_at
          from latest_states l where l.reseller_id = v.reseller_id and l.vehicle_id = v.vehicle_id) heard
      order by v.vehicle_id
      limit $15`,
    [...choiceValues(choice), limit],
  )
  return rows
}
