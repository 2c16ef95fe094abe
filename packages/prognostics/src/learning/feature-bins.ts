// Features cut into at most 255 bins each, so that looking for a split means adding up 255 numbers instead of sorting every row.
import type { FeatureTable } from './forest.ts'

export const MAX_BINS = 255

/** Rows whose values decide where the cuts are; a larger table is sampled at even steps. */
const MAX_SKETCH_ROWS = 200_000

/** Above every value: the cut that leaves only what is missing on its right. Finite, so that it survives JSON. */
const MAX_FLOAT32 = 3.4028234663852886e38

export type BinnedTable = {
  readonly rowCount: number
  /** The bin of every cell, a column after the other: column × rowCount + row. */
  readonly bins: Uint8Array
  /** Per column the upper edge of each bin, inclusive, ascending. A missing value has the bin after the last of these. */
  readonly edges: readonly Float32Array[]
  readonly hasMissing: Uint8Array
}

export function binFeatures({ names, columns, rowCount }: FeatureTable, maxBins: number): BinnedTable {
  const bins = new Uint8Array(columns.length * rowCount)
  const hasMissing = new Uint8Array(columns.length)
  const edges = columns.map((column, index) => {
    const columnEdges = edgesOf(column, rowCount, maxBins)
    const isMissing = fillBins(column, columnEdges, bins.subarray(index * rowCount, (index + 1) * rowCount), names[index] ?? '')
    hasMissing[index] = isMissing ? 1 : 0
    return columnEdges
  })
  return { rowCount, bins, edges, hasMissing }
}

/** Returns whether any value is missing. */
function fillBins(column: Float32Array, edges: Float32Array, bins: Uint8Array, name: string): boolean {
  let isMissing = false
  for (let row = 0; row < bins.length; row++) {
    const value = column[row] as number
    if (Number.isNaN(value)) {
      bins[row] = edges.length
      isMissing = true
      continue
    }
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      throw new RangeError(`"${name}" is infinite in row ${row + 1}; a missing value is NaN`)
    }
    let [low, high] = [0, edges.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (value <= (edges[middle] as number)) high = middle
      else low = middle + 1
    }
    bins[row] = low
  }
  return isMissing
}

/** Cuts between neighbouring values where there are few, else so that each bin holds about the same number of rows. */
function edgesOf(column: Float32Array, rowCount: number, maxBins: number): Float32Array {
  const step = Math.max(1, Math.ceil(rowCount / MAX_SKETCH_ROWS))
  const sketch = new Float32Array(Math.ceil(rowCount / step))
  let count = 0
  for (let row = 0; row < rowCount; row += step) {
    const value = column[row] as number
    if (!Number.isNaN(value)) sketch[count++] = value
  }
  const sorted = sketch.subarray(0, count).sort()
  const { values, counts } = distinct(sorted)
  const edges: number[] = []
  let [rowsLeft, inBin] = [count, 0]
  for (let index = 0; index + 1 < values.length; index++) {
    inBin += counts[index] as number
    const binsLeft = maxBins - edges.length
    const isFew = values.length - index <= binsLeft
    // A value that fills a bin alone gets one of its own.
    const isFull = inBin >= rowsLeft / binsLeft || (counts[index + 1] as number) >= rowsLeft / binsLeft
    if (binsLeft === 1) break
    if (!isFew && !isFull) continue
    edges.push(between(values[index] as number, values[index + 1] as number))
    rowsLeft -= inBin
    inBin = 0
  }
  return Float32Array.of(...edges, MAX_FLOAT32)
}

function distinct(sorted: Float32Array): { values: number[]; counts: number[] } {
  const [values, counts]: [number[], number[]] = [[], []]
  for (const value of sorted) {
    // -0 and 0 are the same value to every comparison.
    if (values.length > 0 && values.at(-1) === value) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
    else {
      values.push(value)
      counts.push(1)
    }
  }
  return { values, counts }
}

/** A float32 t with low <= t < high: the middle, unless rounding takes it up to `high`. */
function between(low: number, high: number): number {
  const middle = Math.fround(low + (high - low) / 2)
  return middle < high ? middle : low
}
