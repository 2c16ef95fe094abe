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
import { holdShards, type Shard } from './shards.read.sql.ts'
import { isLockTimeout } from './split-blocked.ts'
import { addToGroup, createGroup, type Group, hearInGroup, type Stored } from './store-group.ts'
import { type CallerTrace, commitTraced, traceOfCaller } from './trace-commit.ts'

/** Of a shard, what of a caller goes to it. */
type PartBatch = Required<Pick<Batch, 'readings' | 'heard' | 'byIndex'>>

type Caller = {
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
    const { readings } = batch
    const isStored = commit.mayJoin(readings) && (await this.#join(shard, commit, batch))
    return isStored ? readings.map(() => 'stored') : await commit.store(batch)
  }

  #join(shard: Shard, commit: ShardCommit, { readings, heard }: PartBatch): Promise<boolean> {
    const waiting = this.#waitingFor(readings.length + heard.length)
    const part = waiting.parts.get(commit) ?? { shard, commit, group: createGroup(new ReadingRows(TYPICAL_PART_SIZE)), callers: [] }
    waiting.parts.set(commit, part)
    for (const reading of readings) addToGroup(part.group, reading, shard)
    for (const reading of heard) hearInGroup(part.group, reading)
    const trace = traceOfCaller(readings)
    return new Promise((resolve, reject) => {
      part.callers.push({ trace, resolve, reject })
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
        const written = await part.commit.partOf(part.group)
        if (written === undefined) settle(part, false)
        else joined.push({ ...part, written })
      }
      if (joined.length > 0) await this.#write(joined)
      for (const part of joined) settle(part, true)
    } catch (error) {
      await this.#settleFailure([...parts.values()], error)
    }
  }

  async #write(parts: readonly (Part & { written: CopyIn })[]): Promise<void> {
    const { database, node, onUntraced = () => undefined } = this.#deps
    const resellerIds = [...new Set(parts.flatMap(({ group }) => [...group.resellerIds]))]
    const rows = database.onNode(node, holdShards(parts.map(({ shard }) => shard)))
    const commit = () =>
      rows.copyIn(
        resellerIds,
        parts.map(({ written }) => written),
      )
    const callers = isTracing() ? parts.flatMap((part) => part.callers.flatMap(({ trace }) => trace ?? [])) : []
    if (callers.length === 0) return await commit()
    const readingCount = parts.reduce((count, { group }) => count + group.rows.count, 0)
    const callerCount = parts.reduce((count, part) => count + part.callers.length, 0)
    await commitTraced(database, { callers, readingCount, callerCount }, onUntraced, commit)
  }

  async #settleFailure(parts: readonly Part[], error: unknown): Promise<void> {
    if (isLockTimeout(error)) {
      // Not known of whose. What cannot be asked fails again by itself, in a commit of its shard.
      await Promise.all(parts.map((part) => part.commit.noteHeld(part.group).catch(() => undefined)))
    } else if (isOutage(error) && !isRollback(error)) {
      // Those behind would wait for their turn to fail as well.
      const failed = [...parts, ...this.#waiting.splice(0).flatMap((waiting) => [...waiting.parts.values()])]
      for (const { callers } of failed) for (const { reject } of callers) reject(error)
      return
    }
    for (const part of parts) settle(part, false)
  }
}

/** Rows are locked in one order everywhere, so that two commits never wait for each other in a ring. */
function inOneOrder(parts: Iterable<Part>): Part[] {
  return [...parts].sort((a, b) => a.shard.from - b.shard.from)
}

function settle({ callers }: Part, isStored: boolean): void {
  for (const { resolve } of callers) resolve(isStored)
}

/** PostgreSQL class 40: two transactions stood in each other's way. */
function isRollback(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('40')
}
