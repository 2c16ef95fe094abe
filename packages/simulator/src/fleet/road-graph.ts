// Distances, headings and shortest paths on a region's road graph. Pure geometry.
import type { Region, RoadClass } from './regions.ts'

export type Leg = {
  readonly from: string
  readonly to: string
  readonly roadClass: RoadClass
  readonly lengthM: number
  readonly headingDeg: number
}

const EARTH_RADIUS_M = 6_371_000
/** Roads wind: driven distance over straight-line distance (Ballou 2002 gives 1.2 to 1.4 for European road networks). */
const CIRCUITY = 1.25
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance (haversine). */
export function distanceM(from: readonly [number, number], to: readonly [number, number]): number {
  const dLat = radians(to[0] - from[0])
  const dLon = radians(to[1] - from[1])
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(from[0])) * Math.cos(radians(to[0])) * Math.sin(dLon / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(h))
}

function headingDeg(from: readonly [number, number], to: readonly [number, number]): number {
  const dLon = radians(to[1] - from[1])
  const y = Math.sin(dLon) * Math.cos(radians(to[0]))
  const x = Math.cos(radians(from[0])) * Math.sin(radians(to[0])) - Math.sin(radians(from[0])) * Math.cos(radians(to[0])) * Math.cos(dLon)
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
}

export function placeOf(region: Region, name: string): readonly [number, number] {
  const place = region.places[name]
  if (place === undefined) throw new RangeError(`no place ${name} in ${region.id}`)
  return place
}

/** Point at `alongM` of the driven length of a leg. */
export function pointOnLeg(region: Region, leg: Leg, alongM: number): [number, number] {
  const [fromLat, fromLon] = placeOf(region, leg.from)
  const [toLat, toLon] = placeOf(region, leg.to)
  const share = leg.lengthM === 0 ? 0 : Math.min(1, Math.max(0, alongM / leg.lengthM))
  return [fromLat + (toLat - fromLat) * share, fromLon + (toLon - fromLon) * share]
}

const legsByRegion = new Map<Region, Map<string, Leg[]>>()

function legsFrom(region: Region, place: string): readonly Leg[] {
  let legs = legsByRegion.get(region)
  if (!legs) {
    legs = new Map()
    for (const [a, b, roadClass] of region.roads) {
      for (const [from, to] of [[a, b] as const, [b, a] as const]) {
        const ends = [placeOf(region, from), placeOf(region, to)] as const
        const leg: Leg = { from, to, roadClass, lengthM: distanceM(...ends) * CIRCUITY, headingDeg: headingDeg(...ends) }
        legs.set(from, [...(legs.get(from) ?? []), leg])
      }
    }
    legsByRegion.set(region, legs)
  }
  return legs.get(place) ?? []
}

export function legBetween(region: Region, from: string, to: string): Leg {
  const leg = legsFrom(region, from).find((candidate) => candidate.to === to)
  if (!leg) throw new RangeError(`no road from ${from} to ${to} in ${region.id}`)
  return leg
}

/** Places along the shortest way, both ends included (Dijkstra; a region has some fifteen places). */
export function shortestPath(region: Region, from: string, to: string): string[] {
  const bestM = new Map([[from, 0]])
  const previous = new Map<string, string>()
  const open = new Set([from])
  while (open.size > 0) {
    const here = [...open].reduce((a, b) => ((bestM.get(a) ?? 0) <= (bestM.get(b) ?? 0) ? a : b))
    open.delete(here)
    if (here === to) break
    for (const leg of legsFrom(region, here)) {
      const total = (bestM.get(here) ?? 0) + leg.lengthM
      if (total >= (bestM.get(leg.to) ?? Number.POSITIVE_INFINITY)) continue
      bestM.set(leg.to, total)
      previous.set(leg.to, here)
      open.add(leg.to)
    }
  }
  const path = [to]
  for (let step = previous.get(to); step !== undefined; step = previous.get(step)) path.unshift(step)
  if (path[0] !== from) throw new RangeError(`no way from ${from} to ${to} in ${region.id}`)
  return path
}
