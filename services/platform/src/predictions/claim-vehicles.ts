import type { Database } from '@roadworthy/service-kit/db'
import { claimVehiclesAcrossResellers, lockClaimingAcrossResellers, selectWaitingAcrossResellers } from './claims.sql.ts'
import type { VehicleKey } from './vehicle-key.ts'

/** Among so many a claim is divided; the next claim begins after them. */
const RESELLERS_PER_CLAIM = 20
/** Of so many the claim looks whether anything of theirs may be scored now. */
const RESELLERS_LOOKED_AT = 200

export type Claimed = {
  readonly vehicles: readonly VehicleKey[]
  /** The reseller after which the next claim goes on; '' where this one came to the last. */
  readonly after: string
}

/**
 * Claims the vehicles that have waited longest, of some resellers in turn, from the one after `after`. A vehicle waits for those of its reseller that have waited
 * longer, of which there are ever fewer, and its reseller for the others' turns: one with 500,000 due takes a share of each claim, or what is left of it.
 */
export async function claimVehicles(
  database: Database,
  { claimId, after, leaseMs, limit }: { claimId: string; after: string; leaseMs: number; limit: number },
): Promise<Claimed> {
  return await database.system(async (db) => {
    await lockClaimingAcrossResellers(db)
    const waiting = await selectWaitingAcrossResellers(db, after, RESELLERS_LOOKED_AT)
    const ready = waiting.filter(({ isReady }) => isReady)
    const resellerIds = ready.slice(0, RESELLERS_PER_CLAIM).map(({ resellerId }) => resellerId)
    const vehicles = resellerIds.length === 0 ? [] : await claimVehiclesAcrossResellers(db, { claimId, resellerIds, leaseMs, limit })
    if (ready.length > RESELLERS_PER_CLAIM) return { vehicles, after: resellerIds.at(-1) ?? '' }
    return { vehicles, after: waiting.length === RESELLERS_LOOKED_AT ? (waiting.at(-1)?.resellerId ?? '') : '' }
  })
}
