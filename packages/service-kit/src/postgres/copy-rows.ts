// Rows for PostgreSQL in its binary format, as COPY reads them (https://www.postgresql.org/docs/18/sql-copy.html, binary format). What is added becomes bytes at
// once, so that a thousand rows that wait for their turn are one buffer to the garbage collector. The fields of a row stand there as the elements of an array do,
// so that arrays of the columns are made by copying bytes.

import { ARRAY_HEADER_BYTES, writeArrayHeader } from './pg-arrays.ts'
import { byteaCodec, type Codec, float8Codec, jsonbCodec, LENGTH_BYTES, NULL_LENGTH, textCodec, timestamptzCodec } from './pg-binary.ts'

const FIELD_COUNT_BYTES = 2
/** The signature, no flags, and an extension of no bytes. */
const COPY_HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])
const COPY_TRAILER = Buffer.from([0xff, 0xff])

type AnyCodec = Pick<Codec<unknown>, 'oid'>

/** Each row is begun, and then has a value put for each column, in their order. */
export class CopyRows {
  readonly #codecs: readonly AnyCodec[]
  #bytes: Buffer
  /** Where each row begins, at the number of its fields. */
  readonly #starts: number[] = []
  #end = 0

  constructor(codecs: readonly AnyCodec[], bytesExpected: number) {
    this.#codecs = codecs
    this.#bytes = Buffer.allocUnsafe(bytesExpected)
  }

  get count(): number {
    return this.#starts.length
  }

  begin(): void {
    this.#reserve(FIELD_COUNT_BYTES)
    this.#starts.push(this.#end)
    this.#end = this.#bytes.writeInt16BE(this.#codecs.length, this.#end)
  }

  /** The place after what was put last, for `putAgain`. */
  get end(): number {
    return this.#end
  }

  /** What stands between two places, once more: the rows of a batch have the same values in most columns, and copying is cheaper than encoding. */
  putAgain(from: number, to: number): void {
    this.#reserve(to - from)
    this.#bytes.copyWithin(this.#end, from, to)
    this.#end += to - from
  }

  putText(value: string | undefined): void {
    if (value === undefined) this.#putNull()
    else this.#put(textCodec, value)
  }

  /** A JSON text. */
  putJsonb(value: string | null): void {
    if (value === null) this.#putNull()
    else this.#put(jsonbCodec, value)
  }

  /** A hexadecimal text. */
  putBytea(value: string): void {
    this.#put(byteaCodec, value)
  }

  putFloat8(value: number | undefined): void {
    if (value === undefined) this.#putNull()
    else this.#put(float8Codec, value)
  }

  /** Milliseconds since the epoch. */
  putTimestamptz(value: number): void {
    this.#put(timestamptzCodec, value)
  }

  #put<T>(codec: Codec<T>, value: T): void {
    this.#reserve(LENGTH_BYTES + codec.maxBytes(value))
    const byteCount = codec.write(this.#bytes, this.#end + LENGTH_BYTES, value)
    this.#end = this.#bytes.writeInt32BE(byteCount, this.#end) + byteCount
  }

  #putNull(): void {
    this.#reserve(LENGTH_BYTES)
    this.#end = this.#bytes.writeInt32BE(NULL_LENGTH, this.#end)
  }

  #reserve(byteCount: number): void {
    const needed = this.#end + byteCount
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, needed))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }

  /** Empties it for another round in the same memory; what was taken from it before is void. */
  clear(): void {
    this.#starts.length = 0
    this.#end = 0
  }

  /** What COPY reads from: the rows with these indices, in this order. */
  toCopy(order: readonly number[]): Buffer[] {
    const ordered = Buffer.allocUnsafe(this.#end)
    let at = 0
    for (const row of order) at += this.#bytes.copy(ordered, at, this.#startOf(row), this.#starts[row + 1] ?? this.#end)
    return [COPY_HEADER, ordered.subarray(0, at), COPY_TRAILER]
  }

  /** An array for each column, all in one piece of memory. */
  toArrays(): Buffer[] {
    const sizes = this.#codecs.map(() => ARRAY_HEADER_BYTES)
    this.#eachField((column, from, to) => {
      sizes[column] = (sizes[column] ?? 0) + to - from
    })
    const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, 0))
    let begin = 0
    const arrays = sizes.map((size) => {
      const array = { bytes: bytes.subarray(begin, begin + size), end: ARRAY_HEADER_BYTES, hasNull: false }
      begin += size
      return array
    })
    this.#eachField((column, from, to) => {
      const array = arrays[column] as (typeof arrays)[number]
      array.hasNull ||= to - from === LENGTH_BYTES && this.#bytes.readInt32BE(from) === NULL_LENGTH
      array.end += this.#bytes.copy(array.bytes, array.end, from, to)
    })
    for (const [column, { oid }] of this.#codecs.entries()) {
      const array = arrays[column] as (typeof arrays)[number]
      writeArrayHeader(array.bytes, { oid, count: this.count, hasNull: array.hasNull })
    }
    return arrays.map((array) => array.bytes)
  }

  /** With its length word. */
  #eachField(visit: (column: number, from: number, to: number) => void): void {
    for (const start of this.#starts) {
      let at = start + FIELD_COUNT_BYTES
      for (let column = 0; column < this.#codecs.length; column++) {
        const end = this.#endOfField(at)
        visit(column, at, end)
        at = end
      }
    }
  }

  /** What was put into a column of a row. */
  valueAt<T>(row: number, column: number, codec: Codec<T>): T | undefined {
    let at = this.#startOf(row) + FIELD_COUNT_BYTES
    for (let before = 0; before < column; before++) at = this.#endOfField(at)
    if (this.#bytes.readInt32BE(at) === NULL_LENGTH) return undefined
    return codec.read(this.#bytes.subarray(at + LENGTH_BYTES, this.#endOfField(at)))
  }

  #startOf(row: number): number {
    const start = this.#starts[row]
    if (start === undefined) throw new RangeError(`There is no row ${row} of ${this.count}.`)
    return start
  }

  #endOfField(at: number): number {
    return at + LENGTH_BYTES + Math.max(this.#bytes.readInt32BE(at), 0)
  }
}
