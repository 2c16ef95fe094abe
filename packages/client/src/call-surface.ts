// How one surface is called: its address, how it is signed in at, and what a call of a route sends.

import { fillPath, queryString } from './address.ts'
import { type CheckedOptions, checkPolicy } from './client-options.ts'
import { ConfigurationError } from './errors.ts'
import { operationOf } from './read-answer.ts'
import type { BinaryBody, RequestOptions, WriteOptions } from './request-options.ts'
import type { Route } from './route.ts'
import { type Outgoing, type ReadAnswer, type Sending, send } from './send.ts'
import { writeJson } from './write-json.ts'

export type Call = {
  readonly route: Route
  /** Of the path, in their order. */
  readonly parameters: readonly unknown[]
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  readonly options?: (WriteOptions & { readonly accept?: string }) | undefined
}

export type SurfaceCaller = {
  call<Answer>(call: Call, read: ReadAnswer<Answer>): Promise<Answer>
  readonly redact: (text: string) => string
  readonly clock: Sending['clock']
  policyOf(options: RequestOptions | undefined): Sending['policy']
}

export type Endpoint = {
  readonly baseUrl: string
  /** Sets the key; nothing at the engine. */
  readonly authorize: (headers: Headers) => void
  readonly redact: (text: string) => string
}

const KEY_FORM = /^[\x20-\x7e]{1,255}$/
const KEY_BYTES = 16

export function surfaceCaller({ baseUrl, authorize, redact }: Endpoint, { fetch, clock, policy }: CheckedOptions): SurfaceCaller {
  const policyOf = (options: RequestOptions | undefined) =>
    checkPolicy({ ...policy, timeoutMs: options?.timeoutMs ?? policy.timeoutMs, maxRetries: options?.maxRetries ?? policy.maxRetries })
  return {
    redact,
    clock,
    policyOf,
    call: (call, read) => {
      const { route, options } = call
      const body = bodyOf(call.body)
      const headers = headersOf(call, body, authorize)
      const outgoing: Outgoing = {
        method: route.method,
        url: `${baseUrl}${fillPath(route.path, call.parameters)}${queryString(call.query)}`,
        ...{ headers, body },
        operation: operationOf(route),
        isRepeatable: route.isRepeatable !== false,
      }
      return send(outgoing, { fetch, clock, policy: policyOf(options), signal: options?.signal, redact }, read)
    },
  }
}

const isBinary = (body: unknown): body is BinaryBody => body instanceof Blob || body instanceof Uint8Array || body instanceof ReadableStream

function bodyOf(body: unknown): Outgoing['body'] {
  if (body === undefined) return undefined
  return isBinary(body) ? body : writeJson(body)
}

function headersOf({ route, options }: Call, body: Outgoing['body'], authorize: Endpoint['authorize']): Headers {
  const headers = givenHeaders(options?.headers)
  const isJsonOnly = route.answers === undefined
  if (options?.accept !== undefined) headers.set('accept', options.accept)
  else if (route.answers?.includes('events')) headers.set('accept', 'text/event-stream')
  else if (isJsonOnly) headers.set('accept', 'application/json')
  if (typeof body === 'string') headers.set('content-type', 'application/json')
  else if (body instanceof Blob && body.type !== '' && !headers.has('content-type')) headers.set('content-type', body.type)
  if (route.takesKey === true) headers.set('idempotency-key', checkIdempotencyKey(options?.idempotencyKey ?? randomKey()))
  // Two keys in one request are refused, so a second one that was given among the headers is not sent.
  headers.delete('x-api-key')
  headers.delete('authorization')
  authorize(headers)
  return headers
}

function givenHeaders(given: RequestOptions['headers']): Headers {
  try {
    return new Headers(given)
  } catch {
    // Without the value: it may be a secret.
    throw new ConfigurationError('headers must have names that HTTP allows, and values without line breaks and of Latin letters.')
  }
}

function checkIdempotencyKey(key: string): string {
  if (!KEY_FORM.test(key)) throw new ConfigurationError('idempotencyKey must be 1 to 255 printable ASCII characters.')
  return key
}

/** `crypto.randomUUID` is there in secure contexts only; a page in a local network may not be one. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
