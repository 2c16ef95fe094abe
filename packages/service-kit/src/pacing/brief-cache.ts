// Answers that may be a few seconds old. Whoever asks for one that is being loaded waits for that load; how many are kept is bounded, and
// the one loaded longest ago goes first. Absence is kept like anything else: most of what strangers ask for does not exist.

import { LRUCache } from 'lru-cache'
import { atMostEntries } from './at-most-entries.ts'

export type BriefCacheOptions<T> = {
  readonly load: (key: string) => Promise<T>
  readonly now: () => Date
  readonly ttlMs: number
  readonly maxEntries: number
}

type Entry<T> = { readonly answer: Promise<T>; readonly loadedMs: number }

export class BriefCache<T> {
  readonly #options: BriefCacheOptions<T>
  readonly #entries: LRUCache<string, Entry<T>>

  constructor(options: BriefCacheOptions<T>) {
    this.#options = options
    this.#entries = new LRUCache(atMostEntries(options.maxEntries))
  }

  find(key: string): Promise<T> {
    const { load, now, ttlMs } = this.#options
    const nowMs = now().getTime()
    // Not `get`, which would count as use. A clock that was set back makes the age negative, of which the cache's own age limit knows nothing.
    const held = this.#entries.peek(key)
    if (held !== undefined && nowMs >= held.loadedMs && nowMs - held.loadedMs < ttlMs) return held.answer
    const entry = { answer: load(key), loadedMs: nowMs }
    this.#entries.set(key, entry)
    entry.answer.catch(() => {
      if (this.#entries.peek(key) === entry) this.#entries.delete(key)
    })
    return entry.answer
  }

  /** For changes of this process, which must be seen at once. A load under way answers those who asked before, and nobody after. */
  forgetAll(): void {
    this.#entries.clear()
  }
}
