// A clutch, or a converter that should be locked, that lets the engine turn faster than its gear. In one gear engine speed and road speed keep one
// ratio whatever the load, and the vehicle's own readings show which.
import { scoreAt } from '../components.ts'
import { type Finding, formatDuration, formatNumber } from '../finding.ts'
import type { Sample } from '../inputs/sample.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { statedIn } from '../provenance.ts'
import type { VehicleTraits } from '../vehicle/vehicle-traits.ts'

/** When a vehicle moves off, clutches and converters slip on purpose. */
const FROM_GEAR = 3
const FROM_KMH = 30
/** Not idling with the clutch down. */
const FROM_RPM = 1200

const SLIPS_FROM = 0.12
/** More is the low range of a transfer case. */
const SLIPS_TO = 0.5
const HOLD_MS = 8_000
const LEAST_READINGS = 4
/** In a longer silence gears may have been changed there and back. */
const MOST_GAP_MS = 10_000
/** A vehicle that slows down by more has its clutch down or changes gears. */
const LEAST_SPEED_KEPT = 0.95
/** Vehicle speed is reported this much later than engine speed, at most. */
const SPEED_LATE_MS = 3_000
/** A clutch that holds while the engine pulls does not slip while it pulls less. */
const THROTTLE_SLACK_PCT = 2

/**
 * What a gear's ratio is: the lower quartile of its readings, if nearly half of them are close to it, hardly any is below, and these last longer
 * than a vehicle rolls with its clutch down.
 */
const HABIT_AT = 0.25
const LEAST_HABIT_READINGS = 10
const LEAST_HABIT_MS = 15_000
const CLOSE_FROM = 0.05
const CLOSE_TO = 0.45
const CLOSE_WITHIN = 0.05
const MEDIAN = 0.5

/** A converter that is not locked slips under load too. From this speed on it passes on more torque than an engine gives, at so much slip. */
const BEYOND_CONVERTERS = { fromRpm: 3_000, slipsFrom: 0.2 }

const SOUND_CARS =
  'Toyota Etios and Seat Leon, both with manual gearboxes, 54 h: the most that they showed for 8 s was 4 %, at 0.5 to 10 s a reading and also with gears reported 2.5 s late, and 10 % with a vehicle speed that was 2 s late. Their gears are inferred from the two speeds and held where these fit none.'

export const clutchSlipNumbers = statedIn('clutch-slip', [
  [{ SLIPS_FROM }, 'share', 'data', SOUND_CARS],
  [{ HOLD_MS, SPEED_LATE_MS }, 'ms', 'data', SOUND_CARS],
  [{ FROM_GEAR }, 'gear', 'assumption', 'When a vehicle moves off, clutches and converters slip on purpose.'],
  [{ FROM_KMH }, 'km/h', 'assumption', 'When a vehicle moves off, clutches and converters slip on purpose.'],
  [{ FROM_RPM }, 'rpm', 'assumption', 'Not idling with the clutch down.'],
  [{ SLIPS_TO }, 'share', 'assumption', 'More is the low range of a transfer case.'],
  [{ LEAST_READINGS, LEAST_HABIT_READINGS }, 'readings', 'assumption', 'No single reading decides.'],
  [{ MOST_GAP_MS }, 'ms', 'assumption', 'In a longer silence gears may have been changed there and back.'],
  [{ LEAST_SPEED_KEPT }, 'share', 'assumption', 'A vehicle that slows down by more has its clutch down or changes gears.'],
  [{ THROTTLE_SLACK_PCT }, '%', 'assumption', 'Sensors of the throttle are this exact.'],
  [{ LEAST_HABIT_MS }, 'ms', 'assumption', 'Longer than a vehicle rolls with its clutch down.'],
  [
    { HABIT_AT, CLOSE_FROM, CLOSE_TO, CLOSE_WITHIN, MEDIAN },
    'share',
    'assumption',
    'The ratio of a gear is the lower quartile of its readings, where nearly half of them are close to it and hardly any is below.',
  ],
  [
    { BEYOND_CONVERTERS },
    { fromRpm: 'rpm', slipsFrom: 'share' },
    'assumption',
    'A converter passes on torque by the square of engine speed: stall at 2200 to 2800 rpm, 0.7 of the torque at stall passed on at a speed ratio of 0.83 (textbook curves).',
  ],
])

type Reading = {
  readonly atMs: number
  readonly gear: number
  readonly rpm: number
  readonly kmh: number
  readonly throttlePct: number | undefined
}
type Habit = { readonly rpmPerKmh: number; readonly throttlePct: number | undefined }
type Slip = {
  readonly gear: number
  /** By which the engine turned faster than the gear, at least. */
  readonly share: number
  readonly leastRpm: number
  readonly lastedMs: number
}

/** Lock their converters from the second gear on at the latest. Assumption. */
const locksEarly: ReadonlySet<VehicleTraits['vehicleClass']> = new Set(['heavy_truck', 'bus'])

export function findClutchSlip({ samples, traits }: Timeline): Finding | undefined {
  if (samples.length <= LEAST_HABIT_READINGS || !isGearReported(samples)) return undefined
  const readings = readingsInGear(samples)
  const slip = worstSlip(readings)
  if (slip === undefined) return undefined
  const isStepped = readings.some(({ gear }) => gear > 0 && gear !== slip.gear)
  const isBeyondConverters = slip.leastRpm >= BEYOND_CONVERTERS.fromRpm && slip.share >= BEYOND_CONVERTERS.slipsFrom && isStepped
  const isFault = isBeyondConverters || locksEarly.has(traits.vehicleClass)
  const percent = Math.round(100 * slip.share)
  return {
    type: 'clutch_slipping',
    component: 'transmission',
    severity: isFault ? 'low' : 'info',
    score: isFault ? scoreAt.low : 100,
    description: 'Engine turns faster than its gear',
    message: `In gear ${slip.gear} the engine turned at least ${percent} % faster for ${formatDuration(slip.lastedMs)} than this gear does at that road speed, more than ${formatNumber(100 * SLIPS_FROM)} %`,
    recommendation: isFault
      ? 'Have the clutch or the converter lock-up checked: it slips, heats up and wears the more'
      : 'Keep an eye on it, and have the clutch checked if this comes back; a torque converter that is not locked does so under load and is sound',
    code: undefined,
    evidence: {
      signal: 'currentGear',
      value: slip.gear,
      slipPct: percent,
      thresholdPct: 100 * SLIPS_FROM,
      heldSeconds: Math.round(slip.lastedMs / 1000),
    },
  }
}

/** Nearly every input ends here. */
function isGearReported(samples: readonly Sample[]): boolean {
  for (const { values } of samples) if (values.currentGear !== undefined && values.currentGear >= FROM_GEAR) return true
  return false
}

function readingsInGear(samples: readonly Sample[]): Reading[] {
  const readings: Reading[] = []
  for (const { atMs, values } of samples) {
    const { currentGear: gear, engineSpeedRpm: rpm, vehicleSpeedKmh: kmh, throttlePct } = values
    if (gear === undefined || rpm === undefined || kmh === undefined) continue
    readings.push({ atMs, gear, rpm, kmh, throttlePct })
  }
  return readings
}

function worstSlip(readings: readonly Reading[]): Slip | undefined {
  const habits = new Map<number, Habit | undefined>()
  let worst: Slip | undefined
  let run: { reading: Reading; share: number }[] = []
  for (let index = 0; index < readings.length; index++) {
    const reading = readings[index] as Reading
    if (!isSameGear(reading, readings[index - 1])) run = []
    const share = isJudgeable(reading) ? slipOf(readings, index, habits) : undefined
    if (share === undefined) {
      run = []
      continue
    }
    run = run.filter(({ reading: before }) => reading.kmh >= before.kmh * LEAST_SPEED_KEPT)
    run.push({ reading, share })
    const lastedMs = reading.atMs - (run[0]?.reading.atMs ?? 0)
    if (run.length < LEAST_READINGS || lastedMs < HOLD_MS) continue
    const least = Math.min(...run.map((each) => each.share))
    if (worst !== undefined && least < worst.share) continue
    worst = { gear: reading.gear, share: least, leastRpm: Math.min(...run.map((each) => each.reading.rpm)), lastedMs }
  }
  return worst
}

/** By which the engine turns faster than its gear; `undefined` where it does not, or where it is no slip of a clutch. */
function slipOf(readings: readonly Reading[], index: number, habits: Map<number, Habit | undefined>): number | undefined {
  const reading = readings[index] as Reading
  const { gear, rpm, kmh, throttlePct } = reading
  if (!habits.has(gear)) habits.set(gear, habitOf(readings, gear))
  const habit = habits.get(gear)
  // Nearly every reading ends here.
  if (habit === undefined || rpm < kmh * habit.rpmPerKmh * (1 + SLIPS_FROM)) return undefined
  if (throttlePct !== undefined && habit.throttlePct !== undefined && throttlePct < habit.throttlePct - THROTTLE_SLACK_PCT) return undefined
  const share = rpm / (fastestSoonKmh(readings, index) * habit.rpmPerKmh) - 1
  return share >= SLIPS_FROM && share <= SLIPS_TO ? share : undefined
}

/** The highest road speed of this reading, the next one and those within `SPEED_LATE_MS`, while the gear stays in. */
function fastestSoonKmh(readings: readonly Reading[], index: number): number {
  const { atMs, gear, kmh } = readings[index] as Reading
  let fastestKmh = kmh
  for (let at = index + 1; at < readings.length; at++) {
    const later = readings[at] as Reading
    if (later.gear !== gear || (at > index + 1 && later.atMs - atMs > SPEED_LATE_MS)) break
    fastestKmh = Math.max(fastestKmh, later.kmh)
  }
  return fastestKmh
}

/** Of the readings with this gear before and after them. */
function habitOf(readings: readonly Reading[], gear: number): Habit | undefined {
  const inGear: Reading[] = []
  const lastedMs: number[] = []
  for (let index = 1; index < readings.length; index++) {
    const reading = readings[index] as Reading
    const before = readings[index - 1] as Reading
    if (reading.gear !== gear || !isJudgeable(reading) || !isSameGear(reading, before)) continue
    if ((readings[index + 1]?.gear ?? gear) !== gear) continue
    inGear.push(reading)
    lastedMs.push(reading.atMs - before.atMs)
  }
  const ratios = Float64Array.from(inGear, ratioOf).sort()
  const rpmPerKmh = quantile(ratios, HABIT_AT)
  const [lowest, highest] = [rpmPerKmh * (1 - CLOSE_WITHIN), rpmPerKmh * (1 + CLOSE_WITHIN)]
  if (quantile(ratios, CLOSE_FROM) < lowest || quantile(ratios, CLOSE_TO) > highest) return undefined
  const isClose = (reading: Reading) => ratioOf(reading) >= lowest && ratioOf(reading) <= highest
  const close = inGear.filter(isClose)
  const closeMs = inGear.reduce((sum, reading, index) => (isClose(reading) ? sum + (lastedMs[index] ?? 0) : sum), 0)
  if (close.length < LEAST_HABIT_READINGS || closeMs < LEAST_HABIT_MS) return undefined
  const throttles = Float64Array.from(close.flatMap(({ throttlePct }) => throttlePct ?? [])).sort()
  return { rpmPerKmh, throttlePct: throttles.length === 0 ? undefined : quantile(throttles, MEDIAN) }
}

const ratioOf = ({ rpm, kmh }: Reading) => rpm / kmh

const isJudgeable = ({ gear, kmh, rpm }: Reading) => gear >= FROM_GEAR && kmh >= FROM_KMH && rpm >= FROM_RPM

const isSameGear = (reading: Reading, before: Reading | undefined) =>
  before !== undefined && before.gear === reading.gear && reading.atMs - before.atMs <= MOST_GAP_MS

const quantile = (sorted: Float64Array, share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
