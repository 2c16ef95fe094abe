import type { Health, Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { type HealthStatus, healthStatusOf } from '@roadworthy/signals/health-bands'

export type Condition = HealthStatus | 'unknown'

export function conditionOf({ healthStatus }: Pick<Vehicle, 'healthStatus'>): Condition {
  return healthStatus === null ? 'unknown' : (healthStatus as HealthStatus)
}

/** Where the service draws the lines (spec §2.8), for the parts of a vehicle as for the whole. */
export function conditionOfScore(score: number): Condition {
  return healthStatusOf(score, undefined)
}

/** Of a vehicle that was not judged yet the service answers what vehicles are like in general: numbers, but not of this one. */
export function isJudged({ scoredAt }: Pick<Health, 'scoredAt'>): boolean {
  return scoredAt !== null
}
