// Speed and odometer measure the same journey. Where they differ by exactly the factor between two units, one of them is in the other unit.
// Both in miles agree with each other, and nothing here can detect it.
import type { Observation } from '@roadworthy/prognostics/inputs/observation'
import { statedIn } from '@roadworthy/prognostics/provenance'
import { isPlausible, type SignalName } from '@roadworthy/signals/registry'

export type Disagreement = {
  readonly signal: SignalName
  readonly unit: string
  /** Value in the field's own unit = value as sent × this. */
  readonly toOwn: number
  /** The newest value of that signal. */
  readonly value: number
  /** What the odometer rose by, as sent. */
  readonly odometerKm: number
  /** What the speed adds up to, as sent. */
  readonly drivenKm: number
  readonly readings: number
}

type Candidate = {
  readonly signal: 'vehicleSpeedKmh' | 'odometerKm'
  readonly unit: string
  readonly toOwn: number
  /** Rise of the odometer by distance from speed, were it so. */
  readonly ratio: number
}

const KM_PER_MILE = 1.609344
const KMH_PER_KNOT = 1.852
const KMH_PER_M_S = 3.6
const MS_PER_HOUR = 3_600_000
const candidates: readonly Candidate[] = [
  { signal: 'vehicleSpeedKmh', unit: 'mph', toOwn: KM_PER_MILE, ratio: KM_PER_MILE },
  // What GPS receivers give by themselves (NMEA 0183, sentence RMC).
  { signal: 'vehicleSpeedKmh', unit: 'knots', toOwn: KMH_PER_KNOT, ratio: KMH_PER_KNOT },
  { signal: 'vehicleSpeedKmh', unit: 'm/s', toOwn: KMH_PER_M_S, ratio: KMH_PER_M_S },
  { signal: 'odometerKm', unit: 'mi', toOwn: KM_PER_MILE, ratio: 1 / KM_PER_MILE },
]

const TOLERANCE = 0.07
/** Between readings further apart than this a vehicle may have stopped and gone again. */
const MAX_GAP_MS = 12_000
const ENOUGH_KM = 3
/** The odometer has to have risen by this many of its own steps. */
const ENOUGH_STEPS = 12

export const disagreementNumbers = statedIn('speed-and-distance', [
  [{ TOLERANCE }, 'share', 'assumption', 'Half of the distance between mph and knots, 15 %.'],
  [{ MAX_GAP_MS }, 'ms', 'assumption', 'Who reports every 10 s is occasionally late.'],
  [
    { ENOUGH_KM },
    'km',
    'data',
    'Toyota Etios and Seat Leon: over 3 km, reported every 10 s, speed and distance were within 5 % of each other in 13,500 windows; over 1 km within 12 %.',
  ],
  [{ ENOUGH_STEPS }, 'steps of the odometer', 'assumption', 'Where in a step it began and ended is then worth less than 8 %.'],
])

/** Over the readings that follow each other closely and have both. */
export function findDisagreement(current: Observation, history: readonly Observation[]): Disagreement | undefined {
  if (current.signals.vehicleSpeedKmh === undefined || current.signals.odometerKm === undefined) return undefined
  const { drivenKm, odometerKm, stepKm, readings } = compare(current, history)
  if (Math.max(drivenKm, odometerKm) < ENOUGH_KM || odometerKm < ENOUGH_STEPS * stepKm) return undefined
  const ratio = odometerKm / drivenKm
  const found = candidates.find((candidate) => Math.abs(ratio / candidate.ratio - 1) <= TOLERANCE)
  if (found === undefined) return undefined
  const { signal, unit, toOwn } = found
  return { signal, unit, toOwn, value: current.signals[signal] ?? 0, odometerKm, drivenKm, readings }
}

function compare(current: Observation, history: readonly Observation[]) {
  const sum = { drivenKm: 0, odometerKm: 0, stepKm: Number.POSITIVE_INFINITY, readings: 0 }
  let before: Observation | undefined
  for (let at = 0; at <= history.length; at++) {
    const observation = at === history.length ? current : (history[at] as Observation)
    const { vehicleSpeedKmh: speed, odometerKm: odometer } = observation.signals
    if (speed === undefined || odometer === undefined || !isPlausible('vehicleSpeedKmh', speed) || !isPlausible('odometerKm', odometer)) {
      before = undefined
      continue
    }
    if (before !== undefined) addPair(sum, before, observation)
    before = observation
  }
  return sum
}

type Sum = { drivenKm: number; odometerKm: number; stepKm: number; readings: number }

function addPair(sum: Sum, before: Observation, after: Observation): void {
  const gapMs = after.recordedAtMs - before.recordedAtMs
  const riseKm = (after.signals.odometerKm ?? 0) - (before.signals.odometerKm ?? 0)
  if (gapMs <= 0 || gapMs > MAX_GAP_MS || riseKm < 0) return
  const meanKmh = ((before.signals.vehicleSpeedKmh ?? 0) + (after.signals.vehicleSpeedKmh ?? 0)) / 2
  sum.drivenKm += (meanKmh * gapMs) / MS_PER_HOUR
  sum.odometerKm += riseKm
  if (riseKm > 0) sum.stepKm = Math.min(sum.stepKm, riseKm)
  sum.readings++
}
