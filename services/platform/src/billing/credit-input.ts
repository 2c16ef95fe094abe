// What a credit note is made from: what was asked, the invoice that it corrects, and the credit notes before it. Only what was asked, and which notes came
// before, is stored beside the note; a statement holds all of it.

import { type Static, type TSchema, Type } from 'typebox'
import { type InvoiceLine, lineKinds, lineUnits } from './invoice.ts'

const closed = { additionalProperties: false } as const
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const id = Type.String({ minLength: 1, maxLength: 128 })
const text = Type.String({ maxLength: 2_000 })
const seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const place = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const instant = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })
const decimal = Type.String({ pattern: '^-?\\d{1,20}(\\.\\d{1,20})?$' })
const integer = Type.String({ pattern: '^-?\\d{1,60}$' })

/** So many notes on parts of one invoice; then one over everything that is left. Assumption: an invoice is corrected a few times. */
export const MAX_PARTIAL_NOTES = 100

const Source = Type.Union([
  Type.Object({ ledger: Type.Enum(['sim_history', 'sim_usage']), simId: id, fromSeq: seq, toSeq: seq }, closed),
  Type.Object(
    { ledger: Type.Literal('usage_lines'), subClientId: Type.String(), fromSeq: seq, toSeq: seq, lastHash: Type.String() },
    closed,
  ),
  Type.Object({ ledger: Type.Literal('invoice'), invoiceId: id, line: place }, closed),
])

const Line = Type.Object(
  {
    line: place,
    kind: Type.Enum(lineKinds),
    description: text,
    sim: Type.Optional(Type.Object({ simId: id, iccid: Type.String() }, closed)),
    planId: Type.Optional(id),
    from: instant,
    until: instant,
    quantity: decimal,
    quantityFraction: Type.Optional(Type.Object({ numerator: integer, denominator: integer }, closed)),
    unit: Type.Enum(lineUnits),
    unitPrice: decimal,
    priceQuantity: place,
    amountMinor: amount,
    sources: Type.Array(Source),
  },
  closed,
)

const Tax = Type.Object(
  {
    taxId: id,
    name: text,
    ratePercent: decimal,
    category: Type.Enum(['S', 'Z', 'E', 'AE', 'O']),
    exemptionReason: Type.Optional(text),
    taxableMinor: amount,
    amountMinor: amount,
  },
  closed,
)

/** As `statedInvoice` makes it; what else stands in it is compared, and nothing is reckoned from it. */
const Document = Type.Object({
  invoiceId: id,
  number: id,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  lines: Type.Array(Line),
  taxes: Type.Array(Tax, { maxItems: 20 }),
  subtotalMinor: amount,
})

const asked = {
  input: Type.Literal('roadworthy-credit-1'),
  reason: text,
  /** Null: everything that is left. */
  parts: nullable(Type.Array(Type.Object({ line: place, amountMinor: place }, closed), { minItems: 1 })),
}

/** As it is stored beside the credit note. `earlier`: ids of the notes before it. */
export type CreditInput = Static<typeof CreditInput>
const CreditInput = Type.Object({ ...asked, earlier: Type.Array(id) }, closed)

/** As it is in a statement. */
export const StatedCreditInput = Type.Object(
  { ...asked, corrected: Document, earlier: Type.Array(Document, { maxItems: MAX_PARTIAL_NOTES }) },
  closed,
)
export type StatedCreditInput = Static<typeof StatedCreditInput>

/** Instants as instants, and what is absent as `undefined`. */
export function linesOfStatement(lines: readonly Static<typeof Line>[]): InvoiceLine[] {
  return lines.map((line) => ({
    ...line,
    sim: line.sim,
    planId: line.planId,
    quantityFraction: line.quantityFraction,
    from: new Date(line.from),
    until: new Date(line.until),
  }))
}

export function taxesOfStatement(taxes: readonly Static<typeof Tax>[]) {
  return taxes.map((tax) => ({ ...tax, exemptionReason: tax.exemptionReason }))
}
