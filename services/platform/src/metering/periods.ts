// Billing months: half-open, in the reseller's time zone, and fixed as instants once they are closed.

import type { Db } from '@roadworthy/service-kit/db'
import { monthAfter, monthAt, monthBefore, monthOfLabel, type Period } from '@roadworthy/service-kit/zoned-time'
import { type ClosedPeriod, insertPeriodsAcrossResellers, selectLastPeriodsAcrossResellers } from './periods.sql.ts'

/** For so long after its end a month stays open: what was received before it may be committed, and sealed, after it. */
const CLOSED_AFTER_MS = 86_400_000

/** By reseller, up to when its months are closed. */
export async function selectClosedUntilAcrossResellers(db: Db): Promise<ReadonlyMap<string, number>> {
  const resellers = await selectLastPeriodsAcrossResellers(db)
  return new Map(resellers.flatMap(({ resellerId, last }) => (last === undefined ? [] : [[resellerId, last.untilMs]])))
}

/** Closes every month that has been over for a day. Call when all that was received in them has been sealed. */
export async function closePeriodsAcrossResellers(db: Db, at: Date): Promise<void> {
  const closing: (ClosedPeriod & { resellerId: string })[] = []
  for (const { resellerId, timeZone, last } of await selectLastPeriodsAcrossResellers(db)) {
    const open = monthAt(timeZone, at.getTime() - CLOSED_AFTER_MS).label
    let previous = last
    for (let label = last === undefined ? monthBefore(open) : monthAfter(last.label); label < open; label = monthAfter(label)) {
      const period = { ...followedBy(previous, monthOfLabel(timeZone, label)), timeZone }
      closing.push({ resellerId, ...period })
      previous = period
    }
  }
  if (closing.length > 0) await insertPeriodsAcrossResellers(db, closing)
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
