// How rare a value is, counted over stretches of sound driving and not over readings: readings of one trip follow each other and are not
// independent, so that a share of readings would promise more than it keeps.

/** Sorted, largest last: the most unusual moment of each stretch of sound driving that the model was not trained on. */
export type StretchMaxima = readonly number[]

/** Long enough to hold a warm-up or a fan cycle as a whole, short enough that tens of hours hold hundreds. */
export const STRETCH_S = 300

/**
 * The probability that a sound stretch of 300 s ever looks this unusual: the conformal p-value (1 + those as unusual) / (1 + all), valid
 * where stretches are exchangeable (Vovk et al. 2005). Beyond the most unusual one it goes on as an exponential with the mean excess of the
 * upper tenth; that part is an extrapolation, for ranking only.
 */
export function tailProbability(maxima: StretchMaxima, unusualness: number): number {
  const count = maxima.length
  const largest = maxima[count - 1]
  if (largest === undefined) return 1
  if (unusualness <= largest) return (1 + count - firstAtLeast(maxima, unusualness)) / (1 + count)
  return Math.exp(-(unusualness - largest) / meanExcess(maxima)) / (1 + count)
}

const UPPER_SHARE = 0.1
const LEAST_EXCESS = 1e-3

function meanExcess(maxima: StretchMaxima): number {
  const from = Math.floor(maxima.length * (1 - UPPER_SHARE))
  const base = maxima[from] ?? 0
  const upper = maxima.slice(from)
  return Math.max(LEAST_EXCESS, upper.reduce((sum, value) => sum + value - base, 0) / upper.length)
}

function firstAtLeast(sorted: StretchMaxima, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
