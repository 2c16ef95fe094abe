// What an inference request is on the wire: JSON, or JSON and behind it tensors as bytes, as Triton's extension of binary tensors has it, which
// the clients of Triton and KServe use unless they are set not to.

import { type App, assertPlain } from '@roadworthy/service-kit/http/http'
import { parseJsonShallow } from '@roadworthy/service-kit/http/json-limits'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyRequest } from 'fastify'

/** Bytes of the JSON at the start of a body, on the way in and on the way out. */
export const JSON_LENGTH_HEADER = 'inference-header-content-length'

export type InferenceBody = {
  readonly json: unknown
  /** What stands behind the JSON; empty where the header states that all is JSON, `undefined` without that header. */
  readonly tensors: Buffer | undefined
}

/** Bodies of the routes under `app` are read as `InferenceBody`. */
export function readInferenceBodies(app: App): void {
  const parse = (request: FastifyRequest, body: Buffer) => {
    assertPlain(request)
    return splitBody(body, request.headers[JSON_LENGTH_HEADER])
  }
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>(
    ['application/json', 'application/octet-stream'],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => parse(request, body),
  )
  // Triton's client sends no type at all.
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (request.headers['content-type'] === undefined) return parse(request, body)
    throw new Problem('unsupported_media_type', 'Send the body as application/json, or with binary tensors as application/octet-stream.')
  })
}

/** Throws `Problem('invalid_request')`. */
function splitBody(body: Buffer, jsonLength: string | string[] | undefined): InferenceBody {
  if (jsonLength === undefined) return { json: parseJsonShallow(body), tensors: undefined }
  const length = /^\d{1,10}$/.test(String(jsonLength)) ? Number(jsonLength) : Number.NaN
  if (!(length > 0 && length <= body.length)) {
    const shown = String(jsonLength).slice(0, 32)
    throw new Problem(
      'invalid_request',
      `Inference-Header-Content-Length is "${shown}"; it must be how many of the body's ${body.length} bytes are JSON.`,
      { details: { field: 'Inference-Header-Content-Length' } },
    )
  }
  return { json: parseJsonShallow(body.subarray(0, length)), tensors: body.subarray(length) }
}
