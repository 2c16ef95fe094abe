import type { ChangeMaintenanceRequest } from '@roadworthy/contracts/platform-v1/maintenance'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { markDue } from '../readings/due.sql.ts'
import { auditedRecord } from './audited.ts'
import { assertOdometer, toCost } from './complete-maintenance.ts'
import { givenTime } from './given-time.ts'
import { isMaintenanceId, type MaintenanceRecord, noSuchMaintenance, type ShownRecord } from './maintenance-record.ts'
import { odometerRange } from './meter.ts'
import { selectOdometerAround } from './meters.sql.ts'
import { deleteRecord, selectRecordForUpdate, updateRecord } from './records.sql.ts'
import { requireWritableVehicle } from './writable-vehicle.ts'

/** Mends a record. Lives and predictions follow; schedules, alerts and the event of its completion stay as they are. */
export async function changeMaintenance(
  database: Database,
  viewer: Viewer,
  { maintenanceId, asked }: { maintenanceId: string; asked: ChangeMaintenanceRequest },
  author: Author,
): Promise<ShownRecord> {
  return await database.tenant(viewer.resellerId, async (db) => {
    const { record, subClientId } = await requireWritableRecord(db, viewer, maintenanceId)
    refuseOfOtherStatus(record, asked)
    const changed: ShownRecord = {
      ...record,
      dueAt: asked.dueAt === undefined ? record.dueAt : asked.dueAt === null ? undefined : givenTime('dueAt', asked.dueAt),
      cost: asked.cost === undefined ? record.cost : toCost(asked.cost ?? undefined),
      notes: changedTo(asked.notes, record.notes),
      conditionFound: changedTo(asked.condition_found, record.conditionFound),
      odometerKm: changedTo(asked.odometer_km, record.odometerKm),
      engineHours: changedTo(asked.engine_hours, record.engineHours),
      renewed: asked.renewed ?? record.renewed,
      updatedAt: author.at,
    }
    await assertOdometerOf(db, record, asked.odometer_km ?? undefined)
    await updateRecord(db, changed)
    const [before, after] = [auditedRecord(record), auditedRecord(changed)]
    await writeAudit(db, author, { action: 'maintenance.updated', objectId: maintenanceId, subClientId, before, after })
    if (record.status === 'completed') await markDue(db, record.resellerId, record.vehicleId)
    return changed
  })
}

/** For a record made by mistake: lives are counted as if it had never been. */
export async function removeMaintenance(database: Database, viewer: Viewer, maintenanceId: string, author: Author): Promise<void> {
  await database.tenant(viewer.resellerId, async (db) => {
    const { record, subClientId } = await requireWritableRecord(db, viewer, maintenanceId)
    const { resellerId, vehicleId, status } = record
    await deleteRecord(db, resellerId, maintenanceId)
    await writeAudit(db, author, { action: 'maintenance.removed', objectId: maintenanceId, subClientId, before: auditedRecord(record) })
    if (status === 'completed') await markDue(db, resellerId, vehicleId)
  })
}

async function requireWritableRecord(
  db: Db,
  viewer: Viewer,
  maintenanceId: string,
): Promise<{ record: ShownRecord; subClientId: string | undefined }> {
  const { resellerId, subClientPin } = viewer
  const record = isMaintenanceId(maintenanceId) ? await selectRecordForUpdate(db, resellerId, maintenanceId, subClientPin) : undefined
  if (record === undefined) throw noSuchMaintenance()
  const { subClientId } = await requireWritableVehicle(db, viewer, record.vehicleId)
  return { record, subClientId }
}

/** Left out stays; null takes away. */
function changedTo<Value>(asked: Value | null | undefined, known: Value | undefined): Value | undefined {
  return asked === undefined ? known : (asked ?? undefined)
}

async function assertOdometerOf(db: Db, record: MaintenanceRecord, odometerKm: number | undefined): Promise<void> {
  const { resellerId, vehicleId, completedAt } = record
  if (odometerKm === undefined || completedAt === undefined) return
  assertOdometer(odometerKm, odometerRange(completedAt, await selectOdometerAround(db, resellerId, vehicleId, completedAt)))
}

function refuseOfOtherStatus({ status }: MaintenanceRecord, asked: ChangeMaintenanceRequest): void {
  const ofOther = status === 'planned' ? (['condition_found', 'odometer_km', 'engine_hours'] as const) : (['dueAt'] as const)
  for (const field of ofOther) {
    if (asked[field] === undefined) continue
    const message = `"${field}" is of ${status === 'planned' ? 'completed' : 'planned'} work; this is ${status}.`
    throw new Problem('conflict', message, { details: { status, field } })
  }
}
