import type { Db } from '@roadworthy/service-kit/postgres/db'
import { writeEvents } from '../../events/outbox.ts'
import { toPlatformPrediction } from '../platform-prediction.ts'
import { takeHealthNewsAcrossResellers, takePredictionNewsAcrossResellers } from './news.sql.ts'
import type { VehicleScore } from './scoring.sql.ts'

/** Spec §6.1: `vehicle.health.changed` and `prediction.created`, in the transaction of the scores they report. */
export async function publishScoresAcrossResellers(db: Db, scores: readonly VehicleScore[]): Promise<void> {
  const [first] = scores
  if (first === undefined) return
  const occurredAt = first.scoredAt
  const health = await takeHealthNewsAcrossResellers(db, scores)
  const predictions = await takePredictionNewsAcrossResellers(db, scores)
  await writeEvents(db, [
    ...health.map(({ resellerId, subClientId, ...data }) => ({
      resellerId,
      type: 'vehicle.health.changed' as const,
      data,
      subClientId,
      occurredAt,
    })),
    ...predictions.map((prediction) => ({
      resellerId: prediction.resellerId,
      type: 'prediction.created' as const,
      data: toPlatformPrediction(prediction),
      subClientId: prediction.subClientId,
      occurredAt,
    })),
  ])
}
