import { Type } from 'typebox'
import { engineErrorHeaders } from '../engine-v1/errors.ts'
import type { DocumentedHeaders } from '../error-responses.ts'

/** The protocol's error object. The code stands before the colon; it is one of docs/errors.md. */
const InferenceError = Type.Object({ error: Type.String() }, { title: 'InferenceError' })

export type InferenceErrorStatus = 400 | 404 | 405 | 413 | 415 | 500 | 503

const described: Readonly<Record<InferenceErrorStatus, { description: string; examples: Readonly<Record<string, string>> }>> = {
  400: {
    description: 'The body is not an inference request, or does not fit the model.',
    examples: { invalid_input: 'invalid_input: inputs[0].shape is [1, 3]; this model takes [rows, 2].' },
  },
  404: {
    description: 'There is no such model, version or path.',
    examples: { not_found: 'not_found: There is no model "turbofan".' },
  },
  405: {
    description: 'The path takes another method; the header `Allow` names it.',
    examples: { method_not_allowed: 'method_not_allowed: GET is not possible on /v2/models/turbofan/infer; use POST.' },
  },
  413: {
    description: 'The body is larger than the route takes.',
    examples: { payload_too_large: 'payload_too_large: The body is larger than the 16 MiB that this route takes.' },
  },
  415: {
    description: 'The body is neither JSON nor JSON with binary tensors.',
    examples: {
      unsupported_media_type:
        'unsupported_media_type: Send the body as application/json, or with binary tensors as application/octet-stream.',
    },
  },
  500: {
    description: 'The engine failed. The failure is logged under the request id.',
    examples: { server_error: 'server_error: The service failed on this request. It has been logged under the request id.' },
  },
  503: {
    description: 'The engine is stopping, has too much to do, has no such model yet, or has no valid licence.',
    examples: {
      draining: 'draining: The engine is stopping; another replica will answer.',
      overloaded: 'overloaded: The engine has more to do than it can answer in time.',
      models_not_loaded: 'models_not_loaded: Model "turbofan" could not be loaded: golden row 0 is answered otherwise.',
      license_invalid: 'license_invalid: No licence is set.',
    },
  },
}

export type InferenceErrorResponse = {
  description: string
  headers?: DocumentedHeaders
  content: { 'application/json': { schema: typeof InferenceError; examples: Record<string, { value: unknown }> } }
}

/** The error responses of a route, to spread into `schema.response`. */
export function inferenceErrorResponses<Status extends InferenceErrorStatus>(
  ...statuses: Status[]
): Record<Status, InferenceErrorResponse> {
  const entries = statuses.map((status) => {
    const { description, examples } = described[status]
    const values = Object.fromEntries(Object.entries(examples).map(([code, error]) => [code, { value: { error } }]))
    const headers = engineErrorHeaders[status]
    const content = { 'application/json': { schema: InferenceError, examples: values } }
    return [status, { description, ...(headers === undefined ? {} : { headers }), content }] as const
  })
  return Object.fromEntries(entries) as Record<Status, InferenceErrorResponse>
}
