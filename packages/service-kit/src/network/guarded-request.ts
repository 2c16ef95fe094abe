// One HTTP request to a server that a stranger may have named: it goes to the addresses that were looked at and to no other, follows no
// redirect, uses no proxy and no connection of somebody else's, reads no more than its limit, and ends in time.

import http from 'node:http'
import https from 'node:https'
import type { LookupFunction, TcpNetConnectOpts } from 'node:net'
import { type Address, type AddressGuard, ForbiddenTargetError } from './address-guard.ts'

/** One server of several that is slow to connect to is passed over; Node's own quarter of a second is too little across an ocean. */
const connectionOptions: Partial<TcpNetConnectOpts> = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

export type RequestLimits = {
  /** For the name, the connection and TLS together. */
  readonly connectMs: number
  /** For everything, to the last byte of the answer. */
  readonly totalMs: number
  /** A longer answer is an error: half an answer is of no use. */
  readonly maxAnswerBytes: number
}

export type GuardedRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export type GuardedAnswer = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** No complete answer. `isSent`: the other side may have got the request, and may have done what it asks. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly isSent: boolean

  constructor(message: string, isSent: boolean, cause?: unknown) {
    super(message, { cause })
    this.isSent = isSent
  }
}

export type GuardedRequestOptions = {
  readonly guard: AddressGuard
  readonly limits: RequestLimits
  /** Certificate authorities to trust instead of Node's own; for tests. */
  readonly certificateAuthority?: string | undefined
}

/** Throws `ForbiddenTargetError` when nothing may be sent there, `NoAnswerError`, or the reason of the caller's signal. */
export async function sendGuarded(options: GuardedRequestOptions, request: GuardedRequest, signal: AbortSignal): Promise<GuardedAnswer> {
  signal.throwIfAborted()
  const { connectMs, totalMs } = options.limits
  const ending = new AbortController()
  const progress = { isSent: false }
  const endWith = (message: string) => ending.abort(new NoAnswerError(message, progress.isSent))
  const onCallerAbort = () => ending.abort(signal.reason)
  const total = setTimeout(() => endWith(`no complete answer within ${totalMs / 1000} s`), totalMs)
  const connect = setTimeout(() => endWith(`no connection within ${connectMs / 1000} s`), connectMs)
  signal.addEventListener('abort', onCallerAbort, { once: true })
  try {
    const addresses = await addressesOf(options.guard, request.url, ending.signal)
    return await exchange(options, request, addresses, ending.signal, () => {
      progress.isSent = true
      clearTimeout(connect)
    })
  } catch (error) {
    // The cause of its end is more useful than the error that followed.
    const cause = ending.signal.aborted ? ending.signal.reason : error
    if (cause === signal.reason || cause instanceof ForbiddenTargetError || cause instanceof NoAnswerError) throw cause
    throw new NoAnswerError(messageOf(cause), progress.isSent, cause)
  } finally {
    clearTimeout(total)
    clearTimeout(connect)
    signal.removeEventListener('abort', onCallerAbort)
  }
}

/** Several addresses fail with an error that has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

async function addressesOf(guard: AddressGuard, url: URL, signal: AbortSignal): Promise<readonly Address[]> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const asked = guard(bareHostname(url), signal)
  asked.catch(() => undefined)
  try {
    const { addresses, isAllowed } = await Promise.race([asked, aborted])
    if (url.protocol !== 'https:' && !isAllowed) throw new ForbiddenTargetError(`${url.hostname} is asked over https only.`)
    return addresses
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** As it is resolved: an IPv6 address stands in brackets in a URL only. */
function bareHostname({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function exchange(
  { limits, certificateAuthority }: GuardedRequestOptions,
  { method, url, headers, body }: GuardedRequest,
  addresses: readonly Address[],
  signal: AbortSignal,
  onConnected: () => void,
): Promise<GuardedAnswer> {
  const isTls = url.protocol === 'https:'
  const sending = (isTls ? https : http).request({
    method,
    hostname: bareHostname(url),
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    agent: false,
    lookup: answering(addresses),
    signal,
    ...connectionOptions,
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
  })
  return new Promise<GuardedAnswer>((resolve, reject) => {
    sending.once('socket', (socket) => socket.once(isTls ? 'secureConnect' : 'connect', onConnected))
    sending.on('error', reject)
    sending.once('close', () => reject(new Error('the connection was closed without an answer')))
    sending.once('response', (response) => {
      readWhole(response, limits.maxAnswerBytes).then((whole) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole })
        sending.destroy()
      }, reject)
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

function readWhole(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) response.destroy(new Error(`the answer is longer than ${maxBytes} bytes`))
      else chunks.push(chunk)
    })
    response.once('end', () => resolve(Buffer.concat(chunks, length)))
    response.once('error', reject)
    response.once('close', () => reject(new Error('the connection was closed within the answer')))
  })
}
