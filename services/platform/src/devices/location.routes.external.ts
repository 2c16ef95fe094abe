import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeviceParams } from '@roadworthy/contracts/external/devices'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import {
  LocationAnswer,
  LocationExportQuery,
  LocationList,
  LocationListQuery,
  locationLines,
  type Location as WireLocation,
} from '@roadworthy/contracts/external/locations'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import type { Database, Db } from '@roadworthy/service-kit/db'
import type { App } from '@roadworthy/service-kit/http'
import { endPage, pageRequest } from '@roadworthy/service-kit/keyset'
import { Problem } from '@roadworthy/service-kit/problem'
import { parseRfc3339 } from '@roadworthy/service-kit/rfc3339'
import { type Parts, sendInParts } from '@roadworthy/service-kit/send-in-parts'
import type { Viewer } from '../fleet/viewer.ts'
import { isDeviceReference, isOnline, noSuchDevice } from './device.ts'
import { selectDevice } from './devices.read.sql.ts'
import { countLocations, type Location, type LocationFilter, selectLocation, selectLocations } from './locations.read.sql.ts'

export type LocationRoutesDeps = {
  readonly database: Database
  readonly now: () => Date
  readonly offlineAfterMs: number
  /** Of one statement of the export: its rows are in memory together, and the next are read when the caller has taken these in. */
  readonly locationsPerPart?: number
}

const tags = ['Locations']
/** Spec §5.1 gives live locations to `devices:read`, and GPS tracking to `tracking:read`, which would open nothing else here. */
const locationScopes = ['devices:read', 'tracking:read'] as const

export function locationExternalRoutes(deps: LocationRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, now, offlineAfterMs } = deps
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
        const page = pageRequest(query)
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
        const { items, pagination } = endPage(rows, page.limit, positionOf, total)
        return { total, locations: items.map((location) => toExternalLocation(location, at, offlineAfterMs)), pagination }
      },
    )
    addExport(app, deps)
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

/** All of them in one answer. */
function addExport(app: App, { database, now, offlineAfterMs, locationsPerPart = LOCATIONS_PER_PART }: LocationRoutesDeps): void {
  app.get(
    '/devices/locations/export',
    {
      config: { scope: locationScopes },
      schema: {
        operationId: 'exportLocations',
        summary: 'Latest location of every device that has one, in one answer',
        description:
          'For live maps: one JSON object a line (NDJSON), sent as it is read, without pages. An answer that could not be read to its end is cut off.',
        tags,
        querystring: LocationExportQuery,
        response: { 200: { description: 'The lines.', content: locationLines }, ...errorResponses() },
      },
    },
    async ({ caller, query }, reply) => {
      const { sub_client_id: subClientId, received_since: text } = query
      const receivedSince = text === undefined ? undefined : new Date(instantOf(text))
      reply.type('application/x-ndjson').header('cache-control', 'no-store')
      const isPossible = subClientId === undefined || isSlug(subClientId)
      const db = database.tenantPool(caller.resellerId)
      const toText = (location: Location) => toLine(location, now(), offlineAfterMs)
      const filter = { subClientId, receivedSince }
      const parts = isPossible ? locationParts(db, caller, filter, { locationsPerPart, toText }) : noParts()
      return await sendInParts(reply, parts)
    },
  )
}

/** Some 3 MB. */
const LOCATIONS_PER_PART = 5_000

async function* locationParts(
  db: Db,
  viewer: Viewer,
  filter: LocationFilter,
  { locationsPerPart, toText }: { locationsPerPart: number; toText: (location: Location) => string },
): Parts {
  let { after } = pageRequest({})
  for (;;) {
    // A page has one more than its limit.
    const locations = await selectLocations(db, viewer, filter, { limit: locationsPerPart - 1, after })
    if (locations.length > 0) yield locations.map(toText).join('')
    const last = locations.at(-1)
    if (last === undefined || locations.length < locationsPerPart) return
    after = positionOf(last)
  }
}

async function* noParts(): Parts {}

function instantOf(text: string): number {
  const ms = parseRfc3339(text)
  if (ms !== undefined) return ms
  throw new Problem('invalid_request', '"received_since" must be a date and time as RFC 3339 has it, for example 2026-01-02T03:04:05Z.', {
    details: { in: 'querystring', field: 'received_since' },
  })
}

function toLine(location: Location, now: Date, offlineAfterMs: number): string {
  return `${JSON.stringify(toExternalLocation(location, now, offlineAfterMs))}\n`
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
    timestamp: new Date(location.recordedAtMs).toISOString(),
    received_at: new Date(location.receivedAtMs).toISOString(),
    // A device clock may run up to five minutes ahead of ours.
    age_seconds: Math.max(0, Math.floor((now.getTime() - location.recordedAtMs) / 1_000)),
    online: isOnline(location, now, offlineAfterMs),
  }
}
