// Predictions as they are shown: with the vehicle's owner and its health.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Severity } from '@roadworthy/signals/severity'
import type { MaintenancePrediction } from './maintenance-predictions.ts'

export type ShownPrediction = MaintenancePrediction & {
  readonly predictionId: string
  readonly vehicleId: string
  readonly subClientId: string | undefined
  readonly healthScore: number | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type PredictionFilter = {
  readonly vehicleId: string | undefined
  readonly subClientId: string | undefined
  /** The caller's; both must hold. */
  readonly subClientPin: string | undefined
}

const filtered = `
  predictions p
  join vehicles v on v.reseller_id = p.reseller_id and v.vehicle_id = p.vehicle_id
  where p.reseller_id = $1 and ($2::text is null or p.vehicle_id = $2) and ($3::text is null or v.sub_client_id = $3)
    and ($4::text is null or v.sub_client_id = $4)`

function filterValues(resellerId: string, { vehicleId, subClientId, subClientPin }: PredictionFilter): unknown[] {
  return [resellerId, vehicleId ?? null, subClientId ?? null, subClientPin ?? null]
}

/** Oldest first, one more than asked when there is one. */
export async function selectPredictions(
  db: Db,
  resellerId: string,
  filter: PredictionFilter,
  page: PageRequest,
): Promise<ShownPrediction[]> {
  const { rows } = await db.query<PredictionRow>(
    `select p.*, v.sub_client_id,
            (select h.health_score from vehicle_health h where h.reseller_id = p.reseller_id and h.vehicle_id = p.vehicle_id)
       from ${filtered} and (p.created_at, p.prediction_id) > ($5::timestamptz, $6)
      order by p.created_at, p.prediction_id
      limit $7`,
    [...filterValues(resellerId, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(predictionFromRow)
}

export async function countPredictions(db: Db, resellerId: string, filter: PredictionFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${filtered}`, filterValues(resellerId, filter))
  return rows[0]?.count ?? 0
}

export type PredictionRow = {
  prediction_id: string
  vehicle_id: string
  component: string
  issue: string
  rul_days: number
  rul_p10_days: number
  rul_p90_days: number
  confidence: number
  severity: Severity
  created_at: Date
  updated_at: Date
  sub_client_id: string | null
  health_score: number | null
}

export function predictionFromRow(row: PredictionRow): ShownPrediction {
  return {
    predictionId: row.prediction_id,
    vehicleId: row.vehicle_id,
    component: row.component,
    issue: row.issue,
    rulDays: row.rul_days,
    rulP10Days: row.rul_p10_days,
    rulP90Days: row.rul_p90_days,
    confidence: row.confidence,
    severity: row.severity,
    subClientId: row.sub_client_id ?? undefined,
    healthScore: row.health_score ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
