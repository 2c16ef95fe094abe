import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import {
  PredictAnswer,
  PredictionList,
  PredictionListQuery,
  PredictRequest,
  type Prediction as WirePrediction,
} from '@roadworthy/contracts/external/predictions'
import type { Advice } from '@roadworthy/contracts/platform-v1/advice'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageRequest, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { externalKeyOf } from '@roadworthy/signals/wire-names'
import { isVehicleReference, noSuchVehicle } from '../fleet/vehicle.ts'
import type { VehicleOwner } from '../fleet/vehicles.sql.ts'
import type { Caller } from '../keys/caller.ts'
import type { ReadingContent } from '../readings/reading.ts'
import { findVehicle } from '../readings/require-vehicle.ts'
import { datedAdviceByComponent, type LoadAdviceBases } from './dated-advice.ts'
import { selectDescription } from './described-vehicles.read.sql.ts'
import type { EnginePrediction } from './engine/engine-answer.ts'
import type { EngineClient } from './engine/engine-client.ts'
import { type DescribedVehicle, descriptionFields, toEngineFields } from './engine/engine-input.ts'
import { type ConsumePredictionQuota, quotaExceeded } from './prediction-quota.ts'
import { countPredictions, type ShownPrediction, selectPredictions } from './predictions.read.sql.ts'
import { statusOf } from './status-of.ts'

export type PredictionExternalDeps = {
  readonly database: Database
  readonly engine: EngineClient
  readonly now: () => Date
  /** Reads `{sensor_data, timestamp}` as the receivers read a record: aliases and units become canonical. Throws `Problem`. */
  readonly readRecord: (record: unknown, receivedAtMs: number) => ReadingContent
  readonly loadAdviceBases: LoadAdviceBases
  readonly consumePredictionQuota: ConsumePredictionQuota
}

const tags = ['Predictions']

export function predictionExternalRoutes(deps: PredictionExternalDeps): FastifyPluginAsyncTypebox {
  const { database } = deps
  return async (app) => {
    app.post(
      '/predict',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'predict',
          summary: 'Predict from sensor data',
          description:
            'Asks what these readings would mean for the vehicle, as if they lasted. The vehicle need not be known: a reference of your own that nothing has is answered under that reference. Of a known vehicle its record counts: class, fuel, voltage and VIN. Nothing is stored and no alert is opened; send readings to `/telemetry` for that.',
          tags,
          body: PredictRequest,
          response: { 200: PredictAnswer, ...errorResponses(404) },
        },
      },
      async ({ caller, body, signal }) => {
        const content = deps.readRecord({ sensor_data: body.sensor_data, timestamp: body.timestamp }, deps.now().getTime())
        const db = database.tenantPool(caller.resellerId)
        const { vehicleId, subClientId, described } = await vehicleToJudge(db, caller, body.vehicle_id, content)
        // No history: the readings are all there is, so the engine takes them as lasting.
        const input = {
          vehicleId,
          timestamp: new Date(content.recordedAtMs).toISOString(),
          ...toEngineFields(content.signals, content.attributes.lamps ?? {}, content.attributes.dtcCodes),
          ...descriptionFields(described),
        }
        const answer = await deps.engine.predict(input, signal)
        if (answer.kind === 'refused') throw new Problem('invalid_request', answer.message)
        // After the answer: an engine that is away costs the caller nothing.
        if ((await deps.consumePredictionQuota(caller.resellerId, 1, subClientId)) < 1) throw quotaExceeded()
        const judged = { resellerId: caller.resellerId, vehicleId, judgedAt: new Date(content.recordedAtMs) }
        return toExternalPrediction(answer.prediction, await adviceOf(deps, answer.prediction, judged), deps.now())
      },
    )
    app.get(
      '/predictions',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'listPredictions',
          summary: 'List maintenance predictions, oldest first',
          tags,
          querystring: PredictionListQuery,
          response: { 200: PredictionList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const page = pageRequest('predictions', query)
        const subClientId = query.sub_client_id
        const db = database.tenantPool(caller.resellerId)
        const vehicle = query.vehicle_id === undefined ? undefined : await findVehicle(db, caller, query.vehicle_id)
        const isNone = (query.vehicle_id !== undefined && vehicle === undefined) || (subClientId !== undefined && !isSlug(subClientId))
        if (isNone) return { total: 0, ...toPage([], page) }
        const filter = { vehicleId: vehicle?.vehicleId, subClientId, subClientPin: caller.subClientPin }
        const [predictions, total] = await Promise.all([
          selectPredictions(db, caller.resellerId, filter, page),
          // Several to a vehicle: the count goes through more than a page does, and a list of many pages pays for it once.
          page.total ?? countPredictions(db, caller.resellerId, filter),
        ])
        return { total, ...toPage(predictions, page, total) }
      },
    )
  }
}

/**
 * Spec gap §4.1: no stored reading goes into the prediction, so a reference of the caller's own needs no vehicle, as on `/telemetry`. Of one that
 * is known its class, fuel, voltage and VIN do.
 * An id of ours that leads nowhere is a mistake, and is refused; so is a reference that nothing has, without signals.
 */
async function vehicleToJudge(
  db: Db,
  caller: Caller,
  reference: string,
  content: ReadingContent,
): Promise<VehicleOwner & { readonly described: DescribedVehicle }> {
  const found = await findVehicle(db, caller, reference)
  if (found !== undefined) {
    return { ...found, described: await selectDescription(db, { resellerId: caller.resellerId, vehicleId: found.vehicleId }) }
  }
  if (reference.startsWith('veh-') || !isVehicleReference(reference) || isSilent(content)) throw noSuchVehicle()
  return { vehicleId: reference, subClientId: caller.subClientPin, described: {} }
}

function isSilent({ signals, attributes: { lamps = {}, dtcCodes } }: ReadingContent): boolean {
  return Object.keys(signals).length === 0 && Object.keys(lamps).length === 0 && dtcCodes === undefined
}

/** Nothing is asked of the database where nothing is advised. */
async function adviceOf(
  { database, loadAdviceBases, now }: PredictionExternalDeps,
  { predictions: { advice } }: EnginePrediction,
  { resellerId, vehicleId, judgedAt }: { resellerId: string; vehicleId: string; judgedAt: Date },
): Promise<Record<string, Advice> | undefined> {
  if (advice === undefined) return undefined
  const today = now()
  const basisOf = await loadAdviceBases(database.tenantPool(resellerId), resellerId, [vehicleId], today)
  return datedAdviceByComponent(advice, basisOf(vehicleId), { judgedAt, today })
}

function toExternalPrediction(prediction: EnginePrediction, advice: Record<string, Advice> | undefined, at: Date) {
  const {
    vehicleId,
    predictions: { advice: _, ...predictions },
    alerts,
    insights,
    recommendations = [],
    missingFields = [],
  } = prediction
  const { healthStatus, riskLevel } = statusOf(prediction, undefined)
  return {
    vehicleId,
    vehicle_id: vehicleId,
    health_score: predictions.healthScore,
    health_status: healthStatus,
    risk_level: riskLevel,
    components: predictions.components,
    maintenance_alerts: alerts.map((alert) => ({ ...alert, code: alert.code ?? null, evidence: toExternalEvidence(alert.evidence) })),
    recommendations,
    insights,
    confidence: predictions.confidence,
    missing_fields: missingFields.map(externalKeyOf),
    ignored_fields: (prediction._validation?.ignored ?? []).map(externalKeyOf),
    predictions: { ...predictions, ...(advice === undefined ? {} : { advice }) },
    processed_at: at.toISOString(),
  }
}

/** The engine names a signal by its own field, the External API by its sensor key; both have it in the same unit. */
function toExternalEvidence(evidence: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { signal } = evidence
  return typeof signal === 'string' ? { ...evidence, signal: externalKeyOf(signal) } : { ...evidence }
}

function toPage(predictions: readonly ShownPrediction[], page: PageRequest, total?: number) {
  const { items, pagination } = endPage(predictions, page, ({ createdAt, predictionId }) => ({ at: createdAt, id: predictionId }), total)
  return { predictions: items.map(toExternalListItem), pagination }
}

function toExternalListItem(prediction: ShownPrediction): WirePrediction {
  return {
    prediction_id: prediction.predictionId,
    vehicle_id: prediction.vehicleId,
    sub_client_id: prediction.subClientId ?? null,
    component: prediction.component,
    issue: prediction.issue,
    rul_days: prediction.rulDays,
    interval: [prediction.rulP10Days, prediction.rulP90Days],
    confidence: prediction.confidence,
    severity: prediction.severity,
    health_score: prediction.healthScore ?? null,
    created_at: prediction.createdAt.toISOString(),
    updated_at: prediction.updatedAt.toISOString(),
  }
}
