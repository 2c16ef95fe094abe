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
import type { Database, Db } from '@roadworthy/service-kit/db'
import type { App } from '@roadworthy/service-kit/http'
import { endPage, pageRequest } from '@roadworthy/service-kit/keyset'
import { Problem } from '@roadworthy/service-kit/problem'
import type { FastifyRequest } from 'fastify'
import { authorOf, writeAudit } from '../access/audit.ts'
import { createSubClient } from './create-sub-client.ts'
import type { DeviceLinks } from './device-links.ts'
import { isSlug } from './slug.ts'
import { assertMetadata, auditedSubClient, noSuchSubClient, type SubClient, type SubClientChanges } from './sub-client.ts'
import { countSubClients, selectSubClient, selectSubClients } from './sub-clients.read.sql.ts'
import { updateSubClient } from './sub-clients.sql.ts'
import type { Viewer } from './viewer.ts'

export type SubClientRoutesDeps = {
  readonly database: Database
  readonly now: () => Date
  readonly deviceLinks: Pick<DeviceLinks, 'unassignDevices'>
  /** Told after a change is committed, so that this process forgets what it held. */
  readonly fleetChanged: (resellerId: string) => void
}

const tags = ['Sub-clients']

export function subClientExternalRoutes(deps: SubClientRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addCreateRoute(app as App, deps)
    addReadRoutes(app as App, deps)
    addChangeRoutes(app as App, deps)
  }
}

function addCreateRoute(app: App, { database, now, fleetChanged }: SubClientRoutesDeps): void {
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
      // A key that sees one sub-client could not see the one it made.
      if (caller.subClientPin !== undefined) {
        throw new Problem('missing_scope', 'This key belongs to one sub-client and cannot create others.', {
          details: { required_scope: 'sub_clients:manage' },
        })
      }
      const subClient = await database.tenant(caller.resellerId, async (db) => {
        const subClientId = await createSubClient(db, caller.resellerId, fromExternalCreate(body), now())
        const made = await requireSubClient(db, caller, subClientId)
        const entry = { action: 'sub_client.created', objectId: subClientId, subClientId, after: auditedSubClient(made) } as const
        await writeAudit(db, authorOf(request, now()), entry)
        return made
      })
      fleetChanged(caller.resellerId)
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
      const page = pageRequest(query)
      const filter = { status: query.status }
      const db = database.tenantPool(caller.resellerId)
      const [rows, total] = await Promise.all([selectSubClients(db, caller, filter, page), countSubClients(db, caller, filter)])
      const { items, pagination } = endPage(rows, page.limit, ({ createdAt, subClientId }) => ({ at: createdAt, id: subClientId }))
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
      // Whoever is limited does not set the limits.
      if (caller.subClientPin !== undefined && body.limits !== undefined) {
        throw new Problem('missing_scope', 'This key belongs to one sub-client and cannot change what it is limited to.', {
          details: { required_scope: 'sub_clients:manage' },
        })
      }
      const subClient = await changeSubClient(deps, request, params.sub_client_id, fromExternalUpdate(body))
      return { success: true as const, sub_client: toExternalSubClient(subClient.after) }
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
      const { after, unassigned } = await changeSubClient(deps, request, request.params.sub_client_id, { status: 'deactivated' })
      return { success: true as const, sub_client: toExternalSubClient(after), devices_unassigned: unassigned }
    },
  )
}

/** However it is deactivated, its devices leave it (spec §3). */
async function changeSubClient(
  { database, now, deviceLinks, fleetChanged }: SubClientRoutesDeps,
  request: FastifyRequest,
  subClientId: string,
  changes: SubClientChanges,
): Promise<{ after: SubClient; unassigned: number }> {
  const viewer = request.caller
  if (changes.metadata !== undefined) assertMetadata(changes.metadata)
  const result = await database.tenant(viewer.resellerId, async (db) => {
    const before = await requireSubClient(db, viewer, subClientId)
    if (!(await updateSubClient(db, viewer, subClientId, changes, now()))) throw noSuchSubClient()
    const isLeaving = changes.status === 'deactivated'
    const unassigned = isLeaving ? await deviceLinks.unassignDevices(db, viewer.resellerId, subClientId, now()) : 0
    const after = await requireSubClient(db, viewer, subClientId)
    await writeAudit(db, authorOf(request, now()), {
      action: isLeaving ? 'sub_client.deactivated' : 'sub_client.updated',
      objectId: subClientId,
      subClientId,
      before: { ...auditedSubClient(before), devices: before.deviceCount },
      after: { ...auditedSubClient(after), devices: after.deviceCount },
    })
    return { after, unassigned }
  })
  fleetChanged(viewer.resellerId)
  return result
}

async function requireSubClient(db: Db, viewer: Viewer, subClientId: string): Promise<SubClient> {
  const subClient = isSlug(subClientId) ? await selectSubClient(db, viewer, subClientId) : undefined
  if (subClient === undefined) throw noSuchSubClient()
  return subClient
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
