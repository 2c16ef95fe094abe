// Many small questions to a store, asked together (the DataLoader pattern): what is asked in one turn of the event loop, and while loads are under
// way, is one load. However many ask, and for however many things that do not exist, they hold as many connections as loads may run.

export type BatchLoaderLimits = {
  /** Keys of one load, at most. */
  readonly maxKeys: number
  /** Loads at the same time; what is asked meanwhile waits. One, unless set. */
  readonly concurrency?: number
}

type Waiter<Value> = PromiseWithResolvers<Value>

export class BatchLoader<Key, Value> {
  readonly #loadBatch: (keys: readonly Key[]) => Promise<readonly Value[]>
  readonly #maxKeys: number
  readonly #concurrency: number
  readonly #waiting = new Map<Key, Waiter<Value>>()
  #underWayCount = 0
  #isScheduled = false

  /** `loadBatch` answers in the order of the keys. */
  constructor(loadBatch: (keys: readonly Key[]) => Promise<readonly Value[]>, { maxKeys, concurrency = 1 }: BatchLoaderLimits) {
    this.#loadBatch = loadBatch
    this.#maxKeys = maxKeys
    this.#concurrency = concurrency
  }

  /** Whoever asks for a key that waits shares its answer. A load that has begun is not shared: what it read may be from before a change. */
  load(key: Key): Promise<Value> {
    const waiting = this.#waiting.get(key)
    if (waiting !== undefined) return waiting.promise
    const waiter = Promise.withResolvers<Value>()
    this.#waiting.set(key, waiter)
    this.#schedule()
    return waiter.promise
  }

  /** Whether a load that has not begun will ask for this key. */
  isWaiting(key: Key): boolean {
    return this.#waiting.has(key)
  }

  /** Rejects what waits; loads that have begun go on. */
  rejectWaiting(error: unknown): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0 || this.#underWayCount >= this.#concurrency) return
    this.#isScheduled = true
    // Not a microtask: requests that were read in the same turn of the event loop share the load.
    setImmediate(() => {
      this.#isScheduled = false
      void this.#run(this.#takeBatch())
      this.#schedule()
    })
  }

  #takeBatch(): [Key, Waiter<Value>][] {
    const batch = [...this.#waiting.entries().take(this.#maxKeys)]
    for (const [key] of batch) this.#waiting.delete(key)
    return batch
  }

  async #run(batch: readonly [Key, Waiter<Value>][]): Promise<void> {
    if (batch.length === 0) return
    this.#underWayCount++
    try {
      const values = await this.#loadBatch(batch.map(([key]) => key))
      for (const [i, [, { resolve }]] of batch.entries()) resolve(values[i] as Value)
    } catch (error) {
      for (const [, { reject }] of batch) reject(error)
    } finally {
      this.#underWayCount--
      this.#schedule()
    }
  }
}

/** The answers to keys out of a map, in their order: for `loadBatch` over a statement that leaves out what is not there. */
export async function inOrder<Key, Value>(keys: readonly Key[], found: Promise<ReadonlyMap<Key, Value>>): Promise<(Value | undefined)[]> {
  const values = await found
  return keys.map((key) => values.get(key))
}
