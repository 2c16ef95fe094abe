// A run of the synchronisation: what it is to do, how far it is, and what it found.

import type { SyncRequest } from '@roadworthy/contracts/sim-billing/sync'
import { Problem } from '@roadworthy/service-kit/http/problem'

export type SyncScope = NonNullable<SyncRequest['scope']>

export type SyncError = {
  /** Absent where it is about a whole connection. */
  readonly iccid: string | undefined
  readonly connectionId: string | undefined
  readonly code: string
  readonly message: string
}

/** Where in a connection it is. Every part of it is stored with what was found up to there. */
export type SyncProgress = {
  readonly connectionId: string
  readonly phase: 'sims' | 'usage'
  /** In the phase `sims`: where the operator's list goes on. */
  readonly cursor: string | undefined
  /** The SIMs up to this one have been asked about, by id; in the phase `usage`, and where single SIMs are asked for. */
  readonly afterSimId: string
  /** By the operator's clock, of the SIMs that were seen; ISO 8601. */
  readonly newestModifiedAt: string | undefined
  /** Attempts at the same place that failed. */
  readonly failures: number
}

export type SyncCounts = {
  readonly seen: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  readonly usageUpdated: number
}
export const noCounts: SyncCounts = { seen: 0, created: 0, updated: 0, unchanged: 0, failed: 0, usageUpdated: 0 }

export type Sync = {
  readonly resellerId: string
  readonly syncId: string
  readonly scope: SyncScope
  readonly isFull: boolean
  /** Still to be done, the one under way first. */
  readonly connectionIds: readonly string[]
  /** Only this one was asked for. */
  readonly onlyConnectionId: string | undefined
  /** Only these. */
  readonly simIds: readonly string[] | undefined
  readonly status: 'running' | 'completed' | 'partial' | 'failed'
  readonly progress: SyncProgress | undefined
  readonly counts: SyncCounts
  readonly errors: readonly SyncError[]
  readonly failedConnectionCount: number
  readonly requestedBy: string
  readonly startedAt: Date
  readonly finishedAt: Date | undefined
}

/** What a step adds to a run. */
export type SyncStep = {
  /** Absent: the connection is done. */
  readonly progress: SyncProgress | undefined
  readonly counts: Partial<SyncCounts>
  readonly errors: readonly SyncError[]
  readonly hasFailedConnection: boolean
}

export function firstProgress(connectionId: string, scope: SyncScope): SyncProgress {
  const phase = scope === 'usage' ? 'usage' : 'sims'
  return { connectionId, phase, cursor: undefined, afterSimId: '', newestModifiedAt: undefined, failures: 0 }
}

/** How it ended, by what went wrong. */
export function statusOf({ counts, errors, failedConnectionCount }: Sync): 'completed' | 'partial' | 'failed' {
  if (errors.length === 0 && counts.failed === 0) return 'completed'
  return failedConnectionCount > 0 && counts.seen === 0 && counts.usageUpdated === 0 ? 'failed' : 'partial'
}

export function noSuchSync(): Problem {
  return new Problem('not_found', 'There is no such run of the synchronisation.')
}
