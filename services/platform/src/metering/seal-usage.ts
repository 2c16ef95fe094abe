// Turns entries into lines: ingest only ever adds an entry, and the chain is made afterwards, by one process at a time.

import type { Database, Db } from '@roadworthy/service-kit/db'
import type { Plans } from '../access/plans.ts'
import { closePeriodsAcrossResellers, selectClosedUntilAcrossResellers } from './periods.ts'
import {
  appendLinesAcrossResellers,
  type FoldedUsage,
  foldEntriesAcrossResellers,
  lockSealingAcrossResellers,
  selectChainEndsAcrossResellers,
} from './sealing.sql.ts'
import { tellThresholds } from './tell-thresholds.ts'
import { type ChainOwner, firstHash, hashOfLine, ownerKey, type SealedLine } from './usage-chain.ts'
import { addToDays, rebuildSomeDays } from './usage-days.ts'

export type SealingDeps = { readonly database: Database; readonly plans: Plans; readonly now: () => Date }

const BUCKET_MS = 15 * 60_000
/** After the end of a quarter-hour, for what was received in it to be committed. What takes longer becomes a line of its own. */
const GRACE_MS = 60_000
export const ENTRIES_PER_ROUND = 20_000

/** One round; answers how many entries it looked at. While another process is at it, none. */
export async function sealUsage({ database, plans, now }: SealingDeps): Promise<number> {
  return await database.system(async (db) => {
    if (!(await lockSealingAcrossResellers(db))) return 0
    const at = now()
    // Before entries are taken out: thresholds are looked for where there are some.
    await tellThresholds(db, plans, at)
    const openSince = new Date(Math.floor((at.getTime() - GRACE_MS) / BUCKET_MS) * BUCKET_MS)
    const { seenCount, closed } = await foldEntriesAcrossResellers(db, openSince, ENTRIES_PER_ROUND)
    if (closed.length > 0) await sealClosed(db, closed, openSince)
    await rebuildSomeDays(db)
    if (seenCount < ENTRIES_PER_ROUND) await closePeriodsAcrossResellers(db, at)
    return seenCount
  })
}

async function sealClosed(db: Db, closed: readonly FoldedUsage[], openSince: Date): Promise<void> {
  const byOwner = Map.groupBy(closed, ownerKey)
  const owners = [...byOwner.values()].flatMap(([first]) => (first === undefined ? [] : [first]))
  const ends = new Map((await selectChainEndsAcrossResellers(db, owners)).map((end) => [ownerKey(end), end]))
  const closedUntil = await selectClosedUntilAcrossResellers(db)
  const lines: (ChainOwner & SealedLine)[] = []
  for (const [key, usage] of byOwner) {
    const [owner] = usage
    if (owner === undefined) continue
    let seq = ends.get(key)?.lastSeq ?? 0
    let hash = ends.get(key)?.lastHash ?? firstHash(owner)
    const closedUntilMs = closedUntil.get(owner.resellerId) ?? 0
    for (const { resellerId, subClientId, meter, bucket: received, count } of usage) {
      // A month that is closed is not opened again: what comes after that is billed as used now.
      const bucket = received.getTime() < closedUntilMs ? new Date(openSince.getTime() - BUCKET_MS) : received
      seq++
      hash = hashOfLine(hash, { seq, bucket, meter, count })
      lines.push({ resellerId, subClientId, seq, bucket, meter, count, hash })
    }
  }
  await appendLinesAcrossResellers(db, lines)
  await addToDays(db, lines)
}
