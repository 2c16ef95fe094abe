// The Open Inference Protocol v2 beside `/v1`: trained models by their feature vectors, as KServe and its clients ask for them.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { inferenceErrorResponses } from '@roadworthy/contracts/engine-v2/errors'
import { ModelMetadata, ModelReady, ServerLive, ServerMetadata, ServerReady } from '@roadworthy/contracts/engine-v2/inference'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { LoadedModel } from '../models/load-model.ts'
import { canPredict, type Models } from '../models/model-set.ts'
import { OUTPUT_DATATYPE } from './inference-answer.ts'
import { INPUT_NAME } from './inference-request.ts'
import { inferRoutes } from './routes.infer.ts'
import { type Addressed, ModelParams, requireModel, VersionParams } from './served-model.ts'

const tags = ['Inference']

const metadataExample: ModelMetadata = {
  name: 'turbofan',
  versions: ['1.0.0'],
  platform: 'roadworthy_rul',
  inputs: [{ name: INPUT_NAME, datatype: OUTPUT_DATATYPE, shape: [-1, 2] }],
  outputs: [{ name: 'remaining_cycles', datatype: OUTPUT_DATATYPE, shape: [-1, 1] }],
  parameters: { features: ['s2_mean5', 's2_slope15'], created_at: '2026-01-01T00:00:00.000Z' },
}

export type InferenceDeps = {
  readonly version: string
  readonly models: Models
  readonly isDraining: () => boolean
  readonly admit: onRequestHookHandler
}

export function inferenceRoutes(deps: InferenceDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(serverRoutes(deps))
    await app.register(modelRoutes(deps))
    await app.register(inferRoutes(deps))
  }
}

function modelRoutes({ models, isDraining }: InferenceDeps): FastifyPluginAsyncTypebox {
  const metadata = { 200: { ...ModelMetadata, examples: [metadataExample] }, ...inferenceErrorResponses(400, 404, 405, 500, 503) }
  const readiness = {
    200: { ...ModelReady, examples: [{ name: 'turbofan', ready: true }] },
    ...inferenceErrorResponses(400, 404, 405, 500, 503),
  }
  const describe = async (request: FastifyRequest<Addressed>) => describeModel(requireModel(models.current(), request.params))
  const ready = async (request: FastifyRequest<Addressed>) => {
    if (isDraining()) throw new Problem('draining', 'The engine is stopping.', { retryAfterS: 1 })
    return { name: requireModel(models.current(), request.params).manifest.name, ready: true }
  }
  return async (app) => {
    app.get(
      '/models/:model',
      {
        schema: { operationId: 'getModelMetadata', summary: 'What a model takes and gives', tags, params: ModelParams, response: metadata },
      },
      describe,
    )
    app.get(
      '/models/:model/versions/:version',
      {
        schema: {
          operationId: 'getModelVersionMetadata',
          summary: 'The same of one version',
          tags,
          params: VersionParams,
          response: metadata,
        },
      },
      describe,
    )
    app.get(
      '/models/:model/ready',
      { schema: { operationId: 'getModelReady', summary: 'Whether a model answers', tags, params: ModelParams, response: readiness } },
      ready,
    )
    app.get(
      '/models/:model/versions/:version/ready',
      {
        schema: {
          operationId: 'getModelVersionReady',
          summary: 'Whether that version answers',
          tags,
          params: VersionParams,
          response: readiness,
        },
      },
      ready,
    )
  }
}

function serverRoutes({ version, models, isDraining }: InferenceDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const server = { name: 'roadworthy', version, extensions: ['binary_tensor_data'] }
    app.get(
      '',
      {
        schema: {
          operationId: 'getServerMetadata',
          tags,
          summary: 'Name and version of the server',
          response: { 200: { ...ServerMetadata, examples: [server] }, ...inferenceErrorResponses(400, 405, 500) },
        },
      },
      async () => server,
    )
    app.get(
      '/health/live',
      {
        config: { anyQuery: true },
        schema: {
          operationId: 'getServerLive',
          tags,
          summary: 'Whether the server answers at all',
          response: { 200: { ...ServerLive, examples: [{ live: true }] }, ...inferenceErrorResponses(405, 500) },
        },
      },
      async () => ({ live: true }),
    )
    app.get(
      '/health/ready',
      {
        config: { anyQuery: true },
        schema: {
          operationId: 'getServerReady',
          tags,
          summary: 'Whether to send it requests',
          response: { 200: { ...ServerReady, examples: [{ ready: true }] }, ...inferenceErrorResponses(405, 500, 503) },
        },
      },
      async () => {
        if (isDraining()) throw new Problem('draining', 'The engine is stopping.', { retryAfterS: 1 })
        if (!canPredict(models.current())) throw new Problem('models_not_loaded', 'No model is loaded yet.', { retryAfterS: 1 })
        return { ready: true }
      },
    )
  }
}

function describeModel({ manifest, backend }: LoadedModel): ModelMetadata {
  const { name, version, kind, features, created_at } = manifest
  return {
    name,
    versions: [version],
    platform: kind === 'onnx' ? 'onnxruntime_onnx' : `roadworthy_${kind}`,
    inputs: [{ name: INPUT_NAME, datatype: OUTPUT_DATATYPE, shape: [-1, features.length] }],
    outputs: backend.outputs.map((output) => ({ name: output, datatype: OUTPUT_DATATYPE, shape: [-1, 1] })),
    parameters: { features, created_at },
  }
}
