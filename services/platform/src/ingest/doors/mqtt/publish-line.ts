// The publishes of one connection in the order they came. Commits may finish in any order; PUBACKs leave in the order of the PUBLISHes
// (MQTT-4.6.0-2), and all that can leave at once leave in one write.

import type { Socket } from 'node:net'
import type { PublishPacket } from 'aedes'
import type { Inbound, Outcome } from '../../inbound.ts'
import { type DecodedMessage, decodeMessage, type RecordRefusal } from './decode.ts'
import type { MqttLimits } from './limits.ts'
import type { Publish, PublishQueue, Settled } from './publish-queue.ts'

type InLine = {
  readonly packet: PublishPacket
  /** Aedes' word for "go on" (acknowledge) or, with an error, "close this connection". */
  readonly proceed: (error?: Error | null) => void
  readonly bytes: number
  settled: boolean
  failure: Error | undefined
}

const PUBACK = 0x40
const PUBACK_BYTES = 4
const NOTHING_TO_STORE: readonly Outcome[] = []

export class PublishLine implements Settled {
  readonly #queue: PublishQueue
  readonly #limits: MqttLimits
  readonly #now: () => Date
  readonly #socket: Socket
  readonly #onOutcomes: (packet: PublishPacket, storedCount: number, refusals: readonly RecordRefusal[]) => void
  readonly #readAgain: () => void
  readonly #line: InLine[] = []
  #bytes = 0
  #heldBack = false

  constructor(deps: {
    queue: PublishQueue
    limits: MqttLimits
    now: () => Date
    socket: Socket
    onOutcomes: (packet: PublishPacket, storedCount: number, refusals: readonly RecordRefusal[]) => void
    readAgain: () => void
  }) {
    this.#queue = deps.queue
    this.#limits = deps.limits
    this.#now = deps.now
    this.#socket = deps.socket
    this.#onOutcomes = deps.onOutcomes
    this.#readAgain = deps.readAgain
  }

  /** Whether the socket may be read. Aedes alone would go on reading while publishes wait, as long as segments keep coming. */
  mayRead(): boolean {
    const full =
      this.#line.length >= this.#limits.maxUnsettledPublishes ||
      this.#bytes >= this.#limits.maxUnsettledBytes ||
      this.#queue.isFull(this.#readAgain)
    this.#heldBack = full
    return !full
  }

  /** Takes a publish that the rules allow. `proceed` is called after its commit, or with an error when there was none. */
  push(
    packet: PublishPacket,
    speaker: { readonly resellerId: string; readonly deviceId: string },
    proceed: (error?: Error | null) => void,
    delayMs: number,
  ): void {
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
    const entry: InLine = { packet, proceed, bytes: payload.length, settled: false, failure: undefined }
    this.#line.push(entry)
    this.#bytes += entry.bytes
    const publish = this.#toPublish(entry, decodeMessage(payload, speaker, this.#limits, this.#now()))
    if (publish.inbound.length === 0) {
      publish.settle(NOTHING_TO_STORE)
      // Not at once: an answer inside the hook would make Aedes read and parse the next chunk in the middle of parsing this one.
      setImmediate(() => this.release())
    } else if (delayMs > 0) {
      setTimeout(() => this.#socket.destroyed || this.#queue.push(publish), delayMs)
    } else {
      this.#queue.push(publish)
    }
  }

  #toPublish(entry: InLine, { inbound, indexes, refusals }: DecodedMessage): Publish {
    return {
      inbound,
      bytes: entry.bytes,
      settle: (result) => {
        entry.settled = true
        if (result instanceof Error) {
          entry.failure = result
        } else {
          const all = refusals.concat(refusedBy(result, inbound, indexes))
          this.#onOutcomes(entry.packet, inbound.length - (all.length - refusals.length), all)
        }
        return this
      },
    }
  }

  /** Lets everything go that has settled and has nothing unsettled before it. */
  release(): void {
    let count = 0
    while (this.#line[count]?.settled === true) count++
    if (count === 0) return
    const leaving = this.#line.splice(0, count)
    this.#acknowledge(leaving)
    for (const { proceed, bytes, failure } of leaving) {
      this.#bytes -= bytes
      proceed(failure ?? null)
      if (failure !== undefined) return
    }
    if (this.#heldBack && this.mayRead()) this.#readAgain()
  }

  /**
   * Writes the PUBACKs of all of them in one piece, where Aedes would write three pieces for each (measured over 50 connections: 5.3 µs
   * of CPU per publish against 7.0). A socket that is not draining is left to Aedes, whose drain timeout then closes a client that never reads.
   */
  #acknowledge(leaving: readonly InLine[]): void {
    if (this.#socket.destroyed || this.#socket.writableNeedDrain) return
    const acks = Buffer.allocUnsafe(leaving.length * PUBACK_BYTES)
    let at = 0
    for (const { packet, failure } of leaving) {
      if (failure !== undefined) break
      if (packet.qos !== 1 || packet.messageId === undefined) continue
      acks[at] = PUBACK
      acks[at + 1] = PUBACK_BYTES - 2
      acks.writeUInt16BE(packet.messageId, at + 2)
      at += PUBACK_BYTES
      // Acknowledged: what is left for Aedes to do is what it does for QoS 0.
      packet.qos = 0
    }
    if (at > 0) this.#socket.write(acks.subarray(0, at))
  }
}

function refusedBy(outcomes: readonly Outcome[], inbound: readonly Inbound[], indexes: readonly number[]): RecordRefusal[] {
  const refusals: RecordRefusal[] = []
  for (let at = 0; at < inbound.length; at++) {
    const outcome = outcomes[at]
    if (outcome?.status === 'refused') refusals.push({ index: indexes[at], problem: outcome.problem })
  }
  return refusals
}
