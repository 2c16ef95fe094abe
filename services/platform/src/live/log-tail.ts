// The newest events of the logs that somebody follows in this process, read once for all of them.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { LoggedEvent } from '../events/event.ts'
import { selectLogEnd, selectNewEventsAcrossResellers } from '../events/events.sql.ts'

/** Of one reseller. What is older is read from the log by the stream that is behind. */
const KEPT_EVENTS = 500
const KEPT_CHARS = 2_000_000
const READ_LIMIT = 500

type Tail = {
  /** Everything after this position and up to `end` is in `events`. */
  from: number
  end: number
  readonly events: LoggedEvent[]
  chars: number
}

export class LogTail {
  readonly #database: Database
  readonly #tails = new Map<string, Tail>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Begins to follow a reseller's log. Answers where it ends now, which may be further than what is followed has got. */
  async follow(resellerId: string): Promise<number> {
    const end = await selectLogEnd(this.#database.tenantPool(resellerId), resellerId)
    if (!this.#tails.has(resellerId)) this.#tails.set(resellerId, { from: end, end, events: [], chars: 0 })
    return end
  }

  /** Follows no others than these. */
  keep(resellerIds: ReadonlySet<string>): void {
    for (const resellerId of this.#tails.keys()) if (!resellerIds.has(resellerId)) this.#tails.delete(resellerId)
  }

  /** Reads on. Answers whether there may be more. */
  async read(): Promise<boolean> {
    if (this.#tails.size === 0) return false
    const ends = [...this.#tails].map(([resellerId, { end }]) => ({ resellerId, end }))
    const events = await selectNewEventsAcrossResellers(this.#database.systemPool, ends, READ_LIMIT)
    for (const event of events) {
      const tail = this.#tails.get(event.resellerId)
      // Nobody follows it any more, or it was begun anew meanwhile, further on.
      if (tail === undefined || event.position <= tail.end) continue
      tail.events.push(event)
      tail.end = event.position
      tail.chars += event.body.length
      forgetOldest(tail)
    }
    return events.length >= READ_LIMIT
  }

  endOf(resellerId: string): number {
    return this.#tails.get(resellerId)?.end ?? 0
  }

  /** Events after a position; undefined where it lies before what is kept. */
  after(resellerId: string, position: number): readonly LoggedEvent[] | undefined {
    const tail = this.#tails.get(resellerId)
    if (tail === undefined || position < tail.from) return undefined
    const first = tail.events.findIndex((event) => event.position > position)
    return first === -1 ? [] : tail.events.slice(first)
  }
}

function forgetOldest(tail: Tail): void {
  while (tail.events.length > KEPT_EVENTS || tail.chars > KEPT_CHARS) {
    const oldest = tail.events.shift()
    if (oldest === undefined) return
    tail.from = oldest.position
    tail.chars -= oldest.body.length
  }
}
