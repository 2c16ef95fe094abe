import { setImmediate } from 'node:timers/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { type Position, PositionQuery, positionLines } from '@roadworthy/contracts/platform-v1/positions'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { queryInstant } from '@roadworthy/service-kit/http/query-instant'
import { type Parts, sendInParts } from '@roadworthy/service-kit/http/send-in-parts'
import { isoTime } from '@roadworthy/service-kit/time/iso-time'
import { isOnline } from './device.ts'
import { type LocationRoutesDeps, locationScopes } from './location.routes.external.ts'
import { type Location, locationsInParts } from './locations.read.sql.ts'

/** Some 150 kB. Of 1,000 devices PostgreSQL and the service wait for each other; 250 to 400 are as soon there (`bench/scenarios/whole-fleet.ts`). */
const DEVICES_PER_PART = 500

/** 100 and 250 answer a whole fleet equally soon (`bench/scenarios/whole-fleet.ts`), and fewer hold the event loop for less. */
const LINES_AT_ONCE = 100

/**
 * A position is received before it is committed, and statements may take five seconds; processes differ in their clocks, too. Within this time of
 * `receivedSince` a position may not have been in the answer before. Assumption.
 */
const COMMIT_LAG_MS = 10_000

export type PositionRoutesDeps = LocationRoutesDeps & {
  /** In memory are the devices of three parts, and the locations of two: the next are read while the caller takes one in. */
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
        const asked = queryInstant('receivedSince', query.receivedSince)
        const receivedSince = asked && new Date(asked.getTime() - COMMIT_LAG_MS)
        const beganMs = now().getTime()
        reply.type('application/x-ndjson').header('cache-control', 'no-store')
        const isPossible = subClientId === undefined || isSlug(subClientId)
        const db = database.tenantPool(caller.resellerId)
        const toText = (location: Location) => `${JSON.stringify(toPosition(location, now(), beganMs, offlineAfterMs))}\n`
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

/**
 * Parts are read one after the other, so a later one may have positions that are newer than those which an earlier one missed. The newest `receivedAt` of
 * an answer is therefore not after its beginning, or who gives it as `receivedSince` would never get what was missed.
 */
function toPosition(location: Location, now: Date, beganMs: number, offlineAfterMs: number): Position {
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
    receivedAt: isoTime(Math.min(location.receivedAtMs, beganMs)),
    online: isOnline(location, now, offlineAfterMs),
  }
}
