// Gathers the readings of concurrent requests into shared transactions. While one transaction is being committed the next fills, so a
// lone request waits for nobody and a busy service pays for one commit per hundreds of readings.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@roadworthy/service-kit/db'
import { Problem } from '@roadworthy/service-kit/problem'
import { foldLatestStates } from '../readings/latest-state.ts'
import type { Reading } from '../readings/reading.ts'
import { ensureReadingPartitions, insertReadings } from '../readings/readings.sql.ts'

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

type Waiting = { readings: readonly Reading[]; resolve: (stored: Stored[]) => void; reject: (error: unknown) => void }

const DEADLOCK_RETRIES = 3

export function createGroupCommit(deps: {
  database: Database
  limits: GroupCommitLimits
  /** A reading the store refuses for its content is a bug in normalisation; it must be seen, and must not take others with it. */
  onUnstorable: (error: unknown, reading: Reading) => void
}): GroupCommit {
  const { database, limits } = deps
  const waiting: Waiting[] = []
  let queuedCount = 0
  let lanesBusy = 0
  let scheduled = false

  const schedule = () => {
    if (scheduled || lanesBusy >= limits.lanes || waiting.length === 0) return
    scheduled = true
    // After the I/O events of this turn, so that requests that arrived together share a transaction.
    setImmediate(() => {
      scheduled = false
      while (lanesBusy < limits.lanes && waiting.length > 0) void commitNext()
    })
  }

  const commitNext = async () => {
    const group = takeGroup(waiting, limits.maxReadingsPerCommit)
    const readings = group.flatMap((entry) => entry.readings)
    lanesBusy++
    try {
      const stored = await storeIsolating(database, readings, deps.onUnstorable)
      let offset = 0
      for (const entry of group) {
        entry.resolve(stored.slice(offset, offset + entry.readings.length))
        offset += entry.readings.length
      }
    } catch (error) {
      for (const entry of group) entry.reject(error)
    } finally {
      lanesBusy--
      queuedCount -= readings.length
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
      return new Promise((resolve, reject) => {
        waiting.push({ readings, resolve, reject })
        schedule()
      })
    },
    drain: async () => {
      while (queuedCount > 0) await sleep(5)
    },
  }
}

function takeGroup(waiting: Waiting[], maxReadings: number): Waiting[] {
  let count = 0
  let taken = 0
  for (const { readings } of waiting) {
    if (taken > 0 && count + readings.length > maxReadings) break
    count += readings.length
    taken++
  }
  return waiting.splice(0, taken)
}

/** Stores a group; when the store refuses it for its content, halves it until the reading to blame stands alone. */
async function storeIsolating(
  database: Database,
  readings: readonly Reading[],
  onUnstorable: (error: unknown, reading: Reading) => void,
): Promise<Stored[]> {
  try {
    return await storeOnce(database, readings)
  } catch (error) {
    if (!isAboutContent(error)) throw error
    const [only] = readings
    if (readings.length === 1 && only !== undefined) {
      onUnstorable(error, only)
      return ['unstorable']
    }
    const middle = readings.length >> 1
    const first = await storeIsolating(database, readings.slice(0, middle), onUnstorable)
    const second = await storeIsolating(database, readings.slice(middle), onUnstorable)
    return [...first, ...second]
  }
}

async function storeOnce(database: Database, readings: readonly Reading[]): Promise<Stored[]> {
  const keys = readings.map((reading) => reading.digestHex)
  const distinct = new Map<string, Reading>()
  for (const [i, key] of keys.entries()) if (!distinct.has(key)) distinct.set(key, readings[i] as Reading)
  const rows = [...distinct.values()]
  const resellerIds = [...new Set(rows.map((row) => row.resellerId))]
  const states = foldLatestStates(rows)
  const insert = () => database.tenant(resellerIds, (db) => insertReadings(db, rows, states))
  const stored = await retryingDeadlocks(() => withPartitions(database, rows, insert))
  const answered = new Set<string>()
  return keys.map((key) => {
    const isFirst = !answered.has(key)
    answered.add(key)
    return isFirst && (stored === undefined || stored.has(key)) ? 'stored' : 'duplicate'
  })
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
async function withPartitions<T>(database: Database, readings: readonly Reading[], insert: () => Promise<T>): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (code !== '23514' || !String(message).startsWith('no partition of relation')) throw error
    const times = readings.map((reading) => reading.recordedAtMs)
    await ensureReadingPartitions(database.systemPool, new Date(Math.min(...times)), new Date(Math.max(...times)))
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
