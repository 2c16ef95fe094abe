import type { Database, Db } from '@roadworthy/service-kit/db'
import {
  claimVehiclesAcrossResellers,
  isAnyDueAcrossResellers,
  lockClaimingAcrossResellers,
  selectReadyVehicles,
  selectWaitingAcrossResellers,
} from './claims.sql.ts'
import { type VehicleKey, vehicleKeyText } from './vehicle-key.ts'

/** Among so many a claim is divided; the next claim begins after them. */
const RESELLERS_PER_CLAIM = 20
/** Statements in which a claim looks for resellers, and rows of each: a reseller that has more due than that takes a statement of its own. */
const MAX_STEPS = 50
const ROWS_PER_STEP = 32

export type Claimed = {
  readonly vehicles: readonly VehicleKey[]
  /** The reseller after which the next claim goes on; '' where this one came to the last. */
  readonly after: string
}

type ClaimWanted = { readonly claimId: string; readonly after: string; readonly leaseMs: number; readonly limit: number }

/**
 * Claims the vehicles that have waited longest, of some resellers in turn, from the one after `after`. A vehicle waits for those of its reseller that have waited
 * longer, of which there are ever fewer, and its reseller for the others' turns: one with 500,000 due takes a share of each claim, or what is left of it.
 */
export async function claimVehicles(database: Database, wanted: ClaimWanted): Promise<Claimed> {
  if (!(await isAnyDueAcrossResellers(database.systemPool))) return { vehicles: [], after: '' }
  return await database.system(async (db) => {
    const now = await lockClaimingAcrossResellers(db)
    const { resellerIds, after } = await findReadyResellers(db, now, wanted.after)
    return { vehicles: await claimInTurns(db, now, resellerIds, wanted), after }
  })
}

/** Those of which something may be scored now. Each step goes past all that is due of the last reseller of the one before. */
async function findReadyResellers(db: Db, now: string, from: string): Promise<{ resellerIds: string[]; after: string }> {
  const resellerIds: string[] = []
  let after = from
  for (let step = 0; step < MAX_STEPS; step++) {
    const rows = await selectWaitingAcrossResellers(db, { now, after, limit: ROWS_PER_STEP })
    for (const { resellerId, isReady } of rows) {
      if (resellerId === after) continue
      if (isReady && resellerIds.length === RESELLERS_PER_CLAIM) return { resellerIds, after: resellerIds.at(-1) ?? '' }
      if (isReady) resellerIds.push(resellerId)
      after = resellerId
    }
    if (rows.length < ROWS_PER_STEP) return { resellerIds, after: '' }
  }
  return { resellerIds, after }
}

/**
 * All have their first vehicle before any has its second; what some leave of their share, those have that have more. What others have claimed is passed over,
 * which is as many as they may claim; each page is twice as long as the one before, so that they are few.
 */
async function claimInTurns(
  db: Db,
  now: string,
  resellerIds: readonly string[],
  { claimId, leaseMs, limit }: ClaimWanted,
): Promise<VehicleKey[]> {
  const claimed: VehicleKey[] = []
  let asked = resellerIds
  let size = Math.ceil(limit / Math.max(1, resellerIds.length))
  for (let offset = 0; asked.length > 0 && claimed.length < limit; offset += size, size *= 2) {
    const page = { now, offset, limit: size }
    const offered = await Promise.all(asked.map((resellerId) => selectReadyVehicles(db, { ...page, resellerId })))
    const vehicles = inTurns(offered)
    if (vehicles.length === 0) break
    claimed.push(...(await claimVehiclesAcrossResellers(db, { claimId, vehicles, leaseMs, limit: limit - claimed.length })))
    asked = asked.filter((_, nth) => offered[nth]?.length === size)
  }
  return claimed
}

/** The first of each list, then the second of each; none twice. */
function inTurns(lists: readonly (readonly VehicleKey[])[]): VehicleKey[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  const vehicles = new Map<string, VehicleKey>()
  for (let nth = 0; nth < longest; nth++) {
    for (const list of lists) {
      const vehicle = list[nth]
      if (vehicle !== undefined) vehicles.set(vehicleKeyText(vehicle), vehicle)
    }
  }
  return [...vehicles.values()]
}
