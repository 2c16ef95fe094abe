// Answers that may be a few seconds old. Whoever asks for one that is being loaded waits for that load; how many are kept is bounded, and
// the one loaded longest ago goes first. Absence is kept like anything else: most of what strangers ask for does not exist.

export type BriefCacheOptions<T> = {
  readonly load: (key: string) => Promise<T>
  readonly now: () => Date
  readonly ttlMs: number
  readonly maxEntries: number
}

type Entry<T> = { readonly answer: Promise<T>; readonly loadedMs: number }

export class BriefCache<T> {
  readonly #options: BriefCacheOptions<T>
  readonly #entries = new Map<string, Entry<T>>()

  constructor(options: BriefCacheOptions<T>) {
    this.#options = options
  }

  find(key: string): Promise<T> {
    const { load, now, ttlMs } = this.#options
    const nowMs = now().getTime()
    const held = this.#entries.get(key)
    // A clock that was set back makes the age negative; then it says nothing.
    if (held !== undefined && nowMs >= held.loadedMs && nowMs - held.loadedMs < ttlMs) return held.answer
    const entry = { answer: load(key), loadedMs: nowMs }
    this.#keep(key, entry)
    entry.answer.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    })
    return entry.answer
  }

  /** For changes of this process, which must be seen at once. A load under way answers those who asked before, and nobody after. */
  forgetAll(): void {
    this.#entries.clear()
  }

  #keep(key: string, entry: Entry<T>): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.maxEntries) break
      this.#entries.delete(oldest)
    }
  }
}
