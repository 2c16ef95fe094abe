// Where publishes of all connections meet on their way to ingest. What arrives in one turn of the event loop becomes one batch, and while
// batches are under way the next one grows, so that many small publishes share few commits.
//
// What waits is the bytes of the payloads. They are decoded when their batch is offered to ingest, and again when it is offered again, so
// that the parsed records die young: kept until the commit they would survive the young generation and fill the old one.

import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import type { TraceSpan } from '@roadworthy/service-kit/telemetry/tracer'
import { endAfter, isTracing, startEntrySpan, withinSpan } from '@roadworthy/service-kit/telemetry/tracing'
import type { BriefOutcome, FieldWarning, Inbound, IngestBriefly } from '../../inbound.ts'
import { isLockTimeout } from '../../split-blocked.ts'
import type { DecodedMessage, Frame, RecordRefusal } from './decode.ts'
import type { MqttLimits } from './limits.ts'

/** One message on its way to the store. */
export type Publish = {
  readonly payloadBytes: number
  /** As a sender gave it, where the protocol has a place for it (a user property of MQTT 5). */
  readonly traceparent?: string | undefined
  /** Gives the same whenever it is called. */
  decode(): DecodedMessage
  /**
   * Called once: after the commit with what became of the records, or with the reason why there was none. Returns who has to be notified; each of
   * them is released once, after the whole batch has settled.
   */
  settle(result: Taken | Error): Settled
}

/** A message whose good records are committed. */
export type Taken = {
  readonly storedCount: number
  readonly refusals: readonly RecordRefusal[]
  /** Of those, what could not be read, so that nothing of it went to ingest. */
  readonly unread: readonly RecordRefusal[]
  /** By record; nearly always none. */
  readonly warned: readonly WarnedRecord[]
}

export type OnUnread = (
  sender: { readonly resellerId: string; readonly deviceId: string },
  payload: string | Buffer,
  problem: Problem,
) => void

export type WarnedRecord = { readonly index: number; readonly warnings: readonly FieldWarning[] }

export type Settled = { release(): void }

function startPublishSpan({ publishes, recordCount }: Batch): TraceSpan | undefined {
  const attributes = {
    'messaging.system': 'mqtt',
    'messaging.operation.type': 'process',
    'messaging.operation.name': 'process',
    'messaging.batch.message_count': publishes.length,
    'fleet.readings.count': recordCount,
  }
  return startEntrySpan(
    { name: 'process mqtt', kind: 'consumer', attributes },
    publishes.map(({ traceparent }) => traceparent),
  )
}

/** Messages offered together, and of each what is needed to report the outcomes: all of it but the records. */
type Batch = { readonly publishes: Publish[]; readonly frames: Frame[]; recordCount: number }

type Limits = Pick<MqttLimits, 'maxUnsettledBytesOfAll' | 'maxBatchRecords' | 'maxBatchesUnderWay' | 'storeWaitMs'>

/** First pause before a batch is offered again to a store that is away or full; doubles up to the last. */
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 500

/** What a publish that waits costs beside its payload: its packet, its callbacks, its place in the line. An estimate, on the high side. */
const PUBLISH_OVERHEAD_BYTES = 1024

export class PublishQueue {
  readonly #ingest: IngestBriefly
  readonly #limits: Limits
  readonly #onStoreAway: (error: Error, publishCount: number) => void
  #queued: Publish[] = []
  /** The first of those queued, when it has been decoded already. */
  #decoded: DecodedMessage | undefined
  #scheduled = false
  #batchesUnderWay = 0
  #unsettledBytes = 0
  #unsettledCount = 0
  readonly #waitingForRoom = new Set<() => void>()
  #waitingForIdle: (() => void)[] = []

  constructor(deps: { ingest: IngestBriefly; limits: Limits; onStoreAway: (error: Error, publishCount: number) => void }) {
    this.#ingest = deps.ingest
    this.#limits = deps.limits
    this.#onStoreAway = deps.onStoreAway
  }

  push(publish: Publish): void {
    this.#queued.push(publish)
    this.#unsettledCount++
    this.#unsettledBytes += publish.payloadBytes + PUBLISH_OVERHEAD_BYTES
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
    if (this.#hasRoom()) return false
    this.#waitingForRoom.add(onRoom)
    return true
  }

  /** Resolves when every publish has settled. */
  async idle(): Promise<void> {
    if (this.#unsettledCount > 0) await new Promise<void>((resolve) => this.#waitingForIdle.push(resolve))
  }

  #hasRoom(): boolean {
    return this.#unsettledBytes < this.#limits.maxUnsettledBytesOfAll
  }

  #flush(): void {
    let from = 0
    while (from < this.#queued.length && this.#batchesUnderWay < this.#limits.maxBatchesUnderWay) from = this.#offerBatch(from)
    if (from > 0) this.#queued = this.#queued.slice(from)
  }

  /** Offers what is queued from a place on, as much as makes one batch, and returns the place behind it. */
  #offerBatch(from: number): number {
    const batch: Batch = { publishes: [], frames: [], recordCount: 0 }
    const inbound: Inbound[] = []
    let at = from
    for (; at < this.#queued.length; at++) {
      const publish = this.#queued[at] as Publish
      // Decoded when it was found not to fit into the batch before.
      const message = this.#decoded ?? publish.decode()
      this.#decoded = undefined
      // A batch is never empty: one message alone may exceed the limit of records.
      if (at > from && inbound.length + message.inbound.length > this.#limits.maxBatchRecords) {
        this.#decoded = message
        break
      }
      batch.publishes.push(publish)
      batch.frames.push(message.frame)
      for (const each of message.inbound) inbound.push(each)
    }
    batch.recordCount = inbound.length
    this.#batchesUnderWay++
    const span = isTracing() ? startPublishSpan(batch) : undefined
    // Ended by another function: what waits for the commit must not hold the records.
    const stored = withinSpan(span, () => this.#store(batch, this.#offer(inbound)))
    if (span !== undefined) void endAfter([span], () => stored)
    return at
  }

  async #store(batch: Batch, offered: Promise<readonly BriefOutcome[] | Error>): Promise<void> {
    const result = await (batch.recordCount === 0 ? offered : this.#storedWithin(batch, offered))
    const results = await this.#resultsOf(batch, result)
    const failed = results.filter((each) => each instanceof Error)
    const [failure] = failed
    if (failure !== undefined) this.#onStoreAway(failure, failed.length)
    this.#batchesUnderWay--
    this.#settle(batch, results)
    if (this.#queued.length > 0) this.#flush()
  }

  /** By publish. One whose device's row is held must not take those of other devices with it: then each is offered by itself. */
  async #resultsOf({ publishes, frames }: Batch, result: readonly BriefOutcome[] | Error): Promise<(Taken | Error)[]> {
    if (result instanceof Error) {
      if (!isOfSeveral(publishes, result)) return publishes.map(() => result)
      const alone = await Promise.all(publishes.map((publish) => this.#offer(publish.decode().inbound)))
      return alone.map((each, at) => (each instanceof Error ? each : toTaken(frames[at] as Frame, each, 0)))
    }
    let outcomeAt = 0
    return frames.map((frame) => {
      const taken = toTaken(frame, result, outcomeAt)
      outcomeAt += frame.indexes.length
      return taken
    })
  }

  #settle({ publishes }: Batch, results: readonly (Taken | Error)[]): void {
    const settled = new Set<Settled>()
    for (const [at, publish] of publishes.entries()) {
      this.#unsettledBytes -= publish.payloadBytes + PUBLISH_OVERHEAD_BYTES
      settled.add(publish.settle(results[at] as Taken | Error))
    }
    this.#unsettledCount -= publishes.length
    for (const each of settled) each.release()
    this.#letReadOn()
    if (this.#unsettledCount === 0) for (const resolve of this.#waitingForIdle.splice(0)) resolve()
  }

  /** Those who wait longest first, and no more than there is room for: all at once would fill Node with what they hold back. */
  #letReadOn(): void {
    for (const onRoom of this.#waitingForRoom) {
      if (!this.#hasRoom()) return
      this.#waitingForRoom.delete(onRoom)
      onRoom()
    }
  }

  /**
   * Offers the batch until it is stored, or until its time is up. A full queue and a store that is away both may pass, and offering a batch
   * twice is safe, because a reading that is there already is a duplicate: the receiver has stamped when it took each. Anything else that is thrown is a bug, and final.
   */
  async #storedWithin(
    { publishes }: Batch,
    firstOffer: Promise<readonly BriefOutcome[] | Error>,
  ): Promise<readonly BriefOutcome[] | Error> {
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), this.#limits.storeWaitMs)
    const timeIsUp = new Promise<Error>((resolve) => {
      giveUp.signal.addEventListener('abort', () => resolve(new Error(`not stored within ${this.#limits.storeWaitMs} ms`)), { once: true })
    })
    try {
      let offered = firstOffer
      for (let pauseMs = FIRST_RETRY_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_RETRY_MS)) {
        const result = await Promise.race([offered, timeIsUp])
        if (!(result instanceof Error) || !mayPass(result) || isOfSeveral(publishes, result)) return result
        await Promise.race([sleep(pauseMs), timeIsUp])
        if (giveUp.signal.aborted) return result
        offered = this.#offer(publishes.flatMap((publish) => publish.decode().inbound))
      }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Not async, and closing over no record: what waits for the commit must not hold them. */
  #offer(inbound: readonly Inbound[]): Promise<readonly BriefOutcome[] | Error> {
    const { length } = inbound
    if (length === 0) return Promise.resolve([])
    try {
      return this.#ingest(inbound).then((outcomes) => checkCount(outcomes, length), toError)
    } catch (error) {
      return Promise.resolve(toError(error))
    }
  }
}

function checkCount(outcomes: readonly BriefOutcome[], wanted: number): readonly BriefOutcome[] | Error {
  return outcomes.length === wanted ? outcomes : new Error(`ingest answered ${outcomes.length} outcomes for ${wanted} records`)
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('ingest failed', { cause: error })
}

/** Of nearly every message, so one for all. */
const ONE_STORED: Taken = { storedCount: 1, refusals: [], unread: [], warned: [] }

function toTaken(frame: Frame, outcomes: readonly BriefOutcome[], from: number): Taken {
  const { indexes, refusals } = frame
  if (indexes.length === 1 && refusals.length === 0 && isSimplyStored(outcomes[from])) return ONE_STORED
  const refused: RecordRefusal[] = []
  const warned: WarnedRecord[] = []
  for (const [at, index] of indexes.entries()) {
    const outcome = outcomes[from + at]
    if (outcome?.status === 'refused') refused.push({ index, problem: outcome.problem })
    else if (outcome?.warnings !== undefined) warned.push({ index, warnings: outcome.warnings })
  }
  const all = refused.length === 0 ? refusals : refusals.concat(refused)
  return { storedCount: indexes.length - refused.length, refusals: all, unread: refusals, warned }
}

function isSimplyStored(outcome: BriefOutcome | undefined): boolean {
  return outcome !== undefined && outcome.status !== 'refused' && outcome.warnings === undefined
}

/** Whether a lock was waited for in vain on behalf of more than one publish. */
function isOfSeveral(publishes: readonly Publish[], error: Error): boolean {
  return publishes.length > 1 && isLockTimeout(error)
}

function mayPass(error: Error): boolean {
  return error instanceof Problem ? error.code === 'unavailable' : isOutage(error)
}
