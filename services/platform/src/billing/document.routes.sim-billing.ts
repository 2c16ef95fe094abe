// The forms in which an invoice leaves the service: PDF, e-invoice, lines, and what it was made from.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import { InvoiceParams, InvoiceStatement } from '@roadworthy/contracts/sim-billing/invoices'
import type { App } from '@roadworthy/service-kit/http/http'
import { sendInParts } from '@roadworthy/service-kit/http/send-in-parts'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { StatementKey } from '../metering/statement-key.ts'
import { OPERATOR_BOOK } from './book.ts'
import { printInvoice } from './documents/render-pdf.ts'
import { requireIssuedInvoice, requireVisibleInvoice } from './invoice.routes.sim-billing.ts'
import { csvInParts, ublInParts } from './invoice-in-parts.ts'
import { selectLineParts } from './invoice-lines.sql.ts'
import { statementInParts } from './ledger/statement-in-parts.ts'
import type { StoredInvoice } from './stored-invoice.ts'

export type DocumentBrand = Parameters<typeof printInvoice>[0]['brand']

export type DocumentRoutesDeps = {
  readonly database: Database
  readonly statementKey: StatementKey
  /** Name, colour and logo of a reseller, as far as it has set them. */
  readonly brandOf: (resellerId: string) => Promise<DocumentBrand>
}

const tags = ['Invoices']
const file = (description: string, type: string, beginning: string) => ({
  description,
  content: { [type]: { schema: Type.String(), examples: { beginning: { value: beginning } } } },
})

export function invoiceDocumentRoutes(deps: DocumentRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addFileRoutes(app as App, deps)
    addStatementRoute(app as App, deps)
  }
}

function addFileRoutes(app: App, { database, brandOf }: DocumentRoutesDeps): void {
  app.get(
    '/invoices/:invoice_id/pdf',
    {
      config: { scope: 'billing:read', anyStanding: true },
      schema: {
        operationId: 'getInvoicePdf',
        summary: 'The invoice as PDF',
        tags,
        params: InvoiceParams,
        response: { 200: file('The document, with the brand of its issuer.', 'application/pdf', '%PDF-1.7…'), ...errorResponses(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const invoice = await requireVisibleInvoice(database, caller, params.invoice_id)
      const brand = await brandOfIssuer(invoice, brandOf)
      const lineParts = () => selectLineParts(database.tenantPool(invoice.resellerId), invoice)
      return await asFile(reply, invoice, 'pdf', 'application/pdf').send(Buffer.from(await printInvoice({ invoice, lineParts, brand })))
    },
  )
  app.get(
    '/invoices/:invoice_id/xml',
    {
      config: { scope: 'billing:read', anyStanding: true },
      schema: {
        operationId: 'getInvoiceXml',
        summary: 'The invoice as e-invoice (EN 16931, UBL 2.1)',
        description: 'Of an invoice or credit note that was issued and is not void.',
        tags,
        params: InvoiceParams,
        response: {
          200: file('The e-invoice.', 'application/xml', '<?xml version="1.0" encoding="UTF-8"?>…'),
          ...errorResponses(404, 409),
        },
      },
    },
    async ({ caller, params }, reply) => {
      const invoice = await requireVisibleInvoice(database, caller, params.invoice_id)
      return await sendInParts(
        asFile(reply, invoice, 'xml', 'application/xml'),
        ublInParts(database.tenantPool(invoice.resellerId), invoice),
      )
    },
  )
  app.get(
    '/invoices/:invoice_id/csv',
    {
      config: { scope: 'billing:read', anyStanding: true },
      schema: {
        operationId: 'getInvoiceCsv',
        summary: 'The lines of the invoice as CSV',
        tags,
        params: InvoiceParams,
        response: { 200: file('RFC 4180, with a header.', 'text/csv', 'invoice,line,kind…'), ...errorResponses(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const invoice = await requireVisibleInvoice(database, caller, params.invoice_id)
      const parts = csvInParts(database.tenantPool(invoice.resellerId), invoice)
      return await sendInParts(asFile(reply, invoice, 'csv', 'text/csv; charset=utf-8'), parts)
    },
  )
}

/** The operator has no brand: its invoices bear the name that it issues them under. */
async function brandOfIssuer({ issuerId }: StoredInvoice, brandOf: DocumentRoutesDeps['brandOf']): Promise<DocumentBrand> {
  return issuerId === OPERATOR_BOOK ? {} : await brandOf(issuerId)
}

function asFile(reply: FastifyReply, invoice: StoredInvoice, extension: string, type: string): FastifyReply {
  const name = (invoice.number ?? invoice.invoiceId).replace(/[^A-Za-z0-9-]/g, '-')
  return reply.type(type).header('cache-control', 'no-store').header('content-disposition', `attachment; filename="${name}.${extension}"`)
}

function addStatementRoute(app: App, { database, statementKey }: DocumentRoutesDeps): void {
  app.get(
    '/invoices/:invoice_id/statement',
    {
      config: { scope: 'billing:read', anyStanding: true, isSentInParts: true },
      schema: {
        operationId: 'getInvoiceStatement',
        summary: 'Everything an invoice or credit note was made from, signed',
        description:
          'For its issuer, who may hand it on: `npx roadworthy verify-invoice` rates the month again from it, without the service. It holds prices ' +
          'and margin. Of a credit note it holds the invoice that it corrects, the notes before it and what was asked. The key is that of usage statements.',
        tags,
        params: InvoiceParams,
        response: { 200: InvoiceStatement, ...errorResponses(404, 409) },
      },
    },
    async ({ caller, params }, reply) => {
      const invoice = await requireIssuedInvoice(database, caller, params.invoice_id)
      const answer = reply.type('application/json; charset=utf-8')
      const onLength = (lengthBytes: number) => void answer.header('content-length', String(lengthBytes))
      return await sendInParts(answer, statementInParts(database.tenantPool(invoice.resellerId), invoice, statementKey, onLength))
    },
  )
}
