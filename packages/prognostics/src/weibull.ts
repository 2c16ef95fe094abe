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

/** The cumulative hazard at which a share `failed` of those who began has failed. */
export function hazardAtShare(failed: number): number {
  return -Math.log1p(-failed)
}

/** The further life that a share `failed` of those alive at `age` does not reach. `spent` is the cumulative hazard at `age`. */
export function residualQuantile(life: Weibull, age: number, spent: number, acute: number, failed: number): number {
  return lifeUntilHazard(life, age, spent, acute, hazardAtShare(failed))
}

/** The further life from `age` until `hazardToSpend` has gathered beyond `spent`. For the same quantile of many lives. */
export function lifeUntilHazard(life: Weibull, age: number, spent: number, acute: number, hazardToSpend: number): number {
  const byWear = life.scale * (spent + hazardToSpend) ** (1 / life.shape) - age
  if (acute <= 0) return Math.max(0, byWear)
  // The sum of both hazards only rises with what is ahead, and each alone reaches the hazard to spend no sooner than both: Newton from there,
  // held between bounds, because for β < 1 (early failures) the hazard falls and a step may overshoot.
  let [low, high] = [0, Math.min(byWear, hazardToSpend / acute)]
  let ahead = high
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const excess = cumulativeHazard(life, age + ahead) - spent + acute * ahead - hazardToSpend
    if (excess > 0) high = ahead
    else low = ahead
    const slope = (life.shape / life.scale) * ((age + ahead) / life.scale) ** (life.shape - 1) + acute
    const next = ahead - excess / slope
    const change = Math.abs(next - ahead)
    if (change <= RELATIVE_TOLERANCE * ahead) break
    ahead = next > low && next < high ? next : (low + high) / 2
  }
  return Math.max(0, ahead)
}
