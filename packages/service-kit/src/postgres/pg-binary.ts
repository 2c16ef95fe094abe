// Values in PostgreSQL's binary format, as they stand in an array and in a row of COPY: a length word, then as many bytes. The driver sends a Buffer as it
// is, so that neither side has to quote, escape or parse text. Formats: the receive functions of the types in src/backend/utils/adt.

/** Of the word before each value. */
export const LENGTH_BYTES = 4
/** What stands there in place of a null. */
export const NULL_LENGTH = -1
/** UTF-8 takes at most three bytes for each UTF-16 unit. */
const MAX_UTF8_BYTES = 3
/** Binary jsonb starts with a version byte (jsonb_recv). */
const JSONB_VERSION = 1
/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1)
const TWO_TO_32 = 2 ** 32

/** How values of one type are written. */
export type Codec<T> = {
  readonly type: string
  readonly oid: number
  /** Bytes the value may take, at most. */
  maxBytes(value: T): number
  /** Returns how many it took. */
  write(bytes: Buffer, at: number, value: T): number
  read(bytes: Buffer): T
}

/** Values must not contain NUL. */
export const textCodec: Codec<string> = {
  type: 'text',
  oid: 25,
  maxBytes: (value) => value.length * MAX_UTF8_BYTES,
  write: (bytes, at, value) => bytes.write(value, at, 'utf8'),
  read: (bytes) => bytes.toString('utf8'),
}

/** From JSON texts. */
export const jsonbCodec: Codec<string> = {
  type: 'jsonb',
  oid: 3802,
  maxBytes: (value) => 1 + value.length * MAX_UTF8_BYTES,
  write: (bytes, at, value) => {
    bytes[at] = JSONB_VERSION
    return 1 + bytes.write(value, at + 1, 'utf8')
  },
  read: (bytes) => bytes.toString('utf8', 1),
}

/** From hexadecimal texts. */
export const byteaCodec: Codec<string> = {
  type: 'bytea',
  oid: 17,
  maxBytes: (value) => value.length >> 1,
  write: (bytes, at, value) => bytes.write(value, at, 'hex'),
  read: (bytes) => bytes.toString('hex'),
}

export const float8Codec: Codec<number> = {
  type: 'float8',
  oid: 701,
  maxBytes: () => 8,
  write: (bytes, at, value) => bytes.writeDoubleBE(value, at) - at,
  read: (bytes) => bytes.readDoubleBE(0),
}

/** From milliseconds since the epoch; exact in a double for 285 years either side of 2000. */
export const timestamptzCodec: Codec<number> = {
  type: 'timestamptz',
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
