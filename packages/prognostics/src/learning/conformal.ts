// Split-conformal prediction (Vovk, Gammerman & Shafer 2005; Lei et al. 2018): intervals whose coverage holds for any model and any
// distribution, as long as the calibration rows were not trained on and are exchangeable with the rows to come. Score the calibration rows,
// take `conformalQuantile` of the scores, widen new predictions by it.

type Numbers = ArrayLike<number>

/** (n + 1) × coverage may land a rounding error above the whole number it is. */
const RANK_TOLERANCE = 1e-9

/**
 * The smallest score that covers a new row with probability `coverage` or more: the ⌈(n + 1) × coverage⌉-th smallest. Infinite where there
 * are too few scores for that to be one of them, which is the honest answer.
 *
 * Rows of one unit resemble each other, and many of them carry little information about another unit. With `groups`, the unit of each row, every unit
 * counts the same and the coverage holds for a row of a new unit (Lee, Barber & Willett 2023, "Distribution-free inference with
 * hierarchical data"): each row weighs 1 / ((K + 1) × rows of its unit), and 1 / (K + 1) lies at infinity. Units of one row each give the
 * plain rule.
 */
export function conformalQuantile(scores: Numbers, coverage: number, groups?: ArrayLike<number | string>): number {
  requireCoverage(coverage)
  if (groups !== undefined && groups.length !== scores.length) throw new RangeError(`${groups.length} groups for ${scores.length} scores`)
  const rowsOf = new Map<number | string, number>()
  const groupOf = (row: number) => groups?.[row] ?? row
  for (let row = 0; row < scores.length; row++) {
    if (Number.isNaN(scores[row])) throw new RangeError(`the score of row ${row + 1} is not a number`)
    rowsOf.set(groupOf(row), (rowsOf.get(groupOf(row)) ?? 0) + 1)
  }
  const order = Int32Array.from({ length: scores.length }, (_, row) => row)
  order.sort((a, b) => (scores[a] as number) - (scores[b] as number))
  // In units of 1 / (K + 1): every group weighs 1.
  const wanted = (rowsOf.size + 1) * coverage - RANK_TOLERANCE
  let reached = 0
  for (const row of order) {
    reached += 1 / (rowsOf.get(groupOf(row)) ?? 1)
    if (reached >= wanted) return scores[row] as number
  }
  return Number.POSITIVE_INFINITY
}

/** |truth − predicted|: intervals of one width everywhere. */
export function absoluteScores(predicted: Numbers, truth: Numbers): Float64Array {
  return scoresOf(truth, [predicted], (value, row) => Math.abs(value - (predicted[row] as number)))
}

export function absoluteInterval(predicted: number, quantile: number): [low: number, high: number] {
  return [predicted - quantile, predicted + quantile]
}

/** |truth − predicted| / spread: for intervals as wide as the spread, which is a prediction of the error of this row (Lei et al. 2018, §5.2). */
export function normalisedScores(predicted: Numbers, spreads: Numbers, truth: Numbers): Float64Array {
  return scoresOf(truth, [predicted, spreads], (value, row) => {
    const spread = spreads[row] as number
    if (!(spread > 0)) throw new RangeError(`the spread of row ${row + 1} is ${spread}; it must be above 0`)
    return Math.abs(value - (predicted[row] as number)) / spread
  })
}

export function normalisedInterval(predicted: number, spread: number, quantile: number): [low: number, high: number] {
  return absoluteInterval(predicted, quantile * spread)
}

/**
 * How far the truth lies outside two predicted quantiles, negative inside: conformalised quantile regression (Romano, Patterson & Candès
 * 2019). Its quantile may be negative, and then narrows the interval.
 */
export function cqrScores(low: Numbers, high: Numbers, truth: Numbers): Float64Array {
  return scoresOf(truth, [low, high], (value, row) => Math.max((low[row] as number) - value, value - (high[row] as number)))
}

/** Quantiles that cross, or are narrowed past each other, give their middle. */
export function cqrInterval(low: number, high: number, quantile: number): [low: number, high: number] {
  const [from, to] = [low - quantile, high + quantile]
  return from <= to ? [from, to] : [(low + high) / 2, (low + high) / 2]
}

function scoresOf(truth: Numbers, predictions: readonly Numbers[], scoreOf: (value: number, row: number) => number): Float64Array {
  const different = predictions.find(({ length }) => length !== truth.length)
  if (different !== undefined) throw new RangeError(`${different.length} predictions for ${truth.length} true values`)
  return Float64Array.from(truth, scoreOf)
}

function requireCoverage(coverage: number): void {
  if (!(coverage > 0 && coverage < 1)) throw new RangeError(`coverage lies between 0 and 1, not at ${coverage}`)
}
