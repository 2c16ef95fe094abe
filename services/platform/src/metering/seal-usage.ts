// Turns entries into lines: ingest only ever adds an entry, and a background task makes the chain, in turns. A turn is a reseller's; its work comes in
// pieces of a bounded number of rows, each a transaction of its own, so that whatever is waiting, every piece leaves less of it.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import type { JobKind } from '../jobs/job.ts'
import { periodicJob } from '../jobs/periodic-job.ts'
import { monthOf, type Plans } from '../limits/plans.ts'
import { USAGE_BUCKET_MS, usageBucketMs } from '../limits/usage-bucket.ts'
import { closePeriods, isPeriodDue } from './periods.ts'
import { publishDeviceThresholds, publishThresholds } from './publish-thresholds.ts'
import { sealClosed } from './seal-closed.ts'
import {
  foldEntriesAcrossResellers,
  noteUnfinishedAcrossResellers,
  type Turn,
  takeTurnAcrossResellers,
  type Visit,
  visitAcrossResellers,
} from './sealing.sql.ts'
import { rebuildSomeDays } from './usage-days.ts'

export type SealingDeps = {
  readonly database: Database
  readonly plans: Plans
  readonly now: () => Date
  /** The turn of one reseller failed. It comes again; the others go on. */
  readonly onFailure: (error: unknown, resellerId: string) => void
  readonly limits?: SealingLimits
}

export type SealingLimits = {
  readonly resellersPerRound: number
  /** Entries, lines or days that one transaction deals with: some 0.2 s. */
  readonly rowsPerPiece: number
  /** Of each kind, before the next reseller has its turn. */
  readonly piecesPerTurn: number
}

const defaultSealingLimits: SealingLimits = { resellersPerRound: 500, rowsPerPiece: 5_000, piecesPerTurn: 4 }

/** After the end of a quarter-hour, for what was received in it to be committed. What takes longer becomes a line of its own. */
const GRACE_MS = 60_000

/** SQLSTATE of a statement that ran into `statement_timeout`, and into `lock_timeout`: the database is there, and others may have their turn. */
const SLOW_CODES: readonly unknown[] = ['57014', '55P03']

/** One round; answers whether a turn ended before everything was done, so that the next round need not wait. */
export async function sealUsage(deps: SealingDeps): Promise<boolean> {
  const { database, now, onFailure, limits = defaultSealingLimits } = deps
  const visits = await database.system((db) => visitAcrossResellers(db, limits.resellersPerRound))
  let isMore = false
  for (const visit of visits) {
    try {
      if (!(await serve(deps, limits, visit, now()))) continue
      await noteUnfinishedAcrossResellers(database.systemPool, visit.resellerId)
      isMore = true
    } catch (error) {
      if (isOutage(error) && !SLOW_CODES.includes((error as { code?: unknown }).code)) throw error
      onFailure(error, visit.resellerId)
    }
  }
  return isMore
}

/** Thresholds are published about this late. */
const SEALING_EVERY_MS = 5_000
/** Assumption: two workers keep up with what all receivers count; each serves resellers that the other does not. */
const SEALING_SLOTS = 2

export function sealingJob(deps: SealingDeps): JobKind {
  const run = async () => ((await sealUsage(deps)) ? 0 : undefined)
  return periodicJob({ kind: 'usage_sealing', everyMs: SEALING_EVERY_MS, slots: SEALING_SLOTS, run }, deps.database.now)
}

/** A piece of work; answers whether there may be more of its kind. */
type Piece = (db: Db, turn: Turn) => Promise<boolean>

/** Everything there is to do for one reseller, or as much as a turn may take; answers whether something is left. */
async function serve({ database, plans }: SealingDeps, limits: SealingLimits, visit: Visit, at: Date): Promise<boolean> {
  const { resellerId } = visit
  const { rowsPerPiece } = limits
  const openSince = new Date(usageBucketMs(at.getTime() - GRACE_MS))
  const beforeOpen = new Date(openSince.getTime() - USAGE_BUCKET_MS)
  // Another process may have the turn: what it does is not done twice, and nothing is left to this one.
  const one = <T>(work: (db: Db, turn: Turn) => Promise<T>) =>
    database.system(async (db) => {
      const turn = await takeTurnAcrossResellers(db, resellerId)
      return turn && (await work(db, turn))
    })
  const some = async (work: Piece) => {
    for (let piece = 0; piece < limits.piecesPerTurn; piece++) if ((await one(work)) !== true) return false
    return true
  }
  const fold: Piece = async (db) => {
    const month = monthOf(at)
    const touched = await foldEntriesAcrossResellers(db, resellerId, { from: month.fromInstant, until: month.untilInstant }, rowsPerPiece)
    await publishThresholds(db, resellerId, touched, plans, at)
    return touched.reduce((sum, { entryCount }) => sum + entryCount, 0) === rowsPerPiece
  }
  const isRawLeft = visit.hasRaw && (await some(fold))
  const isClosedWaiting = visit.hasRaw || (visit.oldestBucket !== undefined && visit.oldestBucket < openSince)
  const seal: Piece = (db, turn) => sealClosed(db, resellerId, turn, { openSince, beforeOpen, limit: rowsPerPiece })
  const isClosedLeft = isClosedWaiting && (await some(seal))
  const isDayLeft = visit.hasOtherDays && (await some((db, { timeZone }) => rebuildSomeDays(db, resellerId, timeZone, rowsPerPiece)))
  if (visit.hasDeviceLimits) await one((db, turn) => publishDeviceThresholds(db, resellerId, turn.devicesAfter, at))
  if (isPeriodDue(visit, at)) await one((db, turn) => closePeriods(db, resellerId, turn, at))
  return isRawLeft || isClosedLeft || isDayLeft
}
