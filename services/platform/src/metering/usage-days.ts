// The lines of a chain added up by the days of a zone, that of the reseller. A chain that is by the days of another zone is added up anew, piece by
// piece; until that is done reports read its lines.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { dayAfter, dayAt, periodsBetween } from '@roadworthy/service-kit/time/zoned-time'
import type { ChainLine } from './sealing.sql.ts'
import {
  addDaysAcrossResellers,
  addLinesToDaysAcrossResellers,
  clearDaysAcrossResellers,
  noteAddedAcrossResellers,
  selectChainsToAddUpAcrossResellers,
  selectSpanOfLinesAcrossResellers,
} from './usage-days.sql.ts'

/** Together they share the rows of a piece, so that 50,000 short chains take as many pieces as one long one with as many lines. */
const CHAINS_PER_PIECE = 200

/** Call in the transaction that appends the lines. `zoneOf`: in the days of which zone the chain of a sub-client is added up, if it is. */
export async function addToDays(
  db: Db,
  resellerId: string,
  lines: readonly ChainLine[],
  zoneOf: (subClientId: string) => string | undefined,
): Promise<void> {
  const startOf = rememberDayStarts()
  const days = lines.flatMap(({ subClientId, bucket, meter, count }) => {
    const timeZone = zoneOf(subClientId)
    return timeZone === undefined ? [] : [{ subClientId, startsAtMs: startOf(timeZone, bucket.getTime()), meter, count }]
  })
  if (days.length > 0) await addDaysAcrossResellers(db, resellerId, days)
}

/**
 * Brings some chains nearer to being added up by the days of the zone: takes away days of another zone, or adds up lines, some `limit` in all.
 * Nobody may append to them meanwhile. Answers whether there may be more to do.
 */
export async function rebuildSomeDays(db: Db, resellerId: string, timeZone: string, limit: number): Promise<boolean> {
  const chains = await selectChainsToAddUpAcrossResellers(db, resellerId, timeZone, CHAINS_PER_PIECE)
  if (chains.length === 0) return false
  const ofEach = Math.max(1, Math.floor(limit / chains.length))
  const begun = Map.groupBy(chains, ({ daysZone, buildingZone }) => daysZone === undefined && buildingZone === timeZone)
  const subClientIds = (begun.get(false) ?? []).map(({ subClientId }) => subClientId)
  if (subClientIds.length > 0) await clearDaysAcrossResellers(db, resellerId, { subClientIds, timeZone, limit: ofEach })
  const lines = (begun.get(true) ?? []).map(({ subClientId, builtSeq, lastSeq }) => {
    const untilSeq = Math.min(lastSeq, builtSeq + ofEach)
    return { subClientId, afterSeq: builtSeq, untilSeq, isWhole: untilSeq === lastSeq }
  })
  if (lines.length === 0) return true
  const span = await selectSpanOfLinesAcrossResellers(db, resellerId, lines)
  if (span !== undefined) {
    const dayAfterLast = dayAfter(dayAt(timeZone, span.last.getTime()).label)
    const days = periodsBetween(timeZone, 'day', dayAt(timeZone, span.first.getTime()).label, dayAfterLast)
    const dayStartsMs = days.map(({ fromMs }) => fromMs)
    await addLinesToDaysAcrossResellers(db, resellerId, lines, dayStartsMs)
  }
  await noteAddedAcrossResellers(db, resellerId, lines, timeZone)
  return true
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
