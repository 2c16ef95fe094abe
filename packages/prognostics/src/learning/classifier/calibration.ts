// From a forest's margin to a calibrated probability, and the threshold above which a row is called positive.
import { sigmoid } from '../forest.ts'

/** The probability is sigmoid(slope × margin + intercept). */
export type PlattScaling = { readonly slope: number; readonly intercept: number }

const MAX_STEPS = 50
const TOLERANCE = 1e-10
/** Keeps Newton's step finite where the margins separate the classes. */
const RIDGE = 1e-9

/** Logistic regression of the label on the margin, by Newton's method, with Platt's (1999) softened labels against overconfidence. */
export function fitPlatt(margins: Float64Array, labels: Float64Array): PlattScaling {
  const positives = labels.reduce((sum, label) => sum + label, 0)
  const [high, low] = [(positives + 1) / (positives + 2), 1 / (labels.length - positives + 2)]
  let [slope, intercept] = [1, 0]
  for (let step = 0; step < MAX_STEPS; step++) {
    let [slopeSlope, slopeIntercept, interceptIntercept, bySlope, byIntercept] = [RIDGE, 0, RIDGE, 0, 0]
    for (let row = 0; row < margins.length; row++) {
      const margin = margins[row] as number
      const probability = sigmoid(slope * margin + intercept)
      const error = probability - (labels[row] === 1 ? high : low)
      const weight = probability * (1 - probability)
      bySlope += error * margin
      byIntercept += error
      slopeSlope += weight * margin * margin
      slopeIntercept += weight * margin
      interceptIntercept += weight
    }
    const determinant = slopeSlope * interceptIntercept - slopeIntercept ** 2
    const slopeStep = (interceptIntercept * bySlope - slopeIntercept * byIntercept) / determinant
    const interceptStep = (slopeSlope * byIntercept - slopeIntercept * bySlope) / determinant
    slope -= slopeStep
    intercept -= interceptStep
    if (Math.abs(slopeStep) + Math.abs(interceptStep) < TOLERANCE) break
  }
  return { slope, intercept }
}

export function calibrated({ slope, intercept }: PlattScaling, margin: number): number {
  return sigmoid(slope * margin + intercept)
}

/** The threshold with the best macro-F1, which counts a rare class as much as a common one; a row at it or above is positive. */
export function bestThreshold(probabilities: Float64Array, labels: Float64Array): number {
  const order = Int32Array.from(probabilities.keys()).sort((a, b) => (probabilities[b] as number) - (probabilities[a] as number))
  const positives = labels.reduce((sum, label) => sum + label, 0)
  const negatives = labels.length - positives
  let [hits, claimed, best, threshold] = [0, 0, -1, 0.5]
  for (const [at, row] of order.entries()) {
    claimed++
    hits += labels[row] as number
    const next = order[at + 1]
    if (next !== undefined && probabilities[next] === probabilities[row]) continue
    const trueNegatives = negatives - (claimed - hits)
    const macro = hits / (claimed + positives) + trueNegatives / (labels.length - claimed + negatives)
    if (macro <= best) continue
    best = macro
    // Half way to the next lower probability, so that rounding decides nothing.
    threshold = next === undefined ? 0 : ((probabilities[row] as number) + (probabilities[next] as number)) / 2
  }
  return threshold
}
