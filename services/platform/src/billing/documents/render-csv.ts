// The lines of an invoice for spreadsheets and scripts. The columns are described in docs/invoices.md.

import { csvRow, csvText } from '@roadworthy/service-kit/text/csv'
import type { Invoice, InvoiceHead, InvoiceLine } from '../invoice.ts'
import { toMajorText } from '../rating/money.ts'
import { civilDays } from './civil-date.ts'

type Column = { readonly name: string; readonly of: (line: InvoiceLine, invoice: InvoiceHead) => string | undefined }

/** New ones are added at the end: scripts read them by place. */
const columns: readonly Column[] = [
  { name: 'invoice_id', of: (_, { invoiceId }) => asText(invoiceId) },
  { name: 'invoice_number', of: (_, { number }) => asText(number) },
  { name: 'document', of: (_, { kind }) => kind },
  { name: 'line', of: ({ line }) => String(line) },
  { name: 'kind', of: ({ kind }) => kind },
  { name: 'description', of: ({ description }) => asText(description) },
  { name: 'sim_id', of: ({ sim }) => asText(sim?.simId) },
  { name: 'iccid', of: ({ sim }) => asText(sim?.iccid) },
  { name: 'plan_id', of: ({ planId }) => asText(planId) },
  { name: 'first_day', of: (line, { timeZone }) => civilDays(line, timeZone).first },
  { name: 'last_day', of: (line, { timeZone }) => civilDays(line, timeZone).last },
  { name: 'quantity', of: ({ quantity }) => quantity },
  { name: 'quantity_numerator', of: ({ quantityFraction }) => quantityFraction?.numerator },
  { name: 'quantity_denominator', of: ({ quantityFraction }) => quantityFraction?.denominator },
  { name: 'unit', of: ({ unit }) => unit },
  { name: 'unit_price', of: ({ unitPrice }) => unitPrice },
  { name: 'price_quantity', of: ({ priceQuantity }) => String(priceQuantity) },
  { name: 'amount', of: ({ amountMinor }, { currency }) => toMajorText(amountMinor, currency) },
  { name: 'currency', of: (_, { currency }) => currency },
]

/** RFC 4180, in UTF-8 without a byte order mark, with a header. Amounts have a point and no separators, whatever the locale. */
export function renderInvoiceCsv({ lines, ...invoice }: Invoice): string {
  return `${CSV_HEADER}${csvRowsOf(invoice, lines)}`
}

export const CSV_HEADER = csvRow(columns.map(({ name }) => name))

export function csvRowsOf(invoice: InvoiceHead, lines: readonly InvoiceLine[]): string {
  return lines.map((line) => csvRow(columns.map(({ of }) => of(line, invoice) ?? ''))).join('')
}

function asText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : csvText(text)
}
