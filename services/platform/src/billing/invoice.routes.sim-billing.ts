// Invoices: read in any standing of the subscription, by who issued them and by whom they are to.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import {
  InvoiceAnswer,
  InvoiceList,
  InvoiceListQuery,
  InvoiceParams,
  type InvoicePayment,
} from '@roadworthy/contracts/sim-billing/invoices'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { sendInParts } from '@roadworthy/service-kit/http/send-in-parts'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import { isMonth } from '@roadworthy/service-kit/time/zoned-time'
import type { FastifyReply } from 'fastify'
import type { Caller } from '../keys/caller.ts'
import { refusePinned } from './billing.routes.sim-billing.ts'
import { OPERATOR_BOOK } from './book.ts'
import { noSuchInvoice } from './change-invoice.ts'
import { jsonInParts } from './invoice-in-parts.ts'
import { countInvoices, type InvoiceFilter, selectCreditNotes, selectInvoice, selectInvoices } from './invoices.sql.ts'
import { unappliedMinorOf } from './settle-invoice.ts'
import type { StoredInvoice } from './stored-invoice.ts'
import { toWireHead, toWireSummary } from './wire-invoice.ts'

export type InvoiceRoutesDeps = {
  readonly database: Database
  /** Attempts to pay an invoice, and payments that were recorded by hand, oldest first. */
  readonly paymentsOf: (db: Db, invoice: StoredInvoice) => Promise<InvoicePayment[]>
}

const tags = ['Invoices']

export function invoiceRoutes(deps: InvoiceRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addReadRoutes(app as App, deps)
  }
}

function addReadRoutes(app: App, deps: InvoiceRoutesDeps): void {
  const { database } = deps
  app.get(
    '/invoices',
    {
      config: { scope: 'billing:read', anyStanding: true },
      schema: {
        operationId: 'listInvoices',
        summary: 'List invoices and credit notes, newest first',
        description:
          'Those that the reseller issued to its sub-clients, and those that it was sent by the operator of the installation. A key of one ' +
          'sub-client gets its own that were issued.',
        tags,
        querystring: InvoiceListQuery,
        response: { 200: InvoiceList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest('invoices', query, 'newest first')
      const filter = filterOf(caller, query)
      const db = database.tenantPool(caller.resellerId)
      const { resellerId } = caller
      const [rows, total] = isStorable(query.sub_client_id)
        ? await Promise.all([selectInvoices(db, resellerId, filter, page), countInvoices(db, resellerId, filter)])
        : [[], 0]
      const { items, pagination } = endPage(rows, page, ({ draftedAt, invoiceId }) => ({ at: draftedAt, id: invoiceId }))
      return { total, invoices: items.map(toWireSummary), pagination, next_cursor: pagination.hasNextPage ? pagination.endCursor : null }
    },
  )
  app.get(
    '/invoices/:invoice_id',
    {
      config: { scope: 'billing:read', anyStanding: true, isSentInParts: true },
      schema: {
        operationId: 'getInvoice',
        summary: 'Get an invoice with its lines, taxes and payments',
        tags,
        params: InvoiceParams,
        response: { 200: InvoiceAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }, reply) => await sendInvoice(deps, reply, await requireVisibleInvoice(database, caller, params.invoice_id)),
  )
}

type ListQuery = {
  status?: InvoiceFilter['status']
  period?: string
  sub_client_id?: string
  kind?: InvoiceFilter['kind']
  issuer?: 'reseller' | 'operator'
}

function filterOf({ resellerId, subClientPin }: Caller, { status, period, sub_client_id, kind, issuer }: ListQuery): InvoiceFilter {
  if (period !== undefined && !isMonth(period)) throw noSuchMonth('period', period)
  return {
    issuerId: issuer === undefined ? undefined : issuer === 'operator' ? OPERATOR_BOOK : resellerId,
    status,
    month: period,
    // Of another sub-client than its own a key sees none.
    subClientIds: [sub_client_id, subClientPin].filter((each) => each !== undefined),
    kind,
    draftsOf: subClientPin === undefined ? resellerId : undefined,
  }
}

export function noSuchMonth(field: string, given: string): Problem {
  return new Problem('invalid_request', `"${field}" is ${JSON.stringify(given)}; it should be a month, such as 2026-10.`, {
    details: { field },
  })
}

/** A draft is its issuer's alone; of a pinned key, its sub-client's. */
export async function requireVisibleInvoice(
  database: Database,
  { resellerId, subClientPin }: Caller,
  invoiceId: string,
): Promise<StoredInvoice> {
  const invoice = isId(invoiceId) ? await selectInvoice(database.tenantPool(resellerId), { resellerId, invoiceId }) : undefined
  if (invoice === undefined) throw noSuchInvoice()
  if (subClientPin !== undefined && invoice.subClientId !== subClientPin) throw noSuchInvoice()
  const isIssuer = subClientPin === undefined && invoice.issuerId === resellerId
  if (invoice.openedAt === undefined && !isIssuer) throw noSuchInvoice()
  return invoice
}

/** Characters that PostgreSQL cannot be asked for are in no id. */
function isId(text: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(text)
}

/** One that the caller issued, and so may change. */
export async function requireIssuedInvoice(database: Database, caller: Caller, invoiceId: string): Promise<StoredInvoice> {
  const invoice = await requireVisibleInvoice(database, caller, invoiceId)
  refusePinned(caller, 'billing:write')
  if (invoice.issuerId === caller.resellerId) return invoice
  throw new Problem('missing_scope', 'This invoice was issued by the operator of the installation, who alone can change it.', {
    details: { issuer: 'operator' },
  })
}

/** In parts: as one object, a long invoice would hold the event loop while it is checked against its schema and written. */
export async function sendInvoice(
  { database, paymentsOf }: InvoiceRoutesDeps,
  reply: FastifyReply,
  invoice: StoredInvoice,
): Promise<never> {
  const db = database.tenantPool(invoice.resellerId)
  const [creditNotes, payments, unappliedMinor] = await Promise.all([
    selectCreditNotes(db, invoice),
    paymentsOf(db, invoice),
    // The ledger is in the book of the issuer.
    unappliedMinorOf(database.tenantPool(invoice.issuerId), invoice),
  ])
  const answer = { success: true, invoice: toWireHead(invoice, { creditNotes, payments, unappliedMinor }) }
  return await sendInParts(reply.type('application/json; charset=utf-8'), jsonInParts(db, invoice, answer))
}
