// The messages that are taken together, in one call of ingest.

import type { Received } from './take-batch.ts'

/** Records in one call of ingest; more only when one message alone has more. */
const MAX_RECORDS = 1_000
/** Of their messages, which the process of all streams parses in one turn. A thousand records of 230 bytes are a twentieth of it. */
const MAX_BYTES = 4 * 1024 * 1024

export class GatheredBatch {
  readonly received: Received[] = []
  #recordCount = 0
  #bytes = 0

  add(received: Received): void {
    const { message, decoded } = received
    this.received.push(received)
    this.#recordCount += 'texts' in decoded ? decoded.texts.length : 1
    this.#bytes += message.value?.length ?? 0
  }

  get isFull(): boolean {
    return this.#recordCount >= MAX_RECORDS || this.#bytes >= MAX_BYTES
  }
}
