// A part that has been replaced several times, at unknown ages, is met at a random stage of its life. Renewal theory (Cox 1962, chapter 5):
// what it still lasts then has the density S(y) / μ. For a Weibull life of scale η, (y / η)^β is gamma-distributed with shape 1 / β.
import { reachHazard, type Weibull } from './weibull.ts'

/** Cumulative hazard of a further `ahead` for a part at a random stage of its life, with a constant hazard `acute` beside wear. */
export function hazardAtRandomStage(life: Weibull, ahead: number, acute: number, stage = randomStageOf(life)): number {
  return -Math.log1p(-shareGone(stage, ahead / life.scale)) + acute * ahead
}

/** The further life that a share `failed` of parts at a random stage of their life does not reach. */
export function randomStageQuantile(life: Weibull, acute: number, failed: number, stage = randomStageOf(life)): number {
  const byWear = life.scale * unitQuantile(stage, failed)
  if (acute <= 0) return byWear
  const hazardToSpend = -Math.log1p(-failed)
  return reachHazard(
    hazardToSpend,
    Math.min(byWear, hazardToSpend / acute),
    (ahead) => hazardAtRandomStage(life, ahead, acute, stage),
    (ahead) => slopeAt(stage, ahead / life.scale) / life.scale + acute,
  )
}

/** What is asked for of a shape in every prediction. */
export type RandomStage = {
  readonly shape: number
  /** For a scale of 1: Γ(1 + 1 / β). */
  readonly meanLife: number
  /** For a scale of 1, by share. */
  readonly quantiles: Map<number, number>
}

const knownShapes = new Map<number, RandomStage>()
/** A service that is given ever new lives must not fill its memory with those of the past. */
const MAX_KNOWN_SHAPES = 1000

/** Kept, because there are few shapes and few shares; who asks several times of one life asks for this once. */
export function randomStageOf({ shape }: Weibull): RandomStage {
  const found = knownShapes.get(shape)
  if (found !== undefined) return found
  if (knownShapes.size >= MAX_KNOWN_SHAPES) knownShapes.clear()
  const known = { shape, meanLife: gamma(1 + 1 / shape), quantiles: new Map<number, number>() }
  knownShapes.set(shape, known)
  return known
}

const BISECTIONS = 50

function unitQuantile(stage: RandomStage, failed: number): number {
  const found = stage.quantiles.get(failed)
  if (found !== undefined) return found
  let [low, high] = [0, 1]
  while (shareGone(stage, high) < failed) high *= 2
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2
    if (shareGone(stage, middle) < failed) low = middle
    else high = middle
  }
  stage.quantiles.set(failed, high)
  return high
}

/** Of the cumulative hazard for a scale of 1. */
function slopeAt(stage: RandomStage, ahead: number): number {
  return Math.exp(-(ahead ** stage.shape)) / (stage.meanLife * (1 - shareGone(stage, ahead)))
}

/** Beyond it nothing is left that a double could distinguish from nothing. */
const MAX_SPENT = 30
const MAX_SHARE = 1 - 1e-12

/**
 * Of parts with a scale of 1 at a random stage, the share that does not last for `ahead`: the regularised lower incomplete gamma function of
 * 1 / β at ahead^β, by its series (Abramowitz & Stegun 6.5.29), all of whose terms are positive.
 */
function shareGone({ shape, meanLife }: RandomStage, ahead: number): number {
  const spent = ahead ** shape
  if (spent > MAX_SPENT) return MAX_SHARE
  const power = 1 / shape
  let [term, sum] = [1, 1]
  for (let step = 1; term > sum * Number.EPSILON; step++) {
    term *= spent / (power + step)
    sum += term
  }
  return Math.min(MAX_SHARE, (ahead * Math.exp(-spent) * sum) / meanLife)
}

/** Lanczos (1964) with g = 7 and nine terms: 15 digits, for arguments from 1/2 on. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const

const LANCZOS_SHIFT = 1.5
const HALF = 0.5

function gamma(argument: number): number {
  const shifted = argument - 1
  let series = LANCZOS[0] as number
  for (let at = 1; at < LANCZOS.length; at++) series += (LANCZOS[at] as number) / (shifted + at)
  const base = shifted + LANCZOS.length - LANCZOS_SHIFT
  return Math.sqrt(2 * Math.PI) * base ** (shifted + HALF) * Math.exp(-base) * series
}
