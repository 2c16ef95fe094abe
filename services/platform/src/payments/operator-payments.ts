// What whoever runs the installation does with payments of resellers. For the command line: there is no API key for it.

import { AbandonRequest, type Payment, RefundRequest } from '@roadworthy/contracts/sim-billing/payments'
import { createAddressGuard } from '@roadworthy/service-kit/address-guard'
import { Problem } from '@roadworthy/service-kit/problem'
import { resolveName } from '@roadworthy/service-kit/resolve-name'
import { createSealer } from '@roadworthy/service-kit/sealed'
import { Value } from 'typebox/value'
import type { Author } from '../audit/audit.ts'
import { OPERATOR_BOOK } from '../billing/book.ts'
import { abandonPayment } from './abandon-payment.ts'
import type { Attempt } from './attempt.ts'
import { selectAttemptAcrossResellers } from './attempts.sql.ts'
import { GATEWAY_SECRETS } from './gateway-connection.ts'
import { isId, type PaymentDeps } from './payment-deps.ts'
import { requestRefund, requirePayment } from './request-refund.ts'
import { toWirePayment } from './wire-payment.ts'

type Deps = Pick<PaymentDeps, 'database' | 'now'>

/** `given`: as the body of `POST /payments/{payment_id}/refund`. The service asks the gateway for it, within seconds. */
export async function refundOperatorPayment(deps: Deps, paymentId: string, given: unknown, author: Author): Promise<Payment> {
  if (!Value.Check(RefundRequest, given)) throw new Problem('invalid_request', 'A reason of 1 to 200 characters is wanted.')
  const attempt = await requireAttempt(deps, paymentId)
  await requestRefund(deps, attempt, { amountMinor: given.amount, reason: given.reason }, author)
  return await shown(deps, attempt)
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
