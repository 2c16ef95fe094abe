import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import type { Reach } from '../../cluster/reach.ts'
import { selectSourcesAcrossResellers } from '../../readings/vehicle-sources.sql.ts'
import { type VehicleKey, vehicleKeyText } from '../vehicle-key.ts'
import {
  claimVehiclesAcrossResellers,
  isAnyDueAcrossResellers,
  lockClaimingAcrossResellers,
  selectReadyVehicles,
  selectReadyWithin,
  selectTime,
  selectWaitingAcrossResellers,
  selectWaitingWithinAcrossResellers,
} from './claims.sql.ts'

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

type ClaimWanted = {
  readonly claimId: string
  readonly after: string
  readonly leaseMs: number
  readonly limit: number
  readonly reach?: Reach | undefined
}

/**
 * Claims the vehicles that have waited longest, of some resellers in turn, from the one after `after`. A vehicle waits for those of its reseller that have waited
 * longer, of which there are ever fewer, and its reseller for the others' turns: one with 500,000 due takes a share of each claim, or what is left of it.
 * `reach`: while a node of a cluster is away; a vehicle that a source on it ever reported for is left to wait for it.
 */
export async function claimVehicles(database: Database, wanted: ClaimWanted): Promise<Claimed> {
  if (wanted.reach === undefined && !(await isAnyDueAcrossResellers(database.systemPool))) return { vehicles: [], after: '' }
  const found = await database.system(async (db) => {
    const now = await selectTime(db)
    return { now, ...(await findReadyResellers(db, now, wanted)) }
  })
  return { vehicles: await claimInTurns(database, found.now, found.resellerIds, wanted), after: found.after }
}

/** Those of which something may be scored now. Each step goes past all that is due of the last reseller of the one before. */
async function findReadyResellers(
  db: Db,
  now: string,
  { after: from, reach }: Pick<ClaimWanted, 'after' | 'reach'>,
): Promise<{ resellerIds: string[]; after: string }> {
  const resellerIds: string[] = []
  let after = from
  for (let step = 0; step < MAX_STEPS; step++) {
    const page = { now, after, limit: ROWS_PER_STEP }
    const rows = await (reach === undefined ? selectWaitingAcrossResellers(db, page) : selectWaitingWithinAcrossResellers(db, reach, page))
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
  database: Database,
  now: string,
  resellerIds: readonly string[],
  { claimId, leaseMs, limit, reach }: ClaimWanted,
): Promise<VehicleKey[]> {
  const claimed: VehicleKey[] = []
  let asked = resellerIds
  let size = Math.ceil(limit / Math.max(1, resellerIds.length))
  for (let offset = 0; asked.length > 0 && claimed.length < limit; offset += size, size *= 2) {
    const page = { now, offset, limit: size }
    const { offered, vehicles } = await database.system((db) => findOffered(db, asked, page, reach))
    if (offered.every(({ length }) => length === 0)) break
    const room = limit - claimed.length
    claimed.push(
      ...(await database.system(async (db) => {
        await lockClaimingAcrossResellers(db)
        return await claimVehiclesAcrossResellers(db, { claimId, vehicles, leaseMs, limit: room })
      })),
    )
    asked = asked.filter((_, nth) => offered[nth]?.length === size)
  }
  return claimed
}

type Page = { readonly now: string; readonly offset: number; readonly limit: number }

/** What each reseller has, and of it, in turn, what can be reached. */
async function findOffered(
  db: Db,
  resellerIds: readonly string[],
  page: Page,
  reach: Reach | undefined,
): Promise<{ offered: VehicleKey[][]; vehicles: VehicleKey[] }> {
  const offered = await Promise.all(
    resellerIds.map((resellerId) =>
      reach === undefined ? selectReadyVehicles(db, { ...page, resellerId }) : selectReadyWithin(db, reach, { ...page, resellerId }),
    ),
  )
  const inTurn = inTurns(offered)
  return { offered, vehicles: reach === undefined || inTurn.length === 0 ? inTurn : await selectWithin(db, reach, inTurn) }
}

/** Those of which every source can be reached. */
async function selectWithin(db: Db, reach: Reach, vehicles: readonly VehicleKey[]): Promise<VehicleKey[]> {
  const sources = await selectSourcesAcrossResellers(db, vehicles)
  const waiting = new Set(sources.filter(({ sourceId }) => !reach.hasSource(sourceId)).map(vehicleKeyText))
  return vehicles.filter((vehicle) => !waiting.has(vehicleKeyText(vehicle)))
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
