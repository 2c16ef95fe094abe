// Claims what is due and attempts it, many at a time. Any number of processes may run one. A process that dies leaves its claims behind, which
// run out; what it was at is then attempted again, with the same `webhook-id`.

import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts'
import { AttemptSlots, MAX_ATTEMPTS } from './attempt-slots.ts'
import { type Backlog, type Claimed, claimDueAcrossResellers, isAnyDueAcrossResellers, selectBacklogAcrossResellers } from './claims.sql.ts'

/** Four times what an attempt may take, so that nobody who lives loses a claim. */
const CLAIM_MS = 60_000
const MAX_ATTEMPTS_PER_ENDPOINT = 5
const MAX_ATTEMPTS_PER_FAILING_ENDPOINT = 1
/** From the commit of a delivery to its first attempt takes about this. */
const IDLE_MS = 500
const RETRY_MS = 2_000
const BACKLOG_EVERY_MS = 30_000
/** What is under way when the service stops gets this long; a receiver may take fifteen seconds, and the service may not. */
const LAST_ATTEMPTS_MS = 1_500

/** Claims as many of the deliveries that are due as there are slots for. */
async function claimDue({ database, now }: AttemptDeps, slots: AttemptSlots, nowMs: number): Promise<Claimed[]> {
  const claim = { claimId: newId('whc'), at: now(), claimMs: CLAIM_MS }
  const limits = {
    ...slots.left(nowMs),
    perEndpoint: MAX_ATTEMPTS_PER_ENDPOINT,
    perFailingEndpoint: MAX_ATTEMPTS_PER_FAILING_ENDPOINT,
  }
  if (!(await isAnyDueAcrossResellers(database.systemPool, claim.at))) return []
  return await database.system((db) => claimDueAcrossResellers(db, claim, limits))
}

/** One round to its end: everything that could be claimed has been attempted. Answers how many. */
export async function deliverDue(deps: AttemptDeps): Promise<number> {
  const claimed = await claimDue(deps, new AttemptSlots(), performance.now())
  const { signal } = new AbortController()
  await Promise.all(claimed.map((each) => attemptDelivery(deps, each, signal)))
  return claimed.length
}

export type DeliveryWorker = {
  /** What there was to be sent when it was last counted, half a minute ago at most. */
  backlog(): Backlog
  /** Claims nothing more, waits a little for what is under way, and gives back what does not end in time. */
  stop(): Promise<void>
}

/** Goes on until stopped. A receiver that takes its time takes a slot, and nobody else waits for it. `nowMs`: the clock by which it does, which only goes forward. */
export function startDeliveryWorker(deps: AttemptDeps, nowMs = () => performance.now()): DeliveryWorker {
  const worker = new RunningWorker(deps, nowMs)
  return { backlog: () => worker.backlog, stop: () => worker.stop() }
}

class RunningWorker {
  backlog: Backlog = { pendingCount: 0, oldestPendingAt: undefined }
  readonly #deps: AttemptDeps
  readonly #nowMs: () => number
  readonly #stopping = new AbortController()
  readonly #abandoning = new AbortController()
  readonly #slots = new AttemptSlots()
  #endedCount = 0
  readonly #underWay = new Set<Promise<void>>()
  readonly #running: Promise<unknown>
  /** Ends the wait for the next look: a slot has become free while more was due. */
  #wake = () => {}

  constructor(deps: AttemptDeps, nowMs: () => number) {
    this.#deps = deps
    this.#nowMs = nowMs
    this.#running = Promise.all([this.#claimUntilStopped(), this.#countUntilStopped()])
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await this.#running
    const patience = setTimeout(() => this.#abandoning.abort(), LAST_ATTEMPTS_MS)
    await Promise.all(this.#underWay)
    clearTimeout(patience)
  }

  async #claimUntilStopped(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const waitMs = this.#slots.takenCount === MAX_ATTEMPTS ? IDLE_MS : await this.#claimSome()
      if (waitMs > 0) await this.#pause(waitMs)
    }
  }

  /** Answers how long to wait before the next look. */
  async #claimSome(): Promise<number> {
    try {
      const endedBefore = this.#endedCount
      const claimed = await claimDue(this.#deps, this.#slots, this.#nowMs())
      for (const each of claimed) this.#attempt(each)
      // What ended while it was looked has perhaps made room for more.
      return claimed.length === 0 && this.#endedCount === endedBefore ? IDLE_MS : 0
    } catch (error) {
      this.#deps.log.error({ err: error }, 'webhooks wait; claiming them is tried again')
      return RETRY_MS
    }
  }

  #attempt(claimed: Claimed): void {
    const giveBack = this.#slots.take(claimed, this.#nowMs())
    const attempting = attemptDelivery(this.#deps, claimed, this.#abandoning.signal)
      .catch((error: unknown) => {
        const { resellerId, deliveryId } = claimed
        this.#deps.log.error({ err: error, resellerId, deliveryId }, 'an attempt could not be stored; it is made again when its claim ends')
      })
      .finally(() => {
        this.#underWay.delete(attempting)
        giveBack(this.#nowMs())
        this.#endedCount++
        this.#wake()
      })
    this.#underWay.add(attempting)
  }

  #pause(waitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, waitMs)
    this.#wake = () => {
      clearTimeout(timer)
      resolve()
    }
    if (this.#stopping.signal.aborted) this.#wake()
    return promise
  }

  async #countUntilStopped(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        this.backlog = await selectBacklogAcrossResellers(this.#deps.database.systemPool)
      } catch (error) {
        this.#deps.log.error({ err: error }, 'pending webhooks could not be counted; the last count stands')
      }
      await delay(BACKLOG_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}
