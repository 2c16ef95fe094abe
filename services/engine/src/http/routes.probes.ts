import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { engineErrorResponses } from '@roadworthy/contracts/engine-v1/errors'
import { EngineLive } from '@roadworthy/contracts/engine-v1/status'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { Registry } from 'prom-client'
import { canPredict, type Models } from '../models/model-set.ts'

/**
 * For an orchestrator: restart it when it is not live, send it nothing while it is not ready. A licence is no part of either: callers are to
 * get what is wrong with it, which takes somebody who answers.
 */
export function probeRoutes(deps: {
  models: Models
  /** The text for Prometheus. */
  metrics: () => Promise<string>
  isDraining: () => boolean
  inputTrouble?: () => string | undefined
}): FastifyPluginAsyncTypebox {
  const tags = ['Status']
  return async (app) => {
    app.get(
      '/livez',
      {
        config: { anyQuery: true },
        schema: {
          operationId: 'getLive',
          tags,
          summary: 'Whether the process answers at all',
          response: { 200: { ...EngineLive, examples: [{ status: 'ok' }] }, ...engineErrorResponses(405, 500) },
        },
      },
      async () => ({ status: 'ok' }),
    )
    // The older name of the same question, which many tools ask unless they are configured.
    app.get('/healthz', { config: { anyQuery: true }, schema: { hide: true } }, async () => ({ status: 'ok' }))
    app.get(
      '/readyz',
      {
        config: { anyQuery: true },
        schema: {
          operationId: 'getReady',
          tags,
          summary: 'Whether to send it predictions',
          response: { 200: { ...EngineLive, examples: [{ status: 'ready' }] }, ...engineErrorResponses(405, 500, 503) },
        },
      },
      async () => {
        if (deps.isDraining()) throw new Problem('draining', 'The engine is stopping.', { retryAfterS: 1 })
        if (!canPredict(deps.models.current())) throw new Problem('models_not_loaded', 'No model is loaded yet.', { retryAfterS: 1 })
        const trouble = deps.inputTrouble?.()
        if (trouble !== undefined) throw new Problem('unavailable', trouble, { retryAfterS: 1 })
        return { status: 'ready' }
      },
    )
    app.get('/metrics', { config: { anyQuery: true }, schema: { hide: true } }, async (_request, reply) => {
      return reply.header('content-type', Registry.PROMETHEUS_CONTENT_TYPE).send(await deps.metrics())
    })
  }
}
