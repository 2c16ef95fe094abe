import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { VehicleList, VehicleListQuery, VehicleParams, Vehicle as WireVehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import type { Database } from '@roadworthy/service-kit/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/keyset'
import { isHeardFrom } from '../devices/device.ts'
import { requireVehicle } from '../readings/require-vehicle.ts'
import { countJudgedVehicles, type JudgedVehicle, selectJudgedVehicles } from './health.read.sql.ts'
import { toPlatformVehicle } from './platform-vehicle.ts'

const tags = ['Vehicles']

export type VehicleRoutesDeps = { readonly database: Database; readonly now: () => Date; readonly offlineAfterMs: number }

export function vehiclePlatformRoutes({ database, now, offlineAfterMs }: VehicleRoutesDeps): FastifyPluginAsyncTypebox {
  const show = (vehicle: JudgedVehicle) => toPlatformVehicle(vehicle, isHeardFrom(vehicle.lastHeardAt, now(), offlineAfterMs))
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
        const { subClientId, healthStatus, status = 'active' } = query
        if (subClientId !== undefined && !isSlug(subClientId)) return { total: 0, ...toPage([], page.limit, show) }
        const filter = { subClientId, subClientPin: caller.subClientPin, healthStatus, status }
        const db = database.tenantPool(caller.resellerId)
        const [vehicles, total] = await Promise.all([
          selectJudgedVehicles(db, caller.resellerId, filter, page),
          countJudgedVehicles(db, caller.resellerId, filter),
        ])
        return { total, ...toPage(vehicles, page.limit, show) }
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
        const db = database.tenantPool(caller.resellerId)
        const { vehicleId } = await requireVehicle(db, caller, params.id)
        const filter = {
          vehicleIds: [vehicleId],
          subClientId: undefined,
          subClientPin: undefined,
          healthStatus: undefined,
          status: undefined,
        }
        const [vehicle] = await selectJudgedVehicles(db, caller.resellerId, filter, pageRequest({ limit: 1 }))
        if (vehicle === undefined) throw new Error(`vehicle ${vehicleId} was found and is gone`)
        return show(vehicle)
      },
    )
  }
}

function toPage(vehicles: readonly JudgedVehicle[], limit: number, show: (vehicle: JudgedVehicle) => WireVehicle) {
  const { items, pagination } = endPage(vehicles, limit, ({ createdAt, vehicleId }) => ({ at: createdAt, id: vehicleId }))
  return { vehicles: items.map(show), pagination }
}
