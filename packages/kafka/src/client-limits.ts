// What the Kafka client makes of an answer is bounded here, because the client itself trusts the lengths that a broker writes: a negative one
// moves its reader back, so that it reads the same bytes for ever, and a small batch may inflate to gigabytes. Loaded with the client, in every
// thread that has one; the upstream reports are in docs/upstream/platformatic-kafka.md.
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { compressionsAlgorithms, Reader } from '@platformatic/kafka'

/** Of all batches in one answer together, inflated. 2 MiB are asked for in one fetch; telemetry as JSON compresses to a tenth or so. */
export const MAX_INFLATED_BYTES = 64 * 1024 * 1024
/** Records of one answer. Each costs the client some 300 bytes beside its content, however small it is. */
export const MAX_RECORDS = 400_000

export class BrokerDataError extends Error {
  override readonly name = 'BrokerDataError'
}

/** Answers are parsed one at a time, each in one turn, so the room of the one being parsed is a variable. */
let inflatableBytes = MAX_INFLATED_BYTES
let readableRecords = MAX_RECORDS

/** Call before an answer is handed to the client. */
export function beginAnswer(): void {
  inflatableBytes = MAX_INFLATED_BYTES
  readableRecords = MAX_RECORDS
}

const tooLarge = () =>
  new BrokerDataError(`the batches of one answer inflate to more than ${MAX_INFLATED_BYTES / 1024 / 1024} MiB; send smaller batches`)

/** The content, of which the room of the answer is used up. */
function inflated(content: Buffer): Buffer {
  if (content.length > inflatableBytes) throw tooLarge()
  inflatableBytes -= content.length
  return content
}

/** For inflaters of Node, which stop at a length. */
function inflateUpTo(inflate: (content: Buffer, options: { maxOutputLength: number }) => Buffer): (content: Buffer) => Buffer {
  return (content) => {
    try {
      return inflated(inflate(content, { maxOutputLength: Math.max(1, inflatableBytes) }))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
      throw error
    }
  }
}

/** For inflaters that do not: what they would make is read from the headers of the format before. */
function inflateMeasured(measure: (content: Buffer) => number, inflate: (content: Buffer) => Buffer): (content: Buffer) => Buffer {
  return (content) => {
    // What LZ4 would make is an estimate from above, of up to a block too much.
    if (measure(content) > inflatableBytes + MAX_BLOCK_BYTES) throw tooLarge()
    return inflated(inflate(content))
  }
}

const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00])
const XERIAL_HEADER_BYTES = 16
const MAX_VARINT_BYTES = 5

/** By the length that stands before each block (snappy format description §1, and the framing of xerial-snappy, which Kafka uses). */
export function measureSnappy(content: Buffer): number {
  if (!content.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) return snappyBlockLength(content)
  let total = 0
  for (let at = XERIAL_HEADER_BYTES; at < content.length; ) {
    if (at + 4 > content.length) throw new BrokerDataError('a snappy block is cut short')
    const end = at + 4 + content.readUInt32BE(at)
    if (end > content.length) throw new BrokerDataError('a snappy block is cut short')
    total += snappyBlockLength(content.subarray(at + 4, end))
    at = end
  }
  return total
}

function snappyBlockLength(block: Buffer): number {
  let length = 0
  for (let nth = 0; nth < MAX_VARINT_BYTES; nth++) {
    const byte = block[nth]
    if (byte === undefined) break
    length += (byte & 0x7f) * 2 ** (7 * nth)
    if (byte < 0x80) return length
  }
  throw new BrokerDataError('a snappy block does not begin with its length')
}

const LZ4_MAGIC = 0x184d2204
const LZ4_BLOCK_BYTES: Readonly<Record<number, number>> = { 4: 64 * 1024, 5: 256 * 1024, 6: 1024 * 1024, 7: 4 * 1024 * 1024 }
const MAX_BLOCK_BYTES = 4 * 1024 * 1024
const LZ4_UNCOMPRESSED = 0x80000000

/** At most: every block but the last is taken for full (LZ4 Frame Format 1.6.2). Kafka writes one frame. */
export function measureLz4(content: Buffer): number {
  const cut = () => new BrokerDataError('an LZ4 frame is cut short')
  if (content.length < 7) throw cut()
  if (content.readUInt32LE(0) !== LZ4_MAGIC) throw new BrokerDataError('an LZ4 batch does not begin as a frame')
  const [flags = 0, blocks = 0] = content.subarray(4, 6)
  const maxBlockBytes = LZ4_BLOCK_BYTES[(blocks >> 4) & 0b111]
  if (maxBlockBytes === undefined) throw new BrokerDataError('an LZ4 frame names no size of its blocks')
  const hasBlockChecksum = (flags & 0b10000) !== 0
  const hasContentSize = (flags & 0b1000) !== 0
  const hasDictionary = (flags & 1) !== 0
  let at = 6 + (hasContentSize ? 8 : 0) + (hasDictionary ? 4 : 0) + 1
  let total = 0
  for (;;) {
    if (at + 4 > content.length) throw cut()
    const size = content.readUInt32LE(at)
    at += 4
    if (size === 0) return total
    const isUncompressed = size >= LZ4_UNCOMPRESSED
    const bytes = isUncompressed ? size - LZ4_UNCOMPRESSED : size
    if (bytes > maxBlockBytes) throw new BrokerDataError('an LZ4 block is larger than its frame declares')
    total += isUncompressed ? bytes : maxBlockBytes
    at += bytes + (hasBlockChecksum ? 4 : 0)
  }
}

/** Those that move by a length that stands in the answer. */
const MOVES = ['skip', 'readNullableString', 'readNullableBytes', 'readVarIntBytes'] as const
type Move = (this: Reader, ...args: unknown[]) => unknown

/** A reader that only goes forward, and not beyond the end: each element of an array then takes bytes, so no count makes a loop endless. */
function keepReaderInside(): void {
  const prototype = Reader.prototype as unknown as Record<(typeof MOVES)[number], Move>
  for (const name of MOVES) {
    const move = prototype[name]
    if (typeof move !== 'function') throw new Error(`the Kafka client has no Reader.${name} any more; its limits must be looked at again`)
    prototype[name] = function (...args) {
      const from = this.position
      const result = move.apply(this, args)
      if (!(this.position >= from && this.position <= this.buffer.length)) {
        throw new BrokerDataError(`a length in the answer leads out of it (from byte ${from} to ${this.position})`)
      }
      return result
    }
  }
}

/** Each record ends with its headers, which are the only such array there is. */
function countRecords(): void {
  const readHeaders = Reader.prototype.readVarIntArray
  Reader.prototype.readVarIntArray = function (readElement) {
    if (--readableRecords < 0) throw new BrokerDataError(`one answer holds more than ${MAX_RECORDS} records; send smaller batches`)
    return readHeaders.call(this, readElement) as never
  }
}

type Inflater = { decompressSync(content: Buffer): Buffer }

function boundInflaters(): void {
  const { gzip, zstd, snappy, lz4 } = compressionsAlgorithms as unknown as Record<string, Inflater>
  if (gzip === undefined || zstd === undefined || snappy === undefined || lz4 === undefined)
    throw new Error('the Kafka client has other compressions than were bounded; its limits must be looked at again')
  gzip.decompressSync = inflateUpTo(gunzipSync)
  zstd.decompressSync = inflateUpTo(zstdDecompressSync)
  snappy.decompressSync = inflateMeasured(measureSnappy, snappy.decompressSync)
  lz4.decompressSync = inflateMeasured(measureLz4, lz4.decompressSync)
}

keepReaderInside()
countRecords()
boundInflaters()
