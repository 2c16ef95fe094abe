// The taxes of an invoice as the one VAT breakdown (BG-23) that EN 16931 has room for.

import type { InvoiceHead, TaxLine } from '../invoice.ts'
import { decimalsOf } from '../rating/money.ts'
import { toXmlText } from './xml.ts'

export type VatBreakdown = {
  readonly category: TaxLine['category']
  /** Decimal text. Absent outside the scope of VAT, where a rate is forbidden (BR-O-05). */
  readonly ratePercent: string | undefined
  /** Only of the categories that want one (BR-E-10, BR-AE-10, BR-O-10); the others may not have one. */
  readonly exemptionReason: string | undefined
  readonly taxableMinor: number
  readonly taxMinor: number
  /** BT-114: what `taxMinor` lacks of the taxes of the invoice. Mostly 0. */
  readonly roundingMinor: number
}

const defaultReasons: Readonly<Record<TaxLine['category'], string | undefined>> = {
  S: undefined,
  Z: undefined,
  E: 'Exempt from VAT',
  AE: 'Reverse charge',
  O: 'Not subject to VAT',
}

/**
 * Every tax of an invoice is charged on the whole net amount, but EN 16931 has one breakdown for each pair of category and rate, whose taxable
 * amounts have to add up to the net amount (BR-S-08 and its like): CGST 9 % and SGST 9 % as two breakdowns would count the net twice. So they
 * are one breakdown of the category S with the sum of the rates, 18 %, and the sum of the amounts. Each tax was rounded on its own, as it has to
 * be booked, so that the sum may differ by half a minor unit a tax from the sum rounded once. The rules that compare them (BR-CO-17, BR-S-09)
 * leave room for less than a whole unit of the currency. Where that is the minor unit, as of the yen, the VAT is rounded once, and the rest is
 * the rounding amount (BT-114): what is to be paid stays the same.
 *
 * Where anything is charged, taxes of other categories beside it have no amount and are left out. A standard rate of 0 % is zero rated (BR-S-05).
 * An invoice that names no tax is outside the scope of VAT.
 */
export function vatBreakdownOf({ taxes, subtotalMinor, taxMinor, currency }: InvoiceHead): VatBreakdown {
  const rate = sumOfDecimals(taxes.filter(({ category }) => category === 'S').map(({ ratePercent }) => ratePercent))
  const other = taxes.find(({ category }) => category !== 'S')
  const isCharged = rate.scaled > 0n
  const category = isCharged ? 'S' : (other?.category ?? (taxes.length > 0 ? 'Z' : 'O'))
  const onceMinor = decimalsOf(currency) === 0 ? percentOf(subtotalMinor, rate) : taxMinor
  return {
    category,
    ratePercent: category === 'O' ? undefined : textOf(rate),
    exemptionReason: defaultReasons[category] && (toXmlText(other?.exemptionReason ?? '') || defaultReasons[category]),
    taxableMinor: subtotalMinor,
    taxMinor: onceMinor,
    roundingMinor: taxMinor - onceMinor,
  }
}

type Decimal = { readonly scaled: bigint; readonly decimals: number }

/** Exact. */
function sumOfDecimals(texts: readonly string[]): Decimal {
  const decimals = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0))
  const scaled = texts.map((text) => {
    const [whole = '', part = ''] = text.split('.')
    return BigInt(whole + part.padEnd(decimals, '0'))
  })
  return { scaled: scaled.reduce((sum, each) => sum + each, 0n), decimals }
}

/** Rounded half up. */
function percentOf(minor: number, { scaled, decimals }: Decimal): number {
  const hundred = 100n * 10n ** BigInt(decimals)
  return Number((2n * BigInt(minor) * scaled + hundred) / (2n * hundred))
}

/** `11.5`, without zeros at the end. */
function textOf({ scaled, decimals }: Decimal): string {
  const digits = String(scaled).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}
