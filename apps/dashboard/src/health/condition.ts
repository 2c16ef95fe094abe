import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'

export type Condition = 'healthy' | 'warning' | 'critical' | 'unknown'

export function conditionOf({ healthStatus }: Pick<Vehicle, 'healthStatus'>): Condition {
  return healthStatus === null ? 'unknown' : (healthStatus as Condition)
}

/** Where the service draws the lines (spec §2.8), for the parts of a vehicle as for the whole. */
export function conditionOfScore(score: number): Condition {
  if (score >= 70) return 'healthy'
  return score >= 40 ? 'warning' : 'critical'
}
