// What must be done from time to time whoever is calling: partitions made before they are needed and dropped after their time, and rows that
// only mattered for a while. Each step is periodic work of the installation, with a wait of its own after a failure. It is safe to repeat and to
// run twice at once, and none waits for another.

import { startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { deleteOldAuditRowsAcrossResellers, noteAuditRemovedBeforeAcrossResellers } from '../../audit/audit.sql.ts'
import { REPLAY_MS } from '../../devices/register-device.ts'
import { deleteExpiredRegistrationsAcrossResellers } from '../../devices/registrations.sql.ts'
import { deleteOldEventsAcrossResellers, noteRemovedBeforeAcrossResellers } from '../../events/events.sql.ts'
import { clearReadingsAcrossResellers } from '../../history/clear-readings.ts'
import { selectLongestDaysAcrossResellers, selectShorterAcrossResellers } from '../../history/retention.sql.ts'
import { READ_FOR_S } from '../../history/seal-weeks.ts'
import { selectSealedAcrossResellers } from '../../history/sealed-files.sql.ts'
import type { JobKind } from '../../jobs/job.ts'
import { periodicSteps } from '../../jobs/periodic-job.ts'
import { deleteOldRateWindowsAcrossResellers } from '../../limits/rate-windows.sql.ts'
import { deleteOldUseAcrossResellers } from '../../maintenance/meters.sql.ts'
import { deleteOldActiveDevicesAcrossResellers } from '../../metering/sealing.sql.ts'
import { deleteOldNotificationsAcrossResellers } from '../../notifications/notifications.sql.ts'
import { deleteOldGatewayEventsAcrossResellers } from '../../payments/gateway-events.sql.ts'
import { deleteExpiredSessionsAcrossResellers } from '../../people/sessions.sql.ts'
import { KNOWN_FOR_MS } from '../../people/sign-in-rate.ts'
import { deleteOldKnownSignInsAcrossResellers, deleteOldSignInRatesAcrossResellers } from '../../people/sign-in-rates.sql.ts'
import { deleteExpiredUserLinksAcrossResellers } from '../../people/user-links.sql.ts'
import { deletePresenceOfDecommissionedAcrossResellers } from '../../presence/presence.sql.ts'
import { deleteEndedRecordingsAcrossResellers, deleteOldMessagesAcrossResellers } from '../../readings/messages.sql.ts'
import { deleteExpiredIdempotencyKeysAcrossResellers } from '../../requests/idempotency.sql.ts'
import { IDEMPOTENCY_KEPT_MS } from '../../requests/idempotency.ts'
import { deleteOldRequestsAcrossResellers } from '../../requests/request-log.sql.ts'
import { REQUESTS_KEPT_DAYS } from '../../requests/request-log.ts'
import type { Retention } from '../../resellers/plan.routes.platform-v1.ts'
import { deleteOldCallsAcrossResellers } from '../../sims/connections/operator-calls.sql.ts'
import { deleteOldSyncsAcrossResellers } from '../../sims/sync/syncs.sql.ts'
import {
  deleteDeliveriesOfDeletedAcrossResellers,
  deleteEmptiedEndpointsAcrossResellers,
  deleteOldAttemptsAcrossResellers,
  deleteOldDeliveriesAcrossResellers,
} from '../../webhooks/retention.sql.ts'
import type { PlatformOptions } from '../shared-parts.ts'
import { AUDIT_LOG } from './audit-partition.ts'
import { deleteHealthOfBefore, deletePastHealth, PAST_HEALTH_EVERY_MS } from './delete-past-health.ts'
import { selectPartitions } from './partitions.sql.ts'
import { ensurePartitions, PARTITIONS_AHEAD_DAYS, type PartitionedTable, partitionHorizonDays, removeOldPartitions } from './partitions.ts'

const DAY_MS = 86_400_000
/** What was not delivered by then is in the log only, if that is kept for longer. */
const DELIVERIES_KEPT_DAYS = 30
/** Assumption: nobody asks how a synchronisation of before last quarter went. */
const SYNCS_KEPT_DAYS = 90
const INTERVAL_MS = 10 * 60_000
const LOOK_AGAIN_MS = 60_000
/** Longer than a month and the time in which a reading received in it can still be stored. */
const ACTIVE_DEVICES_KEPT_DAYS = 70
/** Longer than any gateway repeats a delivery. What they did is kept by what they booked. */
const GATEWAY_EVENTS_KEPT_DAYS = 90
/** Assumption: who asks why a message was refused asks within the week. */
const MESSAGES_KEPT_DAYS = 7
const ROWS_PER_DELETE = 5_000
/** A million rows a round: more than ten minutes of the busiest service can leave behind. */
const MAX_DELETES = 200

export type HousekeepingDeps = {
  readonly database: Database
  /** Of the owner of the tables: detaching a partition takes one, and a statement outside of a transaction. */
  readonly ownerUrl: string
  readonly now: () => Date
  readonly readingsMaxAgeDays: number
  readonly readingsRetentionDays: number
  readonly eventsRetentionDays: number
  readonly auditRetentionDays: number
}

export function housekeepingOf(
  { settings, databaseUrls, now }: Pick<PlatformOptions, 'settings' | 'databaseUrls' | 'now'>,
  database: Database,
): HousekeepingDeps {
  const { readingsMaxAgeDays, readingsRetentionDays, eventsRetentionDays, auditRetentionDays } = settings
  const ownerUrl = databaseUrls.owner
  return { database, ownerUrl, now, readingsMaxAgeDays, readingsRetentionDays, eventsRetentionDays, auditRetentionDays }
}

/** How long what is kept, for people. */
function retentionOf(deps: Pick<HousekeepingDeps, 'readingsRetentionDays' | 'eventsRetentionDays' | 'auditRetentionDays'>): Retention {
  return {
    readings: deps.readingsRetentionDays,
    events: deps.eventsRetentionDays,
    webhook_deliveries: DELIVERIES_KEPT_DAYS,
    request_log: REQUESTS_KEPT_DAYS,
    notifications: NOTIFICATIONS_KEPT_DAYS,
    audit: deps.auditRetentionDays,
  }
}

/** The same for the routes. */
export function retentionsOf(settings: Parameters<typeof retentionOf>[0] & { readonly readingsMaxAgeDays: number }) {
  const { readingsRetentionDays: presetDays, readingsMaxAgeDays: minDays } = settings
  return { retention: retentionOf(settings), readingsRetention: { presetDays, minDays } }
}

type Step = {
  readonly name: string
  readonly run: (signal: AbortSignal) => Promise<unknown>
  /** Other than `INTERVAL_MS`. */
  readonly everyMs?: number
}
export type FailedStep = { readonly name: string; readonly error: unknown }

/** One round: every step, or those named. A step that fails leaves the others alone; answers what failed. */
export async function keepHouse(deps: HousekeepingDeps, wanted: (name: string) => boolean = () => true): Promise<FailedStep[]> {
  const failed: FailedStep[] = []
  const { signal } = new AbortController()
  for (const { name, run } of stepsOf(deps, deps.now())) {
    if (!wanted(name)) continue
    await run(signal).catch((error: unknown) => failed.push({ name, error }))
  }
  return failed
}

/** Makes the partitions that are needed now, as far as it can be done at once. Ingest makes those it misses by itself. */
export async function preparePartitions(deps: HousekeepingDeps): Promise<FailedStep[]> {
  return await keepHouse(deps, (name) => name.startsWith(ENSURE))
}

/** For how many days from now on there are partitions, in the table that has the fewest. */
export async function partitionsAheadDays(deps: HousekeepingDeps): Promise<number> {
  const horizons = partitionedTables(deps).map((table) => partitionHorizonDays(deps.database.systemPool, table, deps.now()))
  return Math.min(...(await Promise.all(horizons)))
}

function partitionedTables(deps: HousekeepingDeps): PartitionedTable[] {
  const { database, readingsMaxAgeDays, readingsRetentionDays, eventsRetentionDays, auditRetentionDays } = deps
  // A reading that is still accepted must have somewhere to go, whatever the retention is.
  const ofReadings = { writtenBackDays: readingsMaxAgeDays + 1, keptDays: Math.max(readingsRetentionDays, readingsMaxAgeDays + 7) }
  const longestDays = () => selectLongestDaysAcrossResellers(database.systemPool, readingsRetentionDays)
  return [
    {
      ...{ name: 'readings', ...ofReadings, longestDays },
      // By then nobody is under way any more who saw the week in PostgreSQL.
      sealedUntil: async () => {
        const sealed = await selectSealedAcrossResellers(database.systemPool)
        return sealed !== undefined && sealed.forS > READ_FOR_S ? sealed.until : undefined
      },
    },
    { name: 'vehicle_use', ...ofReadings },
    { name: 'health_history', writtenBackDays: 1, keptDays: readingsRetentionDays, longestDays },
    {
      name: 'events',
      writtenBackDays: 1,
      keptDays: eventsRetentionDays,
      beforeRemoval: (until) => noteRemovedBeforeAcrossResellers(database.systemPool, until),
    },
    {
      ...AUDIT_LOG,
      keptDays: auditRetentionDays,
      beforeRemoval: (until) => noteAuditRemovedBeforeAcrossResellers(database.systemPool, until),
    },
    { name: 'webhook_attempts', writtenBackDays: 1, keptDays: DELIVERIES_KEPT_DAYS },
  ]
}

/** The log of what was sent to people. */
const NOTIFICATIONS_KEPT_DAYS = 365

const ENSURE = 'make partitions of'

function stepsOf(deps: HousekeepingDeps, at: Date): Step[] {
  const { ownerUrl, database } = deps
  const tables = partitionedTables(deps)
  return [
    ...tables.map((table) => ({ name: `${ENSURE} ${table.name}`, run: () => ensurePartitions(database.systemPool, table, at) })),
    ...tables.map((table) => ({ name: `drop partitions of ${table.name}`, run: () => removeOldPartitions(ownerUrl, table, at) })),
    ...deletionsOf(deps, at).map((step) => ({ ...step, name: `delete ${step.name}` })),
  ]
}

function deletionsOf({ database, readingsRetentionDays, eventsRetentionDays, auditRetentionDays }: HousekeepingDeps, at: Date): Step[] {
  const { systemPool } = database
  const daysAgo = (days: number) => new Date(at.getTime() - days * DAY_MS)
  const bounded = (name: string, deleteSome: (limit: number) => Promise<number>) => ({
    name,
    run: (signal: AbortSignal) => untilFewer(deleteSome, signal),
  })
  const judgedBefore = daysAgo(readingsRetentionDays)
  const activeBefore = daysAgo(ACTIVE_DEVICES_KEPT_DAYS)
  const createdBefore = daysAgo(DELIVERIES_KEPT_DAYS)
  return [
    { name: 'readings of before', run: (signal) => deleteReadingsOfBefore(systemPool, readingsRetentionDays, at, signal) },
    bounded('idempotency keys', (limit) => deleteExpiredIdempotencyKeysAcrossResellers(systemPool, IDEMPOTENCY_KEPT_MS, limit)),
    {
      name: 'health history of before',
      run: (signal) => deleteHealthOfBefore(systemPool, readingsRetentionDays, at, (some) => untilFewer(some, signal)),
    },
    {
      ...{ name: 'health history past its own term', everyMs: PAST_HEALTH_EVERY_MS },
      run: (signal) => deletePastHealth(database, readingsRetentionDays, at, (some) => untilFewer(some, signal)),
    },
    bounded('vehicle use of before', (limit) => deleteOldUseAcrossResellers(systemPool, judgedBefore, limit)),
    bounded('events of before', (limit) => deleteOldEventsAcrossResellers(systemPool, daysAgo(eventsRetentionDays), limit)),
    bounded('active devices', (limit) => deleteOldActiveDevicesAcrossResellers(systemPool, activeBefore, limit)),
    bounded('deliveries', (limit) => deleteOldDeliveriesAcrossResellers(systemPool, createdBefore, limit)),
    bounded('deliveries of deleted endpoints', (limit) => deleteDeliveriesOfDeletedAcrossResellers(systemPool, limit)),
    { name: 'deleted endpoints', run: () => deleteEmptiedEndpointsAcrossResellers(systemPool) },
    bounded('device_messages', (limit) => deleteOldMessagesAcrossResellers(systemPool, daysAgo(MESSAGES_KEPT_DAYS), limit)),
    bounded('message_recordings', (limit) => deleteEndedRecordingsAcrossResellers(systemPool, daysAgo(0), limit)),
    bounded('notifications', (limit) => deleteOldNotificationsAcrossResellers(systemPool, daysAgo(NOTIFICATIONS_KEPT_DAYS), limit)),
    bounded('attempts of before', (limit) => deleteOldAttemptsAcrossResellers(systemPool, createdBefore, limit)),
    bounded('audit rows of before', (limit) => deleteOldAuditRowsAcrossResellers(systemPool, daysAgo(auditRetentionDays), limit)),
    bounded('calls of the request log', (limit) => deleteOldRequestsAcrossResellers(systemPool, daysAgo(REQUESTS_KEPT_DAYS), limit)),
    bounded('presence of decommissioned devices', (limit) => deletePresenceOfDecommissionedAcrossResellers(systemPool, limit)),
    bounded('runs of the synchronisation of SIMs', (limit) => deleteOldSyncsAcrossResellers(systemPool, daysAgo(SYNCS_KEPT_DAYS), limit)),
    bounded('events of gateways', (limit) => deleteOldGatewayEventsAcrossResellers(systemPool, daysAgo(GATEWAY_EVENTS_KEPT_DAYS), limit)),
    { name: 'rate windows', run: () => deleteOldRateWindowsAcrossResellers(systemPool, at) },
    { name: 'sessions', run: () => deleteExpiredSessionsAcrossResellers(systemPool, at) },
    { name: 'user links', run: () => deleteExpiredUserLinksAcrossResellers(systemPool, at) },
    { name: 'calls of operators', run: () => deleteOldCallsAcrossResellers(systemPool, new Date(at.getTime() - DAY_MS)) },
    bounded('sign-in rates', (limit) => deleteOldSignInRatesAcrossResellers(systemPool, at, limit)),
    {
      name: 'known sign-ins',
      run: () => deleteOldKnownSignInsAcrossResellers(systemPool, new Date(at.getTime() - KNOWN_FOR_MS)),
    },
    {
      name: 'registrations',
      run: () => deleteExpiredRegistrationsAcrossResellers(systemPool, new Date(at.getTime() - REPLAY_MS)),
    },
  ]
}

/** Where a reseller or one of its sub-clients keeps readings for shorter than others do, which decide when partitions go. */
async function deleteReadingsOfBefore(db: Db, presetDays: number, at: Date, signal: AbortSignal): Promise<void> {
  const terms = await selectShorterAcrossResellers(db, presetDays)
  if (terms.length === 0) return
  const oldest = (await selectPartitions(db, 'readings')).find(({ from }) => from !== undefined)?.from
  if (oldest !== undefined) await clearReadingsAcrossResellers(db, { terms, at, oldest, signal })
}

/** Deletes by small statements until one finds less than it may delete; what is left after the last belongs to the next round. */
async function untilFewer(deleteSome: (limit: number) => Promise<number>, signal: AbortSignal): Promise<void> {
  for (let i = 0; i < MAX_DELETES && !signal.aborted; i++) if ((await deleteSome(ROWS_PER_DELETE)) < ROWS_PER_DELETE) return
}

/** Each step as periodic work. A step that fails is counted, logged and repeated by itself. */
export function housekeepingJobs(deps: HousekeepingDeps & { readonly countFailure: (step: string) => void }): JobKind {
  const steps = stepsOf(deps, deps.now()).map(({ name, everyMs }) => ({
    ...{ name, everyMs },
    run: async (signal: AbortSignal) => {
      try {
        // What is old is judged anew each time.
        await stepsOf(deps, deps.now())
          .find((step) => step.name === name)
          ?.run(signal)
      } catch (error) {
        deps.countFailure(name)
        throw error
      }
    },
  }))
  return periodicSteps('housekeeping', INTERVAL_MS, steps, deps.database.now)
}

export type PartitionWatch = {
  /** As of the last look; undefined before. */
  aheadDays(): number | undefined
  stop(): Promise<void>
}

/** Warns while partitions run out, whoever makes them. */
export function startPartitionWatch(
  deps: HousekeepingDeps & { readonly log: { warn(fields: object, message: string): void; error(fields: object, message: string): void } },
): PartitionWatch {
  let aheadDays: number | undefined
  const look = async () => {
    aheadDays = await partitionsAheadDays(deps)
    if (aheadDays < PARTITIONS_AHEAD_DAYS) {
      deps.log.warn({ aheadDays }, 'partitions run out sooner than they should; see why making them fails')
    }
    return INTERVAL_MS
  }
  const rounds = startRounds(look, LOOK_AGAIN_MS, (err) => deps.log.error({ err }, 'partitions could not be looked at; it is tried again'))
  return { aheadDays: () => aheadDays, stop: () => rounds.stop() }
}
