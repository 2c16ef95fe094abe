// What follows from a series of positions: which of them cannot be, where the vehicle stood, for which times nothing is known, and how far it drove.

import { signals } from '@roadworthy/signals/registry'
import { metresBetween, type Place } from './earth-distance.ts'

export type TrackPoint = Place & {
  readonly atMs: number
  readonly speedKmh: number | undefined
  readonly headingDeg: number | undefined
  readonly ignition: boolean | undefined
}

export type Span = { readonly fromMs: number; readonly toMs: number }
export type Stop = Span & Place

export type TrackSummary = {
  readonly stops: Stop[]
  readonly gaps: Span[]
  /** Along the positions, without gaps, and without what a standing vehicle seems to wander. */
  readonly distanceM: number
  readonly maxSpeedKmh: number | undefined
}

/** A vehicle that stays within this stands: receivers wander by some tens of metres. Assumption. */
const STOP_RADIUS_M = 100
/** As Traccar calls it parking (`report.trip.minimalParkingDuration`); less is a traffic light. */
const STOP_MS = 300_000

/** No vehicle is faster: the end of the range of its speed. */
const MAX_METRES_PER_MS = signals.vehicleSpeedKmh.max / 3_600
/** Times are often whole seconds, and positions are off by some tens of metres. Assumption. */
const REACH_SLACK_MS = 1_000
const REACH_SLACK_M = 100
/** Consecutive positions that a receiver may be wrong by before it is believed. Assumption. */
const MAX_OUTLIERS = 10

/**
 * Points by time, without those that the vehicle cannot have driven to where it is soon heard again within reach of where it was before: receivers
 * between tall buildings, and those that find their fix again, report places far away.
 */
export function withoutOutliers<Point extends TrackPoint>(points: readonly Point[]): Point[] {
  const kept: Point[] = []
  for (let i = 0; i < points.length; i++) {
    const [before, point] = [kept.at(-1), points[i]]
    if (point === undefined) break
    if (before !== undefined && !isWithinReach(before, point)) {
      const outlierCount = points.slice(i, i + MAX_OUTLIERS + 1).findIndex((each) => isWithinReach(before, each))
      if (outlierCount > 0) {
        i += outlierCount - 1
        continue
      }
    }
    kept.push(point)
  }
  return kept
}

function isWithinReach(from: TrackPoint, to: TrackPoint): boolean {
  return metresBetween(from, to) <= (to.atMs - from.atMs + REACH_SLACK_MS) * MAX_METRES_PER_MS + REACH_SLACK_M
}

/** Points by time. Nothing is known of a time in which nothing was heard for `gapMs`, unless the vehicle was where it had been. */
export function summarizeTrack(points: readonly TrackPoint[], gapMs: number): TrackSummary {
  const stops: Stop[] = []
  const gaps: Span[] = []
  let distanceM = 0
  let i = 0
  while (i < points.length - 1) {
    const end = endOfStay(points, i)
    const [from, to, next] = [points[i], points[end], points[i + 1]]
    if (from === undefined || to === undefined || next === undefined) break
    if (to.atMs - from.atMs >= STOP_MS) {
      stops.push({ fromMs: from.atMs, toMs: to.atMs, ...middleOf(points.slice(i, end + 1)) })
      i = end
      const after = points[end + 1]
      if (after === undefined) break
      distanceM += step(to, after, gapMs, gaps)
    } else {
      distanceM += step(from, next, gapMs, gaps)
    }
    i++
  }
  const speeds = points.flatMap(({ speedKmh }) => (speedKmh === undefined ? [] : [speedKmh]))
  return { stops, gaps, distanceM, maxSpeedKmh: speeds.reduce<number | undefined>((most, each) => Math.max(most ?? each, each), undefined) }
}

/** Index of the last point up to which the vehicle stays where it is at `start` ("stay point": Q. Li et al., ACM GIS 2008). */
function endOfStay(points: readonly TrackPoint[], start: number): number {
  const anchor = points[start]
  let end = start
  while (end + 1 < points.length) {
    const next = points[end + 1]
    if (anchor === undefined || next === undefined || metresBetween(anchor, next) > STOP_RADIUS_M) break
    end++
  }
  return end
}

/** Metres from one point to the next; 0, and a gap, where nobody knows how it came there. */
function step(from: TrackPoint, to: TrackPoint, gapMs: number, gaps: Span[]): number {
  if (to.atMs - from.atMs <= gapMs) return metresBetween(from, to)
  gaps.push({ fromMs: from.atMs, toMs: to.atMs })
  return 0
}

/** Of points that are close together: in degrees from the first, so that the antimeridian may lie between them. */
function middleOf(points: readonly Place[]): Place {
  const first = points[0] ?? { latitude: 0, longitude: 0 }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const wrapped = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180
  return {
    latitude: mean(points.map(({ latitude }) => latitude)),
    longitude: wrapped(first.longitude + mean(points.map(({ longitude }) => wrapped(longitude - first.longitude)))),
  }
}
