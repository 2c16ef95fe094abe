// ISO 13374 prognostic assessment: how long each component still lasts, given its use so far and the condition it is in.
import { HOUR_METER_FROM_S } from '@roadworthy/signals/registry'
import { severities } from '@roadworthy/signals/severity'
import { type Scores, splitLamps } from '../assess-health.ts'
import { type Component, coreComponents, rowOf, scoreAt } from '../components.ts'
import type { Incident } from '../incidents.ts'
import type { PredictionInput, ReplacedPart } from '../inputs/observation.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { statedIn } from '../provenance.ts'
import type { VehicleTraits } from '../vehicle/vehicle-traits.ts'
import { classLives, lifeFactorOf } from './class-lives.ts'
import { type LifeModel, USUAL_USE_FACTOR } from './life-models.ts'
import { hazardAtRandomStage, type RandomStage, randomStageOf, randomStageQuantile } from './random-stage.ts'
import { cumulativeHazard, hazardAhead, residualQuantile, type Weibull } from './weibull.ts'

export type Use = {
  readonly odometerKm: number
  readonly ageDays: number
  readonly kmPerDay: number
  /** Whether that is the vehicle's own, and not what is usual. */
  readonly isUseKnown: boolean
  readonly isOdometerKnown: boolean
  readonly isVehicleAgeKnown: boolean
  readonly engineHours: number | undefined
  /** By the hour meter, where the age is known. */
  readonly engineHoursPerDay: number | undefined
  readonly traits: VehicleTraits
  /** How long ago parts were replaced, by component. */
  readonly sinceReplaced: ReadonlyMap<string, PartUse>
  /** What had to be assumed, for the reader. */
  readonly assumed: readonly string[]
}

type PartUse = { readonly km: number; readonly days: number }

export type RemainingLife = {
  readonly component: Component
  readonly medianDays: number
  readonly p10Days: number
  readonly p90Days: number
}
export type Prognosis = {
  readonly remainingLife: readonly RemainingLife[]
  /** Probability that at least one component needs work within `HORIZON_DAYS`. */
  readonly maintenanceProbability: number
}

const HORIZON_DAYS = 30
/** Shares of such parts that have failed: the median, and the ends of the 80 % interval. */
const MEDIAN = 0.5
const P10 = 0.1
const P90 = 0.9
const DAY_MS = 86_400_000
const MIN_KM_PER_DAY = 10
const MAX_KM_PER_DAY = 800
const MIN_AGE_FOR_USE_DAYS = 180

/** Of a vehicle of which only the kind is known. */
export function assumedUse(traits: VehicleTraits): Use {
  const { usualKmPerDay: kmPerDay, usualOdometerKm: odometerKm } = classLives[traits.vehicleClass]
  return {
    odometerKm,
    ageDays: odometerKm / kmPerDay,
    kmPerDay,
    isUseKnown: false,
    isOdometerKnown: false,
    isVehicleAgeKnown: false,
    engineHours: undefined,
    engineHoursPerDay: undefined,
    traits,
    sinceReplaced: nothingReplaced,
    assumed: [],
  }
}

export function useOf(input: PredictionInput, timeline: Timeline): Use {
  const { traits } = timeline
  const { usualKmPerDay, usualOdometerKm } = classLives[traits.vehicleClass]
  const knownKm = timeline.samples.findLast(({ values }) => values.odometerKm !== undefined)?.values.odometerKm
  const { ageDays } = input
  const canLearnUse = knownKm !== undefined && ageDays !== undefined && ageDays >= MIN_AGE_FOR_USE_DAYS
  const kmPerDay = canLearnUse ? Math.min(MAX_KM_PER_DAY, Math.max(MIN_KM_PER_DAY, knownKm / ageDays)) : usualKmPerDay
  const odometerKm = knownKm ?? (ageDays === undefined ? usualOdometerKm : ageDays * kmPerDay)
  const engineHours = hourMeterOf(timeline)
  const assumed: string[] = [...traits.notes]
  if (knownKm === undefined) assumed.push(`No odometer reading: remaining life assumes ${Math.round(odometerKm)} km`)
  if (!canLearnUse) assumed.push(`Remaining life in days assumes ${usualKmPerDay} km a day`)
  return {
    odometerKm,
    ageDays: ageDays ?? odometerKm / kmPerDay,
    kmPerDay,
    isUseKnown: canLearnUse,
    isOdometerKnown: knownKm !== undefined,
    isVehicleAgeKnown: ageDays !== undefined,
    engineHours,
    engineHoursPerDay: hoursPerDayOf(engineHours, ageDays),
    traits,
    sinceReplaced: sinceReplacedOf(input, knownKm, kmPerDay),
    assumed,
  }
}

/** A device that reports it less often than the rest reported it in one of the last readings. */
function hourMeterOf({ samples }: Timeline): number | undefined {
  const runTimeS = samples.findLast(({ values }) => values.engineRunTimeS !== undefined)?.values.engineRunTimeS ?? 0
  return runTimeS >= HOUR_METER_FROM_S ? runTimeS / 3600 : undefined
}

function hoursPerDayOf(engineHours: number | undefined, ageDays: number | undefined): number | undefined {
  if (engineHours === undefined || ageDays === undefined || ageDays < MIN_AGE_FOR_USE_DAYS) return undefined
  // A day has 24 of them, whatever the age that is stated.
  return Math.min(24, engineHours / ageDays)
}

/** A workshop reads the dashboard, a device counts by itself and may be behind. */
const ODOMETER_BEHIND_KM = 1_000

const nothingReplaced: ReadonlyMap<string, PartUse> = new Map()

/**
 * A replacement that is known by distance alone, or by time alone, is known by the other through usual use. Without an odometer a distance
 * is ignored, as is one that the vehicle is far from having reached; a part that is known by such a distance alone is one of unknown age.
 */
function sinceReplacedOf(
  { recordedAtMs, replacedParts = [] }: PredictionInput,
  odometerKm: number | undefined,
  kmPerDay: number,
): ReadonlyMap<string, PartUse> {
  if (replacedParts.length === 0) return nothingReplaced
  const uses = new Map<string, PartUse>()
  const useSince = (part: ReplacedPart): PartUse | undefined => {
    const days = part.atMs === undefined ? undefined : Math.max(0, (recordedAtMs - part.atMs) / DAY_MS)
    const isReached = part.odometerKm !== undefined && odometerKm !== undefined && odometerKm + ODOMETER_BEHIND_KM >= part.odometerKm
    const km = isReached ? Math.max(0, odometerKm - part.odometerKm) : undefined
    if (km !== undefined) return { km, days: days ?? km / kmPerDay }
    return days === undefined ? undefined : { km: days * kmPerDay, days }
  }
  for (const part of replacedParts) {
    const use = useSince(part)
    if (use === undefined) continue
    if (use.days <= (uses.get(part.component)?.days ?? Number.POSITIVE_INFINITY)) uses.set(part.component, use)
  }
  return uses
}

/** One component's life so far, on its own clock. */
export type Wear = {
  readonly component: Component
  readonly life: Weibull
  /** Of the part the vehicle was built with, or that is known to have replaced it. */
  readonly age: number
  /** Of a part that may have been replaced since, nobody knows when. One whose replacements are reported is as old as the newest of them. */
  readonly stage: RandomStage | undefined
  /** Whether `age` was reported, and not assumed. */
  readonly isAgeKnown: boolean
  readonly clock: LifeModel['clock']
  readonly isFitted: boolean
  readonly unitsPerDay: number
  /** Where `age` is what the hour meter shows. */
  readonly unitsPerHour: number | undefined
  /** Natural logarithm of the factor by which the 10th and the 90th percentile of `unitsPerDay` may lie away from it. */
  readonly logUseFactor: number
  /** Cumulative hazard at `age`. */
  readonly spent: number
  /** Share of expected life used up, 0 to 1. */
  readonly consumed: number
}

const LOG_USUAL_USE_FACTOR = Math.log(USUAL_USE_FACTOR)

export function wearOf(use: Use, models: readonly LifeModel[]): readonly Wear[] {
  const { components, componentsWithoutLife } = use.traits
  const isWhole = components === coreComponents
  const worn = isWhole
    ? models
    : models.filter(({ component }) => components.includes(component) && !componentsWithoutLife.includes(component))
  return worn.map((model) => {
    const { component, clock, isFitted = false } = model
    const life = lifeOf(model, use)
    const { age, unitsPerDay, unitsPerHour, isUseKnown } = partUse(model, use)
    const isReplacementKnown = use.sinceReplaced.has(component)
    const stage = model.isReplaced && !isReplacementKnown ? randomStageOf(life) : undefined
    const isVehicleUseKnown = clock === 'days' ? use.isVehicleAgeKnown : use.isOdometerKnown || unitsPerHour !== undefined
    const isAgeKnown = isReplacementKnown || (stage === undefined && isVehicleUseKnown)
    const logUseFactor = isUseKnown ? 0 : LOG_USUAL_USE_FACTOR
    const spent = cumulativeHazard(life, age)
    const consumed = stage === undefined ? -Math.expm1(-spent) : consumedOfReplaced(life, age)
    return { component, life, age, stage, isAgeKnown, clock, isFitted, unitsPerDay, unitsPerHour, logUseFactor, spent, consumed }
  })
}

/** Follows the vehicle's age at first and then levels off at a good part of the part's life; it still grows with every kilometre. */
function consumedOfReplaced(life: Weibull, age: number): number {
  const levelsOffAt = LEVELS_OFF_AT_SHARE * life.scale
  return -Math.expm1(-cumulativeHazard(life, levelsOffAt * -Math.expm1(-age / levelsOffAt)))
}
const LEVELS_OFF_AT_SHARE = 0.8

export function prognose(wear: readonly Wear[], conditions: Scores, incidents: readonly Incident[]): Prognosis {
  const remainingLife: RemainingLife[] = []
  let hazard = acuteHazardOf(incidents) * HORIZON_DAYS
  for (const one of wear) {
    const { component, unitsPerDay } = one
    hazard += hazardOf(one, HORIZON_DAYS * unitsPerDay, 0)
    remainingLife.push(remainingLifeOf(one, acuteHazardPerDay(rowOf(conditions, component)?.score ?? 100) / unitsPerDay))
  }
  for (const { component, score } of conditions) {
    if (score <= GRAVE_UP_TO && rowOf(wear, component) === undefined) remainingLife.push(acuteLifeOf(component, acuteHazardPerDay(score)))
  }
  return { remainingLife, maintenanceProbability: -Math.expm1(-hazard) }
}

/** A thousand years: what is longer is no date that a calendar can name. Fits of early failures alone reach millions. */
const MAX_REPORTED_DAYS = 365_250

/** Whole days, as they are reported. */
export function reportedDays(days: number): number {
  return Math.min(MAX_REPORTED_DAYS, Math.round(days))
}

/** A component without a life of its own is reported where what was found on it is as bad as a medium finding. */
const GRAVE_UP_TO = scoreAt.medium

/** With a constant hazard, life is exponential: the quantiles follow. */
function acuteLifeOf(component: Component, hazardPerDay: number): RemainingLife {
  const daysUntil = (failed: number) => -Math.log1p(-failed) / hazardPerDay
  return { component, medianDays: daysUntil(MEDIAN), p10Days: daysUntil(P10), p90Days: daysUntil(P90) }
}

/**
 * Of what was found, each incident once: its worst finding. A lamp is lit for something else that was found or for something that was not;
 * as with health, the worse of the two counts.
 */
function acuteHazardOf(incidents: readonly Incident[]): number {
  if (incidents.length === 0) return 0
  const { lamps, rest } = splitLamps(incidents)
  const ofTheRest = rest.reduce((sum, { score }) => sum + acuteHazardPerDay(score), 0)
  return lamps === undefined ? ofTheRest : Math.max(ofTheRest, acuteHazardPerDay(lamps.score))
}

/**
 * Where daily use is a guess, days are less certain than kilometres: each side of the interval takes up what use may be off by, as
 * independent errors add up in the logarithm.
 */
export function remainingLifeOf(wear: Wear, acute: number): RemainingLife {
  const { component, unitsPerDay, logUseFactor } = wear
  const medianDays = quantileOf(wear, acute, MEDIAN) / unitsPerDay
  const p10Days = quantileOf(wear, acute, P10) / unitsPerDay
  const p90Days = quantileOf(wear, acute, P90) / unitsPerDay
  if (logUseFactor === 0 || medianDays === 0) return { component, medianDays, p10Days, p90Days }
  return {
    component,
    medianDays,
    p10Days: medianDays / awayFrom(medianDays, p10Days, logUseFactor),
    p90Days: medianDays * awayFrom(medianDays, p90Days, logUseFactor),
  }
}

/** Without anything found on it. */
export function medianDaysByWear(wear: Wear): number {
  return quantileOf(wear, 0, MEDIAN) / wear.unitsPerDay
}

/** Not `Math.hypot`, which takes as long as all the rest of a quantile: nothing here is near where a square overflows. */
function awayFrom(medianDays: number, days: number, logUseFactor: number): number {
  const byLife = Math.log(days / medianDays)
  return Math.exp(Math.sqrt(byLife * byLife + logUseFactor * logUseFactor))
}

/**
 * A part that is replaced is as old as the vehicle or, once it has been replaced, at a random stage of its life: of the two, the one that
 * lasts longer where parts wear out. A young vehicle's is then the first part, an old one's any. In truth the hazard swings about that for a
 * while, as whole fleets come to their second and third part together; this is the rising curve through it, so that more kilometres never
 * make anything better.
 */
function hazardOf({ life, age, stage, spent }: Wear, ahead: number, acute: number): number {
  const ofFirst = hazardAhead(life, age, spent, ahead, acute)
  if (stage === undefined) return ofFirst
  const ofAny = hazardAtRandomStage(life, ahead, acute, stage)
  return wearsOut(life) ? Math.min(ofFirst, ofAny) : Math.max(ofFirst, ofAny)
}

function quantileOf({ life, age, stage, spent }: Wear, acute: number, failed: number): number {
  if (stage === undefined) return residualQuantile(life, age, spent, acute, failed)
  const ofAny = randomStageQuantile(life, acute, failed, stage)
  if (!wearsOut(life)) return Math.min(residualQuantile(life, age, spent, acute, failed), ofAny)
  // Where parts wear out the hazard rises, so the first part lasts no longer than it would at the hazard it has now. Of most vehicles that is
  // less than what any part lasts, and the power need not be taken.
  const atMost = (-Math.log1p(-failed) * age) / (life.shape * spent)
  return atMost <= ofAny && acute === 0 ? ofAny : Math.max(residualQuantile(life, age, spent, acute, failed), ofAny)
}

/** Parts that fail early more readily than late last the longer the older they are, and the first part is the worse case. */
function wearsOut({ shape }: Weibull): boolean {
  return shape >= 1
}

function lifeOf({ component, life, isFitted = false }: LifeModel, { traits }: Use): Weibull {
  const factor = isFitted ? 1 : lifeFactorOf(traits, component)
  return factor === 1 ? life : { shape: life.shape, scale: life.scale * factor }
}

type OwnUse = Pick<Wear, 'age' | 'unitsPerDay' | 'unitsPerHour'> & { readonly isUseKnown: boolean }

/**
 * Of the part the vehicle was built with, or of the one that was last reported to have replaced it, on the clock of the model. An hour meter
 * counts where it shows more use than the odometer; where lives were counted in hours it is the clock itself. Daily use is that of the same meter.
 */
function partUse({ component, clock, life, scaleHours, isFitted = false }: LifeModel, use: Use): OwnUse {
  const since = use.sinceReplaced.get(component)
  if (clock === 'days') return { age: since?.days ?? use.ageDays, unitsPerDay: 1, unitsPerHour: undefined, isUseKnown: true }
  const { kmPerDay, isUseKnown, engineHours, engineHoursPerDay } = use
  const byDistance = { age: since?.km ?? use.odometerKm, unitsPerDay: kmPerDay, unitsPerHour: undefined, isUseKnown }
  if (scaleHours === undefined || engineHours === undefined || since !== undefined) return byDistance
  const unitsPerHour = life.scale / scaleHours
  const age = engineHours * unitsPerHour
  if (!isFitted && age < byDistance.age) return byDistance
  if (engineHoursPerDay === undefined) return { age, unitsPerDay: kmPerDay, unitsPerHour, isUseKnown: false }
  return { age, unitsPerDay: Math.max(MIN_KM_PER_DAY, engineHoursPerDay * unitsPerHour), unitsPerHour, isUseKnown: true }
}

/**
 * Median days to needing work for a component in the condition that a critical and a medium finding leave, by what was found on it alone; in
 * equal ratios between and beyond.
 */
const DAYS_WHEN_CRITICAL = 3
const DAYS_WHEN_MEDIUM = 45
const CRITICAL_AT = scoreAt.critical
const LOG_DAYS_PER_POINT = Math.log(DAYS_WHEN_MEDIUM / DAYS_WHEN_CRITICAL) / (scoreAt.medium - CRITICAL_AT)

function acuteHazardPerDay(condition: number): number {
  if (condition >= 100) return 0
  return Math.LN2 / (DAYS_WHEN_CRITICAL * Math.exp(LOG_DAYS_PER_POINT * (condition - CRITICAL_AT)))
}

const bySeverity = (toValue: (hazardPerDay: number) => number) =>
  Object.fromEntries(severities.map((severity) => [severity, Math.round(1000 * toValue(acuteHazardPerDay(scoreAt[severity]))) / 1000]))
const FROM_SEVERITY =
  'Chosen so that the probability falls into the risk levels that the lamps stand for: red high, amber medium. No public data set counts failures after findings.'

export const prognosisNumbers = statedIn('prognose', [
  [{ MAX_REPORTED_DAYS }, 'days', 'assumption', 'A thousand years: beyond what any calendar of maintenance names.'],
  [{ DAYS_WHEN_CRITICAL, DAYS_WHEN_MEDIUM }, 'median days', 'assumption', FROM_SEVERITY],
  [{ medianDaysBySeverity: bySeverity((hazardPerDay) => Math.LN2 / hazardPerDay) }, 'median days', 'assumption', FROM_SEVERITY],
  [
    { probabilityBySeverity: bySeverity((hazardPerDay) => -Math.expm1(-hazardPerDay * HORIZON_DAYS)) },
    'probability of work within 30 days, of one finding alone',
    'assumption',
    FROM_SEVERITY,
  ],
  [{ HORIZON_DAYS }, 'days', 'assumption', 'The longest horizon of the predictions.'],
  [{ MEDIAN, P10, P90 }, 'share that has failed', 'assumption', 'An interval of 80 %: one in ten ends before it, and one in ten after it.'],
  [
    { MIN_KM_PER_DAY, MAX_KM_PER_DAY },
    'km a day',
    'assumption',
    'What a vehicle in use is driven at least, and two drivers drive at most.',
  ],
  [{ MIN_AGE_FOR_USE_DAYS }, 'days', 'assumption', 'Under half a year an odometer shows too little of daily use.'],
  [{ ODOMETER_BEHIND_KM }, 'km', 'assumption', 'What a device that counts by itself may be behind the dashboard.'],
  [{ LEVELS_OFF_AT_SHARE }, 'share of the scale', 'assumption', 'A good part of the life of a part that has been replaced several times.'],
])
