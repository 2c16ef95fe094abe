// What a method of the client has to know of its operation, read from the OpenAPI document.

import type { JsonSchema, OpenApi, Operation, Parameter } from '../../test/support/open-api.ts'
import type { MethodEntry } from './method-table.ts'
import { refName } from './schema-type.ts'

export type OperationFacts = {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly pathParameters: readonly string[]
  readonly query: readonly Parameter[]
  /** By media type. */
  readonly body: Readonly<Record<string, JsonSchema>>
  readonly isBodyRequired: boolean
  /** Of 200, by media type. */
  readonly answers: Readonly<Record<string, JsonSchema>>
  readonly takesKey: boolean
  /** Where a repeat after an unclear end does no harm: it has a key, or the method is idempotent, or nothing is stored. */
  readonly isRepeatable: boolean
  /** Of a list with pages: the array, and its items. */
  readonly items?: { readonly key: string; readonly schema: JsonSchema }
  /** Of a batch: the array of the body, and the most it takes. */
  readonly batch?: { readonly key: string; readonly max: number; readonly maxBodyMib: number; readonly item: JsonSchema }
  readonly each?: MethodEntry['each']
}

export function factsOf(
  document: OpenApi,
  method: string,
  path: string,
  entry: Partial<MethodEntry>,
  isStateless: boolean,
): OperationFacts {
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`${method} ${path} is in the table of methods and not in the document`)
  const parameters = operation.parameters ?? []
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const takesKey = parameters.some((parameter) => parameter.name === 'Idempotency-Key')
  const answers = mediaOf(operation.responses['200']?.content)
  const body = mediaOf(operation.requestBody?.content)
  const items = query.some(({ name }) => name === 'after') ? itemsOf(document, answers['application/json'], entry.items) : undefined
  const batch = entry.batchOf === undefined ? undefined : batchOf(document, body['application/json'], entry.batchOf, entry.maxBodyMib ?? 1)
  return {
    ...{ method, path, operation, query, body, answers, takesKey },
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    isBodyRequired: operation.requestBody?.required === true,
    // Without a key to be signed in by, as when signing in, the service does not look at `Idempotency-Key` either.
    isRepeatable: method !== 'POST' || isStateless || (takesKey && operation.security.length > 0),
    ...(items === undefined ? {} : { items }),
    ...(batch === undefined ? {} : { batch }),
    ...(entry.each === undefined ? {} : { each: entry.each }),
  }
}

const mediaOf = (content: Operation['responses'][string]['content']) =>
  Object.fromEntries(Object.entries(content ?? {}).map(([type, { schema }]) => [type, schema ?? {}]))

function resolved({ components }: OpenApi, schema: JsonSchema = {}): JsonSchema {
  const { $ref } = schema
  return typeof $ref === 'string' ? (components.schemas[refName($ref)] ?? {}) : schema
}

const propertiesOf = (schema: JsonSchema) => (schema['properties'] ?? {}) as Record<string, JsonSchema>

function itemsOf(document: OpenApi, answer: JsonSchema | undefined, chosen: string | undefined) {
  const arrays = Object.entries(propertiesOf(resolved(document, answer))).filter(([, { type }]) => type === 'array')
  const [found, other] = chosen === undefined ? arrays : arrays.filter(([key]) => key === chosen)
  if (found === undefined || other !== undefined) throw new Error(`name the items of the list in the table: ${arrays.map(([key]) => key)}`)
  return { key: found[0], schema: found[1]['items'] as JsonSchema }
}

function batchOf(document: OpenApi, body: JsonSchema | undefined, key: string, maxBodyMib: number) {
  const schema = resolved(document, body)
  const forms = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as JsonSchema[]) : [schema]
  const array = forms.map((form) => propertiesOf(resolved(document, form))[key]).find((found) => found !== undefined)
  if (typeof array?.['maxItems'] !== 'number') throw new Error(`the body has no array ${key} with a limit`)
  return { key, maxBodyMib, max: array['maxItems'], item: array['items'] as JsonSchema }
}

export type MediaKind = 'json' | 'text' | 'bytes' | 'events'

export function mediaKind(type: string): MediaKind {
  if (/^application\/(.+\+)?json$/.test(type)) return 'json'
  if (type === 'text/event-stream') return 'events'
  return /^text\/|[/+]xml$|\/x-ndjson$/.test(type) ? 'text' : 'bytes'
}
