// Arrays for PostgreSQL in its binary format. The driver sends a Buffer as a binary parameter, so a batch of hundreds of rows goes over
// as a few buffers that neither side has to quote, escape or parse as text. Format: src/backend/utils/adt/arrayfuncs.c, array_recv.

const OID = { bytea: 17, text: 25, float8: 701, timestamptz: 1184, jsonb: 3802 } as const
const HEADER_BYTES = 20
/** Binary jsonb starts with a version byte (jsonb_recv). */
const JSONB_VERSION = 1
/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1)

class ArrayWriter {
  #bytes: Buffer
  #length = HEADER_BYTES
  #hasNull = false

  constructor(sizeHint: number) {
    this.#bytes = Buffer.allocUnsafe(HEADER_BYTES + sizeHint)
  }

  #reserve(count: number): number {
    const at = this.#length
    if (at + count > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, at + count))
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    this.#length = at + count
    return at
  }

  null(): void {
    this.#hasNull = true
    const at = this.#reserve(4)
    this.#bytes.writeInt32BE(-1, at)
  }

  text(value: string, version: number | undefined): void {
    const prefix = version === undefined ? 4 : 5
    // UTF-8 takes at most three bytes for each UTF-16 unit.
    const at = this.#reserve(prefix + value.length * 3)
    const written = this.#bytes.write(value, at + prefix, 'utf8')
    this.#bytes.writeInt32BE(written + prefix - 4, at)
    if (version !== undefined) this.#bytes[at + 4] = version
    this.#length = at + prefix + written
  }

  hex(value: string): void {
    const length = value.length >> 1
    const at = this.#reserve(4 + length)
    this.#bytes.writeInt32BE(length, at)
    this.#bytes.write(value, at + 4, length, 'hex')
  }

  float8(value: number): void {
    const at = this.#reserve(12)
    this.#bytes.writeInt32BE(8, at)
    this.#bytes.writeDoubleBE(value, at + 4)
  }

  int8(value: bigint): void {
    const at = this.#reserve(12)
    this.#bytes.writeInt32BE(8, at)
    this.#bytes.writeBigInt64BE(value, at + 4)
  }

  finish(elementOid: number, count: number): Buffer {
    this.#bytes.writeInt32BE(1, 0)
    this.#bytes.writeInt32BE(this.#hasNull ? 1 : 0, 4)
    this.#bytes.writeInt32BE(elementOid, 8)
    this.#bytes.writeInt32BE(count, 12)
    this.#bytes.writeInt32BE(1, 16)
    return this.#bytes.subarray(0, this.#length)
  }
}

function encode<T>(
  values: readonly (T | null | undefined)[],
  oid: number,
  bytesEach: number,
  write: (writer: ArrayWriter, value: T) => void,
): Buffer {
  const writer = new ArrayWriter(values.length * bytesEach)
  for (const value of values) {
    if (value === null || value === undefined) writer.null()
    else write(writer, value)
  }
  return writer.finish(oid, values.length)
}

/** `text[]`. Values must not contain NUL. */
export const textArray = (values: readonly (string | null | undefined)[]): Buffer =>
  encode(values, OID.text, 40, (writer, value) => writer.text(value, undefined))

/** `jsonb[]`, from JSON texts. */
export const jsonbArray = (values: readonly (string | null | undefined)[]): Buffer =>
  encode(values, OID.jsonb, 400, (writer, value) => writer.text(value, JSONB_VERSION))

/** `bytea[]`, from hexadecimal texts. */
export const byteaArrayFromHex = (values: readonly (string | null | undefined)[]): Buffer =>
  encode(values, OID.bytea, 24, (writer, value) => writer.hex(value))

export const float8Array = (values: readonly (number | null | undefined)[]): Buffer =>
  encode(values, OID.float8, 12, (writer, value) => writer.float8(value))

/** `timestamptz[]`, from milliseconds since the epoch. */
export const timestamptzArray = (values: readonly (number | null | undefined)[]): Buffer =>
  encode(values, OID.timestamptz, 12, (writer, value) => writer.int8(BigInt(value - POSTGRES_EPOCH_MS) * 1000n))
