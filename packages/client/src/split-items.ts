import { writeJson } from './write-json.ts'

export type Part = { readonly from: number; readonly part: readonly unknown[] }

/** For the brackets, the name of the array and the comma behind each item. */
const AROUND_BYTES = 64
const encoder = new TextEncoder()

/** Parts of at most `max` items and `maxBytes` of JSON, in order. An item that is too long by itself is a part of its own. */
export function splitItems(items: readonly unknown[], max: number, maxBytes: number): Part[] {
  const parts: Part[] = []
  let from = 0
  let bytes = AROUND_BYTES
  for (const [i, item] of items.entries()) {
    const itemBytes = encoder.encode(writeJson(item) ?? 'null').length + 1
    const isFull = i - from >= max || (i > from && bytes + itemBytes > maxBytes)
    if (isFull) {
      parts.push({ from, part: items.slice(from, i) })
      from = i
      bytes = AROUND_BYTES
    }
    bytes += itemBytes
  }
  if (items.length > from) parts.push({ from, part: items.slice(from) })
  return parts
}
