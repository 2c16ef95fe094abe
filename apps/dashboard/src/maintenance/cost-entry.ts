// What a person enters as the cost of work, as the API has it.

import { currencyDecimals } from '@roadworthy/contracts/sim-billing/currency-decimals'
import { t } from '../text/translate.ts'

export type Cost = { readonly amount_minor: number; readonly currency: string }

/**
 * `8450.5` in INR as 845050 paise; `undefined` where nothing is entered. Throws with what a person can do about it. Digits are moved as
 * text: 8.2 times 100 is not 820 among numbers.
 */
export function readCost(text: string, currency: string): Cost | undefined {
  const entered = text.trim().replaceAll(/[\s,](?=\d{3}(\D|$))/g, '')
  if (entered === '') return undefined
  if (currency === '') throw new Error(t('Choose the currency of the cost.'))
  const decimals = currencyDecimals[currency] ?? 2
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(entered) ?? []
  if (whole === undefined) throw new Error(t('Enter the cost in digits, such as 8450 or 84.50.'))
  if (fraction.length > decimals)
    throw new Error(
      t('{currency} has {decimals, plural, =0 {no digits} one {# digit} other {# digits}} after the point.', { currency, decimals }),
    )
  const amountMinor = Number(whole + fraction.padEnd(decimals, '0'))
  if (!Number.isSafeInteger(amountMinor)) throw new Error(t('The cost is too large.'))
  return { amount_minor: amountMinor, currency }
}

/** As it is entered: `8450.50` of 845050 paise. */
export function costText({ amount_minor: amountMinor, currency }: Cost): string {
  const decimals = currencyDecimals[currency] ?? 2
  if (decimals === 0) return String(amountMinor)
  const digits = String(amountMinor).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
