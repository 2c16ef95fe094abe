/**
 * `Retry-After` in seconds, from either form (RFC 9110 §10.2.3). A date is counted from the `Date` of the same answer where there is one, so
 * that a clock that is wrong here does not matter. Undefined when there is none that can be read.
 */
export function retryAfterOf(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  // What begins with a word is a date; `Date.parse` would also make one of a number below zero.
  const atMs = /^[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(atMs)) return undefined
  const sentAtMs = Date.parse(headers.get('date') ?? '')
  return Math.max(0, Math.ceil((atMs - (Number.isNaN(sentAtMs) ? nowMs : sentAtMs)) / 1000))
}
