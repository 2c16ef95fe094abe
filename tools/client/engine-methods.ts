import type { SurfaceMethods } from './method-table.ts'

/** `inference` is the Open Inference Protocol, whose paths begin with `/v2`. */
export const engineMethods: SurfaceMethods = {
  prefix: '',
  methods: {
    health: { get: 'GET /v1/health', live: 'GET /livez', ready: 'GET /readyz' },
    predict: 'POST /v1/predict',
    predictBatch: { route: 'POST /v1/predict/batch', batchOf: 'vehicles', maxBodyMib: 16 },
    models: { list: 'GET /v1/models' },
    schema: {
      input: 'GET /v1/schema/input',
      output: 'GET /v1/schema/output',
      aliases: 'GET /v1/schema/aliases',
      statistics: 'GET /v1/schema/statistics',
    },
    inference: {
      server: 'GET /v2',
      live: 'GET /v2/health/live',
      ready: 'GET /v2/health/ready',
      model: 'GET /v2/models/{model}',
      modelReady: 'GET /v2/models/{model}/ready',
      infer: 'POST /v2/models/{model}/infer',
      modelVersion: 'GET /v2/models/{model}/versions/{version}',
      modelVersionReady: 'GET /v2/models/{model}/versions/{version}/ready',
      inferVersion: 'POST /v2/models/{model}/versions/{version}/infer',
    },
  },
}
