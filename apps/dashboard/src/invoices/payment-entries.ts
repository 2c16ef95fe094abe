import type { Payment } from '@roadworthy/contracts/sim-billing/payments'
import type { RecordedMoney } from '@roadworthy/contracts/sim-billing/recorded-payments'

type Refund = Payment['refunds'][number]
type Dispute = Payment['disputes'][number]

/** A row of an invoice's payment history. */
export type PaymentEntry =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'recorded'; readonly payment: Payment; readonly recorded: RecordedMoney }
  | { readonly kind: 'refund'; readonly refund: Refund }
  | { readonly kind: 'dispute'; readonly dispute: Dispute }
  /** Given back at the gateway's own pages, which name neither a time nor a reason. */
  | { readonly kind: 'refund elsewhere'; readonly payment: Payment; readonly amountMinor: number }

/** Each payment, followed by what became of its money. */
export function paymentEntries(payments: readonly Payment[]): PaymentEntry[] {
  return payments.flatMap((payment): PaymentEntry[] => {
    if (payment.recorded !== null) return [{ kind: 'recorded', payment, recorded: payment.recorded }]
    const elsewhereMinor = payment.refunded - sum(payment.refunds.filter(isCounted))
    return [
      { kind: 'payment', payment },
      ...payment.refunds.map((refund) => ({ kind: 'refund' as const, refund })),
      ...(elsewhereMinor > 0 ? [{ kind: 'refund elsewhere' as const, payment, amountMinor: elsewhereMinor }] : []),
      ...payment.disputes.map((dispute) => ({ kind: 'dispute' as const, dispute })),
    ]
  })
}

/** As the service counts `refunded`. */
function isCounted({ status }: Refund): boolean {
  return status === 'pending' || status === 'succeeded'
}

function sum(refunds: readonly Refund[]): number {
  return refunds.reduce((total, { amount }) => total + amount, 0)
}

/** As the service allows it: a gateway that gave no answer for a day. Assumption of the service. */
const UNANSWERED_FOR_MS = 24 * 3_600_000

/** Whether its issuer may give up a payment that still keeps the invoice from being paid in another way. */
export function mayBeAbandoned({ status, unanswered_since: since }: Pick<Payment, 'status' | 'unanswered_since'>, nowMs: number): boolean {
  return status === 'pending' && since !== null && Date.parse(since) + UNANSWERED_FOR_MS <= nowMs
}
