/** Of the standard normal distribution: 95 % lie within. */
const Z = 1.959964

/**
 * Between what a true share lies with 95 % confidence when `hits` of `count` were seen; `count` above 0. Unlike the textbook's it holds for few
 * and for all or none (Wilson 1927; Brown, Cai & DasGupta 2001).
 */
export function wilsonInterval(hits: number, count: number): [number, number] {
  const share = hits / count
  const middle = (share + Z ** 2 / (2 * count)) / (1 + Z ** 2 / count)
  const half = (Z / (1 + Z ** 2 / count)) * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}
