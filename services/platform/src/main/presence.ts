import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { ClusterReach } from '../cluster/reach.ts'
import type { LiveConnections } from '../presence/live-connections.ts'
import { createConnectionRound, createPresenceRounds, PRESENCE_EVERY_MS, type PresenceRounds } from '../presence/presence-rounds.ts'
import type { PlatformSettings } from './settings/settings.ts'

/** Of a process that devices connect to. */
export function startConnectionRecord(
  { log }: { log: Logger },
  { database, connections }: { database: Database; connections: LiveConnections },
): Rounds {
  const rounds = startRounds(createConnectionRound({ database, connections, now: database.now }), PRESENCE_EVERY_MS, (err) =>
    log.error({ err }, 'which devices are connected could not be written; it is tried again'),
  )
  return {
    stop: async () => {
      await rounds.stop()
      await connections.release(database, await database.now())
    },
  }
}

/** Of a worker: from here on devices are given their time to be heard. */
export function startListening(
  { settings, log }: { settings: PlatformSettings; log: Logger },
  { database, reached }: { database: Database; reached: ClusterReach },
): { presence: PresenceRounds; rounds: Rounds } {
  const limits = { offlineAfterMs: settings.deviceOfflineAfterS * 1000, reconnectWithinMs: settings.deviceReconnectWithinS * 1000 }
  const presence = createPresenceRounds({ database, reached, limits, now: database.now })
  const rounds = startRounds(presence.listen, PRESENCE_EVERY_MS, (err) =>
    log.error({ err }, 'whether devices can be heard is unknown; it is tried again'),
  )
  return { presence, rounds }
}
