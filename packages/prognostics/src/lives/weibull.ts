/** A Weibull life: `shape` β (> 1 wears out), `scale` η in the unit of age. Cumulative hazard H(a) = (a / η)^β. */
export type Weibull = { readonly shape: number; readonly scale: number }

export function cumulativeHazard({ shape, scale }: Weibull, age: number): number {
  return (age / scale) ** shape
}

/**
 * Cumulative hazard of a further `ahead`, given life up to `age` at which `spent` had gathered, with a constant hazard `acute` beside
 * wear: the two are competing risks, so their hazards add. Survival is its negative exponential.
 */
export function hazardAhead(life: Weibull, age: number, spent: number, ahead: number, acute: number): number {
  return cumulativeHazard(life, age + ahead) - spent + acute * ahead
}

const NEWTON_STEPS = 40
const RELATIVE_TOLERANCE = 1e-6

/** The further life that a share `failed` of those alive at `age` does not reach. `spent` is the cumulative hazard at `age`. */
export function residualQuantile(life: Weibull, age: number, spent: number, acute: number, failed: number): number {
  const hazardToSpend = -Math.log1p(-failed)
  const byWear = life.scale * (spent + hazardToSpend) ** (1 / life.shape) - age
  if (acute <= 0) return Math.max(0, byWear)
  // Each hazard alone reaches the one to spend no sooner than both.
  return reachHazard(
    hazardToSpend,
    Math.min(byWear, hazardToSpend / acute),
    (ahead) => cumulativeHazard(life, age + ahead) - spent + acute * ahead,
    (ahead) => (life.shape / life.scale) * ((age + ahead) / life.scale) ** (life.shape - 1) + acute,
  )
}

/**
 * Where a cumulative hazard, which only rises, is `wanted`, known to lie below `highest`: Newton from there, held between bounds, because
 * where the hazard falls (early failures) a step may overshoot. `slopeAt` is its derivative.
 */
export function reachHazard(
  wanted: number,
  highest: number,
  hazardAt: (ahead: number) => number,
  slopeAt: (ahead: number) => number,
): number {
  let [low, high] = [0, highest]
  let ahead = high
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const excess = hazardAt(ahead) - wanted
    if (excess > 0) high = ahead
    else low = ahead
    const next = ahead - excess / slopeAt(ahead)
    const change = Math.abs(next - ahead)
    if (change <= RELATIVE_TOLERANCE * ahead) break
    ahead = next > low && next < high ? next : (low + high) / 2
  }
  return Math.max(0, ahead)
}
