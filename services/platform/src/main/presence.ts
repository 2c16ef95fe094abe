import type { Database } from '@roadworthy/service-kit/db'
import type { Logger } from '@roadworthy/service-kit/log'
import { type Rounds, startRounds } from '@roadworthy/service-kit/rounds'
import type { LiveConnections } from '../presence/live-connections.ts'
import { createPresenceRound, PRESENCE_EVERY_MS } from '../presence/presence-rounds.ts'
import type { PlatformSettings } from './settings.ts'

/** From when the receivers are open: devices are given their time to be heard from there on. */
export function startPresence(
  { settings, log }: { settings: PlatformSettings; log: Logger },
  { database, connections }: { database: Database; connections: LiveConnections },
): Rounds {
  const limits = { offlineAfterMs: settings.deviceOfflineAfterS * 1000, reconnectWithinMs: settings.deviceReconnectWithinS * 1000 }
  const rounds = startRounds(createPresenceRound({ database, connections, limits, now: database.now }), PRESENCE_EVERY_MS, (err) =>
    log.error({ err }, 'who is online could not be told; it is tried again'),
  )
  return {
    stop: async () => {
      await rounds.stop()
      await connections.release(database, await database.now())
    },
  }
}
