import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import { ExternalHealth } from '@roadworthy/contracts/external/health'
import type { App } from '@roadworthy/service-kit/http/http'
import { scopes } from '../keys/scopes.ts'
import { externalSurface } from './errors.ts'
import { mountSurface, type SurfaceDeps } from './mount.ts'
import { SERVICE_VERSION } from './service-version.ts'

export const EXTERNAL_PREFIX = '/api/external'

/** The External API at `/api/external`, its page at `/docs`, its document at `/openapi/external.json`. */
export function mountExternal(root: App, deps: SurfaceDeps): Promise<void> {
  return mountSurface(
    root,
    { ...deps, routes: [healthRoute, ...deps.routes] },
    {
      name: 'external',
      prefix: EXTERNAL_PREFIX,
      surface: externalSurface,
      errorResponses,
      docsPath: '/docs',
      jsonPath: '/openapi/external.json',
      docs: {
        title: 'Roadworthy External API',
        description:
          'For resellers: sub-clients, devices and their credentials, vehicles, tracking, telemetry and predictions. Send the key as ' +
          '`X-API-Key`. A key may make 60 requests in any 60 seconds and 5000 a UTC day unless it has its own limits; a batch is one request.',
        tags: [
          { name: 'Sub-clients', description: "A reseller's own customers." },
          { name: 'Devices', description: 'Registration and credentials.' },
          { name: 'Locations', description: 'Where devices are now.' },
          { name: 'Vehicles', description: 'What the devices are in.' },
          { name: 'Telemetry', description: 'What vehicles report about themselves.' },
          { name: 'Tracking', description: 'Where vehicles were.' },
          { name: 'Phones and trackers', description: 'Formats of apps, trackers and platforms of others.' },
          { name: 'Predictions', description: 'What will break, when, and how sure that is.' },
          { name: 'Usage', description: 'What is billed.' },
          { name: 'Service', description: 'The service itself.' },
        ],
      },
    },
  )
}

const healthRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/health',
    {
      config: { public: true, anyQuery: true },
      schema: {
        operationId: 'getHealth',
        tags: ['Service'],
        summary: 'Whether the API answers, its version, and the scopes there are',
        response: { 200: ExternalHealth },
      },
    },
    async () => ({ status: 'healthy' as const, version: SERVICE_VERSION, scopes: [...scopes, '*'] }),
  )
}
