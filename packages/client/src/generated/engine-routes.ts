// Written by `npm run openapi` from docs/openapi/engine.json and the table of methods. Changes belong there.

import type { RouteTable } from '../route.ts'

export const engineRoutes: RouteTable = {
  health: {
    get: { method: 'GET', path: '/v1/health' },
    live: { method: 'GET', path: '/livez' },
    ready: { method: 'GET', path: '/readyz' },
  },
  predict: { method: 'POST', path: '/v1/predict', input: 'body' },
  predictBatch: { method: 'POST', path: '/v1/predict/batch', input: 'body', batch: { key: 'vehicles', max: 1000, maxBytes: 16777216 } },
  models: {
    list: { method: 'GET', path: '/v1/models' },
  },
  schema: {
    input: { method: 'GET', path: '/v1/schema/input' },
    output: { method: 'GET', path: '/v1/schema/output' },
    aliases: { method: 'GET', path: '/v1/schema/aliases' },
    statistics: { method: 'GET', path: '/v1/schema/statistics' },
  },
  inference: {
    server: { method: 'GET', path: '/v2' },
    live: { method: 'GET', path: '/v2/health/live' },
    ready: { method: 'GET', path: '/v2/health/ready' },
    model: { method: 'GET', path: '/v2/models/{model}' },
    modelReady: { method: 'GET', path: '/v2/models/{model}/ready' },
    infer: { method: 'POST', path: '/v2/models/{model}/infer', input: 'body', answers: ['json', 'bytes'] },
    modelVersion: { method: 'GET', path: '/v2/models/{model}/versions/{version}' },
    modelVersionReady: { method: 'GET', path: '/v2/models/{model}/versions/{version}/ready' },
    inferVersion: { method: 'POST', path: '/v2/models/{model}/versions/{version}/infer', input: 'body', answers: ['json', 'bytes'] },
  },
}
