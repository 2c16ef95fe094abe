// Which vehicles a stream shows, as its query says.

import { MAX_STREAMED_VEHICLES } from '@roadworthy/contracts/platform-v1/live'
import { Problem } from '@roadworthy/service-kit/problem'

export type Box = { readonly west: number; readonly south: number; readonly east: number; readonly north: number }
export type ShownVehicles = { readonly ids: readonly string[]; readonly box: Box | undefined }

export function readShownVehicles(query: { vehicles?: string | undefined; bbox?: string | undefined }): ShownVehicles {
  const ids = [...new Set(query.vehicles?.split(',').filter((id) => id !== '') ?? [])]
  if (ids.length > MAX_STREAMED_VEHICLES) {
    const message = `"vehicles" names ${ids.length} vehicles; a stream shows ${MAX_STREAMED_VEHICLES} at most.`
    throw new Problem('invalid_request', message, { details: { in: 'querystring', field: 'vehicles', maximum: MAX_STREAMED_VEHICLES } })
  }
  return { ids, box: query.bbox === undefined ? undefined : readBox(query.bbox) }
}

const DEGREES = /^-?\d{1,3}(\.\d{1,20})?$/

function readBox(text: string): Box {
  const parts = text.split(',')
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number)
  const isBox = parts.length === 4 && parts.every((part) => DEGREES.test(part))
  const isOnEarth = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north
  if (isBox && isOnEarth) return { west, south, east, north }
  const message = '"bbox" is four numbers in degrees, west,south,east,north, with south not above north; for example 77.4,12.8,77.8,13.2.'
  throw new Problem('invalid_request', message, { details: { in: 'querystring', field: 'bbox' } })
}
