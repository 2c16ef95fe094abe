// The base map without a network: countries from Natural Earth (public domain), places from GeoNames (CC BY 4.0). Enough to see in which
// town a vehicle is; there are no roads.

import { feature, mesh } from 'topojson-client'
import atlas from 'world-atlas/countries-50m.json'
import { cities } from '#cities'

export type Geography = {
  readonly countries: GeoJSON.FeatureCollection
  readonly borders: GeoJSON.MultiLineString
  readonly coasts: GeoJSON.MultiLineString
  readonly countryNames: GeoJSON.FeatureCollection<GeoJSON.Point>
  readonly places: GeoJSON.FeatureCollection<GeoJSON.Point>
}

export function readGeography(): Geography {
  const countries = unwrapped(feature(atlas, atlas.objects.countries))
  const lines = (isWanted: (a: object, b: object) => boolean) => {
    const { coordinates } = mesh(atlas, atlas.objects.countries, isWanted)
    return { type: 'MultiLineString' as const, coordinates: coordinates.map(unwrapLine) }
  }
  return {
    countries,
    borders: lines((a, b) => a !== b),
    coasts: lines((a, b) => a === b),
    countryNames: collect(countries.features.map(nameOf)),
    places: collect(
      cities.map(([name, longitude, latitude, thousandPeople]) => point([longitude, latitude], { name, size: thousandPeople })),
    ),
  }
}

/** The atlas is made for globes: its rings cross the date line. On a flat map they have to go on beyond 180° instead of jumping back. */
function unwrapped({ features, ...collection }: GeoJSON.FeatureCollection): GeoJSON.FeatureCollection {
  return {
    ...collection,
    features: features.map((each) => {
      const { geometry } = each
      if (geometry.type === 'Polygon') return { ...each, geometry: { ...geometry, coordinates: geometry.coordinates.map(unwrapRing) } }
      if (geometry.type !== 'MultiPolygon') return each
      return { ...each, geometry: { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(unwrapRing)) } }
    }),
  }
}

/** A ring that does not come back to its beginning runs around the pole: Antarctica. It is closed along the lower edge of the map. */
function unwrapRing(ring: readonly GeoJSON.Position[]): GeoJSON.Position[] {
  const line = unwrapLine(ring)
  const [first, last] = [line[0], line.at(-1)]
  if (first === undefined || last === undefined || Math.abs((first[0] ?? 0) - (last[0] ?? 0)) < 180) return line
  return [...line, [last[0] ?? 0, -90], [first[0] ?? 0, -90], first]
}

function unwrapLine(line: readonly GeoJSON.Position[]): GeoJSON.Position[] {
  let shift = 0
  let before: number | undefined
  return line.map(([longitude = 0, latitude = 0]) => {
    if (before !== undefined && longitude - before > 180) shift -= 360
    if (before !== undefined && longitude - before < -180) shift += 360
    before = longitude
    return [longitude + shift, latitude]
  })
}

/** The name stands in the middle of the largest piece: France is not in the Atlantic because it owns islands there. */
function nameOf({ geometry, properties }: GeoJSON.Feature): GeoJSON.Feature<GeoJSON.Point> {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : []
  let largest = { center: [0, 0], area: 0 }
  for (const [ring = []] of polygons) {
    const measured = measure(ring)
    if (measured.area > largest.area) largest = measured
  }
  return point(largest.center, { name: properties?.['name'], size: largest.area })
}

/** Centroid and area of a ring in square degrees (shoelace formula). */
function measure(ring: readonly GeoJSON.Position[]): { center: number[]; area: number } {
  let [sum, x, y] = [0, 0, 0]
  for (const [i, [x1 = 0, y1 = 0]] of ring.entries()) {
    const [x2 = 0, y2 = 0] = ring[(i + 1) % ring.length] ?? []
    const cross = x1 * y2 - x2 * y1
    sum += cross
    x += (x1 + x2) * cross
    y += (y1 + y2) * cross
  }
  return { center: [x / (3 * sum), y / (3 * sum)], area: Math.abs(sum / 2) }
}

function point(coordinates: number[], properties: Record<string, unknown>): GeoJSON.Feature<GeoJSON.Point> {
  return { type: 'Feature', geometry: { type: 'Point', coordinates }, properties }
}

function collect(features: GeoJSON.Feature<GeoJSON.Point>[]): GeoJSON.FeatureCollection<GeoJSON.Point> {
  return { type: 'FeatureCollection', features }
}
