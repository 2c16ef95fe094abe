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
  /** `neededBytes`: of the packet, to know more of it. */
  | { readonly kind: 'partial'; readonly neededBytes: number }
  | { readonly kind: 'own'; readonly payload: number; readonly end: number; readonly messageId: number | undefined }

const FOREIGN: Found = { kind: 'foreign' }

export class OwnPublishes {
  /** The topic as it stands in a packet, its length before it. */
  readonly #topic: Buffer
  readonly #maxLength: number
  readonly #onPublish: (publish: OwnPublish) => void
  /** The beginning of a packet whose end has not come, in pieces: put together when it has. */
  #held: { readonly pieces: Buffer[]; byteCount: number; readonly neededBytes: number } | undefined

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
    const missing = Math.min(held.neededBytes - held.byteCount, chunk.length)
    held.pieces.push(Buffer.from(chunk.subarray(0, missing)))
    held.byteCount += missing
    if (held.byteCount < held.neededBytes) return undefined
    this.#held = undefined
    const left = this.#takeFrom(Buffer.concat(held.pieces))
    const rest = chunk.subarray(missing)
    if (left !== undefined) return rest.length === 0 ? left : Buffer.concat([left, rest])
    // With its length known, it may still not be there whole.
    return rest.length === 0 ? undefined : this.take(rest)
  }

  #takeFrom(bytes: Buffer): Buffer | undefined {
    const taken: OwnPublish[] = []
    let left: Buffer | undefined
    for (let at = 0; at < bytes.length; ) {
      const found = this.#find(bytes, at)
      if (found.kind === 'own') {
        const { messageId } = found
        const payload = bytes.subarray(found.payload, found.end)
        taken.push(messageId === undefined ? { payload, qos: 0 } : { payload, qos: 1, messageId })
        at = found.end
        continue
      }
      if (found.kind === 'foreign') left = bytes.subarray(at)
      // A copy: the chunk that it came in may be much longer.
      else this.#held = { pieces: [Buffer.from(bytes.subarray(at))], byteCount: bytes.length - at, neededBytes: found.neededBytes }
      break
    }
    // Payloads that fill a chunk may keep it until their commit; a few beside something else may not, for it is not counted with them.
    for (const publish of taken) this.#onPublish(left === undefined ? publish : { ...publish, payload: Buffer.from(publish.payload) })
    return left
  }

  #find(bytes: Buffer, from: number): Found {
    const header = bytes[from] ?? 0
    if (!TAKEN_HEADERS.has(header)) return FOREIGN
    let at = from + 1
    let length = 0
    for (let nth = 0; ; nth++) {
      if (nth === MAX_LENGTH_BYTES) return FOREIGN
      const byte = bytes[at]
      if (byte === undefined) return { kind: 'partial', neededBytes: at + 1 - from }
      at++
      length += (byte & 0x7f) << (7 * nth)
      if (byte <= 0x7f) break
    }
    const idBytes = header === 0x30 ? 0 : PACKET_ID_BYTES
    // What breaks a rule is refused behind the parser.
    if (length > this.#maxLength || length < this.#topic.length + idBytes) return FOREIGN
    const end = at + length
    const behindTopic = at + this.#topic.length
    // A foreign topic is not waited for.
    const topicThere = Math.min(bytes.length, behindTopic) - at
    if (bytes.compare(this.#topic, 0, topicThere, at, at + topicThere) !== 0) return FOREIGN
    if (end > bytes.length) return { kind: 'partial', neededBytes: end - from }
    const messageId = idBytes === 0 ? undefined : bytes.readUInt16BE(behindTopic)
    return { kind: 'own', payload: behindTopic + idBytes, end, messageId }
  }
}
