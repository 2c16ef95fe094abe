// Seeded randomness. Everything that learns draws from here, so that the same seed gives the same model on every machine.

const UINT32 = 2 ** 32

/**
 * Uniform numbers in [0, 1), 32 bits each: sfc32 (Doty-Humphrey, PractRand), its state filled by splitmix32. Integer arithmetic only,
 * so every machine draws the same.
 */
export function createRandom(seed: number): () => number {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`a seed is a whole number, not ${seed}`)
  // A seed has 53 bits and splitmix32 takes 32: its low and its high half fill words of their own, so no two seeds start alike.
  const nextWord = splitmix32(seed)
  let [a, b, c, counter] = [nextWord(), nextWord(), splitmix32(Math.floor(seed / UINT32))(), 1]
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / UINT32
  }
  // Its author's advice: a dozen rounds until three seeded words have mixed with the counter.
  for (let round = 0; round < 12; round++) next()
  return next
}

function splitmix32(state: number): () => number {
  let word = state | 0
  return () => {
    word = (word + 0x9e3779b9) | 0
    let mixed = word ^ (word >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return mixed ^ (mixed >>> 15)
  }
}

/** Puts items into a uniformly random order, in place (Fisher and Yates). */
export function shuffle<Item>(items: Item[] | Int32Array | Float64Array, random: () => number): void {
  const list = items as Item[]
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const moved = list[last] as Item
    list[last] = list[other] as Item
    list[other] = moved
  }
}

/** Writes `size` different items of `from` to the start of `into`, in their order (Knuth's algorithm S). */
export function sampleInOrder(from: Int32Array, size: number, random: () => number, into: Int32Array): void {
  let taken = 0
  for (let index = 0; taken < size; index++) {
    if (random() * (from.length - index) < size - taken) into[taken++] = from[index] as number
  }
}
