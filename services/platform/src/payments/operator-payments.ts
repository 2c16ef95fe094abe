// What whoever runs the installation does with payments of resellers. For the command line: there is no API key for it.

import { AbandonRequest, type Payment, RefundRequest } from '@roadworthy/contracts/sim-billing/payments'
import { RecordPaymentRequest, ReversePaymentRequest } from '@roadworthy/contracts/sim-billing/recorded-payments'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { resolveName } from '@roadworthy/service-kit/network/resolve-name'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { Value } from 'typebox/value'
import type { Author } from '../audit/audit.ts'
import { OPERATOR_BOOK } from '../billing/book.ts'
import { withInvoice } from '../billing/change-invoice.ts'
import { requireOperatorInvoice } from '../billing/operator-billing.ts'
import { abandonPayment } from './abandon-payment.ts'
import type { Attempt } from './attempt.ts'
import { selectAttemptAcrossResellers } from './attempts.sql.ts'
import { GATEWAY_SECRETS } from './gateway-connection.ts'
import { isId, type PaymentDeps } from './payment-deps.ts'
import { recordPayment, reversePayment } from './record-payment.ts'
import { requestRefund, requirePayment } from './request-refund.ts'
import { fromWireRecorded, toWirePayment, toWireRecorded } from './wire-payment.ts'

type Deps = Pick<PaymentDeps, 'database' | 'now'>

/** `given`: as the body of `POST /payments/{payment_id}/refund`. The service asks the gateway for it, within seconds. */
export async function refundOperatorPayment(deps: Deps, paymentId: string, given: unknown, author: Author): Promise<Payment> {
  if (!Value.Check(RefundRequest, given)) throw new Problem('invalid_request', 'A reason of 1 to 200 characters is wanted.')
  const attempt = await requireAttempt(deps, paymentId)
  await requestRefund(deps, attempt, { amountMinor: given.amount, reason: given.reason }, author)
  return await shown(deps, attempt)
}

/** `given`: as the body of `POST /invoices/{invoice_id}/payments`. */
export async function recordOperatorPayment({ database }: Deps, invoiceId: string, given: unknown, author: Author): Promise<Payment> {
  if (!Value.Check(RecordPaymentRequest, given)) {
    const message = 'An amount in minor units, a currency, a method, a day and a reference of one line and 140 characters are wanted.'
    throw new Problem('invalid_request', message)
  }
  const found = await requireOperatorInvoice(database, invoiceId)
  const { payment } = await withInvoice(database, found, (db, invoice) => recordPayment(db, invoice, fromWireRecorded(given), author))
  return toWireRecorded(payment)
}

/** `given`: as the body of `POST /invoices/{invoice_id}/payments/{payment_id}/reverse`. */
export async function reverseOperatorPayment(
  { database }: Deps,
  { invoiceId, paymentId }: { readonly invoiceId: string; readonly paymentId: string },
  given: unknown,
  author: Author,
): Promise<Payment> {
  if (!Value.Check(ReversePaymentRequest, given)) throw new Problem('invalid_request', 'A reason of 1 to 200 characters is wanted.')
  const found = await requireOperatorInvoice(database, invoiceId)
  const asked = { paymentId, reason: given.reason }
  const { payment } = await withInvoice(database, found, (db, invoice) => reversePayment(db, invoice, asked, author))
  return toWireRecorded(payment)
}

/** `secretKey`: that of the service. `allowCidrs`: private networks in which a gateway may be, which is asked once more. */
export type AskingDeps = Deps & Pick<PaymentDeps, 'log'> & { readonly secretKey: string; readonly allowCidrs: string }

/** `given`: as the body of `POST /payments/{payment_id}/abandon`. */
export async function abandonOperatorPayment(
  { secretKey, allowCidrs, ...deps }: AskingDeps,
  paymentId: string,
  given: unknown,
  author: Author,
): Promise<Payment> {
  if (!Value.Check(AbandonRequest, given)) throw new Problem('invalid_request', 'A reason of 1 to 200 characters is wanted.')
  const attempt = await requireAttempt(deps, paymentId)
  const gateways = { guard: createAddressGuard({ allowCidrs, resolveName }) }
  // Nothing is opened here, so that no address of ours is named to the gateway.
  const asking = { ...deps, gateways, sealer: createSealer(secretKey, GATEWAY_SECRETS), baseUrl: () => '' }
  await abandonPayment(asking, attempt, given.reason, author)
  return await shown(deps, attempt)
}

async function requireAttempt({ database }: Deps, paymentId: string): Promise<Attempt> {
  const attempt = isId(paymentId) ? await selectAttemptAcrossResellers(database.systemPool, OPERATOR_BOOK, paymentId) : undefined
  if (attempt === undefined) throw new Problem('not_found', 'There is no such payment.')
  return attempt
}

async function shown(deps: Deps, { resellerId, attemptId }: Attempt): Promise<Payment> {
  return toWirePayment(await requirePayment(deps, { resellerId, subClientPin: undefined }, attemptId))
}
