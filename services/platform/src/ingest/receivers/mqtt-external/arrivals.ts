import { createHash } from 'node:crypto'
import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import { LRUCache } from 'lru-cache'
import type { Incoming } from './broker-connection.ts'

type Arrival = { readonly digest: string; readonly receivedAt: Date }

/**
 * When each message first came. A broker sends a message again that it has not heard of, with its packet id and a mark; what it holds may
 * be stored already, and a record without a time of its own would be another reading if it were dated anew.
 */
export class Arrivals {
  /** The oldest are forgotten first: packet ids are used anew, in turn. */
  readonly #byPacketId: LRUCache<number, Arrival>

  constructor(maxRemembered: number) {
    this.#byPacketId = new LRUCache(atMostEntries(maxRemembered))
  }

  receivedAt({ topic, payload, packetId, isRepeated }: Incoming, now: Date): Date {
    if (packetId === undefined) return now
    const digest = createHash('sha256').update(topic).update('\0').update(payload).digest('base64')
    const before = this.#byPacketId.get(packetId)
    const receivedAt = isRepeated && before?.digest === digest ? before.receivedAt : now
    this.#byPacketId.set(packetId, { digest, receivedAt })
    return receivedAt
  }

  /** The broker has begun a new session, whose packet ids mean other messages. */
  forget(): void {
    this.#byPacketId.clear()
  }
}
