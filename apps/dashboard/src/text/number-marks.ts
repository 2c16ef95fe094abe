// How a number is typed: with the marks with which the dashboard shows it.

import { locale } from './preferences.ts'

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

/** For a `NumberInput`: 171,300 kilometres are no 171 where thousands are written so. */
export const numberMarks = numberMarksOf(locale)
