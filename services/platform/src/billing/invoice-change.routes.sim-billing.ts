// What an issuer does with its invoices: drafting, opening, voiding, crediting.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import {
  CreditNoteAnswer,
  CreditNoteRequest,
  InvoiceAnswer,
  InvoiceDraftAnswer,
  InvoiceDraftRequest,
  InvoiceParams,
  InvoiceVoidRequest,
} from '@roadworthy/contracts/sim-billing/invoices'
import type { App } from '@roadworthy/service-kit/http/http'
import { sendInParts } from '@roadworthy/service-kit/http/send-in-parts'
import { isMonth } from '@roadworthy/service-kit/time/zoned-time'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authorOf } from '../audit/audit.ts'
import { noSuchSubClient } from '../fleet/sub-client.ts'
import { refusePinned, requireBillableSubClient } from './billing.routes.sim-billing.ts'
import { withInvoice } from './change-invoice.ts'
import { type Credit, type CreditDeps, correctInvoice, voidInvoice } from './credit-invoice.ts'
import { draftMonthNow } from './draft-month.ts'
import { type InvoiceRoutesDeps, noSuchMonth, requireIssuedInvoice, sendInvoice } from './invoice.routes.sim-billing.ts'
import { jsonInParts } from './invoice-in-parts.ts'
import { openInvoice } from './open-invoice.ts'
import { requireSettings } from './settings/configure-billing.ts'
import { selectBillingSettings } from './settings/settings.sql.ts'
import { toWireHead, toWireSummary } from './wire-invoice.ts'

export type InvoiceChangeRoutesDeps = InvoiceRoutesDeps & CreditDeps & { readonly now: () => Date }

const tags = ['Invoices']

export function invoiceChangeRoutes(deps: InvoiceChangeRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addDraftRoutes(app as App, deps)
    addCorrectionRoutes(app as App, deps)
  }
}

function addDraftRoutes(app: App, deps: InvoiceChangeRoutesDeps): void {
  const { database, now } = deps
  app.post(
    '/invoices/draft',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'draftInvoices',
        summary: 'Draft the invoices of a month',
        description:
          'Months are drafted by themselves. This is for a month before billing was set up, for one that was discarded or voided, and with `replace` ' +
          'for drafts whose prices, terms or usage were corrected: they are rated anew, keep their id and get a new grace. What was issued is never changed. A sub-client that was created after the month ' +
          'is billed for it only where `sub_client_id` names it.',
        tags,
        body: InvoiceDraftRequest,
        response: { 200: InvoiceDraftAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, body } = request
      if (body.sub_client_id !== undefined && caller.subClientPin !== undefined) throw noSuchSubClient()
      refusePinned(caller, 'billing:write')
      const customerId = body.sub_client_id ?? undefined
      if (!isMonth(body.month)) throw noSuchMonth('month', body.month)
      const db = database.tenantPool(caller.resellerId)
      if (customerId !== undefined) await requireBillableSubClient(db, caller.resellerId, customerId)
      const settings = requireSettings(await selectBillingSettings(db, caller.resellerId))
      const asked = { month: body.month, customerId, isReplacing: body.replace === true }
      const { drafted, counts, failures } = await draftMonthNow(database, settings, asked, authorOf(request, now()))
      const { made, replaced, kept, discarded } = counts
      return {
        success: true as const,
        invoices: drafted.map(toWireSummary),
        ...{ made, replaced, kept, discarded },
        failures: failures.map((failure) => ({ sub_client_id: failure.customerId, message: failure.message })),
      }
    },
  )
  app.post(
    '/invoices/:invoice_id/open',
    {
      config: { scope: 'billing:write', answerAgain: sendAgain(deps) },
      schema: {
        operationId: 'openInvoice',
        summary: 'Open a draft before its grace is over',
        description: 'One that is open is answered as it is. One that is paid, overdue or void cannot be opened.',
        tags,
        params: InvoiceParams,
        response: { 200: InvoiceAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      const found = await requireIssuedInvoice(database, request.caller, request.params.invoice_id)
      const opened = await withInvoice(database, found, (db, invoice) => openInvoice(db, invoice, authorOf(request, now())))
      return await sendInvoice(deps, reply, opened)
    },
  )
}

function addCorrectionRoutes(app: App, deps: InvoiceChangeRoutesDeps): void {
  const { database } = deps
  app.post(
    '/invoices/:invoice_id/void',
    {
      config: { scope: 'billing:write', bodyMayBeMissing: true, answerAgain: sendAgain(deps) },
      schema: {
        operationId: 'voidInvoice',
        summary: 'Discard a draft, or void an invoice that nobody has paid',
        description:
          'A draft takes no number. An invoice that was issued keeps its own and is voided by a credit note over everything. The month can be ' +
          'drafted again. One of which something is paid is corrected by a credit note instead; when it is credited in full and the money went back, it is voided ' +
          'so that its month can be drafted again, as is one that came to nothing. One that is void is answered as it is.',
        tags,
        params: InvoiceParams,
        body: InvoiceVoidRequest,
        response: { 200: InvoiceAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      const found = await requireIssuedInvoice(database, request.caller, request.params.invoice_id)
      const voided = await withInvoice(database, found, (db, invoice) =>
        voidInvoice(deps, db, invoice, request.body.reason, authorNow(deps, request)),
      )
      return await sendInvoice(deps, reply, voided)
    },
  )
  app.post(
    '/invoices/:invoice_id/credit-notes',
    {
      config: { scope: 'billing:write', answerAgain: sendCreditAgain(deps) },
      schema: {
        operationId: 'createCreditNote',
        summary: 'Correct an invoice that was issued by a credit note',
        description:
          'Of some lines, or of everything that is not credited yet, with its taxes. What a gateway took of it is refunded; what came in otherwise is `unapplied_minor` of the invoice, and is given back by its issuer.',
        tags,
        params: InvoiceParams,
        body: CreditNoteRequest,
        response: { 200: CreditNoteAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      const { body, caller, params } = request
      const found = await requireIssuedInvoice(database, caller, params.invoice_id)
      const parts = body.lines?.map(({ line, amount_minor }) => ({ line, amountMinor: amount_minor }))
      const credit = await withInvoice(database, found, (db, invoice) =>
        correctInvoice(deps, db, invoice, { reason: body.reason, parts }, authorNow(deps, request)),
      )
      request.answerMadeOf = `${credit.creditNote.invoiceId} ${credit.unappliedMinor}`
      return await sendCredit(deps, reply, credit)
    },
  )
}

/** In parts, as `sendInvoice`. */
async function sendCredit({ database }: InvoiceChangeRoutesDeps, reply: FastifyReply, credit: Credit): Promise<never> {
  const { creditNote } = credit
  const answer = {
    success: true,
    invoice: toWireSummary(credit.invoice),
    unapplied_minor: credit.unappliedMinor,
    credit_note: toWireHead(creditNote, { creditNotes: [], payments: [], unappliedMinor: 0 }),
  }
  return await sendInParts(
    reply.type('application/json; charset=utf-8'),
    jsonInParts(database.tenantPool(creditNote.resellerId), creditNote, answer),
  )
}

function sendCreditAgain(deps: InvoiceChangeRoutesDeps) {
  return async ({ caller, params }: FastifyRequest, reply: FastifyReply, madeOf: string) => {
    const [noteId = '', unappliedMinor] = madeOf.split(' ')
    const { invoice_id } = params as { invoice_id: string }
    const creditNote = await requireIssuedInvoice(deps.database, caller, noteId)
    const invoice = await requireIssuedInvoice(deps.database, caller, invoice_id)
    return await sendCredit(deps, reply, { creditNote, invoice, unappliedMinor: Number(unappliedMinor) })
  }
}

/** The invoice as it is by then: it is sent in parts, of which no answer is kept. */
function sendAgain(deps: InvoiceChangeRoutesDeps) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { invoice_id } = request.params as { invoice_id: string }
    return await sendInvoice(deps, reply, await requireIssuedInvoice(deps.database, request.caller, invoice_id))
  }
}

function authorNow({ now }: InvoiceChangeRoutesDeps, request: FastifyRequest) {
  return authorOf(request, now())
}
