import { type Static, Type } from 'typebox'
import { allowHeader, type DocumentedHeaders, retryAfterHeader } from '../error-responses.ts'

/** Spec §7.2: the body of the Platform API's errors, with the request's id and what helps to repair or repeat it. */
export const EngineError = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.String({ description: 'Stable and meant for programs.' }),
        message: Type.String({ description: 'Meant for people; may change.' }),
        request_id: Type.String({ description: 'Also in the header `X-Request-Id`.' }),
        details: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'For example `field` or `limit`.' })),
        retry_after: Type.Optional(Type.Integer({ minimum: 1, description: 'Seconds; also in the header `Retry-After`.' })),
      },
      { title: 'EngineProblem' },
    ),
  },
  { title: 'EngineError' },
)
export type EngineError = Static<typeof EngineError>

export type EngineErrorStatus = 400 | 404 | 405 | 413 | 415 | 500 | 503

/** On both surfaces of the engine. */
export const engineErrorHeaders: Partial<Record<EngineErrorStatus, DocumentedHeaders>> = { 405: allowHeader, 503: retryAfterHeader }

type Example = { code: string; message: string; details?: Record<string, unknown>; retry_after?: number }

const described: Readonly<Record<EngineErrorStatus, { description: string; examples: readonly Example[] }>> = {
  400: {
    description: 'The body is not JSON, not an object, or lacks a vehicle id; or a batch is too large.',
    examples: [
      { code: 'invalid_input', message: 'Missing required field: vehicleId', details: { field: 'vehicleId' } },
      { code: 'batch_too_large', message: 'A batch takes at most 1000 vehicles; this one has 1001.', details: { limit: 1000 } },
    ],
  },
  404: {
    description: 'There is nothing at this path.',
    examples: [{ code: 'not_found', message: 'There is nothing at GET /v1/nothing.' }],
  },
  405: {
    description: 'The path takes another method; the header `Allow` names it.',
    examples: [{ code: 'method_not_allowed', message: 'GET is not possible on /v1/predict; use POST.' }],
  },
  413: {
    description: 'The body is larger than the route takes.',
    examples: [{ code: 'payload_too_large', message: 'The body is larger than the 1 MiB that this route takes.' }],
  },
  415: {
    description: 'The body is not JSON.',
    examples: [{ code: 'unsupported_media_type', message: 'Send the body as JSON, with Content-Type: application/json.' }],
  },
  500: {
    description: 'The engine failed. The failure is logged under the request id.',
    examples: [{ code: 'server_error', message: 'The service failed on this request. It has been logged under the request id.' }],
  },
  503: {
    description:
      'The engine is stopping, has too much to do, has no model yet, or has no valid licence. Nothing was carried out; where `retry_after` is given, try again.',
    examples: [
      { code: 'draining', message: 'The engine is stopping; another replica will answer.', retry_after: 1 },
      { code: 'overloaded', message: 'The engine has more to do than it can answer in time.', retry_after: 1 },
      { code: 'models_not_loaded', message: 'No model is loaded yet; GET /v1/models shows why.', retry_after: 1 },
      {
        code: 'license_invalid',
        message: 'No licence is set. Put it into ENGINE_LICENSE_KEY, or name its file in ENGINE_LICENSE_KEY_FILE.',
        details: { license: 'missing' },
      },
    ],
  },
}

const REQUEST_ID_EXAMPLE = 'b5a1c9e2-6f0e-4f3c-9c1d-2f7a0d5c8e11'

export type EngineErrorResponse = {
  description: string
  headers?: DocumentedHeaders
  content: { 'application/json': { schema: typeof EngineError; examples: Record<string, { value: unknown }> } }
}

/** The error responses of a route, to spread into `schema.response`. */
export function engineErrorResponses<Status extends EngineErrorStatus>(...statuses: Status[]): Record<Status, EngineErrorResponse> {
  const entries = statuses.map((status) => {
    const { description, examples } = described[status]
    const values = examples.map(({ code, message, ...more }) => {
      return [code, { value: { error: { code, message, request_id: REQUEST_ID_EXAMPLE, ...more } } }] as const
    })
    const headers = engineErrorHeaders[status]
    return [
      status,
      {
        description,
        ...(headers === undefined ? {} : { headers }),
        content: { 'application/json': { schema: EngineError, examples: Object.fromEntries(values) } },
      },
    ] as const
  })
  return Object.fromEntries(entries) as Record<Status, EngineErrorResponse>
}
