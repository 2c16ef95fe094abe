import type { ChangeScheduleRequest, CreateScheduleRequest } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { settleScheduledAlertsAcrossResellers } from '../alerts/settle-scheduled-alerts.ts'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { vehicleKeyText } from '../predictions/vehicle-key.ts'
import { auditedPlan } from './audited.ts'
import { givenPastTime } from './given-time.ts'
import { odometerAt } from './meter.ts'
import { selectOdometerAround } from './meters.sql.ts'
import { settleSchedulesAcrossResellers } from './review-schedules.ts'
import { type Interval, type RemindAsked, remindersOf, type Schedule, type SchedulePlan } from './schedule.ts'
import { deleteSchedule, insertSchedule, selectScheduleForUpdate, updateSchedulePlan } from './schedules.sql.ts'
import { nothingKnown, selectUseAcrossResellers } from './use.read.sql.ts'
import { requireWritableVehicle } from './writable-vehicle.ts'

type Last = SchedulePlan['last']
type VehicleOfReseller = { readonly resellerId: string; readonly vehicleId: string }

export async function createSchedule(database: Database, viewer: Viewer, asked: CreateScheduleRequest, author: Author): Promise<Schedule> {
  const { resellerId } = viewer
  const { at } = author
  return await database.tenant(resellerId, async (db) => {
    const { vehicleId, subClientId } = await requireWritableVehicle(db, viewer, asked.vehicleId)
    const every = toInterval(asked.every)
    const vehicle = { resellerId, vehicleId }
    const plan: SchedulePlan = {
      component: asked.component,
      title: asked.title.trim(),
      every,
      remind: remindersOf(every, asked.remind),
      last: asked.last === undefined ? await lastAsOfNow(db, vehicle, at) : await lastAsGiven(db, vehicle, asked.last, every, at),
    }
    const scheduleId = newId('msc')
    const entry = { action: 'maintenance_schedule.created', objectId: scheduleId, subClientId } as const
    await writeAudit(db, author, { ...entry, after: { vehicleId, ...auditedPlan(plan) } })
    return await settleOne(db, await insertSchedule(db, { ...plan, ...vehicle, scheduleId }, at), at)
  })
}

export async function changeSchedule(
  database: Database,
  viewer: Viewer,
  { scheduleId, asked }: { scheduleId: string; asked: ChangeScheduleRequest },
  author: Author,
): Promise<Schedule> {
  const { at } = author
  return await database.tenant(viewer.resellerId, async (db) => {
    const { schedule: known, subClientId } = await requireWritableSchedule(db, viewer, scheduleId)
    const every = asked.every === undefined ? known.every : toInterval(asked.every)
    const changed: Schedule = {
      ...known,
      component: asked.component ?? known.component,
      title: asked.title?.trim() ?? known.title,
      every,
      remind: remindersOf(every, asked.remind ?? keptReminders(known, every)),
      last: asked.last === undefined ? known.last : await lastAsGiven(db, known, asked.last, every, at),
    }
    const entry = { action: 'maintenance_schedule.updated', objectId: scheduleId, subClientId } as const
    await writeAudit(db, author, { ...entry, before: auditedPlan(known), after: auditedPlan(changed) })
    return await settleOne(db, await updateSchedulePlan(db, changed, at), at)
  })
}

/** Its alerts end with it; the work that was done for it stays on record. */
export async function removeSchedule(database: Database, viewer: Viewer, scheduleId: string, author: Author): Promise<void> {
  await database.tenant(viewer.resellerId, async (db) => {
    const { schedule, subClientId } = await requireWritableSchedule(db, viewer, scheduleId)
    const { resellerId, vehicleId } = schedule
    await settleScheduledAlertsAcrossResellers(db, [{ resellerId, scheduleId, vehicleId, alert: undefined }], author.at)
    await deleteSchedule(db, resellerId, scheduleId)
    const entry = { action: 'maintenance_schedule.removed', objectId: scheduleId, subClientId } as const
    await writeAudit(db, author, { ...entry, before: { vehicleId, ...auditedPlan(schedule) } })
  })
}

export function isScheduleId(text: string): boolean {
  return /^msc-[a-z0-9]{1,40}$/.test(text)
}

export function noSuchSchedule(): Problem {
  return new Problem('not_found', 'There is no such maintenance schedule.')
}

async function requireWritableSchedule(
  db: Db,
  viewer: Viewer,
  scheduleId: string,
): Promise<{ schedule: Schedule; subClientId: string | undefined }> {
  const { resellerId, subClientPin } = viewer
  const known = isScheduleId(scheduleId) ? await selectScheduleForUpdate(db, resellerId, scheduleId, subClientPin) : undefined
  if (known === undefined) throw noSuchSchedule()
  const { subClientId } = await requireWritableVehicle(db, viewer, known.vehicleId)
  return { schedule: known, subClientId }
}

/** Those that are still shorter than the interval. */
function keptReminders({ remind }: Schedule, every: Interval): RemindAsked {
  const isKept = (length: number, interval: number | undefined) => interval === undefined || length < interval
  return {
    ...(isKept(remind.days, every.days) ? { days: remind.days } : {}),
    ...(isKept(remind.km, every.km) ? { km: remind.km } : {}),
    ...(isKept(remind.engineHours, every.engineHours) ? { engine_hours: remind.engineHours } : {}),
  }
}

async function settleOne(db: Db, schedule: Schedule, at: Date): Promise<Schedule> {
  const [settled = schedule] = await settleSchedulesAcrossResellers(db, [schedule], at)
  return settled
}

function toInterval(every: CreateScheduleRequest['every']): Interval {
  return { days: every.days, km: every.km, engineHours: every.engine_hours }
}

async function lastAsOfNow(db: Db, vehicle: VehicleOfReseller, at: Date): Promise<Last> {
  const use = (await selectUseAcrossResellers(db, [vehicle], at)).get(vehicleKeyText(vehicle)) ?? nothingKnown
  return { at, odometerKm: use.odometerKm, engineHours: use.engineHours }
}

/** What the odometer showed then has to be given where the vehicle did not report it, because a distance cannot be counted from nowhere. */
async function lastAsGiven(
  db: Db,
  { resellerId, vehicleId }: VehicleOfReseller,
  given: NonNullable<CreateScheduleRequest['last']>,
  every: Interval,
  now: Date,
): Promise<Last> {
  const at = givenPastTime('last.at', given.at, now)
  const around = await selectOdometerAround(db, resellerId, vehicleId, at)
  const odometerKm = given.odometer_km ?? odometerAt(at, around)
  if (every.km !== undefined && odometerKm === undefined) throw unknownMeter('odometer_km', 'odometer')
  if (every.engineHours !== undefined && given.engine_hours === undefined) throw unknownMeter('engine_hours', 'hour meter')
  return { at, odometerKm, engineHours: given.engine_hours }
}

function unknownMeter(field: string, meter: string): Problem {
  return new Problem('invalid_request', `"last.${field}" is required: what the ${meter} of the vehicle showed then is unknown.`, {
    details: { in: 'body', field: `last.${field}` },
  })
}
