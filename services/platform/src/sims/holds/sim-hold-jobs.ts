import type { Db } from '@roadworthy/service-kit/postgres/db'
import { upsertJob } from '../../jobs/jobs.sql.ts'

/** By the id of a sub-client: whether its invoices hold its SIMs. `''`: all sub-clients. */
export const SIM_HOLD_JOB = 'sim_hold'
export const EVERY_SUB_CLIENT = ''

/** In the transaction of whatever may have changed the answer. */
export async function askForHoldReview(db: Db, resellerId: string, subClientId: string, at: Date): Promise<void> {
  await upsertJob(db, { resellerId, kind: SIM_HOLD_JOB, key: subClientId }, at)
}
