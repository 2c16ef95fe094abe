import type { Alert, AlertList } from '@roadworthy/contracts/platform-v1/alerts'
import type { Track } from '@roadworthy/contracts/platform-v1/track'
import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { withSaid } from '../said/said.ts'
import { get } from './client.ts'

const TRAIL_MS = 30 * 60_000
const TRAIL_POINTS = 300
/** What is driven since is drawn from what the stream sends. */
const TRAIL_RENEWAL_MS = 60_000
const PAGE_SIZE = 200
/** Of a vehicle with more alerts since the day than this, those of the day are not all shown. */
const MAX_PAGES = 5

export const trackQuery = (vehicleId: string, range: { readonly fromMs: number; readonly toMs: number }) =>
  queryOptions({
    queryKey: ['track', vehicleId, range],
    queryFn: ({ signal }) => getTrack(vehicleId, range, undefined, signal),
    // A day that is over does not change, but for readings that come late.
    staleTime: 60_000,
  })

/** Of the last half hour. */
export const trailQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['trail', vehicleId],
    queryFn: ({ signal }) => getTrack(vehicleId, { fromMs: Date.now() - TRAIL_MS, toMs: Date.now() }, TRAIL_POINTS, signal),
    refetchInterval: TRAIL_RENEWAL_MS,
  })

/** Opened in the range, oldest first. The list is newest first and takes no range. */
export const alertsOfRangeQuery = (vehicleId: string, { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) =>
  queryOptions({
    queryKey: ['alerts', 'of range', vehicleId, fromMs, toMs],
    queryFn: async ({ signal }) => {
      const found: Alert[] = []
      let after: string | undefined
      for (let page = 0; page < MAX_PAGES; page++) {
        const { alerts, pagination } = await withSaid(
          await get<Static<typeof AlertList>>('/alerts', { vehicleId, limit: PAGE_SIZE, after }, signal),
        )
        found.push(...alerts)
        after = pagination.endCursor ?? undefined
        if (!pagination.hasNextPage || Date.parse(alerts.at(-1)?.timestamp ?? '') < fromMs) break
      }
      return found.filter(({ timestamp }) => Date.parse(timestamp) >= fromMs && Date.parse(timestamp) < toMs).reverse()
    },
    staleTime: 60_000,
  })

function getTrack(
  vehicleId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  maxPoints: number | undefined,
  signal: AbortSignal,
) {
  const parameters = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), maxPoints }
  return get<Track>(`/vehicles/${encodeURIComponent(vehicleId)}/track`, parameters, signal)
}
