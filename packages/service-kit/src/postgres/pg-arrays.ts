// Arrays for PostgreSQL in its binary format. The driver sends a Buffer as a binary parameter, so a batch of hundreds of rows goes over
// as a few buffers that neither side has to quote, escape or parse as text. Format: src/backend/utils/adt/arrayfuncs.c, array_recv.

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
/** UTF-8 takes at most three bytes for each UTF-16 unit. */
const MAX_UTF8_BYTES = 3
/** Binary jsonb starts with a version byte (jsonb_recv). */
const JSONB_VERSION = 1
/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1)
const TWO_TO_32 = 2 ** 32

/** How values of one type are written. */
type Codec<T> = {
  readonly oid: number
  /** Bytes the value may take, at most. */
  maxBytes(value: T): number
  /** Returns how many it took. */
  write(bytes: Buffer, at: number, value: T): number
  read(bytes: Buffer): T
}

/** Values must not contain NUL. */
const textCodec: Codec<string> = {
  oid: 25,
  maxBytes: (value) => value.length * MAX_UTF8_BYTES,
  write: (bytes, at, value) => bytes.write(value, at, 'utf8'),
  read: (bytes) => bytes.toString('utf8'),
}

/** From JSON texts. */
const jsonbCodec: Codec<string> = {
  oid: 3802,
  maxBytes: (value) => 1 + value.length * MAX_UTF8_BYTES,
  write: (bytes, at, value) => {
    bytes[at] = JSONB_VERSION
    return 1 + bytes.write(value, at + 1, 'utf8')
  },
  read: (bytes) => bytes.toString('utf8', 1),
}

/** From hexadecimal texts. */
const byteaCodec: Codec<string> = {
  oid: 17,
  maxBytes: (value) => value.length >> 1,
  write: (bytes, at, value) => bytes.write(value, at, 'hex'),
  read: (bytes) => bytes.toString('hex'),
}

const float8Codec: Codec<number> = {
  oid: 701,
  maxBytes: () => 8,
  write: (bytes, at, value) => bytes.writeDoubleBE(value, at) - at,
  read: (bytes) => bytes.readDoubleBE(0),
}

/** From milliseconds since the epoch; exact in a double for 285 years either side of 2000. */
const timestamptzCodec: Codec<number> = {
  oid: 1184,
  maxBytes: () => 8,
  write: (bytes, at, value) => {
    const microseconds = Math.round((value - POSTGRES_EPOCH_MS) * 1000)
    const high = Math.floor(microseconds / TWO_TO_32)
    bytes.writeInt32BE(high, at)
    return bytes.writeUInt32BE(microseconds - high * TWO_TO_32, at + 4) - at
  },
  read: (bytes) => (bytes.readInt32BE(0) * TWO_TO_32 + bytes.readUInt32BE(4)) / 1000 + POSTGRES_EPOCH_MS,
}

/**
 * One array parameter, filled element by element. What is added becomes bytes at once, so that a column of a thousand rows that waits for
 * its turn is one buffer to the garbage collector.
 */
class ArrayColumn<T> {
  readonly #codec: Codec<T>
  #bytes: Buffer
  /** Where each element begins, at its length word. */
  readonly #starts: number[] = []
  #end = HEADER_BYTES
  #hasNull = false
  #last: T | null | undefined

  constructor(codec: Codec<T>, bytesExpected: number) {
    this.#codec = codec
    this.#bytes = Buffer.allocUnsafe(HEADER_BYTES + bytesExpected)
  }

  get count(): number {
    return this.#starts.length
  }

  add(value: T | null | undefined): void {
    const start = this.#end
    if (value === null || value === undefined) {
      this.#reserve(LENGTH_BYTES)
      this.#bytes.writeInt32BE(NULL_LENGTH, start)
      this.#end = start + LENGTH_BYTES
      this.#hasNull = true
    } else if (value === this.#last) {
      this.#repeatLast()
    } else {
      this.#reserve(LENGTH_BYTES + this.#codec.maxBytes(value))
      const byteCount = this.#codec.write(this.#bytes, start + LENGTH_BYTES, value)
      this.#bytes.writeInt32BE(byteCount, start)
      this.#end = start + LENGTH_BYTES + byteCount
    }
    this.#last = value
    this.#starts.push(start)
  }

  /** The rows of a batch have the same value in most columns, and copying is cheaper than encoding again. */
  #repeatLast(): void {
    const start = this.#starts[this.#starts.length - 1] as number
    const byteCount = this.#end - start
    this.#reserve(byteCount)
    this.#bytes.copyWithin(this.#end, start, this.#end)
    this.#end += byteCount
  }

  #reserve(byteCount: number): void {
    const needed = this.#end + byteCount
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, needed))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }

  toParameter(): Buffer {
    const array = this.#bytes.subarray(0, this.#end)
    array.writeInt32BE(1, 0)
    array.writeInt32BE(this.#hasNull ? 1 : 0, 4)
    array.writeInt32BE(this.#codec.oid, 8)
    array.writeInt32BE(this.count, 12)
    array.writeInt32BE(1, 16)
    return array
  }

  /** Empties it for another round in the same memory; parameters taken from it before are void. */
  clear(): void {
    this.#starts.length = 0
    this.#end = HEADER_BYTES
    this.#hasNull = false
    this.#last = undefined
  }

  /** What was added at `index`. */
  valueAt(index: number): T | undefined {
    const start = this.#starts[index]
    if (start === undefined) throw new RangeError(`There is no element ${index} in an array of ${this.count}.`)
    const byteCount = this.#bytes.readInt32BE(start)
    if (byteCount === NULL_LENGTH) return undefined
    return this.#codec.read(this.#bytes.subarray(start + LENGTH_BYTES, start + LENGTH_BYTES + byteCount))
  }
}

/** An empty column. `countExpected` saves growing. */
export const textColumn = (countExpected = 0) => new ArrayColumn(textCodec, countExpected * 32)
export const jsonbColumn = (countExpected = 0) => new ArrayColumn(jsonbCodec, countExpected * 160)
export const byteaColumn = (countExpected = 0) => new ArrayColumn(byteaCodec, countExpected * 20)
export const float8Column = (countExpected = 0) => new ArrayColumn(float8Codec, countExpected * 12)
export const timestamptzColumn = (countExpected = 0) => new ArrayColumn(timestamptzCodec, countExpected * 12)

type Values<T> = readonly (T | null | undefined)[]

function toParameter<T>(column: ArrayColumn<T>, values: Values<T>): Buffer {
  for (const value of values) column.add(value)
  return column.toParameter()
}

/** `text[]`. Values must not contain NUL. */
export const textArray = (values: Values<string>): Buffer => toParameter(textColumn(values.length), values)

/** `jsonb[]`, from JSON texts. */
export const jsonbArray = (values: Values<string>): Buffer => toParameter(jsonbColumn(values.length), values)

/** `bytea[]`, from hexadecimal texts. */
export const byteaArrayFromHex = (values: Values<string>): Buffer => toParameter(byteaColumn(values.length), values)

export const float8Array = (values: Values<number>): Buffer => toParameter(float8Column(values.length), values)

/** `timestamptz[]`, from milliseconds since the epoch. */
export const timestamptzArray = (values: Values<number>): Buffer => toParameter(timestamptzColumn(values.length), values)
