/** A Weibull life: `shape` β (> 1 wears out), `scale` η in the unit of age. Cumulative hazard H(a) = (a / η)^β. */
export type Weibull = { readonly shape: number; readonly scale: number }

export function cumulativeHazard({ shape, scale }: Weibull, age: number): number {
  return (age / scale) ** shape
}

/** Probability of having failed by `age`. */
export function failedBy(life: Weibull, age: number): number {
  return -Math.expm1(-cumulativeHazard(life, age))
}

/**
 * Survival over a further `ahead`, given life up to `age`, with a constant hazard `acute` beside wear: the two are competing risks, so
 * their hazards add.
 */
export function survivalAhead(life: Weibull, age: number, ahead: number, acute: number): number {
  return Math.exp(cumulativeHazard(life, age) - cumulativeHazard(life, age + ahead) - acute * ahead)
}

const NEWTON_STEPS = 40
const RELATIVE_TOLERANCE = 1e-6

/** The further life that a share `failed` of those alive at `age` does not reach. */
export function residualQuantile(life: Weibull, age: number, acute: number, failed: number): number {
  const hazardToSpend = -Math.log1p(-failed)
  const spent = cumulativeHazard(life, age)
  const byWear = life.scale * (spent + hazardToSpend) ** (1 / life.shape) - age
  if (acute <= 0) return Math.max(0, byWear)
  // The sum of both hazards is increasing and convex for β ≥ 1, so Newton from the right closes in from the right.
  let ahead = Math.min(byWear, hazardToSpend / acute)
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const excess = cumulativeHazard(life, age + ahead) - spent + acute * ahead - hazardToSpend
    const slope = (life.shape / life.scale) * ((age + ahead) / life.scale) ** (life.shape - 1) + acute
    const change = excess / slope
    ahead -= change
    if (Math.abs(change) <= RELATIVE_TOLERANCE * ahead) break
  }
  return Math.max(0, ahead)
}
