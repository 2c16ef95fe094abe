// How values from PostgreSQL become JavaScript's. As the driver does it, except for times, of which a page of a list holds thousands: the
// driver takes them apart with a regular expression, which was half of what such a page cost.

import pg from 'pg'

const { TIMESTAMPTZ } = pg.types.builtins
type Parser = (text: string) => unknown
const parseAnyTimestamptz = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as Parser

/** For the `types` option of a connection or pool. */
export const pgTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? parseTimestamptz
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

const ZERO = 48
const digit = (text: string, at: number) => text.charCodeAt(at) - ZERO
const twoDigits = (text: string, at: number) => digit(text, at) * 10 + digit(text, at + 1)
/** `2026-03-04 05:06:07+00` */
const WHOLE_SECONDS_LENGTH = 22
const FRACTION_AT = 20

/** What is finer than a millisecond is cut off. Anything but the usual form (years of four digits, in UTC) is left to the driver. */
export function parseTimestamptz(text: string): unknown {
  const isUsual =
    text.length >= WHOLE_SECONDS_LENGTH &&
    text.endsWith('+00') &&
    text[4] === '-' &&
    text[7] === '-' &&
    text[10] === ' ' &&
    text[13] === ':' &&
    text[16] === ':' &&
    (text.length === WHOLE_SECONDS_LENGTH || text[FRACTION_AT - 1] === '.')
  if (!isUsual) return parseAnyTimestamptz(text)
  const fractionDigits = Math.min(3, text.length - 3 - FRACTION_AT)
  let ms = 0
  for (let i = 0; i < 3; i++) ms = ms * 10 + (i < fractionDigits ? digit(text, FRACTION_AT + i) : 0)
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  // `Date.UTC` takes the years 0 to 99 for those of the last century.
  if (year < 100) return parseAnyTimestamptz(text)
  const seconds = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)] as const
  return new Date(Date.UTC(year, twoDigits(text, 5) - 1, twoDigits(text, 8), ...seconds, ms))
}
