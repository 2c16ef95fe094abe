// Writes Protocol Buffers, as far as ONNX needs them (protobuf.dev/programming-guides/encoding). Numbers of fields stand at the caller.

/** One field of a message, or a whole message: they only ever need to be put one after the other. */
export type Bytes = Uint8Array

const VARINT = 0
const LENGTH_DELIMITED = 2
const MAX_VARINT_BYTES = 8

export function join(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Of zero or more: ONNX has no use for the ten bytes of a negative number. */
export function integerField(field: number, value: number): Bytes {
  return join([varint(field * 8 + VARINT), varint(value)])
}

export function textField(field: number, value: string): Bytes {
  return messageField(field, new TextEncoder().encode(value))
}

export function messageField(field: number, content: Bytes): Bytes {
  return join([varint(field * 8 + LENGTH_DELIMITED), varint(content.length), content])
}

/** Repeated numbers, packed: every parser takes them so, whatever the schema states ("Packed Repeated Fields"). */
export function integersField(field: number, values: readonly number[]): Bytes {
  const bytes = new Uint8Array(values.length * MAX_VARINT_BYTES)
  let length = 0
  for (const value of values) length = putVarint(bytes, length, value)
  return messageField(field, bytes.subarray(0, length))
}

/** Repeated texts, not packed, which is not allowed. */
export function textsField(field: number, values: readonly string[]): Bytes {
  return join(values.map((value) => textField(field, value)))
}

function varint(value: number): Bytes {
  const bytes = new Uint8Array(MAX_VARINT_BYTES)
  return bytes.subarray(0, putVarint(bytes, 0, value))
}

/** Seven bits to a byte, the lowest first; returns where the next one begins. */
function putVarint(into: Uint8Array, at: number, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number of zero or more`)
  let rest = value
  let next = at
  while (rest >= 0x80) {
    into[next++] = (rest % 0x80) + 0x80
    rest = Math.floor(rest / 0x80)
  }
  into[next++] = rest
  return next
}
