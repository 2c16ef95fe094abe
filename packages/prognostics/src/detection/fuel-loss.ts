import { scoreAt } from '../components.ts'
import { type Finding, formatDuration, formatNumber } from '../finding.ts'
import type { Sample } from '../inputs/sample.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { statedIn } from '../provenance.ts'

const LOSS_LOW_PCT = 4.2
const LOSS_MEDIUM_PCT = 8
const LOSS_HIGH_PCT = 20
const BURNT_PCT_PER_HOUR = 3
const MS_PER_HOUR = 3_600_000
const STANDING_BELOW_KMH = 1
/** Fuel sloshes on for a while after stopping, and the sender damps that for longer. */
const SETTLE_MS = 10_000
const MIN_STANDING_MS = 20_000
/** Medians over this many readings at each end, so that no single reading decides. */
const READINGS_PER_END = 5

export const fuelLossNumbers = statedIn('fuel-loss', [
  [
    { LOSS_LOW_PCT },
    '% of the tank',
    'data',
    'Toyota Etios, 22 engine hours: standing for a minute the tank reads within -3.1 and +2.4 points (1st and 99th percentile), and medians of five readings fall by 3.5 points at most; a fifth more is reported.',
  ],
  [
    { LOSS_MEDIUM_PCT, LOSS_HIGH_PCT },
    '% of the tank',
    'assumption',
    'Twice the least that is reported, and as much as the tank of the Toyota Etios sloshes on the move.',
  ],
  [
    { BURNT_PCT_PER_HOUR },
    '% of the tank an hour',
    'assumption',
    "An idling engine burns 0.8 l/h of a 45 l tank; a parked heater or a truck's idling is taken to burn about as large a share.",
  ],
  [{ STANDING_BELOW_KMH }, 'km/h', 'assumption', 'The least that a speed in whole km/h can express.'],
  [
    { SETTLE_MS, MIN_STANDING_MS },
    'ms',
    'benchmark',
    'Losses of 10 and 30 points while standing are found within 120 s of when they show, and none is reported on sound trips.',
  ],
  [{ READINGS_PER_END }, 'readings', 'benchmark', 'As SETTLE_MS.'],
])

/** Fuel that goes while the vehicle stands, theft or a leak. On the move the level is too uncertain. */
export function findFuelLoss(timeline: Timeline): Finding | undefined {
  const standing = standingStretch(timeline.samples)
  if (standing.length < READINGS_PER_END * 2) return undefined
  const beforePct = medianFuelPct(standing.slice(0, READINGS_PER_END))
  const nowPct = medianFuelPct(standing.slice(-READINGS_PER_END))
  const lossPct = beforePct - nowPct
  const lastedMs = (standing[standing.length - 1]?.atMs ?? 0) - (standing[0]?.atMs ?? 0)
  const unexplainedPct = lossPct - (BURNT_PCT_PER_HOUR * lastedMs) / MS_PER_HOUR
  if (unexplainedPct < LOSS_LOW_PCT || lastedMs < MIN_STANDING_MS) return undefined
  const severity = unexplainedPct >= LOSS_HIGH_PCT ? 'high' : unexplainedPct >= LOSS_MEDIUM_PCT ? 'medium' : 'low'
  return {
    type: 'fuel_loss',
    component: 'fuel',
    severity,
    score: scoreAt[severity],
    description: 'Fuel is disappearing at standstill',
    message: `Fuel level fell from ${formatNumber(beforePct)} to ${formatNumber(nowPct)} % in ${formatDuration(lastedMs)} of standing, more than ${LOSS_LOW_PCT} points`,
    recommendation: severity === 'high' ? 'Look at once for a leak or for theft of fuel' : 'Look for a leak or for theft of fuel',
    code: undefined,
    evidence: { signal: 'fuelLevelPct', before: beforePct, value: nowPct, threshold: LOSS_LOW_PCT, unit: '%' },
  }
}

/**
 * The readings with a fuel level since the vehicle last came to rest and settled, if it stands. Over a pause it may have been driven, and
 * fuel that was burnt is not lost.
 */
function standingStretch(samples: readonly Sample[]): readonly Sample[] {
  const lastMoving = samples.findLastIndex(
    ({ values }) => values.vehicleSpeedKmh === undefined || values.vehicleSpeedKmh > STANDING_BELOW_KMH,
  )
  if (lastMoving === samples.length - 1) return []
  const lastPause = samples.findLastIndex(({ isAfterPause }) => isAfterPause)
  const settledFromMs = lastMoving === -1 ? 0 : (samples[lastMoving]?.atMs ?? 0) + SETTLE_MS
  return samples
    .slice(Math.max(lastMoving + 1, lastPause, 0))
    .filter(({ atMs, values }) => atMs >= settledFromMs && values.fuelLevelPct !== undefined)
}

function medianFuelPct(samples: readonly Sample[]): number {
  const sorted = samples.map(({ values }) => values.fuelLevelPct ?? 0).sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
