// What a person enters as the cost of work, as the API has it.

import { currencyDecimals } from '@roadworthy/contracts/sim-billing/currency-decimals'
import { minorOf } from '../text/money.ts'
import { typedDecimal } from '../text/number-marks.ts'
import { t } from '../text/translate.ts'

export type Cost = { readonly amount_minor: number; readonly currency: string }

/**
 * Decimal text: `8450.5` in INR as 845050 paise; `undefined` where nothing is entered. Throws with what a person can do about it. Digits are moved as
 * text: 8.2 times 100 is not 820 among numbers.
 */
export function readCost(text: string, currency: string): Cost | undefined {
  const entered = text.trim()
  if (entered === '') return undefined
  if (currency === '') throw new Error(t('Choose the currency of the cost.'))
  const decimals = currencyDecimals[currency] ?? 2
  const [digits, fraction = ''] = /^\d+(?:\.(\d+))?$/.exec(entered) ?? []
  if (digits === undefined) throw new Error(t('Enter the cost in digits, such as 8450 or {example}.', { example: typedDecimal('84.50') }))
  if (fraction.length > decimals)
    throw new Error(
      t('{currency} has {decimals, plural, =0 {no digits} one {# digit} other {# digits}} after the point.', { currency, decimals }),
    )
  const amountMinor = minorOf(digits, currency)
  if (amountMinor === undefined) throw new Error(t('The cost is too large.'))
  return { amount_minor: amountMinor, currency }
}
