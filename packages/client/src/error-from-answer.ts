// The error of a refusal, from either body that the service has: `{success: false, error: {…}}` of the External API and `{error: {…}}` of the
// others, or from what a proxy in front of it answered.

import {
  AuthenticationError,
  ConflictError,
  type ErrorFacts,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  type RoadworthyError,
  ServerError,
  SubscriptionError,
  TimeoutError,
  ValidationError,
} from './errors.ts'
import { retryAfterOf } from './retry-after.ts'

export type Refusal = {
  readonly status: number
  readonly headers: Headers
  /** Without the key, should the answer have repeated it. */
  readonly text: string
  /** `GET /api/external/devices/{device_id}`: the template, because some paths hold a secret. */
  readonly operation: string
  readonly nowMs: number
}

type WireError = {
  readonly code: string
  readonly message: string
  readonly request_id?: string
  readonly action_required?: string
  readonly retry_after?: number
  readonly details?: Record<string, unknown>
}

type ErrorClass = new (message: string, facts: ErrorFacts) => RoadworthyError

const byStatus: ReadonlyMap<number, ErrorClass> = new Map<number, ErrorClass>([
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [408, TimeoutError],
  [409, ConflictError],
  [410, NotFoundError],
  [429, RateLimitError],
])
/** A map, because the code is what a server chose: an object also has `constructor`. */
const byCode: ReadonlyMap<string, ErrorClass> = new Map<string, ErrorClass>([
  ['subscription_required', SubscriptionError],
  ['quota_exceeded', QuotaError],
  ['idempotency_conflict', ConflictError],
])

export function errorFromAnswer(refusal: Refusal): RoadworthyError {
  const { status, headers, operation, nowMs } = refusal
  const wire = wireErrorOf(refusal.text)
  const code = wire?.code ?? `http_${status}`
  const requestId = wire?.request_id ?? headers.get('x-request-id') ?? undefined
  const what = wire?.message ?? `the answer is not that of Roadworthy (${headers.get('content-type') ?? 'without a type'})`
  const place = requestId === undefined ? operation : `${operation}, request ${requestId}`
  const Class = byCode.get(code) ?? byStatus.get(status) ?? (status >= 500 ? ServerError : ValidationError)
  return new Class(`${status} ${code}: ${what} (${place})`, {
    ...{ code, status, requestId },
    actionRequired: wire?.action_required,
    retryAfterS: retryAfterOf(headers, nowMs) ?? wire?.retry_after,
    details: wire?.details,
  })
}

function wireErrorOf(text: string): WireError | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const found = isObject(body) ? body['error'] : undefined
  if (typeof found === 'string') return fromSentence(found)
  if (!isObject(found) || typeof found['message'] !== 'string') return undefined
  const { code, message, request_id: requestId, action_required: action, retry_after: retryAfter, details } = found
  return {
    code: typeof code === 'string' ? code : 'unknown',
    message,
    ...(typeof requestId === 'string' ? { request_id: requestId } : {}),
    ...(typeof action === 'string' ? { action_required: action } : {}),
    ...(typeof retryAfter === 'number' && retryAfter >= 0 ? { retry_after: retryAfter } : {}),
    ...(isObject(details) ? { details } : {}),
  }
}

/** The Open Inference Protocol has one string, in which the code stands before the colon. */
function fromSentence(text: string): WireError {
  const [, code = 'unknown', message = text] = /^([a-z_]+): (.*)$/s.exec(text) ?? []
  return { code, message }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
