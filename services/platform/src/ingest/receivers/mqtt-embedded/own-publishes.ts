// Takes what a device publishes to its own topic out of the bytes that it sends. Nearly everything a device sends is that; read here, a publish costs two comparisons
// and no object that outlives its commit, where the parser and Aedes took a sixth of the time of a message. Whatever else there is goes on to the parser.

/** MQTT-2.2.3: a remaining length has at most four bytes. */
const MAX_LENGTH_BYTES = 4
/** PUBLISH (MQTT 3.1.1 §3.3.1) with QoS 0; with QoS 1; with QoS 1, sent again. */
const TAKEN_HEADERS: ReadonlySet<number> = new Set([0x30, 0x32, 0x3a])
const PACKET_ID_BYTES = 2

export type OwnPublish =
  | { readonly payload: Buffer; readonly qos: 0 }
  | { readonly payload: Buffer; readonly qos: 1; readonly messageId: number }

/** Where in the bytes a packet is: its body ends before `end`. A packet of the device's own has its payload from `payload` on. */
type Found =
  | { readonly kind: 'foreign' }
  /** `neededBytes`: of the whole packet; undefined while its length is not there whole. */
  | { readonly kind: 'partial'; readonly neededBytes: number | undefined }
  | { readonly kind: 'own'; readonly payload: number; readonly end: number; readonly messageId: number | undefined }

const FOREIGN: Found = { kind: 'foreign' }

export class OwnPublishes {
  /** The topic as it stands in a packet, its length before it. */
  readonly #topic: Buffer
  readonly #maxLength: number
  readonly #onPublish: (publish: OwnPublish) => void
  /** The beginning of a packet whose end has not come. */
  #held: { readonly bytes: Buffer; readonly neededBytes: number | undefined } | undefined

  /** `maxLength`: a longer packet goes on to the parser, behind the guard that refuses it. */
  constructor(topic: string, maxLength: number, onPublish: (publish: OwnPublish) => void) {
    const text = Buffer.from(topic)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(text.length)
    this.#topic = Buffer.concat([length, text])
    this.#maxLength = maxLength
    this.#onPublish = onPublish
  }

  /**
   * To be called with bytes that begin where a packet does, or after such as were kept here. Returns what is for the parser, from a packet's beginning on;
   * undefined where there is nothing.
   */
  take(chunk: Buffer): Buffer | undefined {
    const held = this.#held
    if (held === undefined) return this.#takeFrom(chunk)
    this.#held = undefined
    const missing = held.neededBytes === undefined ? chunk.length : Math.min(held.neededBytes - held.bytes.length, chunk.length)
    const left = this.#takeFrom(Buffer.concat([held.bytes, chunk.subarray(0, missing)]))
    const rest = chunk.subarray(missing)
    if (rest.length === 0) return left
    return left === undefined ? this.#takeFrom(rest) : Buffer.concat([left, rest])
  }

  #takeFrom(bytes: Buffer): Buffer | undefined {
    let at = 0
    while (at < bytes.length) {
      const found = this.#find(bytes, at)
      if (found.kind === 'foreign') return at === 0 ? bytes : bytes.subarray(at)
      if (found.kind === 'partial') {
        // A copy: the chunk that it came in may be much longer.
        this.#held = { bytes: Buffer.from(bytes.subarray(at)), neededBytes: found.neededBytes }
        return undefined
      }
      const { messageId } = found
      const payload = bytes.subarray(found.payload, found.end)
      this.#onPublish(messageId === undefined ? { payload, qos: 0 } : { payload, qos: 1, messageId })
      at = found.end
    }
    return undefined
  }

  #find(bytes: Buffer, from: number): Found {
    const header = bytes[from] ?? 0
    if (!TAKEN_HEADERS.has(header)) return FOREIGN
    let at = from + 1
    let length = 0
    for (let nth = 0; ; nth++) {
      if (nth === MAX_LENGTH_BYTES) return FOREIGN
      const byte = bytes[at]
      if (byte === undefined) return { kind: 'partial', neededBytes: undefined }
      at++
      length += (byte & 0x7f) << (7 * nth)
      if (byte <= 0x7f) break
    }
    const idBytes = header === 0x30 ? 0 : PACKET_ID_BYTES
    if (length > this.#maxLength || length < this.#topic.length + idBytes) return FOREIGN
    const end = at + length
    if (end > bytes.length) return { kind: 'partial', neededBytes: end - from }
    const behindTopic = at + this.#topic.length
    if (this.#topic.compare(bytes, at, behindTopic) !== 0) return FOREIGN
    const messageId = idBytes === 0 ? undefined : bytes.readUInt16BE(behindTopic)
    // What is not allowed is for the parser to refuse.
    return messageId === 0 ? FOREIGN : { kind: 'own', payload: behindTopic + idBytes, end, messageId }
  }
}
