// From the units of phones and trackers to ours, each with its source.

/** One knot is a nautical mile of 1,852 m an hour (NIST SP 811, appendix B.8). */
export const KMH_PER_KNOT = 1.852
/** Seconds of an hour over metres of a kilometre: exact. */
export const KMH_PER_MPS = 3.6
export const KM_PER_M = 0.001
export const PERCENT_PER_ONE = 100

/** Slower than this a rate over a distance says nothing: a vehicle that idles would use any number of litres for 100 km. */
const MIN_SPEED_FOR_RATE_KMH = 5

/** L/100 km of a rate in L/h; undefined where the vehicle hardly moves. */
export function consumptionOf(fuelRateLPerH: number | undefined, speedKmh: number | undefined): number | undefined {
  if (fuelRateLPerH === undefined || speedKmh === undefined || speedKmh <= MIN_SPEED_FOR_RATE_KMH) return undefined
  return Number(((100 * fuelRateLPerH) / speedKmh).toPrecision(6))
}
