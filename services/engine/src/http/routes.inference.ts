// The Open Inference Protocol v2 beside `/v1`: trained models by their feature vectors, as KServe and its clients ask for them.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { inferenceErrorResponses } from '@roadworthy/contracts/engine-v2/errors'
import {
  InferRequest,
  InferResponse,
  ModelMetadata,
  ModelReady,
  ServerLive,
  ServerMetadata,
  ServerReady,
} from '@roadworthy/contracts/engine-v2/inference'
import { Problem } from '@roadworthy/service-kit/problem'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { Type } from 'typebox'
import type { LoadedModel } from '../models/load-model.ts'
import { canPredict, type ModelSet, type Models } from '../models/model-set.ts'
import { decodeInference, INPUT_NAME } from './inference-request.ts'

const tags = ['Inference']
const OUTPUT_DATATYPE = 'FP64'

const ModelParams = Type.Object({ model: Type.String({ description: 'Name of a trained model; `GET /v1/models` lists them.' }) })
const VersionParams = Type.Object({
  model: Type.String({ description: 'Name of a trained model; `GET /v1/models` lists them.' }),
  version: Type.String({ description: 'The version that is served.' }),
})
type Addressed = { Params: { model: string; version?: string } }

const metadataExample: ModelMetadata = {
  name: 'turbofan',
  versions: ['1.0.0'],
  platform: 'roadworthy_rul',
  inputs: [{ name: INPUT_NAME, datatype: OUTPUT_DATATYPE, shape: [-1, 2] }],
  outputs: [{ name: 'remaining_cycles', datatype: OUTPUT_DATATYPE, shape: [-1, 1] }],
  parameters: { features: ['s2_mean5', 's2_slope15'], created_at: '2026-01-01T00:00:00.000Z' },
}
const requestExample = { id: 'a1', inputs: [{ name: INPUT_NAME, shape: [2, 2], datatype: 'FP64', data: [0.4, 0.01, 1.7, null] }] }
const responseExample: InferResponse = {
  model_name: 'turbofan',
  model_version: '1.0.0',
  id: 'a1',
  outputs: [{ name: 'remaining_cycles', shape: [2, 1], datatype: OUTPUT_DATATYPE, data: [112.4, 18.9] }],
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

function inferRoutes({ models, admit }: InferenceDeps): FastifyPluginAsyncTypebox {
  const body = { ...InferRequest, examples: [requestExample] }
  const response = {
    200: { ...InferResponse, examples: [responseExample] },
    ...inferenceErrorResponses(400, 404, 405, 413, 415, 500, 503),
  }
  const description = 'Rows of features in the order of the metadata, flat or nested; `null` is a missing value. At most 10,000 rows.'
  /** The body's schema is for the reader: `decodeInference` reads it, and `infer` makes the answer in its final form. */
  const byHand = {
    onRequest: admit,
    validatorCompiler: ({ httpPart }: { httpPart?: string }) => (httpPart === 'body' ? () => true : (value: unknown) => ({ value })),
    serializerCompiler: () => (answer: unknown) => JSON.stringify(answer),
    config: { limitsPerRecord: true },
  }
  const run = async (request: FastifyRequest<Addressed>) => infer(requireModel(models.current(), request.params), request.body)
  return async (app) => {
    app.post(
      '/models/:model/infer',
      {
        ...byHand,
        schema: { operationId: 'inferModel', summary: 'Score rows of features', description, tags, params: ModelParams, body, response },
      },
      run,
    )
    app.post(
      '/models/:model/versions/:version/infer',
      {
        ...byHand,
        schema: {
          operationId: 'inferModelVersion',
          summary: 'Score rows by that version',
          description,
          tags,
          params: VersionParams,
          body,
          response,
        },
      },
      run,
    )
  }
}

function serverRoutes({ version, models, isDraining }: InferenceDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const server = { name: 'roadworthy', version, extensions: [] }
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

function requireModel({ learned, refused }: ModelSet, { model: name, version }: Addressed['Params']): LoadedModel {
  const model = learned.get(name)
  if (model === undefined) {
    const refusal = refused.get(name)
    if (refusal === undefined) throw new Problem('not_found', `There is no model "${name.slice(0, 64)}".`)
    throw new Problem('models_not_loaded', `Model "${name}" could not be loaded: ${refusal.reason}`)
  }
  const served = model.manifest.version
  if (version === undefined || version === served) return model
  throw new Problem('not_found', `Model "${name}" is served in version ${served}; there is no version "${version.slice(0, 64)}".`)
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

/** One model answers all rows, whatever is loaded meanwhile. */
async function infer({ manifest, backend }: LoadedModel, body: unknown): Promise<InferResponse> {
  const { id, rows, outputs } = decodeInference(body, { features: manifest.features, outputs: backend.outputs })
  const answers = await backend.scoreRows(rows)
  return {
    model_name: manifest.name,
    model_version: manifest.version,
    ...(id === undefined ? {} : { id }),
    outputs: outputs.map((index) => ({
      name: backend.outputs[index] ?? '',
      shape: [rows.length, 1],
      datatype: OUTPUT_DATATYPE,
      // JSON has no word for what is no number; as in the input, null is its place.
      data: answers.map((answer) => finiteOrNull(answer[index])),
    })),
  }
}

function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null
}
