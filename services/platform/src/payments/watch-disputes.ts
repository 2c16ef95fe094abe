// Finds disputes whose callbacks were lost. Of each connection the gateway is asked, once an hour and by one process, which disputes were opened since
// the last look and a while before it; each that is not stored gets the job that a callback would have given it.

import type { JobId, JobOutcome } from '../jobs/job.ts'
import { selectConnection, updateDisputesListed } from './connections.sql.ts'
import type { StoredConnection } from './gateway-connection.ts'
import type { ListedDispute } from './gateways/gateway.ts'
import { openGateway, type PaymentDeps } from './payment-deps.ts'
import { DISPUTE_UNKNOWN_FOR_MS, DISPUTES_WATCHED_EVERY_MS, later, scheduleDispute } from './payment-schedule.ts'
import { selectKnownRefsAcrossResellers } from './refunds.sql.ts'

const DAY_MS = 86_400_000
/** Clocks differ by minutes, and lists may be behind by as much; a day is an assumption, and costs a page that is read again. */
const OVERLAP_MS = DAY_MS
/** Longer than the overlap. More disputes of one account in a week than a gateway lists at once are beyond anybody here: an assumption. */
const WINDOW_MS = 7 * DAY_MS

export async function runDisputeWatchJob(
  deps: PaymentDeps,
  { resellerId, key: connectionId }: Pick<JobId, 'resellerId' | 'key'>,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const connection = await selectConnection(deps.database.tenantPool(resellerId), resellerId, connectionId)
  if (connection === undefined) return 'done'
  const at = deps.now()
  // No payment of ours is older than the connection.
  const from = later(connection.disputesListedUntil ?? connection.createdAt, -OVERLAP_MS)
  const until = new Date(Math.min(at.getTime(), from.getTime() + WINDOW_MS))
  const listed = await openGateway(deps, connection).listDisputes({ from, until }, signal)
  const missed = await missedOf(deps, connection, listed, at)
  await deps.database.tenant(resellerId, async (db) => {
    for (const { disputeRef } of missed) await scheduleDispute(db, { issuerId: resellerId, connectionId, disputeRef }, at)
    await updateDisputesListed(db, connection, until)
  })
  return { againAt: until < at ? at : later(at, DISPUTES_WATCHED_EVERY_MS) }
}

/** Those that are not stored. The account may be used for other things than our invoices: of a payment that is unknown, only while it may become known. */
async function missedOf(
  { database }: PaymentDeps,
  { connectionId }: StoredConnection,
  listed: readonly ListedDispute[],
  at: Date,
): Promise<ListedDispute[]> {
  const refs = { disputeRefs: listed.map(({ disputeRef }) => disputeRef), paymentRefs: listed.map(({ paymentRef }) => paymentRef) }
  const known = await selectKnownRefsAcrossResellers(database.systemPool, connectionId, refs)
  const mayBecomeOurs = ({ openedAt }: ListedDispute) => at.getTime() - openedAt.getTime() < DISPUTE_UNKNOWN_FOR_MS
  return listed.filter((each) => !known.has(each.disputeRef) && (known.has(each.paymentRef) || mayBecomeOurs(each)))
}
