// The newest state of vehicles by source (rows of `latest_states`) that other transactions were found to hold. A group that names one waits for its lock in
// vain, and everybody in the group with it; so what was found held is refused before it comes into a group, until it is found free again.

import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import { LRUCache } from 'lru-cache'
import { type StateKey, stateKeysOf } from '../readings/latest-state.ts'
import { stateKeyText } from '../readings/locked-states.sql.ts'
import type { Reading } from '../readings/reading.ts'

/** More are not remembered: of those beyond, the next group waits once more. */
const MAX_HELD = 1_000

type HeldDeps = {
  /** For how long what was found held is taken to be, without asking again. */
  readonly believedMs: number
  /** Of these states those that are held at this moment, by `stateKeyText`. Waits for no lock. */
  readonly select: (resellerIds: readonly string[], states: readonly StateKey[]) => Promise<ReadonlySet<string>>
}

/** Rejects as a lock does that was waited for in vain. */
export class HeldError extends Error {
  /** PostgreSQL's lock_not_available. */
  readonly code = '55P03'

  constructor() {
    super('another transaction holds what is kept of this source')
  }
}

export class HeldStates {
  readonly #deps: HeldDeps
  /** When each was last found held, or began to be asked about. */
  readonly #foundMs = new LRUCache<string, number>(atMostEntries(MAX_HELD))

  constructor(deps: HeldDeps) {
    this.#deps = deps
  }

  note(states: Iterable<string>): void {
    for (const state of states) this.#foundMs.set(state, performance.now())
  }

  /** Whether any of them may be held: then ask `find`. Nearly always none is remembered. */
  mayHold(readings: readonly Reading[]): boolean {
    return this.#foundMs.size > 0 && readings.some((reading) => this.#holds(reading))
  }

  /** Which of them are held, in their order. Asks the store about what it was not asked lately, and forgets what is free. */
  async find(readings: readonly Reading[]): Promise<boolean[]> {
    const nowMs = performance.now()
    const asked = new Map<string, StateKey>()
    for (const state of readings.flatMap(stateKeysOf)) {
      const foundMs = this.#foundMs.peek(stateKeyText(state))
      if (foundMs !== undefined && nowMs - foundMs >= this.#deps.believedMs) asked.set(stateKeyText(state), state)
    }
    if (asked.size > 0) {
      // Before, so that others that come meanwhile do not ask too: asking takes the locks for a moment.
      this.note(asked.keys())
      const resellerIds = [...new Set(readings.map(({ resellerId }) => resellerId))]
      const held = await this.#deps.select(resellerIds, [...asked.values()])
      for (const state of asked.keys()) if (!held.has(state)) this.#foundMs.delete(state)
    }
    return readings.map((reading) => this.#holds(reading))
  }

  #holds(reading: Reading): boolean {
    return stateKeysOf(reading).some((state) => this.#foundMs.has(stateKeyText(state)))
  }
}
