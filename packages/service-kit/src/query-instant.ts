import { Problem } from './problem.ts'
import { parseRfc3339 } from './rfc3339.ts'

/** The instant that a query parameter names; undefined where it is left out. Throws `invalid_request` for what is no time of RFC 3339. */
export function queryInstant(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const atMs = parseRfc3339(text)
  if (atMs !== undefined) return new Date(atMs)
  throw new Problem('invalid_request', `"${field}" is not a time of the form 2026-01-31T08:15:00Z.`, {
    details: { in: 'querystring', field },
  })
}
