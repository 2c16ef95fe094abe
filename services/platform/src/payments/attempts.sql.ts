import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Attempt, Capture } from './attempt.ts'
import type { AttemptStatus } from './attempt-states.ts'
import type { GatewayId } from './gateways/gateway.ts'

const COLUMNS = `reseller_id, attempt_id, invoice_id, sub_client_id, issuer_id, connection_id, gateway, gateway_ref, amount_minor, currency, status,
  description, customer_email, return_url, expires_at, checkout_url, failure, ended_at, unanswered_since, abandoned_at, created_at, updated_at`

type AttemptKey = Pick<Attempt, 'resellerId' | 'attemptId'>

export async function insertAttempt(db: Db, attempt: Attempt): Promise<void> {
  await db.query(
    `insert into payment_attempts (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
    [
      ...[attempt.resellerId, attempt.attemptId, attempt.invoiceId, attempt.subClientId, attempt.issuerId, attempt.connectionId],
      ...[attempt.gateway, attempt.gatewayRef ?? null, attempt.amountMinor, attempt.currency, attempt.status, attempt.description],
      ...[attempt.customerEmail ?? null, attempt.returnUrl, attempt.expiresAt, attempt.checkoutUrl ?? null, attempt.failure ?? null],
      ...[attempt.endedAt ?? null, attempt.unansweredSince ?? null, attempt.abandonedAt ?? null, attempt.createdAt, attempt.updatedAt],
    ],
  )
}

export async function selectAttempt(db: Db, { resellerId, attemptId }: AttemptKey): Promise<Attempt | undefined> {
  const { rows } = await db.query<AttemptRow>(`select ${COLUMNS} from payment_attempts where reseller_id = $1 and attempt_id = $2`, [
    resellerId,
    attemptId,
  ])
  return rows.map(attemptFromRow)[0]
}

/** Of the issuer of the invoice, not of the one who pays. */
export async function selectAttemptAcrossResellers(db: Db, issuerId: string, attemptId: string): Promise<Attempt | undefined> {
  const { rows } = await db.query<AttemptRow>(`select ${COLUMNS} from payment_attempts where issuer_id = $1 and attempt_id = $2`, [
    issuerId,
    attemptId,
  ])
  return rows.map(attemptFromRow)[0]
}

/** As it is until the transaction ends. Its invoice is locked before it. */
export async function lockAttempt(db: Db, { resellerId, attemptId }: AttemptKey): Promise<Attempt | undefined> {
  const { rows } = await db.query<AttemptRow>(
    `select ${COLUMNS} from payment_attempts where reseller_id = $1 and attempt_id = $2 for no key update`,
    [resellerId, attemptId],
  )
  return rows.map(attemptFromRow)[0]
}

/** The one that keeps the invoice from being paid in another way. */
export async function selectLiveAttempt(db: Db, resellerId: string, invoiceId: string): Promise<Attempt | undefined> {
  const { rows } = await db.query<AttemptRow>(
    `select ${COLUMNS} from payment_attempts where reseller_id = $1 and invoice_id = $2 and status in ('created', 'pending')`,
    [resellerId, invoiceId],
  )
  return rows.map(attemptFromRow)[0]
}

/** Of this connection, whoever pays, by any of its names. */
export async function selectAttemptOfConnectionAcrossResellers(
  db: Db,
  connectionId: string,
  by: { readonly attemptId?: string | undefined; readonly gatewayRef?: string | undefined; readonly paymentRef?: string | undefined },
): Promise<Attempt | undefined> {
  const { rows } = await db.query<AttemptRow>(
    `select ${COLUMNS}
       from payment_attempts
      where connection_id = $1
        and case when $2::text is not null then attempt_id = $2
                 when $3::text is not null then gateway_ref = $3
                 else attempt_id = (select attempt_id from payment_captures where connection_id = $1 and payment_ref = $4) end`,
    [connectionId, by.attemptId ?? null, by.gatewayRef ?? null, by.paymentRef ?? null],
  )
  return rows.map(attemptFromRow)[0]
}

/** Oldest first. */
export async function selectAttemptsOfInvoice(db: Db, resellerId: string, invoiceId: string): Promise<Attempt[]> {
  const { rows } = await db.query<AttemptRow>(
    `select ${COLUMNS} from payment_attempts where reseller_id = $1 and invoice_id = $2 order by created_at, attempt_id`,
    [resellerId, invoiceId],
  )
  return rows.map(attemptFromRow)
}

/** True: nobody else opens it until then, by the database's clock, and it is still to be opened. */
export async function claimOpening(db: Db, { resellerId, attemptId }: AttemptKey, claimMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payment_attempts
        set opening_until = clock_timestamp() + $3 * interval '1 millisecond'
      where reseller_id = $1 and attempt_id = $2 and status = 'created' and (opening_until is null or opening_until <= clock_timestamp())`,
    [resellerId, attemptId, claimMs],
  )
  return rowCount === 1
}

export async function releaseOpening(db: Db, { resellerId, attemptId }: AttemptKey): Promise<void> {
  await db.query('update payment_attempts set opening_until = null where reseller_id = $1 and attempt_id = $2', [resellerId, attemptId])
}

/** What moves in its life. */
export async function updateAttempt(db: Db, attempt: Attempt): Promise<void> {
  await db.query(
    `update payment_attempts
        set status = $3, gateway_ref = $4, checkout_url = $5, expires_at = $6, failure = $7, ended_at = $8, unanswered_since = $9, abandoned_at = $10,
            updated_at = $11
      where reseller_id = $1 and attempt_id = $2`,
    [
      ...[attempt.resellerId, attempt.attemptId, attempt.status, attempt.gatewayRef ?? null, attempt.checkoutUrl ?? null],
      ...[attempt.expiresAt, attempt.failure ?? null, attempt.endedAt ?? null, attempt.unansweredSince ?? null],
      ...[attempt.abandonedAt ?? null, attempt.updatedAt],
    ],
  )
}

/** A look brought no answer: since then, unless it is so for longer. */
export async function updateUnanswered(db: Db, { resellerId, attemptId }: AttemptKey, at: Date): Promise<void> {
  await db.query(
    `update payment_attempts
        set unanswered_since = coalesce(unanswered_since, $3)
      where reseller_id = $1 and attempt_id = $2 and status in ('created', 'pending')`,
    [resellerId, attemptId, at],
  )
}

export type AttemptFilter = {
  readonly invoiceId?: string | undefined
  /** More than one: what the wire calls by one name. */
  readonly statuses?: readonly AttemptStatus[] | undefined
  /** Of one sub-client only. */
  readonly subClientId?: string | undefined
}

const FILTER = `($2::text is null or invoice_id = $2) and ($3::text[] is null or status = any ($3)) and ($4::text is null or sub_client_id = $4)`
const filterValues = ({ invoiceId, statuses, subClientId }: AttemptFilter) => [invoiceId ?? null, statuses ?? null, subClientId ?? null]

/** Newest first. */
export async function selectAttempts(db: Db, resellerId: string, filter: AttemptFilter, page: PageRequest): Promise<Attempt[]> {
  const { rows } = await db.query<AttemptRow>(
    `select ${COLUMNS}
       from payment_attempts
      where reseller_id = $1 and ${FILTER} and (created_at, attempt_id) < ($5::timestamptz, $6)
      order by created_at desc, attempt_id desc
      limit $7`,
    [resellerId, ...filterValues(filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(attemptFromRow)
}

export async function countAttempts(db: Db, resellerId: string, filter: AttemptFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from payment_attempts where reseller_id = $1 and ${FILTER}`,
    [resellerId, ...filterValues(filter)],
  )
  return rows[0]?.count ?? 0
}

export type Unsettled = { readonly payments: number; readonly refunds: number; readonly disputes: number }

/** Of this connection: attempts that may still be paid, or ended so lately that they may be paid late; refunds that are not made; disputes that are not over. */
export async function countUnsettledAcrossResellers(db: Db, connectionId: string, endedAfter: Date): Promise<Unsettled> {
  const { rows } = await db.query<Unsettled>(
    `select (select count(*)::int from payment_attempts
              where connection_id = $1 and (status in ('created', 'pending') or (status <> 'paid' and gateway_ref is not null and ended_at > $2))) as payments,
            (select count(*)::int from payment_refunds where connection_id = $1 and status in ('created', 'pending')) as refunds,
            (select count(*)::int from payment_disputes where connection_id = $1 and status in ('open', 'under_review')) as disputes`,
    [connectionId, endedAfter],
  )
  return rows[0] as Unsettled
}

/** The gateway's id of the checkout that was begun last through the connection. */
export async function selectLatestCheckoutAcrossResellers(db: Db, connectionId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ gateway_ref: string }>(
    `select gateway_ref from payment_attempts where connection_id = $1 and gateway_ref is not null order by created_at desc limit 1`,
    [connectionId],
  )
  return rows[0]?.gateway_ref
}

/** False: it is known already. */
export async function insertCapture(db: Db, capture: Capture, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into payment_captures (reseller_id, connection_id, payment_ref, attempt_id, amount_minor, currency, captured_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (connection_id, payment_ref) do nothing`,
    [
      ...[capture.resellerId, capture.connectionId, capture.paymentRef, capture.attemptId, capture.amountMinor, capture.currency],
      ...[capture.capturedAt, at],
    ],
  )
  return rowCount === 1
}

export async function updateRefundedElsewhere(
  db: Db,
  { resellerId, connectionId, paymentRef, refundedElsewhereMinor }: Capture,
): Promise<void> {
  await db.query(
    `update payment_captures set refunded_elsewhere_minor = $4 where reseller_id = $1 and connection_id = $2 and payment_ref = $3`,
    [resellerId, connectionId, paymentRef, refundedElsewhereMinor],
  )
}

/** Of several attempts, oldest first. */
export async function selectCaptures(db: Db, resellerId: string, attemptIds: readonly string[]): Promise<Capture[]> {
  const { rows } = await db.query<CaptureRow>(
    `select reseller_id, connection_id, payment_ref, attempt_id, amount_minor, currency, captured_at, refunded_elsewhere_minor
       from payment_captures
      where reseller_id = $1 and attempt_id = any ($2)
      order by captured_at, payment_ref`,
    [resellerId, attemptIds],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    connectionId: row.connection_id,
    paymentRef: row.payment_ref,
    attemptId: row.attempt_id,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    capturedAt: row.captured_at,
    refundedElsewhereMinor: Number(row.refunded_elsewhere_minor),
  }))
}

type CaptureRow = {
  reseller_id: string
  connection_id: string
  payment_ref: string
  attempt_id: string
  amount_minor: string
  currency: string
  captured_at: Date
  refunded_elsewhere_minor: string
}

type AttemptRow = {
  reseller_id: string
  attempt_id: string
  invoice_id: string
  sub_client_id: string
  issuer_id: string
  connection_id: string
  gateway: GatewayId
  gateway_ref: string | null
  amount_minor: string
  currency: string
  status: AttemptStatus
  description: string
  customer_email: string | null
  return_url: string
  expires_at: Date
  checkout_url: string | null
  failure: string | null
  ended_at: Date | null
  unanswered_since: Date | null
  abandoned_at: Date | null
  created_at: Date
  updated_at: Date
}

function attemptFromRow(row: AttemptRow): Attempt {
  return {
    resellerId: row.reseller_id,
    attemptId: row.attempt_id,
    invoiceId: row.invoice_id,
    subClientId: row.sub_client_id,
    issuerId: row.issuer_id,
    connectionId: row.connection_id,
    gateway: row.gateway,
    gatewayRef: row.gateway_ref ?? undefined,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    status: row.status,
    description: row.description,
    customerEmail: row.customer_email ?? undefined,
    returnUrl: row.return_url,
    expiresAt: row.expires_at,
    checkoutUrl: row.checkout_url ?? undefined,
    failure: row.failure ?? undefined,
    endedAt: row.ended_at ?? undefined,
    unansweredSince: row.unanswered_since ?? undefined,
    abandonedAt: row.abandoned_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
