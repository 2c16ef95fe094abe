// What of a cluster can be reached while a node of it is away. Background work goes on with that: it fails once, looks which nodes answer, and leaves the others
// alone for a while.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { hashText } from '@roadworthy/service-kit/postgres/hash-text'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { type NodeShards, selectNodeShardsAcrossResellers, selectWhetherNodesAnswer } from './reach.sql.ts'

/** Some nodes answer, and some do not. */
export class Reach {
  readonly nodes: readonly NodeShards[]
  readonly away: readonly NodeShards[]

  constructor(nodes: readonly NodeShards[], away: readonly NodeShards[]) {
    this.nodes = nodes
    this.away = away
  }

  hasSource(sourceId: string): boolean {
    return findNode(this.away, sourceId) === undefined
  }
}

/** The one of them that has the source. */
export function findNode(nodes: readonly NodeShards[], sourceId: string): NodeShards | undefined {
  const hash = hashText(sourceId)
  return nodes.find(({ shards }) => shards.some(({ from, to }) => hash >= from && hash <= to))
}

/** What is kept from the database while a node hangs (`node-gate.ts`). */
type Gate = {
  watch(on: { onTimeout: () => void; onRefused: () => void }): void
  close(reach: Reach): void
  update(reach: Reach | undefined): void
}

/** A node that is away is asked this often whether it is back. */
const ASK_AGAIN_MS = 5_000

export class ClusterReach {
  readonly #database: Database
  readonly #askAgainMs: number
  readonly #gate: Gate | undefined
  #reach: Reach | undefined
  #lookedMs = Number.NEGATIVE_INFINITY
  #looking: Promise<Reach | undefined> | undefined

  /** `gate`: of the connections of the database. */
  constructor(database: Database, { askAgainMs = ASK_AGAIN_MS, gate }: { askAgainMs?: number; gate?: Gate } = {}) {
    this.#database = database
    this.#askAgainMs = askAgainMs
    this.#gate = gate
    gate?.watch({ onTimeout: () => void this.#suspect(), onRefused: () => void this.#lookAgain() })
  }

  /**
   * Runs with everything, and where a node turns out to be away, once more with what can be reached; from then on at once with that, until the node is back.
   * Rejects where nothing can be reached, or the coordinator cannot, as `run` did.
   */
  async run<T>(run: (reach: Reach | undefined) => Promise<T>): Promise<T> {
    if (this.#reach !== undefined) {
      await this.#lookAgain()
      return await run(this.#reach)
    }
    try {
      return await run(undefined)
    } catch (error) {
      if (!isOutage(error)) throw error
      const reach = await this.#look().catch(() => undefined)
      if (reach === undefined) throw error
      return await run(reach)
    }
  }

  /** A statement waited in vain: where a node is away, others would too. */
  async #suspect(): Promise<void> {
    await this.#lookAgain()
    if (this.#reach !== undefined) this.#gate?.close(this.#reach)
  }

  /** Unless it has just looked. What failed is tried again by the next. */
  async #lookAgain(): Promise<void> {
    if (performance.now() - this.#lookedMs >= this.#askAgainMs) await this.#look().catch(() => undefined)
  }

  #look(): Promise<Reach | undefined> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #ask(): Promise<Reach | undefined> {
    this.#reach = await this.#database.system(async (db) => {
      const all = await selectNodeShardsAcrossResellers(db)
      if (all === undefined) return undefined
      const answers = await selectWhetherNodesAnswer(db, all)
      const nodes = all.filter((_, nth) => answers[nth])
      return nodes.length === 0 || nodes.length === all.length
        ? undefined
        : new Reach(
            nodes,
            all.filter((_, nth) => !answers[nth]),
          )
    })
    this.#lookedMs = performance.now()
    this.#gate?.update(this.#reach)
    return this.#reach
  }
}
