import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeviceParams } from '@roadworthy/contracts/external/devices'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import { LocationAnswer, LocationList, LocationListQuery, type Location as WireLocation } from '@roadworthy/contracts/external/locations'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { isoTime } from '@roadworthy/service-kit/time/iso-time'
import { isDeviceReference, isOnline, noSuchDevice } from './device.ts'
import { selectDevice } from './devices.read.sql.ts'
import { countLocations, type Location, selectLocation, selectLocations } from './locations.read.sql.ts'

export type LocationRoutesDeps = {
  readonly database: Database
  readonly now: () => Date
  readonly offlineAfterMs: number
}

const tags = ['Locations']
/** Spec §5.1 gives live locations to `devices:read`, and GPS tracking to `tracking:read`, which would open nothing else here. */
export const locationScopes = ['devices:read', 'tracking:read'] as const

export function locationExternalRoutes({ database, now, offlineAfterMs }: LocationRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/devices/locations',
      {
        config: { scope: locationScopes },
        schema: {
          operationId: 'listLocations',
          summary: 'Latest location of every device that has one',
          tags,
          querystring: LocationListQuery,
          response: { 200: LocationList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const page = pageRequest('locations', query)
        const { sub_client_id: subClientId } = query
        const isPossible = subClientId === undefined || isSlug(subClientId)
        const db = database.tenantPool(caller.resellerId)
        const [rows, total] = !isPossible
          ? [[], 0]
          : await Promise.all([
              selectLocations(db, caller, { subClientId }, page),
              // The count joins every device with its state; a list of twenty pages pays for it once.
              page.total ?? countLocations(db, caller, subClientId),
            ])
        const at = now()
        const { items, pagination } = endPage(rows, page, positionOf, total)
        return { total, locations: items.map((location) => toExternalLocation(location, at, offlineAfterMs)), pagination }
      },
    )
    app.get(
      '/devices/:device_id/location',
      {
        config: { scope: locationScopes },
        schema: {
          operationId: 'getLocation',
          summary: 'Latest location of one device',
          tags,
          params: DeviceParams,
          response: { 200: LocationAnswer, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => {
        if (!isDeviceReference(params.device_id)) throw noSuchDevice()
        const db = database.tenantPool(caller.resellerId)
        const location = await selectLocation(db, caller, params.device_id)
        if (location === undefined) {
          if ((await selectDevice(db, caller, params.device_id)) === undefined) throw noSuchDevice()
          throw new Problem('no_location', 'The device has not reported a position yet.')
        }
        return { success: true as const, location: toExternalLocation(location, now(), offlineAfterMs) }
      },
    )
  }
}

function positionOf({ deviceCreatedAtMs, deviceId }: Location) {
  return { at: new Date(deviceCreatedAtMs), id: deviceId }
}

function toExternalLocation(location: Location, now: Date, offlineAfterMs: number): WireLocation {
  const { fix } = location
  return {
    device_id: location.deviceId,
    imei: location.imei ?? null,
    name: location.name ?? null,
    sub_client_id: location.subClientId ?? null,
    vehicle_id: location.vehicleId ?? null,
    latitude: location.latitude,
    longitude: location.longitude,
    speed: fix.speedKmh ?? null,
    heading: fix.headingDeg ?? null,
    altitude: fix.altitudeM ?? null,
    satellites: fix.satellites ?? null,
    ignition: fix.ignition ?? null,
    battery_voltage: fix.batteryVoltageV ?? null,
    event: fix.event ?? null,
    timestamp: isoTime(location.recordedAtMs),
    received_at: isoTime(location.receivedAtMs),
    // A device clock may run up to five minutes ahead of ours.
    age_seconds: Math.max(0, Math.floor((now.getTime() - location.recordedAtMs) / 1_000)),
    online: isOnline(location, now, offlineAfterMs),
  }
}
