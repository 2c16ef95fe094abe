import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { type Position, PositionQuery, positionLines } from '@roadworthy/contracts/platform-v1/positions'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import type { Db } from '@roadworthy/service-kit/db'
import { pageRequest } from '@roadworthy/service-kit/keyset'
import { queryInstant } from '@roadworthy/service-kit/query-instant'
import { type Parts, sendInParts } from '@roadworthy/service-kit/send-in-parts'
import type { Viewer } from '../fleet/viewer.ts'
import { isOnline } from './device.ts'
import { type LocationRoutesDeps, locationScopes, positionOf } from './location.routes.external.ts'
import { type Location, type LocationFilter, selectLocations } from './locations.read.sql.ts'

/** Some 3 MB. */
const LOCATIONS_PER_PART = 5_000

export type PositionRoutesDeps = LocationRoutesDeps & {
  /** Of one statement: its rows are in memory together, and the next are read when the caller has taken these in. */
  readonly locationsPerPart?: number
}

export function positionPlatformRoutes(deps: PositionRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, now, offlineAfterMs, locationsPerPart = LOCATIONS_PER_PART } = deps
  return async (app) => {
    app.get(
      '/fleet/positions',
      {
        config: { scope: locationScopes },
        schema: {
          operationId: 'exportPositions',
          summary: 'Get where every device is, in one answer',
          description:
            'For live maps of a whole fleet: one JSON object a line (NDJSON), sent as it is read, without pages. Devices that never had a position are left out. An answer that could not be read to its end is cut off.',
          tags: ['Vehicles'],
          querystring: PositionQuery,
          response: { 200: { description: 'The lines.', content: positionLines }, ...errorResponses() },
        },
      },
      async ({ caller, query }, reply) => {
        const { subClientId } = query
        const receivedSince = queryInstant('receivedSince', query.receivedSince)
        reply.type('application/x-ndjson').header('cache-control', 'no-store')
        const isPossible = subClientId === undefined || isSlug(subClientId)
        const db = database.tenantPool(caller.resellerId)
        const toText = (location: Location) => `${JSON.stringify(toPosition(location, now(), offlineAfterMs))}\n`
        const filter = { subClientId, receivedSince }
        const parts = isPossible ? positionParts(db, caller, filter, { locationsPerPart, toText }) : noParts()
        return await sendInParts(reply, parts)
      },
    )
  }
}

async function* positionParts(
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

function toPosition(location: Location, now: Date, offlineAfterMs: number): Position {
  const { fix } = location
  return {
    deviceId: location.deviceId,
    imei: location.imei ?? null,
    name: location.name ?? null,
    subClientId: location.subClientId ?? null,
    vehicleId: location.vehicleId ?? null,
    latitude: location.latitude,
    longitude: location.longitude,
    speed: fix.speedKmh ?? null,
    heading: fix.headingDeg ?? null,
    ignition: fix.ignition ?? null,
    timestamp: new Date(location.recordedAtMs).toISOString(),
    receivedAt: new Date(location.receivedAtMs).toISOString(),
    online: isOnline(location, now, offlineAfterMs),
  }
}
