// The health history is kept for as long as readings of its reseller and sub-client are. Its partitions go when the longest term of all is over; what goes before
// is deleted here.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { selectLongestDaysAcrossResellers, selectTermsAcrossResellers } from '../../history/retention.sql.ts'
import {
  beginDeletingByKey,
  deleteOldHealthHistoryAcrossResellers,
  deletePastHealthAcrossResellers,
  selectVehicleSpansAcrossResellers,
} from '../../predictions/health-retention.sql.ts'
import { selectPartitions } from './partitions.sql.ts'

const DAY_MS = 86_400_000
/** A partition in which there is something for ever is read whole each time. */
export const PAST_HEALTH_EVERY_MS = DAY_MS

/** Whose points of a week one statement reads: 168 of each vehicle that reports all the time. Measured with 20,000 vehicles: 0.8 to 1.3 s for 1,000 of them, 4 to 5 s for 5,000, and 5 s may it take. */
const VEHICLES_AT_ONCE = 1_000

/** Deletes by small statements, as the caller bounds them. */
type Bounded = (deleteSome: (limit: number) => Promise<number>) => Promise<void>

/** Rows of before the table was partitioned that are past the longest term. */
export async function deleteHealthOfBefore(db: Db, presetDays: number, at: Date, bounded: Bounded): Promise<void> {
  const days = await selectLongestDaysAcrossResellers(db, presetDays)
  if (!Number.isFinite(days)) return
  await bounded((limit) => deleteOldHealthHistoryAcrossResellers(db, new Date(at.getTime() - days * DAY_MS), limit))
}

/** Where a reseller or one of its sub-clients keeps readings for another time than the service does. */
export async function deletePastHealth(database: Database, presetDays: number, at: Date, bounded: Bounded): Promise<void> {
  const terms = await selectTermsAcrossResellers(database.systemPool)
  if (terms.length === 0) return
  const shortestDays = Math.min(presetDays, ...terms.flatMap(({ days }) => days ?? []))
  const untilMs = at.getTime() - shortestDays * DAY_MS
  const spans = await selectVehicleSpansAcrossResellers(database.systemPool, VEHICLES_AT_ONCE)
  for (const { from, to, isDetaching } of await selectPartitions(database.systemPool, 'health_history')) {
    if (isDetaching || (from?.getTime() ?? 0) >= untilMs) continue
    for (const vehicles of spans) {
      await bounded((limit) =>
        database.system(async (db) => {
          await beginDeletingByKey(db)
          return await deletePastHealthAcrossResellers(db, { terms, presetDays, at, from, to, vehicles }, limit)
        }),
      )
    }
  }
}
