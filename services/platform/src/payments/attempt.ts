import type { AttemptStatus } from './attempt-states.ts'
import type { GatewayDispute, GatewayId, RefundStatus } from './gateways/gateway.ts'

/** One attempt to pay an invoice: one checkout at a gateway. On the wire it is a payment. */
export type Attempt = {
  readonly resellerId: string
  readonly attemptId: string
  readonly invoiceId: string
  /** '' where the reseller itself pays. */
  readonly subClientId: string
  readonly issuerId: string
  readonly connectionId: string
  readonly gateway: GatewayId
  readonly gatewayRef: string | undefined
  readonly amountMinor: number
  readonly currency: string
  readonly status: AttemptStatus
  readonly description: string
  readonly customerEmail: string | undefined
  readonly returnUrl: string
  readonly expiresAt: Date
  readonly checkoutUrl: string | undefined
  readonly failure: string | undefined
  readonly endedAt: Date | undefined
  /** Since when no look at the gateway brought an answer about it, while it may be paid. */
  readonly unansweredSince: Date | undefined
  /** Its issuer gave it up then, without the gateway's word. */
  readonly abandonedAt: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Money that came in for an attempt. */
export type Capture = {
  readonly resellerId: string
  readonly connectionId: string
  readonly paymentRef: string
  readonly attemptId: string
  readonly amountMinor: number
  readonly currency: string
  readonly capturedAt: Date
  /** Refunds that somebody made at the gateway's own dashboard. */
  readonly refundedElsewhereMinor: number
}

export type Refund = {
  readonly resellerId: string
  readonly refundId: string
  readonly attemptId: string
  readonly connectionId: string
  readonly paymentRef: string
  readonly refundRef: string | undefined
  readonly amountMinor: number
  readonly currency: string
  /** `unapplied`: the service itself, because no invoice takes the money. */
  readonly origin: 'request' | 'unapplied'
  readonly reason: string
  readonly status: 'created' | RefundStatus
  /** Whether the ledger has it as given back. */
  readonly isBooked: boolean
  readonly failure: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** As the gateway last reported, with whose it is. */
export type Dispute = GatewayDispute & {
  readonly resellerId: string
  readonly connectionId: string
  readonly attemptId: string
  readonly openedAt: Date
  readonly updatedAt: Date
}

/** An attempt with all that became of it. */
export type Payment = {
  readonly attempt: Attempt
  readonly captures: readonly Capture[]
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
}

/** Refunds that gave money back, or are about to. */
export function countsAsRefunded({ status }: Pick<Refund, 'status'>): boolean {
  return status !== 'failed' && status !== 'canceled'
}

/** What of a capture could still be given back. What a gateway took because of a dispute cannot. */
export function refundableMinor(capture: Capture, { refunds, disputes }: Pick<Payment, 'refunds' | 'disputes'>): number {
  const ofIt = <T extends { readonly paymentRef: string }>(each: T) => each.paymentRef === capture.paymentRef
  const refunded = refunds.filter((each) => ofIt(each) && countsAsRefunded(each)).reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const withdrawn = disputes.filter(ofIt).reduce((sum, each) => sum + each.withdrawnMinor, 0)
  return Math.max(0, capture.amountMinor - refunded - capture.refundedElsewhereMinor - withdrawn)
}
