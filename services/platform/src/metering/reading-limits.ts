// What sub-clients with a limit on readings have left this month, from memory: ingest asks for every reading.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { monthOf } from '../limits/plans.ts'
import { type PageStart, selectReadingLimitsAcrossResellers } from './reading-limits.read.sql.ts'

/** Some 20 ms of a statement, however many there are. */
const LIMITS_PER_PAGE = 2_000

type Limit = {
  max: number
  /** As the database reported last. */
  used: number
  /** Stored by this process since; and taken, with their commit under way. */
  storedSince: number
  underWay: number
}

/** One reading of a limit. */
type TakenReading = { settle(isStored: boolean): void }

/**
 * Fits `ReadingQuota` of ingest. Exact as long as one process takes the readings of a sub-client; of several, each knows what the others
 * stored up to the last refresh, so together they may go beyond a limit by what the others store in between.
 */
export class ReadingLimits {
  readonly #database: Database
  readonly #now: () => Date
  #limits = new Map<string, Limit>()
  #month = ''

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  get isLimiting(): boolean {
    return this.#limits.size > 0
  }

  take(resellerId: string, subClientId: string): TakenReading | Problem | undefined {
    const limit = this.#limits.get(`${resellerId} ${subClientId}`)
    if (limit === undefined) return undefined
    // In a month that has begun since the last refresh nothing is used yet, as far as is known.
    const isCurrent = monthOf(this.#now()).from === this.#month
    if (isCurrent && limit.used + limit.storedSince + limit.underWay >= limit.max) return usedUp(limit.max)
    limit.underWay++
    return {
      settle: (isStored) => {
        limit.underWay--
        if (isStored) limit.storedSince++
      },
    }
  }

  /** Learns the limits there are and what was used of them, by all processes. */
  async refresh(): Promise<void> {
    const month = monthOf(this.#now())
    const limits = new Map<string, Limit>()
    let after: PageStart | undefined = { resellerId: '', subClientId: '' }
    while (after !== undefined) {
      const page = await selectReadingLimitsAcrossResellers(this.#database.systemPool, month, after, LIMITS_PER_PAGE)
      for (const { resellerId, subClientId, max, used } of page) {
        const key = `${resellerId} ${subClientId}`
        // The same object, which readings under way will settle. What was stored while it was read may be missing until the next time.
        const limit = this.#limits.get(key) ?? { max, used, storedSince: 0, underWay: 0 }
        limits.set(key, Object.assign(limit, { max, used, storedSince: 0 }))
      }
      after = page.length === LIMITS_PER_PAGE ? page.at(-1) : undefined
    }
    this.#limits = limits
    this.#month = month.from
  }
}

function usedUp(limit: number): Problem {
  return new Problem('quota_exceeded', `The ${limit} readings of the sub-client are used up for this month.`, {
    actionRequired: 'upgrade_plan',
    details: { quota: limit },
  })
}
