import { setImmediate } from 'node:timers/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { type Position, PositionQuery, positionLines } from '@roadworthy/contracts/platform-v1/positions'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { isoTime } from '@roadworthy/service-kit/iso-time'
import { queryInstant } from '@roadworthy/service-kit/query-instant'
import { type Parts, sendInParts } from '@roadworthy/service-kit/send-in-parts'
import { isOnline } from './device.ts'
import { type LocationRoutesDeps, locationScopes } from './location.routes.external.ts'
import { type Location, locationsInParts } from './locations.read.sql.ts'

/** Some 300 kB. Larger parts let PostgreSQL and the service wait for each other; smaller ones cost more statements. */
const DEVICES_PER_PART = 1_000

/** 100 and 250 answer a whole fleet equally soon (`bench/scenarios/whole-fleet.ts`), and fewer hold the event loop for less. */
const LINES_AT_ONCE = 100

export type PositionRoutesDeps = LocationRoutesDeps & {
  /** In memory are the locations of two parts: the next is read while the caller takes one in. */
  readonly devicesPerPart?: number
}

export function positionPlatformRoutes(deps: PositionRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, now, offlineAfterMs, devicesPerPart = DEVICES_PER_PART } = deps
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
        const locations = locationsInParts(db, caller, { subClientId, receivedSince }, devicesPerPart)
        return await sendInParts(reply, isPossible ? positionParts(locations, toText) : noParts())
      },
    )
  }
}

/** In between, what PostgreSQL has answered is taken in, and the statement for the next part goes out. */
async function* positionParts(parts: AsyncIterable<readonly Location[]>, toText: (location: Location) => string): Parts {
  for await (const locations of parts) {
    for (let first = 0; first < locations.length; first += LINES_AT_ONCE) {
      yield locations
        .slice(first, first + LINES_AT_ONCE)
        .map(toText)
        .join('')
      await setImmediate()
    }
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
    timestamp: isoTime(location.recordedAtMs),
    receivedAt: isoTime(location.receivedAtMs),
    online: isOnline(location, now, offlineAfterMs),
  }
}
