import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  CredentialsRotate,
  CredentialsRotated,
  DeviceChange,
  DeviceDecommissioned,
  DeviceList,
  DeviceListQuery,
  DeviceParams,
  DeviceRegister,
  DeviceRegistered,
  Device as WireDevice,
} from '@roadworthy/contracts/platform-v1/devices'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import type { App } from '@roadworthy/service-kit/http/http'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { authorOf } from '../audit/audit.ts'
import { selectVehicleNames } from '../fleet/vehicle-names.read.sql.ts'
import type { Viewer } from '../fleet/viewer.ts'
import type { DeviceRoutesDeps } from './device.routes.external.ts'
import type { Device } from './device.ts'
import { amendDevice, listDevices, renewCredentials, requireDevice, takeOutOfService } from './device-desk.ts'
import { addImportRoute } from './import.routes.platform-v1.ts'
import {
  fromPlatformChange,
  fromPlatformRegistration,
  toPlatformCredentials,
  toPlatformDevice,
  toPlatformRegistered,
} from './platform-device.ts'
import { type Registration, registerDevice } from './register-device.ts'
import { addTrackerTokenRoutes } from './tracker-token.routes.platform-v1.ts'

const tags = ['Devices']
const READ = 'devices:read'
const WRITE = 'devices:write'

export function devicePlatformRoutes(deps: DeviceRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addReadRoutes(app as App, deps)
    addRegistrationRoute(app as App, deps)
    addImportRoute(app as App, deps)
    addChangeRoute(app as App, deps)
    addCredentialsRoute(app as App, deps)
    addTrackerTokenRoutes(app as App, deps)
    addDecommissionRoute(app as App, deps)
  }
}

function addReadRoutes(app: App, deps: DeviceRoutesDeps): void {
  const { database, now, offlineAfterMs } = deps
  app.get(
    '/devices',
    {
      config: { scope: READ },
      schema: {
        operationId: 'listDevices',
        summary: 'List devices, oldest first',
        tags,
        querystring: DeviceListQuery,
        response: { 200: DeviceList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const { subClientId, status, search, presence: is } = query
      const presence = is === undefined ? undefined : { is, heardSince: new Date(now().getTime() - offlineAfterMs) }
      const found = await listDevices(database, caller, { subClientId, status, search, presence }, pageRequest('devices', query))
      return { total: found.total, devices: await show(deps, caller, found.items), pagination: found.pagination }
    },
  )
  app.get(
    '/devices/:id',
    {
      config: { scope: READ },
      schema: {
        operationId: 'getDevice',
        summary: 'Get one device',
        tags,
        params: DeviceParams,
        response: { 200: WireDevice, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) =>
      await showOne(deps, caller, await requireDevice(database.tenantPool(caller.resellerId), caller, params.id)),
  )
}

function addRegistrationRoute(app: App, deps: DeviceRoutesDeps): void {
  const { now, mqtt, brokerAccounts, fleetChanged } = deps
  app.post(
    '/devices',
    {
      config: { scope: WRITE },
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
      const toAnswer = (registration: Registration) => toPlatformRegistered(registration, caller.resellerId, mqtt)
      const author = authorOf(request, now())
      const answer = await registerDevice({ ...deps, brokerAccounts, toAnswer, author }, caller, fromPlatformRegistration(body))
      fleetChanged(caller.resellerId)
      return answer
    },
  )
}

function addChangeRoute(app: App, deps: DeviceRoutesDeps): void {
  app.patch(
    '/devices/:id',
    {
      config: { scope: WRITE },
      schema: {
        operationId: 'changeDevice',
        summary: 'Change, move, link or suspend a device',
        description:
          'A device that moves to another sub-client is unlinked from a vehicle of the one before, unless `vehicleId` names a vehicle. A vehicle of no sub-client goes with its only device.',
        tags,
        params: DeviceParams,
        body: DeviceChange,
        response: { 200: WireDevice, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      return await showOne(
        deps,
        caller,
        await amendDevice(deps, caller, params.id, fromPlatformChange(body), authorOf(request, deps.now())),
      )
    },
  )
}

function addCredentialsRoute(app: App, deps: DeviceRoutesDeps): void {
  app.post(
    '/devices/:id/credentials/rotate',
    {
      config: { scope: WRITE, bodyMayBeMissing: true },
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
      const rotated = await renewCredentials(deps, caller, params.id, body.graceSeconds ?? 0, authorOf(request, deps.now()))
      return {
        id: rotated.deviceId,
        ...toPlatformCredentials(rotated, caller.resellerId, deps.mqtt),
        previousValidUntil: rotated.previousValidUntil?.toISOString() ?? null,
      }
    },
  )
}

function addDecommissionRoute(app: App, deps: DeviceRoutesDeps): void {
  app.post(
    '/devices/:id/decommission',
    {
      config: { scope: WRITE },
      schema: {
        operationId: 'decommissionDevice',
        summary: 'Decommission a device',
        description: 'Its credentials are revoked, its IMEI is free again and its history stays. Repeating it is fine.',
        tags,
        params: DeviceParams,
        response: { 200: DeviceDecommissioned, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params } = request
      const { deviceId, decommissionedAt } = await takeOutOfService(deps, caller, params.id, authorOf(request, deps.now()))
      return { id: deviceId, status: 'decommissioned' as const, decommissionedAt: decommissionedAt.toISOString() }
    },
  )
}

async function show(deps: DeviceRoutesDeps, viewer: Viewer, devices: readonly Device[]): Promise<WireDevice[]> {
  const { database, mqtt, now, offlineAfterMs } = deps
  const vehicleIds = devices.flatMap(({ vehicleId }) => vehicleId ?? [])
  const named = await selectVehicleNames(database.tenantPool(viewer.resellerId), viewer, vehicleIds)
  const shown = { topicPrefix: mqtt.topicPrefix, now: now(), offlineAfterMs }
  return devices.map((device) => toPlatformDevice(device, named.get(device.vehicleId ?? ''), viewer.resellerId, shown))
}

async function showOne(deps: DeviceRoutesDeps, viewer: Viewer, device: Device): Promise<WireDevice> {
  const [shown] = await show(deps, viewer, [device])
  if (shown === undefined) throw new Error('one device was given and none came out')
  return shown
}
