// Fewer points of a track, such that a vehicle that is moved along them is at every time close to where it was.
//
// Douglas–Peucker with the distance in time ("top-down time-ratio": N. Meratnia and R. A. de By, Spatiotemporal Compression Techniques for Moving Point
// Objects, EDBT 2004): a point counts by how far it lies from where the vehicle would be at that moment if it drove evenly between the points that
// are kept. So the shape is kept, and how fast it was driven, and where it stood.

import { metresBetween, type Place } from './earth-distance.ts'

type TimedPlace = Place & { readonly atMs: number }

/** Douglas–Peucker is quadratic at worst; in pieces of this length 45,000 points are at most 22 million steps. */
const PIECE_POINTS = 1_000

export type Thinned<Point> = {
  readonly points: Point[]
  /** No point that was left out is farther than this from where the others put the vehicle at its time. Undefined: nothing of it is known. */
  readonly toleranceM: number | undefined
}

/** At most `maxPoints`, in their order. `mustStay` are indexes of points that stay while there is room for them. */
export function thinTrack<Point extends TimedPlace>(
  points: readonly Point[],
  mustStay: readonly number[],
  maxPoints: number,
): Thinned<Point> {
  if (points.length <= maxPoints) return { points: [...points], toleranceM: 0 }
  const weights = weigh(points, mustStay)
  const limit = weights.toSorted().at(-maxPoints - 1) ?? 0
  if (limit === Number.POSITIVE_INFINITY) return { points: everyNth(points, maxPoints), toleranceM: undefined }
  return { points: points.filter((_, i) => (weights[i] ?? 0) > limit), toleranceM: limit }
}

/** For each point how far off the track would be without it and all that weigh less. */
function weigh(points: readonly TimedPlace[], mustStay: readonly number[]): Float64Array {
  const weights = new Float64Array(points.length)
  const last = points.length - 1
  const fixed = new Set([0, last, ...mustStay])
  for (let i = PIECE_POINTS; i < last; i += PIECE_POINTS) fixed.add(i)
  const ends = [...fixed].filter((i) => i >= 0 && i <= last).sort((a, b) => a - b)
  for (const end of ends) weights[end] = Number.POSITIVE_INFINITY
  for (let i = 1; i < ends.length; i++) weighPiece(points, weights, ends[i - 1] ?? 0, ends[i] ?? 0)
  return weights
}

function weighPiece(points: readonly TimedPlace[], weights: Float64Array, first: number, last: number): void {
  const pieces: [from: number, to: number, atMost: number][] = [[first, last, Number.POSITIVE_INFINITY]]
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    const [from, to, atMost] = piece
    const { index, distanceM } = farthest(points, from, to)
    if (distanceM === 0) continue
    // Never more than what it hangs on, so that a point is not kept without the one that it was measured against.
    const weight = Math.min(distanceM, atMost)
    weights[index] = weight
    pieces.push([from, index, weight], [index, to, weight])
  }
}

function farthest(points: readonly TimedPlace[], from: number, to: number): { index: number; distanceM: number } {
  const [start, end] = [points[from], points[to]]
  let found = { index: from, distanceM: 0 }
  if (start === undefined || end === undefined) return found
  for (let index = from + 1; index < to; index++) {
    const point = points[index]
    if (point === undefined) continue
    const distanceM = metresBetween(point, placeAt(start, end, point.atMs))
    if (distanceM > found.distanceM) found = { index, distanceM }
  }
  return found
}

function placeAt(start: TimedPlace, end: TimedPlace, atMs: number): Place {
  const share = end.atMs === start.atMs ? 0 : (atMs - start.atMs) / (end.atMs - start.atMs)
  return {
    latitude: start.latitude + (end.latitude - start.latitude) * share,
    longitude: start.longitude + eastward(start.longitude, end.longitude) * share,
  }
}

/** The short way round. */
function eastward(from: number, to: number): number {
  return ((((to - from + 180) % 360) + 360) % 360) - 180
}

function everyNth<Point>(points: readonly Point[], maxPoints: number): Point[] {
  const step = (points.length - 1) / (maxPoints - 1)
  return Array.from({ length: maxPoints }, (_, i) => points[Math.round(i * step)]).filter((point) => point !== undefined)
}
