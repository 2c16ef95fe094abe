import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import { InvoiceSummary } from '@roadworthy/contracts/sim-billing/invoices'
import {
  AbandonRequest,
  Payment,
  PaymentAnswer,
  PaymentList,
  PaymentListQuery,
  PaymentParams,
  PayRequest,
  RefundRequest,
} from '@roadworthy/contracts/sim-billing/payments'
import type { App } from '@roadworthy/service-kit/http/http'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import { Type } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import { toWireSummary } from '../billing/wire-invoice.ts'
import { abandonPayment } from './abandon-payment.ts'
import { payInvoice } from './pay-invoice.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { refuseOthers, requestRefund, requirePayment } from './request-refund.ts'
import { listPayments, refuseRecorded, requireShownPayment } from './shown-payments.ts'
import { toWirePayment } from './wire-payment.ts'

const tags = ['Payments']
const Paying = Type.Object(
  { success: Type.Literal(true), payment: Payment, invoice: InvoiceSummary },
  { title: 'Paying', description: 'The payment that is open, and its invoice.' },
)
const InvoiceParams = Type.Object({ invoice_id: Type.String({ minLength: 1, maxLength: 200, examples: ['inv-3k8f2m9x4c7v1b6n5q0z'] }) })

/** Paying is open in any standing: who owes must be able to. */
export function paymentRoutes(deps: PaymentDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addPayRoute(app as App, deps)
    addReadRoutes(app as App, deps)
    addRefundRoute(app as App, deps)
    addAbandonRoute(app as App, deps)
  }
}

function addPayRoute(app: App, deps: PaymentDeps): void {
  app.post(
    '/invoices/:invoice_id/pay',
    {
      config: { scope: 'billing:write', anyStanding: true, bodyMayBeMissing: true },
      schema: {
        operationId: 'payInvoice',
        tags,
        summary: 'Open a payment of an invoice at a gateway',
        description:
          'Of what is due now, in the currency of the invoice. Send the customer to `checkout_url`. One payment of an invoice may be open at a time: asking ' +
          'again gives the same one, until it ends. Another gateway, or another amount that is due, ends it at its gateway first. The reseller pays what ' +
          'it was sent by the operator of the installation, and may open payments for its sub-clients; a key of one sub-client pays its own.',
        params: InvoiceParams,
        body: PayRequest,
        response: { 200: Paying, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const wish = { gateway: body.gateway, returnUrl: body.return_url }
      const { attempt, invoice } = await payInvoice(deps, caller, params.invoice_id, wish, authorOf(request, deps.now()))
      const payment = toWirePayment({ attempt, captures: [], refunds: [], disputes: [] })
      return { success: true as const, payment, invoice: toWireSummary(invoice) }
    },
  )
}

function addReadRoutes(app: App, deps: PaymentDeps): void {
  const { database } = deps
  app.get(
    '/payments',
    {
      config: { scope: 'billing:read', anyStanding: true },
      schema: {
        operationId: 'listPayments',
        tags,
        summary: 'List payments, newest first',
        description: 'At gateways, and those that were recorded by hand (`recorded`).',
        querystring: PaymentListQuery,
        response: { 200: PaymentList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const { resellerId, subClientPin } = caller
      const page = pageRequest('payments', query, 'newest first')
      const filter = { invoiceId: query.invoice_id, status: query.status, subClientId: subClientPin }
      if (!isStorable(query.invoice_id)) return { total: 0, payments: [], pagination: { endCursor: null, hasNextPage: false } }
      return await listPayments(database.tenantPool(resellerId), resellerId, filter, page)
    },
  )
  app.get(
    '/payments/:payment_id',
    {
      config: { scope: 'billing:read', anyStanding: true },
      schema: {
        operationId: 'getPayment',
        tags,
        summary: 'Get one payment with its refunds and disputes',
        params: PaymentParams,
        response: { 200: PaymentAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => ({
      success: true as const,
      payment: await requireShownPayment(deps, caller, params.payment_id),
    }),
  )
}

function addRefundRoute(app: App, deps: PaymentDeps): void {
  app.post(
    '/payments/:payment_id/refund',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'refundPayment',
        tags,
        summary: 'Give back what was paid, or a part of it',
        description:
          'By the issuer of the invoice. It is made at the gateway within seconds, and repeated until the gateway has it; an invoice that was paid by it is ' +
          'due again. Credit the invoice first where that is not meant.',
        params: PaymentParams,
        body: RefundRequest,
        response: { 200: PaymentAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      await refuseRecorded(deps, caller, params.payment_id)
      const payment = await requirePayment(deps, caller, params.payment_id)
      refuseOthers(payment, caller, 'makes refunds')
      await requestRefund(deps, payment.attempt, { amountMinor: body.amount, reason: body.reason }, authorOf(request, deps.now()))
      return { success: true as const, payment: toWirePayment(await requirePayment(deps, caller, params.payment_id)) }
    },
  )
}

function addAbandonRoute(app: App, deps: PaymentDeps): void {
  app.post(
    '/payments/:payment_id/abandon',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'abandonPayment',
        tags,
        summary: 'Give up a payment whose gateway gives no answer',
        description:
          'By the issuer of the invoice, so that it can be paid in another way: for a payment that is `pending` and whose gateway has refused us or not ' +
          'answered for 24 hours (`unanswered_since`). The gateway is asked once more; where it answers, its answer counts, and the answer is 409. Money ' +
          'that comes of it later after all is booked, and given back where the invoice does not take it.',
        params: PaymentParams,
        body: AbandonRequest,
        response: { 200: PaymentAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      await refuseRecorded(deps, caller, params.payment_id)
      const payment = await requirePayment(deps, caller, params.payment_id)
      refuseOthers(payment, caller, 'abandons payments')
      await abandonPayment(deps, payment.attempt, body.reason, authorOf(request, deps.now()))
      return { success: true as const, payment: toWirePayment(await requirePayment(deps, caller, params.payment_id)) }
    },
  )
}
