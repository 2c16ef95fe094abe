// Work that was done: what it means for the vehicle, its schedules, its alerts and the prediction that had been made, all in one
// transaction.

import type { CompleteMaintenanceRequest, CreateMaintenanceRequest } from '@roadworthy/contracts/platform-v1/maintenance'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { newId } from '@roadworthy/service-kit/text/ids'
import { resolveAlertsOfComponent } from '../alerts/resolve-alerts.ts'
import { type Author, writeAudit } from '../audit/audit.ts'
import { writeEvents } from '../events/outbox.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { voidClaim } from '../predictions/scoring/claims.sql.ts'
import { deletePrediction, selectStandingPrediction } from '../predictions/standing-prediction.sql.ts'
import { vehicleKeyText } from '../predictions/vehicle-key.ts'
import { markDue } from '../readings/due.sql.ts'
import { auditedRecord } from './audited.ts'
import { isScheduleId, noSuchSchedule } from './change-schedule.ts'
import { givenPastTime, givenTime } from './given-time.ts'
import { isMaintenanceId, type MaintenanceRecord, noSuchMaintenance, type ShownRecord } from './maintenance-record.ts'
import { type OdometerAround, odometerAt, odometerRange } from './meter.ts'
import { selectOdometerAround } from './meters.sql.ts'
import { recordOdometer } from './record-use.ts'
import { insertOutcome, insertRecord, isRenewedAfter, selectRecord, selectRecordForUpdate, updateRecord } from './records.sql.ts'
import { settleSchedulesAcrossResellers } from './review-schedules.ts'
import { restartSchedules, selectSchedules } from './schedules.sql.ts'
import { selectUseAcrossResellers } from './use.read.sql.ts'
import { requireWritableVehicle } from './writable-vehicle.ts'

/** Plans work, or puts on record what was done. */
export async function createMaintenance(
  database: Database,
  viewer: Viewer,
  asked: CreateMaintenanceRequest,
  author: Author,
): Promise<ShownRecord> {
  const { resellerId } = viewer
  const { at } = author
  return await database.tenant(resellerId, async (db) => {
    const { vehicleId, subClientId } = await requireWritableVehicle(db, viewer, asked.vehicleId)
    if (asked.status === 'planned') refuseOfPlanned(asked)
    if (asked.scheduleId !== undefined) await requireScheduleOf(db, viewer, vehicleId, asked.scheduleId)
    const subject = { vehicleId, component: asked.component }
    if (asked.predictionId !== undefined) await requirePredictionOf(db, resellerId, subject, asked.predictionId)
    const planned: MaintenanceRecord = {
      ...{ resellerId, maintenanceId: newId('mnt'), ...subject, status: 'planned', scheduleId: asked.scheduleId },
      dueAt: asked.dueAt === undefined ? undefined : givenTime('dueAt', asked.dueAt),
      ...{ completedAt: undefined, odometerKm: undefined, engineHours: undefined },
      cost: toCost(asked.cost),
      notes: asked.notes,
      conditionFound: undefined,
      renewed: asked.renewed ?? true,
      predictionId: asked.predictionId,
      ...{ createdAt: at, updatedAt: at },
    }
    await insertRecord(db, planned)
    if (asked.status === 'completed') await complete(db, { ...planned, subClientId }, asked, at)
    const created = await requireRecord(db, viewer, planned.maintenanceId)
    const { maintenanceId: objectId } = planned
    await writeAudit(db, author, { action: 'maintenance.created', objectId, subClientId, after: auditedRecord(created) })
    return created
  })
}

/** Completed once: a repeat answers the record as it is, and one with other content is refused. */
export async function completeMaintenance(
  database: Database,
  viewer: Viewer,
  { maintenanceId, asked }: { maintenanceId: string; asked: CompleteMaintenanceRequest },
  author: Author,
): Promise<ShownRecord> {
  const { resellerId, subClientPin } = viewer
  if (!isMaintenanceId(maintenanceId)) throw noSuchMaintenance()
  return await database.tenant(resellerId, async (db) => {
    const record = await selectRecordForUpdate(db, resellerId, maintenanceId, subClientPin)
    if (record === undefined) throw noSuchMaintenance()
    const { subClientId } = await requireWritableVehicle(db, viewer, record.vehicleId)
    if (record.status === 'completed') return asCompletedBefore(record, asked)
    await complete(db, { ...record, subClientId }, asked, author.at)
    const completed = await requireRecord(db, viewer, maintenanceId)
    const [before, after] = [auditedRecord(record), auditedRecord(completed)]
    await writeAudit(db, author, { action: 'maintenance.completed', objectId: maintenanceId, subClientId, before, after })
    return completed
  })
}

async function complete(
  db: Db,
  planned: MaintenanceRecord & { subClientId: string | undefined },
  asked: CompleteMaintenanceRequest,
  at: Date,
): Promise<void> {
  const { resellerId, maintenanceId, vehicleId, component, subClientId } = planned
  const completedAt = asked.completedAt === undefined ? at : givenPastTime('completedAt', asked.completedAt, at)
  // A score under way was asked for with the part that is gone; it would store, and publish, that part's life once more.
  await voidClaim(db, planned)
  const standing = await selectStandingPrediction(db, resellerId, planned)
  const renewed = asked.renewed ?? planned.renewed
  // Of two that change the same vehicle neither may wait for the other: claims, predictions, meters, schedules and alerts are taken in the order of a score.
  const isNewestPart = renewed && !(await isRenewedAfter(db, resellerId, { vehicleId, component, at: completedAt }))
  if (isNewestPart && standing !== undefined) await deletePrediction(db, resellerId, standing.predictionId)
  const { nextKnown, ...meters } = await metersAtWork(db, planned, asked, completedAt)
  const completed: MaintenanceRecord & { completedAt: Date } = {
    ...planned,
    ...meters,
    status: 'completed',
    completedAt,
    cost: toCost(asked.cost) ?? planned.cost,
    notes: asked.notes ?? planned.notes,
    conditionFound: asked.condition_found,
    renewed,
    predictionId: planned.predictionId ?? standing?.predictionId,
    updatedAt: at,
  }
  await updateRecord(db, completed)
  // Also of an inspection, which counts as no end of a life: the record may be corrected to one.
  if (standing !== undefined && standing.toldAt < completedAt) await insertOutcome(db, resellerId, maintenanceId, standing)
  const restarted = await restartSchedules(db, resellerId, {
    ...{ vehicleId, scheduleId: completed.scheduleId, renewedComponent: renewed ? component : undefined },
    ...{ completedAt, ...meters, nextKnown, at },
  })
  await settleSchedulesAcrossResellers(db, restarted, at, { resolvedBy: 'maintenance', resolution: { reason: 'work_done', maintenanceId } })
  await resolveAlertsOfComponent(db, resellerId, { vehicleId, component, openedUntil: completedAt, at, maintenanceId })
  await writeEvents(db, [
    { resellerId, type: 'maintenance.completed', data: toEventPayload(completed), subClientId, occurredAt: completedAt },
  ])
  // Last: from here to the commit ingest waits for the rows this takes.
  await markDue(db, resellerId, vehicleId)
}

/** As given, where that can be; else what the vehicle reported then. With what the odometer showed next. */
async function metersAtWork(
  db: Db,
  { resellerId, vehicleId }: MaintenanceRecord,
  { odometer_km: givenKm, engine_hours: givenHours }: CompleteMaintenanceRequest,
  completedAt: Date,
): Promise<{ odometerKm: number | undefined; engineHours: number | undefined; nextKnown: OdometerAround['after'] }> {
  const vehicle = { resellerId, vehicleId }
  const around = await selectOdometerAround(db, resellerId, vehicleId, completedAt)
  if (givenKm !== undefined) {
    assertOdometer(givenKm, odometerRange(completedAt, around))
    await recordOdometer(db, vehicle, { km: givenKm, at: completedAt })
  }
  const use = (await selectUseAcrossResellers(db, [vehicle], completedAt)).get(vehicleKeyText(vehicle))
  const knownHours = use?.engineHoursAt !== undefined && use.engineHoursAt <= completedAt ? use.engineHours : undefined
  return { odometerKm: givenKm ?? odometerAt(completedAt, around), engineHours: givenHours ?? knownHours, nextKnown: around.after }
}

/** Lives are counted between odometers: one that is off by a digit would be believed for years. */
export function assertOdometer(odometerKm: number, { minKm, maxKm }: { minKm: number; maxKm: number }): void {
  if (odometerKm >= minKm && odometerKm <= maxKm) return
  const range =
    maxKm === Number.POSITIVE_INFINITY ? `at least ${Math.round(minKm)}` : `between ${Math.round(minKm)} and ${Math.round(maxKm)}`
  throw new Problem(
    'invalid_request',
    `"odometer_km" is ${odometerKm}, and the vehicle's odometer was ${range} km then. Leave it out, or correct the odometer first.`,
    {
      details: { in: 'body', field: 'odometer_km', min: Math.round(minKm), ...(Number.isFinite(maxKm) ? { max: Math.round(maxKm) } : {}) },
    },
  )
}

export function toCost(cost: CompleteMaintenanceRequest['cost']): MaintenanceRecord['cost'] {
  return cost === undefined ? undefined : { amountMinor: cost.amount_minor, currency: cost.currency }
}

/** Spec §6.1, as DECISIONS fills it. */
function toEventPayload(record: MaintenanceRecord & { completedAt: Date }) {
  const { vehicleId, component, maintenanceId, completedAt, odometerKm, notes, predictionId } = record
  return {
    ...{ vehicleId, component, maintenanceId, completedAt: completedAt.toISOString() },
    ...{ odometer_km: odometerKm ?? null, notes: notes ?? null, predictionId: predictionId ?? null },
  }
}

function asCompletedBefore(record: ShownRecord, asked: CompleteMaintenanceRequest): ShownRecord {
  const isSame =
    (asked.completedAt === undefined || givenTime('completedAt', asked.completedAt).getTime() === record.completedAt?.getTime()) &&
    (asked.odometer_km ?? record.odometerKm) === record.odometerKm &&
    (asked.engine_hours ?? record.engineHours) === record.engineHours &&
    (asked.notes ?? record.notes) === record.notes &&
    (asked.condition_found ?? record.conditionFound) === record.conditionFound &&
    (asked.renewed ?? record.renewed) === record.renewed &&
    (asked.cost === undefined || (asked.cost.amount_minor === record.cost?.amountMinor && asked.cost.currency === record.cost.currency))
  if (isSame) return record
  throw new Problem('conflict', 'This work is completed, and its record differs. Change the record with PATCH.', {
    details: { status: record.status, field: 'status' },
  })
}

function refuseOfPlanned(asked: CreateMaintenanceRequest): void {
  for (const field of ['completedAt', 'odometer_km', 'engine_hours', 'condition_found'] as const) {
    if (asked[field] === undefined) continue
    throw new Problem('invalid_request', `"${field}" is of completed work; this is planned.`, { details: { in: 'body', field } })
  }
}

async function requireScheduleOf(db: Db, viewer: Viewer, vehicleId: string, scheduleId: string): Promise<void> {
  const { resellerId, subClientPin } = viewer
  if (!isScheduleId(scheduleId)) throw noSuchSchedule()
  const [schedule] = await selectSchedules(db, resellerId, { scheduleId, vehicleId, subClientPin }, pageRequest('schedules', { limit: 1 }))
  if (schedule === undefined) throw noSuchSchedule()
}

async function requirePredictionOf(
  db: Db,
  resellerId: string,
  subject: { vehicleId: string; component: string },
  predictionId: string,
): Promise<void> {
  const standing = await selectStandingPrediction(db, resellerId, subject)
  if (standing?.predictionId !== predictionId)
    throw new Problem('not_found', 'There is no such prediction of this component of the vehicle.')
}

async function requireRecord(db: Db, viewer: Viewer, maintenanceId: string): Promise<ShownRecord> {
  const record = await selectRecord(db, viewer.resellerId, maintenanceId, viewer.subClientPin)
  if (record === undefined) throw noSuchMaintenance()
  return record
}
