// The engine's HTTP door, wired from plain arguments. Nothing listens yet.
import type { EngineModel } from '@roadworthy/contracts/engine-v1/status'
import { collectOpenApi, serveDocs } from '@roadworthy/service-kit/docs'
import { type App, createHttpApp, speakSurface } from '@roadworthy/service-kit/http'
import { refuseUnknownQuery } from '@roadworthy/service-kit/known-query'
import type { FastifyBaseLogger } from 'fastify'
import { createSchemaStatistics } from '../schema/statistics.ts'
import { engineSurface } from './engine-surface.ts'
import { predictRoutes } from './routes.predict.ts'
import { probeRoutes } from './routes.probes.ts'
import { schemaRoutes } from './routes.schema.ts'
import { statusRoutes } from './routes.status.ts'

const ENGINE_VERSION = '2.0.0'

/** 1000 vehicles with 120 readings of the five core fields each are about 14 MB. */
const MAX_BATCH_BODY_BYTES = 16 * 1024 * 1024

export type EngineAppDeps = {
  readonly logger: FastifyBaseLogger | false
  /** Wall clock: for readings that bring no time of their own. */
  readonly nowMs: () => number
  /** Never set back: for durations. Zero is the start of the engine. */
  readonly monotonicMs: () => number
  readonly models: readonly EngineModel[]
  /** Asked at every prediction. */
  readonly isDraining: () => boolean
  readonly isOverloaded: () => boolean
}

export async function buildEngineApp(deps: EngineAppDeps): Promise<App> {
  const app = createHttpApp({ logger: deps.logger, maxBodyBytes: MAX_BATCH_BODY_BYTES })
  speakSurface(app, engineSurface)
  await collectOpenApi(app, {
    title: 'Roadworthy ML engine',
    version: ENGINE_VERSION,
    description:
      'Health, remaining life, anomalies and alerts of a vehicle from what it says about itself. There is no authentication: run it in a private network. Requests are not rate limited.',
    tags: [
      { name: 'Prediction', description: 'One vehicle or a batch.' },
      { name: 'Schema', description: 'What goes in, what comes out, and how names are mapped.' },
      { name: 'Status', description: 'Health and models.' },
    ],
  })
  // Spec §5.3: no authentication. Said outright, since an operation that is silent about it leaves the reader guessing.
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security: [] }
  })
  refuseUnknownQuery(app)
  const statistics = createSchemaStatistics()
  await app.register(statusRoutes({ ...deps, version: ENGINE_VERSION }))
  await app.register(probeRoutes(deps))
  await app.register(schemaRoutes({ statistics }))
  await app.register(predictRoutes({ ...deps, statistics }))
  await serveDocs(app, { surface: () => app, jsonPath: '/openapi.json', docsPath: '/docs', title: 'Roadworthy ML engine' })
  return app
}
