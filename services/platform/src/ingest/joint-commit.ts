// Readings of several shards of one node in one transaction. By itself each shard would have few of what a caller sends, and a transaction for them: of 25 readings
// each took 1.7 times what it takes here (bench/scenarios/citus.ts). What cannot be written so, or fails, is stored by the commits of its shard.

import assert from 'node:assert/strict'
import type { CopyIn, Database, NodeAddress } from '@roadworthy/service-kit/postgres/db'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { isTracing } from '@roadworthy/service-kit/telemetry/tracing'
import { ReadingRows } from '../readings/reading-rows.ts'
import { CommitSchedule } from './commit-schedule.ts'
import type { CommitTurns } from './commit-turns.ts'
import type { Batch, GroupCommitLimits, ShardCommit } from './group-commit.ts'
import { holdShardsBriefly, type Shard } from './shards.read.sql.ts'
import { isLockTimeout } from './split-blocked.ts'
import { addToGroup, createGroup, type Group, hearInGroup, type Stored } from './store-group.ts'
import { type CallerTrace, commitTraced, traceOfCaller } from './trace-commit.ts'

/** Of a shard, what of a caller goes to it. */
type PartBatch = Required<Pick<Batch, 'readings' | 'heard' | 'byIndex'>> & { readonly of: object }

type Caller = {
  /** The same for all parts of what one caller sends. */
  readonly batch: object
  readonly trace: CallerTrace | undefined
  /** False: it is to be stored by the commits of its shard. */
  readonly resolve: (isStored: boolean) => void
  readonly reject: (error: unknown) => void
}

type Part = { readonly shard: Shard; readonly commit: ShardCommit; readonly group: Group; readonly callers: Caller[] }

/** A transaction that fills while others are under way. */
type Waiting = { readonly parts: Map<ShardCommit, Part>; count: number }

type JointDeps = {
  readonly database: Database
  readonly node: NodeAddress
  readonly turns: CommitTurns
  readonly limits: GroupCommitLimits
  readonly onUntraced: ((error: unknown) => void) | undefined
}

/**
 * What holds one row, or a shard that moves, would hold up all shards of the node: after this each shard is written by itself, and waits as long as a statement may.
 * Ten times what a transaction takes. Assumption.
 */
const LOCK_WAIT_MS = 200

/** What a group of one shard has room for before it grows. */
const TYPICAL_PART_SIZE = 25

export class JointCommit {
  readonly #deps: JointDeps
  /** Oldest first; the last one is still being filled. */
  readonly #waiting: Waiting[] = []
  readonly #schedule: CommitSchedule

  constructor(deps: JointDeps) {
    const { turns, limits } = deps
    const waiting = this.#waiting
    this.#deps = deps
    const queue = {
      get length() {
        return waiting.length
      },
      holdsMoreThan: (count: number) => waiting.length > 1 || (waiting[0]?.count ?? 0) > count,
    }
    const commitNext = () => this.#commit(waiting.shift() ?? assert.fail('nothing waits'))
    this.#schedule = new CommitSchedule({ ...limits, turns, queue, commitNext })
  }

  /** As `GroupCommit.store`. */
  async store(shard: Shard, commit: ShardCommit, batch: PartBatch): Promise<Stored[]> {
    const { readings, heard } = batch
    const isStored = commit.mayJoin(heard.length === 0 ? readings : [...readings, ...heard]) && (await this.#join(shard, commit, batch))
    return isStored ? readings.map(() => 'stored') : await commit.store(batch)
  }

  #join(shard: Shard, commit: ShardCommit, { readings, heard, of }: PartBatch): Promise<boolean> {
    const waiting = this.#waitingFor(readings.length + heard.length)
    const part = waiting.parts.get(commit) ?? { shard, commit, group: createGroup(new ReadingRows(TYPICAL_PART_SIZE)), callers: [] }
    waiting.parts.set(commit, part)
    for (const reading of readings) addToGroup(part.group, reading, shard)
    for (const reading of heard) hearInGroup(part.group, reading)
    const trace = traceOfCaller(readings)
    return new Promise((resolve, reject) => {
      part.callers.push({ batch: of, trace, resolve, reject })
      this.#schedule.wake()
    })
  }

  #waitingFor(count: number): Waiting {
    let last = this.#waiting.at(-1)
    if (last === undefined || last.count + count > this.#deps.limits.maxReadingsPerCommit) {
      last = { parts: new Map(), count: 0 }
      this.#waiting.push(last)
    }
    last.count += count
    return last
  }

  async #commit({ parts }: Waiting): Promise<void> {
    // With nothing to join, a failure is better dealt with at once.
    if (parts.size === 1) {
      for (const part of parts.values()) settle(part, false)
      return
    }
    const joined: (Part & { written: CopyIn })[] = []
    try {
      for (const part of inOneOrder(parts.values())) {
        // It may have been found held since the readings came.
        const written = part.commit.mayJoinNow ? await part.commit.partOf(part.group) : undefined
        if (written === undefined) settle(part, false)
        else joined.push({ ...part, written })
      }
      if (joined.length > 0) await this.#write(joined)
      settleAll(joined, true)
    } catch (error) {
      this.#settleFailure([...parts.values()], error)
    }
  }

  async #write(parts: readonly (Part & { written: CopyIn })[]): Promise<void> {
    const { database, node, onUntraced = () => undefined } = this.#deps
    const resellerIds = [...new Set(parts.flatMap(({ group }) => [...group.resellerIds]))]
    const [shards, written] = [parts.map(({ shard }) => shard), parts.map((part) => part.written)]
    const commit = () => database.onNode(node, holdShardsBriefly(shards, LOCK_WAIT_MS)).copyIn(resellerIds, written)
    const callers = isTracing() ? tracesOf(parts) : []
    if (callers.length === 0) return await commit()
    const readingCount = parts.reduce((count, { group }) => count + group.rows.count, 0)
    const callerCount = new Set(parts.flatMap((part) => part.callers.map(({ batch }) => batch))).size
    await commitTraced(database, { callers, readingCount, callerCount }, onUntraced, commit)
  }

  #settleFailure(parts: readonly Part[], error: unknown): void {
    const isOfNode = isOutage(error) && !isRollback(error)
    // It may be of one shard, and not known of which, or of a transaction that is too large: what comes next goes by the commits of its shard.
    if (isOfNode) for (const { commit } of parts) commit.joinLater()
    if (!isOfNode || isLockTimeout(error) || isOfStatement(error)) {
      settleAll(parts, false)
      return
    }
    // Those behind would wait for their turn to fail as well.
    const failed = [...parts, ...this.#waiting.splice(0).flatMap((waiting) => [...waiting.parts.values()])]
    for (const { callers } of failed) for (const { reject } of callers) reject(error)
  }
}

/** Rows are locked in one order everywhere, so that two transactions never wait for each other in a ring: by shard, as `groupByShard` has them. */
function inOneOrder(parts: Iterable<Part>): Part[] {
  return [...parts].sort((a, b) => Number(a.shard.shardId) - Number(b.shard.shardId))
}

/** Each trace once, with the marks of all parts. */
function tracesOf(parts: readonly Part[]): CallerTrace[] {
  const traces = new Map<CallerTrace['span'], CallerTrace>()
  for (const { trace } of parts.flatMap(({ callers }) => callers)) {
    if (trace === undefined) continue
    const { marks = [] } = traces.get(trace.span) ?? {}
    traces.set(trace.span, { span: trace.span, marks: [...marks, ...trace.marks] })
  }
  return [...traces.values()]
}

function settle({ callers }: Part, isStored: boolean): void {
  for (const { resolve } of callers) resolve(isStored)
}

function settleAll(parts: readonly Part[], isStored: boolean): void {
  for (const part of parts) settle(part, isStored)
}

/** PostgreSQL class 40: two transactions stood in each other's way. */
function isRollback(error: unknown): boolean {
  return /^40/.test(codeOf(error))
}

/** Out of memory for locks, which are those of all shards; a file of one of them cannot be read or written. */
function isOfStatement(error: unknown): boolean {
  return /^(53200|58\d\w\w)$/.test(codeOf(error))
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code)
