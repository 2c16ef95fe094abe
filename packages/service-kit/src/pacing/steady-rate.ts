// How often each of many names may do something: an even rate with a burst in hand (GCRA: one time stamp per name). Kept in memory, so a
// restart forgives; and bounded, so that no number of names fills it: who was let in longest ago is forgotten first, which only ever lets
// somebody try again.

import { LRUCache } from 'lru-cache'
import { atMostEntries } from './at-most-entries.ts'

const MINUTE_MS = 60_000
const MAX_NAMES = 10_000

export type SteadyRateOptions = {
  /** 0 is no limit. */
  readonly perMinute: number
  /** What an idle name may do at once. A minute's worth, unless set. */
  readonly burst?: number
  readonly maxNames?: number
}

export class SteadyRate {
  readonly #spacingMs: number
  readonly #toleranceMs: number
  /** Per name, when its next event is due if it keeps to the spacing (the theoretical arrival time of GCRA). */
  readonly #dueMs: LRUCache<string, number>

  constructor({ perMinute, burst = perMinute, maxNames = MAX_NAMES }: SteadyRateOptions) {
    this.#spacingMs = perMinute > 0 ? MINUTE_MS / perMinute : 0
    this.#toleranceMs = this.#spacingMs * Math.max(burst - 1, 0)
    this.#dueMs = new LRUCache(atMostEntries(maxNames))
  }

  /** Counts one event and answers 0 if it is within the rate. Otherwise counts nothing and answers how long until one would be. */
  takeOrWaitMs(name: string, nowMs: number): number {
    if (this.#spacingMs === 0) return 0
    const dueMs = Math.max(this.#dueMs.peek(name) ?? 0, nowMs)
    const waitMs = dueMs - nowMs - this.#toleranceMs
    if (waitMs > 0) return waitMs
    this.#dueMs.set(name, dueMs + this.#spacingMs)
    return 0
  }

  /** Counts one event in any case and returns how long it has to be held back to be within the rate. Later events never wait less. */
  delayMs(name: string, nowMs: number): number {
    if (this.#spacingMs === 0) return 0
    const dueMs = Math.max(this.#dueMs.peek(name) ?? 0, nowMs)
    this.#dueMs.set(name, dueMs + this.#spacingMs)
    return Math.max(0, dueMs - nowMs - this.#toleranceMs)
  }
}
