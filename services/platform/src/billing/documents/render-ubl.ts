// An invoice as the electronic invoice of EN 16931-1, in the syntax of UBL 2.1 (CEN/TS 16931-3-2). BT- and BG- numbers are the business terms
// of EN 16931-1, BR- its rules. Written by hand in the order that the schema asks for.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { amountDueMinor, type Invoice, type InvoiceHead, type InvoiceLine, type LineUnit, type Party } from '../invoice.ts'
import { toMajorText } from '../rating/money.ts'
import { civilDate, civilDays } from './civil-date.ts'
import { type VatBreakdown, vatBreakdownOf } from './vat-breakdown.ts'
import { closingTag, element, openingTag, textElement, toXmlText } from './xml.ts'

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd'
const EN_16931 = 'urn:cen.eu:en16931:2017'

/** UN/ECE Recommendation 20. A megabyte is billed as 1,048,576 bytes, which is the mebibyte (E63) of that list; its megabyte (4L) is 10^6. */
const unitCodes: Readonly<Record<LineUnit, string>> = { month: 'MON', day: 'DAY', piece: 'C62', megabyte: 'E63' }

/** UNTDID 1001. */
const typeCodes: Readonly<Record<Invoice['kind'], string>> = { invoice: '380', credit_note: '381' }

type Amount = (name: string, minor: number) => string | undefined

/** The invoice as a UBL `Invoice`, or as a `CreditNote`. The same invoice gives the same text. Refuses what `ublBeginning` does. */
export function renderInvoiceUbl({ lines, ...invoice }: Invoice): string {
  return `${ublBeginning(invoice, lines.length > 0)}${ublLines(invoice, lines)}${ublEnd(invoice)}`
}

/**
 * All that stands before the lines. Refuses drafts, which have no number (BT-1 is mandatory), void invoices, which ask for nothing and which UBL cannot
 * express, and invoices without lines (BR-16).
 */
export function ublBeginning(invoice: InvoiceHead, hasLines: boolean): string {
  const { number, status, kind, currency } = invoice
  if (number === undefined || status === 'draft') throw refuse('A draft has no number yet, so there is no electronic invoice of it.')
  if (status === 'void') throw refuse('This invoice is void, so there is no electronic invoice of it.')
  if (!hasLines) throw refuse('An electronic invoice has at least one line.')
  const vat = vatBreakdownOf(invoice)
  const amount = amountIn(currency)
  const content = [
    ...headElements(invoice, number),
    ...referenceElements(invoice),
    element('cac:AccountingSupplierParty', [element('cac:Party', sellerElements(invoice, vat))]),
    element('cac:AccountingCustomerParty', [element('cac:Party', partyElements(invoice.recipient, vat, undefined))]),
    element('cac:PaymentTerms', [textElement('cbc:Note', paymentTermsOf(invoice))]),
    vatElement(vat, amount),
    totalsElement(invoice, vat, amount),
  ]
  const root = rootOf(kind)
  const namespaces = {
    xmlns: `${UBL}:${root}-2`,
    'xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
    'xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${openingTag(root, namespaces)}${content.join('')}`
}

export function ublLines(invoice: InvoiceHead, lines: readonly InvoiceLine[]): string {
  const vat = vatBreakdownOf(invoice)
  const amount = amountIn(invoice.currency)
  return lines.map((line) => lineElement(invoice, line, vat, amount)).join('')
}

export function ublEnd({ kind }: InvoiceHead): string {
  return `${closingTag(rootOf(kind))}\n`
}

function rootOf(kind: Invoice['kind']): string {
  return kind === 'invoice' ? 'Invoice' : 'CreditNote'
}

function amountIn(currency: string): Amount {
  return (name, minor) => textElement(name, toMajorText(minor, currency), { currencyID: currency })
}

function refuse(message: string): Problem {
  return new Problem('conflict', message)
}

function headElements(invoice: InvoiceHead, number: string): (string | undefined)[] {
  const { kind, timeZone, openedAt, draftedAt, dueAt } = invoice
  const issueDate = textElement('cbc:IssueDate', civilDate(openedAt ?? draftedAt, timeZone))
  const notes = notesOf(invoice).map((note) => textElement('cbc:Note', note))
  const numbers = [textElement('cbc:CustomizationID', EN_16931), textElement('cbc:ID', number), issueDate]
  // UBL has no due date in the head of a credit note.
  const dueDate = kind === 'credit_note' || dueAt === undefined ? undefined : textElement('cbc:DueDate', civilDate(dueAt, timeZone))
  const typeCode = textElement(kind === 'invoice' ? 'cbc:InvoiceTypeCode' : 'cbc:CreditNoteTypeCode', typeCodes[kind])
  return [...numbers, dueDate, typeCode, ...notes, textElement('cbc:DocumentCurrencyCode', invoice.currency)]
}

/** BT-22. Names of taxes have no place of their own in EN 16931, and who receives the invoice may have to book them one by one. */
function notesOf({ taxes, currency, footer }: InvoiceHead): string[] {
  const charged = taxes.map(
    ({ name, ratePercent, amountMinor }) => `${name} ${ratePercent} %: ${toMajorText(amountMinor, currency)} ${currency}`,
  )
  return [...(charged.length > 1 ? [charged.join('; ')] : []), ...(footer === undefined ? [] : [footer])]
}

function referenceElements(invoice: InvoiceHead): (string | undefined)[] {
  const corrected = element('cac:InvoiceDocumentReference', [textElement('cbc:ID', invoice.corrects?.number)])
  return [
    textElement('cbc:BuyerReference', invoice.buyerReference),
    periodElement(invoice, invoice.timeZone),
    corrected && element('cac:BillingReference', [corrected]),
  ]
}

/** Both days are in. */
function periodElement(span: { readonly from: Date; readonly until: Date }, timeZone: string): string | undefined {
  const { first, last } = civilDays(span, timeZone)
  return element('cac:InvoicePeriod', [textElement('cbc:StartDate', first), textElement('cbc:EndDate', last)])
}

function sellerElements({ issuer, issuerId }: InvoiceHead, vat: VatBreakdown): (string | undefined)[] {
  return partyElements(issuer, vat, issuerId)
}

function partyElements(party: Party, vat: VatBreakdown, sellerId: string | undefined): (string | undefined)[] {
  const registration = registrationOf(party, vat, sellerId !== undefined)
  const taxScheme = registration.taxScheme && element('cac:TaxScheme', [textElement('cbc:ID', registration.taxScheme)])
  return [
    // Of the code list of electronic addresses: EM is e-mail.
    textElement('cbc:EndpointID', party.email, { schemeID: 'EM' }),
    // BT-29: BR-CO-26 wants an identifier of the seller, also where there is no VAT number.
    element('cac:PartyIdentification', [textElement('cbc:ID', sellerId)]),
    addressElement(party),
    taxScheme && element('cac:PartyTaxScheme', [textElement('cbc:CompanyID', party.taxNumber), taxScheme]),
    element('cac:PartyLegalEntity', [
      textElement('cbc:RegistrationName', shownName(party.name)),
      registration.isLegal ? textElement('cbc:CompanyID', party.taxNumber) : undefined,
    ]),
    element('cac:Contact', [textElement('cbc:Telephone', party.phone), textElement('cbc:ElectronicMail', party.email)]),
  ]
}

/** BR-06 and BR-07 want names. A name of nothing but what XML cannot hold has to be something. */
function shownName(name: string): string {
  return toXmlText(name) === '' ? '-' : name
}

/**
 * Where a tax number stands. A VAT number (BT-31, BT-48) begins with the code of its country, EL for Greece (BR-CO-09). Other numbers, such as
 * a GSTIN, are the tax registration of a seller (BT-32) and the legal registration of a buyer (BT-47). Where nothing is subject to VAT, BR-O-02
 * forbids VAT numbers.
 */
function registrationOf(
  { taxNumber, countryCode }: Party,
  { category }: VatBreakdown,
  isSeller: boolean,
): { readonly taxScheme: string | undefined; readonly isLegal: boolean } {
  if (taxNumber === undefined) return { taxScheme: undefined, isLegal: false }
  const prefix = countryCode === 'GR' ? 'EL' : countryCode
  if (category === 'O') return { taxScheme: undefined, isLegal: true }
  if (toXmlText(taxNumber).startsWith(prefix)) return { taxScheme: 'VAT', isLegal: false }
  return isSeller ? { taxScheme: 'TAX', isLegal: false } : { taxScheme: undefined, isLegal: true }
}

function addressElement({ addressLines, city, postalCode, region, countryCode }: Party): string | undefined {
  const [first, second, ...others] = addressLines.filter((line) => toXmlText(line) !== '')
  return element('cac:PostalAddress', [
    textElement('cbc:StreetName', first),
    textElement('cbc:AdditionalStreetName', second),
    textElement('cbc:CityName', city),
    textElement('cbc:PostalZone', postalCode),
    textElement('cbc:CountrySubentity', region),
    // BT-162 is one line.
    element('cac:AddressLine', [textElement('cbc:Line', others.join(', '))]),
    element('cac:Country', [textElement('cbc:IdentificationCode', countryCode)]),
  ])
}

/** BT-20: BR-CO-25 wants a due date or terms where something is to be paid. */
function paymentTermsOf({ kind, dueAt, corrects }: InvoiceHead): string | undefined {
  if (kind === 'credit_note') return `Credited against invoice ${corrects?.number ?? ''}`
  return dueAt === undefined ? 'Payable on receipt' : undefined
}

function vatElement(vat: VatBreakdown, amount: Amount): string | undefined {
  const subtotal = [
    amount('cbc:TaxableAmount', vat.taxableMinor),
    amount('cbc:TaxAmount', vat.taxMinor),
    element('cac:TaxCategory', categoryElements(vat, vat.exemptionReason)),
  ]
  return element('cac:TaxTotal', [amount('cbc:TaxAmount', vat.taxMinor), element('cac:TaxSubtotal', subtotal)])
}

function categoryElements({ category, ratePercent }: VatBreakdown, exemptionReason: string | undefined): (string | undefined)[] {
  return [
    textElement('cbc:ID', category),
    textElement('cbc:Percent', ratePercent),
    textElement('cbc:TaxExemptionReason', exemptionReason),
    element('cac:TaxScheme', [textElement('cbc:ID', 'VAT')]),
  ]
}

function totalsElement(invoice: InvoiceHead, { taxMinor, roundingMinor }: VatBreakdown, amount: Amount): string | undefined {
  const { kind, subtotalMinor, totalMinor } = invoice
  // What a credit note gives back is its whole total. Of an invoice, credit notes count as paid: the amount due is the same everywhere.
  const payableMinor = kind === 'credit_note' ? totalMinor : amountDueMinor(invoice)
  const prepaidMinor = totalMinor - payableMinor
  return element('cac:LegalMonetaryTotal', [
    amount('cbc:LineExtensionAmount', subtotalMinor),
    amount('cbc:TaxExclusiveAmount', subtotalMinor),
    amount('cbc:TaxInclusiveAmount', subtotalMinor + taxMinor),
    prepaidMinor === 0 ? undefined : amount('cbc:PrepaidAmount', prepaidMinor),
    roundingMinor === 0 ? undefined : amount('cbc:PayableRoundingAmount', roundingMinor),
    amount('cbc:PayableAmount', payableMinor),
  ])
}

function lineElement({ kind, timeZone, currency }: InvoiceHead, line: InvoiceLine, vat: VatBreakdown, amount: Amount): string | undefined {
  const unit = { unitCode: unitCodes[line.unit] }
  const isInvoice = kind === 'invoice'
  const iccid = [textElement('cbc:Name', 'ICCID'), textElement('cbc:Value', line.sim?.iccid)]
  return element(isInvoice ? 'cac:InvoiceLine' : 'cac:CreditNoteLine', [
    textElement('cbc:ID', String(line.line)),
    textElement(isInvoice ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity', line.quantity, unit),
    amount('cbc:LineExtensionAmount', line.amountMinor),
    periodElement(line, timeZone),
    element('cac:Item', [
      textElement('cbc:Name', toXmlText(line.description) === '' ? line.kind : line.description),
      element('cac:SellersItemIdentification', [textElement('cbc:ID', line.planId)]),
      element('cac:ClassifiedTaxCategory', categoryElements(vat, undefined)),
      line.sim && element('cac:AdditionalItemProperty', iccid),
    ]),
    element('cac:Price', [
      textElement('cbc:PriceAmount', line.unitPrice, { currencyID: currency }),
      line.priceQuantity === 1 ? undefined : textElement('cbc:BaseQuantity', String(line.priceQuantity), unit),
    ]),
  ])
}
