// How long one part lasts in a fleet, fitted to that fleet's own lives: what it holds, what it answers, and its form in files. It takes the
// place of a prior of life-models.ts.
import { type LifeComponent, type LifeModel, lifeComponents, priorOf } from '../../lives/life-models.ts'
import { randomStageQuantile } from '../../lives/random-stage.ts'
import { cumulativeHazard, residualQuantile, type Weibull } from '../../lives/weibull.ts'
import { LearningRefusal } from '../learning-refusal.ts'
import { foretoldLife, type WeibullFit } from '../weibull-fit.ts'

export const lifeUnits = ['km', 'days', 'hours'] as const
export type LifeUnit = (typeof lifeUnits)[number]

export type FleetLife = {
  readonly component: LifeComponent
  /** What lives are counted in. */
  readonly unit: LifeUnit
  readonly fit: WeibullFit
  /** The distribution for predictions of a new life: wider than the fit by the uncertainty of few lives. */
  readonly foretold: Weibull
}

/** With five the standard error of the shape is a third of it. With fewer, parts that wear out cannot be distinguished from parts that fail by chance. */
export const MIN_FAILURES = 5

/** Throws a `LearningRefusal` where too few of the lives ended in failure to predict by. */
export function fleetLifeOf(component: LifeComponent, unit: LifeUnit, fit: WeibullFit): FleetLife {
  if (fit.failureCount < MIN_FAILURES) {
    throw new LearningRefusal(
      `${fit.failureCount} of ${fit.lifeCount} lives ended in failure; a model that predictions follow takes at least ${MIN_FAILURES}. Without --out the fit is reported all the same.`,
    )
  }
  return { component, unit, fit, foretold: foretoldLife(fit) }
}

/** The row of the life models that this fleet's life stands for. It is of this fleet's vehicles already, so trucks are not distinguished. */
export function toLifeModel({ component, unit, foretold: { shape, scale } }: FleetLife): LifeModel {
  const { isReplaced } = priorOf(component)
  const row = { component, isReplaced, isFitted: true }
  if (unit !== 'hours') return { ...row, clock: unit, life: { shape, scale } }
  return { ...row, clock: 'km', life: { shape, scale: scale * KM_PER_ENGINE_HOUR }, scaleHours: scale }
}

/** The fitted scale as a multiple of the one that is assumed of any vehicle; `undefined` where that one is counted by another clock. */
export function timesAssumed(life: FleetLife): number | undefined {
  const { clock, life: fitted } = toLifeModel(life)
  const prior = priorOf(life.component)
  return prior.clock === clock ? fitted.scale / prior.life.scale : undefined
}

/** Of the engine's prior, 400,000 km or 9,000 h: for vehicles without an hour meter. */
const KM_PER_ENGINE_HOUR = (() => {
  const { life, scaleHours } = priorOf('engine')
  return life.scale / (scaleHours ?? life.scale)
})()

export const lifeFeatures = ['age'] as const
export const lifeOutputs = ['remaining', 'remaining_low_80', 'remaining_high_80'] as const

/** Median, 10th and 90th percentile of the further life of a part of the given age, in the unit of the lives; NaN: of an age nobody knows. */
export function scoreLifeRow({ foretold }: FleetLife, row: ArrayLike<number>): number[] {
  const age = row[0] as number
  const quantile = (failed: number) =>
    Number.isNaN(age)
      ? randomStageQuantile(foretold, 0, failed)
      : residualQuantile(foretold, Math.max(0, age), cumulativeHazard(foretold, Math.max(0, age)), 0, failed)
  return [0.5, 0.1, 0.9].map(quantile)
}

/** Of the scale, so that they lie where parts of this kind do. */
const GOLDEN_AGES = [0, 0.5, 1, 1.5] as const

export function goldenLifeRows(life: FleetLife): { features: (number | null)[]; output: number[] }[] {
  const ages = [...GOLDEN_AGES.map((share) => Math.round(share * life.fit.scale)), null]
  return ages.map((age) => ({ features: [age], output: scoreLifeRow(life, [age ?? Number.NaN]) }))
}

const FORMAT = 'roadworthy-life/1'
const FILE = 'life.json'

export function fleetLifeToFiles({ component, unit, fit }: FleetLife): Record<string, Uint8Array> {
  return { [FILE]: new TextEncoder().encode(`${JSON.stringify({ format: FORMAT, component, unit, ...fit })}\n`) }
}

const MAX_SHAPE = 1000

/** Throws with what is wrong when the files are not a whole model of this kind. */
export function fleetLifeFromFiles(files: ReadonlyMap<string, Uint8Array>): FleetLife {
  const refuse = (what: string): never => {
    throw new TypeError(`${FILE}: ${what}`)
  }
  const bytes = files.get(FILE)
  if (bytes === undefined) throw new TypeError(`the model has no ${FILE}`)
  const parsed = (JSON.parse(new TextDecoder().decode(bytes)) ?? {}) as Record<string, unknown>
  const { format, component, unit } = parsed
  if (format !== FORMAT) refuse(`"format" is not "${FORMAT}"`)
  if (!lifeComponents.includes(component as LifeComponent)) refuse(`"component" is none of ${lifeComponents.join(', ')}`)
  if (!lifeUnits.includes(unit as LifeUnit)) refuse(`"unit" is none of ${lifeUnits.join(', ')}`)
  const numberOf = (key: keyof WeibullFit, least = Number.MIN_VALUE, most = Number.MAX_VALUE): number => {
    const value = parsed[key]
    return typeof value === 'number' && value >= least && value <= most ? value : refuse(`"${key}" is missing or not what it should be`)
  }
  const fit = {
    shape: numberOf('shape', Number.MIN_VALUE, MAX_SHAPE),
    scale: numberOf('scale'),
    shapeSe: numberOf('shapeSe'),
    scaleSe: numberOf('scaleSe'),
    logScaleShapeCovariance: numberOf('logScaleShapeCovariance', -Number.MAX_VALUE),
    logLikelihood: numberOf('logLikelihood', -Number.MAX_VALUE),
    lifeCount: numberOf('lifeCount'),
    failureCount: numberOf('failureCount', MIN_FAILURES),
  }
  return fleetLifeOf(component as LifeComponent, unit as LifeUnit, fit)
}
