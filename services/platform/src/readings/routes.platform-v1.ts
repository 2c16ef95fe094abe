import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { MAX_BUCKETS, Readings, ReadingsQuery, type Reading as WireReading } from '@roadworthy/contracts/platform-v1/readings'
import { VehicleParams } from '@roadworthy/contracts/platform-v1/vehicles'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageRequest, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { signalNames as allSignals, type SignalName, signalsByWireKey } from '@roadworthy/signals/registry'
import { toWireValue, wireKeyOf } from '@roadworthy/signals/wire-names'
import {
  bucketReadings,
  countReadings,
  countRecent,
  fittingLimit,
  listReadings,
  openWhole,
  recentPart,
  type Whole,
} from './all-readings.ts'
import { bucketFor, touchedBuckets } from './bucket-length.ts'
import { NO_PAST, type PastReadings } from './past-readings.ts'
import type { SelectedReading } from './reading.read.sql.ts'
import { parseReadingId, type ReadingKey, readingId } from './reading-id.ts'
import type { Bucket, ReadingsOf } from './readings.read.sql.ts'
import { requireVehicle } from './require-vehicle.ts'
import { type TimeRange, timeRange } from './time-range.ts'
import { toWireAttributes, toWireImplausible, toWireSignals, toWireStates } from './wire-reading.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A year, of which most is read from sealed files. */
const MAX_RANGE_MS = 366 * DAY_MS
/** Twice a month: what is sealed at the usual `READINGS_HOT_DAYS`, a week at a time, leaves no more than that in PostgreSQL. */
const MAX_RECENT_MS = 62 * DAY_MS
/** Buckets read every value: about half a second for a day of one reading a second, and a statement may take five. That is a week. */
const MAX_BUCKETED_READINGS = 700_000
/** As many readings as there can be in it need not be counted. */
const UNCOUNTED_RANGE_MS = 7 * DAY_MS

export type ReadingsRoutesDeps = { readonly database: Database; readonly past?: PastReadings; readonly now: () => Date }

export function readingsPlatformRoutes({ database, past = NO_PAST, now }: ReadingsRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/vehicles/:id/readings',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'listVehicleReadings',
          summary: 'Readings of a vehicle over a time range',
          description: `A half-open range, the last hour when nothing is asked for; single readings by page, of which one is shorter than \`limit\` where its readings would take more than 16 MiB, or with \`downsample\` or \`points\` at most ${MAX_BUCKETS} buckets in one answer. At most 366 days, of which the last ${MAX_RECENT_MS / DAY_MS} may be of before what is sealed into files (\`docs/guides/history.md\`); and of those not in files, buckets of at most ${MAX_BUCKETED_READINGS} readings.`,
          tags: ['Vehicles'],
          params: VehicleParams,
          querystring: ReadingsQuery,
          response: { 200: Readings, ...errorResponses(404) },
        },
      },
      async ({ caller, params, query }) => {
        const range = timeRange(query, now(), { presetMs: HOUR_MS, maxMs: MAX_RANGE_MS })
        const signalNames = query.signals === undefined ? undefined : parseSignals(query.signals)
        const bucketS = bucketOf(query, range)
        const page = pageRequest('readings', query)
        const after = parseAfter(page)
        const db = database.tenantPool(caller.resellerId)
        const { vehicleId } = await requireVehicle(db, caller, params.id)
        const of: ReadingsOf = { vehicleId, subClientPin: caller.subClientPin, range, signals: signalNames }
        const whole = await openWhole(db, past, caller.resellerId, of)
        checkRecent(whole, range)
        const told = { vehicleId, from: range.from.toISOString(), to: range.to.toISOString() }
        if (bucketS !== undefined) {
          await checkEffort(whole, of)
          const buckets = await bucketReadings(whole, of, bucketS)
          return {
            ...told,
            bucketSeconds: bucketS,
            buckets: buckets.map(toPlatformBucket),
            total: buckets.length,
            pagination: { endCursor: null, hasNextPage: false },
          }
        }
        const order = query.order ?? 'asc'
        const limit = await fittingLimit(whole, of, { limit: page.limit, after, order })
        const [selected, total] = await Promise.all([
          listReadings(whole, of, { limit, after, order }),
          // The count goes through the whole range; a list of a thousand pages pays for it once.
          page.total ?? countReadings(whole, of),
        ])
        const positionOf = (reading: SelectedReading) => ({ at: new Date(reading.recordedAtMs), id: readingId(reading) })
        const { items, pagination } = endPage(selected, { list: page.list, limit }, positionOf, total)
        return { ...told, readings: items.map((reading) => toPlatformReading(reading, signalNames)), total, pagination }
      },
    )
  }
}

/** A cursor's id is the last reading's own. */
function parseAfter({ after }: PageRequest): ReadingKey | undefined {
  if (after.id === '') return undefined
  const key = parseReadingId(after.id)
  if (key === undefined) throw invalid('after', '"after" is not a cursor of this list; use the endCursor of the page before.')
  return key
}

function parseSignals(text: string): SignalName[] {
  return text.split(',').map((part) => {
    const asked = part.trim()
    const name = signalsByWireKey.get(asked)?.name
    if (name === undefined) {
      const known = allSignals.map((each) => wireKeyOf(each, 'engine').key).join(', ')
      throw invalid(
        'signals',
        `"signals" names no signal we know: ${JSON.stringify(asked.slice(0, 64).toWellFormed())}. There are: ${known}.`,
      )
    }
    return name
  })
}

/** Without `downsample` and `points` there are none. */
function bucketOf({ downsample, points }: { downsample?: string; points?: number }, range: TimeRange): number | undefined {
  if (downsample !== undefined && points !== undefined) {
    throw invalid('points', '"points" and "downsample" both set how long a bucket is; give one of them.')
  }
  return downsample === undefined ? points && bucketFor(points, range) : parseBucket(downsample, range)
}

const lengthMs = (range: TimeRange | undefined) => (range === undefined ? 0 : range.to.getTime() - range.from.getTime())

function checkRecent({ past }: Whole, range: TimeRange): void {
  if (lengthMs(recentPart(range, past)) <= MAX_RECENT_MS) return
  throw invalid(
    'from',
    `The range holds more than ${MAX_RECENT_MS / DAY_MS} days whose readings are not sealed into files. Ask for a shorter one.`,
  )
}

async function checkEffort(whole: Whole, of: ReadingsOf): Promise<void> {
  if (lengthMs(recentPart(of.range, whole.past)) <= UNCOUNTED_RANGE_MS) return
  const count = await countRecent(whole, of)
  if (count <= MAX_BUCKETED_READINGS) return
  throw invalid('from', `The range holds ${count} readings; buckets are made of ${MAX_BUCKETED_READINGS} at most. Ask for a shorter one.`)
}

const unitS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

function parseBucket(text: string, range: TimeRange): number {
  const bucketS = Number(text.slice(0, -1)) * (unitS[text.slice(-1)] ?? 1)
  if (touchedBuckets(range, bucketS) > MAX_BUCKETS) {
    throw invalid('downsample', `The range holds more than ${MAX_BUCKETS} buckets of ${text}; ask for longer ones.`)
  }
  return bucketS
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_request', message, { details: { in: 'querystring', field } })
}

function toPlatformReading(reading: SelectedReading, only: readonly SignalName[] | undefined): WireReading {
  return {
    id: readingId(reading),
    recordedAt: new Date(reading.recordedAtMs).toISOString(),
    receivedAt: reading.receivedAt.toISOString(),
    deviceId: reading.deviceId ?? null,
    latitude: reading.latitude ?? null,
    longitude: reading.longitude ?? null,
    signals: toWireSignals(reading, 'engine', only),
    attributes: { ...toWireAttributes(reading), ...toWireStates(reading) },
    implausible: toWireImplausible(reading, 'engine'),
  }
}

function toPlatformBucket({ startsAt, signals: summaries }: Bucket) {
  const told = Object.entries(summaries).map(([key, { min, avg, max, count }]) => {
    const name = key as SignalName
    const [low, mean, high] = [min, avg, max].map((value) => toWireValue(name, value, 'engine')) as [number, number, number]
    return [wireKeyOf(name, 'engine').key, { min: low, avg: mean, max: high, count }] as const
  })
  return { start: startsAt.toISOString(), signals: Object.fromEntries(told) }
}
