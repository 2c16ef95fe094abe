// The worker's side of deliveries: what is due is claimed for a while, attempted outside of any transaction, and what came of it is stored.

import type { Db, NamedStatement } from '@roadworthy/service-kit/postgres/db'
import type { Room } from './attempt-slots.ts'
import type { Attempt } from './delivery.ts'
import type { EndpointHealth, EndpointStatus } from './endpoint.ts'

export type Claimed = {
  readonly resellerId: string
  readonly endpointId: string
  readonly deliveryId: string
  readonly claimId: string
  readonly eventId: string
  readonly body: string
  /** Of the trace that the event is part of, where it is kept. */
  readonly traceparent: string | undefined
  /** Of the schedule: how many attempts have failed. */
  readonly step: number
  readonly url: string
  readonly headersSealed: Buffer | undefined
  readonly secretsSealed: Buffer
  /** It failed last, or is slow. */
  readonly isDegraded: boolean
}

export type ClaimLimits = Room & {
  /** How many may be under way at one endpoint, in all processes. */
  readonly perEndpoint: number
  /** The same for an endpoint whose last attempt failed: one that is dead does not take the slots of the living. */
  readonly perFailingEndpoint: number
}

const DUE_ENDPOINTS = `with recursive waiting (reseller_id, endpoint_id) as (
     (select reseller_id, endpoint_id
        from webhook_deliveries
       where status = 'pending'
       order by reseller_id, endpoint_id
       limit 1)
     union all
     select leap.*
       from waiting w
      cross join lateral (
            select d.reseller_id, d.endpoint_id
              from webhook_deliveries d
             where d.status = 'pending' and (d.reseller_id, d.endpoint_id) > (w.reseller_id, w.endpoint_id)
             order by d.reseller_id, d.endpoint_id
             limit 1) leap
   )
   select e.reseller_id, e.endpoint_id
     from waiting
     join webhook_endpoints e using (reseller_id, endpoint_id)
    where e.status = 'enabled'
      and not exists (select from resellers r where r.reseller_id = e.reseller_id and r.subscription = 'canceled')
      and exists (
          select
            from webhook_deliveries d
           where d.status = 'pending' and d.reseller_id = e.reseller_id and d.endpoint_id = e.endpoint_id and d.next_attempt_at <= $1)`

/** Planning these three costs more than running them, and they run all the time. */
const LOOK_FOR_DUE_ENDPOINT: NamedStatement = { name: 'look for due webhooks', text: `${DUE_ENDPOINTS} limit 1` }

const LOCK_DUE_ENDPOINTS: NamedStatement = {
  name: 'lock endpoints with due webhooks',
  text: `${DUE_ENDPOINTS} for no key update of e skip locked`,
}

const CLAIM: NamedStatement = {
  name: 'claim due webhooks',
  text: `with open as (
     select e.reseller_id, e.endpoint_id, case when e.failing_since is null then $4::int else $5::int end as slots,
            e.failing_since is not null or e.endpoint_id = any ($7::text[]) as is_degraded,
            (select count(*)
               from webhook_deliveries c
              where c.reseller_id = e.reseller_id and c.endpoint_id = e.endpoint_id and c.claimed_until > now()) as under_way
       from unnest($10::text[], $11::text[]) locked (reseller_id, endpoint_id)
       join webhook_endpoints e using (reseller_id, endpoint_id)
   ), due as (
     select d.reseller_id, d.delivery_id, d.next_attempt_at, o.is_degraded, o.under_way,
            row_number() over (partition by d.reseller_id, d.endpoint_id order by d.next_attempt_at) as turn
       from open o
      cross join lateral (
            select p.reseller_id, p.endpoint_id, p.delivery_id, p.next_attempt_at
              from webhook_deliveries p
             where p.status = 'pending' and p.reseller_id = o.reseller_id and p.endpoint_id = o.endpoint_id
               and p.next_attempt_at <= $2 and (p.claimed_until is null or p.claimed_until <= now())
             order by p.next_attempt_at
             limit greatest(0, o.slots - o.under_way)
               for no key update skip locked) d
   ), in_share as (
     select *
       from (select *, row_number() over (partition by is_degraded order by turn, next_attempt_at, delivery_id) as nth_of_kind
               from due) h
      where not is_degraded or nth_of_kind <= $8
   ), chosen as (
     select reseller_id, delivery_id, is_degraded
       from (select *, under_way + turn > 1 as is_further, row_number() over (order by turn, next_attempt_at, delivery_id) as nth
               from in_share) f
      where not is_further or nth <= $9
      order by turn, next_attempt_at, delivery_id
      limit $6
   )
   update webhook_deliveries d
      set claim_id = $1, claimed_until = now() + $3::int * interval '1 ms'
     from chosen, webhook_endpoints e, webhook_messages m
    where d.reseller_id = chosen.reseller_id and d.delivery_id = chosen.delivery_id
      and e.reseller_id = d.reseller_id and e.endpoint_id = d.endpoint_id
      and m.reseller_id = d.reseller_id and m.event_id = d.event_id
   returning d.reseller_id, d.endpoint_id, d.delivery_id, d.claim_id, d.event_id, d.step, m.body, m.traceparent, e.url, e.headers_sealed, e.secrets_sealed,
             chosen.is_degraded`,
}

/** Whether anything is due at `at`, claimed or not, without a transaction: most of the time nothing is. */
export async function isAnyDueAcrossResellers(db: Db, at: Date): Promise<boolean> {
  const { rows } = await db.query(LOOK_FOR_DUE_ENDPOINT, [at])
  return rows.length > 0
}

/**
 * Claims what is due at `at` for `claimMs` by the database's clock, which all processes share; theirs may differ. In turns: the first of every endpoint before the second of any, so that no backlog fills the claim.
 * Those that are degraded get their share of the slots, and no more.
 * An endpoint that another process claims from at this moment is left to it. `db`: a transaction, whose second statement sees what was claimed
 * before the first had its locks; one statement alone would count what is under way as it was when it began.
 *
 * Its cost is in the endpoints that have something pending, not in deliveries: `waiting` leaps from one endpoint to the next in the index
 * of pending ones.
 */
export async function claimDueAcrossResellers(
  db: Db,
  claim: { claimId: string; at: Date; claimMs: number },
  { room, degradedRoom, furtherRoom, slowEndpointIds, perEndpoint, perFailingEndpoint }: ClaimLimits,
): Promise<Claimed[]> {
  const { rows: locked } = await db.query<{ reseller_id: string; endpoint_id: string }>(LOCK_DUE_ENDPOINTS, [claim.at])
  if (locked.length === 0) return []
  const { rows } = await db.query<ClaimedRow>(CLAIM, [
    ...[claim.claimId, claim.at, claim.claimMs],
    ...[perEndpoint, perFailingEndpoint, room, slowEndpointIds, degradedRoom, furtherRoom],
    ...[locked.map((row) => row.reseller_id), locked.map((row) => row.endpoint_id)],
  ])
  return rows.map(claimedFromRow)
}

type ClaimedRow = {
  reseller_id: string
  endpoint_id: string
  delivery_id: string
  claim_id: string
  event_id: string
  body: string
  traceparent: string | null
  step: number
  url: string
  headers_sealed: Buffer | null
  secrets_sealed: Buffer
  is_degraded: boolean
}

function claimedFromRow(row: ClaimedRow): Claimed {
  return {
    resellerId: row.reseller_id,
    endpointId: row.endpoint_id,
    deliveryId: row.delivery_id,
    claimId: row.claim_id,
    eventId: row.event_id,
    body: row.body,
    traceparent: row.traceparent ?? undefined,
    step: row.step,
    url: row.url,
    headersSealed: row.headers_sealed ?? undefined,
    secretsSealed: row.secrets_sealed,
    isDegraded: row.is_degraded,
  }
}

/** Taken before anything else is written of an attempt, so that those of one endpoint are judged one after the other. */
export async function lockEndpointHealthAcrossResellers(
  db: Db,
  { resellerId, endpointId }: { resellerId: string; endpointId: string },
): Promise<{ status: EndpointStatus | 'deleted'; url: string; subClientId: string | undefined; health: EndpointHealth } | undefined> {
  const { rows } = await db.query<{
    status: EndpointStatus | 'deleted'
    url: string
    sub_client_id: string | null
    failing_since: Date | null
    failure_count: number
    warned_at: Date | null
  }>(
    `select status, url, sub_client_id, failing_since, failure_count, warned_at
       from webhook_endpoints
      where reseller_id = $1 and endpoint_id = $2
        for no key update`,
    [resellerId, endpointId],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { failing_since: failingSince, failure_count: failureCount, warned_at: warnedAt } = row
  const health = { failingSince: failingSince ?? undefined, failureCount, warnedAt: warnedAt ?? undefined }
  return { status: row.status, url: row.url, subClientId: row.sub_client_id ?? undefined, health }
}

/** Records how an attempt ended. False: the delivery is gone, and nothing is recorded. */
export async function insertAttemptAcrossResellers(
  db: Db,
  { resellerId, deliveryId }: { resellerId: string; deliveryId: string },
  attempt: Attempt,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into webhook_attempts (reseller_id, delivery_id, attempt_id, attempted_at, url, request_headers, outcome, answer_status,
                                   answer_headers, answer_body, error, duration_ms)
     select reseller_id, delivery_id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
       from webhook_deliveries
      where reseller_id = $1 and delivery_id = $2
        for no key update`,
    [
      resellerId,
      deliveryId,
      attempt.attemptId,
      attempt.attemptedAt,
      attempt.url,
      JSON.stringify(attempt.requestHeaders),
      attempt.outcome,
      attempt.answer?.status ?? null,
      attempt.answer === undefined ? null : JSON.stringify(attempt.answer.headers),
      attempt.answer?.body ?? null,
      attempt.error ?? null,
      attempt.durationMs,
    ],
  )
  return rowCount === 1
}

type Ended = Pick<Claimed, 'resellerId' | 'deliveryId' | 'claimId'>

/** What was received was received, even if the claim had run out and somebody else is at it again. */
export async function updateDeliverySucceededAcrossResellers(db: Db, ended: Ended, attempt: Attempt, at: Date): Promise<void> {
  await db.query(
    `update webhook_deliveries
        set status = 'delivered', delivered_at = coalesce(delivered_at, $4), claim_id = null, claimed_until = null,
            attempt_count = attempt_count + 1, last_attempt_at = $3, last_outcome = $5, last_answer_status = $6
      where reseller_id = $1 and delivery_id = $2`,
    [ended.resellerId, ended.deliveryId, attempt.attemptedAt, at, attempt.outcome, attempt.answer?.status ?? null],
  )
}

/** Goes on to the next step of the schedule, or gives up without one. When the claim had run out, whoever has it now decides. */
export async function updateDeliveryFailedAcrossResellers(
  db: Db,
  ended: Ended,
  attempt: Attempt,
  next: { step: number; at: Date } | undefined,
): Promise<void> {
  await db.query(
    `update webhook_deliveries
        set attempt_count = attempt_count + 1, last_attempt_at = $4, last_outcome = $5, last_answer_status = $6,
            status = case when claim_id is distinct from $3 or $7::smallint is not null then status else 'failed' end,
            step = case when claim_id = $3 then coalesce($7, step) else step end,
            next_attempt_at = case when claim_id = $3 then coalesce($8, next_attempt_at) else next_attempt_at end,
            claimed_until = case when claim_id = $3 then null else claimed_until end,
            claim_id = case when claim_id = $3 then null else claim_id end
      where reseller_id = $1 and delivery_id = $2`,
    [
      ended.resellerId,
      ended.deliveryId,
      ended.claimId,
      attempt.attemptedAt,
      attempt.outcome,
      attempt.answer?.status ?? null,
      next?.step ?? null,
      next?.at ?? null,
    ],
  )
}

/** Gives back what was claimed and not attempted to its end, as if it had not been. */
export async function releaseClaimAcrossResellers(db: Db, { resellerId, deliveryId, claimId }: Ended): Promise<void> {
  await db.query(
    `update webhook_deliveries set claim_id = null, claimed_until = null where reseller_id = $1 and delivery_id = $2 and claim_id = $3`,
    [resellerId, deliveryId, claimId],
  )
}

export type Backlog = { readonly pendingCount: number; readonly oldestPendingAt: Date | undefined }

/** What enabled endpoints are still to be sent, of resellers to whom anything is sent. */
export async function selectBacklogAcrossResellers(db: Db): Promise<Backlog> {
  const { rows } = await db.query<{ count: number; oldest: Date | null }>(
    `select count(*)::int as count, min(d.created_at) as oldest
       from webhook_deliveries d
       join webhook_endpoints e using (reseller_id, endpoint_id)
       join resellers r using (reseller_id)
      where d.status = 'pending' and e.status = 'enabled' and r.subscription <> 'canceled'`,
  )
  return { pendingCount: rows[0]?.count ?? 0, oldestPendingAt: rows[0]?.oldest ?? undefined }
}
