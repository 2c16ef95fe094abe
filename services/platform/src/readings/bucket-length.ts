// How long a bucket is, where only their number is asked for. Pure.

import type { TimeRange } from './time-range.ts'

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
/** Lengths that divide a minute, an hour or a day, so that buckets begin where people expect it. */
const LENGTHS_S = [
  ...[1, 2, 5, 10, 15, 20, 30],
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_S),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map((hours) => hours * HOUR_S),
]

/** How many buckets of this length the range touches, as they are aligned to the epoch: one more than fit into it where it begins within one. */
export function touchedBuckets({ from, to }: TimeRange, lengthS: number): number {
  return Math.ceil(to.getTime() / (lengthS * 1000)) - Math.floor(from.getTime() / (lengthS * 1000))
}

/** The shortest length of which the range touches at most `points` buckets. */
export function bucketFor(points: number, range: TimeRange): number {
  const rangeMs = range.to.getTime() - range.from.getTime()
  return LENGTHS_S.find((lengthS) => touchedBuckets(range, lengthS) <= points) ?? Math.ceil(rangeMs / 1000 / (points - 1))
}
