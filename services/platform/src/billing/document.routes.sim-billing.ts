// The forms in which an invoice leaves the service: PDF, e-invoice, lines, and what it was made from.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import { InvoiceParams, InvoiceStatement } from '@roadworthy/contracts/sim-billing/invoices'
import type { Database } from '@roadworthy/service-kit/db'
import type { App } from '@roadworthy/service-kit/http'
import { Problem } from '@roadworthy/service-kit/problem'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { StatementKey } from '../metering/statement-key.ts'
import type { DocumentPart } from './billing-work.ts'
import { OPERATOR_BOOK } from './book.ts'
import { CSV_HEADER, csvRowsOf } from './documents/render-csv.ts'
import { renderInvoicePdf } from './documents/render-pdf.ts'
import { writeInThread } from './in-billing-thread.ts'
import { requireIssuedInvoice, requireVisibleInvoice } from './invoice.routes.sim-billing.ts'
import { selectLineParts, selectLineTexts, selectWholeInvoice } from './invoice-lines.sql.ts'
import { selectInvoiceInput } from './invoices.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'

export type DocumentBrand = Parameters<typeof renderInvoicePdf>[0]['brand']

export type DocumentRoutesDeps = {
  readonly database: Database
  readonly statementKey: StatementKey
  /** Name, colour and logo of a reseller. */
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
      return await sendFile(
        reply,
        invoice,
        'pdf',
        'application/pdf',
        Buffer.from(await renderInvoicePdf({ invoice: await selectWholeInvoice(database.tenantPool(invoice.resellerId), invoice), brand })),
      )
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
      return await sendFile(reply, invoice, 'xml', 'application/xml', await writeInThread(eInvoiceParts(database, invoice)))
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
      const texts = [CSV_HEADER]
      for await (const lines of selectLineParts(database.tenantPool(invoice.resellerId), invoice)) texts.push(csvRowsOf(invoice, lines))
      return await sendFile(reply, invoice, 'csv', 'text/csv; charset=utf-8', texts.join(''))
    },
  )
}

/** The operator has no brand: its invoices bear the name that it issues them under. */
async function brandOfIssuer({ issuerId, issuer }: StoredInvoice, brandOf: DocumentRoutesDeps['brandOf']): Promise<DocumentBrand> {
  return issuerId === OPERATOR_BOOK ? { name: issuer.name } : await brandOf(issuerId)
}

async function sendFile(reply: FastifyReply, invoice: StoredInvoice, extension: string, type: string, content: string | Buffer) {
  const name = (invoice.number ?? invoice.invoiceId).replace(/[^A-Za-z0-9-]/g, '-')
  return await reply
    .type(type)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.${extension}"`)
    .send(content)
}

function addStatementRoute(app: App, { database, statementKey }: DocumentRoutesDeps): void {
  app.get(
    '/invoices/:invoice_id/statement',
    {
      config: { scope: 'billing:read', anyStanding: true },
      schema: {
        operationId: 'getInvoiceStatement',
        summary: 'Everything an invoice was made from, signed',
        description:
          'For its issuer, who may hand it on: `npx roadworthy verify-invoice` rates the month again from it, without the service. It holds prices ' +
          'and margin. The key is that of usage statements.',
        tags,
        params: InvoiceParams,
        response: { 200: InvoiceStatement, ...errorResponses(404, 409) },
      },
    },
    async ({ caller, params }, reply) => {
      const invoice = await requireIssuedInvoice(database, caller, params.invoice_id)
      const packed = await selectInvoiceInput(database.tenantPool(invoice.resellerId), invoice)
      if (packed === undefined)
        throw new Problem('conflict', 'A credit note is made from the invoice that it corrects; ask for that one’s statement.')
      // Canonical as it is signed; the signature goes before its first member.
      const content = await writeInThread(statementParts(database, invoice, packed, statementKey.publicKey))
      const signature = await statementKey.signAside(content)
      const json = `{"signature":"${signature}",${content.slice(1)}`
      return (await reply.type('application/json; charset=utf-8').send(json as never)) as never
    },
  )
}

async function* linesInParts(database: Database, invoice: StoredInvoice): AsyncGenerator<DocumentPart, void> {
  for await (const text of selectLineTexts(database.tenantPool(invoice.resellerId), invoice)) yield { task: 'lines', text }
}

async function* eInvoiceParts(database: Database, invoice: StoredInvoice): AsyncGenerator<DocumentPart, void> {
  yield* linesInParts(database, invoice)
  yield { task: 'e-invoice', invoice }
}

async function* statementParts(
  database: Database,
  invoice: StoredInvoice,
  packed: Uint8Array,
  publicKey: string,
): AsyncGenerator<DocumentPart, void> {
  yield* linesInParts(database, invoice)
  yield { task: 'statement', invoice, packed, publicKey }
}
