import type { Db } from '@roadworthy/service-kit/postgres/db'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { localTextAt } from '@roadworthy/service-kit/time/zoned-time'
import { partWords } from '@roadworthy/wording/part-names'
import { shownName, type Vehicle } from '../fleet/vehicle.ts'
import { selectVehicle } from '../fleet/vehicles.read.sql.ts'
import { selectResellerTerms } from '../resellers/resellers.sql.ts'
import { type CalendarEntry, toCalendar } from './calendar.ts'
import type { ShownRecord } from './maintenance-record.ts'
import { selectRecords } from './records.sql.ts'
import { describeDue } from './review-schedules.ts'
import { dueOf, type Schedule } from './schedule.ts'
import { selectSchedules } from './schedules.sql.ts'

/** More than anybody wants to see in a calendar of one vehicle. */
const MAX_ENTRIES = 500

/**
 * Planned work, and what is expected to fall due. What has no date yet is not in it, nor is anything of a retired vehicle: a calendar without entries takes
 * them from those who follow it. `undefined` where the vehicle is not there.
 */
export async function vehicleCalendar(db: Db, resellerId: string, vehicleId: string, at: Date): Promise<string | undefined> {
  const vehicle = await selectVehicle(db, { resellerId, subClientPin: undefined }, vehicleId)
  if (vehicle === undefined) return undefined
  const [terms] = await selectResellerTerms(db, [resellerId])
  const of = { name: nameOf(vehicle), timeZone: terms?.timeZone ?? 'UTC' }
  const entries = vehicle.status === 'retired' ? [] : await entriesOf(db, resellerId, vehicleId, of)
  return toCalendar(`Maintenance: ${of.name}`, entries, at)
}

/** What the vehicle is called, and whose days they are. */
type Of = { readonly name: string; readonly timeZone: string }

async function entriesOf(db: Db, resellerId: string, vehicleId: string, of: Of): Promise<CalendarEntry[]> {
  const ofVehicle = { vehicleId, component: undefined, subClientPin: undefined }
  const limit = MAX_ENTRIES
  const records = await selectRecords(
    db,
    resellerId,
    { ...ofVehicle, status: 'planned' },
    pageRequest('maintenance', { limit }, 'newest first'),
  )
  const schedules = await selectSchedules(db, resellerId, ofVehicle, pageRequest('schedules', { limit }))
  const entries = [
    ...records.slice(0, limit).map((record) => toPlanned(record, of)),
    ...schedules.slice(0, limit).map((schedule) => toDue(schedule, of)),
  ]
  return entries.filter((entry) => entry !== undefined)
}

function toPlanned({ maintenanceId, component, dueAt, notes, updatedAt }: ShownRecord, of: Of): CalendarEntry | undefined {
  if (dueAt === undefined) return undefined
  const part = partWords(component, 'en', (text) => text)
  const description = notes ?? `Planned maintenance: ${part}`
  return { uid: `${maintenanceId}@roadworthy`, day: dayOf(dueAt, of), title: `${of.name}: ${part}`, description, updatedAt }
}

function toDue(schedule: Schedule, of: Of): CalendarEntry | undefined {
  const { scheduleId, title, status, expectedAt, updatedAt } = schedule
  if (expectedAt === undefined) return undefined
  const state = status === 'overdue' ? 'Overdue' : 'Expected'
  const due = dueOf(schedule)
  const isOneOfSeveral = Object.values(due).filter((each) => each !== undefined).length > 1
  const when = describeDue(due, of.timeZone)
  const description = isOneOfSeveral ? `${state}. Due ${when}, whichever comes first.` : `${state}. Due ${when}.`
  return { uid: `${scheduleId}@roadworthy`, day: dayOf(expectedAt, of), title: `${of.name}: ${title}`, description, updatedAt }
}

function dayOf(at: Date, { timeZone }: Of): string {
  return localTextAt(timeZone, at.getTime()).slice(0, 10)
}

/** As people distinguish vehicles. */
function nameOf(vehicle: Vehicle): string {
  const { licensePlate, externalRef, make, model, vin, vehicleId } = vehicle
  const kind = [make, model].filter((word) => word !== undefined).join(' ')
  return licensePlate ?? shownName(vehicle) ?? externalRef ?? (kind === '' ? (vin ?? vehicleId) : kind)
}
