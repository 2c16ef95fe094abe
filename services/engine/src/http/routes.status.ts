import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { engineErrorResponses } from '@roadworthy/contracts/engine-v1/errors'
import { EngineHealth, type EngineModel, EngineModels } from '@roadworthy/contracts/engine-v1/status'

export function statusRoutes(deps: {
  version: string
  monotonicMs: () => number
  models: readonly EngineModel[]
  isDraining: () => boolean
}): FastifyPluginAsyncTypebox {
  const tags = ['Status']
  const healthExample = {
    status: 'healthy',
    version: deps.version,
    models_loaded: true,
    models_count: deps.models.length,
    uptime_seconds: 86_400,
  }
  return async (app) => {
    app.get(
      '/v1/health',
      {
        config: { anyQuery: true },
        schema: {
          operationId: 'getHealth',
          tags,
          summary: 'Whether the engine is up, and what it has loaded',
          response: { 200: { ...EngineHealth, examples: [healthExample] }, ...engineErrorResponses(405, 500) },
        },
      },
      async () => ({
        status: deps.isDraining() ? 'draining' : 'healthy',
        version: deps.version,
        models_loaded: deps.models.length > 0,
        models_count: deps.models.length,
        uptime_seconds: Math.round(deps.monotonicMs()) / 1000,
      }),
    )
    app.get(
      '/v1/models',
      {
        schema: {
          operationId: 'listModels',
          tags,
          summary: 'What answers predictions, with what has been measured of it',
          response: { 200: { ...EngineModels, examples: [{ models: [...deps.models] }] }, ...engineErrorResponses(400, 405, 500) },
        },
      },
      async () => ({ models: [...deps.models] }),
    )
  }
}
