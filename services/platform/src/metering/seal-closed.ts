import type { Db } from '@roadworthy/service-kit/postgres/db'
import {
  appendLinesAcrossResellers,
  type ChainLine,
  noteOldestAcrossResellers,
  selectChainEndsAcrossResellers,
  type Turn,
  takeClosedAcrossResellers,
} from './sealing.sql.ts'
import { firstHash, hashOfLine } from './usage-chain.ts'
import { addToDays } from './usage-days.ts'

/** Makes lines of up to `limit` folded entries of quarter-hours that are over, in the turn of their reseller. Answers whether there may be more. */
export async function sealClosed(
  db: Db,
  resellerId: string,
  { oldestBucket, timeZone, lastClosed }: Turn,
  { openSince, beforeOpen, limit }: { openSince: Date; beforeOpen: Date; limit: number },
): Promise<boolean> {
  if (oldestBucket === undefined || oldestBucket >= openSince) return false
  const closed = await takeClosedAcrossResellers(db, resellerId, { oldestBucket, openSince }, limit)
  await noteOldestAcrossResellers(db, resellerId, oldestBucket)
  if (closed.length === 0) return false
  const bySubClient = Map.groupBy(closed, ({ subClientId }) => subClientId)
  const ends = await selectChainEndsAcrossResellers(db, resellerId, [...bySubClient.keys()])
  const endOf = new Map(ends.map((end) => [end.subClientId, end]))
  const lines: ChainLine[] = []
  for (const [subClientId, usage] of bySubClient) {
    const end = endOf.get(subClientId)
    let seq = end?.lastSeq ?? 0
    let hash = end?.lastHash ?? firstHash({ resellerId, subClientId })
    for (const { meter, bucket: received, count } of usage) {
      // A month that is closed is not opened again: what comes after that is billed as used now.
      const bucket = received.getTime() < (lastClosed?.untilMs ?? 0) ? beforeOpen : received
      seq++
      hash = hashOfLine(hash, { seq, bucket, meter, count })
      lines.push({ subClientId, seq, bucket, meter, count, hash })
    }
  }
  await appendLinesAcrossResellers(db, resellerId, lines, timeZone)
  // A chain that begins here has its days from its first line on.
  await addToDays(db, resellerId, lines, (subClientId) => (endOf.has(subClientId) ? endOf.get(subClientId)?.daysZone : timeZone))
  return closed.length === limit
}
