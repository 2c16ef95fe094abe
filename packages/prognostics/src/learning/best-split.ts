// The best cut of a node, from its histogram. Gains and outputs are those of second-order boosting (Chen & Guestrin 2016, eq. 6 and 7):
// a node with gradient sum G and hessian sum H gives −G / (H + λ), and improves the loss by G² / (H + λ) (twice, which changes no choice).

/** Doubles per bin: gradient sum, hessian sum, row count. */
export const BIN_STRIDE = 3

export type Sums = { readonly gradient: number; readonly hessian: number; readonly rows: number }

/** What a node's output must lie between, from monotone cuts above it. */
export type Bounds = { readonly low: number; readonly high: number }

export const UNBOUNDED: Bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

export type SplitLimits = { readonly lambda: number; readonly minLeafRows: number; readonly minGain: number }

export type Split = {
  readonly column: number
  /** Left is this bin and the ones below. */
  readonly bin: number
  readonly isMissingLeft: boolean
  readonly gain: number
  readonly left: Sums
}

/** One column's part of a histogram. */
export type ColumnBins = {
  readonly column: number
  readonly offset: number
  readonly binCount: number
  readonly hasMissing: boolean
  readonly monotone: -1 | 0 | 1
}

export function outputOf({ gradient, hessian }: Sums, { low, high }: Bounds, lambda: number): number {
  return Math.min(high, Math.max(low, -gradient / (hessian + lambda)))
}

/** By how much giving `output` improves on giving 0, twice. */
function improvement(gradient: number, hessian: number, output: number, lambda: number): number {
  return -output * (2 * gradient + (hessian + lambda) * output)
}

/** The cut with the largest gain; of equal ones the first column and the lowest bin. `undefined` where none is worth it. */
export function findBestSplit(
  histogram: Float64Array,
  columns: readonly ColumnBins[],
  sums: Sums,
  bounds: Bounds,
  limits: SplitLimits,
): Split | undefined {
  const { lambda } = limits
  const before = improvement(sums.gradient, sums.hessian, outputOf(sums, bounds, lambda), lambda)
  const isBounded = bounds !== UNBOUNDED
  let best: Split | undefined
  for (const column of columns) {
    const missing = column.hasMissing ? sumsAt(histogram, column.offset + column.binCount * BIN_STRIDE) : NOTHING
    for (const isMissingLeft of missing.rows > 0 ? [false, true] : [false]) {
      const scan = isBounded || column.monotone !== 0 ? scanBounded : scanFree
      const bestGain = best?.gain ?? limits.minGain
      const bin = scan(histogram, column, sums, isMissingLeft ? missing : NOTHING, before + bestGain, limits, bounds)
      if (bin === NO_BIN) continue
      const left = leftSums(histogram, column, bin, isMissingLeft ? missing : NOTHING)
      const gain = gainOf(left, sums, column.monotone === 0 && !isBounded ? UNBOUNDED : bounds, lambda) - before
      // Where nothing is missing, what turns up missing later goes with the weightier side.
      const isLeft = missing.rows > 0 ? isMissingLeft : left.hessian * 2 >= sums.hessian
      best = { column: column.column, bin, isMissingLeft: isLeft, gain, left }
    }
  }
  return best
}

const NOTHING: Sums = { gradient: 0, hessian: 0, rows: 0 }
const NO_BIN = -1

/** A side with less than this share of the curvature is the rounding of a subtraction, or rows that weigh next to nothing. */
const MIN_HESSIAN_SHARE = 1e-9

function sumsAt(histogram: Float64Array, at: number): Sums {
  return { gradient: histogram[at] as number, hessian: histogram[at + 1] as number, rows: histogram[at + 2] as number }
}

function leftSums(histogram: Float64Array, { offset }: ColumnBins, lastBin: number, start: Sums): Sums {
  let { gradient, hessian, rows } = start
  for (let at = offset; at <= offset + lastBin * BIN_STRIDE; at += BIN_STRIDE) {
    if (histogram[at + 2] === 0) continue
    gradient += histogram[at] as number
    hessian += histogram[at + 1] as number
    rows += histogram[at + 2] as number
  }
  return { gradient, hessian, rows }
}

function gainOf(left: Sums, all: Sums, bounds: Bounds, lambda: number): number {
  const right = minus(all, left)
  return (
    improvement(left.gradient, left.hessian, outputOf(left, bounds, lambda), lambda) +
    improvement(right.gradient, right.hessian, outputOf(right, bounds, lambda), lambda)
  )
}

export function minus(all: Sums, part: Sums): Sums {
  return { gradient: all.gradient - part.gradient, hessian: all.hessian - part.hessian, rows: all.rows - part.rows }
}

/** The bin after which the two sides improve the loss most, and by more than `toBeat`. `start` is on the left from the beginning. */
function scanFree(
  histogram: Float64Array,
  { offset, binCount }: ColumnBins,
  all: Sums,
  start: Sums,
  toBeat: number,
  { lambda, minLeafRows }: SplitLimits,
): number {
  let { gradient, hessian, rows } = start
  let [best, bestBin] = [toBeat, NO_BIN]
  const [allGradient, allHessian, mostRows] = [all.gradient, all.hessian + lambda, all.rows - minLeafRows]
  const leastHessian = all.hessian * MIN_HESSIAN_SHARE
  const mostHessian = all.hessian - leastHessian
  for (let bin = 0, at = offset; bin < binCount; bin++, at += BIN_STRIDE) {
    const rowsHere = histogram[at + 2] as number
    if (rowsHere === 0) continue
    gradient += histogram[at] as number
    hessian += histogram[at + 1] as number
    rows += rowsHere
    if (rows < minLeafRows) continue
    if (rows > mostRows) break
    if (hessian < leastHessian || hessian > mostHessian) continue
    const gradientRight = allGradient - gradient
    const now = (gradient * gradient) / (hessian + lambda) + (gradientRight * gradientRight) / (allHessian - hessian)
    if (now > best) {
      best = now
      bestBin = bin
    }
  }
  return bestBin
}

/** As `scanFree`, where outputs are bounded or the column's cuts must not turn its direction around. */
function scanBounded(
  histogram: Float64Array,
  { offset, binCount, monotone }: ColumnBins,
  all: Sums,
  start: Sums,
  toBeat: number,
  { lambda, minLeafRows }: SplitLimits,
  { low, high }: Bounds,
): number {
  let { gradient, hessian, rows } = start
  let [best, bestBin] = [toBeat, NO_BIN]
  const leastHessian = all.hessian * MIN_HESSIAN_SHARE
  for (let bin = 0, at = offset; bin < binCount; bin++, at += BIN_STRIDE) {
    const rowsHere = histogram[at + 2] as number
    if (rowsHere === 0) continue
    gradient += histogram[at] as number
    hessian += histogram[at + 1] as number
    rows += rowsHere
    if (rows < minLeafRows) continue
    if (rows > all.rows - minLeafRows) break
    if (hessian < leastHessian || hessian > all.hessian - leastHessian) continue
    const [gradientRight, hessianRight] = [all.gradient - gradient, all.hessian - hessian]
    const left = Math.min(high, Math.max(low, -gradient / (hessian + lambda)))
    const right = Math.min(high, Math.max(low, -gradientRight / (hessianRight + lambda)))
    // After the last bin the right side is what is missing, and that has no place in the order.
    if (bin < binCount - 1 && monotone * (right - left) < 0) continue
    const now = improvement(gradient, hessian, left, lambda) + improvement(gradientRight, hessianRight, right, lambda)
    if (now > best) {
      best = now
      bestBin = bin
    }
  }
  return bestBin
}
