// The gated observations of one vehicle in time order, each with the regime its engine was in. Rules read this and nothing else.
import type { LampStates, SignalValues } from '@roadworthy/signals/registry'
import { type Doubt, gateAgainstPrevious, gateInstant, type LastKnown, remember } from './gate.ts'
import { MAX_HISTORY, type Observation, type PredictionInput } from './observation.ts'
import { type SystemVoltage, systemVoltageOf } from './system-voltage.ts'

export type EngineState = 'unknown' | 'off' | 'cranking' | 'running'

export type Sample = {
  readonly atMs: number
  readonly values: SignalValues
  readonly lamps: LampStates
  readonly dtcCodes: readonly string[] | undefined
  readonly engine: EngineState
  /** Time since this start; `undefined` when nothing tells, also while the engine does not run. */
  readonly runningMs: number | undefined
}

export type Timeline = {
  /** The current uninterrupted stretch, oldest first. Never empty: the last one is the observation being judged. */
  readonly samples: readonly Sample[]
  readonly current: Sample
  /** Doubts about the current observation. */
  readonly doubts: readonly Doubt[]
  readonly systemVoltage: SystemVoltage
  /** Over the whole stretch; `undefined` when none was given. */
  readonly warmestCoolantC: number | undefined
  /** Whether the caller keeps history, be it empty so far. If not, a condition is taken as held; if so, it has to be seen to hold. */
  readonly hasHistory: boolean
}

/** Below this an engine is being turned by its starter; no road vehicle idles under 450 rpm. */
const RUNNING_FROM_RPM = 450
const TURNING_FROM_RPM = 30
/** Moving this fast with no engine speed given is taken as driving. */
const DRIVING_FROM_KMH = 10
/** Run time over a day is an hour meter, not the time since this start. */
export const HOUR_METER_FROM_S = 86_400

/**
 * Readings further apart than this do not belong to one stretch of use, unless the device always reports that rarely. 5 min is longer
 * than any traffic stop-start cut-out and shorter than a parking.
 */
const MIN_STRETCH_GAP_MS = 5 * 60_000
const MAX_STRETCH_GAP_MS = 6 * 3_600_000
const STRETCH_GAP_FACTOR = 3

export function buildTimeline(input: PredictionInput): Timeline {
  const earlier = earlierThan(input)
  const start = stretchStart(earlier, input.recordedAtMs)
  const doubts: Doubt[] = []
  const samples: Sample[] = []
  const lastKnown: LastKnown = {}
  let warmestCoolantC: number | undefined
  for (let index = start; index <= earlier.length; index++) {
    const observation = earlier[index] ?? input
    const report = index === earlier.length ? doubts : undefined
    const values = gateInstant(observation.signals, report)
    gateAgainstPrevious(values, observation.recordedAtMs, lastKnown, report)
    remember(lastKnown, values, observation.recordedAtMs)
    const { coolantTempC } = values
    if (coolantTempC !== undefined && coolantTempC > (warmestCoolantC ?? Number.NEGATIVE_INFINITY)) warmestCoolantC = coolantTempC
    samples.push(toSample(observation, values, samples[samples.length - 1]))
  }
  const current = samples[samples.length - 1] as Sample
  const systemVoltage = systemVoltageOf(earlier, current.values.batteryVoltageV)
  return { samples, current, doubts, systemVoltage, warmestCoolantC, hasHistory: input.history !== undefined }
}

/** At most `MAX_HISTORY`, in time order, none later than the observation being judged. A sorted history is not copied. */
function earlierThan(input: PredictionInput): readonly Observation[] {
  const history = input.history ?? []
  let earlier = history.length > MAX_HISTORY ? history.slice(-MAX_HISTORY) : history
  if (!earlier.every((observation, index) => index === 0 || observation.recordedAtMs >= (earlier[index - 1]?.recordedAtMs ?? 0))) {
    earlier = earlier.toSorted((a, b) => a.recordedAtMs - b.recordedAtMs)
  }
  const isLater = (observation: Observation) => observation.recordedAtMs > input.recordedAtMs
  return earlier.some(isLater) ? earlier.filter((observation) => !isLater(observation)) : earlier
}

/** Index of the first earlier observation that belongs to the stretch of use the current one is in. */
function stretchStart(earlier: readonly Observation[], currentAtMs: number): number {
  const gapsMs = earlier.map((observation, index) => (earlier[index + 1]?.recordedAtMs ?? currentAtMs) - observation.recordedAtMs)
  if (gapsMs.every((gapMs) => gapMs <= MIN_STRETCH_GAP_MS)) return 0
  const medianMs = gapsMs.toSorted((a, b) => a - b)[gapsMs.length >> 1] ?? 0
  const limitMs = Math.min(MAX_STRETCH_GAP_MS, Math.max(MIN_STRETCH_GAP_MS, STRETCH_GAP_FACTOR * medianMs))
  return gapsMs.findLastIndex((gapMs) => gapMs > limitMs) + 1
}

function toSample(observation: Observation, values: SignalValues, before: Sample | undefined): Sample {
  const engine = engineStateOf(values)
  const runningMs = engine === 'running' ? runningMsOf(observation, values, before) : undefined
  return { atMs: observation.recordedAtMs, values, lamps: observation.lamps, dtcCodes: observation.dtcCodes, engine, runningMs }
}

function engineStateOf({ engineSpeedRpm, vehicleSpeedKmh }: SignalValues): EngineState {
  if (engineSpeedRpm === undefined) return (vehicleSpeedKmh ?? 0) >= DRIVING_FROM_KMH ? 'running' : 'unknown'
  if (engineSpeedRpm >= RUNNING_FROM_RPM) return 'running'
  return engineSpeedRpm >= TURNING_FROM_RPM ? 'cranking' : 'off'
}

/** The engine's own counter where there is one, else what the stretch shows. */
function runningMsOf(observation: Observation, values: SignalValues, before: Sample | undefined): number | undefined {
  const counterS = values.engineRunTimeS
  if (counterS !== undefined && counterS < HOUR_METER_FROM_S) return counterS * 1000
  if (before?.engine === 'off' || before?.engine === 'cranking') return 0
  return before?.runningMs === undefined ? undefined : before.runningMs + (observation.recordedAtMs - before.atMs)
}
