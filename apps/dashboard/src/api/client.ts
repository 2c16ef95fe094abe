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
    super(error.message ?? t('The service answered {status}.', { status }))
    this.status = status
    this.code = error.code ?? 'unknown'
    this.requestId = error.request_id
    this.details = error.details ?? {}
  }
}

export type QueryParameters = Readonly<Record<string, string | number | undefined>>
type WritingMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

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
    send: async (method, path, body, headers = {}) => {
      if (body === undefined) return await call(base + path, { method, headers })
      return await call(base + path, {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      })
    },
  }
}

async function call<T>(url: string, request: RequestInit): Promise<T> {
  const response = await fetch(url, request)
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as T
  throw new ApiError(response.status, await withRefusals(errorOf(text)))
}

/** A proxy in between may answer with a page instead of our JSON. */
function errorOf(text: string): ErrorBody {
  try {
    return (JSON.parse(text) as { error?: object }).error ?? {}
  } catch {
    return {}
  }
}
