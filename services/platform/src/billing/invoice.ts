// The content of an invoice, as its renderers (PDF, UBL, CSV), the wire and the offline check take it. Amounts are integers in minor units of the
// currency; prices, quantities and rates are decimal texts, because a price of a megabyte is often less than a minor unit.

/** The issuer or the recipient of an invoice. Absent: not given. */
export type Party = {
  readonly name: string
  readonly addressLines: readonly string[]
  readonly city: string | undefined
  readonly postalCode: string | undefined
  /** State or province, where addresses have one. */
  readonly region: string | undefined
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string
  /** GSTIN, VAT number or the like. */
  readonly taxNumber: string | undefined
  readonly email: string | undefined
  readonly phone: string | undefined
}

export const lineKinds = [
  'sim_rental',
  'sim_custody',
  'sim_activation',
  'data_overage',
  'pooled_data_overage',
  'readings',
  'predictions',
  'device_days',
  'api_calls',
  'subscription',
  'correction',
] as const
export type LineKind = (typeof lineKinds)[number]

export const lineUnits = ['month', 'day', 'piece', 'megabyte'] as const
export type LineUnit = (typeof lineUnits)[number]

/**
 * The entries of a ledger that a line was made from, so that it can be recomputed. Half-open ranges of ids are never used: both ends are in. Of what lies
 * between only that counts which has the customer and plan of the line.
 */
export type LineSource =
  /** Rows of a SIM's history that decide what it is billed for. */
  | { readonly ledger: 'sim_history'; readonly simId: string; readonly fromSeq: number; readonly toSeq: number }
  /** Increases of a SIM's data counter, as they were received. */
  | { readonly ledger: 'sim_usage'; readonly simId: string; readonly fromSeq: number; readonly toSeq: number }
  /** Lines of the usage chain of a sub-client ('' for what belongs to none). */
  | {
      readonly ledger: 'usage_lines'
      readonly subClientId: string
      readonly fromSeq: number
      readonly toSeq: number
      readonly lastHash: string
    }
  /** A line of the invoice that a credit note corrects. */
  | { readonly ledger: 'invoice'; readonly invoiceId: string; readonly line: number }

export type InvoiceLine = {
  /** From 1. */
  readonly line: number
  readonly kind: LineKind
  readonly description: string
  /** Absent where the line is of no single SIM. */
  readonly sim: { readonly simId: string; readonly iccid: string } | undefined
  readonly planId: string | undefined
  /** Half-open. */
  readonly from: Date
  readonly until: Date
  /** Decimal text: `0.5`, `30`, `1024.25`. For months of which a part is billed, `18/31` is not a decimal: see `quantityFraction`. */
  readonly quantity: string
  /** Exact, where `quantity` had to be rounded to 6 decimals. */
  readonly quantityFraction: { readonly numerator: string; readonly denominator: string } | undefined
  readonly unit: LineUnit
  /** Decimal text in major units, margin included, up to 12 decimals. */
  readonly unitPrice: string
  /** How many units that price is for: 1000 where it is a price of a thousand readings (BT-149 of EN 16931). Mostly 1. */
  readonly priceQuantity: number
  /** Minor units; `quantity / priceQuantity * unitPrice`, exact, and rounded half up once. Never negative: see `kind` of the invoice. */
  readonly amountMinor: number
  readonly sources: readonly LineSource[]
}

/** One line a tax rate. */
export type TaxLine = {
  readonly taxId: string
  /** `CGST`, `VAT`. */
  readonly name: string
  /** Decimal text of percent: `9`, `7.7`. */
  readonly ratePercent: string
  /** UNCL5305: `S` standard, `Z` zero rated, `E` exempt, `AE` reverse charge, `O` outside the scope. */
  readonly category: 'S' | 'Z' | 'E' | 'AE' | 'O'
  /** Why nothing is charged, where the category asks for a reason. */
  readonly exemptionReason: string | undefined
  readonly taxableMinor: number
  readonly amountMinor: number
}

export const invoiceStatuses = ['draft', 'open', 'paid', 'overdue', 'void'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export type Invoice = {
  readonly invoiceId: string
  /** A credit note has positive amounts, as in EN 16931: its kind shows that they are given back (type code 381 instead of 380). */
  readonly kind: 'invoice' | 'credit_note'
  /** Absent of a draft: numbers have no gaps. */
  readonly number: string | undefined
  /** Of a credit note: what it corrects. */
  readonly corrects: { readonly invoiceId: string; readonly number: string } | undefined
  readonly status: InvoiceStatus
  /** A reseller's slug, or `_operator` for the operator of the installation. */
  readonly issuerId: string
  readonly resellerId: string
  /** Absent where the reseller itself is billed. */
  readonly subClientId: string | undefined
  readonly issuer: Party
  readonly recipient: Party
  /** `2026-10`, a month of `timeZone`; `from` and `until` are its ends as instants. */
  readonly month: string
  readonly timeZone: string
  readonly from: Date
  readonly until: Date
  /** ISO 4217. */
  readonly currency: string
  readonly lines: readonly InvoiceLine[]
  readonly taxes: readonly TaxLine[]
  readonly subtotalMinor: number
  readonly taxMinor: number
  readonly totalMinor: number
  readonly paidMinor: number
  /** By credit notes. */
  readonly creditedMinor: number
  /** The buyer's own reference, as on a purchase order. */
  readonly buyerReference: string | undefined
  /** How to pay without the gateway, and whatever else stands at the foot. */
  readonly footer: string | undefined
  readonly draftedAt: Date
  readonly openedAt: Date | undefined
  readonly dueAt: Date | undefined
  readonly paidAt: Date | undefined
  readonly voidedAt: Date | undefined
}

/** Without its lines: there may be hundreds of thousands. */
export type InvoiceHead = Omit<Invoice, 'lines'>

/** What is still to be paid. */
export function amountDueMinor({
  totalMinor,
  paidMinor,
  creditedMinor,
}: Pick<Invoice, 'totalMinor' | 'paidMinor' | 'creditedMinor'>): number {
  return Math.max(0, totalMinor - paidMinor - creditedMinor)
}
