// What must be done now and then whoever is calling: partitions made before they are needed and dropped after their time, and rows that
// only mattered for a while. Every process may run it; each step is safe to repeat and to run twice at once.

import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@roadworthy/service-kit/db'
import type { FastifyBaseLogger } from 'fastify'
import { deleteOldAuditRowsAcrossResellers } from '../access/audit.sql.ts'
import { deleteExpiredIdempotencyKeysAcrossResellers } from '../access/idempotency.sql.ts'
import { IDEMPOTENCY_KEPT_MS } from '../access/idempotency.ts'
import { deleteOldRateWindowsAcrossResellers } from '../access/rate-windows.sql.ts'
import { deleteExpiredSessionsAcrossResellers } from '../access/sessions.sql.ts'
import { deleteExpiredUserLinksAcrossResellers } from '../access/user-links.sql.ts'
import { REPLAY_MS } from '../devices/register-device.ts'
import { deleteExpiredRegistrationsAcrossResellers } from '../devices/registrations.sql.ts'
import { deleteOldEventsAcrossResellers } from '../events/events.sql.ts'
import { deleteOldUseAcrossResellers } from '../maintenance/meters.sql.ts'
import { deleteOldActiveDevicesAcrossResellers } from '../metering/sealing.sql.ts'
import { deleteOldHealthHistoryAcrossResellers } from '../predictions/scoring.sql.ts'
import { deletePresenceOfDecommissionedAcrossResellers } from '../presence/presence.sql.ts'
import { dropReadingPartitionsAcrossResellers, ensureReadingPartitions } from '../readings/readings.sql.ts'
import {
  deleteDeliveriesOfDeletedAcrossResellers,
  deleteEmptiedEndpointsAcrossResellers,
  deleteOldDeliveriesAcrossResellers,
} from '../webhooks/retention.sql.ts'

const DAY_MS = 86_400_000
/** Partitions are made this far ahead, so that ingest goes on for weeks should housekeeping fail. */
const PARTITIONS_AHEAD_DAYS = 28
/** What was not delivered by then is told only by the log, if that is kept for longer. */
const DELIVERIES_KEPT_DAYS = 30
const INTERVAL_MS = 10 * 60_000
/** Longer than a month and the time in which a reading received in it can still be stored. */
const ACTIVE_DEVICES_KEPT_DAYS = 70
const ROWS_PER_DELETE = 5_000
/** A million rows a round: more than ten minutes of the busiest service can leave behind. */
const MAX_DELETES = 200

export type HousekeepingDeps = {
  readonly database: Database
  readonly now: () => Date
  readonly readingsMaxAgeDays: number
  readonly readingsRetentionDays: number
  readonly eventsRetentionDays: number
  readonly auditRetentionDays: number
}

/** One round. Ingest may only start after the first. */
export async function keepHouse({
  database,
  now,
  readingsMaxAgeDays,
  readingsRetentionDays,
  eventsRetentionDays,
  auditRetentionDays,
}: HousekeepingDeps): Promise<void> {
  const at = now()
  const daysFromNow = (days: number) => new Date(at.getTime() + days * DAY_MS)
  await ensureReadingPartitions(database.systemPool, daysFromNow(-readingsMaxAgeDays - 1), daysFromNow(PARTITIONS_AHEAD_DAYS))
  // A reading that is still accepted must have somewhere to go, whatever the retention says.
  await dropReadingPartitionsAcrossResellers(database.systemPool, daysFromNow(-Math.max(readingsRetentionDays, readingsMaxAgeDays + 7)))
  const keptSince = new Date(at.getTime() - IDEMPOTENCY_KEPT_MS)
  await untilFewer(() => deleteExpiredIdempotencyKeysAcrossResellers(database.systemPool, keptSince, ROWS_PER_DELETE))
  const judgedBefore = daysFromNow(-readingsRetentionDays)
  await untilFewer(() => deleteOldHealthHistoryAcrossResellers(database.systemPool, judgedBefore, ROWS_PER_DELETE))
  await untilFewer(() => deleteOldUseAcrossResellers(database.systemPool, judgedBefore, ROWS_PER_DELETE))
  const loggedBefore = daysFromNow(-eventsRetentionDays)
  await untilFewer(() => deleteOldEventsAcrossResellers(database.systemPool, loggedBefore, ROWS_PER_DELETE))
  await untilFewer(() =>
    deleteOldActiveDevicesAcrossResellers(database.systemPool, daysFromNow(-ACTIVE_DEVICES_KEPT_DAYS), ROWS_PER_DELETE),
  )
  const createdBefore = daysFromNow(-DELIVERIES_KEPT_DAYS)
  await untilFewer(() => deleteOldDeliveriesAcrossResellers(database.systemPool, createdBefore, ROWS_PER_DELETE))
  await untilFewer(() => deleteDeliveriesOfDeletedAcrossResellers(database.systemPool, ROWS_PER_DELETE))
  await deleteEmptiedEndpointsAcrossResellers(database.systemPool)
  const auditedBefore = daysFromNow(-auditRetentionDays)
  await untilFewer(() => deleteOldAuditRowsAcrossResellers(database.systemPool, auditedBefore, ROWS_PER_DELETE))
  await untilFewer(() => deletePresenceOfDecommissionedAcrossResellers(database.systemPool, ROWS_PER_DELETE))
  await deleteOldRateWindowsAcrossResellers(database.systemPool, at)
  await deleteExpiredSessionsAcrossResellers(database.systemPool, at)
  await deleteExpiredUserLinksAcrossResellers(database.systemPool, at)
  await deleteExpiredRegistrationsAcrossResellers(database.systemPool, new Date(at.getTime() - REPLAY_MS))
}

/** Deletes by small statements until one finds less than it may delete; what is left after the last belongs to the next round. */
async function untilFewer(deleteSome: () => Promise<number>): Promise<void> {
  for (let i = 0; i < MAX_DELETES; i++) if ((await deleteSome()) < ROWS_PER_DELETE) return
}

/** Runs rounds until stopped. A failed round is logged and the next one tries again. */
export function startHousekeeping(deps: HousekeepingDeps & { readonly log: FastifyBaseLogger }): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await delay(INTERVAL_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (stopping.signal.aborted) return
      await keepHouse(deps).catch((error: unknown) => deps.log.error({ err: error }, 'housekeeping failed; it is tried again'))
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
