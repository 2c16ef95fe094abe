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

/** The shortest length of which the range touches at most `points` buckets, as they are aligned to the epoch. */
export function bucketFor(points: number, { from, to }: TimeRange): number {
  const touched = (lengthS: number) => Math.ceil(to.getTime() / (lengthS * 1000)) - Math.floor(from.getTime() / (lengthS * 1000))
  return LENGTHS_S.find((lengthS) => touched(lengthS) <= points) ?? Math.ceil((to.getTime() - from.getTime()) / 1000 / (points - 1))
}
