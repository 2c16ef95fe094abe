// A coolant temperature that does not move at all where it should: a sensor that is stuck, or an engine whose heat goes elsewhere. A cold
// engine that runs gets warmer within a minute. Once warm, a sound coolant stands still for minutes, and only driving that changes moves it:
// from where the first thermostats open, what stands still may be in balance, be it 69 °C. Below it no thermostat is open, and coolant stands
// still only where the engine gives little heat: one that is driven has to warm up, and one that idles where it did so while it idled.

import { scoreAt } from '../components.ts'
import { type Finding, formatDuration, formatNumber } from '../finding.ts'
import { meanSpeedKmh } from '../inputs/driving.ts'
import type { Sample } from '../inputs/sample.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { statedIn } from '../provenance.ts'

const INFO_AFTER_MS = 50_000
const INFO_BELOW_C = 70
/** From here on a sound thermostat may hold the coolant where it is. */
const THERMOSTATS_OPEN_FROM_C = 66
/** What idles from here on rises slowly enough to stand still when less heat comes than before. */
const IN_BALANCE_FROM_C = 60
const DRIVEN_FROM_KMH = 10
const ROSE_WITHIN_MS = 60_000
/** The first that fits decides, of those for this air. */
const lowInMildAir = [
  { belowC: 57, fromC: -40, fromKmh: 0, afterMs: 100_000, withinC: 0 },
  { belowC: THERMOSTATS_OPEN_FROM_C, fromC: IN_BALANCE_FROM_C, fromKmh: 0, afterMs: 100_000, withinC: 0 },
  { belowC: 57, fromC: -40, fromKmh: 0, afterMs: 150_000, withinC: 1 },
  { belowC: IN_BALANCE_FROM_C, fromC: 57, fromKmh: 0, afterMs: 115_000, withinC: 0 },
] as const
const MILD_AIR_FROM_C = 10
const lowInAnyAir = [
  { belowC: 57, fromC: -40, fromKmh: 10, afterMs: 100_000, withinC: 0 },
  { belowC: 50, fromC: -40, fromKmh: 0, afterMs: 110_000, withinC: 0 },
  { belowC: 57, fromC: -40, fromKmh: 0, afterMs: 150_000, withinC: 1 },
  { belowC: 60, fromC: -40, fromKmh: 0, afterMs: 115_000, withinC: 0 },
  { belowC: THERMOSTATS_OPEN_FROM_C, fromC: IN_BALANCE_FROM_C, fromKmh: DRIVEN_FROM_KMH, afterMs: 115_000, withinC: 0 },
] as const
/** In such air nothing is expected of an engine that idles. */
const COLD_AIR_BELOW_C = 5
const IN_COLD_AIR = { belowC: 60, fromC: -40, fromKmh: 15, afterMs: 150_000, withinC: 0 } as const
const FREEZING_BELOW_C = 0
const UNKNOWN_AIR_C = COLD_AIR_BELOW_C
const MEDIUM_AFTER_MS = 300_000

/** Who reports once a minute misses what moves in between. */
const LEAST_READINGS_WHEN_WARM = 40
const LOW_WHEN_WARM = [
  { afterMs: 550_000, slowestKmh: 3, spreadKmh: 80 },
  { afterMs: 840_000, slowestKmh: Number.POSITIVE_INFINITY, spreadKmh: 30 },
] as const

/** Fewer readings than this may stand still by chance. */
const LEAST_READINGS = 6
/** In the first seconds after the start no heat has reached the sensor. */
const SETTLED_MS = 30_000
/** A logger that stalls repeats what it last heard: a gap counts as this many of its usual ones. */
const GAP_COUNTS_FOR = 3

const WARMING_UP =
  "Toyota Etios and Seat Leon, 38 h of 83 trips: a sound coolant that warmed up stood still below 57 °C for 30 s, at 57 to 60 °C for 62 s on the move (a heater's circuit opens), at 60 to 70 °C for 30 s; standing, for 29 s at most; within 1 °C: 56, 108 and 60 s. A third car, on whose recordings nothing was chosen, stood at 37 °C for 57 s. So about twice what was seen, as far as a stuck sensor is then still found within 120 s."
const FIRST_THERMOSTATS =
  'Thermostats are made to open from 71 °C (160 °F) on; less 2 °C of theirs and 3 °C of the sensor. That one which opens may stand still: the Leon rose by 6 °C in a minute to 77 °C and stood there for 634 s, the Etios at 88 °C for 181 s; a car of another make stood at 69 °C for 108 s.'
const LITTLE_HEAT =
  'The Leon came to a stop at 63 °C in air of 24 °C and stayed within 1 °C for 100 s: 25 s without a change, 16 s of them falling.'
const WINTER =
  'A small diesel in winter warms up by 1 °C a minute at idle and tops out below 74 °C: it has to move, be cold, or take longer. No recording of a winter is at hand.'
const WHEN_WARM =
  'Toyota Etios and Seat Leon, all 118 trips: a sound warm coolant stood still for 562 s in a jam of 0 to 53 km/h, 443 s cruising, 391 s idling, and 360 s where a stop and 80 km/h were in it. Reported after half as long again; standing shows nothing.'
const BENCHMARK =
  'A coolant that sticks while warming up is found within 120 s of when it shows in nine of ten trips at least, where it is reported every 1 to 10 s; none is reported on sound trips.'
const LIMIT_UNITS = { belowC: '°C', fromC: '°C', fromKmh: 'km/h', afterMs: 'ms', withinC: '°C' }

export const stuckCoolantNumbers = statedIn('stuck-coolant', [
  [{ INFO_AFTER_MS }, 'ms', 'data', WARMING_UP],
  [{ INFO_BELOW_C }, '°C', 'data', WARMING_UP],
  [{ lowInMildAir }, LIMIT_UNITS, 'data', WARMING_UP],
  [{ lowInAnyAir }, LIMIT_UNITS, 'assumption', `${WINTER} In milder air as lowInMildAir.`],
  [{ IN_COLD_AIR }, LIMIT_UNITS, 'assumption', WINTER],
  [{ THERMOSTATS_OPEN_FROM_C }, '°C', 'assumption', FIRST_THERMOSTATS],
  [{ IN_BALANCE_FROM_C }, '°C', 'data', LITTLE_HEAT],
  [{ DRIVEN_FROM_KMH }, 'km/h', 'assumption', 'Moving in traffic takes several times the heat of idling, more than a heater carries off.'],
  [{ ROSE_WITHIN_MS }, 'ms', 'assumption', 'The coolant of the whole engine has gone round several times by then.'],
  [{ MILD_AIR_FROM_C, COLD_AIR_BELOW_C, FREEZING_BELOW_C, UNKNOWN_AIR_C }, '°C', 'assumption', WINTER],
  [{ MEDIUM_AFTER_MS }, 'ms', 'assumption', 'Five times as long as any sound coolant stood still while it warmed up.'],
  [{ LOW_WHEN_WARM }, { afterMs: 'ms', slowestKmh: 'km/h', spreadKmh: 'km/h' }, 'data', WHEN_WARM],
  [{ LEAST_READINGS_WHEN_WARM, LEAST_READINGS }, 'readings', 'benchmark', BENCHMARK],
  [{ SETTLED_MS }, 'ms', 'benchmark', BENCHMARK],
  [{ GAP_COUNTS_FOR }, 'usual gaps', 'assumption', 'A device that reports evenly is late by less than that.'],
])

export function findStuckCoolant({ samples, current, hasHistory }: Timeline): Finding | undefined {
  const { coolantTempC } = current.values
  if (!hasHistory || coolantTempC === undefined) return undefined
  const still = stillStretch(samples, coolantTempC, 0)
  if (coolantTempC >= IN_BALANCE_FROM_C && isStuckWhenWarm(still)) return stuckWhenWarm(coolantTempC, coveredMs(still))
  if (coolantTempC >= INFO_BELOW_C) return undefined
  const airC = current.values.ambientTempC ?? current.values.intakeAirTempC ?? UNKNOWN_AIR_C
  if (airC < FREEZING_BELOW_C) return undefined
  for (const { belowC, fromC, fromKmh, afterMs, withinC } of limitsIn(airC)) {
    if (coolantTempC >= belowC || coolantTempC < fromC) continue
    const stretch = withinC === 0 ? still : stillStretch(samples, coolantTempC, withinC)
    const lastedMs = coveredMs(stretch)
    const speedKmh = meanSpeedKmh(stretch)
    if (stretch.length < LEAST_READINGS || lastedMs < afterMs || speedKmh < fromKmh) continue
    if (coolantTempC >= IN_BALANCE_FROM_C && speedKmh < DRIVEN_FROM_KMH && !hadRisen(samples, stretch)) continue
    const isMedium = lastedMs >= MEDIUM_AFTER_MS && speedKmh >= IN_COLD_AIR.fromKmh && coolantTempC < IN_COLD_AIR.belowC
    return stuckWhileWarmingUp(isMedium ? 'medium' : 'low', coolantTempC, lastedMs)
  }
  const lastedMs = coveredMs(still)
  return still.length < LEAST_READINGS || lastedMs < INFO_AFTER_MS ? undefined : stuckWhileWarmingUp('info', coolantTempC, lastedMs)
}

function limitsIn(airC: number) {
  if (airC < COLD_AIR_BELOW_C) return [IN_COLD_AIR]
  return airC < MILD_AIR_FROM_C ? lowInAnyAir : lowInMildAir
}

function stuckWhileWarmingUp(severity: 'info' | 'low' | 'medium', coolantTempC: number, lastedMs: number): Finding {
  return {
    ...fieldsOf(coolantTempC, lastedMs),
    severity,
    score: scoreAt[severity],
    message: `Coolant temperature has stood at ${formatNumber(coolantTempC)} °C for ${formatDuration(lastedMs)} with the engine running and cold, where it should rise`,
    recommendation:
      severity === 'info'
        ? 'Keep an eye on the coolant temperature: check level, thermostat and its sensor when it goes on'
        : 'Check the coolant temperature sensor and its plug, then the thermostat',
  }
}

/** Takes nothing off health: the reading is wrong, and not the temperature of the engine. */
function stuckWhenWarm(coolantTempC: number, lastedMs: number): Finding {
  return {
    ...fieldsOf(coolantTempC, lastedMs),
    severity: 'low',
    score: 100,
    message: `Coolant temperature has stood at ${formatNumber(coolantTempC)} °C for ${formatDuration(lastedMs)} of driving at changing speed, where it should move`,
    recommendation: 'Check the coolant temperature sensor and its plug: as long as it says the same, overheating cannot be detected',
  }
}

function fieldsOf(coolantTempC: number, lastedMs: number) {
  return {
    type: 'coolant_stuck',
    component: 'cooling',
    description: 'Coolant temperature does not move',
    code: undefined,
    evidence: { signal: 'coolantTempC', value: coolantTempC, unit: '°C', heldSeconds: Math.round(lastedMs / 1000) },
  } as const
}

function isStuckWhenWarm(still: readonly Sample[]): boolean {
  const lastedMs = coveredMs(still)
  if (still.length < LEAST_READINGS_WHEN_WARM || lastedMs < LOW_WHEN_WARM[0].afterMs) return false
  const speeds = still.flatMap(({ values: { vehicleSpeedKmh } }) => vehicleSpeedKmh ?? [])
  const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)]
  return LOW_WHEN_WARM.some(
    ({ afterMs, slowestKmh, spreadKmh }) => lastedMs >= afterMs && slowest < slowestKmh && fastest - slowest >= spreadKmh,
  )
}

/** The latest readings that all have this temperature, or one `withinC` of all of them, of an engine that has been running for a while. */
function stillStretch(samples: readonly Sample[], coolantTempC: number, withinC: number): readonly Sample[] {
  let least = coolantTempC
  let most = coolantTempC
  let from = samples.length
  while (from > 0) {
    const { values, engine, runningMs, isAfterPause } = samples[from - 1] as Sample
    least = Math.min(least, values.coolantTempC ?? least)
    most = Math.max(most, values.coolantTempC ?? most)
    const isUnsettled = engine === 'off' || engine === 'cranking' || (runningMs ?? SETTLED_MS) < SETTLED_MS
    if (most - least > withinC || isUnsettled || isAfterPause) break
    from--
  }
  return samples.slice(from).filter(({ values, engine }) => values.coolantTempC !== undefined && engine === 'running')
}

/** It rose to where it stands, and the vehicle moved no faster meanwhile: what warmed it up is still there. */
function hadRisen(samples: readonly Sample[], still: readonly Sample[]): boolean {
  const [first] = still
  if (first === undefined) return false
  const before = samples.filter(({ atMs }) => atMs < first.atMs && first.atMs - atMs <= ROSE_WITHIN_MS)
  const known = before.flatMap(({ values: { coolantTempC } }) => coolantTempC ?? [])
  const isLower = known.length > 0 && known.every((beforeC) => beforeC < (first.values.coolantTempC ?? beforeC))
  return isLower && before.every(({ engine }) => engine === 'running') && meanSpeedKmh(before) <= meanSpeedKmh(still)
}

/** From the first to the last reading, without the time in which nothing was heard. */
function coveredMs(samples: readonly Sample[]): number {
  const gapsMs = samples.slice(1).map(({ atMs }, index) => atMs - (samples[index]?.atMs ?? atMs))
  const usualMs = gapsMs.toSorted((a, b) => a - b)[gapsMs.length >> 1] ?? 0
  return gapsMs.reduce((sum, gapMs) => sum + Math.min(gapMs, GAP_COUNTS_FOR * usualMs), 0)
}
