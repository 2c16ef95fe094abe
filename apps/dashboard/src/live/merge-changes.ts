import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import type { ReceivedChange } from './live-state.ts'

/**
 * The vehicle as it is now. What was fetched and what was streamed arrive in any order: the one with the newer reading counts. Of the same reading,
 * the stream knows more while it stands (alerts, health, presence change without a reading); once it is cut, whatever came last.
 */
export function withChange<V extends Pick<Vehicle, 'id' | 'lastReadingAt'>>(
  vehicle: V,
  received: ReceivedChange | undefined,
  { fetchedAtMs, isLive }: { fetchedAtMs: number; isLive: boolean },
): V {
  if (received === undefined) return vehicle
  const { change, receivedAtMs } = received
  const [streamed, fetched] = [change.lastReadingAt ?? '', vehicle.lastReadingAt ?? '']
  if (streamed < fetched) return vehicle
  if (streamed === fetched && !isLive && receivedAtMs < fetchedAtMs) return vehicle
  return { ...vehicle, ...change }
}
