import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { engineErrorResponses } from '@roadworthy/contracts/engine-v1/errors'
import { EngineHealth, type EngineModel, EngineModels } from '@roadworthy/contracts/engine-v1/status'
import type { LicenseGate } from '../license/license-gate.ts'
import { canPredict, countModels, describeModels, type Models } from '../models/model-set.ts'

export function statusRoutes(deps: {
  version: string
  monotonicMs: () => number
  models: Models
  license: LicenseGate
  isDraining: () => boolean
}): FastifyPluginAsyncTypebox {
  const { models, license, version } = deps
  const tags = ['Status']
  const healthExample = {
    status: 'healthy',
    version,
    models_loaded: true,
    models_count: countModels(models.current()),
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
      async () => {
        const set = models.current()
        return {
          status: deps.isDraining() ? 'draining' : 'healthy',
          version,
          models_loaded: canPredict(set),
          models_count: countModels(set),
          uptime_seconds: Math.round(deps.monotonicMs()) / 1000,
          ...describeLicense(license),
        }
      },
    )
    app.get(
      '/v1/models',
      {
        schema: {
          operationId: 'listModels',
          tags,
          summary: 'What answers predictions, with what has been measured of it',
          response: {
            200: { ...EngineModels, examples: [{ models: describeModels(models.current()).map(withFewNumbers) }] },
            ...engineErrorResponses(400, 405, 500),
          },
        },
      },
      async () => {
        const set = models.current()
        return { models: describeModels(set), ...(set.unreadable === undefined ? {} : { problem: set.unreadable }) }
      },
    )
  }
}

const NUMBERS_IN_EXAMPLE = 2

function withFewNumbers(model: EngineModel): EngineModel {
  return model.numbers === undefined ? model : { ...model, numbers: model.numbers.slice(0, NUMBERS_IN_EXAMPLE) }
}

/** Only where a licence is asked for. */
function describeLicense(license: LicenseGate) {
  const judgement = license.judge()
  if (judgement === undefined) return {}
  const { state, message } = judgement
  return { license: { status: state, message, ...('license' in judgement ? { expires_at: judgement.license.expires_at } : {}) } }
}
