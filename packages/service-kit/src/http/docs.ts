// The OpenAPI 3.1 document of one surface, made from its routes, and the page that shows it.

import swagger from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import { withCommonHeaders } from './common-headers.ts'
import { serveDocsPage } from './docs-page.ts'
import type { App } from './http.ts'
import { collectNamedSchemas, withoutKeyPatterns } from './named-schemas.ts'
import { exampleOf } from './schema-example.ts'

export type DocsOptions = {
  readonly title: string
  readonly description: string
  readonly version: string
  readonly tags: readonly { name: string; description: string }[]
  readonly securitySchemes?: Record<string, unknown>
  /** Whether answers are sent by `compactAnswers`, with an ETag. */
  readonly hasEntityTags?: boolean
  /** Asked for with the document, not before. */
  readonly webhooks?: (() => WebhookDocs) | undefined
}

/** What the service calls at others, in the words of OpenAPI 3.1. */
export type WebhookDocs = {
  /** A path item for each type of event, by the type. */
  readonly webhooks: Readonly<Record<string, unknown>>
  /** Components that they name. A schema is best given inline, with its name as `title`. */
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Collects the routes registered on `app` after this call. Call before the routes, on the surface's own encapsulated instance. */
export async function collectOpenApi(app: App, options: DocsOptions): Promise<void> {
  const withoutBody = new Set<unknown>()
  const withoutTag = new Set<unknown>()
  const isRevalidated = (method: string, { operationId }: { operationId?: string }) =>
    options.hasEntityTags === true && method === 'get' && !withoutTag.has(operationId)
  await app.register(swagger, {
    transform: ({ schema, url, route }) => {
      if (route.config?.bodyMayBeMissing === true) withoutBody.add(schema.operationId)
      if (!hasEntityTag(route)) withoutTag.add(schema.operationId)
      return { schema, url }
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return {}
      const documented = withCommonHeaders(withOptionalBodies(document.openapiObject, withoutBody), isRevalidated)
      return withWebhooks(documented, options.webhooks)
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: options.title,
        description: options.description,
        version: options.version,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [...options.tags],
      ...(options.securitySchemes === undefined ? {} : { components: { securitySchemes: options.securitySchemes as never } }),
    },
  })
}

/** A GET without a HEAD changes something: trackers report by it. */
function hasEntityTag({ config, exposeHeadRoute }: RouteOptions): boolean {
  return config?.isNeverStored !== true && config?.isSentInParts !== true && exposeHeadRoute !== false
}

/** The generator marks every body as required. */
function withOptionalBodies<Document extends { paths?: object }>(document: Document, operationIds: ReadonlySet<unknown>): Document {
  for (const operations of Object.values(document.paths ?? {}) as Record<string, { operationId?: string; requestBody?: object }>[]) {
    for (const operation of Object.values(operations)) {
      if (operationIds.has(operation.operationId)) operation.requestBody = { ...operation.requestBody, required: false }
    }
  }
  return document
}

/** Added last: the generator would write their schemas in another form. */
function withWebhooks<Document extends { components?: object }>(document: Document, docsOf: (() => WebhookDocs) | undefined): Document {
  if (docsOf === undefined) return document
  const { webhooks, components } = withoutKeyPatterns(docsOf()) as WebhookDocs
  const known = (document.components ?? {}) as Readonly<Record<string, object>>
  const merged = Object.entries(components).map(([kind, named]) => [kind, { ...known[kind], ...named }])
  return { ...document, webhooks, components: { ...known, ...Object.fromEntries(merged) } }
}

/** The document of a surface whose app is ready, with every schema that has a `title` moved to `components` once. */
function openApiDocument(app: App): Record<string, unknown> {
  return hoistTitledSchemas(app.swagger() as unknown as Record<string, unknown>)
}

/** Serves the document at `jsonPath` and the interactive page at `docsPath`, both absolute. Call on the root app. */
export async function serveDocs(
  root: App,
  options: { surface: () => App; jsonPath: string; docsPath: string; title: string },
): Promise<void> {
  let json: string | undefined
  root.get(options.jsonPath, { schema: { hide: true } }, async (_request, reply) => {
    json ??= JSON.stringify(openApiDocument(options.surface()))
    return reply.header('content-type', 'application/json; charset=utf-8').send(json)
  })
  serveDocsPage(root, options)
}

function hoistTitledSchemas({ webhooks, ...document }: Record<string, unknown>): Record<string, unknown> {
  const { move, schemas } = collectNamedSchemas()
  const paths = move(document['paths'])
  const called = move(webhooks)
  const components = (document['components'] ?? {}) as Record<string, unknown>
  // Those that no route and no webhook names.
  move(components['schemas'])
  const named = schemas()
  return {
    ...document,
    components: { ...components, schemas: named },
    paths: withAnswerExamples(paths, named),
    ...(called === undefined ? {} : { webhooks: called }),
  }
}

type Media = { schema?: unknown; example?: unknown; examples?: unknown }
type Operation = { responses?: Record<string, { content?: Record<string, Media> }> }

/** Shows an example of every answer whose parts have one. */
function withAnswerExamples(paths: unknown, schemas: Record<string, Record<string, unknown>>): unknown {
  for (const operations of Object.values(paths as Record<string, Record<string, Operation>>)) {
    for (const { responses = {} } of Object.values(operations)) {
      for (const media of Object.values(responses['200']?.content ?? {})) {
        if (media.example !== undefined || media.examples !== undefined) continue
        const example = exampleOf(media.schema, schemas)
        if (example !== undefined) media.example = example
      }
    }
  }
  return paths
}
