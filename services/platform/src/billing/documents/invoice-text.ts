// The text of an invoice on paper, before it is laid out: every word and number, in the order in which they are read.

import { amountDueMinor, type Party, type TaxLine } from '../invoice.ts'
import { type Formats, formatsOf } from './format-amount.ts'
import type { PrintedInvoice } from './printed-part.ts'

export type LabelledText = { readonly label: string; readonly text: string }

export type LineText = {
  readonly number: string
  readonly description: string
  /** Its SIM, and its days where they are not those of the invoice. */
  readonly detail: string | undefined
  readonly quantity: string
  readonly price: string
  readonly amount: string
}

export type InvoiceText = {
  readonly title: 'Invoice' | 'Credit note'
  /** `Draft` or `Void`: beside the title. */
  readonly mark: string | undefined
  /** A sentence on what this document is, where it is not simply an invoice to pay. */
  readonly notice: string | undefined
  readonly facts: readonly LabelledText[]
  readonly issuer: PartyText
  readonly recipient: PartyText
  readonly currency: string
  readonly lines: readonly LineText[]
  /** Of lines beyond the most that are printed. */
  readonly furtherLines: LabelledText | undefined
  /** Subtotal, taxes, and what is taken off. */
  readonly sums: readonly LabelledText[]
  readonly result: LabelledText
  readonly remarks: readonly string[]
  readonly footer: string | undefined
}

export type PartyText = { readonly name: string; readonly lines: readonly string[] }

const MAX_ADDRESS_LINES = 6

export function invoiceTextOf(invoice: PrintedInvoice, locale: string | undefined): InvoiceText {
  const formats = formatsOf({ ...invoice, locale })
  const { kind, lines, further, footer, currency } = invoice
  return {
    title: kind === 'invoice' ? 'Invoice' : 'Credit note',
    mark: markOf(invoice),
    notice: noticeOf(invoice, formats),
    facts: factsOf(invoice, formats),
    issuer: partyTextOf(invoice.issuer),
    recipient: partyTextOf(invoice.recipient),
    currency,
    lines: lines.map((line) => lineTextOf(line, invoice, formats)),
    furtherLines: furtherLinesOf(further, formats),
    sums: sumsOf(invoice, formats),
    result: resultOf(invoice, formats),
    remarks: invoice.taxes.flatMap(remarkOf),
    footer,
  }
}

function markOf({ status }: PrintedInvoice): string | undefined {
  if (status === 'void') return 'Void'
  return status === 'draft' ? 'Draft' : undefined
}

function noticeOf(invoice: PrintedInvoice, { day, money }: Formats): string | undefined {
  const { kind, status, voidedAt, dueAt, corrects } = invoice
  const name = kind === 'invoice' ? 'invoice' : 'credit note'
  if (status === 'draft') return `This is a draft. It has no number yet, its amounts may change, and nothing is to be paid on it.`
  if (status === 'void') {
    const since = voidedAt === undefined ? '' : ` since ${day(voidedAt)}`
    return `This ${name} is void${since}. Nothing is to be paid on it.`
  }
  if (kind === 'credit_note') return corrects && `This credit note corrects invoice ${corrects.number}. Nothing is to be paid on it.`
  if (status === 'paid') return settledNoticeOf(invoice, day)
  const isOverdue = status === 'overdue' && dueAt !== undefined
  return isOverdue ? `This invoice is overdue: ${money(amountDueMinor(invoice))} was to be paid by ${day(dueAt)}.` : undefined
}

/** `paid` is also what nothing is left to pay of: nobody paid what came to nothing, or was credited. */
function settledNoticeOf({ totalMinor, paidMinor, creditedMinor, paidAt }: PrintedInvoice, day: Formats['day']): string {
  if (totalMinor === 0) return 'This invoice comes to nothing. Nothing is to be paid on it.'
  if (creditedMinor === totalMinor) return 'This invoice is credited in full. Nothing is to be paid on it.'
  return paidMinor === totalMinor && paidAt !== undefined ? `This invoice was paid on ${day(paidAt)}.` : 'This invoice is paid.'
}

function factsOf(invoice: PrintedInvoice, { day, days }: Formats): LabelledText[] {
  const { kind, number, openedAt, draftedAt, dueAt, buyerReference, corrects } = invoice
  const name = kind === 'invoice' ? 'Invoice' : 'Credit note'
  const facts: { label: string; text: string | undefined }[] = [
    { label: `${name} number`, text: number ?? '—' },
    { label: openedAt === undefined ? 'Drafted on' : `${name} date`, text: day(openedAt ?? draftedAt) },
    { label: 'Due date', text: kind === 'invoice' && dueAt !== undefined ? day(dueAt) : undefined },
    { label: 'Period', text: days(invoice) },
    { label: 'Corrects invoice', text: corrects?.number },
    { label: 'Your reference', text: buyerReference },
  ]
  return facts.flatMap(({ label, text }) => (text === undefined ? [] : [{ label, text }]))
}

function partyTextOf(party: Party): PartyText {
  const { name, addressLines, city, postalCode, region, countryCode, taxNumber, email, phone } = party
  const place = [postalCode, city].filter(Boolean).join(' ')
  const lines = [
    ...addressLines.slice(0, MAX_ADDRESS_LINES),
    [place, region].filter(Boolean).join(', '),
    countryNameOf(countryCode),
    taxNumber === undefined ? '' : `Tax number ${taxNumber}`,
    email ?? '',
    phone ?? '',
  ]
  return { name, lines: lines.filter((line) => line.trim() !== '') }
}

function countryNameOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code) : code
}

function lineTextOf(line: PrintedInvoice['lines'][number], invoice: PrintedInvoice, { amount, quantity, price, days }: Formats): LineText {
  const isOfWholePeriod = line.from.getTime() === invoice.from.getTime() && line.until.getTime() === invoice.until.getTime()
  const sim = line.sim && `SIM ${line.sim.iccid}`
  const detail = [sim, isOfWholePeriod ? undefined : days(line)].filter((part) => part !== undefined).join(' · ')
  return {
    number: String(line.line),
    description: line.description,
    detail: detail === '' ? undefined : detail,
    quantity: quantity(line),
    price: price(line),
    amount: amount(line.amountMinor),
  }
}

function furtherLinesOf({ count, amountMinor }: PrintedInvoice['further'], { amount }: Formats): LabelledText | undefined {
  const label = `${count} further lines: see the electronic invoice or the CSV file of this invoice`
  return count === 0 ? undefined : { label, text: amount(amountMinor) }
}

function sumsOf(invoice: PrintedInvoice, { amount }: Formats): LabelledText[] {
  const { taxes, subtotalMinor, totalMinor, paidMinor, creditedMinor } = invoice
  const sums = [
    { label: 'Subtotal', text: amount(subtotalMinor) },
    ...taxes.map((tax) => ({ label: `${tax.name} ${tax.ratePercent} %`, text: amount(tax.amountMinor) })),
  ]
  if (!isDemand(invoice)) return sums
  const takenOff = [
    { label: 'Paid', minor: paidMinor },
    { label: 'Credited', minor: creditedMinor },
  ]
  return [
    ...sums,
    { label: 'Total', text: amount(totalMinor) },
    ...takenOff.filter(({ minor }) => minor !== 0).map(({ label, minor }) => ({ label, text: amount(-minor) })),
  ]
}

function resultOf(invoice: PrintedInvoice, { money }: Formats): LabelledText {
  if (isDemand(invoice)) return { label: 'Amount due', text: money(amountDueMinor(invoice)) }
  return { label: invoice.kind === 'credit_note' ? 'Total credited' : 'Total', text: money(invoice.totalMinor) }
}

function isDemand({ kind, status }: PrintedInvoice): boolean {
  return kind === 'invoice' && status !== 'draft' && status !== 'void'
}

/** Why a tax is not charged has to stand on the invoice. */
function remarkOf({ name, category, exemptionReason }: TaxLine): string[] {
  if (category === 'S' || category === 'Z') return []
  const reason = category === 'AE' ? 'Reverse charge' : category === 'E' ? 'Exempt' : 'Not subject to tax'
  return [`${name}: ${exemptionReason === undefined ? reason : `${reason}. ${exemptionReason}`}`]
}
