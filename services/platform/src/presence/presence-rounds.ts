// What a process does for presence every few seconds.

import type { Database } from '@roadworthy/service-kit/db'
import type { PresenceLimits } from './judge-presence.ts'
import { Listening } from './listening.ts'
import { clearLostConnections, type LiveConnections } from './live-connections.ts'
import { tellPresence } from './tell-presence.ts'

/** What changes is told about this late. */
export const PRESENCE_EVERY_MS = 2_000

export type PresenceDeps = {
  readonly database: Database
  readonly connections: LiveConnections
  readonly limits: PresenceLimits
  /** The database's clock: leases, looks and their order are of all processes. */
  readonly now: () => Promise<Date>
}

/** Makes the round: called again and again, it answers how long to wait before the next. Begin when devices can be heard. */
export function createPresenceRound({ database, connections, limits, now }: PresenceDeps): () => Promise<number> {
  let listening: Listening | undefined
  const longestMs = Math.max(limits.offlineAfterMs, limits.reconnectWithinMs)
  return async () => {
    const at = await now()
    listening ??= new Listening(at)
    const isWriting = await connections.write(database, at)
    const isClearing = await clearLostConnections(database, at)
    const isTelling = await tellPresence({ database, limits }, listening.hasLasted(longestMs, at), at)
    return isWriting || isClearing || isTelling ? 0 : PRESENCE_EVERY_MS
  }
}
