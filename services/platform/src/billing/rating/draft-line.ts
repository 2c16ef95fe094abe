// A line of an invoice before it is priced: exact, and not yet numbered.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { type InvoiceLine, lineKinds } from '../invoice.ts'
import { decimalsOf } from './money.ts'
import { fraction, isSame, parseDecimal, product, type Rational, roundHalfUp, toDecimalText } from './rational.ts'

export type DraftLine = Pick<InvoiceLine, 'kind' | 'description' | 'sim' | 'planId' | 'unit' | 'sources'> & {
  readonly fromMs: number
  readonly untilMs: number
  readonly quantity: Rational
  readonly price: Rational
  readonly priceQuantity: number
  /** What was used is shown, also where nothing is to be paid for it. */
  readonly isUse: boolean
}

/** Decimals of a quantity as text; where they are not enough, the fraction stands beside it. */
const QUANTITY_DECIMALS = 6
/** Enough for every price: 6 of the price itself, 4 of the margin and 2 of its percent. */
const PRICE_DECIMALS = 12

/**
 * Prices, orders and numbers the lines. Left out is what comes to exactly nothing and is no use. The order is that of `lineKinds`; within a kind by
 * ICCID, plan and time.
 */
export function finishLines(drafts: readonly DraftLine[], currency: string): InvoiceLine[] {
  const minorUnits = fraction(10n ** BigInt(decimalsOf(currency)))
  return drafts
    .filter(({ quantity, price, isUse }) => isUse || product(quantity, price).numerator !== 0n)
    .sort(byPlace)
    .map((draft, nth) => finishLine(draft, nth + 1, minorUnits))
}

function finishLine(draft: DraftLine, line: number, minorUnits: Rational): InvoiceLine {
  const { kind, description, sim, planId, fromMs, untilMs, unit, priceQuantity, sources } = draft
  const quantity = toDecimalText(draft.quantity, QUANTITY_DECIMALS)
  const isExact = isSame(parseDecimal(quantity), draft.quantity)
  const { numerator, denominator } = draft.quantity
  return {
    line,
    kind,
    description,
    sim,
    planId,
    from: new Date(fromMs),
    until: new Date(untilMs),
    quantity,
    quantityFraction: isExact ? undefined : { numerator: String(numerator), denominator: String(denominator) },
    unit,
    unitPrice: toDecimalText(draft.price, PRICE_DECIMALS),
    priceQuantity,
    amountMinor: toAmount(roundHalfUp(product(draft.quantity, draft.price, fraction(1, priceQuantity), minorUnits))),
    sources,
  }
}

/** Refuses what JavaScript cannot count exactly. */
export function toAmount(minor: bigint): number {
  const amount = Number(minor)
  if (!Number.isSafeInteger(amount)) throw new Problem('invalid_request', `An amount of ${minor} minor units is more than can be billed.`)
  return amount
}

function byPlace(a: DraftLine, b: DraftLine): number {
  return (
    lineKinds.indexOf(a.kind) - lineKinds.indexOf(b.kind) ||
    compare(a.sim?.iccid ?? '', b.sim?.iccid ?? '') ||
    compare(a.sim?.simId ?? '', b.sim?.simId ?? '') ||
    compare(a.planId ?? '', b.planId ?? '') ||
    a.fromMs - b.fromMs ||
    a.untilMs - b.untilMs ||
    compare(a.description, b.description)
  )
}

/** By code units: the order must not depend on where it runs. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
