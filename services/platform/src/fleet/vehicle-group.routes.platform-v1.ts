import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  CreateVehicleGroup,
  DeletedVehicleGroup,
  VehicleGroupChange,
  VehicleGroupList,
  VehicleGroupListQuery,
  VehicleGroupParams,
  VehicleGroup as WireVehicleGroup,
} from '@roadworthy/contracts/platform-v1/vehicle-groups'
import type { App } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import { authorOf } from '../audit/audit.ts'
import { changeVehicleGroup, createVehicleGroup, removeVehicleGroup, requireVehicleGroup } from './manage-vehicle-groups.ts'
import type { VehicleGroup } from './vehicle-group.ts'
import { countVehicleGroups, selectVehicleGroups } from './vehicle-groups.sql.ts'

const tags = ['Vehicles']
const READ = 'vehicles:read'
const WRITE = 'vehicles:write'

type Deps = { readonly database: Database; readonly now: () => Date }

export function vehicleGroupPlatformRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addCollectionRoutes(app as App, deps)
    addGroupRoutes(app as App, deps)
  }
}

function addCollectionRoutes(app: App, { database, now }: Deps): void {
  app.post(
    '/vehicle-groups',
    {
      config: { scope: WRITE },
      schema: {
        operationId: 'createVehicleGroup',
        summary: 'Put vehicles under a name',
        description: 'A key that is pinned to a sub-client makes groups of its vehicles.',
        tags,
        body: CreateVehicleGroup,
        response: { 200: WireVehicleGroup, ...errorResponses(404, 409) },
      },
    },
    async (request) => toPlatformVehicleGroup(await createVehicleGroup(database, request.caller, request.body, authorOf(request, now()))),
  )
  app.get(
    '/vehicle-groups',
    {
      config: { scope: READ },
      schema: {
        operationId: 'listVehicleGroups',
        summary: 'List groups of vehicles, oldest first',
        tags,
        querystring: VehicleGroupListQuery,
        response: { 200: VehicleGroupList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest('vehicle groups', query)
      if (!isStorable(query.vehicleId)) return { total: 0, vehicleGroups: [], pagination: { endCursor: null, hasNextPage: false } }
      const db = database.tenantPool(caller.resellerId)
      const [found, total] = await Promise.all([
        selectVehicleGroups(db, caller, page, query.vehicleId),
        countVehicleGroups(db, caller, query.vehicleId),
      ])
      const { items, pagination } = endPage(found, page, ({ createdAt, groupId }) => ({ at: createdAt, id: groupId }))
      return { total, vehicleGroups: items.map(toPlatformVehicleGroup), pagination }
    },
  )
}

function addGroupRoutes(app: App, { database, now }: Deps): void {
  app.get(
    '/vehicle-groups/:id',
    {
      config: { scope: READ },
      schema: {
        operationId: 'getVehicleGroup',
        summary: 'Get a group of vehicles',
        tags,
        params: VehicleGroupParams,
        response: { 200: WireVehicleGroup, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) =>
      toPlatformVehicleGroup(await requireVehicleGroup(database.tenantPool(caller.resellerId), caller, params.id)),
  )
  app.patch(
    '/vehicle-groups/:id',
    {
      config: { scope: WRITE },
      schema: {
        operationId: 'changeVehicleGroup',
        summary: 'Rename a group, add and remove vehicles',
        tags,
        params: VehicleGroupParams,
        body: VehicleGroupChange,
        response: { 200: WireVehicleGroup, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const author = authorOf(request, now())
      return toPlatformVehicleGroup(await changeVehicleGroup(database, request.caller, request.params.id, request.body, author))
    },
  )
  app.delete(
    '/vehicle-groups/:id',
    {
      config: { scope: WRITE },
      schema: {
        operationId: 'deleteVehicleGroup',
        summary: 'Delete a group',
        description: 'Its vehicles stay as they are. Refused with 409 while a notification rule is about it.',
        tags,
        params: VehicleGroupParams,
        response: { 200: DeletedVehicleGroup, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      await removeVehicleGroup(database, request.caller, request.params.id, authorOf(request, now()))
      return { id: request.params.id, deleted: true as const }
    },
  )
}

function toPlatformVehicleGroup({ groupId, subClientId, ...group }: VehicleGroup): WireVehicleGroup {
  return {
    ...{ id: groupId, name: group.name, subClientId: subClientId ?? null, vehicleCount: group.vehicleCount },
    ...{ createdAt: group.createdAt.toISOString(), updatedAt: group.updatedAt.toISOString() },
  }
}
