const PUBACK = 0x40
const PUBACK_BYTES = 4

/** A place in the line; `isDone` once its message may be acknowledged. */
export type Place = { readonly packetId: number | undefined; isDone: boolean }

/** The messages of one connection in the order they came: commits may finish in any, PUBACKs leave in this one (MQTT-4.6.0-2). */
export class AckLine {
  readonly #write: (bytes: Buffer) => void
  #line: Place[] = []
  #isEnded = false

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write
  }

  /** Messages that came and were not acknowledged. */
  get length(): number {
    return this.#line.length
  }

  /** Nothing is acknowledged any more. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  add(packetId: number | undefined): Place {
    const place = { packetId, isDone: false }
    this.#line.push(place)
    return place
  }

  /** Acknowledges what is done and has nothing undone before it, in one write. */
  release(): void {
    let count = 0
    while (this.#line[count]?.isDone === true) count++
    if (count === 0 || this.#isEnded) return
    const acks = Buffer.allocUnsafe(count * PUBACK_BYTES)
    let at = 0
    for (const { packetId } of this.#line.slice(0, count)) {
      if (packetId === undefined) continue
      acks[at] = PUBACK
      acks[at + 1] = PUBACK_BYTES - 2
      acks.writeUInt16BE(packetId, at + 2)
      at += PUBACK_BYTES
    }
    this.#line = this.#line.slice(count)
    if (at > 0) this.#write(acks.subarray(0, at))
  }

  end(): void {
    this.#isEnded = true
  }
}
