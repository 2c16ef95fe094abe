// One HTTP request to an operator's platform. Its host is chosen by a tenant, so it goes to the addresses that were checked and to no other,
// follows nothing, reads a bounded number of bytes, and ends in time whatever the other side does. Whether the request may have been read
// when it fails is part of the failure: what changes something must not be sent twice.

import http from 'node:http'
import https from 'node:https'
import type { LookupFunction, TcpNetConnectOpts } from 'node:net'
import { type Address, type AddressGuard, ForbiddenTargetError } from '@roadworthy/service-kit/address-guard'

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

export type ExchangeLimits = {
  /** For the name, the connection and TLS together. */
  readonly connectMs: number
  /** For everything, to the last byte of the answer. */
  readonly totalMs: number
  readonly maxAnswerBytes: number
}

/** A page of 100 SIMs is about 150 kB (Airtel's documents); platforms of this kind take seconds for one. Assumptions, both with room. */
export const defaultExchangeLimits: ExchangeLimits = { connectMs: 5_000, totalMs: 30_000, maxAnswerBytes: 2_097_152 }

/** A platform that asks for more waits of ours than this is asked again after it. */
const MAX_RETRY_AFTER_MS = 3_600_000
const MAX_URL_LENGTH = 500
const LEAST_UNPRIVILEGED_PORT = 1_024
/** One server of several that is slow to connect to is passed over; Node's own quarter of a second is too little across an ocean. */
const connectionOptions: Partial<TcpNetConnectOpts> = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

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
  readonly limits?: ExchangeLimits
  /** Certificate authorities to trust instead of Node's own; for tests. */
  readonly certificateAuthority?: string | undefined
}

export function createExchange(deps: ExchangeDeps): Exchange {
  const { baseUrl, guard, limits = defaultExchangeLimits } = deps
  return async (request, signal) => {
    const problem = baseUrlProblem(baseUrl)
    if (problem !== undefined) throw new ExchangeError(`the base URL ${problem}`, { hasLeft: false })
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/${request.path}`)
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
    const course: Course = { hasLeft: false, ending: new AbortController() }
    const endWith = (message: string) => course.ending.abort(new Error(message))
    const onAbort = () => endWith('stopped before the answer was complete')
    const total = setTimeout(() => endWith(`no complete answer within ${limits.totalMs / 1000} s`), limits.totalMs)
    const connect = setTimeout(() => endWith(`no connection within ${limits.connectMs / 1000} s`), limits.connectMs)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    try {
      const addresses = await untilAborted(judged(guard, url, course.ending.signal), course.ending.signal)
      return await send({ ...deps, limits }, { url, request, addresses, course, onConnected: () => clearTimeout(connect) })
    } catch (error) {
      throw new ExchangeError(messageOf(error), { hasLeft: course.hasLeft, cause: error })
    } finally {
      clearTimeout(total)
      clearTimeout(connect)
      signal.removeEventListener('abort', onAbort)
    }
  }
}

type Course = { hasLeft: boolean; readonly ending: AbortController }

async function judged(guard: AddressGuard, url: URL, signal: AbortSignal): Promise<readonly Address[]> {
  const { addresses, isAllowed } = await guard(bareHostname(url), signal)
  if (url.protocol === 'http:' && !isAllowed) throw new ForbiddenTargetError('Operators are called over https only.')
  return addresses
}

/** WHATWG URL puts IPv6 addresses in brackets, which names nothing to a resolver. */
function bareHostname({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined)
    return Promise.reject(signal.reason)
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

type Sending = {
  readonly url: URL
  readonly request: ExchangeRequest
  readonly addresses: readonly Address[]
  readonly course: Course
  readonly onConnected: () => void
}

/** No agent: no proxy, and no connection that was checked for another name. At most a few calls a second pay for a handshake each. */
function send({ limits, certificateAuthority }: ExchangeDeps & { limits: ExchangeLimits }, sending: Sending): Promise<ExchangeAnswer> {
  const { url, request, addresses, course, onConnected } = sending
  const { signal } = course.ending
  const isTls = url.protocol === 'https:'
  const body = request.body ?? ''
  const sent = (isTls ? https : http).request({
    method: request.method,
    protocol: url.protocol,
    hostname: bareHostname(url),
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...request.headers, ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }) },
    agent: false,
    lookup: answering(addresses),
    ...connectionOptions,
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
  })
  return new Promise<ExchangeAnswer>((resolve, reject) => {
    const onAbort = () => sent.destroy(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    let isAnswered = false
    sent.once('close', () => {
      signal.removeEventListener('abort', onAbort)
      // An answer that is no answer, such as 101, closes without an error.
      if (!isAnswered) reject(signal.aborted ? signal.reason : new Error('the connection was closed without an answer'))
    })
    sent.once('socket', (socket) =>
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        course.hasLeft = true
        onConnected()
      }),
    )
    sent.on('error', reject)
    sent.once('response', (response) => {
      isAnswered = true
      readAnswer(response, limits.maxAnswerBytes)
        .then(resolve, (error: unknown) => reject(signal.aborted ? signal.reason : error))
        .finally(() => sent.destroy())
    })
    sent.end(body)
  })
}

/** What the guard looked at is what is connected to; nobody is asked a second time. Not called for a literal address, which is its own. */
function answering(addresses: readonly Address[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}

/** A longer answer is an error, never its first part. */
async function readAnswer(response: http.IncomingMessage, maxBytes: number): Promise<ExchangeAnswer> {
  const chunks: Buffer[] = []
  let readBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    readBytes += chunk.length
    if (readBytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  if (!response.complete) throw new Error('the connection was closed within the answer')
  const date = readDate(response.headers.date)
  return {
    status: response.statusCode ?? 0,
    retryAfterMs: readRetryAfter(response.headers['retry-after'], date),
    date,
    text: Buffer.concat(chunks).toString('utf8'),
  }
}

function readDate(text: string | undefined): Date | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
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
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS)
}
