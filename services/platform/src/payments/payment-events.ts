import type { EventPayload } from '@roadworthy/contracts/webhooks/events'
import type { NewEvent } from '../events/event.ts'
import type { Attempt, Dispute, Refund } from './attempt.ts'

const subClientOf = ({ subClientId }: Attempt) => (subClientId === '' ? undefined : subClientId)

/** In the log of whoever pays, or whose sub-client does, as events of its invoice are. */
function about(attempt: Attempt, at: Date) {
  return { resellerId: attempt.resellerId, subClientId: subClientOf(attempt), occurredAt: at }
}

function paymentFields({ attemptId, invoiceId, gateway, currency }: Attempt) {
  return { paymentId: attemptId, invoiceId, gateway, currency }
}

/** `reason` is for people. */
export function paymentFailed(
  attempt: Attempt,
  failure: Pick<EventPayload<'payment.failed'>, 'cause' | 'reason' | 'isFinal'>,
  at: Date,
): NewEvent {
  return {
    ...about(attempt, at),
    type: 'payment.failed',
    data: { ...paymentFields(attempt), amountMinor: attempt.amountMinor, ...failure },
  }
}

export function paymentUnapplied(attempt: Attempt, money: { amountMinor: number; currency: string }, refundId: string, at: Date): NewEvent {
  const { amountMinor, currency } = money
  return { ...about(attempt, at), type: 'payment.unapplied', data: { ...paymentFields(attempt), amountMinor, currency, refundId } }
}

export function refundChanged(attempt: Attempt, refund: Refund, at: Date): NewEvent {
  const { refundId, amountMinor, currency, reason, status, failure } = refund
  return {
    ...about(attempt, at),
    type: 'payment.refund.updated',
    data: { ...paymentFields(attempt), refundId, amountMinor, currency, reason, status, failure: failure ?? null },
  }
}

/** Money that was given back at the gateway's own page, or came back after it was. The gateway reports sums, so one may stand for several refunds. */
export function refundedElsewhere(
  attempt: Attempt,
  { amountMinor, currency, isReturned }: { amountMinor: number; currency: string; isReturned: boolean },
  at: Date,
): NewEvent {
  const status = isReturned ? ('failed' as const) : ('succeeded' as const)
  const refund = { refundId: null, amountMinor, currency, reason: 'Made at the payment gateway.', status, failure: null }
  return { ...about(attempt, at), type: 'payment.refund.updated', data: { ...paymentFields(attempt), ...refund } }
}

export function disputeChanged(attempt: Attempt, dispute: Dispute, at: Date): NewEvent {
  const { disputeRef, amountMinor, currency, reason, status, respondBy } = dispute
  return {
    ...about(attempt, at),
    type: 'payment.dispute.updated',
    data: {
      ...paymentFields(attempt),
      disputeId: disputeRef,
      amountMinor,
      currency,
      reason,
      status,
      respondBy: respondBy?.toISOString() ?? null,
    },
  }
}
