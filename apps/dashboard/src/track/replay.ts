// Where the vehicle is at a moment of its replay.

import type { Track, TrackPoint } from '@roadworthy/contracts/platform-v1/track'

export type Course = {
  readonly points: readonly (TrackPoint & { readonly atMs: number })[]
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[]
}

export type Moment = {
  readonly longitude: number
  readonly latitude: number
  readonly speed: number | null
  readonly heading: number | null
  /** Nothing was heard at this time: it is where it was heard last. */
  readonly isInGap: boolean
}

export function courseOf({ points, gaps }: Pick<Track, 'points' | 'gaps'>): Course {
  return {
    points: points.map((point) => ({ ...point, atMs: Date.parse(point.at) })),
    gaps: gaps.map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })),
  }
}

/** Undefined before it was first heard. Between two points it drives evenly, as the service counted on when it left points out. */
export function momentAt({ points, gaps }: Course, atMs: number): Moment | undefined {
  const index = lastUntil(points, atMs)
  const [point, next] = [points[index], points[index + 1]]
  if (point === undefined) return undefined
  const { longitude, latitude, speed, heading } = point
  const isInGap = gaps.some(({ fromMs, toMs }) => atMs > fromMs && atMs < toMs)
  if (next === undefined || isInGap || next.atMs === point.atMs) return { longitude, latitude, speed, heading, isInGap }
  const share = (atMs - point.atMs) / (next.atMs - point.atMs)
  return {
    longitude: longitude + eastward(longitude, next.longitude) * share,
    latitude: latitude + (next.latitude - latitude) * share,
    speed: speed === null || next.speed === null ? speed : speed + (next.speed - speed) * share,
    heading,
    isInGap,
  }
}

/** Index of the last point not after the moment; -1 where there is none. */
function lastUntil(points: Course['points'], atMs: number): number {
  let [low, high] = [-1, points.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((points[middle]?.atMs ?? 0) <= atMs) low = middle
    else high = middle - 1
  }
  return low
}

/** The short way round. */
function eastward(from: number, to: number): number {
  return ((((to - from + 180) % 360) + 360) % 360) - 180
}

/** The line of the track in pieces of one colour each; none crosses a gap. */
export function coloredLines({ points, gaps }: Course, bandOf: (speed: number | null) => number): GeoJSON.Feature<GeoJSON.LineString>[] {
  const starts = new Set(gaps.map(({ fromMs }) => fromMs))
  const lines: GeoJSON.Feature<GeoJSON.LineString>[] = []
  let open: GeoJSON.Feature<GeoJSON.LineString> | undefined
  let longitude = points[0]?.longitude ?? 0
  for (const [index, point] of points.entries()) {
    const next = points[index + 1]
    if (next === undefined) break
    const to = longitude + eastward(longitude, next.longitude)
    if (starts.has(point.atMs)) {
      open = undefined
      longitude = next.longitude
      continue
    }
    const band = bandOf(next.speed ?? point.speed)
    if (open?.properties?.['band'] === band) {
      open.geometry.coordinates.push([to, next.latitude])
    } else {
      const coordinates = [
        [longitude, point.latitude],
        [to, next.latitude],
      ]
      open = { type: 'Feature', properties: { band }, geometry: { type: 'LineString', coordinates } }
      lines.push(open)
    }
    longitude = to
  }
  return lines
}
