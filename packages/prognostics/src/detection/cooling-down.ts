// An engine that was warm, runs, and gets colder: its thermostat stays open, or the sensor reads wrong. Sound thermostats close on
// the way down, so that coolant of the two cars it was made on falls below their band by next to nothing while the engine runs. On cars of other
// makes it does so nearly every hour: so this informs and is no alert. The sign of a thermostat that stays open would be coolant that falls with
// speed and comes back with load in air that is cold: 120 readings at 2 Hz are 60 s and hold neither. A sound one closes several °C below where
// it opens, and no recording of an open one is at hand to distinguish them by. Who stays below 70 °C on the move is alerted by the band rule.
import { scoreAt } from '../components.ts'
import { type Finding, formatDuration, formatNumber } from '../finding.ts'
import type { Sample } from '../inputs/sample.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { statedIn } from '../provenance.ts'

const FALLEN_BELOW_C = 77
const WARMED_UP_C = 80
/** Hysteresis: a reading in between does not end the finding of the ones around it. */
const RELEASE_C = 2
const HOLD_MS = 12_000

const QUICK_FALL_C = 4
const QUICK_WITHIN_MS = 120_000
/** Where a window is so short that a start may hide just before it: what mixes after a start has ended by then. */
const STILL_FALLING_C = 1
const STILL_FALLING_WITHIN_MS = 45_000
/** After a start what stood hot in the head mixes with what stood cold in the radiator. */
const MIXED_MS = 60_000
/** In such air heating alone can cool an engine at idle. */
const COLD_AIR_BELOW_C = 5

const SOUND_CARS = 'Toyota Etios and Seat Leon, 38 h of 83 trips:'
const BENCHMARK =
  'Thermostats that open to 55 and 60 °C are found within 120 s of when it shows in nine of ten trips at least, and none on sound trips of the two cars.'

export const coolingDownNumbers = statedIn('cooling-down', [
  [
    { FALLEN_BELOW_C, WARMED_UP_C },
    '°C',
    'data',
    `${SOUND_CARS} once at 80 °C neither was below 79 °C again, standing or driving. Thermostats that open at 76 °C exist; two other makes (obdii-ds3, cars 1 and 6) fell to 75 °C.`,
  ],
  [{ RELEASE_C }, '°C', 'benchmark', BENCHMARK],
  [{ HOLD_MS, QUICK_WITHIN_MS, STILL_FALLING_WITHIN_MS, MIXED_MS }, 'ms', 'benchmark', BENCHMARK],
  [
    { QUICK_FALL_C },
    '°C',
    'data',
    `${SOUND_CARS} the largest fall to below 80 °C with a running engine was 2 °C, over any time up to 20 min; twice that.`,
  ],
  [{ STILL_FALLING_C }, '°C', 'assumption', 'The least that a temperature in whole degrees can fall by.'],
  [{ COLD_AIR_BELOW_C }, '°C', 'assumption', 'No recording of a winter is at hand.'],
])

export function findCoolingDown({ samples, current, hasHistory }: Timeline): Finding | undefined {
  const { coolantTempC } = current.values
  if (!hasHistory || coolantTempC === undefined || current.engine !== 'running') return undefined
  if (coolantTempC >= FALLEN_BELOW_C + RELEASE_C) return undefined
  const running = mixedStretch(samples)
  if (running[running.length - 1] !== current) return undefined
  const below = running.slice(running.findLastIndex((sample) => coolantOf(sample) >= FALLEN_BELOW_C + RELEASE_C) + 1)
  const firstBelowMs = below.find((sample) => coolantOf(sample) < FALLEN_BELOW_C)?.atMs
  if (firstBelowMs === undefined || current.atMs - firstBelowMs < HOLD_MS) return undefined
  const warmest = warmestOf(running)
  if (!hasFallen(running, warmest, coolantTempC, current)) return undefined
  const warmestC = coolantOf(warmest)
  const took = formatDuration(current.atMs - warmest.atMs)
  return {
    type: 'coolant_falling',
    component: 'cooling',
    severity: 'info',
    score: scoreAt.info,
    description: 'Coolant falls below the temperature of a warm engine',
    message: `Coolant temperature fell from ${formatNumber(warmestC)} to ${formatNumber(coolantTempC)} °C within ${took} with the engine running, below the ${FALLEN_BELOW_C} °C that a warm engine keeps`,
    recommendation: 'Keep an eye on the coolant temperature: check level, thermostat and its sensor when it goes on',
    code: undefined,
    evidence: {
      signal: 'coolantTempC',
      before: warmestC,
      value: coolantTempC,
      threshold: FALLEN_BELOW_C,
      unit: '°C',
      heldSeconds: Math.round((current.atMs - firstBelowMs) / 1000),
    },
  }
}

/** One that was warm, or one that falls quickly from where a warm engine is. While it warms up, cold coolant of the radiator comes in. */
function hasFallen(running: readonly Sample[], warmest: Sample, coolantTempC: number, current: Sample): boolean {
  if ((current.warmestCoolantC ?? 0) >= WARMED_UP_C) return true
  const { ambientTempC, intakeAirTempC } = current.values
  const isColdAir = (ambientTempC ?? intakeAirTempC ?? COLD_AIR_BELOW_C) < COLD_AIR_BELOW_C
  if (isColdAir || coolantOf(warmest) < FALLEN_BELOW_C) return false
  const fallWithinC = (ms: number) => coolantOf(warmestOf(running.filter(({ atMs }) => current.atMs - atMs <= ms))) - coolantTempC
  return fallWithinC(QUICK_WITHIN_MS) >= QUICK_FALL_C && fallWithinC(STILL_FALLING_WITHIN_MS) >= STILL_FALLING_C
}

/** The latest readings of an engine that runs, from when its coolant had mixed on. */
function mixedStretch(samples: readonly Sample[]): readonly Sample[] {
  const stopped = samples.findLastIndex(({ engine, isAfterPause }) => engine === 'off' || engine === 'cranking' || isAfterPause)
  const startedMs = stopped === -1 ? undefined : samples[stopped + 1]?.atMs
  const known = samples.slice(stopped + 1).filter(({ values, engine }) => engine === 'running' && values.coolantTempC !== undefined)
  const isMixed = ({ atMs, runningMs }: Sample) => (runningMs ?? atMs - (startedMs ?? atMs - MIXED_MS)) >= MIXED_MS
  return known.filter(isMixed)
}

const coolantOf = ({ values }: Sample) => values.coolantTempC ?? Number.NaN

const warmestOf = (samples: readonly Sample[]) =>
  samples.reduce((warmest, sample) => (coolantOf(sample) > coolantOf(warmest) ? sample : warmest))
