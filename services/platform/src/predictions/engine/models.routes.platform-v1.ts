import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { type Model, ModelList, TryAnswer, TryRequest } from '@roadworthy/contracts/platform-v1/models'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import { severityRank } from '@roadworthy/signals/severity'
import { externalKeyOf } from '@roadworthy/signals/wire-names'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../keys/caller.ts'
import { RateWindow } from '../../limits/rate-window.ts'
import type { ReadingContent } from '../../readings/reading.ts'
import { type ConsumePredictionQuota, quotaExceeded } from '../prediction-quota.ts'
import { statusOf } from '../status-of.ts'
import type { EnginePrediction } from './engine-answer.ts'
import type { EngineClient } from './engine-client.ts'
import { toEngineFields } from './engine-input.ts'
import type { EngineModel } from './engine-models.ts'
import { explainReading } from './explain-reading.ts'

const tags = ['Predictions']
/** The name that a reading has which is of no vehicle. */
const TRIED_VEHICLE = 'tried-reading'
/** A reading of two hundred keys. */
const MAX_TRIED_BYTES = 64 * 1024
/** A person who changes a value and looks again. */
const TRIES_PER_MINUTE = 30
/** Callers whose tries are remembered; the one longest without is forgotten. */
const MAX_CALLERS = 1_000

export type ModelRoutesDeps = {
  readonly engine: EngineClient
  readonly now: () => Date
  /** As the receivers read a record, with what its sender is warned of. Throws `Problem`. */
  readonly readReading: (
    record: unknown,
    receivedAtMs: number,
  ) => { readonly content: ReadingContent; readonly warnings: readonly { readonly field: string; readonly reason: string }[] }
  readonly consumePredictionQuota: ConsumePredictionQuota
}

export function modelPlatformRoutes(deps: ModelRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/models',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'listModels',
          summary: 'What answers predictions, with its figures and where they come from',
          tags,
          response: { 200: ModelList, ...errorResponses() },
        },
      },
      async ({ signal }) => {
        const { models, problem } = await deps.engine.models(signal)
        return { models: models.map(toModel), problem: problem ?? null }
      },
    )
    addTryRoute(app as App, deps)
  }
}

function addTryRoute(app: App, { engine, now, readReading, consumePredictionQuota }: ModelRoutesDeps): void {
  const takeTurn = limitTries(now)
  app.post(
    '/predictions/try',
    {
      bodyLimit: MAX_TRIED_BYTES,
      config: { scope: 'predict' },
      schema: {
        operationId: 'tryPrediction',
        summary: 'Ask what the engine makes of one reading',
        description:
          'Shows how each key is understood, and what the reading would mean if it lasted, of a vehicle of which nothing else is known. Nothing is ' +
          `stored and no alert is opened. It counts as a prediction; at most ${TRIES_PER_MINUTE} a minute.`,
        tags,
        body: TryRequest,
        response: { 200: TryAnswer, ...errorResponses() },
      },
    },
    async ({ caller, body, signal }) => {
      takeTurn(caller)
      const { content, warnings } = readReading(body.reading, now().getTime())
      const { signals, attributes } = content
      const input = {
        vehicleId: TRIED_VEHICLE,
        timestamp: new Date(content.recordedAtMs).toISOString(),
        ...toEngineFields(signals, attributes.lamps ?? {}, attributes.dtcCodes),
      }
      const answer = await engine.predict(input, signal)
      if (answer.kind === 'refused') throw new Problem('invalid_request', answer.message)
      // After the answer: an engine that is away costs the caller nothing.
      if ((await consumePredictionQuota(caller.resellerId, 1, caller.subClientPin)) < 1) throw quotaExceeded()
      const reasons = new Map(warnings.map(({ field, reason }) => [field, reason]))
      return { fields: explainReading(body.reading, signals, reasons), prediction: toTried(answer.prediction) }
    },
  )
}

/** By process: what it protects is the engine, and a second process has a second share of it. */
function limitTries(now: () => Date): (caller: Caller) => void {
  const windows = new LRUCache<string, RateWindow>(atMostEntries(MAX_CALLERS))
  return ({ resellerId, keyId }) => {
    const key = `${resellerId} ${keyId}`
    const window = windows.get(key) ?? new RateWindow()
    windows.set(key, window)
    const verdict = window.take(now().getTime(), { perMinute: TRIES_PER_MINUTE, perDay: 0 })
    if (verdict.isAccepted) return
    throw new Problem('rate_limit_exceeded', `More than ${TRIES_PER_MINUTE} readings were tried in a minute.`, {
      retryAfterS: verdict.resetS,
    })
  }
}

/** What else the engine reports of a model, and is a number, is a figure of it. */
function toModel({ name, type, version, status, reason, description, source, ...rest }: EngineModel): Model {
  const { numbers_by_origin: numbersByOrigin, measured_at: measuredAt, created_at: createdAt, ...figures } = rest
  const metrics = Object.entries(figures).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  return {
    ...{ name, type, version, status, description, source },
    ...{ reason: reason ?? null, measuredAt: measuredAt ?? createdAt ?? null, numbersByOrigin: numbersByOrigin ?? null },
    metrics: Object.fromEntries(metrics),
  }
}

function toTried(prediction: EnginePrediction): TryAnswer['prediction'] {
  const { predictions, alerts, insights, recommendations = [], missingFields = [] } = prediction
  const findings = alerts.map(({ component, severity, message }) => ({ component, severity, message }))
  return {
    healthScore: predictions.healthScore,
    ...statusOf(prediction, undefined),
    confidence: predictions.confidence,
    components: predictions.components,
    findings: findings.sort((a, b) => severityRank[b.severity] - severityRank[a.severity]),
    ...{ insights, recommendations },
    missingFields: missingFields.map(externalKeyOf),
  }
}
