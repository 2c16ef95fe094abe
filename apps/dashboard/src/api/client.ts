// The APIs of the service, and nothing else. The session cookie goes along by itself.

import { withRefusals } from '../said/refused.ts'
import { t } from '../text/translate.ts'

type ErrorBody = { code?: string; message?: string; request_id?: string; details?: Record<string, unknown> }

/** A refusal, in the language of the person; one that is not known is in the words of the service. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  /** By code: the field that is wrong, and what else the service reports of it. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, error: ErrorBody) {
    super(messageOf(status, error))
    this.status = status
    this.code = error.code ?? 'unknown'
    this.requestId = error.request_id
    this.details = error.details ?? {}
  }
}

/** A page has no key: what the service writes of a missing one is for programs. */
function messageOf(status: number, { message, details }: ErrorBody): string {
  if (status === 401 && (details?.['reason'] === 'missing' || details?.['reason'] === 'session'))
    return t('The session had ended, so this was not done. Do it again.')
  return message ?? t('The service answered {status}.', { status })
}

export type QueryParameters = Readonly<Record<string, string | number | undefined>>
type WritingMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type SentRequest = { readonly method: WritingMethod; readonly headers: Readonly<Record<string, string>>; readonly body?: string }

export type Api = {
  get<T>(path: string, parameters?: QueryParameters, signal?: AbortSignal): Promise<T>
  send<T>(method: WritingMethod, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<T>
}

export const { get, send } = createApi('/api/v1')
export const simBilling = createApi(simBillingUrl(''))

/** For links to files, which a browser asks for itself. */
export function platformUrl(path: string, parameters: Readonly<Record<string, string>>): string {
  return `/api/v1${path}?${new URLSearchParams(parameters)}`
}

/** The same of the other API. */
export function simBillingUrl(path: string): string {
  return `/api/sim-billing${path}`
}

/** The bytes of a file as they are. */
export async function sendFile<T>(method: WritingMethod, path: string, file: File): Promise<T> {
  return await call(`/api/v1${path}`, { method, body: file, headers: { 'content-type': file.type } })
}

function createApi(base: string): Api {
  return {
    get: async (path, parameters = {}, signal) => {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value))
      const search = query.size === 0 ? '' : `?${query}`
      return await call(base + path + search, { method: 'GET', ...(signal === undefined ? {} : { signal }) })
    },
    send: async (method, path, body, given = {}) => {
      const headers = body === undefined ? given : { 'content-type': 'application/json', ...given }
      const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      return method === 'POST' ? await post(base + path, request) : await call(base + path, request)
    },
  }
}

/** Assumption: who asks for the same again later has looked at what is there, and means it anew. */
const REPEATED_WITHIN_MS = 10 * 60_000

type Unanswered = { readonly key: string; readonly atMs: number }
/** By what was asked. */
const unanswered = new Map<string, Unanswered>()

/** The person who signs in next asks for the first time. */
export function forgetUnanswered(): void {
  unanswered.clear()
}

/**
 * What got no answer may have been done. A person who asks for it again sends the same `Idempotency-Key`, so that the service does it once and gives the
 * answer that was lost: a payment is not recorded twice, and the password of a device is not lost with its answer.
 */
async function post<T>(url: string, { headers, ...request }: SentRequest): Promise<T> {
  const asked = `${url}\n${request.body ?? ''}`
  const before = unanswered.get(asked)
  unanswered.delete(asked)
  const key = before !== undefined && Date.now() - before.atMs < REPEATED_WITHIN_MS ? before.key : newOnceKey()
  try {
    return await call<T>(url, { ...request, headers: { 'idempotency-key': key, ...headers } })
  } catch (error) {
    if (!isAnswer(error)) unanswered.set(asked, { key, atMs: Date.now() })
    throw error
  }
}

/** Whether it is certain that nothing was done: a service that fails, or a proxy in its place, does not know. */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.code !== 'idempotency_in_progress'
}

export function newOnceKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].join('-')
}

async function call<T>(url: string, request: RequestInit): Promise<T> {
  const response = await fetch(url, request).catch(unreached)
  // The connection may be lost in the middle of an answer too.
  const text = await response.text().catch(unreached)
  if (response.ok) return answerOf<T>(text)
  throw new ApiError(response.status, await withRefusals(errorOf(text)))
}

/** A network that asks to sign in first answers with a page of its own, as a success. */
function answerOf<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    throw new Error(t('What answered was not the service. A network or a proxy in between may ask you to sign in.'), { cause })
  }
}

/** What a browser writes of it is in a language of its own, and for programmers. A question that is not waited for any more fails as it did. */
function unreached(error: Error): never {
  if (error.name === 'AbortError') throw error
  throw new Error(t('The service did not answer.'), { cause: error })
}

/** A proxy in between may answer with a page instead of our JSON. */
function errorOf(text: string): ErrorBody {
  try {
    return (JSON.parse(text) as { error?: object }).error ?? {}
  } catch {
    return {}
  }
}
