// The official package, with our own transport under it: the addresses that were looked at, no redirects, bounded answers, and no repeats
// that the package decides on.

import type { IncomingHttpHeaders } from 'node:http'
import type Stripe from 'stripe'
import { GatewayError } from './gateway.ts'
import { callGateway, errorOfStatus, type GatewayDeps, parseJsonObject, plainText, unreadable } from './gateway-call.ts'
import { stripePackage } from './stripe-package.ts'

/** Answers keep the form of this version, whatever the account's own is. It is the one that the pinned package was made for. */
const API_VERSION = '2026-10-28.endive'

const DEFAULT_PORT: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }

/** What the package looks at. The others could have it write to our console, or are nobody's business. */
const PASSED_HEADERS = ['request-id', 'stripe-version', 'idempotency-key', 'content-type', 'retry-after']

/** Makes a client for one call, whose requests end with `signal`. Rejections become `GatewayError` in `callStripe`. */
function clientFor(deps: GatewayDeps, baseUrl: URL, apiKey: string, signal: AbortSignal): Stripe {
  const StripeClient = stripePackage()
  return new StripeClient(apiKey, {
    apiVersion: API_VERSION,
    host: baseUrl.hostname,
    port: baseUrl.port === '' ? (DEFAULT_PORT[baseUrl.protocol] ?? '443') : baseUrl.port,
    protocol: baseUrl.protocol === 'http:' ? 'http' : 'https',
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: {
      getClientName: () => 'roadworthy',
      makeRequest: async (_host, _port, path, method, headers, body) => {
        const isWrite = method !== 'GET'
        const request = {
          method: isWrite ? ('POST' as const) : ('GET' as const),
          url: new URL(path, baseUrl),
          headers: textHeaders(headers),
          body: isWrite ? body : undefined,
        }
        const answer = await callGateway(deps, request, signal)
        const parsed = parseJsonObject(answer.body)
        if (parsed === undefined && answer.status < 300) throw unreadable(isWrite)
        if (parsed === undefined) throw errorOfStatus(answer, isWrite, undefined, `answered ${answer.status}`)
        return {
          getStatusCode: () => answer.status,
          getHeaders: () => passedHeaders(answer.headers),
          getRawResponse: () => ({}),
          toStream: () => undefined,
          toJSON: async () => parsed,
        }
      },
    },
  })
}

/** Runs one call of the package. Throws `GatewayError`, or the reason of `signal`. */
export async function callStripe<T>(
  { deps, baseUrl, apiKey }: { deps: GatewayDeps; baseUrl: URL; apiKey: string },
  { isWrite, signal }: { isWrite: boolean; signal: AbortSignal },
  run: (stripe: Stripe) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  try {
    return await run(clientFor(deps, baseUrl, apiKey, signal))
  } catch (error) {
    signal.throwIfAborted()
    throw toGatewayError(error, isWrite)
  }
}

function toGatewayError(error: unknown, isWrite: boolean): unknown {
  const { errors } = stripePackage()
  if (error instanceof errors.StripeConnectionError) {
    return error.detail instanceof GatewayError ? error.detail : unreadable(isWrite, error)
  }
  if (!(error instanceof errors.StripeError)) return error
  const { statusCode, code, rawType, message } = error
  if (statusCode === undefined) return unreadable(isWrite, error)
  // The key was used with other values: something was made by it, and this answer does not name it.
  if (isWrite && rawType === 'idempotency_error') return new GatewayError('unknown_outcome', plainText(message), { code: rawType })
  return errorOfStatus({ status: statusCode, headers: error.headers ?? {} }, isWrite, code ?? rawType, message)
}

/** Its length is counted again where it is sent. */
function textHeaders(headers: object): Record<string, string> {
  const pairs = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length')
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]))
}

function passedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(PASSED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))
}
