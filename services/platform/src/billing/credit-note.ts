// The content of a credit note that corrects an invoice, whole or in part. An invoice that was opened is never edited.
//
// Amounts are positive, as in EN 16931. Of no line, and of no tax, is more credited than it came to, all notes taken together; and when all lines are
// credited, so is the tax, to the minor unit: a note's tax is the tax on everything credited up to and including it, less the tax of the notes before.
// On its own it may be one minor unit off what the rate gives.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Invoice, InvoiceLine, TaxLine } from './invoice.ts'
import { toAmount } from './rating/draft-line.ts'
import { toMajorText } from './rating/money.ts'
import type { RatedInvoice } from './rating/rate-invoice.ts'
import { fraction, parseDecimal, product, roundHalfUp } from './rating/rational.ts'

export type CreditRequest = {
  /** Of these lines of the invoice so much, without tax. Absent: everything that is left. */
  readonly parts: readonly { readonly line: number; readonly amountMinor: number }[] | undefined
  /** For people; it stands on each line. */
  readonly reason: string
}
type CreditedInvoice = Pick<Invoice, 'invoiceId' | 'kind' | 'status' | 'currency' | 'lines' | 'taxes'>
type EarlierNote = Pick<Invoice, 'lines' | 'taxes' | 'subtotalMinor'>

/** `earlier`: every credit note that the invoice has. Throws `conflict` where there is less left than is asked for. */
export function creditInvoice(invoice: CreditedInvoice, earlier: readonly EarlierNote[], asked: CreditRequest): RatedInvoice {
  const crediting = beginCrediting(invoice, asked)
  for (const note of earlier) crediting.countEarlier(note.lines)
  const lines = crediting.credit(invoice.lines)
  return { lines, ...crediting.finish(earlier) }
}

export type Crediting = {
  /** Lines of a note that the invoice has; of all notes before `credit`. */
  countEarlier(lines: readonly InvoiceLine[]): void
  /** Lines of the invoice; answers those of the note. */
  credit(lines: readonly InvoiceLine[]): InvoiceLine[]
  /** When all lines were given. */
  finish(earlier: readonly Omit<EarlierNote, 'lines'>[]): Omit<RatedInvoice, 'lines'>
}

/** The same of an invoice whose lines come in parts. */
export function beginCrediting(invoice: Omit<CreditedInvoice, 'lines'>, { parts, reason }: CreditRequest): Crediting {
  if (invoice.kind !== 'invoice' || invoice.status === 'draft' || invoice.status === 'void') {
    throw new Problem('conflict', 'Only an invoice that was opened, and is not void, can be credited.')
  }
  const asked = parts === undefined ? undefined : amountsOf(parts)
  const missing = new Set(asked?.keys())
  const creditedEarlier = new Map<number, number>()
  let lineCount = 0
  let subtotal = 0n
  const creditOne = (original: InvoiceLine): InvoiceLine[] => {
    const left = Math.max(0, original.amountMinor - (creditedEarlier.get(original.line) ?? 0))
    const amountMinor = asked === undefined ? left : (asked.get(original.line) ?? 0)
    missing.delete(original.line)
    if (amountMinor === 0) return []
    if (amountMinor > left) {
      const leftText = toMajorText(left, invoice.currency)
      throw new Problem('conflict', `Of line ${original.line} no more than ${leftText} ${invoice.currency} is left to credit.`, {
        details: { line: original.line, left },
      })
    }
    subtotal += BigInt(amountMinor)
    return [creditLine(invoice, original, amountMinor, ++lineCount, reason)]
  }
  return {
    countEarlier: (lines) => {
      for (const { amountMinor, sources } of lines) {
        for (const source of sources) {
          if (source.ledger !== 'invoice' || source.invoiceId !== invoice.invoiceId) continue
          creditedEarlier.set(source.line, (creditedEarlier.get(source.line) ?? 0) + amountMinor)
        }
      }
    },
    credit: (lines) => lines.flatMap(creditOne),
    finish: (earlier) => {
      for (const line of missing) throw refusedLine(line, `Line ${line} is not on the invoice.`)
      if (lineCount === 0) throw new Problem('conflict', 'Nothing of the invoice is left to credit.')
      const subtotalMinor = toAmount(subtotal)
      const taxes = invoice.taxes.map((tax) => creditTax(tax, subtotalMinor, earlier))
      const taxMinor = sumOf(taxes.map(({ amountMinor }) => amountMinor))
      return { taxes, subtotalMinor, taxMinor, totalMinor: sumOf([subtotalMinor, taxMinor]) }
    },
  }
}

/** By line of the invoice. */
function amountsOf(parts: NonNullable<CreditRequest['parts']>): Map<number, number> {
  const amounts = new Map<number, number>()
  for (const { line, amountMinor } of parts) {
    if (amounts.has(line)) throw refusedLine(line, `Line ${line} is named twice.`)
    if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0)
      throw refusedLine(line, `What is credited of line ${line} is a whole number of minor units above zero.`)
    amounts.set(line, amountMinor)
  }
  return amounts
}

function refusedLine(line: number, message: string): Problem {
  return new Problem('invalid_request', message, { details: { field: 'lines', line } })
}

/** A line that is credited whole keeps its quantity and price; a part of one is a piece at that price. */
function creditLine(
  { invoiceId, currency }: Pick<CreditedInvoice, 'invoiceId' | 'currency'>,
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

function creditTax(tax: TaxLine, taxableMinor: number, earlier: readonly Omit<EarlierNote, 'lines'>[]): TaxLine {
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
