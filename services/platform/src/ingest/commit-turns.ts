// How many commits run at once on one node, over all shards that it has. A group that waits for its turn goes on filling, where one that waited for a connection
// would not.

export class CommitTurns {
  #freeCount: number
  /** What to do when a turn may be free again; each once, in the order in which they asked. */
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#freeCount = count
  }

  /** Whether there was a turn, which is the caller's until `release`. Where there was none, `whenFree` is called when there may be. */
  tryTake(whenFree: () => void): boolean {
    if (this.#freeCount === 0) {
      this.#waiting.add(whenFree)
      return false
    }
    this.#freeCount--
    return true
  }

  release(): void {
    this.#freeCount++
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    // All but the first find none again, and are queued behind callers that came meanwhile.
    for (const whenFree of waiting) whenFree()
  }
}
