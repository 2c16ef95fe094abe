import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { timeRangeQuery } from '@roadworthy/contracts/platform-v1/readings'
import { Health, HealthHistory, VehicleParams } from '@roadworthy/contracts/platform-v1/vehicles'
import { pageQuery } from '@roadworthy/contracts/wire-fields'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { Type } from 'typebox'
import { requireVehicle } from '../readings/require-vehicle.ts'
import { timeRange } from '../readings/time-range.ts'
import { datedAdviceByComponent, judgedAtOf, type LoadAdviceBases } from './dated-advice.ts'
import type { EngineClient } from './engine/engine-client.ts'
import { countHealthHistory, selectHealthHistory } from './health.read.sql.ts'
import { type KnownHealth, vehicleHealth } from './vehicle-health.ts'
import type { VehicleKey } from './vehicle-key.ts'

export type HealthPlatformDeps = {
  readonly database: Database
  readonly engine: EngineClient
  readonly now: () => Date
  /** The alerts of a vehicle that are not resolved, from the slice that keeps them. */
  readonly standingAlerts: (db: Db, resellerId: string, vehicleId: string) => Promise<Alert[]>
  readonly loadAdviceBases: LoadAdviceBases
}

const DAY_MS = 86_400_000
const HISTORY_PRESET_MS = 30 * DAY_MS
const MAX_HISTORY_RANGE_MS = 5 * 366 * DAY_MS
const tags = ['Vehicles']

export function healthPlatformRoutes(deps: HealthPlatformDeps): FastifyPluginAsyncTypebox {
  const { database, now } = deps
  return async (app) => {
    app.get(
      '/vehicles/:id/health',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'getVehicleHealth',
          summary: 'Health of a vehicle and what drives it',
          tags,
          params: VehicleParams,
          response: { 200: Health, ...errorResponses(404) },
        },
      },
      async ({ caller, params, signal }) => {
        const { resellerId } = caller
        const db = database.tenantPool(resellerId)
        const { vehicleId } = await requireVehicle(db, caller, params.id)
        const alerts = await deps.standingAlerts(db, resellerId, vehicleId)
        const health = await vehicleHealth(deps, { resellerId, vehicleId }, signal)
        return toPlatformHealth(vehicleId, health, alerts, await adviceOf(db, deps, { resellerId, vehicleId }, health))
      },
    )
    app.get(
      '/vehicles/:id/health/history',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'listVehicleHealthHistory',
          summary: 'How the health of a vehicle developed',
          tags,
          params: VehicleParams,
          querystring: Type.Object({ ...timeRangeQuery('30 days'), ...pageQuery }),
          response: { 200: HealthHistory, ...errorResponses(404) },
        },
      },
      async ({ caller, params, query }) => {
        const range = timeRange(query, now(), { presetMs: HISTORY_PRESET_MS, maxMs: MAX_HISTORY_RANGE_MS })
        const page = pageRequest('health history', query)
        const db = database.tenantPool(caller.resellerId)
        const { vehicleId } = await requireVehicle(db, caller, params.id)
        const points = await selectHealthHistory(db, caller.resellerId, vehicleId, range, page)
        const { items, pagination } = endPage(points, page, ({ scoredAt }) => ({ at: scoredAt, id: vehicleId }))
        return {
          vehicleId,
          from: range.from.toISOString(),
          to: range.to.toISOString(),
          history: items.map((point) => ({ ...point, scoredAt: point.scoredAt.toISOString() })),
          total: await countHealthHistory(db, caller.resellerId, vehicleId, range),
          pagination,
        }
      },
    )
  }
}

/** Nothing is asked of the database where nothing is advised. */
async function adviceOf(db: Db, { loadAdviceBases, now }: HealthPlatformDeps, vehicle: VehicleKey, { prediction, scoredAt }: KnownHealth) {
  const { advice = {} } = prediction.predictions
  if (Object.keys(advice).length === 0) return {}
  const { resellerId, vehicleId } = vehicle
  const today = now()
  const basisOf = await loadAdviceBases(db, resellerId, [vehicleId], today)
  return datedAdviceByComponent(advice, basisOf(vehicleId), { judgedAt: judgedAtOf(prediction) ?? scoredAt ?? today, today })
}

function toPlatformHealth(
  vehicleId: string,
  { prediction, healthStatus, riskLevel, scoredAt }: KnownHealth,
  alerts: Alert[],
  advice: Health['advice'],
): Health {
  const { predictions, insights, recommendations = [] } = prediction
  return {
    vehicleId,
    healthScore: predictions.healthScore,
    components: predictions.components,
    advice,
    alerts,
    healthStatus,
    riskLevel,
    maintenanceNeeded: predictions.maintenanceNeeded,
    maintenanceProbability: predictions.maintenanceProbability,
    anomalyScore: predictions.anomalyScore,
    anomalyDetected: predictions.anomalyDetected,
    anomalyBasis: predictions.anomalyBasis ?? null,
    confidence: predictions.confidence,
    componentConfidence: predictions.componentConfidence ?? {},
    insights,
    recommendations,
    scoredAt: scoredAt?.toISOString() ?? null,
  }
}
