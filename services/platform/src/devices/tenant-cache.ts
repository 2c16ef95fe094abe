// What one process remembers of the resellers' things between readings. Answers at once when it knows; otherwise everyone who asks in the
// same moment shares one query. Absence is never remembered: a device registered through another process is found at its first message.

import { BatchLoader } from '@roadworthy/service-kit/pacing/batch-loader'

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
type Shelf<T> = { known: Map<string, { value: T; untilMs: number }>; awaited: Map<string, Lookup<T>> }
type Question<T> = Asked & { readonly shelf: Shelf<T> }
type Lookup<T> = { readonly question: Question<T>; readonly answer: Promise<T | undefined> }

export class TenantCache<T> {
  readonly #options: TenantCacheOptions<T>
  readonly #shelves = new Map<string, Shelf<T>>()
  /** A question is its own key: who else shares its answer is for the shelf to decide. */
  readonly #lookups: BatchLoader<Question<T>, T | undefined>
  #knownCount = 0

  constructor(options: TenantCacheOptions<T>) {
    this.#options = options
    this.#lookups = new BatchLoader((batch) => this.#load(batch), { maxKeys: MAX_ASKED_PER_LOAD, concurrency: MAX_LOADS_UNDER_WAY })
  }

  find(resellerId: string, reference: string): T | undefined | Promise<T | undefined> {
    const shelf = this.#shelfOf(resellerId)
    const known = shelf.known.get(reference)
    if (known !== undefined && this.#options.now().getTime() < known.untilMs) return known.value
    const awaited = shelf.awaited.get(reference)
    if (awaited !== undefined) return awaited.answer
    const question = { resellerId, reference, shelf }
    const answer = this.#lookups.load(question)
    shelf.awaited.set(reference, { question, answer })
    return answer
  }

  /** Resellers of which anything is known or awaited. */
  get resellerCount(): number {
    return this.#shelves.size
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

  async #load(batch: readonly Question<T>[]): Promise<readonly (T | undefined)[]> {
    // From before the query, so that nothing is believed for longer than the time to live.
    const untilMs = this.#options.now().getTime() + this.#options.ttlMs
    try {
      const answers = await this.#options.load(batch)
      for (const [i, question] of batch.entries()) if (endsWait(question)) this.#keep(question, answers[i], untilMs)
      return answers
    } catch (error) {
      for (const question of batch) endsWait(question)
      throw error
    } finally {
      for (const question of batch) this.#dropIfEmpty(question)
    }
  }

  /** Who sends through an external broker may name resellers that there are not, without end. */
  #dropIfEmpty({ resellerId, shelf }: Question<T>): void {
    if (shelf.known.size + shelf.awaited.size === 0 && this.#shelves.get(resellerId) === shelf) this.#shelves.delete(resellerId)
  }

  /** What was forgotten during the query, with its shelf, may be what was true before the change. */
  #keep({ resellerId, reference, shelf }: Question<T>, value: T | undefined, untilMs: number): void {
    if (value === undefined || this.#shelves.get(resellerId) !== shelf) return
    if (!shelf.known.has(reference)) {
      if (this.#knownCount >= this.#options.maxEntries) this.#makeRoom()
      this.#knownCount++
    }
    shelf.known.set(reference, { value, untilMs })
  }
}

/** Whether the answer is still the one that is waited for: what was forgotten during the query is asked anew. */
function endsWait<T>(question: Question<T>): boolean {
  const { shelf, reference } = question
  return shelf.awaited.get(reference)?.question === question && shelf.awaited.delete(reference)
}
