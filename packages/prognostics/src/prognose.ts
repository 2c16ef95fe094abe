// ISO 13374 prognostic assessment: how long each component still lasts, given its use so far and the condition it is in.
import type { Component } from './components.ts'
import {
  HEAVY_LIFE_FACTOR,
  type LifeModel,
  lifeModels,
  USUAL_HEAVY_KM_PER_DAY,
  USUAL_HEAVY_ODOMETER_KM,
  USUAL_KM_PER_DAY,
  USUAL_ODOMETER_KM,
} from './life-models.ts'
import type { PredictionInput, ReplacedPart } from './observation.ts'
import { HOUR_METER_FROM_S, type Timeline } from './timeline.ts'
import { cumulativeHazard, hazardAhead, hazardAtShare, lifeUntilHazard, type Weibull } from './weibull.ts'

export type Use = {
  readonly odometerKm: number
  readonly ageDays: number
  readonly kmPerDay: number
  readonly engineHours: number | undefined
  readonly isHeavy: boolean
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
const MEDIAN_HAZARD = hazardAtShare(0.5)
const P10_HAZARD = hazardAtShare(0.1)
const P90_HAZARD = hazardAtShare(0.9)
const DAY_MS = 86_400_000
const MIN_KM_PER_DAY = 10
const MAX_KM_PER_DAY = 800
/** Under half a year an odometer says too little about daily use. */
const MIN_AGE_FOR_USE_DAYS = 180

export function useOf(input: PredictionInput, timeline: Timeline): Use {
  const isHeavy = timeline.systemVoltage === 24
  const knownKm = timeline.samples.findLast(({ values }) => values.odometerKm !== undefined)?.values.odometerKm
  const usualKmPerDay = isHeavy ? USUAL_HEAVY_KM_PER_DAY : USUAL_KM_PER_DAY
  const { ageDays } = input
  const canLearnUse = knownKm !== undefined && ageDays !== undefined && ageDays >= MIN_AGE_FOR_USE_DAYS
  const kmPerDay = canLearnUse ? Math.min(MAX_KM_PER_DAY, Math.max(MIN_KM_PER_DAY, knownKm / ageDays)) : usualKmPerDay
  const odometerKm = knownKm ?? (ageDays === undefined ? (isHeavy ? USUAL_HEAVY_ODOMETER_KM : USUAL_ODOMETER_KM) : ageDays * kmPerDay)
  const runTimeS = timeline.current.values.engineRunTimeS ?? 0
  const assumed: string[] = []
  if (knownKm === undefined) assumed.push(`No odometer reading: remaining life assumes ${Math.round(odometerKm)} km`)
  if (!canLearnUse) assumed.push(`Remaining life in days assumes ${usualKmPerDay} km a day`)
  return {
    odometerKm,
    ageDays: ageDays ?? odometerKm / kmPerDay,
    kmPerDay,
    engineHours: runTimeS >= HOUR_METER_FROM_S ? runTimeS / 3600 : undefined,
    isHeavy,
    sinceReplaced: sinceReplacedOf(input, odometerKm, kmPerDay),
    assumed,
  }
}

const nothingReplaced: ReadonlyMap<string, PartUse> = new Map()

/** What is told of a replacement by distance alone, or by time alone, is told of the other by usual use. */
function sinceReplacedOf(
  { recordedAtMs, replacedParts = [] }: PredictionInput,
  odometerKm: number,
  kmPerDay: number,
): ReadonlyMap<string, PartUse> {
  if (replacedParts.length === 0) return nothingReplaced
  const uses = new Map<string, PartUse>()
  const useSince = (part: ReplacedPart): PartUse => {
    const toldDays = part.atMs === undefined ? undefined : Math.max(0, (recordedAtMs - part.atMs) / DAY_MS)
    const toldKm = part.odometerKm === undefined ? undefined : Math.max(0, odometerKm - part.odometerKm)
    return { km: toldKm ?? (toldDays ?? 0) * kmPerDay, days: toldDays ?? (toldKm ?? 0) / kmPerDay }
  }
  for (const part of replacedParts) {
    const use = useSince(part)
    if (use.days <= (uses.get(part.component)?.days ?? Number.POSITIVE_INFINITY)) uses.set(part.component, use)
  }
  return uses
}

/** One component's life so far, on its own clock. */
export type Wear = {
  readonly component: Component
  readonly life: Weibull
  readonly age: number
  readonly unitsPerDay: number
  /** Cumulative hazard at `age`. */
  readonly spent: number
}

export function wearOf(use: Use): readonly Wear[] {
  return lifeModels.map((model) => {
    const life = lifeOf(model, use)
    const age = partAge(model, life, use)
    const unitsPerDay = model.clock === 'days' ? 1 : use.kmPerDay
    return { component: model.component, life, age, unitsPerDay, spent: cumulativeHazard(life, age) }
  })
}

/** Share of expected life used up, 0 to 1; 0 for a component without a life model. */
export function lifeConsumed(wear: readonly Wear[], component: Component): number {
  for (const one of wear) if (one.component === component) return -Math.expm1(-one.spent)
  return 0
}

export function prognose(wear: readonly Wear[], conditions: ReadonlyMap<Component, number>): Prognosis {
  const remainingLife: RemainingLife[] = []
  let hazard = 0
  for (const { component, life, age, unitsPerDay, spent } of wear) {
    const acute = acuteHazardPerDay(conditions.get(component) ?? 100) / unitsPerDay
    hazard += hazardAhead(life, age, spent, HORIZON_DAYS * unitsPerDay, acute)
    remainingLife.push({
      component,
      medianDays: lifeUntilHazard(life, age, spent, acute, MEDIAN_HAZARD) / unitsPerDay,
      p10Days: lifeUntilHazard(life, age, spent, acute, P10_HAZARD) / unitsPerDay,
      p90Days: lifeUntilHazard(life, age, spent, acute, P90_HAZARD) / unitsPerDay,
    })
  }
  for (const [component, condition] of conditions) {
    if (condition < 100 && !wear.some((one) => one.component === component)) hazard += acuteHazardPerDay(condition) * HORIZON_DAYS
  }
  return { remainingLife, maintenanceProbability: -Math.expm1(-hazard) }
}

function lifeOf({ life }: LifeModel, { isHeavy }: Use): Weibull {
  return isHeavy ? { shape: life.shape, scale: life.scale * HEAVY_LIFE_FACTOR } : life
}

/**
 * The part's own age on its clock. A replaced part's age follows the vehicle's at first and then levels off at a good part of its life,
 * as it does over a fleet whose parts are renewed when they fail; it still grows with every kilometre. Where its replacement is known,
 * it counts from there, in the same way: the next one may have gone untold.
 */
function partAge(model: LifeModel, { scale }: Weibull, use: Use): number {
  const since = use.sinceReplaced.get(model.component)
  const vehicleAge = model.clock === 'days' ? (since?.days ?? use.ageDays) : (since?.km ?? use.odometerKm)
  if (model.isReplaced) {
    const levelsOffAt = LEVELS_OFF_AT_SHARE * scale
    return levelsOffAt * -Math.expm1(-vehicleAge / levelsOffAt)
  }
  const byHours =
    model.scaleHours === undefined || use.engineHours === undefined || since !== undefined
      ? 0
      : (use.engineHours / model.scaleHours) * model.life.scale
  return Math.max(vehicleAge, byHours)
}
const LEVELS_OFF_AT_SHARE = 0.8

/**
 * Median days to needing work for a component in this condition, by what was found on it alone: 3 days at 30 (stop lamp, critical
 * reading), 45 at 65 (amber lamp), in equal ratios between and beyond. With those the 30-day probability falls into the risk levels
 * that the lamps stand for.
 */
const MEDIAN_DAYS_AT_30 = 3
const LOG_DAYS_PER_POINT = Math.log(45 / 3) / (65 - 30)

function acuteHazardPerDay(condition: number): number {
  if (condition >= 100) return 0
  return Math.LN2 / (MEDIAN_DAYS_AT_30 * Math.exp(LOG_DAYS_PER_POINT * (condition - 30)))
}
