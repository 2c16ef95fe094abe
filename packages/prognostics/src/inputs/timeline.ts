// The gated observations of one vehicle in time order, each with the regime its engine was in. Rules read this and nothing else.
import { HOUR_METER_FROM_S, lampNames, type SignalValues, signalNames } from '@roadworthy/signals/registry'
import { findRegulatedRests } from '../detection/charge-control.ts'
import { lastStartOf, type Start } from '../detection/starting.ts'
import { statedIn } from '../provenance.ts'
import { describedPowertrain, type Powertrain, traitsOf, type VehicleTraits } from '../vehicle/vehicle-traits.ts'
import { type Doubt, gateAgainstPrevious, gateInstant, type LastKnown, remember } from './gate.ts'
import { MAX_HISTORY, type Observation, type PredictionInput } from './observation.ts'
import type { EngineState, Sample } from './sample.ts'
import { type SystemVoltage, systemVoltageOf } from './system-voltage.ts'

export type Timeline = {
  /** The current uninterrupted stretch, oldest first. Never empty: the last one is the observation being judged. */
  readonly samples: readonly Sample[]
  readonly current: Sample
  /** Doubts about the current observation. */
  readonly doubts: readonly Doubt[]
  readonly systemVoltage: SystemVoltage
  readonly traits: VehicleTraits
  /** Readings of an alternator that rests because it is regulated to. */
  readonly regulatedRests: ReadonlySet<Sample>
  readonly lastStart: Start | undefined
  /** The stretch as it was sent, oldest first and not gated. */
  readonly sent: readonly Observation[]
  /** What was sent before the stretch, oldest first and not gated. */
  readonly earlierStretches: readonly Observation[]
  /** How long a confirmed condition stands while nothing is reported that its rule can judge. */
  readonly memoryMs: number
  /** Whether the caller keeps history, be it empty so far. If not, a condition is taken as held; if so, it has to be seen to hold. */
  readonly hasHistory: boolean
}

/** Below this an engine is being turned by its starter. */
const RUNNING_FROM_RPM = 450
const TURNING_FROM_RPM = 30
/** Moving this fast with no engine speed given is taken as driving. */
const DRIVING_FROM_KMH = 10

/**
 * Readings further apart than this do not belong to one stretch of use, unless the device paused alike shortly before: it reports that
 * rarely then, be it once a day, or a few messages at a time.
 */
const STRETCH_GAP_MS = 5 * 60_000
const ALIKE_FACTOR = 3
const GAPS_LOOKED_BACK = 8

/** After this long without a word the vehicle may have been parked and driven again. */
const PAUSE_FROM_MS = 15 * 60_000

const MIN_MEMORY_MS = 120_000

/** A device of a vehicle that sleeps is silent for as long as this between two reports. */
const ASLEEP_FROM_MS = 5 * 60_000
const RESTED_AFTER_MS = 3_600_000

export const timelineNumbers = statedIn('timeline', [
  [{ RUNNING_FROM_RPM }, 'rpm', 'assumption', 'No road vehicle idles slower.'],
  [{ TURNING_FROM_RPM }, 'rpm', 'assumption', 'Less is noise of a sensor.'],
  [{ DRIVING_FROM_KMH }, 'km/h', 'assumption', 'Faster than a vehicle is pushed.'],
  [{ HOUR_METER_FROM_S }, 's', 'assumption', 'Nobody drives for a day without switching off.'],
  [
    { STRETCH_GAP_MS },
    'ms',
    'assumption',
    'Longer than any stop-start system switches an engine off in traffic, and shorter than a parking.',
  ],
  [{ ALIKE_FACTOR }, 'times', 'assumption', 'A device that reports at an interval of its own is late by less than that.'],
  [{ GAPS_LOOKED_BACK }, 'gaps', 'assumption', 'Trackers that wake up to report send fewer messages at a time.'],
  [{ PAUSE_FROM_MS }, 'ms', 'assumption', 'An engine may have cooled by 20 °C by then, and the vehicle may have been driven elsewhere.'],
  [{ MIN_MEMORY_MS }, 'ms', 'assumption', 'Signals come at rates of their own, seldom further apart.'],
  [{ ASLEEP_FROM_MS }, 'ms', 'assumption', 'Devices of a vehicle that is awake report more often.'],
  [{ RESTED_AFTER_MS }, 'ms', 'assumption', "By then control units sleep, and what charging left on the battery's plates is gone."],
])

export function buildTimeline(input: PredictionInput): Timeline {
  const earlier = earlierThan(input)
  const gapsMs = earlier.map((observation, index) => (earlier[index + 1]?.recordedAtMs ?? input.recordedAtMs) - observation.recordedAtMs)
  const start = gapsMs.findLastIndex((_, index) => isBreak(gapsMs, index)) + 1
  const doubts: Doubt[] = []
  const samples: Sample[] = []
  const lastKnown: LastKnown = {}
  const powertrain = describedPowertrain(input.vehicle)
  let silentMs = 0
  for (let index = start; index <= earlier.length; index++) {
    const observation = earlier[index] ?? input
    const report = index === earlier.length ? doubts : undefined
    const values = gateInstant(observation.signals, report)
    gateAgainstPrevious(values, observation.recordedAtMs, lastKnown, report)
    // What is judged is before nothing.
    if (index < earlier.length) remember(lastKnown, values, observation.recordedAtMs)
    silentMs = gapsMs[index - 1] || silentMs
    samples.push(toSample(observation, values, samples[samples.length - 1], silentMs, powertrain))
  }
  const current = samples[samples.length - 1] as Sample
  const systemVoltage = systemVoltageOf(earlier, current.values.batteryVoltageV, input.vehicle?.batteryNominalV)
  // Two reports of a device that reports rarely: one that leaves a signal out does not end the condition of the ones around it.
  const memoryMs = Math.max(MIN_MEMORY_MS, 2 * Math.max(0, ...gapsMs.slice(start).filter(isApart).slice(-GAPS_LOOKED_BACK)))
  const earlierStretches = earlier.slice(0, start)
  const sent = samples.length === 1 ? [] : [...earlier.slice(start), input]
  const regulatedRests = findRegulatedRests(samples, systemVoltage)
  return {
    samples,
    current,
    doubts,
    systemVoltage,
    traits: traitsOf(input, earlier, systemVoltage),
    regulatedRests,
    lastStart: lastStartOf(samples, systemVoltage),
    sent,
    earlierStretches,
    memoryMs,
    hasHistory: input.history !== undefined,
  }
}

/** At most `MAX_HISTORY`, in time order, none twice and none later than the observation being judged. A sorted history is not copied. */
function earlierThan(input: PredictionInput): readonly Observation[] {
  const history = input.history ?? []
  let earlier = history.length > MAX_HISTORY ? history.slice(-MAX_HISTORY) : history
  if (!earlier.every((observation, index) => index === 0 || observation.recordedAtMs >= (earlier[index - 1]?.recordedAtMs ?? 0))) {
    earlier = earlier.toSorted((a, b) => a.recordedAtMs - b.recordedAtMs)
  }
  const isLater = (observation: Observation) => observation.recordedAtMs > input.recordedAtMs
  if (earlier.some(isLater)) earlier = earlier.filter((observation) => !isLater(observation))
  return withoutRepeats(earlier, input)
}

/** Who sends all that is kept of a vehicle sends the reading being judged as well. Two reports of one instant may each have a part of it: both count. */
function withoutRepeats(earlier: readonly Observation[], input: PredictionInput): readonly Observation[] {
  const after = (index: number): Observation => earlier[index + 1] ?? input
  if (!earlier.some(({ recordedAtMs }, index) => recordedAtMs === after(index).recordedAtMs)) return earlier
  return earlier.filter((observation, index) => {
    for (let at = index; at < earlier.length && after(at).recordedAtMs === observation.recordedAtMs; at++)
      if (isSame(observation, after(at))) return false
    return true
  })
}

function isSame(one: Observation, other: Observation): boolean {
  return (
    signalNames.every((name) => one.signals[name] === other.signals[name]) &&
    lampNames.every((name) => one.lamps[name] === other.lamps[name]) &&
    one.dtcCodes?.length === other.dtcCodes?.length &&
    (one.dtcCodes ?? []).every((code, index) => code === other.dtcCodes?.[index])
  )
}

/** Reports of one instant show nothing of how often the device reports. */
const isApart = (gapMs: number) => gapMs > 0

/** Where the interval of the device is unknown, its first gap is taken as its usual one. */
function isBreak(gapsMs: readonly number[], index: number): boolean {
  const gapMs = gapsMs[index] ?? 0
  if (gapMs <= STRETCH_GAP_MS) return false
  const before = gapsMs.slice(0, index).filter(isApart).slice(-GAPS_LOOKED_BACK)
  return before.length > 0 && before.every((beforeMs) => beforeMs * ALIKE_FACTOR < gapMs)
}

/** `silentMs` since the last report of another instant, be it of an earlier stretch. */
function toSample(
  observation: Observation,
  values: SignalValues,
  before: Sample | undefined,
  silentMs: number,
  powertrain: Powertrain | undefined,
): Sample {
  const { recordedAtMs: atMs, lamps, dtcCodes } = observation
  const engine = engineStateOf(values, powertrain)
  const isAfterPause = before !== undefined && atMs - before.atMs > PAUSE_FROM_MS
  const runningMs = engine === 'running' ? runningMsOf(atMs, values, before, isAfterPause) : undefined
  const warmestCoolantC = warmestOf(values.coolantTempC, isAfterPause ? undefined : before?.warmestCoolantC)
  const isStanding = engine === 'off' || engine === 'unknown'
  const isAsleep = silentMs >= ASLEEP_FROM_MS
  // A door that is opened wakes the vehicle and the device, which then reports more often: it starts anew.
  const standingMs = isStanding ? (isAsleep || before?.standingMs === undefined ? 0 : before.standingMs + atMs - before.atMs) : undefined
  const isAtRest = isStanding && (isAsleep || (standingMs ?? 0) >= RESTED_AFTER_MS)
  return { atMs, values, lamps, dtcCodes, engine, runningMs, warmestCoolantC, isAfterPause, standingMs, isAtRest }
}

function warmestOf(coolantTempC: number | undefined, beforeC: number | undefined): number | undefined {
  if (coolantTempC === undefined || beforeC === undefined) return coolantTempC ?? beforeC
  return Math.max(coolantTempC, beforeC)
}

/**
 * Of a vehicle without an engine, whether it is on the move, when its converter surely charges the battery. Standing still, with a motor at
 * rest, it may be ready to drive or parked.
 */
export function engineStateOf({ engineSpeedRpm, vehicleSpeedKmh }: SignalValues, powertrain?: Powertrain): EngineState {
  if (powertrain === 'none') return (vehicleSpeedKmh ?? 0) >= DRIVING_FROM_KMH ? 'running' : 'unknown'
  if (powertrain === 'electric') {
    return (vehicleSpeedKmh ?? 0) >= DRIVING_FROM_KMH || (engineSpeedRpm ?? 0) >= RUNNING_FROM_RPM ? 'running' : 'unknown'
  }
  if (engineSpeedRpm === undefined) return (vehicleSpeedKmh ?? 0) >= DRIVING_FROM_KMH ? 'running' : 'unknown'
  if (engineSpeedRpm >= RUNNING_FROM_RPM) return 'running'
  return engineSpeedRpm >= TURNING_FROM_RPM ? 'cranking' : 'off'
}

/** The engine's own counter where there is one, else what the stretch shows. */
function runningMsOf(atMs: number, values: SignalValues, before: Sample | undefined, isAfterPause: boolean): number | undefined {
  const counterS = values.engineRunTimeS
  if (counterS !== undefined && counterS < HOUR_METER_FROM_S) return counterS * 1000
  if (before?.engine === 'off' || before?.engine === 'cranking') return 0
  return before?.runningMs === undefined || isAfterPause ? undefined : before.runningMs + (atMs - before.atMs)
}
