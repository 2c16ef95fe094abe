// Stands between a broker and the MQTT parser, which collects a whole packet before it gives it: up to 256 MiB, and MQTT 3.1.1 has no word by
// which a client refuses that. A device at such a broker could end this process with one message, and again after each start.

const PUBLISH = 3
/** MQTT-2.2.3: a remaining length has at most four bytes. */
const MAX_LENGTH_BYTES = 4
const EMPTY = Buffer.alloc(0)

export type PacketBound = {
  /** What goes on to the parser, or why the broker is given up. A PUBLISH that is too long is cut off, so that it can be refused and acknowledged. */
  take(chunk: Buffer): Buffer[] | { readonly violation: string }
}

/** `mayShorten`: where a bound was agreed (MQTT 5) the broker has to keep it. */
export function createPacketBound({ maxBytes, mayShorten }: { maxBytes: number; mayShorten: boolean }): PacketBound {
  /** A fixed header of which the rest is still to come. */
  let cut = EMPTY
  let passLeft = 0
  let skipLeft = 0
  return {
    take(chunk) {
      const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk])
      cut = EMPTY
      const parts: Buffer[] = []
      // The parser keeps what is empty too.
      const pass = (part: Buffer) => {
        if (part.length > 0) parts.push(part)
      }
      let from = 0
      let at = 0
      while (at < bytes.length) {
        const step = Math.min(passLeft, bytes.length - at)
        at += step
        passLeft -= step
        if (passLeft > 0) break
        if (skipLeft > 0) {
          pass(bytes.subarray(from, at))
          from = Math.min(bytes.length, at + skipLeft)
          skipLeft -= from - at
          at = from
          continue
        }
        if (at === bytes.length) break
        const header = readFixedHeader(bytes, at)
        if (header === undefined) {
          cut = Buffer.from(bytes.subarray(at))
          break
        }
        if (header.length > maxBytes) {
          if (!mayShorten || header.type !== PUBLISH)
            return { violation: `it sent a packet of ${header.length} bytes; ${maxBytes} are taken` }
          pass(bytes.subarray(from, at))
          pass(fixedHeader(bytes[at] ?? 0, maxBytes))
          from = at + header.size
          skipLeft = header.length - maxBytes
        }
        at += header.size
        passLeft = Math.min(header.length, maxBytes)
      }
      pass(bytes.subarray(from, at))
      return parts
    },
  }
}

/** Undefined while its last byte has not come. A length that is none is left to the parser, which reports it. */
function readFixedHeader(bytes: Buffer, from: number): { type: number; size: number; length: number } | undefined {
  const type = (bytes[from] ?? 0) >> 4
  let length = 0
  for (let nth = 0; nth < MAX_LENGTH_BYTES; nth++) {
    const byte = bytes[from + 1 + nth]
    if (byte === undefined) return undefined
    length += (byte & 0x7f) << (7 * nth)
    if (byte <= 0x7f) return { type, size: 2 + nth, length }
  }
  return { type, size: 1 + MAX_LENGTH_BYTES, length: 0 }
}

function fixedHeader(first: number, length: number): Buffer {
  const bytes = [first]
  for (let left = length; ; left >>= 7) {
    if (left <= 0x7f) return Buffer.from([...bytes, left])
    bytes.push((left & 0x7f) | 0x80)
  }
}
