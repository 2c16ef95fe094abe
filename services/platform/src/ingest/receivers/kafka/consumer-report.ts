// What the reader of a stream reports of itself, to its reseller and to the metrics.

import type { KafkaMessage } from '@roadworthy/kafka/kafka-client'
import type { ConsumerState, StreamConsumerStatus } from '../../../streams/consumers.sql.ts'
import type { LostOffset } from '../../../streams/offset-store.ts'
import { toShownText } from './shown-text.ts'
import type { Taken } from './take-batch.ts'

/** PostgreSQL and JSON both take it. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31)
/** A group of the largest clusters; more only serves to fill a page. */
const MAX_PARTITIONS = 10_000

/** What was stored and not used is known to those who store it. */
export type ReportedStatus = Omit<StreamConsumerStatus, 'warnings'>

export class ConsumerReport {
  readonly #consumerId: string
  readonly #now: () => Date
  readonly #since: Date
  #state: ConsumerState = 'connecting'
  #detail: string | undefined
  /** Stays for as long as this reads: what is lost does not come back. */
  #lostDetail: string | undefined
  #lagMessageCount: number | undefined
  #lastMessageAt: Date | undefined
  #storedCount = 0
  #duplicateCount = 0
  #setAsideCount = 0

  constructor(consumerId: string, now: () => Date) {
    this.#consumerId = consumerId
    this.#now = now
    this.#since = now()
  }

  setState(state: ConsumerState, detail?: string): void {
    this.#state = state
    this.#detail = detail === undefined ? undefined : toShownText(detail)
    if (state === 'failed') this.#lagMessageCount = undefined
  }

  /** Of offsets that a broker made up it may be anything. */
  setLag(messageCount: number): void {
    this.#lagMessageCount = Math.min(messageCount, Number.MAX_SAFE_INTEGER)
  }

  /** Answers it in words. */
  setLost({ partition, from, to }: LostOffset): string {
    this.#lostDetail = `Offset ${from} of partition ${partition} is not in the topic any more: what was there is lost, or the topic was cut. Reading went on from ${to}.`
    return this.#lostDetail
  }

  count({ storedCount, duplicateCount, setAside }: Taken, last: KafkaMessage): void {
    this.#storedCount += storedCount
    this.#duplicateCount += duplicateCount
    this.#setAsideCount += setAside.length
    this.#lastMessageAt = toTime(last.timestamp)
  }

  status(partitions: readonly number[]): ReportedStatus {
    return {
      consumerId: this.#consumerId,
      state: this.#state,
      detail: this.#detail ?? this.#lostDetail,
      partitions: partitions.slice(0, MAX_PARTITIONS),
      lagMessageCount: this.#lagMessageCount,
      storedCount: this.#storedCount,
      duplicateCount: this.#duplicateCount,
      setAsideCount: this.#setAsideCount,
      lastMessageAt: this.#lastMessageAt,
      since: this.#since,
      updatedAt: this.#now(),
    }
  }
}

/** None for a time that is none. */
function toTime(timestamp: bigint): Date | undefined {
  return timestamp >= 0n && timestamp <= LAST_TIME_MS ? new Date(Number(timestamp)) : undefined
}
