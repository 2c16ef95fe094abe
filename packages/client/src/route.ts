export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How a 200 is read: parsed, as text, as bytes, a line at a time, or as a stream of events. */
export type AnswerKind = 'json' | 'text' | 'bytes' | 'lines' | 'events'

export type Route = {
  readonly method: HttpMethod
  /** With its parameters in braces, as in the document. */
  readonly path: string
  /** What comes after the parameters of the path. */
  readonly input?: 'body' | 'query'
  /** The array of a list that has pages. */
  readonly items?: string
  /** The array of the body that is sent in parts, and the most items and bytes of a part. */
  readonly batch?: { readonly key: string; readonly max: number; readonly maxBytes: number }
  /** JSON when it is left out. */
  readonly answers?: readonly AnswerKind[]
  /** Whether the service looks at `Idempotency-Key`. */
  readonly takesKey?: boolean
  /** False where a second call might do the thing twice. */
  readonly isRepeatable?: false
}

export type RouteTable = { readonly [name: string]: Route | RouteTable }

export const isRoute = (node: Route | RouteTable): node is Route => typeof node['path'] === 'string'
