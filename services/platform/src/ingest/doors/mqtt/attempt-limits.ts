// How often one address may connect, one username may fail, one device may publish. Memory of strangers is bounded: the oldest is
// forgotten first, which only ever lets somebody try again.

const MAX_REMEMBERED = 10_000
const MINUTE_MS = 60_000

function remember<T>(map: Map<string, T>, key: string, value: T, maxRemembered: number): void {
  if (!map.has(key) && map.size >= maxRemembered) {
    const [oldest] = map.keys()
    if (oldest !== undefined) map.delete(oldest)
  }
  map.set(key, value)
}

/** A sustained rate with a burst (GCRA: one time stamp per key). A rate of 0 is no limit. */
export class RateLimit {
  readonly #spacingMs: number
  readonly #toleranceMs: number
  readonly #maxRemembered: number
  readonly #theoreticalArrivalMs = new Map<string, number>()

  constructor(ratePerSecond: number, burst: number, maxRemembered = MAX_REMEMBERED) {
    this.#maxRemembered = maxRemembered
    this.#spacingMs = ratePerSecond > 0 ? 1_000 / ratePerSecond : 0
    this.#toleranceMs = this.#spacingMs * Math.max(burst - 1, 0)
  }

  /** Counts one event if it is within the rate. A refused one does not count. */
  admits(key: string, nowMs: number): boolean {
    if (this.#spacingMs === 0) return true
    const arrivalMs = Math.max(this.#theoreticalArrivalMs.get(key) ?? 0, nowMs)
    if (arrivalMs - nowMs > this.#toleranceMs) return false
    remember(this.#theoreticalArrivalMs, key, arrivalMs + this.#spacingMs, this.#maxRemembered)
    return true
  }

  /** Counts one event and says how long it has to wait to be within the rate. Later events of the key never wait less. */
  delayMs(key: string, nowMs: number): number {
    if (this.#spacingMs === 0) return 0
    const arrivalMs = Math.max(this.#theoreticalArrivalMs.get(key) ?? 0, nowMs)
    remember(this.#theoreticalArrivalMs, key, arrivalMs + this.#spacingMs, this.#maxRemembered)
    return Math.max(0, arrivalMs - nowMs - this.#toleranceMs)
  }
}

/**
 * Refuses a key unheard for a while after too many failures within a minute. The door's key is username and address together: by username
 * alone, anybody who has read a username could keep its device out.
 */
export class FailureBan {
  readonly #maxFailures: number
  readonly #banMs: number
  readonly #failures = new Map<string, { count: number; sinceMs: number; bannedUntilMs: number }>()

  constructor(maxFailuresPerMinute: number, banMs: number) {
    this.#maxFailures = maxFailuresPerMinute
    this.#banMs = banMs
  }

  isBanned(key: string, nowMs: number): boolean {
    return nowMs < (this.#failures.get(key)?.bannedUntilMs ?? 0)
  }

  /** Counts a failure; true when this one brought the ban. */
  fail(key: string, nowMs: number): boolean {
    let entry = this.#failures.get(key)
    if (entry === undefined || nowMs - entry.sinceMs >= MINUTE_MS) {
      entry = { count: 0, sinceMs: nowMs, bannedUntilMs: 0 }
      remember(this.#failures, key, entry, MAX_REMEMBERED)
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
