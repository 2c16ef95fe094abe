// One group of readings into the store, in one transaction: what is known already, what the store refuses for its content, missing
// partitions and deadlocks are dealt with here.

import { type Database, isUniqueViolation } from '@roadworthy/service-kit/db'
import { type LatestState, LatestStateFold } from '../readings/latest-state.ts'
import type { Reading } from '../readings/reading.ts'
import { ReadingRows } from '../readings/reading-rows.ts'
import { ensureReadingPartitions, insertNewReadings, insertReadings } from '../readings/readings.sql.ts'

/** What became of one reading: written, known already, or refused by the store for its content. */
export type Stored = 'stored' | 'duplicate' | 'unstorable'

/** What goes to the store in one transaction. */
export type Group = { readonly rows: ReadingRows; readonly states: LatestStateFold; readonly resellerIds: Set<string> }

const DEADLOCK_RETRIES = 3

export function createGroup(rows: ReadingRows): Group {
  return { rows, states: new LatestStateFold(), resellerIds: new Set() }
}

export function addToGroup({ rows, states, resellerIds }: Group, reading: Reading): void {
  rows.add(reading)
  states.add(reading)
  resellerIds.add(reading.resellerId)
}

/** Stores a group; when the store refuses it for its content, halves it until the reading to blame stands alone. */
export async function storeIsolating(
  store: Store,
  group: Group,
  onUnstorable: (error: unknown, reading: Reading) => void,
): Promise<Stored[]> {
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
export type Store = (group: Group) => Promise<ReadonlySet<string> | undefined>

/** How many groups are taken to hold readings that are known, after one did: whoever repeats readings repeats many. */
const DOUBTFUL_GROUPS = 100

/** Nearly always every reading is new, which costs PostgreSQL less; a group in which one is known is stored by the other statement. */
export function createStore(database: Database): Store {
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
