import type { Db } from '@roadworthy/service-kit/db'
import { pageRequest } from '@roadworthy/service-kit/keyset'
import { shownName, type Vehicle } from '../fleet/vehicle.ts'
import { selectVehicle } from '../fleet/vehicles.read.sql.ts'
import { type CalendarEntry, toCalendar } from './calendar.ts'
import type { ShownRecord } from './maintenance-record.ts'
import { selectRecords } from './records.sql.ts'
import { describeDue } from './review-schedules.ts'
import { dueOf, type Schedule } from './schedule.ts'
import { selectSchedules } from './schedules.sql.ts'

/** More than anybody wants to see in a calendar of one vehicle. */
const MAX_ENTRIES = 500

/** Planned work, and what is expected to fall due. What has no date yet is not in it. `undefined` where the vehicle is not there. */
export async function vehicleCalendar(db: Db, resellerId: string, vehicleId: string, at: Date): Promise<string | undefined> {
  const vehicle = await selectVehicle(db, { resellerId, subClientPin: undefined }, vehicleId)
  if (vehicle === undefined) return undefined
  const ofVehicle = { vehicleId, component: undefined, subClientPin: undefined }
  const limit = MAX_ENTRIES
  const records = await selectRecords(db, resellerId, { ...ofVehicle, status: 'planned' }, pageRequest({ limit }, 'newest first'))
  const schedules = await selectSchedules(db, resellerId, ofVehicle, pageRequest({ limit }))
  const name = nameOf(vehicle)
  const entries = [
    ...records.slice(0, limit).map((record) => toPlanned(record, name)),
    ...schedules.slice(0, limit).map((schedule) => toDue(schedule, name)),
  ]
  return toCalendar(
    `Maintenance: ${name}`,
    entries.filter((entry) => entry !== undefined),
    at,
  )
}

function toPlanned({ maintenanceId, component, dueAt, notes, updatedAt }: ShownRecord, name: string): CalendarEntry | undefined {
  if (dueAt === undefined) return undefined
  const description = notes ?? `Planned maintenance: ${component}`
  return { uid: `${maintenanceId}@roadworthy`, day: dueAt, title: `${name}: ${component}`, description, updatedAt }
}

function toDue(schedule: Schedule, name: string): CalendarEntry | undefined {
  const { scheduleId, title, status, expectedAt, updatedAt } = schedule
  if (expectedAt === undefined) return undefined
  const state = status === 'overdue' ? 'Overdue' : 'Expected'
  const due = dueOf(schedule)
  const isOneOfSeveral = Object.values(due).filter((each) => each !== undefined).length > 1
  const description = isOneOfSeveral ? `${state}. Due ${describeDue(due)}, whichever comes first.` : `${state}. Due ${describeDue(due)}.`
  return { uid: `${scheduleId}@roadworthy`, day: expectedAt, title: `${name}: ${title}`, description, updatedAt }
}

/** As people distinguish vehicles. */
function nameOf(vehicle: Vehicle): string {
  const { licensePlate, externalRef, make, model, vin, vehicleId } = vehicle
  const kind = [make, model].filter((word) => word !== undefined).join(' ')
  return licensePlate ?? shownName(vehicle) ?? externalRef ?? (kind === '' ? (vin ?? vehicleId) : kind)
}
