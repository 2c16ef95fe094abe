// Billing months: half-open, in the reseller's time zone, and fixed as instants once they are closed.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { monthAfter, monthAt, monthBefore, monthOfLabel, type Period } from '@roadworthy/service-kit/time/zoned-time'
import { type ClosedPeriod, insertPeriodAcrossResellers } from './periods.sql.ts'
import { isWaitingBeforeAcrossResellers } from './sealing.sql.ts'

/** For so long after its end a month stays open: what was received before it may be committed, and sealed, after it. */
const CLOSED_AFTER_MS = 86_400_000

type Closing = { readonly timeZone: string; readonly lastClosed: ClosedPeriod | undefined }

/** Whether a month has been over for a day and is not closed. */
export function isPeriodDue({ timeZone, lastClosed }: Closing, at: Date): boolean {
  const open = monthAt(timeZone, at.getTime() - CLOSED_AFTER_MS).label
  return lastClosed === undefined || monthAfter(lastClosed.label) < open
}

/**
 * Closes every month that has been over for a day, oldest first, up to one in which something was received that is not sealed. In the turn of
 * the reseller, so that nothing is sealed into one meanwhile.
 */
export async function closePeriods(db: Db, resellerId: string, { timeZone, lastClosed }: Closing, at: Date): Promise<void> {
  const open = monthAt(timeZone, at.getTime() - CLOSED_AFTER_MS).label
  let previous = lastClosed
  for (let label = previous === undefined ? monthBefore(open) : monthAfter(previous.label); label < open; label = monthAfter(label)) {
    const period = { ...followedBy(previous, monthOfLabel(timeZone, label)), timeZone }
    if (await isWaitingBeforeAcrossResellers(db, resellerId, new Date(period.untilMs))) return
    await insertPeriodAcrossResellers(db, resellerId, period)
    previous = period
  }
}

/** The month as it is billed: as it was closed, or as it will be. `closed` are all that are, oldest first. */
export function billingMonth(
  closed: readonly ClosedPeriod[],
  timeZone: string,
  label: string,
): ClosedPeriod & { readonly isClosed: boolean } {
  const stored = closed.find((each) => each.label === label)
  if (stored !== undefined) return { ...stored, isClosed: true }
  const last = closed.at(-1)
  const period = followedBy(last, monthOfLabel(timeZone, label))
  return { ...period, timeZone, isClosed: last !== undefined && period.untilMs <= last.untilMs }
}

/** After a change of the time zone the first month begins where the last one ended, not where the new zone would have it. */
function followedBy(previous: Period | undefined, period: Period): Period {
  return previous !== undefined && period.label === monthAfter(previous.label) ? { ...period, fromMs: previous.untilMs } : period
}
