import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Score } from '../predictions/scoring/score-due-vehicles.ts'
import { type VehicleKey, vehicleKeyText } from '../predictions/vehicle-key.ts'
import { advanceMeter, isStartedSince, newMeter, type ReportedMeters } from './meter.ts'
import {
  addUseAcrossResellers,
  type HeardVehicle,
  type MovedMeter,
  selectHeardAcrossResellers,
  selectStartsAcrossResellers,
  upsertMetersAcrossResellers,
} from './meters.sql.ts'

/**
 * Moves the meters of vehicles on to what they last reported, in the transaction of their scores: ingest has no part in it, and a vehicle that
 * reports something is scored within seconds.
 */
export async function recordUseAcrossResellers(db: Db, scores: readonly (VehicleKey & Pick<Score, 'sources'>)[]): Promise<void> {
  const sourceIds = scores.flatMap(({ sources }) => sources.map(({ sourceId }) => sourceId))
  await moveMeters(db, await selectHeardAcrossResellers(db, scores, sourceIds), sourceIds)
}

/** A person read the odometer of a vehicle that does not report it. Where the vehicle does, it knows better. */
export async function recordOdometer(db: Db, vehicle: VehicleKey, read: { km: number; at: Date }): Promise<void> {
  const [heard] = await selectHeardAcrossResellers(db, [vehicle])
  if (heard === undefined || heard.reported.odometer !== undefined) return
  const reported: ReportedMeters = { odometer: read, runTime: undefined }
  await moveMeters(db, [{ ...heard, reported }])
}

async function moveMeters(db: Db, heard: readonly HeardVehicle[], sourceIds?: readonly string[]): Promise<void> {
  const starts = await selectStartsAcrossResellers(
    db,
    heard.flatMap(({ resellerId, vehicleId, meter = newMeter, reported }) => {
      const [since, until] = [meter.engineHoursAt, reported.runTime?.at]
      return isStartedSince(meter, reported) && since && until ? [{ resellerId, vehicleId, since, until }] : []
    }),
    sourceIds,
  )
  const moved = heard.flatMap(({ resellerId, vehicleId, meter, reported }): MovedMeter[] => {
    const step = advanceMeter(meter ?? newMeter, reported, starts.get(vehicleKeyText({ resellerId, vehicleId })))
    return step === undefined ? [] : [{ resellerId, vehicleId, ...step, former: meter }]
  })
  if (moved.length === 0) return
  await upsertMetersAcrossResellers(db, moved)
  await addUseAcrossResellers(db, moved)
}
