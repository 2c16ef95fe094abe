// How good predictions turned out, in plain words, and no better known than it is.

import type { ComponentAccuracy } from '@roadworthy/contracts/platform-v1/maintenance'
import { decimalNumber, percent } from '../text/format.ts'
import { t } from '../text/translate.ts'

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
  if (verdict === 'none') return t('No part is on record as failed, so nothing can be said yet.')
  const [low = 0, high = 1] = coverage95 ?? []
  const counted = t('{inside} of {failures} failed within the predicted interval; {expected} should.', {
    inside,
    failures,
    expected: percent(expected),
  })
  return `${counted} ${judgement(verdict, { low: percent(low), high: percent(high) })}`
}

function judgement(verdict: Verdict, range: { low: string; high: string }): string {
  if (verdict === 'few') return t('The true share lies between {low} and {high}: these are too few to judge by.', range)
  if (verdict === 'too narrow') return t('The true share lies between {low} and {high}: the intervals promise more than they keep.', range)
  if (verdict === 'too wide') return t('The true share lies between {low} and {high}: the intervals are wider than they need to be.', range)
  return t('The true share lies between {low} and {high}, which agrees with what was promised.', range)
}

export function errorText({ meanError_days: meanError, meanAbsoluteError_days: meanAbsolute }: ComponentAccuracy): string | undefined {
  if (meanError === null || meanAbsolute === null) return undefined
  const away = inDays(meanAbsolute)
  const shift = inDays(Math.abs(meanError))
  if (Math.abs(meanError) < 0.5) return t('Failures were {away} away from the prediction, neither earlier nor later on average.', { away })
  return meanError < 0
    ? t('Failures were {away} away from the prediction, {shift} earlier on average.', { away, shift })
    : t('Failures were {away} away from the prediction, {shift} later on average.', { away, shift })
}

/** What is in no figure, so that nobody takes the figures for all work. */
export function leftOutText({ censored, censoredLater, unknown }: ComponentAccuracy): string | undefined {
  const replaced =
    censoredLater === 0
      ? t('{censored} replaced before failing', { censored })
      : t('{censored} replaced before failing ({later} of them had outlasted the interval)', { censored, later: censoredLater })
  const parts = [censored === 0 ? undefined : replaced, unknown === 0 ? undefined : t('{unknown} without a finding', { unknown })].filter(
    (part) => part !== undefined,
  )
  return parts.length === 0 ? undefined : t('Not in these figures: {parts}.', { parts: parts.join(', ') })
}

function inDays(days: number): string {
  return t('{count} days', { count: decimalNumber(days, 1) })
}
