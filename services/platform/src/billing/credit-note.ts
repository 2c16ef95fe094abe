// What a credit note says that corrects an invoice, whole or in part. An invoice that was opened is never edited.
//
// Amounts are positive, as in EN 16931. Of no line, and of no tax, is more credited than it came to, all notes taken together; and when all lines are
// credited, so is the tax, to the minor unit: a note's tax is the tax on everything credited up to and including it, less the tax of the notes before.
// On its own it may be one minor unit off what the rate gives.

import { Problem } from '@roadworthy/service-kit/problem'
import { toAmount } from './draft-line.ts'
import type { Invoice, InvoiceLine, TaxLine } from './invoice.ts'
import { toMajorText } from './money.ts'
import type { RatedInvoice } from './rate-invoice.ts'
import { fraction, parseDecimal, product, roundHalfUp } from './rational.ts'

export type CreditRequest = {
  /** Of these lines of the invoice so much, without tax. Absent: everything that is left. */
  readonly parts: readonly { readonly line: number; readonly amountMinor: number }[] | undefined
  /** For people; it stands on each line. */
  readonly reason: string
}
type CreditedInvoice = Pick<Invoice, 'invoiceId' | 'kind' | 'status' | 'currency' | 'lines' | 'taxes'>
type EarlierNote = Pick<Invoice, 'lines' | 'taxes' | 'subtotalMinor'>

/** `earlier`: every credit note that the invoice has. Throws `conflict` where there is less left than is asked for. */
export function creditInvoice(invoice: CreditedInvoice, earlier: readonly EarlierNote[], { parts, reason }: CreditRequest): RatedInvoice {
  if (invoice.kind !== 'invoice' || invoice.status === 'draft' || invoice.status === 'void') {
    throw new Problem('conflict', 'Only an invoice that was opened, and is not void, can be credited.')
  }
  const left = leftOfLines(invoice, earlier)
  const asked = parts ?? [...left].map(([line, amountMinor]) => ({ line, amountMinor })).filter(({ amountMinor }) => amountMinor > 0)
  if (asked.length === 0) throw new Problem('conflict', 'Nothing of the invoice is left to credit.')
  checkParts(asked, left)
  const amounts = new Map(asked.map(({ line, amountMinor }) => [line, amountMinor]))
  const lines = invoice.lines
    .filter(({ line }) => amounts.has(line))
    .map((original, nth) => creditLine(invoice, original, amounts.get(original.line) ?? 0, nth + 1, reason))
  const subtotalMinor = sumOf(lines.map(({ amountMinor }) => amountMinor))
  const taxes = invoice.taxes.map((tax) => creditTax(tax, subtotalMinor, earlier))
  const taxMinor = sumOf(taxes.map(({ amountMinor }) => amountMinor))
  return { lines, taxes, subtotalMinor, taxMinor, totalMinor: sumOf([subtotalMinor, taxMinor]) }
}

/** By line of the invoice. */
function leftOfLines({ invoiceId, lines }: CreditedInvoice, earlier: readonly EarlierNote[]): Map<number, number> {
  const left = new Map(lines.map(({ line, amountMinor }) => [line, amountMinor]))
  for (const { amountMinor, sources } of earlier.flatMap((note) => note.lines)) {
    for (const source of sources) {
      if (source.ledger !== 'invoice' || source.invoiceId !== invoiceId) continue
      left.set(source.line, (left.get(source.line) ?? 0) - amountMinor)
    }
  }
  return left
}

function checkParts(parts: NonNullable<CreditRequest['parts']>, left: ReadonlyMap<number, number>): void {
  const seen = new Set<number>()
  for (const { line, amountMinor } of parts) {
    const most = left.get(line)
    if (most === undefined || seen.has(line)) {
      const what = most === undefined ? 'is not on the invoice' : 'is named twice'
      throw new Problem('invalid_request', `Line ${line} ${what}.`, { details: { field: 'lines', line } })
    }
    seen.add(line)
    if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0) {
      throw new Problem('invalid_request', `What is credited of line ${line} is a whole number of minor units above zero.`, {
        details: { field: 'lines', line },
      })
    }
    if (amountMinor > most) {
      throw new Problem('conflict', `Of line ${line} no more than ${Math.max(0, most)} minor units are left to credit.`, {
        details: { line, left: Math.max(0, most) },
      })
    }
  }
}

/** A line that is credited whole keeps its quantity and price; a part of one is a piece at that price. */
function creditLine(
  { invoiceId, currency }: CreditedInvoice,
  original: InvoiceLine,
  amountMinor: number,
  line: number,
  reason: string,
): InvoiceLine {
  const piece = {
    quantity: '1',
    quantityFraction: undefined,
    unit: 'piece',
    unitPrice: toMajorText(amountMinor, currency),
    priceQuantity: 1,
  } as const
  return {
    ...original,
    ...(amountMinor === original.amountMinor ? {} : piece),
    line,
    kind: 'correction',
    description: `${reason}: ${original.description}`,
    amountMinor,
    sources: [{ ledger: 'invoice', invoiceId, line: original.line }],
  }
}

function creditTax(tax: TaxLine, taxableMinor: number, earlier: readonly EarlierNote[]): TaxLine {
  const creditedNet = BigInt(sumOf(earlier.map(({ subtotalMinor }) => subtotalMinor))) + BigInt(taxableMinor)
  const creditedTax = sumOf(
    earlier.flatMap(({ taxes }) => taxes.filter(({ taxId }) => taxId === tax.taxId)).map(({ amountMinor }) => amountMinor),
  )
  const due = roundHalfUp(product(fraction(creditedNet), parseDecimal(tax.ratePercent), fraction(1, 100)))
  return { ...tax, taxableMinor, amountMinor: toAmount(due - BigInt(creditedTax)) }
}

function sumOf(amounts: readonly number[]): number {
  return toAmount(amounts.reduce((total, amount) => total + BigInt(amount), 0n))
}
