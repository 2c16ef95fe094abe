// What the issuer of an invoice records of money that came in outside of a gateway.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import { InvoiceParams, InvoiceSummary } from '@roadworthy/contracts/sim-billing/invoices'
import { Payment } from '@roadworthy/contracts/sim-billing/payments'
import { RecordedPaymentParams, RecordPaymentRequest, ReversePaymentRequest } from '@roadworthy/contracts/sim-billing/recorded-payments'
import type { App } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { Type } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import { withInvoice } from '../billing/change-invoice.ts'
import { requireIssuedInvoice } from '../billing/invoice.routes.sim-billing.ts'
import { toWireSummary } from '../billing/wire-invoice.ts'
import { type Recorded, recordPayment, reversePayment } from './record-payment.ts'
import { fromWireRecorded, toWireRecorded } from './wire-payment.ts'

type RecordedRoutesDeps = { readonly database: Database; readonly now: () => Date }

const tags = ['Payments']
const RecordedPaymentAnswer = Type.Object(
  { success: Type.Literal(true), payment: Payment, invoice: InvoiceSummary },
  { title: 'RecordedPaymentAnswer', description: 'The payment that was recorded, and its invoice as it is with it.' },
)

export function recordedPaymentRoutes(deps: RecordedRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addRecordRoute(app as App, deps)
    addReverseRoute(app as App, deps)
  }
}

function addRecordRoute(app: App, { database, now }: RecordedRoutesDeps): void {
  app.post(
    '/invoices/:invoice_id/payments',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'recordPayment',
        tags,
        summary: 'Record a payment that came in outside of a gateway',
        description:
          'By the issuer of the invoice: a bank transfer, cash. A part may be paid; more than is open is 409 with what is open, because the service cannot ' +
          'give the rest back. The invoice is paid when nothing is left. A checkout that is open for more than is due then is ended.',
        params: InvoiceParams,
        body: RecordPaymentRequest,
        response: { 200: RecordedPaymentAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const found = await requireIssuedInvoice(database, caller, params.invoice_id)
      const author = authorOf(request, now())
      return answerOf(await withInvoice(database, found, (db, invoice) => recordPayment(db, invoice, fromWireRecorded(body), author)))
    },
  )
}

function addReverseRoute(app: App, { database, now }: RecordedRoutesDeps): void {
  app.post(
    '/invoices/:invoice_id/payments/:payment_id/reverse',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'reversePayment',
        tags,
        summary: 'Take back a payment that was recorded',
        description:
          'By the issuer of the invoice: it was entered twice, the bank returned it, or it was given back. It stays in the list as `reversed`, is booked ' +
          'back, and what it had paid is due again. One that was taken back is answered as it is. A payment at a gateway is given back by a refund.',
        params: RecordedPaymentParams,
        body: ReversePaymentRequest,
        response: { 200: RecordedPaymentAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const found = await requireIssuedInvoice(database, caller, params.invoice_id)
      const author = authorOf(request, now())
      const asked = { paymentId: params.payment_id, reason: body.reason }
      return answerOf(await withInvoice(database, found, (db, invoice) => reversePayment(db, invoice, asked, author)))
    },
  )
}

function answerOf({ payment, invoice }: Recorded) {
  return { success: true as const, payment: toWireRecorded(payment), invoice: toWireSummary(invoice) }
}
