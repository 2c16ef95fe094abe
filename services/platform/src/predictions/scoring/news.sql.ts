// What changed in a score since it was last published by an event, noted as published in the same statement.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { HealthStatus } from '@roadworthy/signals/health-bands'
import { type PredictionRow, predictionFromRow, type ShownPrediction } from '../predictions.read.sql.ts'
import { keyColumns, type VehicleKey } from '../vehicle-key.ts'

export type HealthNews = VehicleKey & {
  readonly subClientId: string | undefined
  readonly previousScore: number
  readonly previousStatus: HealthStatus
  readonly healthScore: number
  readonly healthStatus: HealthStatus
  readonly components: Readonly<Record<string, number>>
}

/** Spec gap §6.1: a change of status, or of 5 points. */
const NEWS_FROM_POINTS = 5
/** Spec gap §6.1: of the remaining life that was last published. */
const NEWS_FROM_LIFE_SHARE = 0.2

/** Vehicles whose health has to be published. The first score of a vehicle is what the next ones are compared with; it changes nothing. */
export async function takeHealthNewsAcrossResellers(db: Db, vehicles: readonly VehicleKey[]): Promise<HealthNews[]> {
  const { rows } = await db.query<HealthNewsRow>(
    `update vehicle_health h
        set told_score = h.health_score, told_status = h.health_status
       from vehicle_health before
       join unnest($1::text[], $2::text[]) w (reseller_id, vehicle_id) on w.reseller_id = before.reseller_id and w.vehicle_id = before.vehicle_id
       join vehicles v on v.reseller_id = before.reseller_id and v.vehicle_id = before.vehicle_id
      where h.reseller_id = before.reseller_id and h.vehicle_id = before.vehicle_id
        and (before.told_score is null or before.told_status <> h.health_status or abs(before.told_score - h.health_score) >= $3::float8)
     returning h.reseller_id, h.vehicle_id, v.sub_client_id, before.told_score, before.told_status, h.health_score, h.health_status,
               h.result -> 'predictions' -> 'components' as components`,
    [...keyColumns(vehicles), NEWS_FROM_POINTS],
  )
  return rows.flatMap((row) =>
    row.told_score === null || row.told_status === null ? [] : [healthNewsFromRow(row, row.told_score, row.told_status)],
  )
}

/** Predictions of these vehicles that are new, or whose remaining life has moved, as the Platform API shows them. */
export async function takePredictionNewsAcrossResellers(
  db: Db,
  vehicles: readonly VehicleKey[],
): Promise<(ShownPrediction & { resellerId: string })[]> {
  const { rows } = await db.query<PredictionRow & { reseller_id: string }>(
    `update predictions p
        set told_rul_days = p.rul_days, told_rul_p10_days = p.rul_p10_days, told_rul_p90_days = p.rul_p90_days, told_at = p.updated_at
       from unnest($1::text[], $2::text[]) w (reseller_id, vehicle_id)
       join vehicles v on v.reseller_id = w.reseller_id and v.vehicle_id = w.vehicle_id
       left join vehicle_health h on h.reseller_id = w.reseller_id and h.vehicle_id = w.vehicle_id
      where p.reseller_id = w.reseller_id and p.vehicle_id = w.vehicle_id
        and (p.told_rul_days is null or abs(p.rul_days - p.told_rul_days) > $3::float8 * p.told_rul_days)
     returning p.*, v.sub_client_id, h.health_score`,
    [...keyColumns(vehicles), NEWS_FROM_LIFE_SHARE],
  )
  return rows.map((row) => ({ ...predictionFromRow(row), resellerId: row.reseller_id }))
}

type HealthNewsRow = {
  reseller_id: string
  vehicle_id: string
  sub_client_id: string | null
  told_score: number | null
  told_status: HealthStatus | null
  health_score: number
  health_status: HealthStatus
  components: Readonly<Record<string, number>> | null
}

function healthNewsFromRow(row: HealthNewsRow, previousScore: number, previousStatus: HealthStatus): HealthNews {
  return {
    resellerId: row.reseller_id,
    vehicleId: row.vehicle_id,
    subClientId: row.sub_client_id ?? undefined,
    previousScore,
    previousStatus,
    healthScore: row.health_score,
    healthStatus: row.health_status,
    components: row.components ?? {},
  }
}
