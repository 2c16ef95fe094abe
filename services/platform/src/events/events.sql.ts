import type { EventType } from '@roadworthy/contracts/webhooks/events'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { LoggedEvent } from './event.ts'

export type OutboxEvent = {
  readonly resellerId: string
  readonly eventId: string
  readonly type: EventType
  readonly subClientId: string | undefined
  readonly dataJson: string
  readonly occurredAt: Date
  /** Of the trace that the event is part of, where it is kept. */
  readonly traceparent: string | undefined
}

export async function insertIntoOutbox(db: Db, events: readonly OutboxEvent[]): Promise<void> {
  await db.query(
    `insert into event_outbox (reseller_id, event_id, type, sub_client_id, data, occurred_at, traceparent)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::json[], $6::timestamptz[], $7::text[])`,
    [
      events.map(({ resellerId }) => resellerId),
      events.map(({ eventId }) => eventId),
      events.map(({ type }) => type),
      events.map(({ subClientId }) => subClientId ?? null),
      events.map(({ dataJson }) => dataJson),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ traceparent }) => traceparent ?? null),
    ],
  )
}

/** One short statement: relays look several times a second, and find nothing most of the time. */
export async function isAnyInOutboxAcrossResellers(db: Db): Promise<boolean> {
  const { rows } = await db.query({ name: 'look into the outbox', text: 'select outbox_id from event_outbox order by outbox_id limit 1' })
  return rows.length > 0
}

/** Held to the end of the transaction: positions are given out and committed by one relay at a time. */
export async function lockLogAcrossResellers(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ held: boolean }>('select pg_try_advisory_xact_lock(7305512242) as held')
  return rows[0]?.held === true
}

/** Takes up to `limit` events out of the outbox, those written first, first. */
export async function takeFromOutboxAcrossResellers(db: Db, limit: number): Promise<OutboxEvent[]> {
  const { rows } = await db.query<OutboxRow>(
    `with taken as (
       delete from event_outbox o
        where (o.reseller_id, o.outbox_id) in (select n.reseller_id, n.outbox_id from event_outbox n order by n.outbox_id limit $1)
       returning o.*
     )
     select reseller_id, event_id, type, sub_client_id, data::text as data, occurred_at, traceparent from taken order by outbox_id`,
    [limit],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    eventId: row.event_id,
    type: row.type,
    subClientId: row.sub_client_id ?? undefined,
    dataJson: row.data,
    occurredAt: row.occurred_at,
    traceparent: row.traceparent ?? undefined,
  }))
}

/** Appends to the log in the order given, and answers the positions in the same order. */
export async function appendToLogAcrossResellers(
  db: Db,
  events: readonly (OutboxEvent & { body: string })[],
  loggedAt: Date,
): Promise<number[]> {
  const { rows } = await db.query<{ position: string }>(
    `insert into events (reseller_id, position, event_id, type, sub_client_id, occurred_at, logged_at, body)
     select e.reseller_id, nextval('event_positions'), e.event_id, e.type, e.sub_client_id, e.occurred_at, $7, e.body
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])
            with ordinality e (reseller_id, event_id, type, sub_client_id, occurred_at, body, nth)
      order by e.nth
     returning position`,
    [
      events.map(({ resellerId }) => resellerId),
      events.map(({ eventId }) => eventId),
      events.map(({ type }) => type),
      events.map(({ subClientId }) => subClientId ?? null),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ body }) => body),
      loggedAt,
    ],
  )
  return rows.map(({ position }) => Number(position)).sort((a, b) => a - b)
}

export type LogFilter = {
  readonly types: readonly EventType[]
  /** Only events of this sub-client. */
  readonly subClientPin: string | undefined
}

/** The log after a position, in its order. One more than asked. */
export async function selectEventsAfter(
  db: Db,
  resellerId: string,
  { types, subClientPin }: LogFilter,
  page: { after: number; limit: number },
): Promise<LoggedEvent[]> {
  const { rows } = await db.query<EventRow>(
    `select reseller_id, position, event_id, type, sub_client_id, body
       from events
      where reseller_id = $1 and position > $2 and type = any ($3) and ($4::text is null or sub_client_id = $4)
      order by position
      limit $5`,
    [resellerId, page.after, types, subClientPin ?? null, page.limit + 1],
  )
  return rows.map(eventFromRow)
}

/** The last position of a reseller's log, also where what stood there has been removed. */
export async function selectLogEnd(db: Db, resellerId: string): Promise<number> {
  const { rows } = await db.query<{ position: string }>(
    `select greatest((select max(position) from events where reseller_id = $1),
                     (select removed_up_to from event_log_starts where reseller_id = $1), 0) as position`,
    [resellerId],
  )
  return Number(rows[0]?.position ?? 0)
}

/** What each of these resellers' logs got after a position, in the order of the log, up to `limit` of each. */
export async function selectNewEventsAcrossResellers(
  db: Db,
  ends: readonly { readonly resellerId: string; readonly end: number }[],
  limit: number,
): Promise<LoggedEvent[]> {
  const { rows } = await db.query<EventRow>(
    `select e.*
       from unnest($1::text[], $2::bigint[]) as known (reseller_id, position)
      cross join lateral (select reseller_id, position, event_id, type, sub_client_id, body
                            from events
                           where reseller_id = known.reseller_id and position > known.position
                           order by position
                           limit $3) e
      order by e.position`,
    [ends.map(({ resellerId }) => resellerId), ends.map(({ end }) => end), limit],
  )
  return rows.map(eventFromRow)
}

/** Up to which position the log of a reseller has been removed. */
export async function selectRemovedUpTo(db: Db, resellerId: string): Promise<number> {
  const { rows } = await db.query<{ removed_up_to: string }>('select removed_up_to from event_log_starts where reseller_id = $1', [
    resellerId,
  ])
  return Number(rows[0]?.removed_up_to ?? 0)
}

/** Notes that the log of every reseller is removed as far as it is older than `before`: to be called before it is. */
export async function noteRemovedBeforeAcrossResellers(db: Db, before: Date): Promise<void> {
  await db.query(
    `insert into event_log_starts as s (reseller_id, removed_up_to)
     select r.reseller_id, last.position
       from resellers r
      cross join lateral (select e.position from events e
                           where e.reseller_id = r.reseller_id and e.logged_at < $1
                           order by e.position desc limit 1) last
     on conflict (reseller_id) do update set removed_up_to = greatest(s.removed_up_to, excluded.removed_up_to)
      where s.removed_up_to < excluded.removed_up_to`,
    [before],
  )
}

/**
 * Removes a bounded number of the events of before the log was partitioned, which go row by row, and notes up to where, in one statement.
 * Answers how many; call again while it is that number.
 */
export async function deleteOldEventsAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with removed as (
       delete from events
        where to_regclass('public.events_before') is not null and tableoid = to_regclass('public.events_before')
          and (reseller_id, position) in (select reseller_id, position from events
                                           where tableoid = to_regclass('public.events_before') and logged_at < $1
                                           order by logged_at limit $2)
       returning reseller_id, position
     ), noted as (
       insert into event_log_starts as s (reseller_id, removed_up_to)
       select reseller_id, max(position) from removed group by reseller_id
       on conflict (reseller_id) do update set removed_up_to = greatest(s.removed_up_to, excluded.removed_up_to)
     )
     select count(*)::int as count from removed`,
    [before, limit],
  )
  return rows[0]?.count ?? 0
}

/** The next events of the log are that much further on: readers may have cursors beyond what the log has, after it was restored. */
export async function skipPositionsAcrossResellers(db: Db, count: number): Promise<void> {
  await db.query(`select setval('event_positions', (select last_value from event_positions) + $1)`, [count])
}

type OutboxRow = {
  reseller_id: string
  event_id: string
  type: EventType
  sub_client_id: string | null
  data: string
  occurred_at: Date
  traceparent: string | null
}

type EventRow = {
  reseller_id: string
  position: string
  event_id: string
  type: EventType
  sub_client_id: string | null
  body: string
}

function eventFromRow(row: EventRow): LoggedEvent {
  return {
    resellerId: row.reseller_id,
    position: Number(row.position),
    eventId: row.event_id,
    type: row.type,
    subClientId: row.sub_client_id ?? undefined,
    body: row.body,
  }
}
