// Refunds by whoever runs the installation, of what resellers paid. For the command line: there is no API key for it.

import { type Payment, RefundRequest } from '@roadworthy/contracts/sim-billing/payments'
import { Problem } from '@roadworthy/service-kit/problem'
import { Value } from 'typebox/value'
import type { Author } from '../access/audit.ts'
import { OPERATOR_BOOK } from '../billing/book.ts'
import { selectAttemptAcrossResellers } from './attempts.sql.ts'
import { isId, type PaymentDeps } from './payment-deps.ts'
import { requestRefund, requirePayment } from './request-refund.ts'
import { toWirePayment } from './wire-payment.ts'

/** `given`: as the body of `POST /payments/{payment_id}/refund`. The service asks the gateway for it, within seconds. */
export async function refundOperatorPayment(
  deps: Pick<PaymentDeps, 'database' | 'now'>,
  paymentId: string,
  given: unknown,
  author: Author,
): Promise<Payment> {
  if (!Value.Check(RefundRequest, given)) throw new Problem('invalid_request', 'A reason of 1 to 200 characters is wanted.')
  const attempt = isId(paymentId) ? await selectAttemptAcrossResellers(deps.database.systemPool, OPERATOR_BOOK, paymentId) : undefined
  if (attempt === undefined) throw new Problem('not_found', 'There is no such payment.')
  await requestRefund(deps, attempt, { amountMinor: given.amount, reason: given.reason }, author)
  return toWirePayment(await requirePayment(deps, { resellerId: attempt.resellerId, subClientPin: undefined }, paymentId))
}
