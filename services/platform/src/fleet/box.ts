// A part of the map, as callers name it.

import { Problem } from '@roadworthy/service-kit/http/problem'

/** In degrees. One across the antimeridian has its west greater than its east. */
export type Box = { readonly west: number; readonly south: number; readonly east: number; readonly north: number }

const DEGREES = /^-?\d{1,3}(\.\d{1,20})?$/

export function readBox(text: string): Box {
  const parts = text.split(',')
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number)
  const isBox = parts.length === 4 && parts.every((part) => DEGREES.test(part))
  const isOnEarth = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north
  if (isBox && isOnEarth) return { west, south, east, north }
  const message = '"bbox" is four numbers in degrees, west,south,east,north, with south not above north; for example 77.4,12.8,77.8,13.2.'
  throw new Problem('invalid_request', message, { details: { in: 'querystring', field: 'bbox' } })
}

/** In degrees of longitude. */
export function widthOf({ west, east }: Pick<Box, 'west' | 'east'>): number {
  return east >= west ? east - west : east - west + 360
}
