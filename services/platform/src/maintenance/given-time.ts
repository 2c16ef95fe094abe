import { Problem } from '@roadworthy/service-kit/http/problem'
import { requireOrder } from '@roadworthy/service-kit/http/query-instant'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'

/** A clock that is a little ahead is no lie. */
const AHEAD_MS = 5 * 60_000
/** No vehicle on the road is older; what is before is a slip. */
const EARLIEST_MS = Date.UTC(1900, 0, 1)
const LATEST_MS = Date.UTC(2200, 0, 1)

/** A time in a body. Throws a `Problem` that names the field. */
export function givenTime(field: string, text: string): Date {
  return readTime(field, text, 'body')
}

/** Of a list: what is done or due from the first time until before the other. */
export function givenRange({ from, to }: { from?: string; to?: string }): { from: Date | undefined; to: Date | undefined } {
  const time = (field: string, text: string | undefined) => (text === undefined ? undefined : readTime(field, text, 'querystring'))
  const range = { from: time('from', from), to: time('to', to) }
  requireOrder(range)
  return range
}

function readTime(field: string, text: string, place: Place): Date {
  const atMs = parseRfc3339(text)
  if (atMs === undefined || atMs < EARLIEST_MS || atMs >= LATEST_MS) {
    throw invalid(
      place,
      field,
      `"${field}" must be an RFC 3339 date and time with an offset, from 1900 to 2199, such as 2026-01-31T08:15:00.000Z.`,
    )
  }
  return new Date(atMs)
}

/** A time in a body that cannot lie ahead. */
export function givenPastTime(field: string, text: string, now: Date): Date {
  const at = givenTime(field, text)
  if (at.getTime() > now.getTime() + AHEAD_MS) throw invalid('body', field, `"${field}" lies in the future.`)
  return at
}

type Place = 'body' | 'querystring'

function invalid(place: Place, field: string, message: string): Problem {
  return new Problem('invalid_request', message, { details: { in: place, field } })
}
