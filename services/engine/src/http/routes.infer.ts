// Rows of features to the numbers of a model: the part of the Open Inference Protocol that does the work.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { inferenceErrorResponses } from '@roadworthy/contracts/engine-v2/errors'
import { InferRequest, InferResponse } from '@roadworthy/contracts/engine-v2/inference'
import type { App } from '@roadworthy/service-kit/http/http'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { LoadedModel } from '../models/load-model.ts'
import type { Models } from '../models/model-set.ts'
import { type InferenceAnswer, OUTPUT_DATATYPE, toInferenceAnswer } from './inference-answer.ts'
import { type InferenceBody, JSON_LENGTH_HEADER, readInferenceBodies } from './inference-body.ts'
import { decodeInference, INPUT_NAME } from './inference-request.ts'
import { type Addressed, ModelParams, requireModel, VersionParams } from './served-model.ts'

const tags = ['Inference']
const requestExample = { id: 'a1', inputs: [{ name: INPUT_NAME, shape: [2, 2], datatype: 'FP64', data: [0.4, 0.01, 1.7, null] }] }
const responseExample: InferResponse = {
  model_name: 'turbofan',
  model_version: '1.0.0',
  id: 'a1',
  outputs: [{ name: 'remaining_cycles', shape: [2, 1], datatype: OUTPUT_DATATYPE, data: [112.4, 18.9] }],
}
/** JSON and, behind it, tensors as bytes: the example shows where they stand. */
const withTensors = (head: object, sizeBytes: number) => {
  const example = `${JSON.stringify(head)}<${sizeBytes} bytes>`
  return { 'application/octet-stream': { schema: { type: 'string', format: 'binary', examples: [example] } } }
}
const inBytes = (name: string, shape: number[], sizeBytes: number) => [
  { name, shape, datatype: OUTPUT_DATATYPE, parameters: { binary_data_size: sizeBytes } },
]
const requestHead = { inputs: inBytes(INPUT_NAME, [1, 2], 16), parameters: { binary_data_output: true } }
const responseHead = { model_name: 'turbofan', model_version: '1.0.0', outputs: inBytes('remaining_cycles', [1, 1], 8) }

const headers = {
  type: 'object',
  properties: {
    'Inference-Header-Content-Length': {
      type: 'string',
      description: 'How many bytes of the body are JSON, where values stand behind it (`application/octet-stream`).',
      examples: ['164'],
    },
  },
}

type InferDeps = { readonly models: Models; readonly admit: onRequestHookHandler }

export function inferRoutes({ models, admit }: InferDeps): FastifyPluginAsyncTypebox {
  const asJson = { schema: { ...InferRequest, examples: [requestExample] } }
  const body = { content: { 'application/json': asJson, ...withTensors(requestHead, 16) } }
  const response = {
    200: {
      description: 'One output for each number that the model gives.',
      content: { 'application/json': { schema: { ...InferResponse, examples: [responseExample] } }, ...withTensors(responseHead, 8) },
    },
    ...inferenceErrorResponses(400, 404, 405, 413, 415, 500, 503),
  }
  const description =
    'Rows of features in the order of the metadata, flat or nested; `null` is a missing value. At most 10,000 rows. With the extension of binary tensors the body is that JSON with `binary_data_size` in the place of `data`, and behind it the values, little-endian, not a number for a missing one; `Inference-Header-Content-Length` is how many bytes are JSON. The answer has that form where `binary_data` of an output, or `binary_data_output`, asks for it.'
  /** The body's schema is for the reader: `decodeInference` reads it, and `infer` makes the answer in its final form. */
  const byHand = {
    onRequest: admit,
    validatorCompiler: ({ httpPart }: { httpPart?: string }) => (httpPart === 'body' ? () => true : (value: unknown) => ({ value })),
    serializerCompiler: () => (answer: unknown) => JSON.stringify(answer),
    config: { limitsPerRecord: true },
  }
  const run = async (request: FastifyRequest<Addressed>, reply: FastifyReply) => {
    const model = requireModel(models.current(), request.params)
    // No body at all is none that was read.
    const body = (request.body as InferenceBody | undefined) ?? { json: undefined, tensors: undefined }
    return sendAnswer(await infer(model, body), reply)
  }
  return async (app) => {
    readInferenceBodies(app as unknown as App)
    app.post(
      '/models/:model/infer',
      {
        ...byHand,
        schema: {
          operationId: 'inferModel',
          summary: 'Score rows of features',
          description,
          tags,
          params: ModelParams,
          headers,
          body,
          response,
        },
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
          headers,
          body,
          response,
        },
      },
      run,
    )
  }
}

/** One model answers all rows, whatever is loaded meanwhile. */
async function infer({ manifest, backend }: LoadedModel, body: InferenceBody): Promise<InferenceAnswer> {
  const { id, rows, wanted } = decodeInference(body, { features: manifest.features, outputs: backend.outputs })
  const answers = await backend.scoreRows(rows)
  return toInferenceAnswer({ model: manifest, id, names: backend.outputs, wanted, answers })
}

function sendAnswer({ json, tensors }: InferenceAnswer, reply: FastifyReply): FastifyReply {
  if (tensors.length === 0) return reply.send(json)
  const head = Buffer.from(JSON.stringify(json))
  reply.header('content-type', 'application/octet-stream').header(JSON_LENGTH_HEADER, head.length)
  return reply.send(Buffer.concat([head, ...tensors]))
}
