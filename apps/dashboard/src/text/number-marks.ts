// How a number is typed: with the marks with which the dashboard shows it.

import { locale } from './preferences.ts'

type Marks = Pick<NumberMarks, 'thousandSeparator' | 'decimalSeparator'>

export type NumberMarks = {
  readonly thousandSeparator: string
  readonly decimalSeparator: string
  /** Keys that write the mark of decimals. The other mark of the two is that of thousands, and would otherwise be one too. */
  readonly allowedDecimalSeparators: string[]
}

export function numberMarksOf(ofLocale: string): NumberMarks {
  const parts = new Intl.NumberFormat(ofLocale).formatToParts(1_234_567.8)
  const markOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value
  const decimalSeparator = markOf('decimal') ?? '.'
  return {
    thousandSeparator: markOf('group') ?? (decimalSeparator === ',' ? '.' : ','),
    decimalSeparator,
    allowedDecimalSeparators: [decimalSeparator],
  }
}

/**
 * Decimal text, as the API has it, of what was typed: `1.234,5` as `1234.5` in German. A mark that stands where thousands are written is one of those; else
 * either mark is that of decimals, as many keyboards have only one of them. What is no number stays as it is, and is refused by its field.
 */
export function decimalText(typed: string, { thousandSeparator, decimalSeparator }: Marks = numberMarks): string {
  const text = typed.replaceAll(/\s/g, '')
  const [thousands, decimals] = [`[${thousandSeparator}]`, `[${decimalSeparator}]`]
  // Groups of two are those of India: 12,34,567.
  const isGrouped = new RegExp(`^-?[1-9]\\d{0,2}(${thousands}\\d{2,3})*${thousands}\\d{3}(${decimals}\\d*)?$`).test(text)
  const whole = isGrouped ? text.replaceAll(thousandSeparator, '') : text
  const isOneMark = /^-?\d*[.,]\d*$/.test(whole)
  return isOneMark ? whole.replace(/[.,]/, '.').replace(/\.$/, '') : whole.replace(decimalSeparator, '.')
}

/** Decimal text with the mark with which it is typed. */
export function typedDecimal(decimal: string, { decimalSeparator }: Pick<Marks, 'decimalSeparator'> = numberMarks): string {
  return decimal.replace('.', decimalSeparator)
}

/** For a `NumberInput`: 171,300 kilometres are no 171 where thousands are written so. */
export const numberMarks = numberMarksOf(locale)
