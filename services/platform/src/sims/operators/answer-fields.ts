// Values as operators' platforms write them: numbers as text, amounts with units, dates in several spellings. What cannot be read exactly is
// `undefined`; nobody guesses.

import { startOfDay } from '@roadworthy/service-kit/time/zoned-time'
import { Type } from 'typebox'
import { printable } from './operator.ts'

/** Platforms leave a field out, or give null or an empty text, where there is nothing. */
export const optionalText = (maxLength = 200) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))
/** Platforms write counts as numbers and as text. */
export const numberOrText = Type.Union([Type.Number(), Type.String({ maxLength: 64 })])
export const optionalNumber = Type.Optional(Type.Union([numberOrText, Type.Null()]))

export const ICCID_PATTERN = '^[0-9]{18,20}$'
/** What SIMs are compared by: with and without the check digit, an ICCID is the same one (ITU-T E.118). */
const ICCID_KEY_DIGITS = 19

export function isSameIccid(one: string, other: string): boolean {
  return one.slice(0, ICCID_KEY_DIGITS) === other.slice(0, ICCID_KEY_DIGITS)
}

/** Trimmed and printable; `undefined` where there is nothing. */
export function presentText(text: string | null | undefined): string | undefined {
  const trimmed = printable(text ?? '', 200).trim()
  return trimmed === '' ? undefined : trimmed
}

/** Digits, perhaps behind a plus sign; anything else is taken for nothing, because a wrong number is worse than none. */
export function presentDigits(text: string | null | undefined, least: number, most: number): string | undefined {
  const digits = (text ?? '').trim().replace(/^\+/, '')
  return /^\d+$/.test(digits) && digits.length >= least && digits.length <= most ? digits : undefined
}

/** A whole number from 0 on that JavaScript holds exactly, also as text. */
export function readCount(value: number | string | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined
  const count = typeof value === 'number' ? value : /^\d{1,16}$/.test(value.trim()) ? Number(value) : Number.NaN
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** 1024 each; assumption: platforms of this kind do not document it, and their plans of 1 GB are used up at 1,073,741,824 bytes. */
const UNIT_BYTES: Readonly<Record<string, bigint>> = { B: 1n, BYTES: 1n, KB: 1n << 10n, MB: 1n << 20n, GB: 1n << 30n, TB: 1n << 40n }
const AMOUNT = /^(\d{1,15})(?:\.(\d{1,9}))?\s*([A-Za-z]{1,5})?$/

export type Amount = { readonly bytes: number /** Amounts are multiples of this. */; readonly resolutionBytes: number }

/** `12.5 MB`, or `12.5` with the unit beside it. Rounded half up to a byte; `undefined` where it is not exactly that. */
export function readAmount(text: string, besideUnit: string | undefined): Amount | undefined {
  const [, whole, decimals = '', ownUnit] = AMOUNT.exec(text.trim()) ?? []
  const unit = UNIT_BYTES[(ownUnit ?? besideUnit ?? '').trim().toUpperCase()]
  if (whole === undefined || unit === undefined) return undefined
  const scale = 10n ** BigInt(decimals.length)
  const bytes = (BigInt(whole + decimals) * unit * 2n + scale) / (2n * scale)
  if (bytes > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return { bytes: Number(bytes), resolutionBytes: Math.max(1, Number(unit / scale)) }
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d{1,9})?\s?(Z|[+-]\d{2}:?\d{2})$/
const LOCAL_TIME = /^(\d{2})[-/](\d{2})[-/](\d{4})(?: (\d{1,2}):(\d{2}):(\d{2})(?: ?([AP]M))?)?$/i

/** `2016-07-06 22:04:04.380+0000`, or RFC 3339. */
export function readInstant(text: string | null | undefined): Date | undefined {
  const [, day, time, fraction = '', zone = ''] = INSTANT.exec((text ?? '').trim()) ?? []
  if (day === undefined) return undefined
  return existing(Date.parse(`${day}T${time}${fraction.slice(0, 4)}${zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`}`))
}

/** `25-04-2019 03:35:40 PM`, or the day alone, by the clocks of a time zone. */
export function readLocalTime(text: string | null | undefined, timeZone: string): Date | undefined {
  const [, day = '', month = '', year, hourText = '0', minutes = '0', seconds = '0', half] = LOCAL_TIME.exec((text ?? '').trim()) ?? []
  if (year === undefined) return undefined
  const date = `${year}-${month}-${day}`
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  if (
    existing(Date.parse(`${date}T00:00:00Z`))
      ?.toISOString()
      .slice(0, 10) !== date
  )
    return undefined
  return existing(startOfDay(timeZone, date) + ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000)
}

const EARLIEST_MS = Date.UTC(1990, 0)
const LATEST_MS = Date.UTC(2200, 0)

function existing(ms: number): Date | undefined {
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms) : undefined
}
