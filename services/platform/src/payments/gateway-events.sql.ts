import type { Db } from '@roadworthy/service-kit/postgres/db'

export type TakenEvent = {
  /** Of the connection. */
  readonly resellerId: string
  readonly connectionId: string
  readonly eventId: string
  /** In the gateway's words. */
  readonly kind: string
  /** What became of it, in ours. */
  readonly outcome: string
  readonly attemptId: string | undefined
  readonly receivedAt: Date
}

/** False: it was there already, and somebody else did what follows from it. Waits for whoever is at the same event. */
export async function insertGatewayEvent(db: Db, event: TakenEvent): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into gateway_events (reseller_id, connection_id, event_id, kind, outcome, attempt_id, received_at)
     values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (connection_id, event_id) do nothing`,
    [event.resellerId, event.connectionId, event.eventId, event.kind, event.outcome, event.attemptId ?? null, event.receivedAt],
  )
  return rowCount === 1
}

/** Answers how many. What an event did is kept by what it booked; a repeat after this changes nothing. */
export async function deleteOldGatewayEventsAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from gateway_events
      where (connection_id, event_id) in (select connection_id, event_id from gateway_events where received_at < $1 order by received_at limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}
