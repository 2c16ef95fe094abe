// What processes do for presence every few seconds: those that hold connections write them down, and one worker publishes what follows.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { ClusterReach } from '../cluster/reach.ts'
import type { JobKind } from '../jobs/job.ts'
import { periodicJob } from '../jobs/periodic-job.ts'
import type { PresenceLimits } from './judge-presence.ts'
import { Listening } from './listening.ts'
import { clearLostConnections, type LiveConnections } from './live-connections.ts'
import { publishPresence } from './publish-presence.ts'

/** What changes is published about this late. */
export const PRESENCE_EVERY_MS = 2_000
/** Well within the pause after which a process counts as having heard nobody (`listening.ts`). */
const LISTEN_EVERY_MS = 5_000

/** What a process that holds connections does: writes which came and went. Answers how long to wait before the next round. */
export function createConnectionRound(deps: {
  readonly database: Database
  readonly connections: LiveConnections
  /** The database's clock: leases, looks and their order are of all processes. */
  readonly now: () => Promise<Date>
}): () => Promise<number> {
  return async () => ((await deps.connections.write(deps.database, await deps.now())) ? 0 : PRESENCE_EVERY_MS)
}

export type PresenceDeps = {
  readonly database: Database
  /** Of the process, so that all its work looks once. */
  readonly reached?: ClusterReach
  readonly limits: PresenceLimits
  readonly now: () => Promise<Date>
}

export type PresenceRounds = {
  /** Publishes who came and went; answers how long to wait before the next round. One worker at a time need do it. */
  publish(): Promise<number>
  /**
   * Notes that the database answers, which `publish` does too. Every worker calls it: one that takes over publishing then knows for how long devices
   * could be heard.
   */
  listen(): Promise<number>
}

/** Begin when devices can be heard. */
export function createPresenceRounds({ database, reached = new ClusterReach(database), limits, now }: PresenceDeps): PresenceRounds {
  let listening: Listening | undefined
  const longestMs = Math.max(limits.offlineAfterMs, limits.reconnectWithinMs)
  const canJudgeSilence = (at: Date) => {
    listening ??= new Listening(at)
    return listening.hasLasted(longestMs, at)
  }
  return {
    listen: async () => {
      canJudgeSilence(await now())
      return LISTEN_EVERY_MS
    },
    publish: async () => {
      const at = await now()
      const isClearing = await clearLostConnections(database, at)
      const canJudge = canJudgeSilence(at)
      const isPublishing = await reached.run((reach) => publishPresence({ database, limits, reach }, canJudge, at))
      return isClearing || isPublishing ? 0 : PRESENCE_EVERY_MS
    },
  }
}

export function presenceJob({ publish }: PresenceRounds, now: PresenceDeps['now']): JobKind {
  return periodicJob({ kind: 'presence', everyMs: PRESENCE_EVERY_MS, run: publish }, now)
}
