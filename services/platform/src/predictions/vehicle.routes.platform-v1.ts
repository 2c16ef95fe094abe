import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { VehicleList, VehicleListQuery, VehicleParams, Vehicle as WireVehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import type { Database } from '@roadworthy/service-kit/db'
import { pageRequest } from '@roadworthy/service-kit/keyset'
import { isHeardFrom } from '../devices/device.ts'
import { requireVehicle } from '../readings/require-vehicle.ts'
import { type JudgedVehicle, selectJudgedVehicles } from './health.read.sql.ts'
import { listVehicles } from './list-vehicles.ts'
import { toPlatformVehicle } from './platform-vehicle.ts'
import { readVehicleChoice } from './vehicle-choice.ts'

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
          summary: 'List vehicles with their health',
          tags,
          querystring: VehicleListQuery,
          response: { 200: VehicleList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const heardSince = new Date(now().getTime() - offlineAfterMs)
        const page = await listVehicles(database, readVehicleChoice(query, caller, heardSince), query)
        return { ...page, vehicles: page.vehicles.map(show) }
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
