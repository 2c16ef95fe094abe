// One way to call the External API: with the key, a timeout, and patience for what passes by itself (429, 503, a network that is away).
import { setTimeout as sleep } from 'node:timers/promises'

export type ApiSettings = {
  readonly baseUrl: string
  readonly apiKey: string
  readonly timeoutMs?: number
  /** Tries of one request before it is given up. At 15 s apart, 240 are an hour. */
  readonly maxTries?: number
  readonly retryBaseMs?: number
}

export type ApiAnswer = { readonly status: number; readonly body: Record<string, unknown> }

export type Api = {
  /** Answers below 500 other than 429 are returned for the caller to judge. */
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, signal?: AbortSignal): Promise<ApiAnswer>
}

/** The platform did not answer in all the tries, or answered what no retry mends. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number | undefined

  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

const TIMEOUT_MS = 60_000
const MAX_TRIES = 240
const RETRY_BASE_MS = 500
const MAX_RETRY_MS = 15_000
const MAX_RETRY_AFTER_S = 3_600

export function createApi(settings: ApiSettings): Api {
  const { timeoutMs = TIMEOUT_MS, maxTries = MAX_TRIES, retryBaseMs = RETRY_BASE_MS } = settings
  const base = settings.baseUrl.replace(/\/$/, '')
  return {
    async call(method, path, body, signal) {
      let failure: ApiFailure | undefined
      for (let tries = 0; tries < maxTries; tries++) {
        signal?.throwIfAborted()
        let waitMs = Math.min(MAX_RETRY_MS, retryBaseMs * 2 ** Math.min(tries, 10)) * (0.75 + 0.5 * Math.random())
        try {
          const response = await fetch(`${base}/api/external${path}`, {
            method,
            headers: { 'X-API-Key': settings.apiKey, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            signal: signal ? AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) : AbortSignal.timeout(timeoutMs),
          })
          const answer = await readAnswer(response)
          if (response.status !== 429 && response.status < 500) return answer
          failure = new ApiFailure(`${method} ${path}: ${refusalText(answer)}`, response.status)
          waitMs = retryAfterMs(response) ?? waitMs
        } catch (error) {
          signal?.throwIfAborted()
          failure = new ApiFailure(`${method} ${path}: no answer`, undefined, error)
        }
        await sleep(waitMs, undefined, signal ? { signal } : {})
      }
      throw failure ?? new ApiFailure(`${method} ${path}: never tried`)
    },
  }
}

async function readAnswer(response: Response): Promise<ApiAnswer> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return { status: response.status, body: body as Record<string, unknown> }
  } catch {
    // A proxy's HTML page; the status has what matters.
  }
  return { status: response.status, body: {} }
}

/** `Retry-After` in seconds or as a date (RFC 9110 §10.2.3). */
function retryAfterMs(response: Response): number | undefined {
  const header = response.headers.get('retry-after')
  if (header === null) return undefined
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_S * 1000) : undefined
}

/** The API's own words for a refusal: `status code message`. */
export function refusalText(answer: ApiAnswer): string {
  const error = answer.body['error'] as { code?: unknown; message?: unknown } | undefined
  return [answer.status, error?.code, error?.message].filter((part) => part !== undefined).join(' ')
}

export function errorCode(answer: ApiAnswer): string | undefined {
  const code = (answer.body['error'] as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
