import type { InvoiceStatus } from '../api/invoice-queries.ts'

export const invoiceStatuses = ['draft', 'open', 'overdue', 'paid', 'void'] as const satisfies readonly InvoiceStatus[]
const issuers = ['reseller', 'operator'] as const

export type InvoiceSearch = { status?: InvoiceStatus; issuer?: (typeof issuers)[number] }

export function readInvoiceSearch({ status, issuer }: Record<string, unknown>): InvoiceSearch {
  const knownStatus = invoiceStatuses.find((each) => each === status)
  const knownIssuer = issuers.find((each) => each === issuer)
  return { ...(knownStatus === undefined ? {} : { status: knownStatus }), ...(knownIssuer === undefined ? {} : { issuer: knownIssuer }) }
}
