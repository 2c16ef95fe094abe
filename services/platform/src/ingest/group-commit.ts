// Gathers the readings of concurrent requests into shared transactions. While one transaction is being committed the next fills, so a
// lone request waits for nobody and a busy service pays for one commit per hundreds of readings.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isUniqueViolation } from '@roadworthy/service-kit/db'
import { Problem } from '@roadworthy/service-kit/problem'
import { type LatestState, LatestStateFold } from '../readings/latest-state.ts'
import type { Reading } from '../readings/reading.ts'
import { ReadingRows } from '../readings/reading-rows.ts'
import { ensureReadingPartitions, insertNewReadings, insertReadings } from '../readings/readings.sql.ts'

export type GroupCommitLimits = {
  /** Readings in one transaction, at most (more only when one batch alone has more). */
  readonly maxReadingsPerCommit: number
  /** Transactions at the same time. */
  readonly lanes: number
  /** Readings accepted but not yet committed; beyond this callers are told to come back. */
  readonly maxQueuedReadings: number
}

export const defaultGroupCommitLimits: GroupCommitLimits = { maxReadingsPerCommit: 1_000, lanes: 2, maxQueuedReadings: 20_000 }

/** What became of one reading: written, known already, or refused by the store for its content. */
export type Stored = 'stored' | 'duplicate' | 'unstorable'

export type GroupCommit = {
  /** Resolves after COMMIT, one answer per reading. Rejects when the store is away: nothing of it may be acknowledged. */
  store(readings: readonly Reading[]): Promise<Stored[]>
  readonly queuedCount: () => number
  /** Resolves when everything accepted has been committed or rejected. */
  drain(): Promise<void>
}

/** The readings of one caller within a group: how many, and whom to tell. */
type Entry = { readonly count: number; readonly resolve: (stored: Stored[]) => void; readonly reject: (error: unknown) => void }

/** What goes to the store in one transaction. */
type Group = {
  readonly rows: ReadingRows
  readonly states: LatestStateFold
  readonly resellerIds: Set<string>
  readonly entries: Entry[]
}

const DEADLOCK_RETRIES = 3
/** What a group has room for before it grows. */
const TYPICAL_GROUP_SIZE = 100

export function createGroupCommit(deps: {
  database: Database
  limits: GroupCommitLimits
  /** A reading the store refuses for its content is a bug in normalisation; it must be seen, and must not take others with it. */
  onUnstorable: (error: unknown, reading: Reading) => void
}): GroupCommit {
  const { limits } = deps
  const store = createStore(deps.database)
  /** Oldest first; the last one is still being filled. */
  const waiting: Group[] = []
  /** Rows that have been committed, whose memory the next group takes. */
  const spareRows: ReadingRows[] = []
  let queuedCount = 0
  let lanesBusy = 0
  let scheduled = false

  const groupFor = (count: number): Group => {
    const last = waiting[waiting.length - 1]
    if (last !== undefined && last.rows.count + count <= limits.maxReadingsPerCommit) return last
    const group = createGroup(spareRows.pop() ?? new ReadingRows(TYPICAL_GROUP_SIZE))
    waiting.push(group)
    return group
  }

  const schedule = () => {
    if (scheduled || lanesBusy >= limits.lanes || waiting.length === 0) return
    scheduled = true
    // After the I/O events of this turn, so that requests that arrived together share a transaction.
    setImmediate(() => {
      scheduled = false
      while (lanesBusy < limits.lanes) {
        const group = waiting.shift()
        if (group === undefined) return
        void commit(group)
      }
    })
  }

  const commit = async (group: Group) => {
    lanesBusy++
    try {
      const stored = await storeIsolating(store, group, deps.onUnstorable)
      let offset = 0
      for (const { count, resolve } of group.entries) {
        resolve(stored.slice(offset, offset + count))
        offset += count
      }
      queuedCount -= offset
      if (spareRows.length < limits.lanes) {
        group.rows.clear()
        spareRows.push(group.rows)
      }
    } catch (error) {
      // The rows are not used again: a connection that broke may still be writing them.
      queuedCount -= group.rows.count
      for (const { reject } of group.entries) reject(error)
    } finally {
      lanesBusy--
      schedule()
    }
  }

  return {
    queuedCount: () => queuedCount,
    store: (readings) => {
      if (queuedCount + readings.length > limits.maxQueuedReadings) {
        return Promise.reject(new Problem('unavailable', 'More readings are arriving than can be stored; try again.', { retryAfterS: 1 }))
      }
      queuedCount += readings.length
      const group = groupFor(readings.length)
      for (const reading of readings) addToGroup(group, reading)
      return new Promise((resolve, reject) => {
        group.entries.push({ count: readings.length, resolve, reject })
        schedule()
      })
    },
    drain: async () => {
      while (queuedCount > 0) await sleep(5)
    },
  }
}

function createGroup(rows: ReadingRows): Group {
  return { rows, states: new LatestStateFold(), resellerIds: new Set(), entries: [] }
}

function addToGroup({ rows, states, resellerIds }: Group, reading: Reading): void {
  rows.add(reading)
  states.add(reading)
  resellerIds.add(reading.resellerId)
}

/** Stores a group; when the store refuses it for its content, halves it until the reading to blame stands alone. */
async function storeIsolating(store: Store, group: Group, onUnstorable: (error: unknown, reading: Reading) => void): Promise<Stored[]> {
  try {
    return await storeOnce(store, group)
  } catch (error) {
    if (!isAboutContent(error)) throw error
    const readings = group.rows.toReadings()
    const [only] = readings
    if (readings.length === 1 && only !== undefined) {
      onUnstorable(error, only)
      return ['unstorable']
    }
    const half = async (part: readonly Reading[]) => {
      const smaller = createGroup(new ReadingRows(part.length))
      for (const reading of part) addToGroup(smaller, reading)
      return await storeIsolating(store, smaller, onUnstorable)
    }
    const middle = readings.length >> 1
    return [...(await half(readings.slice(0, middle))), ...(await half(readings.slice(middle)))]
  }
}

async function storeOnce(store: Store, group: Group): Promise<Stored[]> {
  const { rows } = group
  const stored = await store(group)
  if (stored === undefined) return Array.from({ length: rows.count }, () => 'stored')
  // The same reading twice in one group is stored once, and the first is the one that was.
  const answered = new Set<string>()
  return Array.from({ length: rows.count }, (_, i) => {
    const digest = rows.digestAt(i)
    const isFirst = !answered.has(digest)
    answered.add(digest)
    return isFirst && stored.has(digest) ? 'stored' : 'duplicate'
  })
}

/** Writes a group. Resolves with the digests that were new, or undefined when all were. */
type Store = (group: Group) => Promise<ReadonlySet<string> | undefined>

/** How many groups are taken to hold readings that are known, after one did: whoever repeats readings repeats many. */
const DOUBTFUL_GROUPS = 100

/** Nearly always every reading is new, which costs PostgreSQL less; a group in which one is known is stored by the other statement. */
function createStore(database: Database): Store {
  let doubtfulGroups = 0
  const insert = async ({ rows, resellerIds }: Group, states: readonly LatestState[]) => {
    const db = database.tenantPool([...resellerIds])
    if (doubtfulGroups > 0) {
      doubtfulGroups--
      return await insertReadings(db, rows, states)
    }
    try {
      await insertNewReadings(db, rows, states)
      return undefined
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      doubtfulGroups = DOUBTFUL_GROUPS
      return await insertReadings(db, rows, states)
    }
  }
  return async (group) => {
    const states = group.states.states()
    return await retryingDeadlocks(() => withPartitions(database, group.rows, () => insert(group, states)))
  }
}

/** PostgreSQL class 22, data exception (a character or number it cannot hold), and 54000, a limit of its own exceeded. */
const CONTENT_SQLSTATE = /^22|^54000$/

/** Whether the readings themselves are to blame. Anything else, a missing grant or table included, is ours: then nothing is acknowledged. */
function isAboutContent(error: unknown): boolean {
  return CONTENT_SQLSTATE.test(String((error as { code?: unknown }).code))
}

/**
 * Housekeeping makes partitions weeks ahead, by the clock of the machine. A clock that was wrong at start and is set right later leaves
 * the present without one: then they are made here, and the insert is repeated once.
 */
async function withPartitions<T>(database: Database, rows: ReadingRows, insert: () => Promise<T>): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (code !== '23514' || !String(message).startsWith('no partition of relation')) throw error
    const { oldest, newest } = rows.recordedMs
    await ensureReadingPartitions(database.systemPool, new Date(oldest), new Date(newest))
    return await insert()
  }
}

/** Two processes may touch the same sources; rows are written in order, yet a deadlock stays possible and is then simply repeated. */
async function retryingDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const { code } = error as { code?: unknown }
      if ((code !== '40P01' && code !== '40001') || attempt > DEADLOCK_RETRIES) throw error
    }
  }
}
