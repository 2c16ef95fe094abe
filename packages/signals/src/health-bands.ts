// What a score means in words: the one place that knows where the bands begin. The engine reports them with its predictions, the platform
// for an engine that does not, and the dashboard draws them.

export const healthStatuses = ['healthy', 'warning', 'critical'] as const
export type HealthStatus = (typeof healthStatuses)[number]

export const riskLevels = ['none', 'low', 'medium', 'high'] as const
export type RiskLevel = (typeof riskLevels)[number]

export const HEALTHY_FROM = 70
export const WARNING_FROM = 40
/** A status is left for a better one only when the score is this far inside it; getting worse is reported at once. */
export const STATUS_HYSTERESIS = 3

/** Spec gap §3: bands and hysteresis of health statuses. */
export function healthStatusOf(score: number, previous: HealthStatus | undefined): HealthStatus {
  const healthyFrom = previous === undefined || previous === 'healthy' ? HEALTHY_FROM : HEALTHY_FROM + STATUS_HYSTERESIS
  if (score >= healthyFrom) return 'healthy'
  return score >= (previous === 'critical' ? WARNING_FROM + STATUS_HYSTERESIS : WARNING_FROM) ? 'warning' : 'critical'
}

/** Lowest maintenance probability of each risk level. */
export const RISK_FROM: Readonly<Record<RiskLevel, number>> = { none: 0, low: 0.1, medium: 0.35, high: 0.65 }

/** Spec gap §2.7: risk levels by the probability that maintenance is needed. */
export function riskLevelOf(maintenanceProbability: number): RiskLevel {
  return riskLevels.findLast((level) => maintenanceProbability >= RISK_FROM[level]) ?? 'none'
}
