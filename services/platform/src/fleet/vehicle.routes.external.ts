import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import {
  VehicleAnswer,
  VehicleList,
  VehicleListQuery,
  VehicleParams,
  VehicleUpdate,
  VehicleUpsert,
  VehicleUpserted,
} from '@roadworthy/contracts/external/vehicles'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import type { App } from '@roadworthy/service-kit/http/http'
import { endPage, type PageRequest, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { FastifyRequest } from 'fastify'
import { authorOf, writeAudit } from '../audit/audit.ts'
import { type AmendVehicleDeps, amendVehicle } from './amend-vehicle.ts'
import type { DeviceLinks } from './device-links.ts'
import { fromExternalUpdate, fromExternalVehicle, toExternalVehicle } from './external-vehicle.ts'
import { upsertVehicle } from './upsert-vehicle.ts'
import { auditedVehicle, isJudgedOtherwise, isVehicleReference, noSuchVehicle, type Vehicle, type VehicleChanges } from './vehicle.ts'
import { countVehicles, selectVehicle, selectVehicles } from './vehicles.read.sql.ts'
import { selectVisibleVehicle } from './vehicles.sql.ts'

export type VehicleRoutesDeps = AmendVehicleDeps & {
  readonly now: () => Date
  readonly deviceLinks: Pick<DeviceLinks, 'linkDevice' | 'unlinkDevices' | 'unlinkForeignDevices'>
}

const tags = ['Vehicles']

export function vehicleExternalRoutes(deps: VehicleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addUpsertRoute(app as App, deps)
    addChangeRoutes(app as App, deps)
    addReadRoutes(app as App, deps)
  }
}

function addUpsertRoute(app: App, { database, now, deviceLinks, markDue, fleetChanged }: VehicleRoutesDeps): void {
  app.post(
    '/vehicles',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'upsertVehicle',
        summary: 'Create or update a vehicle',
        description:
          'Found by `vin`, else by `external_ref`, else by `license_plate` within the sub-client; else new. One that is retired is not found by its plate, stays retired, and takes no device. A known vehicle that is given another sub-client moves there, and the devices of the one before are unlinked from it.',
        tags,
        body: VehicleUpsert,
        response: { 200: VehicleUpserted, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, body } = request
      const { vehicle, created } = await database.tenant(caller.resellerId, async (db) => {
        const upserted = await upsertVehicle(db, caller, fromExternalVehicle(body), now())
        const { vehicleId, movedTo, before } = upserted
        if (movedTo !== undefined) {
          await deviceLinks.unlinkForeignDevices(db, caller.resellerId, { vehicleId, subClientId: movedTo }, now())
        }
        if (typeof body.device_id === 'string') await deviceLinks.linkDevice(db, caller, body.device_id, vehicleId, now())
        const shown = await selectVehicle(db, caller, vehicleId)
        if (shown === undefined) throw noSuchVehicle()
        if (before !== undefined && shown.status === 'active' && isJudgedOtherwise(before, shown)) {
          await markDue(db, caller.resellerId, vehicleId)
        }
        await writeAudit(db, authorOf(request, now()), {
          action: before === undefined ? 'vehicle.created' : 'vehicle.updated',
          objectId: vehicleId,
          subClientId: shown.subClientId,
          before: before && auditedVehicle(before),
          after: auditedVehicle(shown),
        })
        return { vehicle: shown, created: upserted.created }
      })
      fleetChanged(caller.resellerId)
      return { success: true as const, vehicle_id: vehicle.vehicleId, created, vehicle: toExternalVehicle(vehicle) }
    },
  )
}

function addChangeRoutes(app: App, deps: VehicleRoutesDeps): void {
  const change = async (request: FastifyRequest, reference: string, changes: VehicleChanges) => {
    const vehicle = await amendVehicle(deps, request.caller, reference, changes, authorOf(request, deps.now()))
    return { success: true as const, vehicle: toExternalVehicle(vehicle) }
  }
  app.put(
    '/vehicles/:vehicle_id',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'updateVehicle',
        summary: 'Change, move, retire or restore a vehicle',
        description: 'Moved to another sub-client, it leaves the devices of the one before. To link a device, PUT the device.',
        tags,
        params: VehicleParams,
        body: VehicleUpdate,
        response: { 200: VehicleAnswer, ...errorResponses(404, 409) },
      },
    },
    (request) => change(request, request.params.vehicle_id, fromExternalUpdate(request.body)),
  )
  app.delete(
    '/vehicles/:vehicle_id',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'retireVehicle',
        summary: 'Retire a vehicle',
        description:
          'Its history stays. It is not listed unless asked for, not scored, and opens no alerts; its devices are unlinked from it. PUT `status: "active"` restores it. Repeating it is fine.',
        tags,
        params: VehicleParams,
        response: { 200: VehicleAnswer, ...errorResponses(404) },
      },
    },
    (request) => change(request, request.params.vehicle_id, { status: 'retired' }),
  )
}

function addReadRoutes(app: App, { database }: Pick<VehicleRoutesDeps, 'database'>): void {
  app.get(
    '/vehicles',
    {
      config: { scope: 'vehicles:read' },
      schema: {
        operationId: 'listVehicles',
        summary: 'List vehicles, oldest first',
        tags,
        querystring: VehicleListQuery,
        response: { 200: VehicleList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest('vehicles', query)
      const filter = {
        subClientId: query.sub_client_id,
        vin: query.vin?.toUpperCase(),
        licensePlate: query.license_plate,
        status: query.status ?? 'active',
      }
      if (!isPossible(filter)) return { total: 0, ...toPage([], page) }
      const db = database.tenantPool(caller.resellerId)
      const [rows, total] = await Promise.all([selectVehicles(db, caller, filter, page), countVehicles(db, caller, filter)])
      return { total, ...toPage(rows, page) }
    },
  )

  app.get(
    '/vehicles/:vehicle_id',
    {
      config: { scope: 'vehicles:read' },
      schema: {
        operationId: 'getVehicle',
        summary: 'Get one vehicle',
        tags,
        params: VehicleParams,
        response: { 200: VehicleAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      if (!isVehicleReference(params.vehicle_id)) throw noSuchVehicle()
      const db = database.tenantPool(caller.resellerId)
      const owner = await selectVisibleVehicle(db, caller, params.vehicle_id)
      const vehicle = owner === undefined ? undefined : await selectVehicle(db, caller, owner.vehicleId)
      if (vehicle === undefined) throw noSuchVehicle()
      return { success: true as const, vehicle: toExternalVehicle(vehicle) }
    },
  )
}

/** Whether anything can match: what could never be stored cannot be asked of the store either. */
function isPossible(filter: { subClientId: string | undefined; vin: string | undefined; licensePlate: string | undefined }): boolean {
  if (filter.subClientId !== undefined && !isSlug(filter.subClientId)) return false
  return [filter.vin, filter.licensePlate].every((text) => text === undefined || isVehicleReference(text))
}

function toPage(rows: readonly Vehicle[], page: PageRequest) {
  const { items, pagination } = endPage(rows, page, ({ createdAt, vehicleId }) => ({ at: createdAt, id: vehicleId }))
  return { vehicles: items.map(toExternalVehicle), pagination }
}
