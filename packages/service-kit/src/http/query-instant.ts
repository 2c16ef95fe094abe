import { parseRfc3339 } from '../time/rfc3339.ts'
import { Problem } from './problem.ts'

/** The instant that a query parameter names; undefined where it is left out. Throws `invalid_request` for what is no time of RFC 3339. */
export function queryInstant(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const atMs = parseRfc3339(text)
  if (atMs !== undefined) return new Date(atMs)
  throw new Problem('invalid_request', `"${field}" is not a time of the form 2026-01-31T08:15:00Z.`, {
    details: { in: 'querystring', field },
  })
}

/** The instants of the query parameters `from` and `to`, each of which may be left out. Throws also where they are the wrong way round. */
export function queryRange(query: { from?: string; to?: string }): { from: Date | undefined; to: Date | undefined } {
  const range = { from: queryInstant('from', query.from), to: queryInstant('to', query.to) }
  requireOrder(range)
  return range
}

/** A range the wrong way round holds nothing: an empty list would look as if nothing had happened. */
export function requireOrder({ from, to }: { from: Date | undefined; to: Date | undefined }): void {
  if (from === undefined || to === undefined || from <= to) return
  throw new Problem('invalid_request', '"from" is later than "to".', { details: { in: 'querystring', field: 'from' } })
}
