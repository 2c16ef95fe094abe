// One HTTP request to a receiver who may be anybody: it goes to the addresses that were checked and to no other, follows nothing, reads
// little, and ends in time whatever the other side does.

import http from 'node:http'
import https from 'node:https'
import type { LookupFunction, TcpNetConnectOpts } from 'node:net'
import { type Address, ForbiddenTargetError } from '@roadworthy/service-kit/network/address-guard'
import { bareHostname, type TargetGuard } from './target-guard.ts'

export type SendLimits = {
  /** For the name, the connection and TLS together. */
  readonly connectMs: number
  /** For everything, to the last byte of the answer. */
  readonly totalMs: number
  /** An answer that is longer is cut off here, and counts as complete. */
  readonly maxAnswerBytes: number
}

/** Spec gap §6.1. */
export const defaultSendLimits: SendLimits = { connectMs: 5_000, totalMs: 15_000, maxAnswerBytes: 65_536 }

/** What of an answer is kept to be looked at. */
const KEPT_BODY_BYTES = 4_096
const KEPT_HEADERS = 40
const KEPT_HEADER_CHARACTERS = 500
const MAX_ERROR_CHARACTERS = 500
/** One server of several that is slow to connect to is passed over; Node's own quarter of a second is too little across an ocean. */
const connectionOptions: Partial<TcpNetConnectOpts> = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

export type Sending = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/**
 * `delivered`: 2xx. `refused`: any other answer. `timeout`, `unreachable`: no answer, or not all of it. `forbidden`: the guard refused,
 * and nothing was sent. `abandoned`: we stopped before the end.
 */
export type SendOutcome = 'delivered' | 'refused' | 'timeout' | 'unreachable' | 'forbidden' | 'abandoned'

export type Answer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type SendResult = {
  readonly outcome: SendOutcome
  readonly answer: Answer | undefined
  /** Why it was not delivered; may be shown to whoever owns the endpoint. */
  readonly error: string | undefined
  /** False: nothing of the request can have reached the receiver. */
  readonly isConnected: boolean
}

export type SendDeps = {
  readonly guard: TargetGuard
  readonly limits: SendLimits
  /** Certificate authorities to trust instead of Node's own; for tests. */
  readonly certificateAuthority?: string | undefined
}

class TimeoutError extends Error {}
class AbandonedError extends Error {}

/** Never rejects: whatever happens is a result. Aborting `signal` ends it at once as `abandoned`. */
export async function sendWebhook(deps: SendDeps, sending: Sending, signal: AbortSignal): Promise<SendResult> {
  const ending = new AbortController()
  const { connectMs, totalMs } = deps.limits
  const endWith = (error: Error) => ending.abort(error)
  const onAbandon = () => endWith(new AbandonedError('the sender is being stopped'))
  const total = setTimeout(() => endWith(new TimeoutError(`no complete answer within ${totalMs / 1000} s`)), totalMs)
  const connect = setTimeout(() => endWith(new TimeoutError(`no connection within ${connectMs / 1000} s`)), connectMs)
  let isConnected = false
  const onConnected = () => {
    isConnected = true
    clearTimeout(connect)
  }
  signal.addEventListener('abort', onAbandon, { once: true })
  if (signal.aborted) onAbandon()
  try {
    const url = deps.guard.readUrl(sending.url)
    const addresses = await untilAborted(deps.guard.addressesOf(url, ending.signal), ending.signal)
    const answer = await request(deps, url, addresses, sending, { signal: ending.signal, onConnected })
    if (answer.status >= 200 && answer.status < 300) return { outcome: 'delivered', answer, error: undefined, isConnected }
    return { outcome: 'refused', answer, error: refusalText(answer), isConnected }
  } catch (error) {
    return { outcome: outcomeOf(error), answer: undefined, error: messageOf(error).slice(0, MAX_ERROR_CHARACTERS), isConnected }
  } finally {
    clearTimeout(total)
    clearTimeout(connect)
    signal.removeEventListener('abort', onAbandon)
  }
}

function refusalText({ status, headers }: Answer): string {
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed (to ${headers['location'] ?? 'nowhere'})`
  return `answered ${status}`
}

function outcomeOf(error: unknown): SendOutcome {
  if (error instanceof ForbiddenTargetError) return 'forbidden'
  if (error instanceof AbandonedError) return 'abandoned'
  return error instanceof TimeoutError ? 'timeout' : 'unreachable'
}

/** Several addresses fail with an error that has no message of its own. */
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

/** Resolves once the answer is complete or as long as it is read. No agent: no proxy, and no connection that was checked for another name. */
function request(
  { limits, certificateAuthority }: SendDeps,
  url: URL,
  addresses: readonly Address[],
  { headers, body }: Sending,
  { signal, onConnected }: { signal: AbortSignal; onConnected: () => void },
): Promise<Answer> {
  const isTls = url.protocol === 'https:'
  const sending = (isTls ? https : http).request({
    method: 'POST',
    protocol: url.protocol,
    hostname: bareHostname(url),
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: false,
    lookup: answering(addresses),
    ...connectionOptions,
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
  })
  return new Promise<Answer>((resolve, reject) => {
    const onAbort = () => sending.destroy(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    let isAnswered = false
    sending.once('close', () => {
      signal.removeEventListener('abort', onAbort)
      // An answer that is no answer, such as 101, closes without an error.
      if (!isAnswered) reject(signal.aborted ? signal.reason : new Error('the connection was closed without an answer'))
    })
    sending.once('socket', (socket) => socket.once(isTls ? 'secureConnect' : 'connect', onConnected))
    sending.on('error', reject)
    sending.once('response', (response) => {
      isAnswered = true
      readAnswer(response, limits.maxAnswerBytes).then(
        (kept) => {
          resolve(kept)
          sending.destroy()
        },
        (error: unknown) => reject(signal.aborted ? signal.reason : error),
      )
    })
    sending.end(body)
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

function readAnswer(response: http.IncomingMessage, maxBytes: number): Promise<Answer> {
  const kept: Buffer[] = []
  let keptBytes = 0
  let readBytes = 0
  return new Promise((resolve, reject) => {
    const finish = () => {
      resolve({ status: response.statusCode ?? 0, headers: keepHeaders(response.headers), body: toStorableText(Buffer.concat(kept)) })
    }
    response.on('data', (chunk: Buffer) => {
      readBytes += chunk.length
      const part = chunk.subarray(0, KEPT_BODY_BYTES - keptBytes)
      keptBytes += part.length
      // A copy: a slice would hold on to the whole chunk.
      if (part.length > 0) kept.push(Buffer.from(part))
      if (readBytes >= maxBytes) finish()
    })
    response.once('end', finish)
    response.once('error', reject)
    response.once('close', () => reject(new Error('the connection was closed within the answer')))
  })
}

function keepHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).slice(0, KEPT_HEADERS)
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value).slice(0, KEPT_HEADER_CHARACTERS)]))
}

/** PostgreSQL stores no NUL. */
function toStorableText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\u0000', '\ufffd')
}
