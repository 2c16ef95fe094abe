// Reads of single things by key, many at a time: one statement runs, and whoever asks meanwhile shares the next one. However many ask,
// and for however many things that do not exist, they hold one connection.

type Waiter<T> = { readonly resolve: (value: T | undefined) => void; readonly reject: (error: unknown) => void }

export class SharedReads<T> {
  readonly #load: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
  readonly #maxKeysPerRead: number
  readonly #wanted = new Map<string, Waiter<T>[]>()
  #isReading = false

  /** `load` is called for one batch at a time. What it leaves out is not there. */
  constructor(load: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>, { maxKeysPerRead }: { maxKeysPerRead: number }) {
    this.#load = load
    this.#maxKeysPerRead = maxKeysPerRead
  }

  /** Whether a read that has not begun will look at this key. */
  isWanted(key: string): boolean {
    return this.#wanted.has(key)
  }

  read(key: string): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const waiters = this.#wanted.get(key)
      if (waiters === undefined) this.#wanted.set(key, [{ resolve, reject }])
      else waiters.push({ resolve, reject })
      if (!this.#isReading) void this.#readWanted()
    })
  }

  async #readWanted(): Promise<void> {
    this.#isReading = true
    while (this.#wanted.size > 0) {
      const batch = [...this.#wanted].slice(0, this.#maxKeysPerRead)
      for (const [key] of batch) this.#wanted.delete(key)
      try {
        const found = await this.#load(batch.map(([key]) => key))
        for (const [key, waiters] of batch) for (const { resolve } of waiters) resolve(found.get(key))
      } catch (error) {
        for (const [, waiters] of batch) for (const { reject } of waiters) reject(error)
      }
    }
    this.#isReading = false
  }
}
