// What is to be delivered to whom, as the API sees it. What the worker does with it is in claims.sql.ts.

import type { EventType } from '@roadworthy/contracts/webhooks/events'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { LoggedEvent } from '../events/event.ts'
import type { Attempt, AttemptOutcome, Delivery, DeliveryStatus } from './delivery.ts'

export type NewDelivery = { readonly endpointId: string; readonly event: LoggedEvent }

/** What counts as not delivered yet, of a delivery that is there already: a new try, from the first step of the schedule. */
const RENEWED = `status = 'pending', step = 0, next_attempt_at = excluded.next_attempt_at`

/**
 * Stores what is to be delivered, due at once, each event once for each endpoint. Those that are there already are left alone; with `renew`
 * the failed ones among them, and those that wait for a later attempt, become due. Answers how many became due.
 */
export async function insertDeliveriesAcrossResellers(
  db: Db,
  deliveries: readonly NewDelivery[],
  { at, renew }: { at: Date; renew: boolean },
): Promise<number> {
  if (deliveries.length === 0) return 0
  const events = [...new Map(deliveries.map(({ event }) => [event.eventId, event])).values()]
  await insertMessages(db, events, at)
  const { rowCount } = await db.query(
    `insert into webhook_deliveries as d (reseller_id, delivery_id, endpoint_id, event_id, event_type, next_attempt_at, created_at)
     select n.*, $6, $6 from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) n
     on conflict on constraint webhook_deliveries_event_key
     ${renew ? `do update set ${RENEWED} where d.status = 'failed' or (d.status = 'pending' and d.next_attempt_at > excluded.next_attempt_at)` : 'do nothing'}`,
    [
      deliveries.map(({ event }) => event.resellerId),
      deliveries.map(() => newId('whd')),
      deliveries.map(({ endpointId }) => endpointId),
      deliveries.map(({ event }) => event.eventId),
      deliveries.map(({ event }) => event.type),
      at,
    ],
  )
  return rowCount ?? 0
}

async function insertMessages(db: Db, events: readonly LoggedEvent[], at: Date): Promise<void> {
  await db.query(
    `insert into webhook_messages (reseller_id, event_id, event_type, sub_client_id, body, traceparent, created_at)
     select n.*, $7 from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) n
     on conflict (reseller_id, event_id) do nothing`,
    [
      events.map(({ resellerId }) => resellerId),
      events.map(({ eventId }) => eventId),
      events.map(({ type }) => type),
      events.map(({ subClientId }) => subClientId ?? null),
      events.map(({ body }) => body),
      events.map(({ traceparent }) => traceparent ?? null),
      at,
    ],
  )
}

export type DeliveryFilter = {
  readonly status: DeliveryStatus | undefined
  readonly eventType: EventType | undefined
  readonly eventId: string | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
}

/** Newest first. One more than asked. */
export async function selectDeliveries(
  db: Db,
  { resellerId, endpointId }: { resellerId: string; endpointId: string },
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Delivery[]> {
  const { rows } = await db.query<DeliveryRow>(
    `select *
       from webhook_deliveries
      where reseller_id = $1 and endpoint_id = $2 and ($3::text is null or status = $3) and ($4::text is null or event_type = $4)
        and ($5::text is null or event_id = $5) and (created_at, delivery_id) < ($6::timestamptz, $7)
        and ($9::timestamptz is null or created_at >= $9) and ($10::timestamptz is null or created_at < $10)
      order by created_at desc, delivery_id desc
      limit $8`,
    [
      resellerId,
      endpointId,
      filter.status ?? null,
      filter.eventType ?? null,
      filter.eventId ?? null,
      page.after.at,
      page.after.id,
      page.limit + 1,
      filter.from ?? null,
      filter.to ?? null,
    ],
  )
  return rows.map(deliveryFromRow)
}

export type DeliveryCounts = { readonly delivered: number; readonly failing: number; readonly waiting: number }

/** Of the newest `limit` of an endpoint since then. */
export async function selectDeliveryCounts(
  db: Db,
  { resellerId, endpointId }: { resellerId: string; endpointId: string },
  since: Date,
  limit: number,
): Promise<DeliveryCounts> {
  const { rows } = await db.query<DeliveryCounts>(
    `select count(*) filter (where status = 'delivered')::int as delivered,
            count(*) filter (where status = 'failed' or (status = 'pending' and attempt_count > 0))::int as failing,
            count(*) filter (where status = 'pending' and attempt_count = 0)::int as waiting
       from (select status, attempt_count
               from webhook_deliveries
              where reseller_id = $1 and endpoint_id = $2 and created_at >= $3
              order by created_at desc, delivery_id desc
              limit $4) newest`,
    [resellerId, endpointId, since, limit],
  )
  return rows[0] ?? { delivered: 0, failing: 0, waiting: 0 }
}

export type DeliveryPlace = { readonly resellerId: string; readonly endpointId: string; readonly deliveryId: string }

export async function selectDelivery(
  db: Db,
  { resellerId, endpointId, deliveryId }: DeliveryPlace,
): Promise<(Delivery & { readonly body: string }) | undefined> {
  const { rows } = await db.query<DeliveryRow & { body: string }>(
    `select d.*, m.body
       from webhook_deliveries d
       join webhook_messages m on m.reseller_id = d.reseller_id and m.event_id = d.event_id
      where d.reseller_id = $1 and d.endpoint_id = $2 and d.delivery_id = $3`,
    [resellerId, endpointId, deliveryId],
  )
  return rows[0] && { ...deliveryFromRow(rows[0]), body: rows[0].body }
}

/** Newest first. */
export async function selectAttempts(db: Db, resellerId: string, deliveryId: string, limit: number): Promise<Attempt[]> {
  const { rows } = await db.query<AttemptRow>(
    `select *
       from webhook_attempts
      where reseller_id = $1 and delivery_id = $2
      order by attempted_at desc, attempt_id desc
      limit $3`,
    [resellerId, deliveryId, limit],
  )
  return rows.map(attemptFromRow)
}

/**
 * Makes a delivery due, whatever became of it, with the whole schedule before it. Undefined when there is none. An attempt that is under way
 * loses its claim, so that its failure cannot undo this.
 */
export async function updateDeliveryResent(
  db: Db,
  { resellerId, endpointId, deliveryId }: DeliveryPlace,
  at: Date,
): Promise<Delivery | undefined> {
  const { rows } = await db.query<DeliveryRow>(
    `update webhook_deliveries
        set status = 'pending', step = 0, next_attempt_at = $4, claim_id = null, claimed_until = null
      where reseller_id = $1 and endpoint_id = $2 and delivery_id = $3
     returning *`,
    [resellerId, endpointId, deliveryId, at],
  )
  return rows[0] && deliveryFromRow(rows[0])
}

/** Which of these types are still to be sent to the endpoint, by a filter that it had before. */
export async function selectPendingTypes(
  db: Db,
  { resellerId, endpointId }: { resellerId: string; endpointId: string },
  types: readonly EventType[],
): Promise<EventType[]> {
  const { rows } = await db.query<{ event_type: EventType }>(
    `select distinct event_type
       from webhook_deliveries
      where reseller_id = $1 and endpoint_id = $2 and status = 'pending' and event_type = any ($3)`,
    [resellerId, endpointId, types],
  )
  return rows.map(({ event_type }) => event_type)
}

/** Brings what waits for a later attempt forward to `at`. Answers how many, `limit` at most; call again while it is that number. */
export async function updatePendingDue(
  db: Db,
  { resellerId, endpointId }: { resellerId: string; endpointId: string },
  at: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `update webhook_deliveries
        set next_attempt_at = $3
      where (reseller_id, delivery_id) in (
              select reseller_id, delivery_id
                from webhook_deliveries
               where reseller_id = $1 and endpoint_id = $2 and status = 'pending' and next_attempt_at > $3
               limit $4
                 for no key update)`,
    [resellerId, endpointId, at, limit],
  )
  return rowCount ?? 0
}

type DeliveryRow = {
  delivery_id: string
  endpoint_id: string
  event_id: string
  event_type: EventType
  status: DeliveryStatus
  attempt_count: number
  next_attempt_at: Date
  last_attempt_at: Date | null
  last_outcome: AttemptOutcome | null
  last_answer_status: number | null
  delivered_at: Date | null
  created_at: Date
}

function deliveryFromRow(row: DeliveryRow): Delivery {
  return {
    deliveryId: row.delivery_id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status,
    attemptCount: row.attempt_count,
    nextAttemptAt: row.next_attempt_at,
    lastAttemptAt: row.last_attempt_at ?? undefined,
    lastOutcome: row.last_outcome ?? undefined,
    lastAnswerStatus: row.last_answer_status ?? undefined,
    deliveredAt: row.delivered_at ?? undefined,
    createdAt: row.created_at,
  }
}

type AttemptRow = {
  attempt_id: string
  attempted_at: Date
  url: string
  request_headers: Record<string, string>
  outcome: AttemptOutcome
  answer_status: number | null
  answer_headers: Record<string, string> | null
  answer_body: string | null
  error: string | null
  duration_ms: number
}

function attemptFromRow(row: AttemptRow): Attempt {
  return {
    attemptId: row.attempt_id,
    attemptedAt: row.attempted_at,
    url: row.url,
    requestHeaders: row.request_headers,
    outcome: row.outcome,
    answer:
      row.answer_status === null
        ? undefined
        : { status: row.answer_status, headers: row.answer_headers ?? {}, body: row.answer_body ?? '' },
    error: row.error ?? undefined,
    durationMs: row.duration_ms,
  }
}
