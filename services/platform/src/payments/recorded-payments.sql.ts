import type { PaymentMethod } from '@roadworthy/contracts/sim-billing/recorded-payments'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { RecordedPayment } from './recorded-payment.ts'

const COLUMNS = `reseller_id, payment_id, invoice_id, sub_client_id, issuer_id, amount_minor, currency, method, received_on, reference, reversed_at,
  reversal_reason, created_at`

type PaymentKey = Pick<RecordedPayment, 'resellerId' | 'paymentId'>

export async function insertRecordedPayment(db: Db, payment: RecordedPayment): Promise<void> {
  await db.query(
    `insert into recorded_payments (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      ...[payment.resellerId, payment.paymentId, payment.invoiceId, payment.subClientId, payment.issuerId, payment.amountMinor],
      ...[payment.currency, payment.method, payment.receivedOn, payment.reference ?? null, payment.reversal?.at ?? null],
      ...[payment.reversal?.reason ?? null, payment.createdAt],
    ],
  )
}

/** Its invoice is locked. */
export async function updateReversal(db: Db, { resellerId, paymentId }: PaymentKey, at: Date, reason: string): Promise<void> {
  await db.query('update recorded_payments set reversed_at = $3, reversal_reason = $4 where reseller_id = $1 and payment_id = $2', [
    ...[resellerId, paymentId, at, reason],
  ])
}

export async function selectRecordedPayment(db: Db, { resellerId, paymentId }: PaymentKey): Promise<RecordedPayment | undefined> {
  const { rows } = await db.query<RecordedRow>(`select ${COLUMNS} from recorded_payments where reseller_id = $1 and payment_id = $2`, [
    resellerId,
    paymentId,
  ])
  return rows.map(recordedFromRow)[0]
}

/** Oldest first. */
export async function selectRecordedPaymentsOfInvoice(db: Db, resellerId: string, invoiceId: string): Promise<RecordedPayment[]> {
  const { rows } = await db.query<RecordedRow>(
    `select ${COLUMNS} from recorded_payments where reseller_id = $1 and invoice_id = $2 order by created_at, payment_id`,
    [resellerId, invoiceId],
  )
  return rows.map(recordedFromRow)
}

export type RecordedFilter = {
  readonly invoiceId?: string | undefined
  /** Only those that were taken back, or only those that were not. */
  readonly isReversed?: boolean | undefined
  /** Of one sub-client only. */
  readonly subClientId?: string | undefined
}

const FILTER = `($2::text is null or invoice_id = $2) and ($3::boolean is null or (reversed_at is not null) = $3)
  and ($4::text is null or sub_client_id = $4)`
const filterValues = ({ invoiceId, isReversed, subClientId }: RecordedFilter) => [
  ...[invoiceId ?? null, isReversed ?? null, subClientId ?? null],
]

/** Newest first. */
export async function selectRecordedPayments(
  db: Db,
  resellerId: string,
  filter: RecordedFilter,
  page: PageRequest,
): Promise<RecordedPayment[]> {
  const { rows } = await db.query<RecordedRow>(
    `select ${COLUMNS}
       from recorded_payments
      where reseller_id = $1 and ${FILTER} and (created_at, payment_id) < ($5::timestamptz, $6)
      order by created_at desc, payment_id desc
      limit $7`,
    [resellerId, ...filterValues(filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(recordedFromRow)
}

export async function countRecordedPayments(db: Db, resellerId: string, filter: RecordedFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from recorded_payments where reseller_id = $1 and ${FILTER}`,
    [resellerId, ...filterValues(filter)],
  )
  return rows[0]?.count ?? 0
}

type RecordedRow = {
  reseller_id: string
  payment_id: string
  invoice_id: string
  sub_client_id: string
  issuer_id: string
  amount_minor: string
  currency: string
  method: PaymentMethod
  received_on: string
  reference: string | null
  reversed_at: Date | null
  reversal_reason: string | null
  created_at: Date
}

function recordedFromRow(row: RecordedRow): RecordedPayment {
  return {
    resellerId: row.reseller_id,
    paymentId: row.payment_id,
    invoiceId: row.invoice_id,
    subClientId: row.sub_client_id,
    issuerId: row.issuer_id,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    method: row.method,
    receivedOn: row.received_on,
    reference: row.reference ?? undefined,
    reversal: row.reversed_at === null ? undefined : { at: row.reversed_at, reason: row.reversal_reason ?? '' },
    createdAt: row.created_at,
  }
}
