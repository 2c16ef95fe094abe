// Arrays for PostgreSQL in its binary format, so that a batch of hundreds of rows goes over as a few parameters. Format: src/backend/utils/adt/arrayfuncs.c,
// array_recv.

import { byteaCodec, type Codec, float8Codec, jsonbCodec, LENGTH_BYTES, NULL_LENGTH, textCodec, timestamptzCodec } from './pg-binary.ts'

export const ARRAY_HEADER_BYTES = 20

/** Of one dimension, which begins at 1. */
export function writeArrayHeader(bytes: Buffer, { oid, count, hasNull }: { oid: number; count: number; hasNull: boolean }): void {
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(hasNull ? 1 : 0, 4)
  bytes.writeInt32BE(oid, 8)
  bytes.writeInt32BE(count, 12)
  bytes.writeInt32BE(1, 16)
}

type Values<T> = readonly (T | null | undefined)[]

function toParameter<T>(codec: Codec<T>, values: Values<T>): Buffer {
  let byteCount = ARRAY_HEADER_BYTES
  for (const value of values) byteCount += LENGTH_BYTES + (value === null || value === undefined ? 0 : codec.maxBytes(value))
  const bytes = Buffer.allocUnsafe(byteCount)
  let at = ARRAY_HEADER_BYTES
  let hasNull = false
  for (const value of values) {
    const isNull = value === null || value === undefined
    const length = isNull ? NULL_LENGTH : codec.write(bytes, at + LENGTH_BYTES, value)
    hasNull ||= isNull
    bytes.writeInt32BE(length, at)
    at += LENGTH_BYTES + Math.max(length, 0)
  }
  writeArrayHeader(bytes, { oid: codec.oid, count: values.length, hasNull })
  return bytes.subarray(0, at)
}

/** `text[]`. Values must not contain NUL. */
export const textArray = (values: Values<string>): Buffer => toParameter(textCodec, values)

/** `jsonb[]`, from JSON texts. */
export const jsonbArray = (values: Values<string>): Buffer => toParameter(jsonbCodec, values)

/** `bytea[]`, from hexadecimal texts. */
export const byteaArrayFromHex = (values: Values<string>): Buffer => toParameter(byteaCodec, values)

export const float8Array = (values: Values<number>): Buffer => toParameter(float8Codec, values)

/** `timestamptz[]`, from milliseconds since the epoch. */
export const timestamptzArray = (values: Values<number>): Buffer => toParameter(timestamptzCodec, values)
