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

/** How much larger than the view a part is asked for, to every side: a map that is moved a little asks for nothing. */
const MARGIN = 0.5
const MAX_LATITUDE = 85

/** Around what is in view. Its sides stand on a grid, so that views close to each other ask for the same. */
export function boxAround(view: Box): Box {
  const width = widthOf(view)
  if (width * (1 + 2 * MARGIN) >= 360) return { west: -180, south: -90, east: 180, north: 90 }
  const height = view.north - view.south
  const step = 2 ** Math.floor(Math.log2(Math.max(width, height, 0.001) / 4))
  const down = (degrees: number) => Math.floor(degrees / step) * step
  const up = (degrees: number) => Math.ceil(degrees / step) * step
  return {
    west: wrapped(down(view.west - width * MARGIN)),
    south: Math.max(-MAX_LATITUDE, down(view.south - height * MARGIN)),
    east: wrapped(up(view.west + width * (1 + MARGIN))),
    north: Math.min(MAX_LATITUDE, up(view.north + height * MARGIN)),
  }
}

/** Whether what was asked for still answers for the view: it has all of it, and not so much more that its clusters are coarse. */
export function isStillGood(asked: Box, view: Box): boolean {
  return contains(asked, view) && widthOf(asked) <= 5 * widthOf(view)
}

function wrapped(degrees: number): number {
  return degrees < -180 ? degrees + 360 : degrees > 180 ? degrees - 360 : degrees
}

function widthOf({ west, east }: Box): number {
  return east >= west ? east - west : east - west + 360
}

/** How far one has to go east from one meridian to another. */
function eastOf(from: number, to: number): number {
  return to >= from ? to - from : to - from + 360
}
