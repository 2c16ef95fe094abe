// How good predictions are. Every function takes what was predicted first and the truth second, of equal length and at least one.

type Numbers = ArrayLike<number>

export function rmse(predicted: Numbers, truth: Numbers): number {
  return Math.sqrt(mean(predicted, truth, (guess, value) => (guess - value) ** 2))
}

export function mae(predicted: Numbers, truth: Numbers): number {
  return mean(predicted, truth, (guess, value) => Math.abs(guess - value))
}

/** The mean pinball loss; `alpha` is the quantile that was predicted. */
export function pinball(predicted: Numbers, truth: Numbers, alpha: number): number {
  return mean(predicted, truth, (guess, value) => (value > guess ? alpha * (value - guess) : (1 - alpha) * (guess - value)))
}

/**
 * The score of the PHM08 challenge (Saxena et al. 2008), a sum over units: with d = predicted − true remaining life in cycles,
 * exp(−d / 13) − 1 when too early and exp(d / 10) − 1 when too late. Lower is better.
 */
export function nasaScore(predicted: Numbers, truth: Numbers): number {
  const penalty = (guess: number, value: number) => Math.expm1(guess < value ? (value - guess) / 13 : (guess - value) / 10)
  return mean(predicted, truth, penalty) * truth.length
}

/** The chance that a positive row (label 1) scores higher than a negative one (0); a tie is half. NaN where a class is absent. */
export function auc(scores: Numbers, labels: Numbers): number {
  requireSameLength(scores, labels)
  const order = Int32Array.from({ length: scores.length }, (_, index) => index)
  order.sort((a, b) => (scores[a] as number) - (scores[b] as number))
  let [rankSum, positives] = [0, 0]
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && scores[order[to] as number] === scores[order[from] as number]) to++
    // Ranks count from 1; those of a tie are averaged.
    for (let index = from; index < to; index++) {
      if (labels[order[index] as number] !== 1) continue
      rankSum += (from + to + 1) / 2
      positives++
    }
    from = to
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * (scores.length - positives))
}

/** The share of rows whose class is right. */
export function accuracy(predicted: Numbers, truth: Numbers): number {
  return mean(predicted, truth, (guess, value) => (guess === value ? 1 : 0))
}

/** The harmonic mean of precision and recall for one class; 0 when no row of it was found. */
export function f1(predicted: Numbers, truth: Numbers, positive = 1): number {
  requireSameLength(predicted, truth)
  let [hits, claimed, actual] = [0, 0, 0]
  for (let row = 0; row < truth.length; row++) {
    if (predicted[row] === positive) claimed++
    if (truth[row] === positive) actual++
    if (predicted[row] === positive && truth[row] === positive) hits++
  }
  return claimed + actual === 0 ? 0 : (2 * hits) / (claimed + actual)
}

/** The plain mean of `f1` over every class that occurs, in the truth or among the predictions. */
export function macroF1(predicted: Numbers, truth: Numbers): number {
  const classes = [...new Set([...Array.from(predicted), ...Array.from(truth)])]
  return classes.reduce((sum, each) => sum + f1(predicted, truth, each), 0) / classes.length
}

const ECE_BINS = 10

/**
 * Expected calibration error (Naeini et al. 2015): the gap between mean probability and share of positives, averaged over ten bins of equal
 * width by the rows in each. `labels` are 0 or 1.
 */
export function ece(probabilities: Numbers, labels: Numbers, binCount = ECE_BINS): number {
  requireSameLength(probabilities, labels)
  const gaps = new Float64Array(binCount)
  for (let row = 0; row < labels.length; row++) {
    const probability = probabilities[row] as number
    const bin = Math.min(binCount - 1, Math.floor(probability * binCount))
    gaps[bin] = (gaps[bin] as number) + probability - (labels[row] as number)
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / labels.length
}

/** The share of true values within their interval, ends included. */
export function coverage(low: Numbers, high: Numbers, truth: Numbers): number {
  requireSameLength(high, truth)
  return mean(low, truth, (lower, value, row) => (lower <= value && value <= (high[row] as number) ? 1 : 0))
}

export function meanWidth(low: Numbers, high: Numbers): number {
  return mean(low, high, (lower, upper) => upper - lower)
}

function mean(predicted: Numbers, truth: Numbers, of: (guess: number, value: number, row: number) => number): number {
  requireSameLength(predicted, truth)
  let sum = 0
  for (let row = 0; row < truth.length; row++) sum += of(predicted[row] as number, truth[row] as number, row)
  return sum / truth.length
}

function requireSameLength(one: Numbers, other: Numbers): void {
  if (one.length !== other.length) throw new RangeError(`${one.length} predictions for ${other.length} true values`)
  if (one.length === 0) throw new RangeError('there is nothing to measure')
}
