import { eventTypes } from '@roadworthy/contracts/webhooks/events'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { LoggedEvent } from '../events/event.ts'
import { selectEventsAfter } from '../events/events.sql.ts'
import type { Caller } from '../keys/caller.ts'
import { insertDeliveriesAcrossResellers } from './deliveries.sql.ts'
import { isNotifiedOf } from './endpoint.ts'
import { selectPositionBefore } from './log.read.sql.ts'
import { requireEndpoint } from './manage-endpoints.ts'

const EVENTS_PER_STATEMENT = 1_000
/** More than a request should take on; whoever asks again goes on where this ended. */
const MAX_RECOVERED = 5_000

export type RecoverRange = { readonly since: Date; readonly until: Date }

/**
 * Makes due every event of the log that happened in the half-open range, that the endpoint's filter lets through, and that was not
 * delivered to it: those that failed, those that wait for a later attempt, and those of when it was disabled or not there yet. Tests are
 * not repeated. Repeating it is fine.
 */
export async function recoverRange(
  { database, now }: { database: Database; now: () => Date },
  caller: Caller,
  endpointId: string,
  { since, until }: RecoverRange,
  author: Author,
): Promise<{ recovered: number; isComplete: boolean }> {
  const { resellerId } = caller
  const db = database.tenantPool(resellerId)
  const endpoint = await requireEndpoint(db, caller, endpointId)
  const types = (endpoint.eventTypes ?? eventTypes).filter((type) => type !== 'webhook.test')
  const entry = { action: 'webhook.deliveries_recovered', objectId: endpointId, subClientId: endpoint.subClientId } as const
  await writeAudit(db, author, { ...entry, after: { since, until } })
  let position = await selectPositionBefore(db, resellerId, since)
  let recovered = 0
  while (position !== undefined) {
    if (recovered >= MAX_RECOVERED) return { recovered, isComplete: false }
    const filter = { types, subClientPin: endpoint.subClientId }
    const page = await selectEventsAfter(db, resellerId, filter, { after: position, limit: EVENTS_PER_STATEMENT })
    const events = page.slice(0, EVENTS_PER_STATEMENT)
    const missed = events.filter((event) => isNotifiedOf(endpoint, event) && isWithin(event, since, until))
    recovered += await database.tenant(resellerId, (inTransaction) =>
      insertDeliveriesAcrossResellers(
        inTransaction,
        missed.map((event) => ({ endpointId, event })),
        { at: now(), renew: true },
      ),
    )
    position = page.length > EVENTS_PER_STATEMENT ? events.at(-1)?.position : undefined
  }
  return { recovered, isComplete: true }
}

function isWithin({ body }: LoggedEvent, since: Date, until: Date): boolean {
  const at = new Date((JSON.parse(body) as { timestamp: string }).timestamp)
  return at >= since && at < until
}
