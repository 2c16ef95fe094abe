// Charging voltage that goes one way and on and on. A sound regulator steps when loads switch and settles after the start, but over six equal
// parts of a minute or more one of the steps stands still or goes back; a strap that corrodes or a regulator that fails keeps on going.
import { scoreAt } from '../components.ts'
import { type Finding, formatDuration } from '../finding.ts'
import type { Sample } from '../inputs/sample.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { statedIn } from '../provenance.ts'

const PARTS = 6
/** A median of fewer readings than this may be chance. */
const LEAST_READINGS_OF_PART = 3
const SETTLED_MS = 15_000

/**
 * The smallest of the five steps from part to part, in volts of a 12 V system, that is reported. `leastOutsideV` is for a level where a sound system
 * charges rarely.
 */
const spans = [
  { spanMs: 60_000, leastV: 0.11, leastOutsideV: 0.04 },
  { spanMs: 120_000, leastV: 0.085, leastOutsideV: 0.055 },
  { spanMs: 240_000, leastV: 0.085, leastOutsideV: 0.05 },
] as const

const USUAL_FROM_V = 13.35
const USUAL_TO_V = 14.4

export const voltageDriftNumbers = statedIn('voltage-drift', [
  [
    { spans },
    { spanMs: 'ms', leastV: 'V of a 12 V system', leastOutsideV: 'V of a 12 V system' },
    'data',
    'Toyota Etios, 15 h of 57 trips at 0.5 to 10 s a reading and several phases: the largest smallest step was 0.078, 0.059 and 0.058 V over 60, 120 and 240 s, as it settled after a start, and 0.020, 0.039 and 0.019 V outside what is usual. 24 V an hour make 0.067, 0.13 and 0.27 V.',
  ],
  [
    { PARTS, LEAST_READINGS_OF_PART },
    'count',
    'benchmark',
    'Drifts of 24 and 60 V an hour are found within 120 s of when they show, and none is reported on sound trips.',
  ],
  [{ SETTLED_MS }, 'ms', 'data', 'Toyota Etios: needs up to 5 s after a start to reach 13 V; three times that, as for undercharge.'],
  [
    { USUAL_FROM_V, USUAL_TO_V },
    'V of a 12 V system',
    'data',
    'Toyota Etios, 15 h: held 13.4 to 14.4 V for 20 s. 12 V systems charge at 13.2 to 14.4 V.',
  ],
])

type Drift = { readonly beforeV: number; readonly nowV: number; readonly spanMs: number }

export function findVoltageDrift({ samples, current, systemVoltage, regulatedRests }: Timeline): Finding | undefined {
  // Nearly every input of a caller that keeps no history ends here.
  if (samples.length < PARTS * LEAST_READINGS_OF_PART) return undefined
  // On its way from charging to rest and back a regulated voltage goes far.
  if (regulatedRests.has(current)) return undefined
  const per12V = systemVoltage / 12
  const drift = driftOf(samples, current.atMs, per12V)
  if (drift === undefined) return undefined
  const before = drift.beforeV * per12V
  const now = drift.nowV * per12V
  const isFall = now < before
  return {
    type: 'voltage_drifting',
    component: 'charging',
    severity: 'low',
    score: scoreAt.low,
    description: `Charging voltage ${isFall ? 'falls' : 'rises'} and does not stop`,
    message: `Battery voltage ${isFall ? 'fell' : 'rose'} steadily from ${formatVolts(before)} to ${formatVolts(now)} V within ${formatDuration(drift.spanMs)} with the engine running`,
    recommendation: isFall
      ? 'Check alternator, belt, ground strap and charging cables before the battery runs flat'
      : 'Check the voltage regulator and its ground before the battery is overcharged',
    code: undefined,
    evidence: {
      signal: 'batteryVoltageV',
      before: round(before),
      value: round(now),
      unit: 'V',
      heldSeconds: Math.round(drift.spanMs / 1000),
    },
  }
}

/** The drift over the longest span that shows one, in volts of a 12 V system. */
function driftOf(samples: readonly Sample[], nowMs: number, per12V: number): Drift | undefined {
  let found: Drift | undefined
  for (const { spanMs, leastV, leastOutsideV } of spans) {
    const medians = mediansOfParts(samples, nowMs, spanMs, per12V)
    if (medians === undefined) continue
    const [beforeV = 0] = medians
    const nowV = medians[PARTS - 1] ?? 0
    const sign = Math.sign(nowV - beforeV)
    const smallestStepV = Math.min(...medians.slice(1).map((medianV, index) => sign * (medianV - (medians[index] ?? 0))))
    const isOutside = sign < 0 ? nowV < USUAL_FROM_V : nowV > USUAL_TO_V
    // Upwards only beyond the usual: less charging voltage shall never look better.
    if (sign > 0 && !isOutside) continue
    if (smallestStepV >= (isOutside ? leastOutsideV : leastV)) found = { beforeV, nowV, spanMs }
  }
  return found
}

/** Oldest first. `undefined` where the span is not covered by readings of an engine that ran all along. */
function mediansOfParts(samples: readonly Sample[], nowMs: number, spanMs: number, per12V: number): number[] | undefined {
  const parts = Array.from({ length: PARTS }, (): number[] => [])
  for (let index = samples.length - 1; index >= 0; index--) {
    const { atMs, values, engine, runningMs } = samples[index] as Sample
    if (nowMs - atMs >= spanMs) break
    if (engine !== 'running' || (runningMs ?? SETTLED_MS) < SETTLED_MS) return undefined
    if (values.batteryVoltageV === undefined) continue
    parts[PARTS - 1 - Math.floor(((nowMs - atMs) * PARTS) / spanMs)]?.push(values.batteryVoltageV / per12V)
  }
  return parts.some(({ length }) => length < LEAST_READINGS_OF_PART) ? undefined : parts.map(medianOf)
}

function medianOf(values: number[]): number {
  values.sort((a, b) => a - b)
  const upper = values[values.length >> 1] ?? 0
  return values.length % 2 === 1 ? upper : ((values[(values.length >> 1) - 1] ?? 0) + upper) / 2
}

const round = (value: number) => Math.round(value * 100) / 100
const formatVolts = (value: number) => String(round(value))
