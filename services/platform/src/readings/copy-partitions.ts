// Which partitions readings can be copied into. Asked for when they are first needed, and again when none is known for the time at hand: each week has one.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { type CopyPartition, selectCopyPartitions } from './copy-partitions.read.sql.ts'

/** Readings of a week that has no such partition are stored all the same, by the other statements. Assumption. */
const ASK_AGAIN_AFTER_MS = 60_000

type Span = { readonly oldest: number; readonly newest: number }

export class CopyPartitions {
  readonly #table: string
  /** Oldest first. */
  #known: readonly CopyPartition[] = []
  #askAgainAtMs = Number.NEGATIVE_INFINITY

  constructor(table: string) {
    this.#table = table
  }

  /** Those that hold all of the span, oldest first; none where a part of it has none. Times are in ms, the newest included. */
  async find(db: Db, span: Span): Promise<readonly CopyPartition[]> {
    const known = coverOf(this.#known, span)
    const nowMs = performance.now()
    if (known.length > 0 || nowMs < this.#askAgainAtMs) return known
    this.#askAgainAtMs = nowMs + ASK_AGAIN_AFTER_MS
    this.#known = await selectCopyPartitions(db, this.#table)
    return coverOf(this.#known, span)
  }

  /** After one could not be written: it may be gone. */
  forget(): void {
    this.#known = []
  }
}

function coverOf(partitions: readonly CopyPartition[], { oldest, newest }: Span): readonly CopyPartition[] {
  const cover = partitions.filter(({ fromMs, toMs }) => toMs > oldest && fromMs <= newest)
  const [first, last] = [cover[0], cover.at(-1)]
  if (first === undefined || last === undefined || first.fromMs > oldest || last.toMs <= newest) return []
  return cover.every(({ toMs }, nth) => cover[nth + 1] === undefined || cover[nth + 1]?.fromMs === toMs) ? cover : []
}
