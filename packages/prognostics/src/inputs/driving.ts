import type { Sample } from './sample.ts'

/** Of the readings; one without a speed counts as standing. */
export function meanSpeedKmh(samples: readonly Sample[]): number {
  return samples.reduce((sum, { values }) => sum + (values.vehicleSpeedKmh ?? 0), 0) / samples.length
}
