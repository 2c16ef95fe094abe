import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Dispute, Refund } from './attempt.ts'
import type { DisputeStatus } from './gateways/gateway.ts'

const REFUND_COLUMNS = `reseller_id, refund_id, attempt_id, connection_id, payment_ref, refund_ref, amount_minor, currency, origin, reason, status,
  is_booked, failure, created_at, updated_at`
const DISPUTE_COLUMNS = `reseller_id, connection_id, dispute_ref, attempt_id, payment_ref, status, amount_minor, currency, withdrawn_minor, reason,
  respond_by, opened_at, updated_at`

export async function insertRefund(db: Db, refund: Refund): Promise<void> {
  await db.query(
    `insert into payment_refunds (${REFUND_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      ...[refund.resellerId, refund.refundId, refund.attemptId, refund.connectionId, refund.paymentRef, refund.refundRef ?? null],
      ...[refund.amountMinor, refund.currency, refund.origin, refund.reason, refund.status, refund.isBooked, refund.failure ?? null],
      ...[refund.createdAt, refund.updatedAt],
    ],
  )
}

export async function selectRefund(db: Db, { resellerId, refundId }: Pick<Refund, 'resellerId' | 'refundId'>): Promise<Refund | undefined> {
  const { rows } = await db.query<RefundRow>(`select ${REFUND_COLUMNS} from payment_refunds where reseller_id = $1 and refund_id = $2`, [
    resellerId,
    refundId,
  ])
  return rows.map(refundFromRow)[0]
}

/** What moves in its life. */
export async function updateRefund(db: Db, refund: Refund): Promise<void> {
  await db.query(
    `update payment_refunds set refund_ref = $3, status = $4, is_booked = $5, failure = $6, updated_at = $7 where reseller_id = $1 and refund_id = $2`,
    [
      refund.resellerId,
      refund.refundId,
      refund.refundRef ?? null,
      refund.status,
      refund.isBooked,
      refund.failure ?? null,
      refund.updatedAt,
    ],
  )
}

/** Of several attempts, oldest first. */
export async function selectRefunds(db: Db, resellerId: string, attemptIds: readonly string[]): Promise<Refund[]> {
  const { rows } = await db.query<RefundRow>(
    `select ${REFUND_COLUMNS} from payment_refunds where reseller_id = $1 and attempt_id = any ($2) order by created_at, refund_id`,
    [resellerId, attemptIds],
  )
  return rows.map(refundFromRow)
}

export async function upsertDispute(db: Db, dispute: Dispute): Promise<void> {
  await db.query(
    `insert into payment_disputes (${DISPUTE_COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict (connection_id, dispute_ref) do update
            set status = excluded.status, amount_minor = excluded.amount_minor, withdrawn_minor = excluded.withdrawn_minor, reason = excluded.reason,
                respond_by = excluded.respond_by, updated_at = excluded.updated_at`,
    [
      ...[dispute.resellerId, dispute.connectionId, dispute.disputeRef, dispute.attemptId, dispute.paymentRef, dispute.status],
      ...[dispute.amountMinor, dispute.currency, dispute.withdrawnMinor, dispute.reason, dispute.respondBy ?? null],
      ...[dispute.openedAt, dispute.updatedAt],
    ],
  )
}

/** Of several attempts, oldest first. */
export async function selectDisputes(db: Db, resellerId: string, attemptIds: readonly string[]): Promise<Dispute[]> {
  const { rows } = await db.query<DisputeRow>(
    `select ${DISPUTE_COLUMNS} from payment_disputes where reseller_id = $1 and attempt_id = any ($2) order by opened_at, dispute_ref`,
    [resellerId, attemptIds],
  )
  return rows.map(disputeFromRow)
}

/** Of these disputes, those that are stored, and of these payments, those that are ours: of this connection, whoever paid. */
export async function selectKnownRefsAcrossResellers(
  db: Db,
  connectionId: string,
  { disputeRefs, paymentRefs }: { readonly disputeRefs: readonly string[]; readonly paymentRefs: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await db.query<{ ref: string }>(
    `select dispute_ref as ref from payment_disputes where connection_id = $1 and dispute_ref = any ($2)
      union
     select payment_ref from payment_captures where connection_id = $1 and payment_ref = any ($3)`,
    [connectionId, disputeRefs, paymentRefs],
  )
  return new Set(rows.map(({ ref }) => ref))
}

type RefundRow = {
  reseller_id: string
  refund_id: string
  attempt_id: string
  connection_id: string
  payment_ref: string
  refund_ref: string | null
  amount_minor: string
  currency: string
  origin: Refund['origin']
  reason: string
  status: Refund['status']
  is_booked: boolean
  failure: string | null
  created_at: Date
  updated_at: Date
}

function refundFromRow(row: RefundRow): Refund {
  return {
    resellerId: row.reseller_id,
    refundId: row.refund_id,
    attemptId: row.attempt_id,
    connectionId: row.connection_id,
    paymentRef: row.payment_ref,
    refundRef: row.refund_ref ?? undefined,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    origin: row.origin,
    reason: row.reason,
    status: row.status,
    isBooked: row.is_booked,
    failure: row.failure ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

type DisputeRow = {
  reseller_id: string
  connection_id: string
  dispute_ref: string
  attempt_id: string
  payment_ref: string
  status: DisputeStatus
  amount_minor: string
  currency: string
  withdrawn_minor: string
  reason: string
  respond_by: Date | null
  opened_at: Date
  updated_at: Date
}

function disputeFromRow(row: DisputeRow): Dispute {
  return {
    resellerId: row.reseller_id,
    connectionId: row.connection_id,
    disputeRef: row.dispute_ref,
    attemptId: row.attempt_id,
    paymentRef: row.payment_ref,
    status: row.status,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    withdrawnMinor: Number(row.withdrawn_minor),
    reason: row.reason,
    respondBy: row.respond_by ?? undefined,
    openedAt: row.opened_at,
    updatedAt: row.updated_at,
  }
}
