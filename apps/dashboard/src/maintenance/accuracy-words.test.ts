import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComponentAccuracy } from '@roadworthy/contracts/platform-v1/maintenance'
import { errorText, leftOutText, verdictOf, verdictText } from './accuracy-words.ts'

const nothing: ComponentAccuracy = {
  ...{ component: 'brakes', failures: 0, inside: 0, coverage: null, coverage95: null, meanError_days: null },
  ...{ meanAbsoluteError_days: null, censored: 0, censoredLater: 0, unknown: 0 },
}

test('few failures are not judged by, and many are held against what was promised', () => {
  const of = (low: number, high: number) => verdictOf({ coverage95: [low, high] }, 0.8)
  assert.equal(verdictOf(nothing, 0.8), 'none')
  assert.equal(of(0.3, 0.99), 'few')
  assert.equal(of(0.7, 0.9), 'as expected')
  assert.equal(of(0.2, 0.75), 'too narrow', 'even the best case is below')
  assert.equal(of(0.85, 0.99), 'too wide')
})

test('the figures are shown in words, with what is in none of them', () => {
  const nine = {
    ...nothing,
    failures: 9,
    inside: 7,
    coverage: 0.78,
    coverage95: [0.45, 0.94],
    meanError_days: -2.4,
    meanAbsoluteError_days: 6.1,
  }
  assert.match(verdictText(nothing, 0.8), /nothing can be said yet/)
  assert.match(verdictText(nine, 0.8), /^7 of 9 failed .* 80 % should. .* 45 % and 94 %: these are too few/)
  assert.equal(errorText(nine), 'Failures were 6.1 days away from the prediction, 2.4 days earlier on average.')
  assert.match(errorText({ ...nine, meanError_days: 0.1 }) ?? '', /neither earlier nor later/)
  assert.equal(errorText(nothing), undefined)
  assert.equal(leftOutText(nothing), undefined)
  assert.equal(
    leftOutText({ ...nothing, censored: 21, censoredLater: 2, unknown: 3 }),
    'Not in these figures: 21 replaced before failing (2 of them had outlasted the interval), 3 without a finding.',
  )
})
