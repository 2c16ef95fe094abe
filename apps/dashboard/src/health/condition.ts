import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { type HealthStatus, healthStatusOf } from '@roadworthy/signals/health-bands'

export type Condition = HealthStatus | 'unknown'

export function conditionOf({ healthStatus }: Pick<Vehicle, 'healthStatus'>): Condition {
  return healthStatus === null ? 'unknown' : (healthStatus as HealthStatus)
}

/** Where the service draws the lines (spec §2.8), for the parts of a vehicle as for the whole. */
export function conditionOfScore(score: number): Condition {
  return healthStatusOf(score, undefined)
}
