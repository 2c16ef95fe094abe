// Which partition readings can be copied into. Asked for when it is first needed, and again when none is known for the time at hand: each week has one.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { type CopyPartition, selectCopyPartitions } from './copy-partitions.read.sql.ts'

/** Readings of a week that has no such partition are stored all the same, by the other statements. Assumption. */
const ASK_AGAIN_AFTER_MS = 60_000

export class CopyPartitions {
  readonly #table: string
  #known: readonly CopyPartition[] = []
  #askAgainAtMs = Number.NEGATIVE_INFINITY

  constructor(table: string) {
    this.#table = table
  }

  /** Undefined where no single one holds all of the span. */
  async find(db: Db, { oldest, newest }: { readonly oldest: number; readonly newest: number }): Promise<string | undefined> {
    const holds = ({ fromMs, toMs }: CopyPartition) => oldest >= fromMs && newest < toMs
    const known = this.#known.find(holds)
    const nowMs = performance.now()
    if (known !== undefined || nowMs < this.#askAgainAtMs) return known?.name
    this.#askAgainAtMs = nowMs + ASK_AGAIN_AFTER_MS
    this.#known = await selectCopyPartitions(db, this.#table)
    return this.#known.find(holds)?.name
  }

  /** After one could not be written: it may be gone. */
  forget(): void {
    this.#known = []
  }
}
