// From buckets of readings to what a chart draws. Pure.

import type { ReadingBucket } from '@roadworthy/contracts/platform-v1/readings'
import type { SignalName } from '@roadworthy/signals/registry'
import { wireKeyOf } from '@roadworthy/signals/wire-names'

export type ChartSeries = {
  /** Seconds since the epoch. */
  readonly timesS: number[]
  readonly means: (number | null)[]
  readonly lows: (number | null)[]
  readonly highs: (number | null)[]
}

/** A parked vehicle reports every half minute: less than this is no gap. */
const MIN_GAP_S = 120

/** A line is not drawn across a silence, for nobody knows what was there. */
export function chartSeries(buckets: readonly ReadingBucket[], signal: SignalName, bucketS: number): ChartSeries {
  const { key, scale } = wireKeyOf(signal, 'engine')
  const series: ChartSeries = { timesS: [], means: [], lows: [], highs: [] }
  const push = (timeS: number, mean: number | null, low: number | null, high: number | null) => {
    series.timesS.push(timeS)
    series.means.push(mean)
    series.lows.push(low)
    series.highs.push(high)
  }
  for (const { start, signals } of buckets) {
    const values = signals[key]
    if (values === undefined) continue
    const timeS = Date.parse(start) / 1000
    const beforeS = series.timesS.at(-1)
    if (beforeS !== undefined && timeS - beforeS > Math.max(MIN_GAP_S, 3 * bucketS)) push(beforeS + bucketS, null, null, null)
    push(timeS, values.avg * scale, values.min * scale, values.max * scale)
  }
  return series
}

/** Where a value has none beside it, before or after. */
export function aloneAmong(values: ArrayLike<number | null | undefined>): number[] {
  const isValue = (index: number) => typeof values[index] === 'number'
  return Array.from(values, (_, index) => index).filter((index) => isValue(index) && !isValue(index - 1) && !isValue(index + 1))
}
