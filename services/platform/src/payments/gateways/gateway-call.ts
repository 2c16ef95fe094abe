// What both adapters need to call a gateway: where it is, how long and how much is waited for, and what a failure means for the money.

import type { IncomingHttpHeaders } from 'node:http'
import { type AddressGuard, ForbiddenTargetError } from '@roadworthy/service-kit/network/address-guard'
import {
  type GuardedAnswer,
  type GuardedRequest,
  NoAnswerError,
  type RequestLimits,
  sendGuarded,
} from '@roadworthy/service-kit/network/guarded-request'
import { type CheckoutRequest, type CheckoutSnapshot, GatewayError, type OpenedCheckout } from './gateway.ts'

export type GatewayDeps = {
  /** Knows which private networks the installation allows, as for an emulator. */
  readonly guard: AddressGuard
  readonly limits?: RequestLimits
  /** For tests. */
  readonly certificateAuthority?: string | undefined
}

/** A page of 100 Checkout Sessions is about half a megabyte. Gateways answer in well under a second; 20 s is an assumption. */
const DEFAULT_LIMITS: RequestLimits = { connectMs: 5_000, totalMs: 20_000, maxAnswerBytes: 4 * 1024 * 1024 }

/** The least privileged port that a base URL may name besides 443 and 80. */
const LEAST_UNPRIVILEGED_PORT = 1_024
const MAX_RETRY_AFTER_MS = 3_600_000
const MAX_TEXT_LENGTH = 300
/** Stripe puts several hundred characters behind the #; the limit is an assumption. */
const MAX_CHECKOUT_URL_LENGTH = 5_000

/** Somebody wrote it into the connection. Throws `GatewayError` `rejected`. Whether its address may be reached is asked at every call. */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === undefined || !isWeb || url.pathname !== '/' || `${url.search}${url.hash}${url.username}${url.password}` !== '') {
    throw new GatewayError('rejected', 'The base URL of a gateway is https:// and a host, and a port where needed, and nothing else.')
  }
  const port = Number(url.port)
  if (url.port !== '' && ![80, 443].includes(port) && port < LEAST_UNPRIVILEGED_PORT) {
    throw new GatewayError('rejected', `Port ${port} is refused: 443, 80, or from ${LEAST_UNPRIVILEGED_PORT} up.`)
  }
  return url
}

/** Any answer below 500 that is no redirect. Throws `GatewayError`, or the reason of `signal`. */
export async function callGateway(deps: GatewayDeps, request: GuardedRequest, signal: AbortSignal): Promise<GuardedAnswer> {
  const isWrite = request.method !== 'GET'
  const answer = await send(deps, request, signal)
  if (answer.status < 200 || (answer.status >= 300 && answer.status < 400) || answer.status >= 500) {
    throw errorOfStatus(answer, isWrite, undefined, `answered ${answer.status}`)
  }
  return answer
}

async function send(deps: GatewayDeps, request: GuardedRequest, signal: AbortSignal): Promise<GuardedAnswer> {
  const { guard, limits = DEFAULT_LIMITS, certificateAuthority } = deps
  try {
    return await sendGuarded({ guard, limits, certificateAuthority }, request, signal)
  } catch (cause) {
    if (cause instanceof ForbiddenTargetError) throw new GatewayError('unavailable', cause.message, { cause })
    if (!(cause instanceof NoAnswerError)) throw cause
    const kind = cause.isSent && request.method !== 'GET' ? 'unknown_outcome' : 'unavailable'
    throw new GatewayError(kind, `The gateway gave no answer: ${plainText(cause.message)}`, { cause })
  }
}

/** What a refusal means. `code` and `message` are the gateway's own. */
export function errorOfStatus(
  { status, headers }: Pick<GuardedAnswer, 'status' | 'headers'>,
  isWrite: boolean,
  code: string | undefined,
  message: string,
): GatewayError {
  const text = `The gateway says: ${plainText(message)}`
  const options = { code: code === undefined ? undefined : plainText(code), retryAfterMs: retryAfterMsOf(headers) }
  if (status === 401 || status === 403) return new GatewayError('auth', text, options)
  if (status === 404) return new GatewayError('not_found', text, options)
  if (status === 429) return new GatewayError('rate', text, options)
  // 409: the same request is being worked on at this moment, by its key.
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 409
  if (isRefusal) return new GatewayError('rejected', text, options)
  return new GatewayError(isWrite ? 'unknown_outcome' : 'unavailable', text, options)
}

/** An answer that is not what the documentation promises. After a write nobody knows what was done. */
export function unreadable(isWrite: boolean, cause?: unknown): GatewayError {
  const text = 'The gateway gave an answer that is not what its documentation describes.'
  return new GatewayError(isWrite ? 'unknown_outcome' : 'unavailable', text, { cause })
}

/** Absent where it is no JSON object. */
export function parseJsonObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : undefined
  } catch {
    // Not JSON: a page of a proxy, or half an answer.
    return undefined
  }
}

/** Gateways quote what they were sent; it goes into logs and pages. */
export function plainText(text: string): string {
  return text
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH)
    .toWellFormed()
}

function retryAfterMsOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['retry-after']
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined
  return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS)
}

/** The customer is sent there: nothing but a web address, and https wherever the gateway itself is asked over https. */
export function isCheckoutUrl(text: string, baseUrl: URL): boolean {
  if (text.length > MAX_CHECKOUT_URL_LENGTH || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || (protocol === 'http:' && baseUrl.protocol === 'http:')) && username === '' && password === ''
}

/** What comes back has to be what was asked for: anything else would be charged under our attempt's name. */
export function openedCheckout(
  snapshot: CheckoutSnapshot,
  { attemptId, amountMinor, currency, expiresAt }: CheckoutRequest,
): OpenedCheckout {
  const isOurs = snapshot.attemptId === attemptId && snapshot.amountMinor === amountMinor && snapshot.currency === currency
  if (!isOurs) throw unreadable(true)
  return { gatewayRef: snapshot.gatewayRef, checkoutUrl: snapshot.checkoutUrl, expiresAt: snapshot.expiresAt ?? expiresAt }
}

export type AnswerSchema<Answer> = { Check(value: unknown): value is Answer }

/** What an answer is in our terms. Throws `GatewayError` where it is not what the documentation describes. */
export function converted<Answer, T>(schema: AnswerSchema<Answer>, answer: unknown, isWrite: boolean, convert: (answer: Answer) => T): T {
  if (!schema.Check(answer)) throw unreadable(isWrite)
  try {
    return convert(answer)
  } catch (cause) {
    // An amount that is none.
    if (cause instanceof RangeError) throw unreadable(isWrite, cause)
    throw cause
  }
}

/**
 * The entries of a list, page after page. `fetchPage` gets how many there were so far, and the last of them. Throws `unavailable` after
 * `maxPages`: what is further back is not known then.
 */
export async function* entriesOnPages<Entry>(
  maxPages: number,
  fetchPage: (seen: {
    readonly count: number
    readonly last: Entry | undefined
  }) => Promise<{ entries: readonly Entry[]; hasMore: boolean }>,
): AsyncGenerator<Entry, void, void> {
  let count = 0
  let last: Entry | undefined
  for (let page = 0; page < maxPages; page++) {
    const { entries, hasMore } = await fetchPage({ count, last })
    yield* entries
    if (!hasMore || entries.length === 0) return
    count += entries.length
    last = entries.at(-1)
  }
  throw new GatewayError('unavailable', 'The gateway lists more than can be looked through.')
}

/** The first one that is wanted; what comes after it is not asked for. */
export async function firstOf<Entry>(entries: AsyncIterable<Entry>, isWanted: (entry: Entry) => boolean): Promise<Entry | undefined> {
  for await (const entry of entries) if (isWanted(entry)) return entry
  return undefined
}

/** Of a call that is refused when the thing has happened already: its present state is more useful than the refusal. */
export async function refusalIn(call: Promise<unknown>): Promise<GatewayError | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'rejected') return error
    throw error
  }
}
