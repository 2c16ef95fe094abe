// The committed OpenAPI documents, read as a stranger would: what operations there are, and whether an answer is one they describe.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export const documentNames = ['external', 'platform-v1', 'sim-billing', 'engine'] as const
export type DocumentName = (typeof documentNames)[number]

export type JsonSchema = { readonly [keyword: string]: unknown }
export type Media = {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { value: unknown }>>
}
export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}
export type Content = Readonly<Record<string, Media>>
export type Answer = {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema: JsonSchema }>>
  readonly content?: Content
}
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
}
export type OpenApi = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes?: Readonly<Record<string, unknown>>
    readonly parameters?: Readonly<Record<string, unknown>>
    readonly responses?: Readonly<Record<string, unknown>>
    readonly headers?: Readonly<Record<string, unknown>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post?: Operation }>>
}

export type Route = { readonly method: string; readonly path: string; readonly operation: Operation }

export const documentFile = (file: string) => join(import.meta.dirname, '../../docs/openapi', file)

export function readOpenApi(name: DocumentName): OpenApi {
  return JSON.parse(readFileSync(documentFile(`${name}.json`), 'utf8')) as OpenApi
}

/** With the parameters, answers and header fields that operations refer to in the document's components. */
export function routesOf(document: OpenApi): Route[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: {
        ...operation,
        ...(operation.parameters === undefined ? {} : { parameters: operation.parameters.map((each) => referred(document, each)) }),
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, each]) => [status, withHeaders(document, referred(document, each))]),
        ),
      },
    })),
  )
}

function withHeaders(document: OpenApi, answer: Answer): Answer {
  if (answer.headers === undefined) return answer
  return { ...answer, headers: Object.fromEntries(Object.entries(answer.headers).map(([name, each]) => [name, referred(document, each)])) }
}

/** A schema stays as it is: its references are for who checks by it. */
function referred<Part extends object>({ components }: OpenApi, part: Part): Part {
  const { $ref } = part as { $ref?: string }
  if ($ref === undefined) return part
  const [, , kind = '', name = ''] = $ref.split('/')
  const found = (components as Record<string, Record<string, unknown> | undefined>)[kind]?.[name]
  if (found === undefined) throw new Error(`${$ref} leads nowhere`)
  return found as Part
}

/** The scopes that an operation's `security` names, of which any opens it; none where it needs no key. */
export function scopesOf({ security }: Operation): string[] {
  return security.flatMap((each) => each['apiKey'] ?? [])
}

const DOCUMENT_ID = 'https://example.com/document'

/** Compiles schemas of one document, with its components in reach. */
export function createSchemaChecker(document: OpenApi): (schema: JsonSchema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  // ajv-formats is CommonJS; under Node's module resolution its default export is the module object.
  ;(addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv)
  // Added once: with the components in each schema, compiling all of them took as long as their number squared.
  ajv.addSchema({ $id: DOCUMENT_ID, components: document.components })
  const compiled = new Map<JsonSchema, ValidateFunction>()
  return (schema) => {
    const known = compiled.get(schema) ?? ajv.compile(withWholeRefs(schema))
    compiled.set(schema, known)
    return known
  }
}

function withWholeRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT_ID}#/`)) as JsonSchema
}
