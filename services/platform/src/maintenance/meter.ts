// The odometer and the hour meter of a vehicle as they are kept. Pure.

/** What the meters stand at. Kilometres are what the vehicle reports plus `odometerOffsetKm`. */
export type Meter = {
  readonly odometerKm: number | undefined
  readonly odometerAt: Date | undefined
  readonly odometerOffsetKm: number
  /** From when on the offset holds; undefined while nobody corrected anything. */
  readonly correctedAt: Date | undefined
  readonly engineHours: number | undefined
  readonly engineHoursAt: Date | undefined
  readonly runTimeS: number | undefined
}

/** The newest that a vehicle reported, as it reported it. */
export type ReportedMeters = {
  readonly odometer: { readonly km: number; readonly at: Date } | undefined
  /** Since this start of the engine, or of its whole life: which of the two a vehicle reports differs. */
  readonly runTime: RunTime | undefined
}

export type RunTime = { readonly s: number; readonly at: Date }

export type MeterStep = { readonly meter: Meter; readonly drivenKm: number; readonly ranHours: number }

export const newMeter: Meter = {
  odometerKm: undefined,
  odometerAt: undefined,
  odometerOffsetKm: 0,
  correctedAt: undefined,
  engineHours: undefined,
  engineHoursAt: undefined,
  runTimeS: undefined,
}

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** Faster than any road vehicle over a stretch between two readings; what is further ahead is a wrong reading. */
const MAX_KM_PER_HOUR = 200
const JUMP_SLACK_KM = 5
/** Smaller steps wait for the next reading, so that a vehicle that reports every second is not written every second. */
const LEAST_STEP_KM = 1
const LEAST_STEP_HOURS = 0.05
const RUN_TIME_SLACK_HOURS = 0.02

/**
 * One reading on. `undefined` where nothing changes that is worth keeping: it reported nothing newer, or nothing that may be believed. `between`: where the
 * engine was started since the meter was read, what was reported before and after each start, oldest first.
 */
export function advanceMeter(meter: Meter, reported: ReportedMeters, between: readonly RunTime[] = []): MeterStep | undefined {
  const odometer = reported.odometer === undefined ? undefined : stepOdometer(meter, reported.odometer)
  const runTime = reported.runTime === undefined ? undefined : stepRunTime(meter, reported.runTime, between)
  if (odometer === undefined && runTime === undefined) return undefined
  return {
    meter: { ...meter, ...odometer?.changed, ...runTime?.changed },
    drivenKm: odometer?.drivenKm ?? 0,
    ranHours: runTime?.ranHours ?? 0,
  }
}

/** Forward only, and not by more than can have been driven. */
function stepOdometer(meter: Meter, reported: { km: number; at: Date }) {
  const odometerKm = reported.km + meter.odometerOffsetKm
  const changed = { odometerKm, odometerAt: reported.at }
  // A dongle that cannot read the odometer reports 0.
  if (meter.odometerKm === undefined || meter.odometerAt === undefined) return reported.km > 0 ? { changed, drivenKm: 0 } : undefined
  const elapsedMs = reported.at.getTime() - meter.odometerAt.getTime()
  const drivenKm = odometerKm - meter.odometerKm
  if (elapsedMs <= 0 || drivenKm < 0 || drivenKm > JUMP_SLACK_KM + (MAX_KM_PER_HOUR * elapsedMs) / HOUR_MS) return undefined
  return drivenKm >= LEAST_STEP_KM || isOtherDay(reported.at, meter.odometerAt) ? { changed, drivenKm } : undefined
}

/**
 * Whether what runs now was started after the meter was read: what ran in between has to be looked for. Never so of a vehicle that reports the run time of
 * its whole life.
 */
export function isStartedSince({ engineHoursAt }: Meter, { runTime }: ReportedMeters): boolean {
  return runTime !== undefined && engineHoursAt !== undefined && beganAfter(runTime, engineHoursAt)
}

function beganAfter({ s, at }: RunTime, before: Date): boolean {
  return at.getTime() - s * 1000 > before.getTime()
}

type Hours = { readonly engineHours: number; readonly engineHoursAt: Date; readonly runTimeS: number }

function stepRunTime(
  { engineHours, engineHoursAt, runTimeS }: Meter,
  reported: RunTime,
  between: readonly RunTime[],
): { changed: Hours; ranHours: number } | undefined {
  if (engineHours === undefined || engineHoursAt === undefined || runTimeS === undefined) {
    const changed = { engineHours: engineHours ?? reported.s / 3600, engineHoursAt: reported.at, runTimeS: reported.s }
    return { changed, ranHours: 0 }
  }
  if (reported.at <= engineHoursAt) return undefined
  const changed = [...between, reported].reduce(growHours, { engineHours, engineHoursAt, runTimeS })
  const ranHours = changed.engineHours - engineHours
  // Moved even if it did not run for long: what is before it is not looked for again.
  const isOtherStart = reported.s < runTimeS || beganAfter(reported, engineHoursAt)
  return isOtherStart || ranHours >= LEAST_STEP_HOURS || isOtherDay(reported.at, engineHoursAt) ? { changed, ranHours } : undefined
}

/** By what a run time grew: a smaller one than before is another start, or another hour meter. */
function growHours(hours: Hours, { s, at }: RunTime): Hours {
  const elapsedHours = (at.getTime() - hours.engineHoursAt.getTime()) / HOUR_MS
  if (elapsedHours <= 0) return hours
  const grownHours = Math.min((s < hours.runTimeS ? s : s - hours.runTimeS) / 3600, elapsedHours + RUN_TIME_SLACK_HOURS)
  return { engineHours: hours.engineHours + grownHours, engineHoursAt: at, runTimeS: s }
}

function isOtherDay(a: Date, b: Date): boolean {
  return Math.floor(a.getTime() / DAY_MS) !== Math.floor(b.getTime() / DAY_MS)
}

/** What the odometer was known to show before and after a time. */
export type OdometerAround = {
  readonly before: { readonly km: number; readonly at: Date } | undefined
  readonly after: { readonly km: number; readonly at: Date } | undefined
}

/** On the straight line between what was known before and after; at its end what was known last. */
export function odometerAt(at: Date, { before, after }: OdometerAround): number | undefined {
  if (before === undefined || after === undefined) return before?.km
  const spanMs = after.at.getTime() - before.at.getTime()
  const share = spanMs <= 0 ? 0 : (at.getTime() - before.at.getTime()) / spanMs
  return Math.round((before.km + share * (after.km - before.km)) * 10) / 10
}

/** Instrument clusters and trackers differ by this much without either being wrong. */
const READING_SLACK_KM = 100
const READING_SLACK_SHARE = 0.01

/** Between what kilometres an odometer must have stood, by what was known before and after. */
export function odometerRange(at: Date, { before, after }: OdometerAround): { minKm: number; maxKm: number } {
  const slackOf = (km: number) => READING_SLACK_KM + READING_SLACK_SHARE * km
  const minKm = before === undefined ? 0 : Math.max(0, before.km - slackOf(before.km))
  if (after !== undefined) return { minKm, maxKm: after.km + slackOf(after.km) }
  if (before === undefined) return { minKm, maxKm: Number.POSITIVE_INFINITY }
  const reachKm = (MAX_KM_PER_HOUR * (at.getTime() - before.at.getTime())) / HOUR_MS
  return { minKm, maxKm: before.km + slackOf(before.km) + reachKm }
}
