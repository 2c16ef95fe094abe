// Gathers the readings of concurrent requests into shared transactions.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { CopyIn } from '@roadworthy/service-kit/postgres/db'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { isTracing } from '@roadworthy/service-kit/telemetry/tracing'
import type { UsageCount } from '../limits/usage.sql.ts'
import { type CallToCount, summedCounts } from '../limits/usage.ts'
import { selectLockedStates } from '../readings/locked-states.sql.ts'
import type { Reading } from '../readings/reading.ts'
import { ReadingRows } from '../readings/reading-rows.ts'
import type { StreamProgress } from '../streams/offsets.sql.ts'
import { CommitSchedule } from './commit-schedule.ts'
import type { CommitTurns } from './commit-turns.ts'
import { HeldError, HeldStates } from './held-states.ts'
import { isLockTimeout, splitOffBlocked } from './split-blocked.ts'
import {
  addProgress,
  addToGroup,
  createGroup,
  createStore,
  type Group,
  type GroupStore,
  hearInGroup,
  type Store,
  type Stored,
  type StoreTarget,
  storeIsolating,
} from './store-group.ts'
import { type CallerTrace, commitTraced, traceOfCaller } from './trace-commit.ts'

export type GroupCommitLimits = {
  /** Readings in one transaction, at most (more only when one batch alone has more). */
  readonly maxReadingsPerCommit: number
  /** Transactions at the same time. */
  readonly concurrentCommits: number
  /**
   * Fewer than this wait for the transaction under way, with what comes until then: a transaction costs PostgreSQL 300 µs and a reading 30
   * (of as many devices, measured), so a second one at once would be quicker for nobody.
   */
  readonly fewReadings: number
  /** Readings accepted but not yet committed; beyond this callers are refused and asked to come back. */
  readonly maxQueuedReadings: number
  /** For how long a source that another transaction holds is refused without asking whether it still does. */
  readonly believedHeldMs: number
}

export const defaultGroupCommitLimits: GroupCommitLimits = {
  maxReadingsPerCommit: 2_000,
  concurrentCommits: 2,
  fewReadings: 200,
  maxQueuedReadings: 20_000,
  believedHeldMs: 250,
}

/** What one caller hands over together. */
export type Batch = {
  readonly readings: readonly Reading[]
  readonly progress?: readonly StreamProgress[] | undefined
  readonly byIndex?: boolean
  /** Readings that are stored on other shards, whose devices are heard on this one. */
  readonly heard?: readonly Reading[]
  /** The call that brought the readings. It is counted where they are stored, or known already, and in their transaction where that can be. */
  readonly call?: CallToCount | undefined
}

export type GroupCommit = {
  /**
   * Resolves after COMMIT, one answer per reading. Rejects when the store is away, or a source is held by another transaction: nothing of it may
   * be acknowledged. `progress` is written with the readings; not at all when the store refuses one of them for its content. With `byIndex`, and
   * without progress, the readings of a source that is held are answered `held` and the others are stored; rejects where all of them are held.
   */
  store(batch: Batch): Promise<Stored[]>
  readonly queuedCount: () => number
  /** Resolves when everything accepted has been committed or rejected. */
  drain(): Promise<void>
}

/** The readings of one caller within a group: how many, and who gets their outcomes. */
type Entry = {
  readonly count: number
  readonly heard: readonly Reading[]
  readonly call: CallToCount | undefined
  readonly trace: CallerTrace | undefined
  readonly resolve: (stored: Stored[]) => void
  readonly reject: (error: unknown) => void
  readonly without: ((isHeld: readonly boolean[]) => Entry) | undefined
}

/** A group that fills while others are being stored, and who waits for it. */
type Waiting = { readonly group: Group; readonly entries: Entry[] }

/** A shard is written by transactions of its own for so long after one with others failed that it was in, or it waited in vain for a lock. Twice `lock_timeout`, and some. Assumption. */
const JOIN_AGAIN_AFTER_MS = 5_000

/** What a group has room for before it grows. */
const TYPICAL_GROUP_SIZE = 100

type GroupCommitDeps = {
  readonly target: StoreTarget
  /** Shared with other group commits on the same node; undefined: there are none. */
  readonly turns?: CommitTurns
  readonly limits: GroupCommitLimits
  /** A reading the store refuses for its content is a bug in normalisation; it must be seen, and must not take others with it. */
  readonly onUnstorable: (error: unknown, reading: Reading) => void
  /** What a trace leaves for scoring could not be written; the readings are stored all the same. */
  readonly onUntraced?: ((error: unknown) => void) | undefined
}

/** Groups that wait to be stored, oldest first; the last one is still being filled. */
class GroupQueue {
  readonly #target: StoreTarget
  readonly #limits: GroupCommitLimits
  readonly #waiting: Waiting[] = []
  /** Rows that have been committed, whose memory the next group takes. */
  readonly #spareRows: ReadingRows[] = []

  constructor(target: StoreTarget, limits: GroupCommitLimits) {
    this.#target = target
    this.#limits = limits
  }

  get length(): number {
    return this.#waiting.length
  }

  /** Whether more than `count` readings wait. */
  holdsMoreThan(count: number): boolean {
    return this.#waiting.length > 1 || (this.#waiting[0]?.group.rows.count ?? 0) > count
  }

  add({ readings, progress, byIndex = false, heard = [], call }: Batch): Promise<Stored[]> {
    const { group, entries } = this.#groupFor(readings.length)
    for (const reading of readings) addToGroup(group, reading, this.#target)
    for (const reading of heard) hearInGroup(group, reading)
    if (progress !== undefined) addProgress(group, readings.length, progress)
    const trace = traceOfCaller(readings)
    return new Promise((resolve, reject) => {
      entries.push(createEntry({ count: readings.length, heard, call, trace, resolve, reject }, byIndex))
    })
  }

  #groupFor(count: number): Waiting {
    const last = this.#waiting[this.#waiting.length - 1]
    if (last !== undefined && last.group.rows.count + count <= this.#limits.maxReadingsPerCommit) return last
    const waiting = { group: createGroup(this.#spareRows.pop() ?? new ReadingRows(TYPICAL_GROUP_SIZE)), entries: [] }
    this.#waiting.push(waiting)
    return waiting
  }

  shift(): Waiting {
    return this.#waiting.shift() ?? assert.fail('no group waits')
  }

  reuse(rows: ReadingRows): void {
    rows.clear()
    if (this.#spareRows.length < this.#limits.concurrentCommits) this.#spareRows.push(rows)
  }

  /** Returns how many readings those were. */
  rejectAll(error: unknown): number {
    const waiting = this.#waiting.splice(0)
    for (const { entries } of waiting) for (const { reject } of entries) reject(error)
    return waiting.reduce((count, { group }) => count + group.rows.count, 0)
  }
}

/** Of one shard, or of the one PostgreSQL. What is not stored here is committed with groups of other shards (`joint-commit.ts`). */
export class ShardCommit implements GroupCommit {
  readonly #deps: GroupCommitDeps
  readonly #store: GroupStore
  readonly #held: HeldStates
  readonly #queue: GroupQueue
  readonly #schedule: CommitSchedule
  #queuedCount = 0
  /** From when on its readings may be committed with those of other shards. */
  #mayJoinAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: GroupCommitDeps) {
    const { target, limits, turns } = deps
    this.#deps = deps
    this.#store = createStore(target)
    this.#held = new HeldStates({
      believedMs: limits.believedHeldMs,
      select: (resellerIds, states) => selectLockedStates(target.rows.tenantPool(resellerIds), target.tables.latestStates, states),
    })
    this.#queue = new GroupQueue(target, limits)
    this.#schedule = new CommitSchedule({ ...limits, turns, queue: this.#queue, commitNext: () => this.#commit(this.#queue.shift()) })
  }

  readonly queuedCount = (): number => this.#queuedCount

  store(batch: Batch): Promise<Stored[]> {
    const { readings } = batch
    if (this.#queuedCount + readings.length > this.#deps.limits.maxQueuedReadings) return Promise.reject(tooManyQueued())
    this.#queuedCount += readings.length
    const byIndex = batch.byIndex === true && batch.progress === undefined
    if (!this.#held.mayHold(readings)) return this.#enqueue({ ...batch, byIndex })
    return storeFree(this.#held, readings, byIndex, (free) => {
      this.#queuedCount -= readings.length - free.length
      return free.length === 0 ? Promise.reject(new HeldError()) : this.#enqueue({ ...batch, readings: free, byIndex })
    })
  }

  async drain(): Promise<void> {
    while (this.#queuedCount > 0) await sleep(5)
  }

  /** Whether they may be committed with readings of other shards: none of them waits for a lock, as far as is known. */
  mayJoin(readings: readonly Reading[]): boolean {
    return this.mayJoinNow && !this.#held.mayHold(readings)
  }

  /** Whether the shard may: no lock of it was waited for in vain lately. */
  get mayJoinNow(): boolean {
    return performance.now() >= this.#mayJoinAtMs
  }

  /** See `GroupStore`. */
  partOf(group: Group): Promise<CopyIn | undefined> {
    return this.#store.partOf(group)
  }

  /** After a transaction with other shards failed in a way that the next one might. */
  joinLater(): void {
    this.#mayJoinAtMs = performance.now() + JOIN_AGAIN_AFTER_MS
  }

  /** They are counted as queued already. */
  #enqueue(batch: Batch): Promise<Stored[]> {
    const stored = this.#queue.add(batch)
    this.#schedule.wake()
    return stored
  }

  async #commit({ group, entries }: Waiting): Promise<void> {
    const { target, onUnstorable, onUntraced = () => undefined } = this.#deps
    const { rows } = group
    const { count } = rows
    group.calls = callsOf(entries)
    try {
      const commit = () => storeIsolating(target, this.#store.write, group, onUnstorable)
      const callers = isTracing() ? entries.flatMap(({ trace }) => trace ?? []) : []
      const traced = { callers, readingCount: count, callerCount: entries.length }
      const stored = callers.length === 0 ? await commit() : await commitTraced(target.database, traced, onUntraced, commit)
      // Who sends such a reading sends it again.
      if (stored.includes('unstorable')) this.joinLater()
      answer(entries, stored)
      this.#queue.reuse(rows)
    } catch (error) {
      if (isLockTimeout(error)) this.joinLater()
      // The rows are not used again: a connection that broke may still be writing them.
      const isWhole = await settleFailure({ ...this.#deps, store: this.#store.write, held: this.#held }, { group, entries }, error)
      // A store that hangs takes seconds to fail each group; those behind it would wait for their turn to fail as well.
      if (isWhole && isOutage(error)) this.#queuedCount -= this.#queue.rejectAll(error)
    } finally {
      this.#queuedCount -= count
    }
  }
}

export function tooManyQueued(): Problem {
  return new Problem('unavailable', 'More readings are arriving than can be stored; try again.', { retryAfterS: 1 })
}

/**
 * Of a group that waited in vain for a lock only those are refused whose rows are held, and what waits behind it has its own try. Returns
 * whether the whole group failed: it was no row that was held, or something else than a lock.
 */
async function settleFailure(
  { target, store, held, onUnstorable }: GroupCommitDeps & { readonly store: Store; readonly held: HeldStates },
  { group, entries }: Waiting,
  error: unknown,
): Promise<boolean> {
  const split = isLockTimeout(error) ? await splitOffBlocked(target, group, entries).catch(() => undefined) : undefined
  for (const { reject } of split?.blocked ?? entries) reject(error)
  if (split === undefined) return true
  held.note(split.held)
  split.group.calls = callsOf(split.free)
  try {
    if (split.free.length > 0) answer(split.free, await storeIsolating(target, store, split.group, onUnstorable))
  } catch (again) {
    for (const { reject } of split.free) reject(again)
  }
  return false
}

function callsOf(entries: readonly Entry[]): UsageCount[] {
  return summedCounts(entries.flatMap(({ call }) => call?.count ?? []))
}

function createEntry(entry: Omit<Entry, 'without'>, byIndex: boolean): Entry {
  const without = (isHeld: readonly boolean[]) => {
    const count = isHeld.filter((each) => !each).length
    return createEntry({ ...entry, count, resolve: (stored) => entry.resolve(withHeld(isHeld, stored)) }, true)
  }
  return { ...entry, without: byIndex ? without : undefined }
}

/** Of readings that name a source that was held when last asked: hands on those that are free, or none. */
async function storeFree(
  held: HeldStates,
  readings: readonly Reading[],
  byIndex: boolean,
  store: (free: readonly Reading[]) => Promise<Stored[]>,
): Promise<Stored[]> {
  // Where it cannot be asked, the store is away: what is handed on fails by itself.
  const isHeld = await held.find(readings).catch(() => readings.map(() => false))
  const free = readings.filter((_reading, nth) => isHeld[nth] !== true)
  return withHeld(isHeld, await store(byIndex || free.length === readings.length ? free : []))
}

/** Of readings some of which are held: what became of the others, each in its place. */
function withHeld(isHeld: readonly boolean[], stored: readonly Stored[]): Stored[] {
  let next = 0
  return isHeld.map((each) => (each ? 'held' : (stored[next++] ?? assert.fail('an answer for each reading'))))
}

function answer(entries: readonly Entry[], stored: readonly Stored[]): void {
  let offset = 0
  for (const { count, resolve } of entries) {
    resolve(stored.slice(offset, offset + count))
    offset += count
  }
}
