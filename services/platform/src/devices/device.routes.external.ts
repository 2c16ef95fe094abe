import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  DeviceAnswer,
  DeviceDecommissioned,
  DeviceList,
  DeviceListQuery,
  DeviceParams,
  DeviceRegister,
  DeviceRegistered,
  DeviceUpdate,
} from '@roadworthy/contracts/external/devices'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import type { Database, Db } from '@roadworthy/service-kit/db'
import type { App } from '@roadworthy/service-kit/http'
import { endPage, pageRequest } from '@roadworthy/service-kit/keyset'
import type { Sealer } from '@roadworthy/service-kit/sealed'
import { authorOf, writeAudit } from '../access/audit.ts'
import { isSlug } from '../fleet/slug.ts'
import type { MarkDue } from '../fleet/upsert-vehicle.ts'
import type { Viewer } from '../fleet/viewer.ts'
import type { BrokerAccounts } from './broker-accounts.ts'
import { changeDevice, decommissionDevice } from './change-device.ts'
import { auditedDevice, type Device, isDeviceReference, noSuchDevice } from './device.ts'
import { countDevices, selectDevice, selectDevices } from './devices.read.sql.ts'
import {
  fromExternalRegistration,
  fromExternalUpdate,
  type MqttAddress,
  toExternalDevice,
  toExternalRegistered,
} from './external-device.ts'
import { registerDevice } from './register-device.ts'
import { addRotationRoute } from './rotation.routes.external.ts'

export type DeviceRoutesDeps = {
  readonly database: Database
  readonly now: () => Date
  /** `createSealer(secretKey, 'device registrations')`. */
  readonly sealer: Sealer
  readonly mqtt: MqttAddress
  /** Where accounts are kept at a broker of others. */
  readonly brokerAccounts?: BrokerAccounts | undefined
  readonly offlineAfterMs: number
  readonly markDue: MarkDue
  /** Told after a change is committed, so that this process forgets what it held. */
  readonly fleetChanged: (resellerId: string) => void
}

const tags = ['Devices']

export function deviceExternalRoutes(deps: DeviceRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addRegistrationRoutes(app as App, deps)
    addRotationRoute(app as App, deps)
    addRecordRoutes(app as App, deps)
    addUpdateRoute(app as App, deps)
  }
}

/** From registration to decommission: the life of a device. */
function addRegistrationRoutes(app: App, deps: DeviceRoutesDeps): void {
  const { database, now, mqtt, brokerAccounts, fleetChanged } = deps
  app.post(
    '/devices',
    {
      config: { scope: 'devices:write' },
      schema: {
        operationId: 'registerDevice',
        summary: 'Register a device',
        description: 'The answer shows the MQTT password, once. The same body for the same IMEI within 24 hours gets the same answer.',
        tags,
        body: DeviceRegister,
        response: { 200: DeviceRegistered, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, body } = request
      const toAnswer = (registration: Parameters<typeof toExternalRegistered>[0]) =>
        toExternalRegistered(registration, caller.resellerId, mqtt)
      const answer = await registerDevice(
        { ...deps, brokerAccounts, toAnswer, author: authorOf(request, now()) },
        caller,
        fromExternalRegistration(body),
      )
      fleetChanged(caller.resellerId)
      return answer
    },
  )
  app.post(
    '/devices/:device_id/decommission',
    {
      config: { scope: 'devices:write' },
      schema: {
        operationId: 'decommissionDevice',
        summary: 'Decommission a device',
        description:
          'Its credentials are revoked, its IMEI is free again and its history stays. Repeating it is fine, by the IMEI too as long as no other device has it.',
        tags,
        params: DeviceParams,
        response: { 200: DeviceDecommissioned, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params } = request
      const { resellerId } = caller
      const { deviceId, decommissionedAt } = await database.tenant(resellerId, async (db) => {
        const gone = await decommissionDevice(db, caller, params.device_id, authorOf(request, now()))
        await brokerAccounts?.setStatus(db, { resellerId, deviceId: gone.deviceId }, 'decommissioned', now())
        return gone
      })
      fleetChanged(caller.resellerId)
      return {
        success: true as const,
        device_id: deviceId,
        status: 'decommissioned' as const,
        decommissioned_at: decommissionedAt.toISOString(),
      }
    },
  )
}

function addRecordRoutes(app: App, deps: DeviceRoutesDeps): void {
  const { database } = deps
  app.get(
    '/devices',
    {
      config: { scope: 'devices:read' },
      schema: {
        operationId: 'listDevices',
        summary: 'List devices, oldest first',
        tags,
        querystring: DeviceListQuery,
        response: { 200: DeviceList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest(query)
      const filter = { subClientId: query.sub_client_id, status: query.status }
      // What could never be stored cannot be asked of the store either.
      const isPossible = filter.subClientId === undefined || isSlug(filter.subClientId)
      const found = isPossible ? await listDevices(database, caller, filter, page) : { rows: [], total: 0 }
      const { items, pagination } = endPage(found.rows, page.limit, ({ createdAt, deviceId }) => ({ at: createdAt, id: deviceId }))
      return {
        total: found.total,
        devices: items.map((device) => toShown(device, caller.resellerId, deps)),
        pagination,
      }
    },
  )
  app.get(
    '/devices/:device_id',
    {
      config: { scope: 'devices:read' },
      schema: {
        operationId: 'getDevice',
        summary: 'Get one device',
        tags,
        params: DeviceParams,
        response: { 200: DeviceAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      const device = await requireDevice(database.tenantPool(caller.resellerId), caller, params.device_id)
      return { success: true as const, device: toShown(device, caller.resellerId, deps) }
    },
  )
}

function addUpdateRoute(app: App, deps: DeviceRoutesDeps): void {
  const { database, now } = deps
  app.put(
    '/devices/:device_id',
    {
      config: { scope: 'devices:write' },
      schema: {
        operationId: 'updateDevice',
        summary: 'Change, reassign or link a device',
        description:
          'A device that is reassigned to another sub-client is unlinked from a vehicle of the one before, unless `vehicle_id` names a vehicle. A vehicle of no sub-client goes with its only device.',
        tags,
        params: DeviceParams,
        body: DeviceUpdate,
        response: { 200: DeviceAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const device = await database.tenant(caller.resellerId, async (db) => {
        const before = await requireDevice(db, caller, params.device_id)
        const deviceId = await changeDevice(db, caller, params.device_id, fromExternalUpdate(body), now())
        const after = await requireDevice(db, caller, deviceId)
        const place = { resellerId: caller.resellerId, deviceId }
        if (before.status !== after.status) await deps.brokerAccounts?.setStatus(db, place, after.status, now())
        const entry = { action: 'device.updated', objectId: deviceId, subClientId: after.subClientId } as const
        await writeAudit(db, authorOf(request, now()), { ...entry, before: auditedDevice(before), after: auditedDevice(after) })
        return after
      })
      deps.fleetChanged(caller.resellerId)
      return { success: true as const, device: toShown(device, caller.resellerId, deps) }
    },
  )
}

async function listDevices(
  database: Database,
  viewer: Viewer,
  filter: Parameters<typeof countDevices>[2],
  page: Parameters<typeof selectDevices>[3],
): Promise<{ rows: Device[]; total: number }> {
  const db = database.tenantPool(viewer.resellerId)
  const [rows, total] = await Promise.all([selectDevices(db, viewer, filter, page), countDevices(db, viewer, filter)])
  return { rows, total }
}

async function requireDevice(db: Db, viewer: Viewer, idOrImei: string): Promise<Device> {
  const device = isDeviceReference(idOrImei) ? await selectDevice(db, viewer, idOrImei) : undefined
  if (device === undefined) throw noSuchDevice()
  return device
}

function toShown(device: Device, resellerId: string, { mqtt, now, offlineAfterMs }: DeviceRoutesDeps) {
  return toExternalDevice(device, resellerId, { topicPrefix: mqtt.topicPrefix, now: now(), offlineAfterMs })
}
