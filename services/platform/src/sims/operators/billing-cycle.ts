// The cycle that a platform counts usage in. Neither platform reports it with each counter, so the account's day and time zone are settings.

import { isTimeZone, startOfDay } from '@roadworthy/service-kit/time/zoned-time'
import { Type } from 'typebox'
import { OperatorError } from './operator.ts'

/** Every month has these days. */
const MAX_CYCLE_DAY = 28

export const cycleSettings = {
  cycleDay: Type.Integer({
    minimum: 1,
    maximum: MAX_CYCLE_DAY,
    default: 1,
    description: 'Day of the month on which the billing cycle of the account begins.',
  }),
  timeZone: Type.String({
    maxLength: 64,
    description: 'IANA time zone of the account: of its cycle, and of times that it gives without a zone.',
  }),
  cycleSettleMinutes: Type.Integer({
    minimum: 0,
    maximum: 2_880,
    default: 120,
    description:
      'For so long after a cycle began no usage is read: counters may still be of the cycle before. The default is an assumption.',
  }),
}

export type CycleSettings = { readonly cycleDay: number; readonly timeZone: string; readonly cycleSettleMinutes: number }

/** `firstDay` is `YYYY-MM-DD` by the account's clocks. */
export type BillingCycle = { readonly firstDay: string; readonly start: Date; readonly end: Date }

/** What TypeBox cannot check of the settings, in words, or `undefined`. */
export function cycleProblem({ timeZone }: CycleSettings): string | undefined {
  return isTimeZone(timeZone) ? undefined : `settings.timeZone ${JSON.stringify(timeZone)} is not the name of a time zone`
}

export function cycleAt(settings: CycleSettings, now: Date): BillingCycle {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  // The local date is within a day of UTC's, so the cycle begins in one of these months.
  const firstDays = [1, 0, -1, -2].map((months) => dayOf(year, month + months, settings.cycleDay))
  const firstDay = firstDays.find((day) => startOfDay(settings.timeZone, day) <= now.getTime()) ?? dayOf(year, month - 2, settings.cycleDay)
  return cycleFrom(settings, firstDay)
}

export function cycleBefore(settings: CycleSettings, { firstDay }: BillingCycle): BillingCycle {
  const [year = 0, month = 0] = firstDay.split('-').map(Number)
  return cycleFrom(settings, dayOf(year, month - 2, settings.cycleDay))
}

/** The current cycle, once its counters are certain to be of it. Throws `unavailable` until then. */
export function settledCycleAt(settings: CycleSettings, now: Date): BillingCycle {
  const cycle = cycleAt(settings, now)
  const retryAfterMs = cycle.start.getTime() + settings.cycleSettleMinutes * 60_000 - now.getTime()
  if (retryAfterMs <= 0) return cycle
  throw new OperatorError('unavailable', `A billing cycle began at ${cycle.start.toISOString()}; its counters are not certain yet.`, {
    retryAfterMs,
  })
}

function cycleFrom(settings: CycleSettings, firstDay: string): BillingCycle {
  const [year = 0, month = 0] = firstDay.split('-').map(Number)
  return {
    firstDay,
    start: new Date(startOfDay(settings.timeZone, firstDay)),
    end: new Date(startOfDay(settings.timeZone, dayOf(year, month, settings.cycleDay))),
  }
}

/** `month` counts from 0 and may be outside the year. */
function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
}
