// One HTTP request to an operator's platform, whose host is chosen by a tenant (`guarded-request.ts` explains what that means). Whether the platform
// may have read the request when it fails is part of the failure: what changes something must not be sent twice.

import type { AddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { NoAnswerError, type RequestLimits, sendGuarded } from '@roadworthy/service-kit/network/guarded-request'

export type ExchangeRequest = {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Under the connection's base URL, without a leading slash, escaped. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type ExchangeAnswer = {
  readonly status: number
  readonly retryAfterMs: number | undefined
  /** The platform's clock, from `Date`. */
  readonly date: Date | undefined
  readonly text: string
}

/** Rejects with `ExchangeError` and nothing else. Any status is an answer. */
export type Exchange = (request: ExchangeRequest, signal: AbortSignal) => Promise<ExchangeAnswer>

export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
  /** The platform may have read the request. */
  readonly hasLeft: boolean
  /** `busy`: our own limits held it back, or the platform asked for rest. `unsent`: the breaker is open, or the caller stopped. */
  readonly kind: 'unreachable' | 'busy' | 'unsent'
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    detail: { hasLeft: boolean; kind?: 'unreachable' | 'busy' | 'unsent'; retryAfterMs?: number; cause?: unknown },
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.hasLeft = detail.hasLeft
    this.kind = detail.kind ?? 'unreachable'
    this.retryAfterMs = detail.retryAfterMs
  }
}

/** A page of 100 SIMs of 1.5 kB each is 150 kB, and platforms of this kind take seconds for one: assumptions, both with room. */
const defaultLimits: RequestLimits = { connectMs: 5_000, totalMs: 30_000, maxAnswerBytes: 2_097_152 }

/** Whatever a platform asks for, it is left alone for so long, and asked again after so long. */
const MIN_RETRY_AFTER_MS = 1_000
const MAX_RETRY_AFTER_MS = 3_600_000
const MAX_URL_LENGTH = 500
const LEAST_UNPRIVILEGED_PORT = 1_024

/** What is wrong with a base URL, in words for whoever gave it, or `undefined`. Its addresses are judged at every request. */
export function baseUrlProblem(text: string): string | undefined {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return `must be an absolute URL of at most ${MAX_URL_LENGTH} characters`
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  if (url.search !== '' || url.hash !== '') return 'must not have a query or a fragment'
  const port = Number(url.port)
  if (url.port !== '' && ![80, 443].includes(port) && port < LEAST_UNPRIVILEGED_PORT)
    return `must not be on port ${port}: 443, 80, or from 1024 up`
  return undefined
}

export type ExchangeDeps = {
  readonly baseUrl: string
  readonly guard: AddressGuard
  readonly limits?: RequestLimits
  /** Certificate authorities to trust instead of Node's own; for tests. */
  readonly certificateAuthority?: string | undefined
}

export function createExchange({ baseUrl, guard, limits = defaultLimits, certificateAuthority }: ExchangeDeps): Exchange {
  return async ({ method, path, query = {}, headers, body }, signal) => {
    const problem = baseUrlProblem(baseUrl)
    if (problem !== undefined) throw new ExchangeError(`the base URL ${problem}`, { hasLeft: false })
    if (signal.aborted) throw new ExchangeError('stopped before it was sent', { hasLeft: false })
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    try {
      const answer = await sendGuarded({ guard, limits, certificateAuthority }, { method, url, headers, body }, signal)
      const date = readDate(answer.headers.date)
      const retryAfterMs = readRetryAfter(answer.headers['retry-after'], date)
      return { status: answer.status, retryAfterMs, date, text: answer.body.toString('utf8') }
    } catch (error) {
      // How far it was when the caller stopped is unknown, so it is taken for sent.
      if (signal.aborted) throw new ExchangeError('stopped before the answer was complete', { hasLeft: true, cause: error })
      const hasLeft = error instanceof NoAnswerError && error.isSent
      throw new ExchangeError(error instanceof Error ? error.message : String(error), { hasLeft, cause: error })
    }
  }
}

/** RFC 9110 §5.6.7, as it is to be sent. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function readDate(text: string | undefined): Date | undefined {
  // JavaScript takes nearly anything for a date.
  const ms = text !== undefined && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms)
}

/** Seconds, or a date, which is measured by the clock of whoever sent it (RFC 9110 §10.2.3). */
function readRetryAfter(text: string | undefined, date: Date | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = readDate(text)
  const ms = /^\d{1,9}$/.test(text.trim())
    ? Number(text) * 1000
    : at === undefined || date === undefined
      ? undefined
      : Number(at) - Number(date)
  return ms === undefined ? undefined : Math.min(Math.max(ms, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS)
}
