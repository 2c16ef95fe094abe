// Gathers the readings of concurrent requests into shared transactions. While one transaction is being committed the next fills, so a
// lone request waits for nobody and a busy service pays for one commit per hundreds of readings.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@roadworthy/service-kit/db'
import { isOutage } from '@roadworthy/service-kit/http'
import { Problem } from '@roadworthy/service-kit/problem'
import type { Reading } from '../readings/reading.ts'
import { ReadingRows } from '../readings/reading-rows.ts'
import type { StreamProgress } from '../streams/offsets.sql.ts'
import { isLockTimeout, splitOffBlocked } from './split-blocked.ts'
import { addProgress, addToGroup, createGroup, createStore, type Group, type Store, type Stored, storeIsolating } from './store-group.ts'

export type GroupCommitLimits = {
  /** Readings in one transaction, at most (more only when one batch alone has more). */
  readonly maxReadingsPerCommit: number
  /** Transactions at the same time. */
  readonly lanes: number
  /** Readings accepted but not yet committed; beyond this callers are told to come back. */
  readonly maxQueuedReadings: number
}

export const defaultGroupCommitLimits: GroupCommitLimits = { maxReadingsPerCommit: 1_000, lanes: 2, maxQueuedReadings: 20_000 }

export type GroupCommit = {
  /**
   * Resolves after COMMIT, one answer per reading. Rejects when the store is away: nothing of it may be acknowledged. `progress` is written
   * with the readings; not at all when the store refuses one of them for its content.
   */
  store(readings: readonly Reading[], progress?: readonly StreamProgress[]): Promise<Stored[]>
  readonly queuedCount: () => number
  /** Resolves when everything accepted has been committed or rejected. */
  drain(): Promise<void>
}

/** The readings of one caller within a group: how many, and whom to tell. */
type Entry = { readonly count: number; readonly resolve: (stored: Stored[]) => void; readonly reject: (error: unknown) => void }

/** A group that fills while others are being stored, and who waits for it. */
type Waiting = { readonly group: Group; readonly entries: Entry[] }

/** What a group has room for before it grows. */
const TYPICAL_GROUP_SIZE = 100

type GroupCommitDeps = {
  readonly database: Database
  readonly limits: GroupCommitLimits
  /** A reading the store refuses for its content is a bug in normalisation; it must be seen, and must not take others with it. */
  readonly onUnstorable: (error: unknown, reading: Reading) => void
}

export function createGroupCommit(deps: GroupCommitDeps): GroupCommit {
  const { limits } = deps
  const store = createStore(deps.database)
  /** Oldest first; the last one is still being filled. */
  const queue: Waiting[] = []
  /** Rows that have been committed, whose memory the next group takes. */
  const spareRows: ReadingRows[] = []
  let queuedCount = 0
  let lanesBusy = 0
  let scheduled = false

  const groupFor = (count: number): Waiting => {
    const last = queue[queue.length - 1]
    if (last !== undefined && last.group.rows.count + count <= limits.maxReadingsPerCommit) return last
    const waiting = { group: createGroup(spareRows.pop() ?? new ReadingRows(TYPICAL_GROUP_SIZE)), entries: [] }
    queue.push(waiting)
    return waiting
  }

  const schedule = () => {
    if (scheduled || lanesBusy >= limits.lanes || queue.length === 0) return
    scheduled = true
    // After the I/O events of this turn, so that requests that arrived together share a transaction.
    setImmediate(() => {
      scheduled = false
      while (lanesBusy < limits.lanes && queue.length > 0) void commit(queue.shift() as Waiting)
    })
  }

  const commit = async ({ group, entries }: Waiting) => {
    const { rows } = group
    const { count } = rows
    lanesBusy++
    try {
      answer(entries, await storeIsolating(store, group, deps.onUnstorable))
      rows.clear()
      if (spareRows.length < limits.lanes) spareRows.push(rows)
    } catch (error) {
      // The rows are not used again: a connection that broke may still be writing them.
      const isWhole = await settleFailure({ ...deps, store }, { group, entries }, error)
      // A store that hangs takes seconds to fail each group; those behind it would wait for their turn to fail as well.
      if (isWhole && isOutage(error)) queuedCount -= rejectAll(queue.splice(0), error)
    } finally {
      lanesBusy--
      queuedCount -= count
      schedule()
    }
  }

  return {
    queuedCount: () => queuedCount,
    store: (readings, progress) => {
      if (queuedCount + readings.length > limits.maxQueuedReadings) {
        return Promise.reject(new Problem('unavailable', 'More readings are arriving than can be stored; try again.', { retryAfterS: 1 }))
      }
      queuedCount += readings.length
      const { group, entries } = groupFor(readings.length)
      for (const reading of readings) addToGroup(group, reading)
      if (progress !== undefined) addProgress(group, readings.length, progress)
      return new Promise((resolve, reject) => {
        entries.push({ count: readings.length, resolve, reject })
        schedule()
      })
    },
    drain: async () => {
      while (queuedCount > 0) await sleep(5)
    },
  }
}

/**
 * Of a group that waited in vain for a lock only those are refused whose rows are held, and what waits behind it has its own try. Returns
 * whether the whole group failed: it was no row that was held, or something else than a lock.
 */
async function settleFailure(
  { database, store, onUnstorable }: GroupCommitDeps & { readonly store: Store },
  { group, entries }: Waiting,
  error: unknown,
): Promise<boolean> {
  const split = isLockTimeout(error) ? await splitOffBlocked(database, group, entries).catch(() => undefined) : undefined
  for (const { reject } of split?.blocked ?? entries) reject(error)
  if (split === undefined) return true
  try {
    if (split.free.length > 0) answer(split.free, await storeIsolating(store, split.group, onUnstorable))
  } catch (again) {
    for (const { reject } of split.free) reject(again)
  }
  return false
}

/** Returns how many readings those were. */
function rejectAll(waiting: readonly Waiting[], error: unknown): number {
  for (const { entries } of waiting) for (const { reject } of entries) reject(error)
  return waiting.reduce((count, { group }) => count + group.rows.count, 0)
}

function answer(entries: readonly Entry[], stored: readonly Stored[]): void {
  let offset = 0
  for (const { count, resolve } of entries) {
    resolve(stored.slice(offset, offset + count))
    offset += count
  }
}
