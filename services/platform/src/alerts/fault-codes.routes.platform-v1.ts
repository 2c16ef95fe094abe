import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { timeRangeQuery } from '@roadworthy/contracts/platform-v1/readings'
import { FaultCodes, VehicleParams } from '@roadworthy/contracts/platform-v1/vehicles'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { Type } from 'typebox'
import { NO_PAST, type PastReadings } from '../readings/past-readings.ts'
import { requireVehicle } from '../readings/require-vehicle.ts'
import { timeRange } from '../readings/time-range.ts'
import { selectCodesReportedAt, selectJudgedCodes } from './fault-codes.read.sql.ts'
import { codeKey, wordsByCode } from './fault-codes.ts'
import { reportedCodes } from './reported-codes.ts'

const DAY_MS = 86_400_000
/** As for readings, which it goes through. */
const MAX_RANGE_MS = 31 * DAY_MS
const PRESET_MS = 30 * DAY_MS

export type FaultCodeRoutesDeps = { readonly database: Database; readonly past?: PastReadings; readonly now: () => Date }

export function faultCodePlatformRoutes({ database, past = NO_PAST, now }: FaultCodeRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/vehicles/:id/fault-codes',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'listVehicleFaultCodes',
          summary: 'Fault codes of a vehicle, with what they mean',
          description: 'What readings of the range report, at most 31 days; and whether the newest list of codes still has it.',
          tags: ['Vehicles'],
          params: VehicleParams,
          querystring: Type.Object(timeRangeQuery('30 days')),
          response: { 200: FaultCodes, ...errorResponses(404) },
        },
      },
      async ({ caller, params, query }) => {
        const range = timeRange(query, now(), { presetMs: PRESET_MS, maxMs: MAX_RANGE_MS })
        const { resellerId, subClientPin } = caller
        const db = database.tenantPool(resellerId)
        const { vehicleId } = await requireVehicle(db, caller, params.id)
        const [reported, judged, reportedAt] = await Promise.all([
          reportedCodes(db, past, resellerId, { vehicleId, subClientPin, range }),
          selectJudgedCodes(db, resellerId, vehicleId),
          selectCodesReportedAt(db, resellerId, vehicleId),
        ])
        const words = wordsByCode(judged)
        return {
          vehicleId,
          from: range.from.toISOString(),
          to: range.to.toISOString(),
          reportedAt: reportedAt?.toISOString() ?? null,
          faultCodes: reported.map(({ code, isActive, firstSeenAt, lastSeenAt, readingCount }) => {
            const { title, drivingOn, component, severity, incidentId } = words.get(codeKey(code)) ?? {}
            return {
              code,
              ...{ title: title ?? null, drivingOn: drivingOn ?? null, component: component ?? null },
              ...{ severity: severity ?? null, incidentId: incidentId ?? null, active: isActive },
              firstSeenAt: firstSeenAt.toISOString(),
              lastSeenAt: lastSeenAt.toISOString(),
              readingCount,
            }
          }),
        }
      },
    )
  }
}
