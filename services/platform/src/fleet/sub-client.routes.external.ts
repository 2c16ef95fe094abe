import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import {
  SubClientAnswer,
  SubClientCreate,
  SubClientDeactivated,
  SubClientList,
  SubClientListQuery,
  SubClientParams,
  SubClientUpdate,
  type SubClient as WireSubClient,
} from '@roadworthy/contracts/external/sub-clients'
import type { App } from '@roadworthy/service-kit/http/http'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { authorOf } from '../audit/audit.ts'
import { addSubClient, changeSubClient, listSubClients, requireSubClient, type SubClientDeps } from './change-sub-client.ts'
import type { SubClient, SubClientChanges } from './sub-client.ts'

export type SubClientRoutesDeps = SubClientDeps & { readonly now: () => Date }

const tags = ['Sub-clients']

export function subClientExternalRoutes(deps: SubClientRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addCreateRoute(app as App, deps)
    addReadRoutes(app as App, deps)
    addChangeRoutes(app as App, deps)
  }
}

function addCreateRoute(app: App, { now, ...deps }: SubClientRoutesDeps): void {
  app.post(
    '/sub-clients',
    {
      config: { scope: 'sub_clients:manage' },
      schema: {
        operationId: 'createSubClient',
        summary: 'Create a sub-client',
        tags,
        body: SubClientCreate,
        response: { 200: SubClientAnswer, ...errorResponses(409) },
      },
    },
    async (request) => {
      const { caller, body } = request
      const subClient = await addSubClient(deps, caller, fromExternalCreate(body), authorOf(request, now()))
      return { success: true as const, sub_client: toExternalSubClient(subClient) }
    },
  )
}

function addReadRoutes(app: App, { database }: SubClientRoutesDeps): void {
  app.get(
    '/sub-clients',
    {
      config: { scope: 'sub_clients:read' },
      schema: {
        operationId: 'listSubClients',
        summary: 'List sub-clients, oldest first',
        tags,
        querystring: SubClientListQuery,
        response: { 200: SubClientList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const filter = { status: query.status, search: undefined }
      const { items, total, pagination } = await listSubClients(database, caller, filter, pageRequest('sub-clients', query))
      return { total, sub_clients: items.map(toExternalSubClient), pagination }
    },
  )

  app.get(
    '/sub-clients/:sub_client_id',
    {
      config: { scope: 'sub_clients:read' },
      schema: {
        operationId: 'getSubClient',
        summary: 'Get one sub-client',
        tags,
        params: SubClientParams,
        response: { 200: SubClientAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      const subClient = await requireSubClient(database.tenantPool(caller.resellerId), caller, params.sub_client_id)
      return { success: true as const, sub_client: toExternalSubClient(subClient) }
    },
  )
}

function addChangeRoutes(app: App, deps: SubClientRoutesDeps): void {
  app.put(
    '/sub-clients/:sub_client_id',
    {
      config: { scope: 'sub_clients:manage' },
      schema: {
        operationId: 'updateSubClient',
        summary: 'Change a sub-client',
        description: 'Setting `status` to `active` brings a suspended or deactivated sub-client back; its devices stay unassigned.',
        tags,
        params: SubClientParams,
        body: SubClientUpdate,
        response: { 200: SubClientAnswer, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const changes = fromExternalUpdate(body)
      const { after } = await changeSubClient(deps, caller, params.sub_client_id, changes, authorOf(request, deps.now()))
      return { success: true as const, sub_client: toExternalSubClient(after) }
    },
  )

  app.delete(
    '/sub-clients/:sub_client_id',
    {
      config: { scope: 'sub_clients:manage' },
      schema: {
        operationId: 'deactivateSubClient',
        summary: 'Deactivate a sub-client',
        description: 'The record remains with status `deactivated` and its devices are unassigned. Repeating it is fine.',
        tags,
        params: SubClientParams,
        response: { 200: SubClientDeactivated, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params } = request
      const leaving = { status: 'deactivated' } as const
      const { after, unassigned } = await changeSubClient(deps, caller, params.sub_client_id, leaving, authorOf(request, deps.now()))
      return { success: true as const, sub_client: toExternalSubClient(after), devices_unassigned: unassigned }
    },
  )
}

function fromExternalCreate(body: SubClientCreate) {
  return {
    subClientId: body.sub_client_id ?? undefined,
    name: body.name,
    contactEmail: body.contact_email ?? undefined,
    contactPhone: body.contact_phone ?? undefined,
    metadata: body.metadata ?? {},
  }
}

function fromExternalUpdate(body: SubClientUpdate): SubClientChanges {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.status === undefined ? {} : { status: body.status }),
    ...(body.contact_email === undefined ? {} : { contactEmail: body.contact_email ?? undefined }),
    ...(body.contact_phone === undefined ? {} : { contactPhone: body.contact_phone ?? undefined }),
    ...(body.metadata === undefined ? {} : { metadata: body.metadata ?? {} }),
    ...(body.limits === undefined ? {} : { limits: fromExternalLimits(body.limits) }),
  }
}

function fromExternalLimits({ devices, readings_per_month, predictions_per_month }: NonNullable<SubClientUpdate['limits']>) {
  return {
    ...(devices === undefined ? {} : { devices: devices ?? undefined }),
    ...(readings_per_month === undefined ? {} : { readingsPerMonth: readings_per_month ?? undefined }),
    ...(predictions_per_month === undefined ? {} : { predictionsPerMonth: predictions_per_month ?? undefined }),
  }
}

function toExternalSubClient(subClient: SubClient): WireSubClient {
  return {
    sub_client_id: subClient.subClientId,
    name: subClient.name,
    contact_email: subClient.contactEmail ?? null,
    contact_phone: subClient.contactPhone ?? null,
    metadata: { ...subClient.metadata },
    status: subClient.status,
    device_count: subClient.deviceCount,
    vehicle_count: subClient.vehicleCount,
    limits: {
      devices: subClient.limits.devices ?? null,
      readings_per_month: subClient.limits.readingsPerMonth ?? null,
      predictions_per_month: subClient.limits.predictionsPerMonth ?? null,
    },
    created_at: subClient.createdAt.toISOString(),
    updated_at: subClient.updatedAt.toISOString(),
  }
}
