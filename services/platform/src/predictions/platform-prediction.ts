import type { Prediction as WirePrediction } from '@roadworthy/contracts/platform-v1/predictions'
import type { ShownPrediction } from './predictions.read.sql.ts'

/** Spec §2.8. */
export function toPlatformPrediction(prediction: ShownPrediction): WirePrediction {
  return {
    id: prediction.predictionId,
    vehicleId: prediction.vehicleId,
    component: prediction.component,
    issue: prediction.issue,
    rul_days: prediction.rulDays,
    interval: [prediction.rulP10Days, prediction.rulP90Days],
    confidence: prediction.confidence,
    severity: prediction.severity,
    healthScore: prediction.healthScore ?? null,
    subClientId: prediction.subClientId ?? null,
    createdAt: prediction.createdAt.toISOString(),
    updatedAt: prediction.updatedAt.toISOString(),
  }
}
