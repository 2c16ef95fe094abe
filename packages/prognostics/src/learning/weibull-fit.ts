// The Weibull life that makes observed lives most likely, where some have not ended yet (right-censored). Method: Meeker & Escobar,
// Statistical Methods for Reliability Data (1998), chapter 8.
import type { Weibull } from '../lives/weibull.ts'

export type Lives = {
  /** Age at failure, or at the last look at what still runs. Any unit; above 0. */
  readonly times: Float64Array
  /** 1 where the life ended in failure at its time, 0 where it still ran then. */
  readonly isFailed: Uint8Array
  /** How many such lives there are; 1 each when left out. */
  readonly counts?: Float64Array
}

export type WeibullFit = Weibull & {
  /** Standard errors, from the observed information: large samples, so rough with fewer than some ten failures. */
  readonly shapeSe: number
  readonly scaleSe: number
  /** Between the logarithm of the scale and the shape. */
  readonly logScaleShapeCovariance: number
  readonly logLikelihood: number
  readonly lifeCount: number
  readonly failureCount: number
}

const MAX_STEPS = 200
const RELATIVE_TOLERANCE = 1e-13
/** Lives this alike are one value and its rounding. */
const MAX_SHAPE = 1e8

/** Throws a `RangeError` with the reason where there is no such Weibull. */
export function fitWeibull(lives: Lives): WeibullFit {
  const { times, isFailed } = lives
  requireLives(lives)
  // Relative to the longest life: powers of it never overflow.
  const longest = times.reduce((most, time) => Math.max(most, time), 0)
  const logs = times.map((time) => Math.log(time / longest))
  const failures = sumOver(lives, (row) => (isFailed[row] === 1 ? 1 : 0))
  if (failures === 0) throw new RangeError('no life ended in failure: a Weibull cannot be fitted to survivors alone')
  const meanFailedLog = sumOver(lives, (row) => (isFailed[row] === 1 ? (logs[row] as number) : 0)) / failures
  const shape = meanFailedLog < 0 ? solveShape(lives, logs, meanFailedLog) : MAX_SHAPE
  if (shape >= MAX_SHAPE) throw new RangeError('all failures are at one time and nothing ran longer: their spread cannot be estimated')
  const logScale = Math.log(powerSums(lives, logs, shape).sum / failures) / shape
  return { shape, scale: longest * Math.exp(logScale), ...precisionOf(lives, logs, shape, logScale, failures, longest) }
}

/**
 * With the scale that is best for a shape β put in, the slope of the log likelihood is zero where A(β) − 1 / β equals the mean log life of
 * those that failed, A being the mean log life of all weighted by t^β. The left side only ever rises, so there is one such β and a bracketed
 * Newton finds it from any start.
 */
function solveShape(lives: Lives, logs: Float64Array, meanFailedLog: number): number {
  const excess = (shape: number) => {
    const { mean, variance } = powerSums(lives, logs, shape)
    return { value: mean - 1 / shape - meanFailedLog, slope: variance + 1 / shape ** 2 }
  }
  let [low, high] = [1, 1]
  while (excess(low).value > 0) low /= 2
  while (high < MAX_SHAPE && excess(high).value < 0) high *= 2
  let shape = Math.sqrt(low * high)
  for (let step = 0; step < MAX_STEPS && high - low > RELATIVE_TOLERANCE * high; step++) {
    const { value, slope } = excess(shape)
    if (value > 0) high = shape
    else low = shape
    const next = shape - value / slope
    if (Math.abs(next - shape) <= RELATIVE_TOLERANCE * shape) return next
    shape = next > low && next < high ? next : (low + high) / 2
  }
  return shape
}

/** Over all lives: the sum of t^β, and mean and variance of log t weighted by it. */
function powerSums(lives: Lives, logs: Float64Array, shape: number): { sum: number; mean: number; variance: number } {
  let [sum, first, second] = [0, 0, 0]
  for (let row = 0; row < logs.length; row++) {
    const log = logs[row] as number
    const weight = (lives.counts === undefined ? 1 : (lives.counts[row] as number)) * Math.exp(shape * log)
    sum += weight
    first += weight * log
    second += weight * log * log
  }
  const mean = first / sum
  return { sum, mean, variance: Math.max(0, second / sum - mean * mean) }
}

/**
 * With z = β (log t − log η), a failure adds log β − log t + z − e^z to the log likelihood and a survivor −e^z. The standard errors are from
 * the inverse of its second derivatives by (log η, β), at the best point, where the sum of e^z is the number of failures.
 */
function precisionOf(lives: Lives, logs: Float64Array, shape: number, logScale: number, failures: number, longest: number) {
  const beyond = (row: number) => (logs[row] as number) - logScale
  const spent = (row: number) => Math.exp(shape * beyond(row))
  const logLikelihood = sumOver(lives, (row) => {
    const density = Math.log(shape) - (logs[row] as number) - Math.log(longest) + shape * beyond(row)
    return (lives.isFailed[row] === 1 ? density : 0) - spent(row)
  })
  const byScale = shape ** 2 * failures
  const byBoth = -shape * sumOver(lives, (row) => beyond(row) * spent(row))
  const byShape = failures / shape ** 2 + sumOver(lives, (row) => beyond(row) ** 2 * spent(row))
  const determinant = byScale * byShape - byBoth ** 2
  return {
    shapeSe: Math.sqrt(byScale / determinant),
    scaleSe: longest * Math.exp(logScale) * Math.sqrt(byShape / determinant),
    logScaleShapeCovariance: -byBoth / determinant,
    logLikelihood,
    lifeCount: sumOver(lives, () => 1),
    failureCount: failures,
  }
}

/** Mean and mean square of log e for an exponential e: those of β (log t − log η). */
const MEAN_LOG = -0.5772156649015329
const MEAN_SQUARE_LOG = Math.PI ** 2 / 6 + MEAN_LOG ** 2

/**
 * The Weibull for predictions of a new life: the fitted one, its shape corrected for the bias of the likelihood, and as much wider as the fit is
 * uncertain, in the variance of log t = log η + W / β (the delta method over both estimates). With five failures the shape is about two fifths
 * lower, with hundreds it is the fitted one. For fits with more than two failures.
 */
export function foretoldLife(fit: WeibullFit): Weibull {
  const { shape, scale, shapeSe, scaleSe, logScaleShapeCovariance } = fit
  const byScale = (scaleSe / scale) ** 2
  const byShape = MEAN_SQUARE_LOG * (shapeSe / shape ** 2) ** 2
  const byBoth = (-2 * MEAN_LOG * logScaleShapeCovariance) / shape ** 2
  const ownVariance = Math.PI ** 2 / 6 / shape ** 2
  const added = Math.max(0, byScale + byShape + byBoth)
  return { shape: shape * unbiasedShare(fit) * Math.sqrt(ownVariance / (ownVariance + added)), scale }
}

/**
 * Likelihood finds few failures more alike than they are. Where all of n lives have failed (n − 2) / (n − 0.68) takes that back (Ross 1996), where
 * few of many have, (r − 2) / r (Crow 1974, for a power-law process); in between, in proportion to the share that failed.
 */
function unbiasedShare({ failureCount, lifeCount }: WeibullFit): number {
  return (failureCount - 2) / (failureCount - (0.68 * failureCount) / lifeCount)
}

function sumOver({ times, counts }: Lives, of: (row: number) => number): number {
  let sum = 0
  for (let row = 0; row < times.length; row++) {
    const count = counts === undefined ? 1 : (counts[row] as number)
    // A count of 0 must not make NaN out of something infinite.
    if (count > 0) sum += count * of(row)
  }
  return sum
}

function requireLives({ times, isFailed, counts }: Lives): void {
  if (times.length === 0) throw new RangeError('there are no lives to fit')
  if (isFailed.length !== times.length) throw new RangeError(`${isFailed.length} outcomes for ${times.length} lives`)
  const wrong = times.findIndex((time) => !(time > 0 && time < Number.POSITIVE_INFINITY))
  if (wrong !== -1) throw new RangeError(`life ${wrong + 1} is ${times[wrong]} long; a life is longer than 0`)
  if (counts === undefined) return
  if (counts.length !== times.length) throw new RangeError(`${counts.length} counts for ${times.length} lives`)
  const negative = counts.findIndex((count) => !(count >= 0 && count < Number.POSITIVE_INFINITY))
  if (negative !== -1) throw new RangeError(`life ${negative + 1} occurs ${counts[negative]} times; a count is 0 or more`)
}
