import type { EnginePrediction } from './engine-answer.ts'
import { type HealthStatus, healthStatusOf, type RiskLevel, riskLevelOf } from './health.ts'

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
