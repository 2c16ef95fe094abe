import { Problem } from '@roadworthy/service-kit/http/problem'
import { requireOrder } from '@roadworthy/service-kit/http/query-instant'
import { isRfc3339Ms, parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'

/** Half-open: `from` is in it, `to` is not. */
export type TimeRange = { readonly from: Date; readonly to: Date }

const DAY_MS = 86_400_000

/** What the query parameters `from` and `to` ask for. Throws `Problem('invalid_request')` that names the parameter. */
export function timeRange(
  query: { from?: string | undefined; to?: string | undefined },
  now: Date,
  { presetMs, maxMs }: { presetMs: number; maxMs: number },
): TimeRange {
  const to = query.to === undefined ? now : instant('to', query.to)
  const from = query.from === undefined ? before(to, presetMs) : instant('from', query.from)
  requireOrder({ from, to })
  if (to.getTime() - from.getTime() > maxMs) throw invalid('from', `The range is longer than ${Math.round(maxMs / DAY_MS)} days.`)
  return { from, to }
}

/** In the year 0000 it is `to` itself: no answer could name a time before. */
function before(to: Date, ms: number): Date {
  const atMs = to.getTime() - ms
  return isRfc3339Ms(atMs) ? new Date(atMs) : to
}

function instant(field: string, text: string): Date {
  const atMs = parseRfc3339(text)
  if (atMs === undefined) {
    throw invalid(field, `"${field}" must be an RFC 3339 date and time with an offset, such as 2026-01-31T08:15:00.000Z.`)
  }
  return new Date(atMs)
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_request', message, { details: { in: 'querystring', field } })
}
