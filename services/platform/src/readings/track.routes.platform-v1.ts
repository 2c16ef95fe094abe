import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { DEFAULT_TRACK_POINTS, MAX_TRACK_SPANS, Track, TrackQuery } from '@roadworthy/contracts/platform-v1/track'
import { VehicleParams } from '@roadworthy/contracts/platform-v1/vehicles'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { openWhole, trackOf } from './all-readings.ts'
import { NO_PAST, type PastReadings } from './past-readings.ts'
import { requireVehicle } from './require-vehicle.ts'
import { thinTrack } from './thin-track.ts'
import { timeRange } from './time-range.ts'
import { type Span, summarizeTrack, type TrackPoint, withoutOutliers } from './track.ts'

export type TrackRoutesDeps = {
  readonly database: Database
  readonly past?: PastReadings
  readonly now: () => Date
  /** Silence beyond which a vehicle counts as offline, and its track as unknown. */
  readonly offlineAfterMs: number
}

const DAY_MS = 86_400_000
/** A day in any time zone, with the hour that a change of clocks adds. */
const MAX_RANGE_MS = 2 * DAY_MS
/** Positions read for one answer: about 10 MB of rows. */
const MAX_READ = 45_000

const description = `A half-open range of at most 2 days, the last one when nothing is asked for.

Of the stored positions, telemetry and track points alike, at most ${MAX_READ.toLocaleString('en')} are read, at even times (\`everySeconds\`). Positions that no vehicle can have driven to, between
others that agree, are left out. Where there are more than
\`maxPoints\`, those that shape the track most are kept (Douglas–Peucker with the distance in time, Meratnia and de By 2004): no position that was left out is
farther than \`toleranceM\` from where the points put the vehicle at its time.`

/** Where a vehicle was. Spec §5.1 gives GPS tracking to `tracking:read`; `vehicles:read` opens the same positions as readings. */
export function trackPlatformRoutes({ database, past = NO_PAST, now, offlineAfterMs }: TrackRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/vehicles/:id/track',
      {
        config: { scope: ['vehicles:read', 'tracking:read'] },
        schema: {
          operationId: 'getVehicleTrack',
          summary: 'Where a vehicle was over a time range',
          description,
          tags: ['Vehicles'],
          params: VehicleParams,
          querystring: TrackQuery,
          response: { 200: Track, ...errorResponses(404) },
        },
      },
      async ({ caller, params, query }) => {
        const range = timeRange(query, now(), { presetMs: DAY_MS, maxMs: MAX_RANGE_MS })
        const everyS = Math.max(1, Math.ceil((range.to.getTime() - range.from.getTime()) / 1000 / MAX_READ))
        const db = database.tenantPool(caller.resellerId)
        const { vehicleId } = await requireVehicle(db, caller, params.id)
        const of = { vehicleId, subClientPin: caller.subClientPin, range }
        const positions = withoutOutliers(await trackOf(await openWhole(db, past, caller.resellerId, of), of, everyS))
        const { stops, gaps, distanceM, maxSpeedKmh } = summarizeTrack(positions, offlineAfterMs)
        const { points, toleranceM } = thinTrack(positions, edgesOf(positions, gaps), query.maxPoints ?? DEFAULT_TRACK_POINTS)
        return {
          vehicleId,
          from: range.from.toISOString(),
          to: range.to.toISOString(),
          points: points.map(toWirePoint),
          stops: longest(stops).map(({ latitude, longitude, ...span }) => ({
            ...toWireSpan(span),
            latitude: rounded(latitude),
            longitude: rounded(longitude),
          })),
          gaps: longest(gaps).map(toWireSpan),
          distanceKm: Math.round(distanceM / 10) / 100,
          maxSpeed: maxSpeedKmh ?? null,
          everySeconds: everyS,
          // Rounded up, so that it stays true.
          toleranceM: toleranceM === undefined ? null : Math.ceil(toleranceM * 10) / 10,
        }
      },
    )
  }
}

/** The line stops before a gap and goes on after it. */
function edgesOf(points: readonly TrackPoint[], gaps: readonly Span[]): number[] {
  const times = new Set(gaps.flatMap(({ fromMs, toMs }) => [fromMs, toMs]))
  return points.flatMap(({ atMs }, index) => (times.has(atMs) ? [index] : []))
}

/** A mean of several, to a tenth of a metre. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}

/** In their order. */
function longest<Each extends Span>(spans: readonly Each[]): Each[] {
  if (spans.length <= MAX_TRACK_SPANS) return [...spans]
  const kept = spans.toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs)).slice(0, MAX_TRACK_SPANS)
  return kept.sort((a, b) => a.fromMs - b.fromMs)
}

function toWirePoint({ atMs, latitude, longitude, speedKmh, headingDeg, ignition }: TrackPoint) {
  const at = new Date(atMs).toISOString()
  return { at, latitude, longitude, speed: speedKmh ?? null, heading: headingDeg ?? null, ignition: ignition ?? null }
}

function toWireSpan({ fromMs, toMs }: Span) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}
