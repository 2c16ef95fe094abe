// How good predictions turned out, in plain words, and no better known than it is.

import type { ComponentAccuracy } from '@roadworthy/contracts/platform-v1/maintenance'
import { decimalNumber, percent } from '../text/format.ts'

/** How far apart the two ends of `coverage95` may be for the share to be worth a word. An assumption: 20 points to either side. */
const WIDEST_USEFUL = 0.4

export type Verdict = 'none' | 'few' | 'as expected' | 'too narrow' | 'too wide'

export function verdictOf({ coverage95 }: Pick<ComponentAccuracy, 'coverage95'>, expected: number): Verdict {
  const [low, high] = coverage95 ?? []
  if (low === undefined || high === undefined) return 'none'
  // Also of few: where even the best case is below what was promised, that is known.
  if (high < expected) return 'too narrow'
  if (low > expected) return 'too wide'
  return high - low > WIDEST_USEFUL ? 'few' : 'as expected'
}

export function verdictText(accuracy: ComponentAccuracy, expected: number): string {
  const { failures, inside, coverage95 } = accuracy
  const verdict = verdictOf(accuracy, expected)
  if (verdict === 'none') return 'No part is on record as failed, so nothing can be said yet.'
  const [low = 0, high = 1] = coverage95 ?? []
  const counted = `${inside} of ${failures} failed within the predicted interval; ${percent(expected)} should.`
  const range = `The true share lies between ${percent(low)} and ${percent(high)}`
  if (verdict === 'few') return `${counted} ${range}: these are too few to judge by.`
  if (verdict === 'too narrow') return `${counted} ${range}: the intervals promise more than they keep.`
  if (verdict === 'too wide') return `${counted} ${range}: the intervals are wider than they need to be.`
  return `${counted} ${range}, which agrees with what was promised.`
}

export function errorText({ meanError_days: meanError, meanAbsoluteError_days: meanAbsolute }: ComponentAccuracy): string | undefined {
  if (meanError === null || meanAbsolute === null) return undefined
  const side = meanError < 0 ? 'earlier' : 'later'
  const shift = Math.abs(meanError) < 0.5 ? 'neither earlier nor later on average' : `${inDays(Math.abs(meanError))} ${side} on average`
  return `Failures were ${inDays(meanAbsolute)} away from the prediction, ${shift}.`
}

/** What is in no figure, so that nobody takes the figures for all work. */
export function leftOutText({ censored, censoredLater, unknown }: ComponentAccuracy): string | undefined {
  const parts = [
    censored === 0
      ? undefined
      : `${censored} replaced before failing${censoredLater === 0 ? '' : ` (${censoredLater} of them had outlasted the interval)`}`,
    unknown === 0 ? undefined : `${unknown} without a finding`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : `Not in these figures: ${parts.join(', ')}.`
}

function inDays(days: number): string {
  return `${decimalNumber(days, 1)} days`
}
