// A part of the map, in degrees. One across the antimeridian has its west greater than its east.

export type Box = { readonly west: number; readonly south: number; readonly east: number; readonly north: number }

/** As the service takes it. */
export function boxText({ west, south, east, north }: Box): string {
  return [west, south, east, north].map((degrees) => Number(degrees.toFixed(4))).join(',')
}

export function contains(outer: Box, inner: Box): boolean {
  if (inner.south < outer.south || inner.north > outer.north) return false
  const start = eastOf(outer.west, inner.west)
  return start + widthOf(inner) <= widthOf(outer)
}

function widthOf({ west, east }: Box): number {
  return east >= west ? east - west : east - west + 360
}

/** How far one has to go east from one meridian to another. */
function eastOf(from: number, to: number): number {
  return to >= from ? to - from : to - from + 360
}
