// One request, one answer: JSON in and out, refusals as failures that a person can act on.

import { CommandFailure, exitCodeOfStatus, NothingThere } from './failure.ts'

export type JsonBody = Record<string, unknown>
export type HttpAnswer = { readonly status: number; readonly headers: Headers; readonly body: JsonBody }

export type HttpRequest = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  readonly apiKey?: string
  /** For a proxy that asks for it. */
  readonly bearer?: string | undefined
  readonly signal?: AbortSignal
}

const TIMEOUT_MS = 30_000

/** Whatever the status. Fails when nothing answers. */
export async function request(url: string, { method = 'GET', body, apiKey, bearer, signal }: HttpRequest = {}): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    })
    return { status: response.status, headers: response.headers, body: toObject(await response.text()) }
  } catch (error) {
    signal?.throwIfAborted()
    throw new NothingThere(describeSilence(url, error), undefined, error)
  }
}

/** The body of a success; anything else is a failure with the service's own words. */
export async function requestOk(url: string, options: HttpRequest = {}): Promise<JsonBody> {
  const answer = await request(url, options)
  if (answer.status >= 200 && answer.status < 300) return answer.body
  throw new CommandFailure(describeRefusal(answer, new URL(url).origin), exitCodeOfStatus(answer.status))
}

/** A file that is answered. */
export async function requestFile(url: string, apiKey: string): Promise<Buffer> {
  try {
    const response = await fetch(url, { headers: { 'x-api-key': apiKey }, signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.ok) return Buffer.from(await response.arrayBuffer())
    const answer = { status: response.status, headers: response.headers, body: toObject(await response.text()) }
    throw new CommandFailure(describeRefusal(answer, new URL(url).origin), exitCodeOfStatus(response.status))
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new NothingThere(describeSilence(url, error), undefined, error)
  }
}

export function describeRefusal({ status, body }: HttpAnswer, from: string): string {
  const { code, message } = (body['error'] ?? {}) as { code?: unknown; message?: unknown }
  if (typeof message !== 'string') return `${from} answered ${status} without a reason. Is that a Roadworthy?`
  const hint = status === 401 ? ' Check --api-key, ROADWORTHY_API_KEY or --data-dir.' : ''
  return `${message} (${status} ${String(code)})${hint}`
}

function describeSilence(url: string, error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  const isTimeout = name === 'TimeoutError'
  if (error instanceof TypeError && message.includes('Invalid URL')) return `${JSON.stringify(url)} is not an address.`
  const reason = isTimeout ? `no answer in ${TIMEOUT_MS / 1000} s` : (cause?.code ?? cause?.message ?? message)
  return `Nothing answers at ${new URL(url).origin} (${reason}). Is Roadworthy running there? "npx roadworthy up" starts it.`
}

function toObject(text: string): JsonBody {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonBody
  } catch {
    // A proxy's page; the status has what matters.
  }
  return {}
}
