import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  CorrectOdometerRequest,
  Odometer,
  OdometerCorrectionList,
  type OdometerCorrection as WireCorrection,
} from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { VehicleParams } from '@roadworthy/contracts/platform-v1/vehicles'
import { pageQuery } from '@roadworthy/contracts/wire-fields'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { type Static, Type } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import { vehicleKeyText } from '../predictions/vehicle-key.ts'
import { requireVehicle } from '../readings/require-vehicle.ts'
import { correctOdometer } from './correct-odometer.ts'
import { countCorrections, type OdometerCorrection, selectCorrections } from './corrections.sql.ts'
import { nothingKnown, selectUseAcrossResellers } from './use.read.sql.ts'

const tags = ['Vehicles']

export function odometerPlatformRoutes({ database, now }: { database: Database; now: () => Date }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/vehicles/:id/odometer',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'getVehicleOdometer',
          summary: 'Odometer, engine hours and daily use of a vehicle',
          tags,
          params: VehicleParams,
          response: { 200: Odometer, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => {
        const db = database.tenantPool(caller.resellerId)
        const { vehicleId } = await requireVehicle(db, caller, params.id)
        return await readOdometer(db, { resellerId: caller.resellerId, vehicleId }, now())
      },
    )
    app.post(
      '/vehicles/:id/odometer',
      {
        config: { scope: 'vehicles:write' },
        schema: {
          operationId: 'correctVehicleOdometer',
          summary: 'Correct the odometer or the engine hours',
          description:
            'For an instrument cluster that was replaced, or a tracker that counts from its installation. Every correction is logged.',
          tags,
          params: VehicleParams,
          body: CorrectOdometerRequest,
          response: { 200: Odometer, ...errorResponses(404) },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        const at = now()
        const { resellerId } = caller
        const { vehicleId } = await correctOdometer(database, caller, { reference: params.id, asked: body }, authorOf(request, at))
        return await readOdometer(database.tenantPool(resellerId), { resellerId, vehicleId }, at)
      },
    )
    app.get(
      '/vehicles/:id/odometer/corrections',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'listVehicleOdometerCorrections',
          summary: 'The log of corrections, newest first',
          tags,
          params: VehicleParams,
          querystring: Type.Object(pageQuery),
          response: { 200: OdometerCorrectionList, ...errorResponses(404) },
        },
      },
      async ({ caller, params, query }) => {
        const page = pageRequest('odometer corrections', query, 'newest first')
        const db = database.tenantPool(caller.resellerId)
        const { vehicleId } = await requireVehicle(db, caller, params.id)
        const rows = await selectCorrections(db, caller.resellerId, vehicleId, page)
        const { items, pagination } = endPage(rows, page, ({ correctedAt, correctionId }) => ({ at: correctedAt, id: correctionId }))
        const total = await countCorrections(db, caller.resellerId, vehicleId)
        return { total, corrections: items.map(toPlatformCorrection), pagination }
      },
    )
  }
}

async function readOdometer(db: Db, vehicle: { resellerId: string; vehicleId: string }, at: Date): Promise<Static<typeof Odometer>> {
  const use = (await selectUseAcrossResellers(db, [vehicle], at)).get(vehicleKeyText(vehicle)) ?? nothingKnown
  return {
    vehicleId: vehicle.vehicleId,
    odometer_km: use.odometerKm ?? null,
    odometerAt: use.odometerAt?.toISOString() ?? null,
    engine_hours: use.engineHours === undefined ? null : Math.round(use.engineHours * 100) / 100,
    engineHoursAt: use.engineHoursAt?.toISOString() ?? null,
    use: {
      km_per_day: roundToTenth(use.kmPerDay),
      engine_hours_per_day: roundToTenth(use.engineHoursPerDay),
      days: use.days,
    },
  }
}

function roundToTenth(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value * 10) / 10
}

function toPlatformCorrection(correction: OdometerCorrection): WireCorrection {
  return {
    id: correction.correctionId,
    vehicleId: correction.vehicleId,
    odometer_km: correction.odometerKm ?? null,
    engine_hours: correction.engineHours ?? null,
    formerOdometer_km: correction.formerOdometerKm ?? null,
    formerEngine_hours: correction.formerEngineHours ?? null,
    reason: correction.reason,
    correctedBy: correction.correctedBy,
    correctedAt: correction.correctedAt.toISOString(),
  }
}
