// Stores readings wherever they belong: on one PostgreSQL, or on the shards of a cluster, on the nodes that have them. A PostgreSQL is a cluster of one node: the
// same commits, on the whole tables (ADR 0039).

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, NODE_CONNECTIONS } from '@roadworthy/service-kit/postgres/db'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import type { Reading } from '../readings/reading.ts'
import { WHOLE_TABLES } from '../readings/readings.sql.ts'
import { upsertOffsets } from '../streams/offsets.sql.ts'
import { CommitTurns } from './commit-turns.ts'
import { type Batch, type GroupCommit, type GroupCommitLimits, ShardCommit, tooManyQueued } from './group-commit.ts'
import { JointCommit } from './joint-commit.ts'
import { KnownSources } from './known-sources.ts'
import { type ShardPart, splitByShard } from './shard-map.ts'
import { holdShards, type Shard, selectShardsAcrossResellers } from './shards.read.sql.ts'
import { SilentNodes } from './silent-nodes.ts'
import type { Stored } from './store-group.ts'

export type ReadingStoreDeps = {
  readonly database: Database
  readonly limits: GroupCommitLimits
  /** A reading the store refuses for its content is a bug in normalisation; it must be seen, and must not take others with it. */
  readonly onUnstorable: (error: unknown, reading: Reading) => void
  readonly onUntraced?: ((error: unknown) => void) | undefined
}

/** A shard that is moved is on its other node within moments. */
const ATTEMPTS = 4
const AGAIN_AFTER_MS = 100

export function createReadingStore(deps: ReadingStoreDeps): GroupCommit {
  let known: GroupCommit | undefined
  let asked: Promise<GroupCommit> | undefined
  let waitingCount = 0
  /** Once; an answer that did not come is asked for again by the next batch. */
  const open = async (): Promise<GroupCommit> => {
    try {
      const shards = await selectShardsAcrossResellers(deps.database.systemPool)
      const whole = { database: deps.database, rows: deps.database, tables: WHOLE_TABLES }
      known = shards === undefined ? new ShardCommit({ ...deps, target: whole }) : new ShardedStore(deps, shards)
      return known
    } finally {
      asked = undefined
    }
  }
  const storeOnceKnown = async (batch: Batch): Promise<Stored[]> => {
    const { length: count } = batch.readings
    if (waitingCount + count > deps.limits.maxQueuedReadings) throw tooManyQueued()
    waitingCount += count
    asked ??= open()
    const store = await asked.finally(() => {
      waitingCount -= count
    })
    return await store.store(batch)
  }
  return {
    store: (batch) => (known === undefined ? storeOnceKnown(batch) : known.store(batch)),
    queuedCount: () => waitingCount + (known?.queuedCount() ?? 0),
    drain: async () => {
      while (waitingCount > 0) await sleep(5)
      await known?.drain()
    },
  }
}

class ShardedStore implements GroupCommit {
  readonly #deps: ReadingStoreDeps
  readonly #sources: KnownSources
  readonly #silent: SilentNodes
  #shards: readonly Shard[]
  /** By the name of the shard's table and its node. */
  readonly #commits = new Map<string, ShardCommit>()
  /** By node. */
  readonly #nodes = new Map<string, { readonly turns: CommitTurns; readonly joint: JointCommit }>()
  #queuedCount = 0
  #renewing: Promise<void> | undefined

  constructor(deps: ReadingStoreDeps, shards: readonly Shard[]) {
    this.#deps = deps
    this.#sources = new KnownSources(deps.database)
    this.#silent = new SilentNodes(deps.database, () => {
      // Another one may have taken its place, under another address.
      void this.#renew()
    })
    this.#shards = shards
  }

  readonly queuedCount = (): number => this.#queuedCount

  async store(batch: Batch): Promise<Stored[]> {
    const { readings, progress, call } = batch
    if (this.#queuedCount + readings.length > this.#deps.limits.maxQueuedReadings) throw tooManyQueued()
    this.#queuedCount += readings.length
    try {
      // At the same time; of one that fails nobody else waits.
      const counted = call?.write()
      counted?.catch(() => undefined)
      await this.#sources.note(readings)
      const stored = await this.#storeParts(batch, splitByShard(this.#shards, readings), 1)
      // After all of it is committed: what comes between is read from the stream once more, and is known then.
      if (progress !== undefined && progress.length > 0 && !stored.includes('unstorable')) {
        const resellerIds = [...new Set(readings.map(({ resellerId }) => resellerId))]
        await upsertOffsets(this.#deps.database.tenantPool(resellerIds), progress)
      }
      await counted
      return stored
    } finally {
      this.#queuedCount -= readings.length
    }
  }

  async drain(): Promise<void> {
    while (this.#queuedCount > 0) await sleep(5)
  }

  /** Where a part is refused, so is the batch, but for what may be refused by index. */
  async #storeParts(batch: Batch, parts: readonly ShardPart[], attempt: number): Promise<Stored[]> {
    const byIndex = batch.byIndex === true && batch.progress === undefined
    const settled = await Promise.allSettled(parts.map((part) => this.#storePart(part, batch, byIndex, attempt)))
    const refused = settled.flatMap((result, nth) =>
      result.status === 'rejected' ? [{ error: result.reason as unknown, part: parts[nth] }] : [],
    )
    const isRefusable = byIndex && refused.length < settled.length
    if (refused.length > 0 && !isRefusable) throw refused[0]?.error
    const stored: Stored[] = Array.from({ length: batch.readings.length }, () => 'held')
    for (const [nth, result] of settled.entries()) {
      if (result.status !== 'fulfilled') continue
      for (const [at, index] of (parts[nth] ?? assert.fail('an answer for each part')).indices.entries()) {
        stored[index] = result.value[at] ?? assert.fail('an answer for each reading')
      }
    }
    // Its readings are stored; that its device was heard is not, and the caller is to send them again.
    for (const { error, part } of refused) {
      for (const reading of part?.heard ?? []) {
        const index = batch.readings.indexOf(reading)
        // After a shard moved: stored with another part, by a call that is to answer for it.
        if (index === -1) throw error
        stored[index] = 'held'
      }
    }
    return stored
  }

  async #storePart(part: ShardPart, batch: Batch, byIndex: boolean, attempt: number): Promise<Stored[]> {
    const { shard, readings, heard } = part
    const refusal = this.#silent.refusalOf(shard.node)
    if (refusal !== undefined) throw refusal
    try {
      const { joint } = this.#nodeOf(shard)
      return await joint.store(shard, this.#commitOf(shard), { readings, heard, byIndex, of: batch })
    } catch (error) {
      this.#silent.note(shard.node, error)
      if (isOutage(error)) void this.#renew()
      if (!isElsewhere(error) || attempt === ATTEMPTS) throw error
      await sleep(AGAIN_AFTER_MS * (attempt - 1))
      await this.#renew()
      return await this.#storeAnew(part, byIndex, attempt + 1)
    }
  }

  /** Its shard has moved, or was split: it may be of several now. */
  async #storeAnew({ readings, heard }: ShardPart, byIndex: boolean, attempt: number): Promise<Stored[]> {
    const own = splitByShard(this.#shards, readings).map((part) => ({ ...part, heard: [] }))
    const ofDevices = splitByShard(this.#shards, heard.map(asOfDevice)).map((part) => ({
      ...part,
      indices: [],
      readings: [],
      heard: part.readings,
    }))
    return await this.#storeParts(
      { readings, byIndex },
      [...own, ...ofDevices].filter(({ readings: own, heard }) => own.length + heard.length > 0),
      attempt,
    )
  }

  #commitOf(shard: Shard): ShardCommit {
    const { database, limits, onUnstorable, onUntraced } = this.#deps
    const key = keyOf(shard)
    const known = this.#commits.get(key)
    if (known !== undefined) return known
    const commit = new ShardCommit({
      turns: this.#nodeOf(shard).turns,
      target: { database, rows: database.onNode(shard.node, holdShards([shard])), tables: shard.tables },
      limits: { ...limits, maxQueuedReadings: Number.POSITIVE_INFINITY },
      onUnstorable,
      onUntraced,
    })
    this.#commits.set(key, commit)
    return commit
  }

  #nodeOf({ node }: Shard): { readonly turns: CommitTurns; readonly joint: JointCommit } {
    const { database, limits, onUntraced } = this.#deps
    const address = `${node.host}:${node.port}`
    const known = this.#nodes.get(address)
    if (known !== undefined) return known
    const turns = new CommitTurns(NODE_CONNECTIONS)
    const made = { turns, joint: new JointCommit({ database, node, turns, limits, onUntraced }) }
    this.#nodes.set(address, made)
    return made
  }

  /** Where shards are now. One asks for all. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#readShards().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #readShards(): Promise<void> {
    // The coordinator may be away too: then those known are kept.
    const shards = await selectShardsAcrossResellers(this.#deps.database.systemPool).catch(() => undefined)
    if (shards === undefined) return
    this.#shards = shards
    const keys = new Set(shards.map(keyOf))
    for (const [key, commit] of this.#commits) if (!keys.has(key) && commit.queuedCount() === 0) this.#commits.delete(key)
  }
}

const keyOf = ({ node, tables }: Shard) => `${node.host}:${node.port} ${tables.readings}`

/** The device as the source, so that it is found by it. */
function asOfDevice(reading: Reading): Reading {
  return { ...reading, sourceId: reading.deviceId ?? reading.sourceId }
}

/** `hold_shard` reports that the shard is not on the node, or its table is gone from it. */
function isElsewhere(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '55000' || code === '42P01'
}
