import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { engineErrorResponses } from '@roadworthy/contracts/engine-v1/errors'
import { EngineBatchInput, EngineInput, engineInputExample, MAX_BATCH_VEHICLES } from '@roadworthy/contracts/engine-v1/input'
import { type EngineBatchItemError, EngineBatchOutput, EngineOutput } from '@roadworthy/contracts/engine-v1/output'
import { refuseUnknownFields } from '@roadworthy/service-kit/http/closed-body'
import { MAX_BODY_BYTES } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { BatchTurns } from '../batch-turns.ts'
import { createGathering } from '../gathering.ts'
import { type Models, type Predictor, predictorOf } from '../models/model-set.ts'
import { type Decoded, decodeInput, isUndecodable, type Undecodable } from '../schema/decode-input.ts'
import type { SchemaStatistics } from '../schema/statistics.ts'
import { score } from '../score.ts'

/**
 * The body's schema is for the reader: `decodeInput` reads the body itself and drops what it cannot use. The answer is built in its final
 * form, so it is not filtered either; a test holds it to its schema.
 */
const readByHand = {
  validatorCompiler: () => () => true,
  serializerCompiler: () => (answer: unknown) => JSON.stringify(answer),
  config: { limitsPerRecord: true },
}

/** Made by the engine itself, so the documentation cannot go stale. */
const outputExample = exampleAnswer(engineInputExample)
/** The second shows the least that an input needs. */
const batchInputExample = { vehicles: [engineInputExample, { vehicleId: 'TRUCK-002' }] }
const batchOutputExample = { count: 2, processingTimeMs: 0, predictions: batchInputExample.vehicles.map(exampleAnswer) }

function exampleAnswer(input: object): EngineOutput {
  const decoded = decodeInput(input, 0)
  if (isUndecodable(decoded)) throw new Error(decoded.message)
  return score(decoded, 0, () => 0)
}

type PredictDeps = {
  readonly nowMs: () => number
  readonly monotonicMs: () => number
  readonly models: Models
  readonly admit: onRequestHookHandler
  /** Also refuses while batches wait for too long. */
  readonly admitBatch: onRequestHookHandler
  readonly batchTurns: BatchTurns
  readonly statistics: SchemaStatistics
}

export function predictRoutes(deps: PredictDeps): FastifyPluginAsyncTypebox {
  const errors = engineErrorResponses(400, 405, 413, 415, 500, 503)
  const { admit, admitBatch } = deps
  const answer = createGathering(({ request }: Exchange) => predictSingle(request.body, deps), sendSingle)
  return async (app) => {
    app.post(
      '/v1/predict',
      {
        ...readByHand,
        onRequest: admit,
        bodyLimit: MAX_BODY_BYTES,
        schema: {
          operationId: 'predict',
          tags: ['Prediction'],
          summary: 'Predict the health of one vehicle',
          description:
            'Only `vehicleId` is required. Fields that cannot be used are dropped and named in `_validation.ignored`; other names are mapped and reported in `_schemaMapping`.',
          body: { ...EngineInput, examples: [engineInputExample] },
          response: { 200: { ...EngineOutput, examples: [outputExample] }, ...errors },
        },
      },
      (request, reply) => answer({ request, reply }),
    )

    app.post(
      '/v1/predict/batch',
      {
        ...readByHand,
        onRequest: admitBatch,
        schema: {
          operationId: 'predictBatch',
          tags: ['Prediction'],
          summary: `Predict the health of at most ${MAX_BATCH_VEHICLES} vehicles`,
          description: 'An input that cannot be judged has an `error` in its place; the others are not affected. The body may have 16 MiB.',
          body: { ...EngineBatchInput, examples: [batchInputExample] },
          response: { 200: { ...EngineBatchOutput, examples: [batchOutputExample] }, ...errors },
        },
      },
      (request, reply) => predictBatch(request.body, deps, () => !reply.raw.destroyed),
    )
  }
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** The answer as it goes out, or why there is none. */
function predictSingle(body: unknown, deps: PredictDeps): string | Error {
  try {
    const startedAtMs = deps.monotonicMs()
    const decoded = decodeInput(body, deps.nowMs())
    if (isUndecodable(decoded)) return toProblem(decoded)
    return JSON.stringify(scoreAndCount(decoded, startedAtMs, deps, predictorOf(deps.models.current())))
  } catch (error) {
    return error as Error
  }
}

function sendSingle({ reply }: Exchange, answer: string | Error): void {
  // A text needs its type declared; an error takes the way of every error.
  if (typeof answer === 'string') reply.header('content-type', 'application/json; charset=utf-8')
  reply.send(answer)
}

async function predictBatch(body: unknown, deps: PredictDeps, isWanted: () => boolean): Promise<EngineBatchOutput> {
  const startedAtMs = deps.monotonicMs()
  const receivedAtMs = deps.nowMs()
  const predictor = predictorOf(deps.models.current())
  const toPrediction = (vehicle: unknown) => {
    const itemStartedAtMs = deps.monotonicMs()
    const decoded = decodeInput(vehicle, receivedAtMs)
    return isUndecodable(decoded) ? toItemError(decoded) : scoreAndCount(decoded, itemStartedAtMs, deps, predictor)
  }
  const predictions = await deps.batchTurns.map(requireVehicles(body), toPrediction, isWanted)
  const processingTimeMs = Math.round((deps.monotonicMs() - startedAtMs) * 1000) / 1000
  return { count: predictions.length, processingTimeMs, predictions }
}

function scoreAndCount(
  decoded: Decoded,
  startedAtMs: number,
  { statistics, monotonicMs }: PredictDeps,
  predictor: Predictor,
): EngineOutput {
  const output = score(decoded, startedAtMs, monotonicMs, predictor)
  statistics.count(output)
  return output
}

function requireVehicles(body: unknown): readonly unknown[] {
  const vehicles: unknown = (body as { vehicles?: unknown } | null | undefined)?.vehicles
  if (!Array.isArray(vehicles)) {
    throw new Problem('invalid_request', 'Missing required field: vehicles, an array of inputs', { details: { field: 'vehicles' } })
  }
  if (vehicles.length > MAX_BATCH_VEHICLES) {
    const message = `A batch takes at most ${MAX_BATCH_VEHICLES} vehicles; this one has ${vehicles.length}.`
    throw new Problem('batch_too_large', message, { details: { limit: MAX_BATCH_VEHICLES } })
  }
  refuseUnknownFields(body as object, Object.keys(EngineBatchInput.properties))
  return vehicles
}

function toProblem({ message, field }: Undecodable): Problem {
  return new Problem('invalid_request', message, field === undefined ? {} : { details: { field } })
}

function toItemError({ vehicleId, message }: Undecodable): EngineBatchItemError {
  return { vehicleId, error: { code: 'invalid_input', message } }
}
