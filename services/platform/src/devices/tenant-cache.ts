// What one process remembers of the resellers' things between readings. Answers at once when it knows; otherwise everyone who asks in the
// same moment shares one query. Absence is never remembered: a device registered through another process is found at its first message.

export type Asked = { readonly resellerId: string; readonly reference: string }

export type TenantCacheOptions<T> = {
  /** Answers in the order asked. */
  readonly load: (asked: readonly Asked[]) => Promise<readonly (T | undefined)[]>
  readonly now: () => Date
  readonly ttlMs: number
  readonly maxEntries: number
}

const MAX_ASKED_PER_LOAD = 1_000
/** More would take connections from the transactions that store; what is asked meanwhile joins the next load. */
const MAX_LOADS_UNDER_WAY = 2

/** What is known of one reseller. Forgetting throws the shelf away, and a load that is under way then writes to one nobody reads. */
type Shelf<T> = { known: Map<string, { value: T; untilMs: number }>; awaited: Map<string, Promise<T | undefined>> }
type Question<T> = Asked & {
  shelf: Shelf<T>
  answer: Promise<T | undefined>
  resolve: (value: T | undefined) => void
  reject: (error: unknown) => void
}

export class TenantCache<T> {
  readonly #options: TenantCacheOptions<T>
  readonly #shelves = new Map<string, Shelf<T>>()
  readonly #questions: Question<T>[] = []
  #knownCount = 0
  #loadsUnderWay = 0
  #isScheduled = false

  constructor(options: TenantCacheOptions<T>) {
    this.#options = options
  }

  find(resellerId: string, reference: string): T | undefined | Promise<T | undefined> {
    const shelf = this.#shelfOf(resellerId)
    const known = shelf.known.get(reference)
    if (known !== undefined && this.#options.now().getTime() < known.untilMs) return known.value
    const awaited = shelf.awaited.get(reference)
    if (awaited !== undefined) return awaited
    const { promise: answer, resolve, reject } = Promise.withResolvers<T | undefined>()
    this.#questions.push({ resellerId, reference, shelf, answer, resolve, reject })
    shelf.awaited.set(reference, answer)
    this.#schedule()
    return answer
  }

  /** Forgets one reseller, or everything. A lookup already under way answers those who asked before, and nobody after. */
  forget(resellerId?: string): void {
    if (resellerId === undefined) {
      this.#shelves.clear()
      this.#knownCount = 0
    } else {
      this.#knownCount -= this.#shelves.get(resellerId)?.known.size ?? 0
      this.#shelves.delete(resellerId)
    }
  }

  /** Forgets one thing, under one of its references. */
  forgetOne(resellerId: string, reference: string): void {
    const shelf = this.#shelves.get(resellerId)
    shelf?.awaited.delete(reference)
    if (shelf?.known.delete(reference)) this.#knownCount--
  }

  /** The reseller of whom most is known pays: the older half of it goes. So one with a large fleet costs the others nothing. */
  #makeRoom(): void {
    let fullest: Shelf<T> | undefined
    for (const shelf of this.#shelves.values()) if (shelf.known.size > (fullest?.known.size ?? 0)) fullest = shelf
    if (fullest === undefined) return
    // A Map keeps the order of insertion.
    const older = [...fullest.known.keys()].slice(0, Math.ceil(fullest.known.size / 2))
    for (const reference of older) fullest.known.delete(reference)
    this.#knownCount -= older.length
  }

  #shelfOf(resellerId: string): Shelf<T> {
    let shelf = this.#shelves.get(resellerId)
    if (shelf === undefined) {
      shelf = { known: new Map(), awaited: new Map() }
      this.#shelves.set(resellerId, shelf)
    }
    return shelf
  }

  #schedule(): void {
    if (this.#isScheduled || this.#questions.length === 0 || this.#loadsUnderWay >= MAX_LOADS_UNDER_WAY) return
    this.#isScheduled = true
    // Not a microtask: requests read in the same turn of the event loop share the load.
    setImmediate(() => {
      this.#isScheduled = false
      void this.#load(this.#questions.splice(0, MAX_ASKED_PER_LOAD))
      this.#schedule()
    })
  }

  async #load(batch: readonly Question<T>[]): Promise<void> {
    this.#loadsUnderWay++
    // From before the query, so that nothing is believed for longer than the time to live.
    const untilMs = this.#options.now().getTime() + this.#options.ttlMs
    try {
      const answers = await this.#options.load(batch)
      batch.forEach((question, i) => {
        this.#settle(question, answers[i], untilMs)
      })
    } catch (error) {
      for (const { shelf, reference, answer, reject } of batch) {
        if (shelf.awaited.get(reference) === answer) shelf.awaited.delete(reference)
        reject(error)
      }
    } finally {
      this.#loadsUnderWay--
      this.#schedule()
    }
  }

  #settle({ resellerId, reference, shelf, answer, resolve }: Question<T>, value: T | undefined, untilMs: number): void {
    const isAwaited = shelf.awaited.get(reference) === answer
    if (isAwaited) shelf.awaited.delete(reference)
    // What was forgotten during the query, alone or with its shelf, may be what was true before the change.
    if (value !== undefined && isAwaited && this.#shelves.get(resellerId) === shelf) {
      if (shelf.known.has(reference)) shelf.known.set(reference, { value, untilMs })
      else {
        if (this.#knownCount >= this.#options.maxEntries) this.#makeRoom()
        shelf.known.set(reference, { value, untilMs })
        this.#knownCount++
      }
    }
    resolve(value)
  }
}
