/** Longer than any pause of a process that works. In a longer one it was stopped, or its database away, and nobody could be heard. */
const MOST_PAUSE_MS = 30_000

/** Since when devices can be heard without a gap, by what this process knows: from its beginning, and anew after each long pause. */
export class Listening {
  #since: Date
  #lastAt: Date

  constructor(at: Date) {
    this.#since = at
    this.#lastAt = at
  }

  /** The database answers at `at`; whether it has for `ms` on end. */
  hasLasted(ms: number, at: Date): boolean {
    if (at.getTime() - this.#lastAt.getTime() > MOST_PAUSE_MS) this.#since = at
    this.#lastAt = at
    return at.getTime() - this.#since.getTime() >= ms
  }
}
