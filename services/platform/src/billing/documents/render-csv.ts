// The lines of an invoice for spreadsheets and scripts. The columns are described in docs/invoices.md.

import type { Invoice, InvoiceHead, InvoiceLine } from '../invoice.ts'
import { toMajorText } from '../money.ts'
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

export const CSV_HEADER = `${columns.map(({ name }) => name).join(',')}\r\n`

export function csvRowsOf(invoice: InvoiceHead, lines: readonly InvoiceLine[]): string {
  return lines.map((line) => `${columns.map(({ of }) => quoted(of(line, invoice) ?? '')).join(',')}\r\n`).join('')
}

/**
 * Text that somebody chose. A spreadsheet takes a cell that begins with one of these for a formula, also after spaces, and some take the
 * full-width forms for the plain ones (OWASP, CSV Injection): an apostrophe before it makes it text. Control characters have no place in a cell.
 */
function asText(text: string | undefined): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  const shown = text?.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').toWellFormed()
  return shown !== undefined && /^[\s\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069]*[=+\-@＝＋－＠]/u.test(shown) ? `'${shown}` : shown
}

function quoted(cell: string): string {
  return /[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
