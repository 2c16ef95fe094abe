// The error answers of a surface as OpenAPI responses: one schema, and for each status the codes it comes with as examples.

import { type TSchema, Type } from 'typebox'

/** What every route behind a key can answer, whatever it does. */
const commonErrorStatuses = [400, 401, 403, 429, 500, 503] as const
export type CommonErrorStatus = (typeof commonErrorStatuses)[number]
export type ErrorStatus = CommonErrorStatus | 404 | 409 | 413 | 415 | 422

export type ErrorExample = {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly action_required?: string
  readonly retry_after?: number
}

export type ErrorResponse<Schema extends TSchema> = {
  description: string
  headers?: DocumentedHeaders
  content: { 'application/json': { schema: Schema; examples: Record<string, { value: unknown }> } }
}

/** The descriptions of errors on both surfaces. */
export const errorFields = Type.Object(
  {
    code: Type.String({ description: 'Stable and meant for programs.' }),
    message: Type.String({ description: 'Meant for people; may change.' }),
    request_id: Type.String({ description: 'Also in the header `X-Request-Id`.' }),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'For example `field` or `required_scope`.' })),
    action_required: Type.Optional(Type.String({ description: 'What lets the caller in: `subscribe` or `upgrade_plan`.' })),
    retry_after: Type.Optional(Type.Integer({ minimum: 1, description: 'Seconds; also in the header `Retry-After`.' })),
  },
  { title: 'Problem' },
)

const descriptions: Record<ErrorStatus, string> = {
  400: 'The request is malformed; `details.field` names the place.',
  401: 'The API key is missing, unknown, revoked or expired.',
  403: 'The key lacks the scope, or the subscription, plan or sub-client does not allow it.',
  404: 'There is no such thing, or it belongs to someone else.',
  409: 'The request contradicts what is already there.',
  413: 'The body is larger than the route takes.',
  415: 'The body is not JSON.',
  422: 'The `Idempotency-Key` was used before with another body.',
  429: 'Too many requests; `Retry-After` is when the next one is let in.',
  500: 'The service failed. The failure is logged under the request id.',
  503: 'A part of the service is away, and the request is not acknowledged. Repeat it: readings and requests with an Idempotency-Key are recognised.',
}

export type DocumentedHeaders = Record<string, { type: string; description: string }>

export const retryAfterHeader: DocumentedHeaders = {
  'Retry-After': { type: 'integer', description: 'Seconds after which a repeat may succeed.' },
}

/** RFC 9110 §15.5.6: goes with every 405. */
export const allowHeader: DocumentedHeaders = {
  Allow: { type: 'string', description: 'The methods that the path takes, separated by commas.' },
}

/** draft-ietf-httpapi-ratelimit-headers-10. Documented once, where a caller has to act on them. */
const rateLimitHeaders: DocumentedHeaders = {
  RateLimit: {
    type: 'string',
    description:
      'The limit that is nearest to its end: `"minute";r=0;t=38` is 0 requests left for 38 s. With every answer to a key that has limits.',
  },
  'RateLimit-Policy': {
    type: 'string',
    description:
      'All limits of the key: `"minute";q=60;w=60, "day";q=5000;w=86400` is 60 requests in 60 s and 5000 a day. As with `RateLimit`.',
  },
}

const headersOf: Partial<Record<ErrorStatus, DocumentedHeaders>> = {
  // With `idempotency_in_progress`.
  409: retryAfterHeader,
  429: { ...retryAfterHeader, ...rateLimitHeaders },
  503: retryAfterHeader,
}

const REQUEST_ID_EXAMPLE = 'b5a1c9e2-6f0e-4f3c-9c1d-2f7a0d5c8e11'

/** A function that gives the error responses of one surface: those common to all routes and the named ones. */
export function errorResponsesOf<Schema extends TSchema>(surface: {
  schema: Schema
  envelope: (error: Record<string, unknown>) => Record<string, unknown>
  examples: Readonly<Record<ErrorStatus, readonly ErrorExample[]>>
}): <Status extends ErrorStatus>(...statuses: Status[]) => Record<Status | CommonErrorStatus, ErrorResponse<Schema>> {
  const responseOf = (status: ErrorStatus): ErrorResponse<Schema> => {
    const examples = surface.examples[status].map(({ code, message, ...rest }) => {
      return [code, { value: surface.envelope({ code, message, request_id: REQUEST_ID_EXAMPLE, ...rest }) }] as const
    })
    const headers = headersOf[status]
    return {
      description: descriptions[status],
      ...(headers === undefined ? {} : { headers }),
      content: { 'application/json': { schema: surface.schema, examples: Object.fromEntries(examples) } },
    }
  }
  return <Status extends ErrorStatus>(...statuses: Status[]) => {
    const all = [...new Set<ErrorStatus>([...commonErrorStatuses, ...statuses])].sort((a, b) => a - b)
    return Object.fromEntries(all.map((status) => [status, responseOf(status)])) as Record<
      Status | CommonErrorStatus,
      ErrorResponse<Schema>
    >
  }
}

/** The examples both surfaces share. */
export const sharedErrorExamples: Readonly<Record<ErrorStatus, readonly ErrorExample[]>> = {
  400: [{ code: 'invalid_request', message: '"name" is required.', details: { in: 'body', field: 'name' } }],
  401: [
    {
      code: 'invalid_api_key',
      message: 'No API key came with this request. Send it as X-API-Key: <key> or Authorization: Bearer <key>.',
      details: { reason: 'missing', accepted: ['X-API-Key: <key>', 'Authorization: Bearer <key>'] },
    },
  ],
  403: [
    { code: 'missing_scope', message: 'This key lacks the scope devices:write.', details: { required_scope: 'devices:write' } },
    { code: 'subscription_required', message: 'An active or trialing subscription is required.', action_required: 'subscribe' },
    { code: 'quota_exceeded', message: 'The quota of the plan is used up for this month.', action_required: 'upgrade_plan' },
    { code: 'sub_client_suspended', message: 'This sub-client is suspended: it can be read, not changed.' },
  ],
  404: [{ code: 'not_found', message: 'There is no such thing.' }],
  409: [
    { code: 'already_exists', message: 'A thing with this id exists already.' },
    { code: 'conflict', message: 'The current state does not allow this.' },
    { code: 'idempotency_in_progress', message: 'The first request with this Idempotency-Key is still running.', retry_after: 1 },
  ],
  413: [{ code: 'payload_too_large', message: 'The body is larger than the 1 MiB that this route takes.' }],
  415: [{ code: 'unsupported_media_type', message: 'Send the body as JSON, with Content-Type: application/json.' }],
  422: [{ code: 'idempotency_conflict', message: 'This Idempotency-Key was used before with another body.' }],
  429: [{ code: 'rate_limit_exceeded', message: 'More than 60 requests in 60 seconds with this key.', retry_after: 12 }],
  500: [{ code: 'server_error', message: 'The service failed on this request. It has been logged under the request id.' }],
  503: [
    {
      code: 'unavailable',
      message: 'A part of the service is unavailable, and the request is not acknowledged. Repeat it.',
      retry_after: 1,
    },
  ],
}
