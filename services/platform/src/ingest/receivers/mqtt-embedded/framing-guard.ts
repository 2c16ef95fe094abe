// Stands between a socket and the MQTT parser and looks at fixed headers only (MQTT 3.1.1 §2.2). The parser behind it believes every
// declared length and would collect 256 MiB for a stranger; here a packet that is too long is refused when its length arrives, before
// any of it is kept. Bytes are passed on as they came: nothing is copied.

import type { Socket } from 'node:net'
import type { OwnPublishes } from './own-publishes.ts'

export type FramingViolation = 'connect_expected' | 'unknown_packet' | 'malformed_length' | 'packet_too_large'

/** Type and reserved flags together, so that a TLS greeting (0x16) is not taken for one. */
const CONNECT = 0x10
const FIRST_PACKET_TYPE = 1
const LAST_PACKET_TYPE = 14
/** MQTT-2.2.3: a remaining length has at most four bytes. */
const MAX_LENGTH_BYTES = 4

/** Follows the packets of one connection through chunks cut anywhere. */
export class FramingGuard {
  violation: FramingViolation | undefined
  /** The first packet has passed whole. */
  connectPassed = false
  #maxLength: number
  #accepted = false
  /** Bytes of the current packet's body that are still to come. */
  #bodyLeft = 0
  /** Bytes of the remaining length read so far; -1 when the next byte starts a packet. */
  #lengthBytes = -1
  #length = 0

  constructor(maxBytesBeforeConnect: number) {
    this.#maxLength = maxBytesBeforeConnect
  }

  /** CONNECT was accepted: from now on packets flow freely, up to `maxLength`. */
  accept(maxLength: number): void {
    this.#accepted = true
    this.#maxLength = maxLength
  }

  get isBetweenPackets(): boolean {
    return this.#lengthBytes === -1
  }

  /** How many bytes of the chunk may go on to the parser, or -1 with `violation` set. Before `accept`, never beyond the first packet. */
  scan(chunk: Buffer): number {
    let at = 0
    while (at < chunk.length) {
      if (this.connectPassed && !this.#accepted) return at
      if (this.#lengthBytes === -1) {
        if (!this.#startPacket(chunk[at++] ?? 0)) return -1
        continue
      }
      if (this.#bodyLeft === 0) {
        const byte = chunk[at++] ?? 0
        this.#length += (byte & 0x7f) << (7 * this.#lengthBytes++)
        if (byte > 0x7f) {
          if (this.#lengthBytes === MAX_LENGTH_BYTES) return this.#violate('malformed_length')
          continue
        }
        if (this.#length > this.#maxLength) return this.#violate('packet_too_large')
        this.#bodyLeft = this.#length
      }
      const step = Math.min(this.#bodyLeft, chunk.length - at)
      at += step
      this.#bodyLeft -= step
      if (this.#bodyLeft === 0) this.#endPacket()
    }
    return at
  }

  #startPacket(byte: number): boolean {
    const type = byte >> 4
    if (!this.connectPassed && byte !== CONNECT) return this.#violate('connect_expected') > 0
    if (type < FIRST_PACKET_TYPE || type > LAST_PACKET_TYPE) return this.#violate('unknown_packet') > 0
    this.#lengthBytes = 0
    this.#length = 0
    return true
  }

  #endPacket(): void {
    this.connectPassed = true
    this.#lengthBytes = -1
  }

  #violate(violation: FramingViolation): -1 {
    this.violation = violation
    return -1
  }
}

export type GuardedReads = {
  /** Lets what waits behind CONNECT through. `own` takes what it is for before the parser. */
  accept(maxLength: number, own: OwnPublishes): void
  /** Makes the parser ask again, after `mayRead` had held it off. */
  readAgain(): void
  /** Nothing reaches the parser any more; what comes is thrown away, so that the end of the stream is seen. */
  discard(): void
}

/**
 * Guards a socket in place, by standing in for its `read`: that is how Aedes takes its bytes (`readable`, then `read`), and it saves the
 * second stream that a wrapper would put on every byte's way. What follows CONNECT is held back until `accept`, and everything is held
 * back, in the kernel's buffers at last, while `mayRead` returns false.
 */
export function guardReads(
  socket: Socket,
  options: {
    readonly maxBytesBeforeConnect: number
    readonly mayRead: () => boolean
    /** Something came after CONNECT was accepted. */
    readonly onRead: () => void
    readonly onViolation: (violation: FramingViolation) => void
  },
): GuardedReads {
  const guard = new FramingGuard(options.maxBytesBeforeConnect)
  const readSocket = socket.read.bind(socket) as (size?: number) => Buffer | null
  let own: OwnPublishes | undefined
  /** What came in one chunk with CONNECT, behind it. */
  let behindConnect: Buffer | undefined

  socket.read = (size?: number) => {
    let chunk: Buffer | null | undefined
    do {
      // Node hands out what it has read of a socket also when that is closed.
      if (socket.destroyed) return null
      if (own === undefined ? guard.connectPassed : !options.mayRead()) return null
      chunk = behindConnect ?? readSocket(size)
      behindConnect = undefined
      if (chunk === null) return null
      if (own !== undefined) {
        options.onRead()
        // A packet that began in the chunk before is the parser's.
        if (guard.isBetweenPackets) chunk = own.take(chunk)
      }
    } while (chunk === undefined)
    const end = guard.scan(chunk)
    if (end === chunk.length) return chunk
    if (guard.violation !== undefined) {
      options.onViolation(guard.violation)
      socket.destroy()
      return null
    }
    behindConnect = chunk.subarray(end)
    return chunk.subarray(0, end)
  }

  const readAgain = () => {
    if (!socket.destroyed) socket.emit('readable')
  }
  return {
    accept(maxLength, takesOwn) {
      own = takesOwn
      guard.accept(maxLength)
      setImmediate(readAgain)
    },
    readAgain,
    discard() {
      socket.removeAllListeners('readable')
      socket.read = readSocket
      socket.resume()
    },
  }
}
