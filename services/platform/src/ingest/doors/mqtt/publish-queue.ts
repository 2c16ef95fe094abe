// Where publishes of all connections meet on their way to ingest. What arrives in one turn of the event loop becomes one batch, and while
// batches are under way the next one grows, so that many small publishes share few commits.

import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '@roadworthy/service-kit/http'
import { Problem } from '@roadworthy/service-kit/problem'
import type { Inbound, Ingest, Outcome } from '../../inbound.ts'
import type { MqttLimits } from './limits.ts'

/** One message on its way to the store. */
export type Publish = {
  readonly inbound: readonly Inbound[]
  readonly bytes: number
  /**
   * Called once: with the outcomes after the commit, or with the reason why there was none. Says who has to be told; each of them is
   * released once, after the whole batch has settled.
   */
  settle(result: readonly Outcome[] | Error): Settled
}

export type Settled = { release(): void }

type Limits = Pick<MqttLimits, 'maxUnsettledBytesOfAll' | 'maxBatchRecords' | 'maxBatchesUnderWay' | 'storeWaitMs'>

/** First pause before a batch is offered again to a store that is away or full; doubles up to the last. */
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 500

export class PublishQueue {
  readonly #ingest: Ingest
  readonly #limits: Limits
  readonly #onStoreAway: (error: Error, publishCount: number) => void
  #queued: Publish[] = []
  #scheduled = false
  #batchesUnderWay = 0
  #unsettledBytes = 0
  #unsettledCount = 0
  #waitingForRoom = new Set<() => void>()
  #waitingForIdle: (() => void)[] = []

  constructor(deps: { ingest: Ingest; limits: Limits; onStoreAway: (error: Error, publishCount: number) => void }) {
    this.#ingest = deps.ingest
    this.#limits = deps.limits
    this.#onStoreAway = deps.onStoreAway
  }

  push(publish: Publish): void {
    this.#queued.push(publish)
    this.#unsettledCount++
    this.#unsettledBytes += publish.bytes
    if (this.#scheduled) return
    this.#scheduled = true
    // After the poll phase: every socket that was readable in this turn has been read by then.
    setImmediate(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  /** Whether nothing more should be read for now. `onRoom` is called once there is room again. */
  isFull(onRoom: () => void): boolean {
    if (this.#unsettledBytes < this.#limits.maxUnsettledBytesOfAll) return false
    this.#waitingForRoom.add(onRoom)
    return true
  }

  /** Resolves when every publish has settled. */
  async idle(): Promise<void> {
    if (this.#unsettledCount > 0) await new Promise<void>((resolve) => this.#waitingForIdle.push(resolve))
  }

  #flush(): void {
    let from = 0
    while (from < this.#queued.length && this.#batchesUnderWay < this.#limits.maxBatchesUnderWay) {
      const until = this.#endOfBatch(from)
      this.#batchesUnderWay++
      void this.#store(this.#queued.slice(from, until))
      from = until
    }
    if (from > 0) this.#queued = this.#queued.slice(from)
  }

  /** A batch is never empty: one message alone may exceed the limit of records. */
  #endOfBatch(from: number): number {
    let recordCount = 0
    let at = from
    for (; at < this.#queued.length; at++) {
      recordCount += this.#queued[at]?.inbound.length ?? 0
      if (at > from && recordCount > this.#limits.maxBatchRecords) break
    }
    return at
  }

  async #store(publishes: readonly Publish[]): Promise<void> {
    const batch = publishes.flatMap(({ inbound }) => inbound)
    const result = await this.#ingestWithin(batch)
    if (result instanceof Error) this.#onStoreAway(result, publishes.length)
    this.#batchesUnderWay--
    this.#settle(publishes, result)
    if (this.#queued.length > 0) this.#flush()
  }

  #settle(publishes: readonly Publish[], result: readonly Outcome[] | Error): void {
    const settled = new Set<Settled>()
    let at = 0
    for (const publish of publishes) {
      this.#unsettledBytes -= publish.bytes
      const end = at + publish.inbound.length
      settled.add(publish.settle(result instanceof Error ? result : result.slice(at, end)))
      at = end
    }
    this.#unsettledCount -= publishes.length
    for (const each of settled) each.release()
    if (this.#unsettledBytes < this.#limits.maxUnsettledBytesOfAll && this.#waitingForRoom.size > 0) {
      const waiting = this.#waitingForRoom
      this.#waitingForRoom = new Set()
      for (const onRoom of waiting) onRoom()
    }
    if (this.#unsettledCount === 0) for (const resolve of this.#waitingForIdle.splice(0)) resolve()
  }

  /**
   * Offers the batch until it is stored, or until its time is up. A full queue and a store that is away both may pass, and offering a batch
   * twice is safe, because a reading that is there already is a duplicate: the door has stamped when it took each. Anything else that is thrown is a bug, and final.
   */
  async #ingestWithin(batch: readonly Inbound[]): Promise<readonly Outcome[] | Error> {
    if (batch.length === 0) return []
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), this.#limits.storeWaitMs)
    const timeIsUp = new Promise<Error>((resolve) => {
      giveUp.signal.addEventListener('abort', () => resolve(new Error(`not stored within ${this.#limits.storeWaitMs} ms`)), { once: true })
    })
    try {
      for (let pauseMs = FIRST_RETRY_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_RETRY_MS)) {
        const result = await Promise.race([this.#offer(batch), timeIsUp])
        if (!(result instanceof Error) || !mayPass(result)) return result
        await Promise.race([sleep(pauseMs), timeIsUp])
        if (giveUp.signal.aborted) return result
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async #offer(batch: readonly Inbound[]): Promise<readonly Outcome[] | Error> {
    try {
      const outcomes = await this.#ingest(batch)
      if (outcomes.length === batch.length) return outcomes
      return new Error(`ingest answered ${outcomes.length} outcomes for ${batch.length} records`)
    } catch (error) {
      return error instanceof Error ? error : new Error('ingest failed', { cause: error })
    }
  }
}

function mayPass(error: Error): boolean {
  return error instanceof Problem ? error.code === 'unavailable' : isOutage(error)
}
