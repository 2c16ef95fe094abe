// Header fields that no route decides, because every answer of its kind has them: named once as components of a document, and referred to.

type Response = { $ref?: string; headers?: Record<string, unknown>; content?: Record<string, unknown> }
type Operation = { operationId?: string; parameters?: unknown[]; responses?: Record<string, Response> }
type Document = { paths?: object; components?: object }
type Components = Partial<Record<'headers' | 'parameters' | 'responses', Record<string, unknown>>>

const headers = {
  RequestId: {
    description:
      'Id of this request, also in its error: the `X-Request-Id` that was sent, where it is 1 to 64 of `A-Z a-z 0-9 . _ -`; else a new one.',
    schema: { type: 'string' },
    example: 'b5a1c9e2-6f0e-4f3c-9c1d-2f7a0d5c8e11',
  },
  Authenticate: {
    description: 'The scheme that opens the route (RFC 9110 §11.6.1): `Bearer`.',
    schema: { type: 'string', const: 'Bearer' },
  },
  EntityTag: {
    description:
      'Stands for what the answer holds (RFC 9110 §8.8.3). Send it as `If-None-Match` to get the answer only where it has changed.',
    schema: { type: 'string' },
    example: 'W/"q0uEOfQbOf8GgQ2fQvHc0w"',
  },
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an answer that the caller has: while it is the same it is 304, without a body.',
  schema: { type: 'string' },
}

const refTo = (kind: keyof Components, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const requestId = { 'X-Request-Id': refTo('headers', 'RequestId') }
const entityTag = { ETag: refTo('headers', 'EntityTag') }
const NOT_MODIFIED = {
  description: 'The caller has this answer: its `ETag` is among those of `If-None-Match`.',
  headers: { ...requestId, ...entityTag },
}

/** `isRevalidated`: whether an operation answers 304 to who has its answer already. */
export function withCommonHeaders<Doc extends Document>(
  document: Doc,
  isRevalidated: (method: string, operation: Operation) => boolean,
): Doc {
  const used: Components = { headers: { RequestId: headers.RequestId } }
  for (const operations of Object.values(document.paths ?? {}) as Record<string, Operation>[]) {
    for (const [method, operation] of Object.entries(operations)) {
      const { responses = {} } = operation
      for (const response of Object.values(responses)) response.headers = { ...response.headers, ...requestId }
      const unauthenticated = responses['401']
      if (unauthenticated !== undefined) {
        unauthenticated.headers = { ...unauthenticated.headers, 'WWW-Authenticate': refTo('headers', 'Authenticate') }
        used.headers = { ...used.headers, Authenticate: headers.Authenticate }
      }
      const answer = responses['200']
      if (answer?.content?.['application/json'] === undefined || !isRevalidated(method, operation)) continue
      answer.headers = { ...answer.headers, ...entityTag }
      responses['304'] = refTo('responses', 'NotModified')
      operation.parameters = [...(operation.parameters ?? []), refTo('parameters', 'IfNoneMatch')]
      used.headers = { ...used.headers, EntityTag: headers.EntityTag }
      used.parameters = { IfNoneMatch: IF_NONE_MATCH }
      used.responses = { NotModified: NOT_MODIFIED }
    }
  }
  return { ...document, components: { ...document.components, ...used } }
}
