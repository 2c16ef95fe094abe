// How often each of many names may try something: an even trickle with a minute's worth in hand (GCRA). Kept in memory, so a restart
// forgives, and bounded, so that no number of names fills it.

const MAX_NAMES = 10_000
const MINUTE_MS = 60_000

export class AttemptAllowance {
  readonly #perMinute: number
  readonly #now: () => Date
  /** Per name, when its allowance is full again (the theoretical arrival time of GCRA). */
  readonly #fullAtMs = new Map<string, number>()

  /** `perMinute` 0 allows any number. */
  constructor(perMinute: number, now: () => Date) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /** Takes one attempt and returns 0; or, when none is left, the seconds until there is. */
  take(name: string): number {
    if (this.#perMinute === 0) return 0
    const nowMs = this.#now().getTime()
    const everyMs = MINUTE_MS / this.#perMinute
    const fullAtMs = Math.max(this.#fullAtMs.get(name) ?? 0, nowMs) + everyMs
    const overMs = fullAtMs - nowMs - MINUTE_MS
    if (overMs > 0) return overMs / 1000
    this.#fullAtMs.delete(name)
    this.#fullAtMs.set(name, fullAtMs)
    for (const oldest of this.#fullAtMs.keys()) {
      if (this.#fullAtMs.size <= MAX_NAMES) break
      this.#fullAtMs.delete(oldest)
    }
    return 0
  }
}
