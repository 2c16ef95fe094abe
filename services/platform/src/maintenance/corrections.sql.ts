import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'

export type OdometerCorrection = {
  readonly correctionId: string
  readonly vehicleId: string
  /** As corrected, and as it stood before. */
  readonly odometerKm: number | undefined
  readonly formerOdometerKm: number | undefined
  readonly engineHours: number | undefined
  readonly formerEngineHours: number | undefined
  readonly reason: string
  /** The key, or the person. */
  readonly correctedBy: string
  readonly correctedAt: Date
}

export async function insertCorrection(db: Db, resellerId: string, correction: OdometerCorrection): Promise<void> {
  await db.query(
    `insert into odometer_corrections (reseller_id, correction_id, vehicle_id, odometer_km, engine_hours, former_odometer_km,
                                       former_engine_hours, reason, corrected_by, corrected_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[resellerId, correction.correctionId, correction.vehicleId, correction.odometerKm ?? null, correction.engineHours ?? null],
      ...[correction.formerOdometerKm ?? null, correction.formerEngineHours ?? null, correction.reason, correction.correctedBy],
      correction.correctedAt,
    ],
  )
}

/** Newest first, one more than asked when there is one. */
export async function selectCorrections(db: Db, resellerId: string, vehicleId: string, page: PageRequest): Promise<OdometerCorrection[]> {
  const { rows } = await db.query<CorrectionRow>(
    `select *
       from odometer_corrections
      where reseller_id = $1 and vehicle_id = $2 and (corrected_at, correction_id) < ($3::timestamptz, $4)
      order by corrected_at desc, correction_id desc
      limit $5`,
    [resellerId, vehicleId, page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(correctionFromRow)
}

export async function countCorrections(db: Db, resellerId: string, vehicleId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from odometer_corrections where reseller_id = $1 and vehicle_id = $2',
    [resellerId, vehicleId],
  )
  return rows[0]?.count ?? 0
}

type CorrectionRow = {
  correction_id: string
  vehicle_id: string
  odometer_km: number | null
  engine_hours: number | null
  former_odometer_km: number | null
  former_engine_hours: number | null
  reason: string
  corrected_by: string
  corrected_at: Date
}

function correctionFromRow(row: CorrectionRow): OdometerCorrection {
  return {
    correctionId: row.correction_id,
    vehicleId: row.vehicle_id,
    odometerKm: row.odometer_km ?? undefined,
    engineHours: row.engine_hours ?? undefined,
    formerOdometerKm: row.former_odometer_km ?? undefined,
    formerEngineHours: row.former_engine_hours ?? undefined,
    reason: row.reason,
    correctedBy: row.corrected_by,
    correctedAt: row.corrected_at,
  }
}
