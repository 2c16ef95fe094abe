import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { isMissing } from '../api/retry.ts'
import { keysOfEvent } from './keys-of-event.ts'
import { LiveConnection, type Source } from './live-connection.ts'
import { liveState } from './live-state.ts'
import { withChange } from './merge-changes.ts'
import { PacedRenewal } from './paced-renewal.ts'
import type { Shown } from './shown.ts'

/** Asked once, or with a meaning of its own when it is refused: a page finds out by its other questions that the session has ended. */
const NOT_ASKED_ANEW: readonly unknown[] = ['session', 'brand']

/** For what is around all pages: follows the stream while the tab is visible. */
export function useLive(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const renew = (queryKey: QueryKey) => void queryClient.invalidateQueries({ queryKey, predicate: (query) => !isLongList(query) })
    const renewal = new PacedRenewal(renew, Date.now)
    const connection = new LiveConnection({
      state: liveState,
      open: (url) => new EventSource(url) as Source,
      onEvent: ({ event, data }) => {
        for (const key of keysOfEvent(event, data)) renewal.note(key)
      },
      onJudged: (vehicleId) => {
        renewal.note(['health', vehicleId])
        renewal.note(['predictions', vehicleId])
      },
      askAnew: () => void queryClient.invalidateQueries({ predicate: isAskedAnew }),
      random: Math.random,
      nowMs: Date.now,
    })
    // Browsers open six connections to a host over HTTP/1.1, for all tabs together.
    const follow = () => (document.hidden ? connection.stop() : connection.start())
    const connectNow = () => {
      connection.stop()
      follow()
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    addEventListener('online', connectNow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      removeEventListener('online', connectNow)
      connection.stop()
      renewal.stop()
      liveState.forget()
    }
  }, [queryClient])
}

/** What is missing stays so: asked for again, its page would show for a moment that it is loading. */
function isAskedAnew({ queryKey, state }: Query): boolean {
  return !NOT_ASKED_ANEW.includes(queryKey[0]) && !isMissing(state.error)
}

/** More pages of a list are not loaded anew at each event, under the eyes of who reads in it: that would ask for all of them again. */
const MAX_RENEWED_PAGES = 3

function isLongList({ state }: Query): boolean {
  const { pages } = (state.data ?? {}) as { pages?: readonly unknown[] }
  return (pages?.length ?? 0) > MAX_RENEWED_PAGES
}

/** Has the stream follow these, as long as the page is there. `shown` has to be the same object from one drawing to the next. */
export function useShown(shown: Shown): void {
  useEffect(() => liveState.show(shown), [shown])
}

type Followed = Pick<Vehicle, 'id' | 'lastReadingAt'>

/** The vehicle as it is now; what shows it is drawn again when it changes. `fetchedAtMs`: `dataUpdatedAt` of its query. */
export function useLiveVehicle<V extends Followed | undefined>(vehicle: V, fetchedAtMs: number): V {
  const received = useSyncExternalStore(liveState.subscribe, () => liveState.changes.get(vehicle?.id ?? ''))
  const isLive = useIsLive()
  return useMemo(
    () => (vehicle === undefined ? vehicle : withChange(vehicle, received, { fetchedAtMs, isLive })),
    [vehicle, received, fetchedAtMs, isLive],
  )
}

/** The same of many. */
export function useLiveVehicles<V extends Followed>(vehicles: readonly V[], fetchedAtMs: number): readonly V[] {
  const changes = useSyncExternalStore(liveState.subscribe, () => liveState.changes)
  const isLive = useIsLive()
  return useMemo(
    () => vehicles.map((vehicle) => withChange(vehicle, changes.get(vehicle.id), { fetchedAtMs, isLive })),
    [vehicles, changes, fetchedAtMs, isLive],
  )
}

/** Whether changes arrive by themselves. */
function useIsLive(): boolean {
  return useSyncExternalStore(liveState.subscribe, () => liveState.isLive)
}
