import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  VehicleChange,
  VehicleList,
  VehicleListQuery,
  VehicleParams,
  Vehicle as WireVehicle,
} from '@roadworthy/contracts/platform-v1/vehicles'
import type { App } from '@roadworthy/service-kit/http/http'
import { authorOf } from '../audit/audit.ts'
import { isHeardFrom } from '../devices/device.ts'
import { type AmendVehicleDeps, amendVehicle } from '../fleet/amend-vehicle.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { requireVehicle } from '../readings/require-vehicle.ts'
import { listVehicles } from './fleet/list-vehicles.ts'
import { readVehicleChoice } from './fleet/vehicle-choice.ts'
import { type JudgedVehicle, selectJudgedVehicles } from './health.read.sql.ts'
import { fromPlatformChange, toPlatformVehicle } from './platform-vehicle.ts'

const tags = ['Vehicles']

export type VehicleRoutesDeps = AmendVehicleDeps & { readonly now: () => Date; readonly offlineAfterMs: number }

export function vehiclePlatformRoutes(deps: VehicleRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, now, offlineAfterMs } = deps
  const show = (vehicle: JudgedVehicle) => toPlatformVehicle(vehicle, isHeardFrom(vehicle.lastHeardAt, now(), offlineAfterMs))
  const showOne = async ({ resellerId }: Viewer, vehicleId: string) => {
    const [vehicle] = await selectJudgedVehicles(database.tenantPool(resellerId), resellerId, [vehicleId])
    if (vehicle === undefined) throw new Error(`vehicle ${vehicleId} was found and is gone`)
    return show(vehicle)
  }
  return async (app) => {
    addChangeRoute(app as App, deps, showOne)
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
        const { vehicleId } = await requireVehicle(database.tenantPool(caller.resellerId), caller, params.id)
        return await showOne(caller, vehicleId)
      },
    )
  }
}

function addChangeRoute(app: App, deps: VehicleRoutesDeps, showOne: (viewer: Viewer, vehicleId: string) => Promise<WireVehicle>): void {
  app.patch(
    '/vehicles/:id',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'changeVehicle',
        summary: 'Change, move, retire or restore a vehicle',
        description:
          'Moved to another sub-client, it leaves the devices of the one before. Retired, it keeps its history, is not scored, opens no alerts, and its devices are unlinked from it; restored, they are linked anew by changing the devices.',
        tags,
        params: VehicleParams,
        body: VehicleChange,
        response: { 200: WireVehicle, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { vehicleId } = await amendVehicle(deps, caller, params.id, fromPlatformChange(body), authorOf(request, deps.now()))
      return await showOne(caller, vehicleId)
    },
  )
}
