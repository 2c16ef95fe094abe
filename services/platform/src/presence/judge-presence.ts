// Whether a device is there, by two clocks: its connection, and what it sends. It is online while either shows it.

import type { EventPayload } from '@roadworthy/contracts/webhooks/events'
import { isHeardFrom } from '../devices/device.ts'

export type PresenceLimits = {
  /** A device that is not connected is offline when nothing was received of it for this long. */
  readonly offlineAfterMs: number
  /** A connection that ends is forgiven for this long: devices change cells, and brokers and processes. */
  readonly reconnectWithinMs: number
}

/** What is known of a device at one moment. */
export type Clocks = {
  /** As last published. */
  readonly isOnline: boolean
  /** When its newest reading was received, by our clock. */
  readonly lastSeenAt: Date | undefined
  /** Since when it is connected, while it is. */
  readonly connectedAt: Date | undefined
  /** When its last connection ended. */
  readonly disconnectedAt: Date | undefined
}

/** What a device is from now on, and when to look again unless something is heard of it. `reason` is of a change that is to be published. */
export type Verdict = { readonly lookAt?: Date } & (
  | { readonly isOnline: true; readonly reason?: EventPayload<'device.online'>['reason'] }
  | { readonly isOnline: false; readonly reason?: EventPayload<'device.offline'>['reason'] }
)

/** Judges a device at `now`, when all of its silence was its own. */
export function judgePresence(clocks: Clocks, now: Date, limits: PresenceLimits): Verdict {
  const { lastSeenAt, connectedAt } = clocks
  const isHeard = isHeardFrom(lastSeenAt, now, limits.offlineAfterMs)
  if (connectedAt !== undefined || isHeard) {
    const reason = connectedAt === undefined || (isHeard && lastSeenAt !== undefined && lastSeenAt < connectedAt) ? 'data' : 'connected'
    const lookAt = connectedAt === undefined && lastSeenAt !== undefined ? { lookAt: later(lastSeenAt, limits.offlineAfterMs + 1) } : {}
    return { isOnline: true, ...(clocks.isOnline ? {} : { reason }), ...lookAt }
  }
  return clocks.isOnline ? judgeSilence(clocks, now, limits) : { isOnline: false }
}

/** Its time to send is over. One whose connection ended is given a moment more to come back. */
function judgeSilence({ lastSeenAt, disconnectedAt }: Clocks, now: Date, limits: PresenceLimits): Verdict {
  if (disconnectedAt === undefined) return { isOnline: false, reason: 'silent' }
  const goneAt = later(disconnectedAt, limits.reconnectWithinMs)
  if (now < goneAt) return { isOnline: true, lookAt: goneAt }
  const isSilentSince = lastSeenAt !== undefined && later(lastSeenAt, limits.offlineAfterMs) >= goneAt
  return { isOnline: false, reason: isSilentSince ? 'silent' : 'disconnected' }
}

function later(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}
