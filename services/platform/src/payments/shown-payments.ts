// Payments as people look for them: attempts at gateways, and what was recorded by hand, in one list.

import type { Payment as WirePayment } from '@roadworthy/contracts/sim-billing/payments'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageEnd, type PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Viewer } from '../fleet/viewer.ts'
import { countAttempts, selectAttempts } from './attempts.sql.ts'
import { isId, type PaymentDeps } from './payment-deps.ts'
import type { RecordedPayment } from './recorded-payment.ts'
import { countRecordedPayments, selectRecordedPayment, selectRecordedPayments } from './recorded-payments.sql.ts'
import { requirePayment, withMoney } from './request-refund.ts'
import { fromWireStatus, toWirePayment, toWireRecorded } from './wire-payment.ts'

type Filter = {
  readonly invoiceId: string | undefined
  readonly status: WirePayment['status'] | undefined
  readonly subClientId: string | undefined
}
export type PaymentPage = { readonly total: number; readonly payments: WirePayment[]; readonly pagination: PageEnd }

/** Newest first. */
export async function listPayments(
  db: Db,
  resellerId: string,
  { invoiceId, status, subClientId }: Filter,
  page: PageRequest,
): Promise<PaymentPage> {
  const filter = { invoiceId, subClientId, statuses: status === undefined ? undefined : fromWireStatus(status) }
  const recordedFilter = { invoiceId, subClientId, isReversed: status === undefined ? undefined : status === 'reversed' }
  const hasRecorded = status === undefined || status === 'paid' || status === 'reversed'
  const [attempts, attemptCount, recorded, recordedCount] = await Promise.all([
    selectAttempts(db, resellerId, filter, page),
    countAttempts(db, resellerId, filter),
    hasRecorded ? selectRecordedPayments(db, resellerId, recordedFilter, page) : [],
    hasRecorded ? countRecordedPayments(db, resellerId, recordedFilter) : 0,
  ])
  // Each list has one more than the page: so has the first of both.
  const merged = [
    ...attempts.map((attempt) => ({ at: attempt.createdAt, id: attempt.attemptId, attempt })),
    ...recorded.map((payment) => ({ at: payment.createdAt, id: payment.paymentId, payment })),
  ]
    .sort((one, other) => other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1))
    .slice(0, page.limit + 1)
  const { items, pagination } = endPage(merged, page, ({ at, id }) => ({ at, id }))
  const money = await withMoney(
    db,
    resellerId,
    items.flatMap((item) => ('attempt' in item ? [item.attempt] : [])),
  )
  const shown = new Map(money.map((each) => [each.attempt.attemptId, toWirePayment(each)]))
  const payments = items.flatMap((item) => ('payment' in item ? [toWireRecorded(item.payment)] : (shown.get(item.id) ?? [])))
  return { total: attemptCount + recordedCount, payments, pagination }
}

/** As `requirePayment`, also of one that was recorded by hand. */
export async function requireShownPayment(deps: Pick<PaymentDeps, 'database'>, viewer: Viewer, paymentId: string): Promise<WirePayment> {
  const recorded = await findRecorded(deps, viewer, paymentId)
  return recorded === undefined ? toWirePayment(await requirePayment(deps, viewer, paymentId)) : toWireRecorded(recorded)
}

/** What is done at a gateway cannot be done with money that no gateway took. */
export async function refuseRecorded(deps: Pick<PaymentDeps, 'database'>, viewer: Viewer, paymentId: string): Promise<void> {
  if ((await findRecorded(deps, viewer, paymentId)) === undefined) return
  throw new Problem('conflict', 'This payment was recorded by hand, and is at no gateway: it can be taken back on its invoice.')
}

async function findRecorded(
  { database }: Pick<PaymentDeps, 'database'>,
  { resellerId, subClientPin }: Viewer,
  paymentId: string,
): Promise<RecordedPayment | undefined> {
  const found = isId(paymentId) ? await selectRecordedPayment(database.tenantPool(resellerId), { resellerId, paymentId }) : undefined
  return subClientPin === undefined || found?.subClientId === subClientPin ? found : undefined
}
