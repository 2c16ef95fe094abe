// What lives of parts come to. Pure.

import type { Life } from '@roadworthy/contracts/platform-v1/maintenance'

export type LifeSummary = {
  readonly failedCount: number
  /** Those that had not failed when they were last looked at, or were replaced. */
  readonly censoredCount: number
  /** The age that half of the parts reach; `undefined` where more than half outlast what is known. */
  readonly medianLife: number | undefined
  readonly longest: number
}

/** The median is that of Kaplan and Meier (1958), which counts a part that has not failed as one that lasted at least so long. */
export function summaryOf(lives: readonly Pick<Life, 'age' | 'failed'>[]): LifeSummary {
  const failedCount = lives.filter(({ failed }) => failed).length
  // Of one age those that failed come first: a part that lasted at least so long was there when they did.
  const byAge = lives.toSorted((a, b) => a.age - b.age || Number(b.failed) - Number(a.failed))
  let surviving = 1
  let medianLife: number | undefined
  for (const [i, { age, failed }] of byAge.entries()) {
    if (!failed) continue
    surviving *= 1 - 1 / (byAge.length - i)
    // Rounding of the factors must not decide.
    if (surviving <= 0.5 + 1e-9) {
      medianLife = age
      break
    }
  }
  return { failedCount, censoredCount: lives.length - failedCount, medianLife, longest: byAge.at(-1)?.age ?? 0 }
}
