import { type Day, dayOf, middleOf } from './calendar-day.ts'
import { isMonth, type Month } from './calendar-month.ts'

export const maintenanceViews = ['overdue', 'due', 'planned', 'done', 'calendar', 'schedules', 'lives', 'accuracy'] as const
export type MaintenanceView = (typeof maintenanceViews)[number]

export type MaintenanceSearch = { view?: MaintenanceView; vehicleId?: string; component?: string; month?: Month; day?: Day }

const MAX_LENGTH = 200

export function readMaintenanceSearch({ view, vehicleId, component, month, day }: Record<string, unknown>): MaintenanceSearch {
  const knownView = maintenanceViews.find((each) => each === view)
  const isCalendar = knownView === 'calendar'
  return {
    ...(knownView === undefined ? {} : { view: knownView }),
    ...(isText(vehicleId) ? { vehicleId } : {}),
    ...(isText(component) ? { component } : {}),
    ...(isCalendar && isMonth(month) ? { month } : {}),
    ...(isCalendar && isDayOf(month, day) ? { day } : {}),
  }
}

function isDayOf(month: unknown, day: unknown): day is Day {
  return isMonth(month) && typeof day === 'string' && day.startsWith(`${month}-`) && /-\d\d$/.test(day) && dayOf(middleOf(day)) === day
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH
}
