// Machines are run in different ways (altitude, load, speed), and sensors follow that far more than they follow wear. Regimes are found
// from the settings alone, which come in whatever units the customer has; how many there are is asked of the sensors.

export type OperatingRegimes = {
  /** Per setting: what is subtracted, and what is divided by. A setting that never changes is divided by infinity. */
  readonly offsets: readonly number[]
  readonly ranges: readonly number[]
  /** In scaled settings. */
  readonly centres: readonly (readonly number[])[]
}

const MAX_REGIMES = 12
const MAX_SAMPLE_ROWS = 20_000
const MAX_ROUNDS = 20
/** Fewer readings than this do not show a sensor's normal spread. */
const MIN_REGIME_ROWS = 50
/** More regimes must shrink the sensors' spread inside them by this much to be worth their smaller samples. */
const WORTHWHILE_SHRINKAGE = 1.05
/** Spread below this share of a sensor's whole variance is rounding. */
const ROUNDING_SHARE = 1e-9
/** Outliers beyond a setting's 1st and 99th percentile are pulled in to this far out, in ranges. */
const MAX_OVERSHOOT = 0.25

const oneRegime: OperatingRegimes = { offsets: [], ranges: [], centres: [[]] }

/** The fewest regimes that leave the sensors about as little spread inside them as any number up to twelve does. */
export function findRegimes(settings: readonly Float32Array[], sensors: readonly Float32Array[], rows: Int32Array): OperatingRegimes {
  if (settings.length === 0 || rows.length === 0) return oneRegime
  const sample = thinned(rows, MAX_SAMPLE_ROWS)
  const scales = settings.map((column) => scaleOf(column, sample))
  const [offsets, ranges] = [scales.map(({ offset }) => offset), scales.map(({ range }) => range)]
  const points = Array.from(sample, (row) => settings.map((column, at) => scaled(column[row] as number, offsets[at], ranges[at])))
  const candidates = clusterings(points).map((centres) => ({ centres, spread: spreadInside(centres, points, sensors, sample) }))
  const least = Math.min(...candidates.map(({ spread }) => spread))
  const fewest = candidates.find(({ spread }) => spread <= least + Math.log(WORTHWHILE_SHRINKAGE))
  return { offsets, ranges, centres: fewest?.centres ?? [[]] }
}

/** The regime of a row of settings, in the customer's units: the nearest one. */
export function regimeOf({ offsets, ranges, centres }: OperatingRegimes, settings: ArrayLike<number>): number {
  if (centres.length === 1) return 0
  return nearest(
    centres,
    offsets.map((offset, at) => scaled(settings[at] as number, offset, ranges[at])),
  )
}

function scaled(value: number, offset = 0, range = 1): number {
  return Math.min(1 + MAX_OVERSHOOT, Math.max(-MAX_OVERSHOOT, (value - offset) / range))
}

function scaleOf(column: Float32Array, rows: Int32Array): { offset: number; range: number } {
  const sorted = Float32Array.from(rows, (row) => column[row] as number).sort()
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number
  const [low, high] = at(0.01) < at(0.99) ? [at(0.01), at(0.99)] : [at(0), at(1)]
  // JSON has no infinity; the largest number does the same.
  return { offset: low, range: high > low ? high - low : Number.MAX_VALUE }
}

/** Centres for one regime, two, three …: each time the point farthest from all centres becomes one more (Gonzalez), then Lloyd's rounds. */
function clusterings(points: readonly (readonly number[])[]): (readonly (readonly number[])[])[] {
  const found: (readonly (readonly number[])[])[] = []
  let centres: readonly (readonly number[])[] = [mean(points)]
  for (let count = 1; count <= MAX_REGIMES; count++) {
    centres = settle(centres, points)
    const large = withEnoughRows(centres, points)
    if (large.length > 0) found.push(large)
    const far = farthest(centres, points)
    if (far === undefined) break
    centres = [...centres, far]
  }
  return found.length === 0 ? [[mean(points)]] : found
}

function settle(centres: readonly (readonly number[])[], points: readonly (readonly number[])[]): readonly (readonly number[])[] {
  let settled = centres
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const members: (readonly number[])[][] = settled.map(() => [])
    for (const point of points) members[nearest(settled, point)]?.push(point)
    const moved = members.map((each, at) => (each.length === 0 ? (settled[at] ?? []) : mean(each)))
    if (moved.every((centre, at) => distance(centre, settled[at] ?? []) < 1e-12)) break
    settled = moved
  }
  return settled
}

function withEnoughRows(centres: readonly (readonly number[])[], points: readonly (readonly number[])[]): (readonly number[])[] {
  const counts = new Int32Array(centres.length)
  for (const point of points) {
    const at = nearest(centres, point)
    counts[at] = (counts[at] as number) + 1
  }
  return centres.filter((_, at) => (counts[at] as number) >= Math.min(MIN_REGIME_ROWS, points.length))
}

function farthest(centres: readonly (readonly number[])[], points: readonly (readonly number[])[]): readonly number[] | undefined {
  let [found, most]: [readonly number[] | undefined, number] = [undefined, 1e-12]
  for (const point of points) {
    const away = distance(point, centres[nearest(centres, point)] ?? [])
    if (away > most) [found, most] = [point, away]
  }
  return found
}

/** The mean over sensors of the logarithm of the variance inside regimes, as a share of the sensor's whole variance. */
function spreadInside(
  centres: readonly (readonly number[])[],
  points: readonly (readonly number[])[],
  sensors: readonly Float32Array[],
  rows: Int32Array,
): number {
  const regimes = points.map((point) => nearest(centres, point))
  let [sum, count] = [0, 0]
  for (const sensor of sensors) {
    const whole = sumOfSquares(sensor, rows, regimes, 1)
    if (whole === 0) continue
    sum += Math.log(Math.max(ROUNDING_SHARE, sumOfSquares(sensor, rows, regimes, centres.length) / whole))
    count++
  }
  return count === 0 ? 0 : sum / count
}

/** Of deviations from the mean of the row's regime; from the mean of all rows when there is one regime. */
function sumOfSquares(sensor: Float32Array, rows: Int32Array, regimes: readonly number[], regimeCount: number): number {
  const [means, squares, counts] = [new Float64Array(regimeCount), new Float64Array(regimeCount), new Float64Array(regimeCount)]
  for (let at = 0; at < rows.length; at++) {
    const value = sensor[rows[at] as number] as number
    if (Number.isNaN(value)) continue
    const regime = regimeCount === 1 ? 0 : (regimes[at] as number)
    const count = (counts[regime] as number) + 1
    const away = value - (means[regime] as number)
    counts[regime] = count
    means[regime] = (means[regime] as number) + away / count
    squares[regime] = (squares[regime] as number) + away * (value - (means[regime] as number))
  }
  return squares.reduce((sum, each) => sum + each, 0)
}

function nearest(centres: readonly (readonly number[])[], point: readonly number[]): number {
  let [found, least] = [0, Number.POSITIVE_INFINITY]
  for (let at = 0; at < centres.length; at++) {
    const away = distance(point, centres[at] ?? [])
    if (away < least) [found, least] = [at, away]
  }
  return found
}

/** Squared. */
function distance(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += ((a[at] as number) - (b[at] as number)) ** 2
  return sum
}

function mean(points: readonly (readonly number[])[]): number[] {
  return (points[0] ?? []).map((_, at) => points.reduce((sum, point) => sum + (point[at] as number), 0) / points.length)
}

/** At most `count` rows, at even steps. */
export function thinned(rows: Int32Array, count: number): Int32Array {
  if (rows.length <= count) return rows
  return Int32Array.from({ length: count }, (_, at) => rows[Math.floor((at * rows.length) / count)] as number)
}
