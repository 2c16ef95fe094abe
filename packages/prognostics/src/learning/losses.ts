// What boosting minimises. A loss gives, for every row, the slope (gradient) and curvature (hessian) at the present score.
import { sigmoid } from './forest.ts'

export type GbdtLoss = { readonly kind: 'squared' } | { readonly kind: 'quantile'; readonly alpha: number } | { readonly kind: 'logistic' }

/** Per row; each is already multiplied by the row's weight. */
export type Derivatives = { readonly gradients: Float64Array; readonly hessians: Float64Array }

/** A start score far out would make the first curvatures vanish: even where every target is the same, stay within 1e-6 of certainty. */
const MIN_BASE_PROBABILITY = 1e-6

/**
 * A confident and wrong row has a large slope and next to no curvature, and alone in a leaf would throw it far out. Curvature is held to at
 * least the slope over this, so that no leaf moves further than this many units of log-odds (times the learning rate).
 */
const MAX_LOG_ODDS_STEP = 20
const MIN_CURVATURE = 1e-12

/** The best constant score. */
export function baseScore(loss: GbdtLoss, targets: Float64Array, weights: Float32Array | undefined): number {
  if (loss.kind === 'quantile') return weightedQuantile(targets.slice(), weights?.slice() ?? ones(targets.length), loss.alpha)
  let [sum, weightSum] = [0, 0]
  for (let row = 0; row < targets.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] as number)
    sum += weight * (targets[row] as number)
    weightSum += weight
  }
  const mean = sum / weightSum
  if (loss.kind === 'squared') return mean
  const probability = Math.min(1 - MIN_BASE_PROBABILITY, Math.max(MIN_BASE_PROBABILITY, mean))
  return Math.log(probability / (1 - probability))
}

/** Whether every curvature is the row's weight, so that unweighted rows need not be added up twice. */
export function isHessianTheWeight(loss: GbdtLoss): boolean {
  return loss.kind !== 'logistic'
}

export function fillDerivatives(
  loss: GbdtLoss,
  scores: Float64Array,
  targets: Float64Array,
  weights: Float32Array | undefined,
  { gradients, hessians }: Derivatives,
): void {
  for (let row = 0; row < targets.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] as number)
    const [score, target] = [scores[row] as number, targets[row] as number]
    if (loss.kind === 'squared') {
      gradients[row] = weight * (score - target)
      hessians[row] = weight
    } else if (loss.kind === 'quantile') {
      gradients[row] = weight * (target > score ? -loss.alpha : 1 - loss.alpha)
      hessians[row] = weight
    } else {
      const probability = sigmoid(score)
      gradients[row] = weight * (probability - target)
      const slope = Math.abs(probability - target)
      hessians[row] = weight * Math.max(probability * (1 - probability), slope / MAX_LOG_ODDS_STEP, MIN_CURVATURE)
    }
  }
}

/** Rounding in `alpha × total` must not push the answer one value up. */
const RANK_TOLERANCE = 1e-12

/**
 * The smallest value with at least a share `alpha` of the weight at or below it, which minimises the pinball loss. Reorders both arrays.
 * Expected time is linear: quickselect, its pivot the median of three.
 */
export function weightedQuantile(values: Float64Array, weights: Float64Array | Float32Array, alpha: number): number {
  let total = 0
  for (const weight of weights) total += weight
  let wanted = alpha * total - RANK_TOLERANCE * total
  let [from, to] = [0, values.length]
  while (to - from > 1) {
    const pivot = medianOfThree(values[from] as number, values[(from + to) >> 1] as number, values[to - 1] as number)
    // Dijkstra's three-way partition: [from, below) < pivot, [below, above) = pivot, [above, to) > pivot.
    let [below, at, above] = [from, from, to]
    let [weightBelow, weightEqual] = [0, 0]
    while (at < above) {
      const value = values[at] as number
      if (value < pivot) {
        weightBelow += weights[at] as number
        swap(values, weights, at++, below++)
      } else if (value > pivot) swap(values, weights, at, --above)
      else weightEqual += weights[at++] as number
    }
    if (weightBelow > 0 && weightBelow >= wanted) to = below
    else if (weightBelow + weightEqual >= wanted || above === to) return pivot
    else {
      wanted -= weightBelow + weightEqual
      from = above
    }
  }
  return values[from] as number
}

function swap(values: Float64Array, weights: Float64Array | Float32Array, one: number, other: number): void {
  const [value, weight] = [values[one] as number, weights[one] as number]
  values[one] = values[other] as number
  weights[one] = weights[other] as number
  values[other] = value
  weights[other] = weight
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}

function ones(count: number): Float64Array {
  return new Float64Array(count).fill(1)
}
