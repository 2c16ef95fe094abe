// An engine that was warm, runs, and gets colder: its thermostat stays open, or the sensor no longer says what is. Sound thermostats close on
// the way down, so that coolant falls below their band by next to nothing while the engine runs.
import { scoreAt } from './components.ts'
import { meanSpeedKmh } from './driving.ts'
import { type Finding, formatDuration, formatNumber } from './finding.ts'
import { statedIn } from './provenance.ts'
import type { Sample, Timeline } from './timeline.ts'

const FALLEN_BELOW_C = 77
const WARMED_UP_C = 80
/** Hysteresis: a reading in between does not end what the ones around it say. */
const RELEASE_C = 2
const HOLD_MS = 12_000

const QUICK_FALL_C = 4
const QUICK_WITHIN_MS = 120_000
/** Where a window is so short that a start may hide just before it: what mixes after a start has ended by then. */
const STILL_FALLING_C = 1
const STILL_FALLING_WITHIN_MS = 45_000
const DEEP_FALL_C = 8
const DEEP_FROM_KMH = 15
/** After a start what stood hot in the head mixes with what stood cold in the radiator. */
const MIXED_MS = 60_000
/** In such air heating alone can cool an engine at idle. */
const COLD_AIR_BELOW_C = 5

const SOUND_CARS = 'Toyota Etios and Seat Leon, 38 h of 83 trips:'
const BENCHMARK =
  'Thermostats that open to 55 and 60 °C are found within 120 s of when it shows in nine of ten trips at least, and none is told on sound trips.'

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
  [
    { DEEP_FALL_C },
    '°C',
    'assumption',
    'A diesel with its heater on loses 1 °C a minute at idle in winter, so a slow fall has to be a deep one, and must be on the move.',
  ],
  [{ DEEP_FROM_KMH }, 'km/h', 'assumption', 'As DEEP_FALL_C: on average faster than stop-and-go.'],
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
  const severity = severityOf(running, warmest, coolantTempC, current)
  if (severity === undefined) return undefined
  const warmestC = coolantOf(warmest)
  const took = formatDuration(current.atMs - warmest.atMs)
  return {
    type: 'coolant_falling',
    component: 'cooling',
    severity,
    score: scoreAt[severity],
    description: 'Coolant falls below the temperature of a warm engine',
    message: `Coolant temperature fell from ${formatNumber(warmestC)} to ${formatNumber(coolantTempC)} °C within ${took} with the engine running, below the ${FALLEN_BELOW_C} °C that a warm engine keeps`,
    recommendation: 'Check the thermostat: it seems to stay open; then the coolant level and the temperature sensor',
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

function severityOf(running: readonly Sample[], warmest: Sample, coolantTempC: number, current: Sample): Finding['severity'] | undefined {
  const wasWarm = (current.warmestCoolantC ?? 0) >= WARMED_UP_C
  const { ambientTempC, intakeAirTempC } = current.values
  const isColdAir = (ambientTempC ?? intakeAirTempC ?? COLD_AIR_BELOW_C) < COLD_AIR_BELOW_C
  const isMoving = meanSpeedKmh(running) >= DEEP_FROM_KMH
  const fallC = coolantOf(warmest) - coolantTempC
  if (wasWarm && isMoving && fallC >= DEEP_FALL_C) return 'low'
  const fallWithinC = (ms: number) => coolantOf(warmestOf(running.filter(({ atMs }) => current.atMs - atMs <= ms))) - coolantTempC
  const quickFallC = fallWithinC(QUICK_WITHIN_MS)
  // While an engine warms up, cold coolant of the radiator comes in as the thermostat opens: what was not warm has not lost its warmth.
  const wasAbove = coolantOf(warmest) >= FALLEN_BELOW_C
  const isQuick =
    wasAbove && (quickFallC >= DEEP_FALL_C || (quickFallC >= QUICK_FALL_C && fallWithinC(STILL_FALLING_WITHIN_MS) >= STILL_FALLING_C))
  if (isQuick && !isColdAir) return 'low'
  return wasWarm ? 'info' : undefined
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
