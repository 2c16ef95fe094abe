import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import { pageQuery } from '@roadworthy/contracts/platform-v1/common'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { timeRangeQuery } from '@roadworthy/contracts/platform-v1/readings'
import {
  Health,
  HealthHistory,
  VehicleList,
  VehicleListQuery,
  VehicleParams,
  Vehicle as WireVehicle,
} from '@roadworthy/contracts/platform-v1/vehicles'
import type { Database, Db } from '@roadworthy/service-kit/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/keyset'
import { Type } from 'typebox'
import { isSlug } from '../fleet/slug.ts'
import { requireVehicle } from '../readings/require-vehicle.ts'
import { timeRange } from '../readings/time-range.ts'
import type { EngineClient } from './engine-client.ts'
import {
  countHealthHistory,
  countJudgedVehicles,
  type JudgedVehicle,
  selectHealthHistory,
  selectJudgedVehicles,
} from './health.read.sql.ts'
import { type KnownHealth, vehicleHealth } from './vehicle-health.ts'

export type VehiclePlatformDeps = {
  readonly database: Database
  readonly engine: EngineClient
  readonly now: () => Date
  /** The alerts of a vehicle that are not resolved, from the slice that keeps them. */
  readonly standingAlerts: (db: Db, resellerId: string, vehicleId: string) => Promise<Alert[]>
}

const DAY_MS = 86_400_000
const HISTORY_PRESET_MS = 30 * DAY_MS
const MAX_HISTORY_RANGE_MS = 5 * 366 * DAY_MS
const tags = ['Vehicles']

export function vehiclePlatformRoutes(deps: VehiclePlatformDeps): FastifyPluginAsyncTypebox {
  const { database, now } = deps
  return async (app) => {
    app.get(
      '/vehicles',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'listVehicles',
          summary: 'List vehicles with their health, oldest first',
          tags,
          querystring: VehicleListQuery,
          response: { 200: VehicleList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const page = pageRequest(query)
        const { subClientId, healthStatus } = query
        if (subClientId !== undefined && !isSlug(subClientId)) return { total: 0, ...toPage([], page.limit) }
        const filter = { vehicleId: undefined, subClientId, subClientPin: caller.subClientPin, healthStatus }
        return await database.tenant(caller.resellerId, async (db) => {
          const vehicles = await selectJudgedVehicles(db, caller.resellerId, filter, page)
          return { total: await countJudgedVehicles(db, caller.resellerId, filter), ...toPage(vehicles, page.limit) }
        })
      },
    )
    app.get(
      '/vehicles/:id',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'getVehicle',
          summary: 'Get one vehicle',
          tags,
          params: VehicleParams,
          response: { 200: WireVehicle, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => {
        return await database.tenant(caller.resellerId, async (db) => {
          const { vehicleId } = await requireVehicle(db, caller, params.id)
          const filter = { vehicleId, subClientId: undefined, subClientPin: undefined, healthStatus: undefined }
          const [vehicle] = await selectJudgedVehicles(db, caller.resellerId, filter, pageRequest({ limit: 1 }))
          if (vehicle === undefined) throw new Error(`vehicle ${vehicleId} was found and is gone`)
          return toPlatformVehicle(vehicle)
        })
      },
    )
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
        const { vehicleId, alerts } = await database.tenant(resellerId, async (db) => {
          const found = await requireVehicle(db, caller, params.id)
          return { vehicleId: found.vehicleId, alerts: await deps.standingAlerts(db, resellerId, found.vehicleId) }
        })
        return toPlatformHealth(vehicleId, await vehicleHealth(deps, { resellerId, vehicleId }, signal), alerts)
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
        const page = pageRequest(query)
        return await database.tenant(caller.resellerId, async (db) => {
          const { vehicleId } = await requireVehicle(db, caller, params.id)
          const points = await selectHealthHistory(db, caller.resellerId, vehicleId, range, page)
          const { items, pagination } = endPage(points, page.limit, ({ scoredAt }) => ({ at: scoredAt, id: vehicleId }))
          return {
            vehicleId,
            from: range.from.toISOString(),
            to: range.to.toISOString(),
            history: items.map((point) => ({ ...point, scoredAt: point.scoredAt.toISOString() })),
            total: await countHealthHistory(db, caller.resellerId, vehicleId, range),
            pagination,
          }
        })
      },
    )
  }
}

function toPage(vehicles: readonly JudgedVehicle[], limit: number) {
  const { items, pagination } = endPage(vehicles, limit, ({ createdAt, vehicleId }) => ({ at: createdAt, id: vehicleId }))
  return { vehicles: items.map(toPlatformVehicle), pagination }
}

function toPlatformVehicle({ health, ...vehicle }: JudgedVehicle): WireVehicle {
  return {
    id: vehicle.vehicleId,
    vin: vehicle.vin ?? null,
    make: vehicle.make ?? null,
    model: vehicle.model ?? null,
    healthScore: health?.score ?? null,
    year: vehicle.year ?? null,
    licensePlate: vehicle.licensePlate ?? null,
    externalRef: vehicle.externalRef ?? null,
    subClientId: vehicle.subClientId ?? null,
    registered: vehicle.registered,
    healthStatus: health?.status ?? null,
    riskLevel: health?.riskLevel ?? null,
    scoredAt: health?.scoredAt.toISOString() ?? null,
    lastReadingAt: vehicle.lastReadingAt?.toISOString() ?? null,
    openAlerts: vehicle.openAlertCount,
    createdAt: vehicle.createdAt.toISOString(),
    updatedAt: vehicle.updatedAt.toISOString(),
  }
}

function toPlatformHealth(vehicleId: string, { prediction, healthStatus, riskLevel, scoredAt }: KnownHealth, alerts: Alert[]): Health {
  const { predictions, insights, recommendations = [] } = prediction
  return {
    vehicleId,
    healthScore: predictions.healthScore,
    components: predictions.components,
    alerts,
    healthStatus,
    riskLevel,
    maintenanceNeeded: predictions.maintenanceNeeded,
    maintenanceProbability: predictions.maintenanceProbability,
    anomalyScore: predictions.anomalyScore,
    anomalyDetected: predictions.anomalyDetected,
    confidence: predictions.confidence,
    insights,
    recommendations,
    scoredAt: scoredAt?.toISOString() ?? null,
  }
}
