// The engine's HTTP API, wired from plain arguments. Nothing listens yet.
import type { EngineStatistics } from '@roadworthy/contracts/engine-v1/status'
import { collectOpenApi, serveDocs } from '@roadworthy/service-kit/http/docs'
import { type App, createHttpApp, speakSurface } from '@roadworthy/service-kit/http/http'
import { refuseUnknownQuery } from '@roadworthy/service-kit/http/known-query'
import { traceRequests } from '@roadworthy/service-kit/telemetry/trace-requests'
import type { FastifyBaseLogger } from 'fastify'
import { createBatchTurns } from '../batch-turns.ts'
import type { LicenseGate } from '../license/license-gate.ts'
import type { Models } from '../models/model-set.ts'
import { createBodyBudget } from '../overload.ts'
import { createSchemaStatistics, type SchemaStatistics } from '../schema/statistics.ts'
import { OPEN_REQUESTS_MS } from '../stop-bounds.ts'
import { createAdmit } from './admit.ts'
import type { EngineMetrics } from './engine-metrics.ts'
import { engineSurface } from './engine-surface.ts'
import { inferenceSurface } from './inference-surface.ts'
import { inferenceRoutes } from './routes.inference.ts'
import { predictRoutes } from './routes.predict.ts'
import { probeRoutes } from './routes.probes.ts'
import { schemaRoutes } from './routes.schema.ts'
import { statusRoutes } from './routes.status.ts'

export const ENGINE_VERSION = '2.0.0'

/** Questions about vehicles and models; what asks whether the engine is there is worth no trace. */
const TRACED = /^(\/v1\/predict(\/batch)?|\/v2\/.*\/infer)$/

/** 1000 vehicles with 120 readings of the five core fields each are about 14 MB. */
const MAX_BATCH_BODY_BYTES = 16 * 1024 * 1024

export type EngineAppDeps = {
  readonly logger: FastifyBaseLogger | false
  /** Wall clock: for readings that bring no time of their own. */
  readonly nowMs: () => number
  /** Never set back: for durations. Zero is the start of the engine. */
  readonly monotonicMs: () => number
  readonly models: Models
  readonly license: LicenseGate
  readonly metrics: EngineMetrics
  /** Bodies of requests that are open at one moment; a preset that fits a small container. */
  readonly maxOpenBodyBytes?: number
  /** Asked at every prediction. */
  readonly isDraining: () => boolean
  readonly isOverloaded: () => boolean
  /** Counted by every input; of its own where there is no other. */
  readonly statistics?: SchemaStatistics
  /** What is reported of statistics and metrics where others have counted too; by itself it reports its own. */
  readonly reported?: { readonly statistics: () => Promise<EngineStatistics>; readonly metrics: () => Promise<string> }
  /** Why the input beside REST takes nothing at this moment, if so. */
  readonly inputTrouble?: () => string | undefined
}

export async function buildEngineApp(deps: EngineAppDeps): Promise<App> {
  const app = createHttpApp({ logger: deps.logger, maxBodyBytes: MAX_BATCH_BODY_BYTES, openRequestsMs: OPEN_REQUESTS_MS })
  speakSurface(app, engineSurface)
  await collectOpenApi(app, {
    title: 'Roadworthy ML engine',
    version: ENGINE_VERSION,
    description:
      'Health, remaining life, anomalies and alerts of a vehicle from what it reports about itself. There is no authentication: run it in a private network. Requests are not rate limited.',
    tags: [
      { name: 'Prediction', description: 'One vehicle or a batch.' },
      { name: 'Inference', description: 'Trained models by their feature vectors, in the Open Inference Protocol v2.' },
      { name: 'Schema', description: 'What goes in, what comes out, and how names are mapped.' },
      { name: 'Status', description: 'Health and models.' },
    ],
  })
  // Spec §5.3: no authentication. Stated outright, since an operation that is silent about it leaves the reader guessing.
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security: [] }
  })
  refuseUnknownQuery(app)
  const statistics = deps.statistics ?? createSchemaStatistics()
  const budget = createBodyBudget(deps.maxOpenBodyBytes)
  const { metrics } = deps
  const reported = deps.reported ?? { statistics: async () => statistics.report(), metrics: () => metrics.registry.metrics() }
  metrics.timeRequests(app)
  traceRequests(app, (route) => TRACED.test(route))
  metrics.watch({ ...deps, predictionCount: () => statistics.report().total_processed, openBodyBytes: budget.openBytes })
  const admit = createAdmit({ ...deps, budget })
  const batchTurns = createBatchTurns(deps.monotonicMs)
  const admitBatch = createAdmit({ ...deps, budget, isOverloaded: () => batchTurns.isBehind() || deps.isOverloaded() })
  await app.register(statusRoutes({ ...deps, version: ENGINE_VERSION }))
  await app.register(probeRoutes({ ...deps, metrics: reported.metrics }))
  await app.register(schemaRoutes({ statistics: reported.statistics }))
  await app.register(predictRoutes({ ...deps, admit, admitBatch, batchTurns, statistics }))
  await app.register(
    async (inference) => {
      speakSurface(inference as unknown as App, inferenceSurface)
      await inference.register(inferenceRoutes({ ...deps, admit, version: ENGINE_VERSION }))
    },
    { prefix: '/v2' },
  )
  await serveDocs(app, { surface: () => app, jsonPath: '/openapi.json', docsPath: '/docs', title: 'Roadworthy ML engine' })
  return app
}
