import { type HealthStatus, healthStatusOf, type RiskLevel, riskLevelOf } from '@roadworthy/signals/health-bands'
import type { EnginePrediction } from './engine/engine-answer.ts'

/** The engine's own words where it gives them: it also knows of a red stop lamp. */
export function statusOf(
  { predictions }: EnginePrediction,
  previous: HealthStatus | undefined,
): { healthStatus: HealthStatus; riskLevel: RiskLevel } {
  return {
    healthStatus: predictions.healthStatus ?? healthStatusOf(predictions.healthScore, previous),
    riskLevel: predictions.riskLevel ?? riskLevelOf(predictions.maintenanceProbability),
  }
}
