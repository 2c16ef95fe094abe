// The Platform API, and nothing else. The session cookie goes along by itself.

const BASE = '/api/v1'

/** A refusal, in the words of the service. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined

  constructor(status: number, error: { code?: string; message?: string; request_id?: string }) {
    super(error.message ?? `The service answered ${status}.`)
    this.status = status
    this.code = error.code ?? 'unknown'
    this.requestId = error.request_id
  }
}

export type QueryParameters = Readonly<Record<string, string | number | undefined>>

export async function get<T>(path: string, parameters: QueryParameters = {}, signal?: AbortSignal): Promise<T> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value))
  const search = query.size === 0 ? '' : `?${query}`
  return await call<T>(path + search, { method: 'GET', ...(signal === undefined ? {} : { signal }) })
}

export async function send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return await call<T>(path, { method, ...content })
}

async function call<T>(path: string, request: RequestInit): Promise<T> {
  const response = await fetch(BASE + path, request)
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as T
  throw new ApiError(response.status, errorOf(text))
}

/** A proxy in between may answer with a page instead of our JSON. */
function errorOf(text: string): { code?: string; message?: string; request_id?: string } {
  try {
    return (JSON.parse(text) as { error?: object }).error ?? {}
  } catch {
    return {}
  }
}
