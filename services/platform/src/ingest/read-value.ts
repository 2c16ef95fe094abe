// One value of a record, which must fit its key: else a refusal that names the key as it was sent and what would be right.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { isLonger } from '@roadworthy/service-kit/text/text-length'

const MAX_DTC_CODES = 64
const MAX_DTC_CODE_LENGTH = 32

/** Most who are refused here sent seconds. */
export function wrongTime(key: string, value: unknown): Problem {
  const isCounted = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
  const instead = isCounted ? ', not a number of seconds or milliseconds' : typeof value === 'string' ? '' : `, not ${typeName(value)}`
  return new Problem(
    'invalid_request',
    `"${key}" must be an RFC 3339 date and time with an offset, such as 2026-01-31T08:15:00.000Z${instead}.`,
    { details: { field: key } },
  )
}

export function finite(key: string, value: unknown): number {
  if (typeof value !== 'number') throw wrongType(key, 'a number', value)
  if (!Number.isFinite(value)) throw new Problem('invalid_request', `"${key}" is not a finite number.`, { details: { field: key } })
  return value
}

/** In the canonical unit, in which the greatest numbers of the wire may be beyond what a number holds. */
export function scaled(key: string, value: unknown, scale: number): number {
  return finite(key, finite(key, value) * scale)
}

export function text(key: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw wrongType(key, 'a string', value)
  if (value === '' || isLonger(value, maxLength)) {
    throw new Problem('invalid_request', `"${key}" must have 1 to ${maxLength} characters.`, { details: { field: key } })
  }
  return value
}

/** As vehicles are registered: blanks around a name are none of it. */
export function trimmed(key: string, value: unknown, maxLength: number): string {
  const name = text(key, value, maxLength).trim()
  if (name !== '') return name
  throw new Problem('invalid_request', `"${key}" must have more in it than blanks.`, { details: { field: key } })
}

export function object(key: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(key, 'an object', value)
  return value as Record<string, unknown>
}

export function lampState(key: string, value: unknown): boolean {
  if (value === 'LAMP_ON') return true
  if (value === 'LAMP_OFF') return false
  throw new Problem('invalid_request', `"${key}" must be "LAMP_ON" or "LAMP_OFF".`, { details: { field: key } })
}

export function dtcCodes(key: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw wrongType(key, 'an array of strings', value)
  if (value.length > MAX_DTC_CODES)
    throw new Problem('invalid_request', `"${key}" has more than ${MAX_DTC_CODES} codes.`, { details: { field: key } })
  return value.map((code) => text(key, code, MAX_DTC_CODE_LENGTH))
}

export function wrongType(key: string, wanted: string, value: unknown): Problem {
  return new Problem('invalid_request', `"${key}" must be ${wanted}, not ${typeName(value)}.`, { details: { field: key } })
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return value === null ? 'null' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
