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
import type { App } from '@roadworthy/service-kit/http/http'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { authorOf } from '../audit/audit.ts'
import type { MarkDue } from '../fleet/upsert-vehicle.ts'
import type { Device } from './device.ts'
import { amendDevice, type DeviceDesk, listDevices, requireDevice, takeOutOfService } from './device-desk.ts'
import {
  fromExternalRegistration,
  fromExternalUpdate,
  type MqttAddress,
  toExternalDevice,
  toExternalRegistered,
} from './external-device.ts'
import { registerDevice } from './register-device.ts'
import { addRotationRoute } from './rotation.routes.external.ts'

export type DeviceRoutesDeps = DeviceDesk & {
  readonly now: () => Date
  /** `createSealer(secretKey, 'device registrations')`. */
  readonly sealer: Sealer
  readonly mqtt: MqttAddress
  readonly offlineAfterMs: number
  readonly markDue: MarkDue
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
  const { now, mqtt, brokerAccounts, fleetChanged } = deps
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
      const { deviceId, decommissionedAt } = await takeOutOfService(deps, caller, params.device_id, authorOf(request, now()))
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
      const filter = { subClientId: query.sub_client_id, status: query.status, search: undefined, presence: undefined }
      const { items, total, pagination } = await listDevices(database, caller, filter, pageRequest('devices', query))
      return { total, devices: items.map((device) => toShown(device, caller.resellerId, deps)), pagination }
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
      const device = await amendDevice(deps, caller, params.device_id, fromExternalUpdate(body), authorOf(request, deps.now()))
      return { success: true as const, device: toShown(device, caller.resellerId, deps) }
    },
  )
}

function toShown(device: Device, resellerId: string, { mqtt, now, offlineAfterMs }: DeviceRoutesDeps) {
  return toExternalDevice(device, resellerId, { topicPrefix: mqtt.topicPrefix, now: now(), offlineAfterMs })
}
