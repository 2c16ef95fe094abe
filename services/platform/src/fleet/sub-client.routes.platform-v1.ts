import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  SubClientChange,
  SubClientCreate,
  SubClientDeactivated,
  SubClientDeactivation,
  SubClientList,
  SubClientListQuery,
  SubClientParams,
  SubClient as WireSubClient,
} from '@roadworthy/contracts/platform-v1/sub-clients'
import type { App } from '@roadworthy/service-kit/http/http'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { authorOf } from '../audit/audit.ts'
import { addSubClient, changeSubClient, listSubClients, requireSubClient, type SubClientDeps } from './change-sub-client.ts'
import { selectDeactivation } from './deactivation.read.sql.ts'
import type { SubClient, SubClientChanges } from './sub-client.ts'

type Deps = SubClientDeps & { readonly now: () => Date }

const tags = ['Sub-clients']
const READ = 'sub_clients:read'
const MANAGE = 'sub_clients:manage'

export function subClientPlatformRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addReadRoutes(app as App, deps)
    addWriteRoutes(app as App, deps)
    addDeactivationRoutes(app as App, deps)
  }
}

function addReadRoutes(app: App, { database }: Deps): void {
  app.get(
    '/sub-clients',
    {
      config: { scope: READ },
      schema: {
        operationId: 'listSubClients',
        summary: 'List sub-clients, oldest first',
        tags,
        querystring: SubClientListQuery,
        response: { 200: SubClientList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const filter = { status: query.status, search: query.search }
      const { items, total, pagination } = await listSubClients(database, caller, filter, pageRequest('sub-clients', query))
      return { total, subClients: items.map(toPlatformSubClient), pagination }
    },
  )
  app.get(
    '/sub-clients/:id',
    {
      config: { scope: READ },
      schema: {
        operationId: 'getSubClient',
        summary: 'Get one sub-client',
        tags,
        params: SubClientParams,
        response: { 200: WireSubClient, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => toPlatformSubClient(await requireSubClient(database.tenantPool(caller.resellerId), caller, params.id)),
  )
}

function addWriteRoutes(app: App, deps: Deps): void {
  app.post(
    '/sub-clients',
    {
      config: { scope: MANAGE },
      schema: {
        operationId: 'createSubClient',
        summary: 'Create a sub-client',
        tags,
        body: SubClientCreate,
        response: { 200: WireSubClient, ...errorResponses(409) },
      },
    },
    async (request) => {
      const { caller, body } = request
      const given = {
        subClientId: body.id ?? undefined,
        name: body.name,
        contactEmail: body.contactEmail ?? undefined,
        contactPhone: body.contactPhone ?? undefined,
        metadata: body.metadata ?? {},
      }
      return toPlatformSubClient(await addSubClient(deps, caller, given, authorOf(request, deps.now())))
    },
  )
  app.patch(
    '/sub-clients/:id',
    {
      config: { scope: MANAGE },
      schema: {
        operationId: 'changeSubClient',
        summary: 'Change a sub-client',
        description: 'Setting `status` to `active` brings a suspended or deactivated sub-client back; its devices stay unassigned.',
        tags,
        params: SubClientParams,
        body: SubClientChange,
        response: { 200: WireSubClient, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { after } = await changeSubClient(deps, caller, params.id, fromPlatformChange(body), authorOf(request, deps.now()))
      return toPlatformSubClient(after)
    },
  )
}

function addDeactivationRoutes(app: App, deps: Deps): void {
  app.get(
    '/sub-clients/:id/deactivation',
    {
      config: { scope: MANAGE },
      schema: {
        operationId: 'previewSubClientDeactivation',
        summary: 'What deactivating a sub-client would do',
        tags,
        params: SubClientParams,
        response: { 200: SubClientDeactivation, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      const db = deps.database.tenantPool(caller.resellerId)
      const { subClientId } = await requireSubClient(db, caller, params.id)
      return await selectDeactivation(db, caller.resellerId, subClientId)
    },
  )
  app.delete(
    '/sub-clients/:id',
    {
      config: { scope: MANAGE },
      schema: {
        operationId: 'deactivateSubClient',
        summary: 'Deactivate a sub-client',
        description: 'The record remains with status `deactivated`; its devices and SIMs leave it. Repeating it is fine.',
        tags,
        params: SubClientParams,
        response: { 200: SubClientDeactivated, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params } = request
      const leaving = { status: 'deactivated' } as const
      const { after, unassigned } = await changeSubClient(deps, caller, params.id, leaving, authorOf(request, deps.now()))
      return { subClient: toPlatformSubClient(after), devicesUnassigned: unassigned }
    },
  )
}

function fromPlatformChange({ name, status, limits, ...body }: SubClientChange): SubClientChanges {
  return {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(body.contactEmail === undefined ? {} : { contactEmail: body.contactEmail ?? undefined }),
    ...(body.contactPhone === undefined ? {} : { contactPhone: body.contactPhone ?? undefined }),
    ...(body.metadata === undefined ? {} : { metadata: body.metadata ?? {} }),
    // Null removes a limit.
    ...(limits === undefined
      ? {}
      : { limits: Object.fromEntries(Object.entries(limits).map(([limited, most]) => [limited, most ?? undefined])) }),
  }
}

function toPlatformSubClient({ subClientId, contactEmail, contactPhone, limits, ...subClient }: SubClient): WireSubClient {
  return {
    id: subClientId,
    name: subClient.name,
    contactEmail: contactEmail ?? null,
    contactPhone: contactPhone ?? null,
    metadata: { ...subClient.metadata },
    status: subClient.status,
    deviceCount: subClient.deviceCount,
    vehicleCount: subClient.vehicleCount,
    limits: {
      devices: limits.devices ?? null,
      readingsPerMonth: limits.readingsPerMonth ?? null,
      predictionsPerMonth: limits.predictionsPerMonth ?? null,
    },
    createdAt: subClient.createdAt.toISOString(),
    updatedAt: subClient.updatedAt.toISOString(),
  }
}
