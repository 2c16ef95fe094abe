import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  CredentialsRotate,
  CredentialsRotated,
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
import type { Viewer } from '../fleet/viewer.ts'
import { changeDevice, decommissionDevice, rotateCredentials } from './change-device.ts'
import { auditedDevice, type Device, isDeviceReference, noSuchDevice } from './device.ts'
import { countDevices, selectDevice, selectDevices } from './devices.read.sql.ts'
import {
  fromExternalRegistration,
  fromExternalUpdate,
  type MqttAddress,
  toExternalCredentials,
  toExternalDevice,
  toExternalRegistered,
} from './external-device.ts'
import { registerDevice } from './register-device.ts'

export type DeviceRoutesDeps = {
  readonly database: Database
  readonly now: () => Date
  /** `createSealer(secretKey, 'device registrations')`. */
  readonly sealer: Sealer
  readonly mqtt: MqttAddress
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
  const { database, now, mqtt, fleetChanged } = deps
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
      const answer = await registerDevice({ ...deps, toAnswer, author: authorOf(request, now()) }, caller, fromExternalRegistration(body))
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
      const { deviceId, decommissionedAt } = await database.tenant(caller.resellerId, (db) =>
        decommissionDevice(db, caller, params.device_id, authorOf(request, now())),
      )
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

function addRotationRoute(app: App, { database, now, mqtt, fleetChanged }: DeviceRoutesDeps): void {
  app.post(
    '/devices/:device_id/credentials/rotate',
    {
      config: { scope: 'devices:write' },
      // No body at all asks for no grace.
      preValidation: async (request) => {
        request.body ??= {}
      },
      schema: {
        operationId: 'rotateDeviceCredentials',
        summary: 'Give a device a new MQTT password',
        tags,
        params: DeviceParams,
        body: CredentialsRotate,
        response: { 200: CredentialsRotated, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const graceS = body.grace_seconds ?? 0
      const rotated = await database.tenant(caller.resellerId, async (db) => {
        const made = await rotateCredentials(db, caller, params.device_id, graceS, now())
        const { deviceId: objectId, subClientId } = made
        await writeAudit(db, authorOf(request, now()), { action: 'device.credentials_rotated', objectId, subClientId, after: { graceS } })
        return made
      })
      fleetChanged(caller.resellerId)
      return {
        success: true as const,
        device_id: rotated.deviceId,
        ...toExternalCredentials(rotated, caller.resellerId, mqtt),
        previous_valid_until: rotated.previousValidUntil?.toISOString() ?? null,
      }
    },
  )
}

function addRecordRoutes(app: App, { database, now, mqtt }: DeviceRoutesDeps): void {
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
        devices: items.map((device) => toExternalDevice(device, caller.resellerId, { topicPrefix: mqtt.topicPrefix, now: now() })),
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
      return { success: true as const, device: toExternalDevice(device, caller.resellerId, { topicPrefix: mqtt.topicPrefix, now: now() }) }
    },
  )
}

function addUpdateRoute(app: App, deps: DeviceRoutesDeps): void {
  const { database, now, mqtt } = deps
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
        const entry = { action: 'device.updated', objectId: deviceId, subClientId: after.subClientId } as const
        await writeAudit(db, authorOf(request, now()), { ...entry, before: auditedDevice(before), after: auditedDevice(after) })
        return after
      })
      deps.fleetChanged(caller.resellerId)
      return { success: true as const, device: toExternalDevice(device, caller.resellerId, { topicPrefix: mqtt.topicPrefix, now: now() }) }
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
