// When the groups of a queue are committed. While one is being committed the next fills, so a lone request waits for nobody and a busy service pays for one
// commit per hundreds of readings.

import type { CommitTurns } from './commit-turns.ts'

type Queue = {
  /** Groups that wait. */
  readonly length: number
  /** Whether more than `count` readings wait. */
  holdsMoreThan(count: number): boolean
}

type ScheduleDeps = {
  readonly queue: Queue
  /** Shared with other queues of the same node; undefined: there are none. */
  readonly turns: CommitTurns | undefined
  /** Commits at the same time. */
  readonly concurrentCommits: number
  /** Fewer readings than this wait for the commit under way, with what comes until then. */
  readonly fewReadings: number
  /** Takes the oldest group of the queue, at once, and commits it. Never rejects. */
  readonly commitNext: () => Promise<void>
}

/** So long few readings wait for the transaction under way, which may itself wait for a lock. A commit takes 2 to 5 ms. */
const FEW_WAIT_MS = 10

export class CommitSchedule {
  readonly #deps: ScheduleDeps
  #underWay = 0
  #isScheduled = false
  #patience: NodeJS.Timeout | undefined

  constructor(deps: ScheduleDeps) {
    this.#deps = deps
  }

  /** Something was added to the queue, or a commit ended. */
  readonly wake = (): void => {
    if (this.#isScheduled || !this.#mayBegin()) return
    this.#isScheduled = true
    // After the I/O events of this turn, so that requests that arrived together share a transaction.
    setImmediate(() => {
      this.#isScheduled = false
      while (this.#mayBegin()) if (!this.#begin()) return
    })
  }

  #mayBegin(): boolean {
    if (!this.#canBegin()) return false
    if (this.#underWay === 0 || this.#deps.queue.holdsMoreThan(this.#deps.fewReadings)) return true
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined
      if (this.#canBegin()) this.#begin()
    }, FEW_WAIT_MS)
    return false
  }

  #canBegin(): boolean {
    return this.#deps.queue.length > 0 && this.#underWay < this.#deps.concurrentCommits
  }

  /** False where there is no turn for it. */
  #begin(): boolean {
    if (this.#deps.turns?.tryTake(this.wake) === false) return false
    clearTimeout(this.#patience)
    this.#patience = undefined
    void this.#commit()
    return true
  }

  async #commit(): Promise<void> {
    this.#underWay++
    try {
      await this.#deps.commitNext()
    } finally {
      this.#underWay--
      this.#deps.turns?.release()
      this.wake()
    }
  }
}
