// Money that came in outside of a gateway: recorded by the issuer of the invoice, and taken back where it was wrong or bounced. Both are called within
// `withInvoice`, so that the ledger, the invoice and what follows from it change in one transaction. No gateway is ever asked to give such money back.

import type { PaymentMethod } from '@roadworthy/contracts/sim-billing/recorded-payments'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { dayAt, isDay, startOfDay } from '@roadworthy/service-kit/time/zoned-time'
import type { Author } from '../audit/audit.ts'
import { toMajorText } from '../billing/rating/money.ts'
import { applyPayment, applyRefund, openMinor } from '../billing/settle-invoice.ts'
import { civilDateOf, type StoredInvoice } from '../billing/stored-invoice.ts'
import { selectAttempt, selectAttemptsOfInvoice, selectCaptures } from './attempts.sql.ts'
import { refuseUnpayable } from './pay-invoice.ts'
import { isId } from './payment-deps.ts'
import { methodWords, type RecordedPayment } from './recorded-payment.ts'
import { insertRecordedPayment, selectRecordedPayment, selectRecordedPaymentsOfInvoice, updateReversal } from './recorded-payments.sql.ts'
import { endCheckout } from './request-refund.ts'

/** Assumption: a payment on account comes within a year before its invoice. A day further back is taken for one that was mistyped. */
const MAX_DAYS_BEFORE_ISSUE = 366
/** Of one invoice, with those that were taken back. Assumption: instalments are a few dozen at most. */
export const MAX_RECORDED_PAYMENTS = 100
const DAY_MS = 24 * 3_600_000

export type RecordedWish = {
  readonly amountMinor: number
  readonly currency: string
  readonly method: PaymentMethod
  readonly receivedOn: string
  readonly reference: string | undefined
}

export type Recorded = { readonly payment: RecordedPayment; readonly invoice: StoredInvoice }

/** Books it against an invoice that is locked. Throws where the invoice cannot be paid, or takes less. */
export async function recordPayment(db: Db, invoice: StoredInvoice, wish: RecordedWish, author: Author): Promise<Recorded> {
  const { resellerId, invoiceId, issuerId, subClientId, currency } = invoice
  refuseUnpayable(invoice)
  if (wish.currency !== currency) {
    throw new Problem('invalid_request', `"currency" is ${wish.currency}, and the invoice is in ${currency}.`, {
      details: { in: 'body', field: 'currency' },
    })
  }
  refuseDay(invoice, wish.receivedOn, author.at)
  refuseSurplus(invoice, wish.amountMinor)
  const earlier = await selectRecordedPaymentsOfInvoice(db, resellerId, invoiceId)
  if (earlier.length >= MAX_RECORDED_PAYMENTS) {
    const message = `The invoice has ${earlier.length} recorded payments, the most there may be.`
    throw new Problem('quota_exceeded', message, { details: { quota: MAX_RECORDED_PAYMENTS } })
  }
  const { amountMinor, method, receivedOn, reference } = wish
  const payment: RecordedPayment = {
    ...{ resellerId, paymentId: newId('pay'), invoiceId, subClientId: subClientId ?? '', issuerId },
    ...{ amountMinor, currency, method, receivedOn, reference, reversal: undefined, createdAt: author.at },
  }
  await insertRecordedPayment(db, payment)
  const paidAt = await lastReceivedAt(db, invoice, [...earlier, payment], author.at)
  const audit = { action: 'invoice.payment_recorded' as const, details: { received_on: receivedOn, reference } }
  const settlement = await applyPayment(db, invoice, { ...moneyOf(payment, author.at), paidAt, audit }, author)
  // Less is due than an open checkout asks for: it has to end before somebody pays there.
  await endCheckout(db, invoice, author)
  return { payment, invoice: settlement.invoice }
}

/** Books it back; what it had paid is due again. One that was taken back is returned as it is. `invoice` is locked. */
export async function reversePayment(
  db: Db,
  invoice: StoredInvoice,
  { paymentId, reason }: { readonly paymentId: string; readonly reason: string },
  author: Author,
): Promise<Recorded> {
  const payment = await requireRecorded(db, invoice, paymentId)
  if (payment.reversal !== undefined) return { payment, invoice }
  const audit = { action: 'invoice.payment_reversed' as const, details: { reason } }
  const settlement = await applyRefund(db, invoice, { ...moneyOf(payment, author.at), audit }, author)
  await updateReversal(db, payment, author.at, reason)
  return { payment: { ...payment, reversal: { at: author.at, reason } }, invoice: settlement.invoice }
}

async function requireRecorded(db: Db, { resellerId, invoiceId }: StoredInvoice, paymentId: string): Promise<RecordedPayment> {
  const payment = isId(paymentId) ? await selectRecordedPayment(db, { resellerId, paymentId }) : undefined
  if (payment?.invoiceId === invoiceId) return payment
  const attempt = isId(paymentId) ? await selectAttempt(db, { resellerId, attemptId: paymentId }) : undefined
  if (attempt?.invoiceId !== invoiceId) throw new Problem('not_found', 'There is no such payment.')
  throw new Problem('conflict', 'This payment is at a gateway: what came in of it is given back by a refund.')
}

/** The ledger has it once, and once what was taken back of it. */
function moneyOf({ paymentId, amountMinor, currency, method }: RecordedPayment, at: Date) {
  return { amountMinor, currency, source: `recorded/${paymentId}`, gateway: methodWords[method], at }
}

function refuseSurplus(invoice: StoredInvoice, amountMinor: number): void {
  const open = openMinor(invoice)
  if (amountMinor <= open) return
  const { currency } = invoice
  const message = `Of this invoice ${toMajorText(open, currency)} ${currency} are open: no more can be recorded.`
  throw new Problem('conflict', message, { details: { in: 'body', field: 'amount_minor', open_minor: open, currency } })
}

function refuseDay({ timeZone, openedAt }: StoredInvoice, receivedOn: string, at: Date): void {
  const refuse = (message: string) => new Problem('invalid_request', message, { details: { in: 'body', field: 'received_on' } })
  if (!isDay(receivedOn)) throw refuse(`"received_on" is ${JSON.stringify(receivedOn)}; it should be a day, such as 2026-11-12.`)
  const today = civilDateOf(at, timeZone)
  if (receivedOn > today) throw refuse(`"received_on" is ${receivedOn}, and today is ${today} in ${timeZone}.`)
  const first = civilDateOf(new Date((openedAt ?? at).getTime() - MAX_DAYS_BEFORE_ISSUE * DAY_MS), timeZone)
  if (receivedOn < first) throw refuse(`"received_on" is ${receivedOn}; of this invoice it is ${first} at the earliest.`)
}

/** When the last of the money came: on the document the invoice is paid on that day. Never before it was issued. */
async function lastReceivedAt(db: Db, invoice: StoredInvoice, recorded: readonly RecordedPayment[], at: Date): Promise<Date> {
  const { resellerId, invoiceId, timeZone, openedAt = at } = invoice
  const attempts = await selectAttemptsOfInvoice(db, resellerId, invoiceId)
  const captures =
    attempts.length === 0
      ? []
      : await selectCaptures(
          db,
          resellerId,
          attempts.map(({ attemptId }) => attemptId),
        )
  const today = dayAt(timeZone, at.getTime()).label
  const startOf = (day: string) => (day === today ? at.getTime() : startOfDay(timeZone, day))
  const times = [
    openedAt.getTime(),
    ...recorded.filter(({ reversal }) => reversal === undefined).map(({ receivedOn }) => startOf(receivedOn)),
    ...captures.map(({ capturedAt }) => capturedAt.getTime()),
  ]
  return new Date(Math.min(at.getTime(), Math.max(...times)))
}
