/** A number in [0, 1) that is a function of its words alone (FNV-1a, then a finalizer of MurmurHash3). */
export function chance(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const character of words.join('/')) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** A whole number from `least` to `most`. */
export function chanceIn(least: number, most: number, ...words: readonly (string | number)[]): number {
  return least + Math.floor(chance(...words) * (most - least + 1))
}

export function chanceDigits(count: number, ...words: readonly (string | number)[]): string {
  return Array.from({ length: count }, (_, nth) => Math.floor(chance(...words, nth) * 10)).join('')
}
