// The lines of a chain added up by the days of the reseller's zone. A chain that was never added up, or by the days of another zone, is added
// up anew in some later round; until then reports read its lines.

import type { Db } from '@roadworthy/service-kit/db'
import { dayAfter, dayAt, periodsBetween } from '@roadworthy/service-kit/zoned-time'
import { type ChainOwner, ownerKey, type SealedLine } from './usage-chain.ts'
import {
  addDaysAcrossResellers,
  rebuildDaysAcrossResellers,
  selectChainSpanAcrossResellers,
  selectChainsWithDaysAcrossResellers,
  selectChainsWithoutDaysAcrossResellers,
} from './usage-days.sql.ts'

/** A year of a busy chain, 200,000 lines, takes about a second. */
const REBUILT_PER_ROUND = 5

/** Call in the transaction that appends the lines. */
export async function addToDays(db: Db, lines: readonly (ChainOwner & SealedLine)[]): Promise<void> {
  const chains = await selectChainsWithDaysAcrossResellers(db, distinctOwners(lines))
  const zones = new Map(chains.map(({ timeZone, ...owner }) => [ownerKey(owner), timeZone]))
  const startOf = rememberDayStarts()
  const days = lines.flatMap(({ resellerId, subClientId, bucket, meter, count }) => {
    const timeZone = zones.get(ownerKey({ resellerId, subClientId }))
    return timeZone === undefined ? [] : [{ resellerId, subClientId, startsAtMs: startOf(timeZone, bucket.getTime()), meter, count }]
  })
  if (days.length > 0) await addDaysAcrossResellers(db, days)
}

/** Adds up some chains that are not by the days of their reseller's zone. Nobody may append to them meanwhile. */
export async function rebuildSomeDays(db: Db): Promise<void> {
  for (const chain of await selectChainsWithoutDaysAcrossResellers(db, REBUILT_PER_ROUND)) {
    const span = await selectChainSpanAcrossResellers(db, chain)
    if (span === undefined) throw new Error(`there is no chain of ${chain.resellerId} ${chain.subClientId}`)
    const firstDay = dayAt(chain.timeZone, span.first.getTime()).label
    const dayAfterLast = dayAfter(dayAt(chain.timeZone, span.last.getTime()).label)
    const days = periodsBetween(chain.timeZone, 'day', firstDay, dayAfterLast)
    const dayStartsMs = days.map(({ fromMs }) => fromMs)
    await rebuildDaysAcrossResellers(db, chain, dayStartsMs)
  }
}

/** Lines come by the thousand and are of few quarter-hours. */
function rememberDayStarts(): (timeZone: string, atMs: number) => number {
  const starts = new Map<string, number>()
  return (timeZone, atMs) => {
    const key = `${timeZone} ${atMs}`
    const startMs = starts.get(key) ?? dayAt(timeZone, atMs).fromMs
    starts.set(key, startMs)
    return startMs
  }
}

function distinctOwners(lines: readonly ChainOwner[]): ChainOwner[] {
  return [
    ...new Map(lines.map(({ resellerId, subClientId }) => [ownerKey({ resellerId, subClientId }), { resellerId, subClientId }])).values(),
  ]
}
