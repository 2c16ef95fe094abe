// Amounts of money and of data, as people write them.

import { currencyDecimals } from '@roadworthy/contracts/sim-billing/currency-decimals'

const BYTES_PER_MB = 1_048_576

/** `₹1,234.50` of 123450 paise. Minor units are those of ISO 4217, which is not what browsers round some currencies to. */
export function money(amountMinor: number, currency: string): string {
  const decimals = currencyDecimals[currency] ?? 2
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // A decimal text is formatted exactly, where a number may not be.
  return format.format(decimalText(amountMinor, decimals) as `${number}`)
}

function decimalText(amountMinor: number, decimals: number): string {
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0')
  const sign = amountMinor < 0 ? '-' : ''
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const shortNumber = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** `0 MB`, `312 MB`, `1.5 GB`; a megabyte is 1,048,576 bytes, as it is billed. */
export function dataSize(bytes: number): string {
  const megabytes = bytes / BYTES_PER_MB
  return megabytes >= 1024 ? `${shortNumber.format(megabytes / 1024)} GB` : `${shortNumber.format(megabytes)} MB`
}
