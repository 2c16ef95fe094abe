import type { CorrectOdometerRequest } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { Caller } from '../keys/caller.ts'
import { markDue } from '../readings/due.sql.ts'
import { insertCorrection, type OdometerCorrection } from './corrections.sql.ts'
import type { Meter, ReportedMeters } from './meter.ts'
import { lockMeter, selectHeardAcrossResellers, updateMeter, updateUseCorrected } from './meters.sql.ts'
import { settleSchedulesAcrossResellers } from './review-schedules.ts'
import { selectSchedulesOfVehicleForUpdate } from './schedules.sql.ts'
import { requireWritableVehicle } from './writable-vehicle.ts'

/** The one way in which an odometer runs backwards. What the vehicle reports from then on counts on from the corrected value. */
export async function correctOdometer(
  database: Database,
  caller: Caller,
  { reference, asked }: { reference: string; asked: CorrectOdometerRequest },
  author: Author,
): Promise<OdometerCorrection> {
  const { odometer_km: odometerKm, engine_hours: engineHours } = asked
  if (odometerKm === undefined && engineHours === undefined) {
    throw new Problem('invalid_request', '"odometer_km" or "engine_hours" is required.', { details: { in: 'body', field: 'odometer_km' } })
  }
  const { resellerId } = caller
  const { at } = author
  return await database.tenant(resellerId, async (db) => {
    const { vehicleId, subClientId } = await requireWritableVehicle(db, caller, reference)
    const former = await lockMeter(db, resellerId, vehicleId)
    const schedules = await selectSchedulesOfVehicleForUpdate(db, resellerId, vehicleId)
    const [heard] = await selectHeardAcrossResellers(db, [{ resellerId, vehicleId }])
    const meter = corrected(former, heard?.reported, { odometerKm, engineHours }, at)
    await updateMeter(db, resellerId, vehicleId, meter)
    if (odometerKm !== undefined) await updateUseCorrected(db, resellerId, vehicleId, { odometerKm, since: meter.correctedAt ?? at })
    const correction: OdometerCorrection = {
      correctionId: newId('odc'),
      ...{ vehicleId, odometerKm, engineHours },
      formerOdometerKm: odometerKm === undefined ? undefined : former.odometerKm,
      formerEngineHours: engineHours === undefined ? undefined : former.engineHours,
      reason: asked.reason.trim(),
      correctedBy: caller.keyId,
      correctedAt: at,
    }
    await insertCorrection(db, resellerId, correction)
    const { formerOdometerKm, formerEngineHours, reason } = correction
    const before = { odometerKm: formerOdometerKm, engineHours: formerEngineHours }
    const entry = { action: 'vehicle.odometer_corrected', objectId: vehicleId, subClientId } as const
    await writeAudit(db, author, { ...entry, before, after: { odometerKm, engineHours, reason } })
    await settleSchedulesAcrossResellers(db, schedules, at)
    // Last: from here to the commit ingest waits for the rows this takes.
    await markDue(db, resellerId, vehicleId)
    return correction
  })
}

function corrected(
  meter: Meter,
  reported: ReportedMeters | undefined,
  { odometerKm, engineHours }: { odometerKm: number | undefined; engineHours: number | undefined },
  at: Date,
): Meter {
  const { odometer, runTime } = reported ?? {}
  const ofOdometer = odometerKm !== undefined && {
    odometerKm,
    odometerAt: at,
    odometerOffsetKm: odometer === undefined ? 0 : odometerKm - odometer.km,
    // The reading it was held against is the first that it is for.
    correctedAt: odometer !== undefined && odometer.at < at ? odometer.at : at,
  }
  const ofHours = engineHours !== undefined && { engineHours, engineHoursAt: at, runTimeS: runTime?.s }
  return { ...meter, ...ofOdometer, ...ofHours }
}
