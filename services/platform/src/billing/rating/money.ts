// Money without floats. An amount is a whole number of minor units (paise, cents, fils); ISO 4217 defines how many decimals that is.

import { currencyDecimals } from '@roadworthy/contracts/sim-billing/currency-decimals'
import { Problem } from '@roadworthy/service-kit/http/problem'

const known = new Set(Intl.supportedValuesOf('currency'))

/** Whether it is the code of a currency, in capitals. */
export function isCurrency(code: string): boolean {
  return known.has(code)
}

/** Decimals of the minor unit. Throws on what is no currency. */
export function decimalsOf(currency: string): number {
  if (!isCurrency(currency)) {
    throw new Problem('invalid_request', `${JSON.stringify(currency)} is no currency of ISO 4217, such as INR or EUR.`, {
      details: { field: 'currency' },
    })
  }
  return currencyDecimals[currency] ?? 2
}

/** `123456` paise are `1234.56`. */
export function toMajorText(amountMinor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0')
  const sign = amountMinor < 0 ? '-' : ''
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
