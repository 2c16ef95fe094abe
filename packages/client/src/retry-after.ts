/**
 * `Retry-After` in seconds, from either form (RFC 9110 §10.2.3). A date is counted from the `Date` of the same answer where there is one, so
 * that a clock that is wrong here does not matter. Undefined when there is none that can be read.
 */
export function retryAfterOf(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  // What begins with a word is a date; `Date.parse` would also make one of a number below zero.
  const atMs = /^[A-Za-z]/.test(value) ? parseDate(value) : Number.NaN
  if (Number.isNaN(atMs)) return undefined
  const sentAtMs = parseDate(headers.get('date') ?? '')
  return Math.max(0, Math.ceil((atMs - (Number.isNaN(sentAtMs) ? nowMs : sentAtMs)) / 1000))
}

/** Of the three forms (RFC 9110 §5.6.7) that of `asctime` names no zone, and is UTC: `Date.parse` takes it for the time of this machine. */
function parseDate(text: string): number {
  return Date.parse(/\d{4}$/.test(text.trim()) ? `${text} GMT` : text)
}
