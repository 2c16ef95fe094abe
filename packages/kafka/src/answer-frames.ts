// What a broker sends, cut into answers before the client sees any of it. The client reads a length and believes it; here an answer must be to a
// request that is open, and no longer than such an answer may be, before its first byte is kept.
import { BrokerDataError } from './client-limits.ts'

const LENGTH_BYTES = 4
const CORRELATION_BYTES = 4
const FETCH_API = 1

/**
 * 2 MiB are asked for in one fetch; a broker may send more only where the first batch is larger than that by itself (`message.max.bytes`, 1 MB
 * by default).
 */
export const MAX_FETCH_ANSWER_BYTES = 16 * 1024 * 1024
/** The metadata of 10,000 partitions are some 600 kB. */
export const MAX_ANSWER_BYTES = 2 * 1024 * 1024
/** The client has five under way on one connection. Answers that never come must not add up. */
const MAX_OPEN_REQUESTS = 1_000

const HEADER_BYTES = LENGTH_BYTES + CORRELATION_BYTES
const FIRST_ROOM_BYTES = 64 * 1024

/** Of one connection. */
export class AnswerFrames {
  readonly #maxBytesByRequest = new Map<number, number>()
  /** The beginning of an answer, with room that grows as it comes: a broker that sends it byte by byte must not cost an object for each. */
  #room = Buffer.alloc(HEADER_BYTES)
  #filledBytes = 0
  /** Of the answer that is coming, with its length; 0 until it is known. */
  #answerBytes = 0

  /** Call with everything that is written, of which each piece is one request. */
  noteRequest(request: Uint8Array): void {
    const bytes = Buffer.from(request.buffer, request.byteOffset, request.byteLength)
    if (bytes.length < LENGTH_BYTES + 8) return
    if (this.#maxBytesByRequest.size >= MAX_OPEN_REQUESTS) throw new BrokerDataError(`${MAX_OPEN_REQUESTS} requests have no answer`)
    this.#maxBytesByRequest.set(bytes.readInt32BE(8), bytes.readInt16BE(4) === FETCH_API ? MAX_FETCH_ANSWER_BYTES : MAX_ANSWER_BYTES)
  }

  /** The answers that are complete with this. Throws `BrokerDataError`; the connection is then of no use. */
  take(chunk: Buffer): Buffer[] {
    const answers: Buffer[] = []
    let rest = chunk
    while (rest.length > 0) {
      rest = this.#keep(rest, (this.#answerBytes || HEADER_BYTES) - this.#filledBytes)
      if (this.#answerBytes === 0) this.#readHeader()
      if (this.#answerBytes === 0 || this.#filledBytes < this.#answerBytes) continue
      answers.push(this.#room.subarray(0, this.#filledBytes))
      this.#room = Buffer.alloc(HEADER_BYTES)
      this.#filledBytes = 0
      this.#answerBytes = 0
    }
    return answers
  }

  /** Keeps at most so many bytes and returns what is left. */
  #keep(rest: Buffer, wantedBytes: number): Buffer {
    const part = rest.subarray(0, wantedBytes)
    const needed = this.#filledBytes + part.length
    if (needed > this.#room.length) {
      const room = Buffer.allocUnsafe(Math.min(this.#answerBytes, Math.max(needed, FIRST_ROOM_BYTES, this.#room.length * 2)))
      this.#room.copy(room, 0, 0, this.#filledBytes)
      this.#room = room
    }
    part.copy(this.#room, this.#filledBytes)
    this.#filledBytes = needed
    return rest.subarray(part.length)
  }

  #readHeader(): void {
    const known = this.#room.subarray(0, this.#filledBytes)
    // A length that cannot be is known before the rest of the header comes.
    if (known.length >= LENGTH_BYTES) this.#judgeLength(known)
    if (known.length < HEADER_BYTES) return
    const length = known.readInt32BE(0)
    const correlationId = known.readInt32BE(LENGTH_BYTES)
    const maxBytes = this.#maxBytesByRequest.get(correlationId)
    if (maxBytes === undefined) throw new BrokerDataError(`it answers a request that was not made (correlation id ${correlationId})`)
    if (length > maxBytes)
      throw new BrokerDataError(`it sends an answer of ${length} bytes; at most ${maxBytes} are taken for such a request`)
    this.#maxBytesByRequest.delete(correlationId)
    this.#answerBytes = LENGTH_BYTES + length
  }

  #judgeLength(known: Buffer): void {
    const length = known.readInt32BE(0)
    if (length >= CORRELATION_BYTES && length <= MAX_FETCH_ANSWER_BYTES) return
    throw new BrokerDataError(describe(known))
  }
}

const HTTP = /^(HTTP|GET |POST|<htm|<!DO)/i
/** Content types of records (RFC 8446 §5.1). */
const TLS_RECORDS = [0x14, 0x15, 0x16, 0x17]

function describe(known: Buffer): string {
  const advice = 'it may not be a Kafka broker, or not on this port'
  if (HTTP.test(known.toString('latin1', 0, LENGTH_BYTES))) return `it answers in HTTP; ${advice}`
  // The client's own words, which the test of a connection looks for.
  if (TLS_RECORDS.includes(known[0] ?? 0) && known[1] === 3) return 'the broker requires TLS on this port'
  return `it sends an answer whose length is ${known.readInt32BE(0)} bytes; ${advice}`
}
