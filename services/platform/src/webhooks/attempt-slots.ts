// Which of a process's slots for attempts are taken, and by whom. Endpoints that do not answer, or take their time, would fill them all if they
// were let: each holds its slot for as long as an attempt may take, while one that answers at once gives it back at once.

import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import { LRUCache } from 'lru-cache'

export const MAX_ATTEMPTS = 200
/** Of these, all endpoints that failed last or are slow may have this many together. */
const MAX_DEGRADED_ATTEMPTS = 100
/** Beyond its first slot at a time an endpoint gets one only while fewer than this many are taken: until it has answered, nobody knows how it is. */
const MAX_BEFORE_FIRST_ONLY = 100
/** An attempt that takes longer makes its endpoint a slow one, until one is quicker. */
const SLOW_MS = 2_000
/** The one whose last slow attempt is the longest ago is forgotten, and learned anew. */
const MAX_SLOW_ENDPOINTS = 10_000

type Slot = { readonly endpointId: string; readonly isDegraded: boolean; readonly startedMs: number }

export type Room = {
  /** How many may be claimed now. */
  readonly room: number
  /** How many of them for endpoints that failed last, or are among the slow ones. */
  readonly degradedRoom: number
  /** Up to how many in all an endpoint gets more than its first slot. */
  readonly furtherRoom: number
  readonly slowEndpointIds: readonly string[]
}

/** `nowMs` is of a clock that only goes forward. */
export class AttemptSlots {
  readonly #taken = new Set<Slot>()
  readonly #slow = new LRUCache<string, true>(atMostEntries(MAX_SLOW_ENDPOINTS))

  get takenCount(): number {
    return this.#taken.size
  }

  left(nowMs: number): Room {
    const dragging = [...this.#taken].filter((slot) => nowMs - slot.startedMs > SLOW_MS)
    for (const { endpointId } of dragging) this.#slow.set(endpointId, true)
    const degradedCount = [...this.#taken].filter(({ isDegraded, endpointId }) => isDegraded || this.#slow.has(endpointId)).length
    return {
      room: MAX_ATTEMPTS - this.#taken.size,
      degradedRoom: Math.max(0, MAX_DEGRADED_ATTEMPTS - degradedCount),
      furtherRoom: Math.max(0, MAX_BEFORE_FIRST_ONLY - this.#taken.size),
      slowEndpointIds: [...this.#slow.rkeys()],
    }
  }

  /** Answers what gives the slot back. */
  take({ endpointId, isDegraded }: { endpointId: string; isDegraded: boolean }, nowMs: number): (endMs: number) => void {
    const slot = { endpointId, isDegraded, startedMs: nowMs }
    this.#taken.add(slot)
    return (endMs) => {
      this.#taken.delete(slot)
      if (endMs - nowMs > SLOW_MS) this.#slow.set(endpointId, true)
      else this.#slow.delete(endpointId)
    }
  }
}
