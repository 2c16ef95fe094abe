// Whose each day of a SIM is. A day of the reseller's zone belongs to the state, customer and plan that the SIM has at the day's end, so that each
// is billed once and to one customer, and a day of 23 or 25 hours is a day like any other.

import { dayAt, monthAfter, periodsBetween } from '@roadworthy/service-kit/time/zoned-time'
import type { RatedSim, RatingInput, SimRow, SimStatus } from './rating-input.ts'

const DAY_MS = 24 * 3_600_000

/** Half-open. */
type Day = { readonly fromMs: number; readonly untilMs: number }
export type BilledMonth = {
  readonly timeZone: string
  readonly firstDay: string
  readonly fromMs: number
  readonly untilMs: number
  readonly days: readonly Day[]
}

/**
 * The calendar days of a month, cut by its own ends: a month that began under another zone has a first day that is longer or shorter. A date that
 * the zone left out (Samoa has no 2011-12-30) is none.
 */
export function billedMonth({ label, timeZone, from, until }: RatingInput['month']): BilledMonth {
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(until)]
  const calendar = periodsBetween(timeZone, 'day', `${label}-01`, `${monthAfter(label)}-01`)
  const within = (atMs: number) => Math.min(Math.max(atMs, fromMs), untilMs)
  const days = calendar.map((day, nth) => ({
    fromMs: nth === 0 ? fromMs : within(day.fromMs),
    untilMs: nth === calendar.length - 1 ? untilMs : within(day.untilMs),
  }))
  return { timeZone, firstDay: `${label}-01`, fromMs, untilMs, days }
}

/** The row that holds at the last instant before `untilMs`: of those before it the one with the highest `seq`, because clocks can go back. */
export function rowBefore(history: readonly SimRow[], untilMs: number): SimRow | undefined {
  return history.findLast(({ at }) => Date.parse(at) < untilMs)
}

export function isWithin({ fromMs, untilMs }: BilledMonth, at: string): boolean {
  const atMs = Date.parse(at)
  return atMs >= fromMs && atMs < untilMs
}

/** What a day is charged by. A SIM in stock, on test, being terminated or gone costs nothing: see the rules in `rate-invoice.ts`. */
export type DayCharge = 'rental' | 'custody'

export function chargeOfDay(status: SimStatus): DayCharge | undefined {
  if (status === 'active' || status === 'suspended') return 'rental'
  return status === 'safe_custody' ? 'custody' : undefined
}

/** Days of one SIM that one customer is charged for on one plan. */
export type Share = {
  readonly charge: DayCharge
  readonly customerId: string
  readonly planId: string
  /** All of the month's where the plan goes by whole months. */
  readonly dayCount: number
  readonly isWholeMonth: boolean
  /** Places of days of the month, both in. */
  readonly firstDay: number
  readonly lastDay: number
  readonly fromSeq: number
  readonly toSeq: number
}

type ChargedDay = { readonly day: number; readonly row: SimRow; readonly customerId: string; readonly planId: string }

/**
 * Who is charged for which days of a SIM. On plans by the day, everyone for their own days. On plans by the month the SIM is charged once for each
 * kind of charge, to the customer and plan of the last day that is charged by the month.
 */
export function sharesOf({ history }: RatedSim, month: BilledMonth, isProrated: (planId: string) => boolean): Share[] {
  const rows = month.days.map(({ untilMs }) => rowBefore(history, untilMs))
  return (['rental', 'custody'] as const).flatMap((charge) => {
    const days = rows.flatMap((row, day): ChargedDay[] => {
      if (row === undefined || row.customerId === null || row.planId === null || chargeOfDay(row.status) !== charge) return []
      return [{ day, row, customerId: row.customerId, planId: row.planId }]
    })
    const byTheDay = Map.groupBy(
      days.filter(({ planId }) => isProrated(planId)),
      ({ customerId, planId }) => JSON.stringify([customerId, planId]),
    )
    const byTheMonth = days.filter(({ planId }) => !isProrated(planId))
    return [
      ...[...byTheDay.values()].map((each) => shareOf(charge, each, undefined)),
      ...(byTheMonth.length === 0 ? [] : [shareOf(charge, byTheMonth, month.days.length)]),
    ]
  })
}

function shareOf(charge: DayCharge, days: readonly ChargedDay[], wholeMonth: number | undefined): Share {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('A share of no days.')
  return {
    charge,
    customerId: last.customerId,
    planId: last.planId,
    dayCount: wholeMonth ?? days.length,
    isWholeMonth: wholeMonth !== undefined,
    firstDay: wholeMonth === undefined ? first.day : 0,
    lastDay: wholeMonth === undefined ? last.day : wholeMonth - 1,
    fromSeq: Math.min(first.row.seq, last.row.seq),
    toSeq: Math.max(first.row.seq, last.row.seq),
  }
}

/** A custody that ended in the month. */
export type EndedCustody = {
  /** As it was when it ended. */
  readonly last: SimRow
  /** Days that were in it. */
  readonly dayCount: number
  /** Days from its end to the month's end, where it has a day in the month; else none. */
  readonly restOfMonth: number
  readonly beganMs: number
  readonly endedMs: number
  readonly fromSeq: number
  readonly toSeq: number
}

/** Each time that a SIM left `safe_custody` in the month, also where it came back on the same day. */
export function endedCustodies({ history, custodySince }: RatedSim, month: BilledMonth): EndedCustody[] {
  const ended: EndedCustody[] = []
  let began: { readonly seq: number; readonly at: string } | undefined
  for (const [nth, row] of history.entries()) {
    const last = history[nth - 1]
    if (row.status === 'safe_custody') {
      if (last?.status !== 'safe_custody') began = nth === 0 ? (custodySince ?? row) : row
    } else if (last?.status === 'safe_custody' && began !== undefined && isWithin(month, row.at)) {
      const [beganMs, endedMs] = [Date.parse(began.at), Date.parse(row.at)]
      const endDay = dayOf(month, endedMs)
      const firstDay = dayOf(month, beganMs)
      const restOfMonth = endDay > Math.max(firstDay, 0) ? month.days.length - endDay : 0
      ended.push({ last, dayCount: Math.max(0, endDay - firstDay), restOfMonth, beganMs, endedMs, fromSeq: began.seq, toSeq: row.seq })
    }
  }
  return ended
}

/** The place of the day of an instant in the month or before it; those before are counted down from -1 by their dates. */
function dayOf({ days, fromMs, firstDay, timeZone }: BilledMonth, atMs: number): number {
  if (atMs >= fromMs) return days.findIndex(({ untilMs }) => atMs < untilMs)
  return Math.min(-1, Math.round((Date.parse(dayAt(timeZone, atMs).label) - Date.parse(firstDay)) / DAY_MS))
}
