export type Place = { readonly latitude: number; readonly longitude: number }

/** Mean radius of the Earth (IUGG). */
const EARTH_RADIUS_M = 6_371_008.8
const RADIANS_PER_DEGREE = Math.PI / 180

/** Along the great circle (haversine formula). */
export function metresBetween(a: Place, b: Place): number {
  const halfLatitude = ((b.latitude - a.latitude) * RADIANS_PER_DEGREE) / 2
  const halfLongitude = ((b.longitude - a.longitude) * RADIANS_PER_DEGREE) / 2
  const cosines = Math.cos(a.latitude * RADIANS_PER_DEGREE) * Math.cos(b.latitude * RADIANS_PER_DEGREE)
  const square = Math.sin(halfLatitude) ** 2 + cosines * Math.sin(halfLongitude) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(square)))
}
