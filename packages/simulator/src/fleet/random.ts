// Seeded random streams. A stream's state is plain data, so a fleet can be stored and resumed without changing what comes next.

/** State of an sfc32 generator (C. Doty-Humphrey, PractRand): 128 bits, passes BigCrush, exact on 32-bit integer arithmetic. */
export type RandomStream = [number, number, number, number]

/** A stream of its own for each label under one seed: adding a vehicle or a stream never shifts what another one draws. */
export function createStream(seed: number, label: string): RandomStream {
  let hash = 2166136261 ^ seed
  const mix = (): number => {
    // murmur3 finaliser over an FNV-1a hash of the label
    hash = Math.imul(hash ^ (hash >>> 16), 2246822507)
    hash = Math.imul(hash ^ (hash >>> 13), 3266489909)
    hash ^= hash >>> 16
    return hash >>> 0
  }
  for (let i = 0; i < label.length; i++) hash = Math.imul(hash ^ label.charCodeAt(i), 16777619)
  const stream: RandomStream = [mix(), mix(), mix(), mix()]
  for (let i = 0; i < 12; i++) nextUnit(stream)
  return stream
}

/** Next value in [0, 1). */
export function nextUnit(stream: RandomStream): number {
  const [a, b, c, d] = stream
  const t = (a + b + d) | 0
  stream[0] = b ^ (b >>> 9)
  stream[1] = (c + (c << 3)) | 0
  stream[2] = (((c << 21) | (c >>> 11)) + t) | 0
  stream[3] = (d + 1) | 0
  return (t >>> 0) / 4294967296
}

export function nextBetween(stream: RandomStream, low: number, high: number): number {
  return low + (high - low) * nextUnit(stream)
}

/** Integer in [low, high], both ends included. */
export function nextInteger(stream: RandomStream, low: number, high: number): number {
  return Math.floor(nextBetween(stream, low, high + 1))
}

/** Standard normal, clipped at ±4 so that no single draw leaves a sensor's range. */
export function nextGaussian(stream: RandomStream): number {
  const radius = Math.sqrt(-2 * Math.log(1 - nextUnit(stream)))
  return Math.max(-4, Math.min(4, radius * Math.cos(2 * Math.PI * nextUnit(stream))))
}

/** A life drawn from Weibull(shape, scale); same unit as `scale`. */
export function nextWeibull(stream: RandomStream, shape: number, scale: number): number {
  return scale * (-Math.log(1 - nextUnit(stream))) ** (1 / shape)
}

export function pickOne<T>(stream: RandomStream, items: readonly T[]): T {
  const item = items[Math.floor(nextUnit(stream) * items.length)]
  if (item === undefined) throw new RangeError('cannot pick from an empty list')
  return item
}
