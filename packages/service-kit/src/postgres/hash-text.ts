// PostgreSQL's hash of a text (`hashtext`), by which Citus chooses the shard of a row. Format: hash_bytes of src/common/hashfn.c, which is Bob Jenkins' lookup3
// of 2006 with a start of its own, as on a little-endian machine with the default (deterministic) collation.

const MIXED_FROM = 0x9e3779b9 + 3923095

/** A signed integer of 32 bits. */
export function hashText(text: string): number {
  const bytes = Buffer.from(text, 'utf8')
  let length = bytes.length
  let a = (MIXED_FROM + length) | 0
  let b = a
  let c = a
  let at = 0
  for (; length >= 12; length -= 12, at += 12) {
    a = (a + bytes.readInt32LE(at)) | 0
    b = (b + bytes.readInt32LE(at + 4)) | 0
    c = (c + bytes.readInt32LE(at + 8)) | 0
    a = (a - c) ^ rotate(c, 4)
    c = (c + b) | 0
    b = (b - a) ^ rotate(a, 6)
    a = (a + c) | 0
    c = (c - b) ^ rotate(b, 8)
    b = (b + a) | 0
    a = (a - c) ^ rotate(c, 16)
    c = (c + b) | 0
    b = (b - a) ^ rotate(a, 19)
    a = (a + c) | 0
    c = (c - b) ^ rotate(b, 4)
    b = (b + a) | 0
  }
  // The last bytes; the lowest of c is where the length was.
  const wordOfLast = (from: number, count: number, shift: number) => {
    let word = 0
    for (let nth = 0; nth < count; nth++) word |= (bytes[at + from + nth] ?? 0) << (shift + nth * 8)
    return word
  }
  c = (c + wordOfLast(8, Math.max(0, length - 8), 8)) | 0
  b = (b + wordOfLast(4, Math.min(4, Math.max(0, length - 4)), 0)) | 0
  a = (a + wordOfLast(0, Math.min(4, length), 0)) | 0
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  return ((c ^ b) - rotate(b, 24)) | 0
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}
