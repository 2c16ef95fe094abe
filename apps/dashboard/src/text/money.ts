// Amounts of money and of data, as people write them.

import { currencyDecimals } from '@roadworthy/contracts/sim-billing/currency-decimals'
import { madeFor } from '@roadworthy/wording/formats'
import { locale } from './preferences.ts'

const BYTES_PER_MB = 1_048_576
/** As many as browsers write. */
const MAX_PRICE_DECIMALS = 20

/** `₹1,234.50` of 123450 paise. Minor units are those of ISO 4217, which is not what browsers round some currencies to. */
export function money(amountMinor: number, currency: string): string {
  const decimals = currencyDecimals[currency] ?? 2
  return inCurrency(decimalText(amountMinor, decimals), currency, decimals)
}

/** `1234.50` of 123450 paise, as an input takes it. */
export function majorText(amountMinor: number, currency: string): string {
  return decimalText(amountMinor, currencyDecimals[currency] ?? 2)
}

/** 123450 paise of `1234.5`. Undefined: it is no amount, or has more decimals than the currency. */
export function minorOf(decimal: string, currency: string): number | undefined {
  const decimals = currencyDecimals[currency] ?? 2
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(decimal) ?? []
  if (whole === '' || fraction.length > decimals) return undefined
  const amountMinor = Number(whole + fraction.padEnd(decimals, '0'))
  return Number.isSafeInteger(amountMinor) ? amountMinor : undefined
}

/** `₹5.50` of `5.5`, and `₹0.088`: a price may have more decimals than its currency. */
export function price(decimal: string, currency: string): string {
  return inCurrency(decimal, currency, MAX_PRICE_DECIMALS)
}

const inCurrencies = new Map<string, Intl.NumberFormat>()

/** A decimal text is formatted exactly, where a number may not be. */
function inCurrency(decimal: string, currency: string, maximumFractionDigits: number): string {
  const format = madeFor(inCurrencies, `${currency} ${maximumFractionDigits}`, () => {
    const minimumFractionDigits = currencyDecimals[currency] ?? 2
    const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol', minimumFractionDigits, maximumFractionDigits } as const
    return new Intl.NumberFormat(locale, options)
  })
  return format.format(decimal as `${number}`)
}

function decimalText(amountMinor: number, decimals: number): string {
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0')
  const sign = amountMinor < 0 ? '-' : ''
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const shortNumber = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })

const shortQuantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })

/** `0.903` of `0.903226`: enough to check a line of an invoice in one's head. */
export function quantity(decimal: string): string {
  return shortQuantity.format(decimal as `${number}`)
}

/** `0 MB`, `312 MB`, `1.5 GB`; a megabyte is 1,048,576 bytes, as it is billed. */
export function dataSize(bytes: number): string {
  const megabytes = bytes / BYTES_PER_MB
  return megabytes >= 1024 ? `${shortNumber.format(megabytes / 1024)} GB` : `${shortNumber.format(megabytes)} MB`
}
