// What one process remembers of the resellers' things between readings. Answers at once when it knows; otherwise everyone who asks in the
// same moment shares one query. Absence is never remembered: a device registered through another process is found at its first message.

export type Asked = { readonly resellerId: string; readonly reference: string }

export type TenantCache<T> = {
  find(resellerId: string, reference: string): T | undefined | Promise<T | undefined>
  /** Forgets one reseller, or everything. A lookup already under way answers those who asked before, and nobody after. */
  forget(resellerId?: string): void
}

export type TenantCacheOptions<T> = {
  /** Answers in the order asked. */
  load: (asked: readonly Asked[]) => Promise<readonly (T | undefined)[]>
  now: () => Date
  ttlMs: number
  maxEntries: number
}

const MAX_ASKED_PER_LOAD = 1_000
/** More would take connections from the transactions that store; what is asked meanwhile joins the next load. */
const MAX_LOADS_UNDER_WAY = 2

type Shelf<T> = { known: Map<string, { value: T; untilMs: number }>; awaited: Map<string, Promise<T | undefined>> }
type Question<T> = Asked & { shelf: Shelf<T>; resolve: (value: T | undefined) => void; reject: (error: unknown) => void }

export function createTenantCache<T>(options: TenantCacheOptions<T>): TenantCache<T> {
  const shelves = new Map<string, Shelf<T>>()
  const questions: Question<T>[] = []
  let knownCount = 0
  let loadsUnderWay = 0
  let scheduled = false

  function find(resellerId: string, reference: string): T | undefined | Promise<T | undefined> {
    const shelf = shelfOf(resellerId)
    const known = shelf.known.get(reference)
    if (known !== undefined && options.now().getTime() < known.untilMs) return known.value
    const awaited = shelf.awaited.get(reference)
    if (awaited !== undefined) return awaited
    const answer = new Promise<T | undefined>((resolve, reject) => questions.push({ resellerId, reference, shelf, resolve, reject }))
    shelf.awaited.set(reference, answer)
    schedule()
    return answer
  }

  function shelfOf(resellerId: string): Shelf<T> {
    let shelf = shelves.get(resellerId)
    if (shelf === undefined) {
      shelf = { known: new Map(), awaited: new Map() }
      shelves.set(resellerId, shelf)
    }
    return shelf
  }

  function schedule(): void {
    if (scheduled || questions.length === 0 || loadsUnderWay >= MAX_LOADS_UNDER_WAY) return
    scheduled = true
    // Not a microtask: requests read in the same turn of the event loop share the load.
    setImmediate(() => {
      scheduled = false
      void load(questions.splice(0, MAX_ASKED_PER_LOAD))
      schedule()
    })
  }

  async function load(batch: readonly Question<T>[]): Promise<void> {
    loadsUnderWay++
    // From before the query, so that nothing is believed for longer than the time to live.
    const untilMs = options.now().getTime() + options.ttlMs
    try {
      const answers = await options.load(batch)
      batch.forEach((question, i) => {
        settle(question, answers[i], untilMs)
      })
    } catch (error) {
      for (const { shelf, reference, reject } of batch) {
        shelf.awaited.delete(reference)
        reject(error)
      }
    } finally {
      loadsUnderWay--
      schedule()
    }
  }

  function settle({ resellerId, reference, shelf, resolve }: Question<T>, value: T | undefined, untilMs: number): void {
    shelf.awaited.delete(reference)
    // A shelf that was forgotten during the query may hold what was true before the change.
    if (value !== undefined && shelves.get(resellerId) === shelf) {
      if (!shelf.known.has(reference) && ++knownCount > options.maxEntries) {
        forget()
      } else {
        shelf.known.set(reference, { value, untilMs })
      }
    }
    resolve(value)
  }

  function forget(resellerId?: string): void {
    if (resellerId === undefined) {
      shelves.clear()
      knownCount = 0
      return
    }
    knownCount -= shelves.get(resellerId)?.known.size ?? 0
    shelves.delete(resellerId)
  }

  return { find, forget }
}
