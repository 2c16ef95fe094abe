// A trained model of remaining life: what it holds, what it answers, and its form in files.
import { normalisedInterval } from '../conformal.ts'
import { type FeatureTable, type Forest, forestFromJson, forestToJson, scoreRow } from '../forest.ts'
import type { Runs } from './runs.ts'
import { type TrendPipeline, trendFeatureNames, trendFeatures } from './trend-features.ts'

export type RulModel = {
  /** What the columns are called in the customer's data. */
  readonly unitName: string
  readonly timeName: string
  readonly pipeline: TrendPipeline
  /** Lives above it were learned as it: long before failure nothing shows yet. In the unit of time, as all lives here. */
  readonly cap: number
  /** The prediction is the mean over them. */
  readonly folds: readonly RulFold[]
  readonly margins: readonly IntervalMargin[]
}

/** Fitted without the units of the fold, on which they are calibrated. */
export type RulFold = {
  /** Remaining life. */
  readonly life: Forest
  /** How far off that is, from the same features and the life itself. */
  readonly spread: Forest
}

/** How many spreads an interval reaches to each side; `null` where too few units were there to promise anything but 0 to the cap. */
export type IntervalMargin = { readonly coverage: number; readonly spreads: number | null }

export type RulInterval = { readonly coverage: number; readonly low: number; readonly high: number }

/** Remaining life with intervals, widest first. An upper end at the cap means "the cap or more". */
export type RulEstimate = { readonly rul: number; readonly intervals: readonly RulInterval[] }

/** Nominal coverages of the intervals. */
export const coverages = [0.9, 0.8] as const
export const rulOutputs = ['rul', ...coverages.flatMap((each) => [`rul_low_${each * 100}`, `rul_high_${each * 100}`])] as const

/** The column of a spread forest that those of life do not have. */
export const LIFE_FEATURE = 'life'
/** A forest may answer 0 or less; an interval of no width helps nobody. One cycle with the usual cap of 125. */
export const MIN_SPREAD_SHARE = 0.008

/** The estimate for one row of features, in the order of `trendFeatureNames`. */
function estimateRul({ cap, folds, margins }: RulModel, row: ArrayLike<number>): RulEstimate {
  const features = Array.from(row)
  let [lifeSum, spreadSum] = [0, 0]
  for (const fold of folds) {
    const life = withinCap({ cap }, scoreRow(fold.life, features))
    lifeSum += life
    spreadSum += usableSpread({ cap }, scoreRow(fold.spread, [...features, life]))
  }
  const [rul, spread] = [lifeSum / folds.length, spreadSum / folds.length]
  const intervals = margins.map(({ coverage, spreads }) => {
    const [low, high] = normalisedInterval(rul, spread, spreads ?? Number.POSITIVE_INFINITY)
    return { coverage, low: withinCap({ cap }, low), high: withinCap({ cap }, high) }
  })
  return { rul, intervals }
}

/** The same as numbers, in the order of `rulOutputs`. */
export function scoreRulRow(model: RulModel, row: ArrayLike<number>): number[] {
  const { rul, intervals } = estimateRul(model, row)
  return [rul, ...intervals.flatMap(({ low, high }) => [low, high])]
}

/** The estimate for each unit as of its last row. */
export function estimateUnits(model: RulModel, runs: Runs): RulEstimate[] {
  const lastRows = Int32Array.from(runs.units, ({ end }) => end - 1)
  const table = trendFeatures(model.pipeline, runs, lastRows)
  return runs.units.map((_, at) => estimateRul(model, rowOf(table, at)))
}

export function rowOf({ columns }: FeatureTable, row: number): Float64Array {
  return Float64Array.from(columns, (column) => column[row] as number)
}

export function withinCap({ cap }: { readonly cap: number }, life: number): number {
  return Math.min(cap, Math.max(0, life))
}

export function usableSpread({ cap }: { readonly cap: number }, spread: number): number {
  return Math.max(MIN_SPREAD_SHARE * cap, spread)
}

const FORMAT = 'roadworthy-rul/2'
const PIPELINE_FILE = 'rul.json'
const MAX_FOLDS = 30
const lifeFile = (fold: number) => `life-${fold + 1}.forest.json`
const spreadFile = (fold: number) => `spread-${fold + 1}.forest.json`

/** The same bytes for the same model. */
export function rulModelToFiles({ folds, ...rest }: RulModel): Record<string, Uint8Array> {
  const bytes = (value: unknown) => new TextEncoder().encode(`${JSON.stringify(value)}\n`)
  const forests = folds.flatMap(({ life, spread }, fold) => [
    [lifeFile(fold), bytes(forestToJson(life))] as const,
    [spreadFile(fold), bytes(forestToJson(spread))] as const,
  ])
  return { [PIPELINE_FILE]: bytes({ format: FORMAT, folds: folds.length, ...rest }), ...Object.fromEntries(forests) }
}

/** Throws with what is wrong when the files are not a whole model of this kind. */
export function rulModelFromFiles(files: ReadonlyMap<string, Uint8Array>): RulModel {
  const { format, folds: foldCount, ...rest } = (parse(files, PIPELINE_FILE) ?? {}) as Record<string, unknown>
  if (format === 'roadworthy-rul/1') throw new TypeError(`${PIPELINE_FILE}: it is of an older form, "${format}"; train it again`)
  if (format !== FORMAT) throw new TypeError(`${PIPELINE_FILE}: "format" is not "${FORMAT}"`)
  const parts = requireParts(rest)
  if (!Number.isInteger(foldCount) || !((foldCount as number) >= 1 && (foldCount as number) <= MAX_FOLDS)) {
    throw new TypeError(`${PIPELINE_FILE}: "folds" is no number from 1 to ${MAX_FOLDS}`)
  }
  const names = trendFeatureNames(parts.pipeline)
  const folds = Array.from({ length: foldCount as number }, (_, fold): RulFold => {
    const life = forestFromJson(parse(files, lifeFile(fold)))
    const spread = forestFromJson(parse(files, spreadFile(fold)))
    requireFeatures(life, names, lifeFile(fold))
    requireFeatures(spread, [...names, LIFE_FEATURE], spreadFile(fold))
    return { life, spread }
  })
  return { ...parts, folds }
}

function parse(files: ReadonlyMap<string, Uint8Array>, name: string): unknown {
  const bytes = files.get(name)
  if (bytes === undefined) throw new TypeError(`the model has no ${name}`)
  return JSON.parse(new TextDecoder().decode(bytes))
}

function requireFeatures({ featureNames }: Forest, names: readonly string[], file: string): void {
  const isSame = featureNames.length === names.length && featureNames.every((name, at) => name === names[at])
  if (!isSame) throw new TypeError(`${file}: its features are not those of ${PIPELINE_FILE}`)
}

/** Files are verified by their hash before they come here; this catches a file of another version or by another hand. */
function requireParts(value: Record<string, unknown>): Omit<RulModel, 'folds'> {
  const refuse = (what: string): never => {
    throw new TypeError(`${PIPELINE_FILE}: "${what}" is missing or not what it should be`)
  }
  const { unitName, timeName, pipeline, cap, margins } = value as Partial<RulModel>
  if (typeof unitName !== 'string') return refuse('unitName')
  if (typeof timeName !== 'string') return refuse('timeName')
  if (typeof cap !== 'number' || !(cap > 0)) return refuse('cap')
  const isMargin = ({ coverage, spreads }: IntervalMargin) => typeof coverage === 'number' && (spreads === null || Number.isFinite(spreads))
  if (!Array.isArray(margins) || margins.length !== coverages.length || !margins.every(isMargin)) return refuse('margins')
  const { settingNames, regimes, scales, ageFrom } = (pipeline ?? {}) as Partial<TrendPipeline>
  if (!isListOf(settingNames, (name) => typeof name === 'string')) return refuse('pipeline.settingNames')
  if (ageFrom !== 'time' && ageFrom !== 'first-row') return refuse('pipeline.ageFrom')
  const { offsets, ranges, centres } = regimes ?? {}
  const areNumbers = (each: unknown, count: number) => isListOf(each, Number.isFinite) && each.length === count
  const width = offsets?.length ?? -1
  if (!areNumbers(offsets, width) || !areNumbers(ranges, width)) return refuse('pipeline.regimes')
  if (!isListOf(centres, (centre) => areNumbers(centre, width)) || centres.length === 0) return refuse('pipeline.regimes.centres')
  const isScale = ({ sensor, means, deviations }: TrendPipeline['scales'][number]) =>
    typeof sensor === 'string' && areNumbers(means, centres.length) && areNumbers(deviations, centres.length)
  if (!isListOf(scales, (scale) => isScale(scale as TrendPipeline['scales'][number]))) return refuse('pipeline.scales')
  return { unitName, timeName, cap, margins, pipeline: pipeline as TrendPipeline }
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem)
}
