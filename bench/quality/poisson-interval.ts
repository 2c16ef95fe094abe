const TAIL = 0.025
const HALVINGS = 60

/** The means that a count of events allows, at 95 %: each end leaves 2.5 % (Garwood 1936). */
export function poissonInterval(count: number): [least: number, most: number] {
  const furthest = 10 + 4 * count
  const least = count === 0 ? 0 : meanAt((mean) => 1 - shareUpTo(count - 1, mean) >= TAIL, furthest)
  return [least, meanAt((mean) => shareUpTo(count, mean) <= TAIL, furthest)]
}

/** The least mean for which this holds, which then holds for all greater ones. */
function meanAt(holds: (mean: number) => boolean, furthest: number): number {
  let [low, high] = [0, furthest]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

/** The probability of at most this count. */
function shareUpTo(count: number, mean: number): number {
  let term = Math.exp(-mean)
  let sum = term
  for (let events = 1; events <= count; events++) {
    term *= mean / events
    sum += term
  }
  return sum
}
