// What is known about work that an incident leads to, before anything is asked.

import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { dayOf } from '../maintenance/calendar-day.ts'
import type { WorkSubject } from '../maintenance/complete-work-dialog.tsx'

/** The day that is advised; today where that is past. */
export function plannedDay(advised: string | undefined, now: Date): string {
  if (advised === undefined) return ''
  const today = dayOf(now)
  return advised < today ? today : advised
}

/** Planned work on the component, that which is due first, or else work that nobody planned. */
export function workSubject({ vehicleId, component }: Incident & { vehicleId: string }, planned: readonly Maintenance[]): WorkSubject {
  const dueMs = ({ dueAt }: Maintenance) => (dueAt === null ? Number.MAX_VALUE : Date.parse(dueAt))
  const [first] = [...planned].sort((a, b) => dueMs(a) - dueMs(b))
  return first ?? { vehicleId, component }
}
