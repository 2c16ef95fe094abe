import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import { LRUCache } from 'lru-cache'

/** The oldest is forgotten first, which only ever lets somebody try again. */
const MAX_REMEMBERED = 10_000
const MINUTE_MS = 60_000

type Failures = { count: number; sinceMs: number; bannedUntilMs: number }

/**
 * Refuses a key unheard for a while after too many failures within a minute. The receiver's key is username and address together: by username
 * alone, anybody who has read a username could keep its device out.
 */
export class FailureBan {
  readonly #maxFailures: number
  readonly #banMs: number
  readonly #failures = new LRUCache<string, Failures>(atMostEntries(MAX_REMEMBERED))

  constructor(maxFailuresPerMinute: number, banMs: number) {
    this.#maxFailures = maxFailuresPerMinute
    this.#banMs = banMs
  }

  isBanned(key: string, nowMs: number): boolean {
    return nowMs < (this.#failures.peek(key)?.bannedUntilMs ?? 0)
  }

  /** Counts a failure; true when this one brought the ban. */
  fail(key: string, nowMs: number): boolean {
    let entry = this.#failures.peek(key)
    if (entry === undefined || nowMs - entry.sinceMs >= MINUTE_MS) {
      entry = { count: 0, sinceMs: nowMs, bannedUntilMs: 0 }
      this.#failures.set(key, entry)
    }
    entry.count++
    if (entry.count !== this.#maxFailures) return false
    entry.bannedUntilMs = nowMs + this.#banMs
    return true
  }

  forget(key: string): void {
    this.#failures.delete(key)
  }
}
