// One group of readings into the store, in one transaction: what is known already, what the store refuses for its content, missing
// partitions and deadlocks are dealt with here.

import { type CopyIn, type Database, type Db, isUniqueViolation, type TenantDatabase } from '@roadworthy/service-kit/postgres/db'
import { insertUsageAcrossResellers, type UsageCount } from '../limits/usage.sql.ts'
import { upsertAlarms } from '../readings/alarms.sql.ts'
import type { CopyPartition } from '../readings/copy-partitions.read.sql.ts'
import { CopyPartitions } from '../readings/copy-partitions.ts'
import { insertAlarmEffects } from '../readings/effects.sql.ts'
import { LatestStateFold } from '../readings/latest-state.ts'
import type { Reading } from '../readings/reading.ts'
import { ReadingRows } from '../readings/reading-rows.ts'
import { createReadingWriter, ensureReadingPartitions, type ReadingTables, type WithReadings } from '../readings/readings.sql.ts'
import { type StreamProgress, upsertOffsets } from '../streams/offsets.sql.ts'

/** What became of one reading: written, known already, refused by the store for its content, or not tried because its source is held by a lock. */
export type Stored = 'stored' | 'duplicate' | 'unstorable' | 'held'

/** How far streams are settled once these readings of a group are. */
type GroupProgress = { readonly firstReading: number; readonly readingCount: number; readonly offsets: readonly StreamProgress[] }

/** Where groups go: the one PostgreSQL, or a shard of it on its node. */
export type StoreTarget = {
  /** For what is not of one shard. */
  readonly database: Database
  readonly rows: TenantDatabase
  readonly tables: ReadingTables
}

/** What goes to the store in one transaction. */
export type Group = {
  readonly rows: ReadingRows
  readonly states: LatestStateFold
  readonly resellerIds: Set<string>
  /** On a shard, readings of other sources whose devices have their state on it. */
  readonly heard: Reading[]
  /** Nearly always absent: only batches of streams have any. */
  progress?: GroupProgress[]
  /** The calls that brought the readings, to be counted with them; where there are shards, they are counted elsewhere. */
  calls?: readonly UsageCount[]
}

const DEADLOCK_RETRIES = 3

export function createGroup(rows: ReadingRows): Group {
  return { rows, states: new LatestStateFold(), resellerIds: new Set(), heard: [] }
}

export function addToGroup({ rows, states, resellerIds }: Group, reading: Reading, { tables }: Pick<StoreTarget, 'tables'>): void {
  rows.add(reading)
  // The device may have its state on another shard than the source.
  if (tables.effects === undefined) states.add(reading)
  else states.addOfSource(reading)
  resellerIds.add(reading.resellerId)
}

/** The device of a reading that is stored elsewhere was heard. */
export function hearInGroup({ states, resellerIds, heard }: Group, reading: Reading): void {
  if (reading.deviceId === undefined) return
  states.hearDevice(reading, reading.deviceId)
  resellerIds.add(reading.resellerId)
  heard.push(reading)
}

/** Notes how far streams are settled once the last `readingCount` readings of the group are. */
export function addProgress(group: Group, readingCount: number, offsets: readonly StreamProgress[]): void {
  group.progress ??= []
  group.progress.push({ firstReading: group.rows.count - readingCount, readingCount, offsets })
}

/**
 * Stores a group; when the store refuses it for its content, halves it until the reading to blame stands alone. The halves carry no
 * progress: it is written when all of them are settled, for those batches of which every reading could be stored.
 */
export async function storeIsolating(
  target: StoreTarget,
  store: Store,
  group: Group,
  onUnstorable: (error: unknown, reading: Reading) => void,
): Promise<Stored[]> {
  try {
    return await storeOnce(store, group)
  } catch (error) {
    if (!isAboutContent(error)) throw error
    const readings = group.rows.toReadings()
    const { calls = [] } = group
    if (calls.length > 0) await insertUsageAcrossResellers(target.database.systemPool, calls)
    if (group.heard.length > 0) await store(groupOfHeard(group.heard))
    const [only] = readings
    if (readings.length === 1 && only !== undefined) {
      onUnstorable(error, only)
      return ['unstorable']
    }
    const half = async (part: readonly Reading[]) => {
      const smaller = createGroup(new ReadingRows(part.length))
      for (const reading of part) addToGroup(smaller, reading, target)
      return await storeIsolating(target, store, smaller, onUnstorable)
    }
    const middle = readings.length >> 1
    const stored = [...(await half(readings.slice(0, middle))), ...(await half(readings.slice(middle)))]
    await storeProgress(store, group, stored)
    return stored
  }
}

function groupOfHeard(heard: readonly Reading[]): Group {
  const group = createGroup(new ReadingRows(0))
  for (const reading of heard) hearInGroup(group, reading)
  return group
}

async function storeProgress(store: Store, { progress = [], resellerIds }: Group, stored: readonly Stored[]): Promise<void> {
  const isSettled = ({ firstReading, readingCount }: GroupProgress) =>
    !stored.slice(firstReading, firstReading + readingCount).includes('unstorable')
  const settled = progress.filter(isSettled)
  if (settled.length > 0) await store({ ...createGroup(new ReadingRows(0)), resellerIds, progress: settled })
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

export type GroupStore = {
  readonly write: Store
  /**
   * What writes the group as a part of a transaction with others (`copyIn`), which fails where a reading is known already. Undefined: it has to be written by
   * itself, for one may be known, or something of them has to be known once they are stored.
   */
  partOf(group: Group): Promise<CopyIn | undefined>
}

/** How many groups are taken to hold readings that are known, after one did: whoever repeats readings repeats many. */
const DOUBTFUL_GROUPS = 100

/**
 * Fewer, for each week that a group spans, are inserted. A COPY is a statement more in the transaction: of 10 readings either way costs PostgreSQL the same, of 25 the COPY a tenth less, of 1,000 a
 * third (bench/scenarios/copied-groups.ts).
 */
const FEWEST_COPIED = 25

/** Nearly always every reading is new, which costs PostgreSQL less; a group in which one is known is stored by the other statement. */
export function createStore(target: StoreTarget): GroupStore {
  const { database } = target
  const { insertReadings, insertNewReadings, partOfNew } = createReadingWriter(target.tables)
  const partitions = new CopyPartitions(target.tables.readings)
  let doubtfulGroups = 0
  /** None where they have to be inserted: they are few, or of a week without a partition. */
  const partitionsFor = async ({ rows, resellerIds }: Group): Promise<readonly CopyPartition[]> => {
    if (rows.count < FEWEST_COPIED) return []
    const into = await partitions.find(target.rows.tenantPool([...resellerIds]), rows.recordedMs)
    return rows.count < FEWEST_COPIED * into.length ? [] : into
  }
  /** False where they have to be inserted. */
  const copy = async (group: Group, beside: WithReadings): Promise<boolean> => {
    const { rows, resellerIds, progress = [] } = group
    if (mustBeKnown(rows)) return false
    const into = await partitionsFor(group)
    if (into.length === 0) return false
    try {
      await target.rows.copyIn([...resellerIds], [partOfNew(rows, beside, into, offsetsOf(progress))])
      return true
    } catch (error) {
      if (!isNotWritable(error)) throw error
      partitions.forget()
      return false
    }
  }
  const insert = async (group: Group, beside: WithReadings) => {
    const { rows, resellerIds, progress } = group
    const write = writerOf(target, [...resellerIds], progress, rows.hasAlarms)
    // Of nearly all groups nothing is raised.
    const store = (insertRows: Insert) => write(rows.hasAlarms ? (db) => insertWithAlarms(db, target.tables, rows, insertRows) : insertRows)
    if (doubtfulGroups > 0) {
      doubtfulGroups--
      return await store((db) => insertReadings(db, rows, beside))
    }
    try {
      if (await copy(group, beside)) return undefined
      return await store(async (db) => {
        await insertNewReadings(db, rows, beside)
        return undefined
      })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      doubtfulGroups = DOUBTFUL_GROUPS
      return await store((db) => insertReadings(db, rows, beside))
    }
  }
  return {
    write: async (group) => {
      if (group.rows.count === 0 && group.heard.length === 0) {
        await upsertOffsets(database.tenantPool([...group.resellerIds]), offsetsOf(group.progress ?? []))
        return undefined
      }
      return await retryingDeadlocks(() => withPartitions(database, group.rows, () => insert(group, besideOf(group))))
    },
    partOf: async (group) => {
      if (doubtfulGroups > 0 || mustBeKnown(group.rows)) return undefined
      return partOfNew(group.rows, besideOf(group), await partitionsFor(group), offsetsOf(group.progress ?? []))
    },
  }
}

function besideOf({ states, calls = [] }: Group): WithReadings {
  return { states: states.states(), calls }
}

/** Whether something of them has to be known once they are stored. */
function mustBeKnown(rows: ReadingRows): boolean {
  return rows.hasAlarms || rows.hasActiveDevices
}

/** The partition is gone, or a version before made it. */
function isNotWritable(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '42P01' || code === '42501'
}

type Writer = <T>(insert: (db: Db) => Promise<T>) => Promise<T>

/** Answers the digests that were new, or undefined when all were. */
type Insert = (db: Db) => Promise<ReadonlySet<string> | undefined>

/** Notes what the readings that were new raise, in their transaction. */
async function insertWithAlarms(
  db: Db,
  { effects }: ReadingTables,
  rows: ReadingRows,
  insertRows: Insert,
): Promise<ReadonlySet<string> | undefined> {
  const stored = await insertRows(db)
  const alarms = rows.alarms(stored)
  if (alarms.length === 0) return stored
  await (effects === undefined ? upsertAlarms(db, alarms) : insertAlarmEffects(db, effects, rows.sourceIdAt(0), alarms))
  return stored
}

/** One statement is a transaction of its own; with progress, or with alarms, there are two, in one. */
function writerOf(
  { rows: database }: StoreTarget,
  resellerIds: readonly string[],
  progress: readonly GroupProgress[] | undefined,
  hasAlarms: boolean,
): Writer {
  if (progress === undefined) {
    return hasAlarms ? (insert) => database.tenant(resellerIds, insert) : (insert) => insert(database.tenantPool(resellerIds))
  }
  return (insert) =>
    database.tenant(resellerIds, async (db) => {
      // Both go out at once. Of an insert that fails, the other statement only reports that the transaction is over.
      const [inserted, moved] = await Promise.allSettled([insert(db), upsertOffsets(db, offsetsOf(progress))])
      if (inserted.status === 'rejected') throw inserted.reason
      if (moved.status === 'rejected') throw moved.reason
      return inserted.value
    })
}

function offsetsOf(progress: readonly GroupProgress[]): StreamProgress[] {
  return progress.flatMap(({ offsets }) => offsets)
}

/** PostgreSQL class 22, data exception (a character or number it cannot hold), and 54000, a limit of its own exceeded. */
const CONTENT_SQLSTATE = /^22|^54000$/

/**
 * Whether the readings themselves are to blame; on a shard, a week that is sealed refuses them by a constraint. Anything else, a missing grant or table
 * included, is ours: then nothing is acknowledged.
 */
function isAboutContent(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return CONTENT_SQLSTATE.test(String(code)) || (code === '23514' && /^sealed(_\d+)?$/.test(String(constraint)))
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
