import type { MapSources } from '@roadworthy/contracts/platform-v1/map'
import { queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'

/** As the service was started; the next load of the page asks again. */
export const mapSourcesQuery = queryOptions({
  queryKey: ['map'],
  queryFn: ({ signal }) => get<MapSources>('/map', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
})
