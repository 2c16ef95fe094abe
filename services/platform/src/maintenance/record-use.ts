import type { Db } from '@roadworthy/service-kit/db'
import type { VehicleKey } from '../predictions/vehicle-key.ts'
import { advanceMeter, newMeter, type ReportedMeters } from './meter.ts'
import {
  addUseAcrossResellers,
  type HeardVehicle,
  type MovedMeter,
  selectHeardAcrossResellers,
  upsertMetersAcrossResellers,
} from './meters.sql.ts'

/**
 * Moves the meters of vehicles on to what they last reported, in the transaction of their scores: ingest has no part in it, and a vehicle that
 * reports something is scored within seconds.
 */
export async function recordUseAcrossResellers(db: Db, vehicles: readonly VehicleKey[]): Promise<void> {
  await moveMeters(db, await selectHeardAcrossResellers(db, vehicles))
}

/** A person read the odometer of a vehicle that does not report it. Where the vehicle does, it knows better. */
export async function recordOdometer(db: Db, vehicle: VehicleKey, read: { km: number; at: Date }): Promise<void> {
  const [heard] = await selectHeardAcrossResellers(db, [vehicle])
  if (heard === undefined || heard.reported.odometer !== undefined) return
  const reported: ReportedMeters = { odometer: read, runTime: undefined }
  await moveMeters(db, [{ ...heard, reported }])
}

async function moveMeters(db: Db, heard: readonly HeardVehicle[]): Promise<void> {
  const moved = heard.flatMap(({ resellerId, vehicleId, meter, reported }): MovedMeter[] => {
    const step = advanceMeter(meter ?? newMeter, reported)
    return step === undefined ? [] : [{ resellerId, vehicleId, ...step, former: meter }]
  })
  if (moved.length === 0) return
  await upsertMetersAcrossResellers(db, moved)
  await addUseAcrossResellers(db, moved)
}
