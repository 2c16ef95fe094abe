// Numbers and dates as an invoice shows them to people. Digits are always Latin: the rest of the page is in English.

import type { InvoiceLine, LineUnit } from '../invoice.ts'
import { decimalsOf, toMajorText } from '../rating/money.ts'
import { civilDays } from './civil-date.ts'

export type Formats = {
  /** `1,234.50`: every decimal of the currency, so that it reads back to the minor unit. */
  readonly amount: (minor: number) => string
  /** `INR 1,234.50`. */
  readonly money: (minor: number) => string
  readonly quantity: (line: Pick<InvoiceLine, 'quantity' | 'quantityFraction' | 'unit'>) => string
  /** `0.15 per 1,000`. */
  readonly price: (line: Pick<InvoiceLine, 'unitPrice' | 'priceQuantity'>) => string
  readonly day: (at: Date) => string
  /** `1 Oct 2026 – 31 Oct 2026`, both included. */
  readonly days: (span: { readonly from: Date; readonly until: Date }) => string
}

const units: Readonly<Record<LineUnit, { one: string; more: string }>> = {
  month: { one: 'month', more: 'months' },
  day: { one: 'day', more: 'days' },
  piece: { one: '', more: '' },
  megabyte: { one: 'MB', more: 'MB' },
}

/** Of the rest, the decimal is easier to read: `7/31` of a month, but `0.333362`. */
const MAX_SHOWN_DENOMINATOR = 366
const NO_BREAK_SPACE = '\u00a0'

const DEFAULT_LOCALE = 'en-GB'

/** `locale` is a language tag of BCP 47, for separators and the names of months; one that is unknown is `en-GB`. */
export function formatsOf({ currency, timeZone, locale }: { currency: string; timeZone: string; locale: string | undefined }): Formats {
  const language = languageOf(locale)
  const decimals = decimalsOf(currency)
  const amounts = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  const prices = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: 12 })
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 12 })
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone, calendar: 'gregory' })
  // Decimal texts are formatted exactly, where numbers may not be.
  const amount = (minor: number) => amounts.format(toMajorText(minor, currency) as `${number}`)
  const day = (at: Date) => dates.format(at)
  return {
    amount,
    money: (minor) => `${currency}${NO_BREAK_SPACE}${amount(minor)}`,
    quantity: (line) => quantityText(line, (text) => numbers.format(text as `${number}`)),
    price: ({ unitPrice, priceQuantity }) => {
      const price = prices.format(unitPrice as `${number}`)
      return priceQuantity === 1 ? price : `${price} per ${numbers.format(priceQuantity)}`
    },
    day,
    days: (span) => {
      const { first, last } = civilDays(span, timeZone)
      const lastMs = Math.max(span.from.getTime(), span.until.getTime() - 1)
      return first === last ? day(span.from) : `${day(span.from)} – ${day(new Date(lastMs))}`
    },
  }
}

function quantityText(
  { quantity, quantityFraction: exact, unit }: Pick<InvoiceLine, 'quantity' | 'quantityFraction' | 'unit'>,
  format: (text: string) => string,
): string {
  const isShort = exact !== undefined && Number(exact.denominator) <= MAX_SHOWN_DENOMINATOR
  const shown = isShort ? `${exact.numerator}/${exact.denominator}` : format(quantity)
  const name = quantity === '1' ? units[unit].one : units[unit].more
  return name === '' ? shown : `${shown}${NO_BREAK_SPACE}${name}`
}

function languageOf(locale: string | undefined): string {
  try {
    const { language, region, script } = new Intl.Locale(locale ?? DEFAULT_LOCALE)
    return new Intl.Locale(language, { region, script, numberingSystem: 'latn' } as Intl.LocaleOptions).toString()
  } catch {
    // A tag that is none.
    return DEFAULT_LOCALE
  }
}
