// Which vehicles a stream shows, by its query.

import { MAX_STREAMED_VEHICLES } from '@roadworthy/contracts/platform-v1/live'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import { type Box, readBox } from '../fleet/box.ts'

export type ShownVehicles = { readonly ids: readonly string[]; readonly box: Box | undefined }

export function readShownVehicles(query: { vehicles?: string | undefined; bbox?: string | undefined }): ShownVehicles {
  const ids = [...new Set(query.vehicles?.split(',').filter((id) => id !== '' && isStorable(id)) ?? [])]
  if (ids.length > MAX_STREAMED_VEHICLES) {
    const message = `"vehicles" names ${ids.length} vehicles; a stream shows ${MAX_STREAMED_VEHICLES} at most.`
    throw new Problem('invalid_request', message, { details: { in: 'querystring', field: 'vehicles', maximum: MAX_STREAMED_VEHICLES } })
  }
  return { ids, box: query.bbox === undefined ? undefined : readBox(query.bbox) }
}
