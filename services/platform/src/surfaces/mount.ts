// What the surfaces of the platform have in common: how a request gets in, and how a route is described.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { compactAnswers } from '@roadworthy/service-kit/http/compact-answers'
import { collectOpenApi, type DocsOptions, serveDocs } from '@roadworthy/service-kit/http/docs'
import { type App, type Surface, speakSurface } from '@roadworthy/service-kit/http/http'
import { refuseUnknownQuery } from '@roadworthy/service-kit/http/known-query'
import type { RouteOptions } from 'fastify'
import { scopesOfRoute } from '../keys/scopes.ts'
import type { SurfaceName } from '../limits/plans.ts'
import { noteCalls } from '../requests/note-calls.ts'
import type { RequestLog } from '../requests/request-log.ts'
import type { Access } from './access.ts'
import { answerWhenCounted } from './gate.ts'
import { SERVICE_VERSION } from './service-version.ts'

export type SurfaceDeps = {
  readonly access: Access
  /** Without it no call is noted. */
  readonly requestLog?: RequestLog | undefined
  readonly now: () => Date
  /** The slices' routes on this surface, with paths relative to it. */
  readonly routes: readonly FastifyPluginAsyncTypebox[]
}

type Description = {
  readonly name: SurfaceName
  readonly prefix: string
  readonly surface: Surface
  readonly docs: Omit<DocsOptions, 'version' | 'securitySchemes' | 'hasEntityTags'>
  readonly docsPath: string
  readonly jsonPath: string
  readonly errorResponses: (...statuses: (409 | 413 | 415 | 422)[]) => Record<number, unknown>
}

/** Spec gap §5.4: one store of keys, either header, on every surface. */
const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key as it was shown when it was made.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key, as `Authorization: Bearer <API_KEY>`.' },
}

/** Mounts a surface, its document and its documentation page on `root`. */
export async function mountSurface(root: App, deps: SurfaceDeps, description: Description): Promise<void> {
  let mounted: App | undefined
  await root.register(
    async (app: App) => {
      mounted = app
      speakSurface(app, description.surface)
      await collectOpenApi(app, { ...description.docs, version: SERVICE_VERSION, securitySchemes, hasEntityTags: true })
      app.addHook('onRoute', (route) => describeRoute(route, description))
      app.decorateRequest('caller')
      app.decorateRequest('callCounted', undefined)
      app.decorateRequest('callToCount', undefined)
      const recheck = deps.access.recheck(description.name)
      app.decorateRequest('isStillAdmitted', function isStillAdmitted() {
        return recheck(this)
      })
      app.addHook('onRequest', deps.access.gate(description.name))
      if (deps.requestLog !== undefined) noteCalls(app, description.name, deps.requestLog, deps.now)
      refuseUnknownQuery(app)
      deps.access.addIdempotency(app)
      // After the answer has been kept, so that a repeat of a call that could not be counted gets it.
      app.addHook('onSend', answerWhenCounted(description.surface))
      compactAnswers(app)
      for (const routes of deps.routes) await app.register(routes)
    },
    { prefix: description.prefix },
  )
  await serveDocs(root, {
    surface: () => {
      if (mounted === undefined) throw new Error(`the ${description.name} surface is not ready`)
      return mounted
    },
    jsonPath: description.jsonPath,
    docsPath: description.docsPath,
    title: description.docs.title,
  })
}

const idempotencyHeader = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      description: 'Up to 255 printable characters. A repeat with the same key and body within 24 h gets the first answer again.',
    },
  },
}

/** Adds to a route's description what follows from where it is mounted, so that no slice can forget it. Refuses one without a scope. */
function describeRoute(route: RouteOptions, { errorResponses }: Description): void {
  const { config = {}, schema = {} } = route
  const isPublic = config.public === true
  if (!isPublic && config.scope === undefined) throw new Error(`${String(route.method)} ${route.url} declares neither a scope nor public`)
  const opening = config.scope === undefined ? [] : scopesOfRoute(config.scope)
  const isPost = [route.method].flat().includes('POST')
  const added = errorResponses(...(schema.body === undefined ? [] : ([413, 415] as const)), ...(isPost ? ([409, 422] as const) : []))
  route.schema = {
    ...schema,
    security: isPublic ? [] : ['apiKey', 'bearer'].flatMap((header) => opening.map((scope) => ({ [header]: [scope] }))),
    ...(isPublic ? {} : { response: { ...added, ...(schema.response as object | undefined) } }),
    ...(isPost && schema.headers === undefined ? { headers: idempotencyHeader } : {}),
  }
}
