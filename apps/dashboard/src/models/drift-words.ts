// Whether the fleet drifts away from what the models were made on, as a verdict for people.

import type { ModelDrift } from '@roadworthy/contracts/platform-v1/models'

export type DriftVerdict = 'unknown' | 'fits' | 'drifts'

/** With fewer, one vehicle or one click decides. Judgements. */
const LEAST_VEHICLES = 10
const LEAST_CLOSED = 10
/** So many vehicles that are unusual without a reason are still chance: those that were promised, and three standard deviations. */
const DEVIATIONS = 3
/** Of false alarms, where half as many again as in the period before are more than chance and habit. */
const GROWTH = 1.5
const NOTICED_FROM = 0.2

export function driftVerdict({ judged, unexplained, falseAlarms }: ModelDrift, promisedShare: number): DriftVerdict {
  const most = judged * promisedShare + DEVIATIONS * Math.sqrt(judged * promisedShare * (1 - promisedShare))
  const [now, before] = falseAlarms
  const shares = [now, before].map((period) =>
    period === undefined || period.closed < LEAST_CLOSED ? undefined : period.falseAlarms / period.closed,
  )
  const [share, shareBefore] = shares
  const grows = share !== undefined && share >= NOTICED_FROM && share > GROWTH * (shareBefore ?? 0)
  if ((judged >= LEAST_VEHICLES && unexplained > most) || grows) return 'drifts'
  return judged < LEAST_VEHICLES ? 'unknown' : 'fits'
}
