import type { Db } from '@roadworthy/service-kit/postgres/db'

/** A prediction as it was last published: what others may have gone by. */
export type PublishedPrediction = {
  readonly predictionId: string
  readonly rulDays: number
  readonly rulP10Days: number
  readonly rulP90Days: number
  readonly toldAt: Date
}

export type PredictionSubject = { readonly vehicleId: string; readonly component: string }

const published = `
  prediction_id, coalesce(told_rul_days, rul_days) as rul_days, coalesce(told_rul_p10_days, rul_p10_days) as rul_p10_days,
  coalesce(told_rul_p90_days, rul_p90_days) as rul_p90_days, coalesce(told_at, updated_at) as told_at`

export async function selectStandingPrediction(
  db: Db,
  resellerId: string,
  of: PredictionSubject,
): Promise<PublishedPrediction | undefined> {
  const { rows } = await db.query<PublishedRow>(
    `select ${published} from predictions where reseller_id = $1 and vehicle_id = $2 and component = $3`,
    [resellerId, of.vehicleId, of.component],
  )
  return rows[0] && publishedFromRow(rows[0])
}

/** The part that was predicted is gone: the next score of the vehicle makes another prediction, of the new one. */
export async function deletePrediction(db: Db, resellerId: string, predictionId: string): Promise<void> {
  await db.query('delete from predictions where reseller_id = $1 and prediction_id = $2', [resellerId, predictionId])
}

type PublishedRow = { prediction_id: string; rul_days: number; rul_p10_days: number; rul_p90_days: number; told_at: Date }

function publishedFromRow(row: PublishedRow): PublishedPrediction {
  return {
    predictionId: row.prediction_id,
    rulDays: row.rul_days,
    rulP10Days: row.rul_p10_days,
    rulP90Days: row.rul_p90_days,
    toldAt: row.told_at,
  }
}
