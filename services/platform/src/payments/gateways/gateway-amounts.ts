// How each gateway counts a currency, where that is not ISO 4217's minor unit: a mistake here charges a hundred times too much or too little.

import { decimalsOf, isCurrency, toMajorText } from '../../billing/rating/money.ts'
import type { GatewayId } from './gateway.ts'

/** `decimals`: of the integer that goes over the wire. `step`: what that integer has to be a multiple of. `refused`: not taken at all. */
type WireUnit = { readonly decimals: number; readonly step: number } | 'refused'

/** Three decimals in ISO 4217, but the card networks take no odd thousandth: 5.124 KWD is refused, 5120 is 5.12. */
const TENTHS_ONLY: WireUnit = { decimals: 3, step: 10 }
/** A currency without decimals that is still sent with two of them, both zero. */
const TWO_ZEROS: WireUnit = { decimals: 2, step: 100 }
const WHOLE: WireUnit = { decimals: 0, step: 1 }

/**
 * Stripe: https://docs.stripe.com/currencies, "Zero-decimal currencies", "Three-decimal currencies" and "Special cases". Its zero-decimal list
 * is ISO 4217's but for ISK and UGX, which are sent with two zeros "for backwards compatibility", and MGA, which has two decimals in ISO 4217.
 * HUF and TWD have none at Stripe in payouts only. IQD, LYD and UYI are in none of its lists.
 */
const STRIPE: Readonly<Record<string, WireUnit>> = {
  ISK: TWO_ZEROS,
  UGX: TWO_ZEROS,
  MGA: WHOLE,
  BHD: TENTHS_ONLY,
  JOD: TENTHS_ONLY,
  KWD: TENTHS_ONLY,
  OMR: TENTHS_ONLY,
  TND: TENTHS_ONLY,
  IQD: 'refused',
  LYD: 'refused',
  UYI: 'refused',
}

/**
 * Razorpay: https://razorpay.com/docs/api/payments/payment-links/create-standard, `amount`: "in the case of three decimal currencies, such as
 * KWD, BHD and OMR … pass the last decimal number as 0"; zero-decimal ones, such as JPY, as they are. That JOD and TND go like KWD, and that all
 * others are counted as in ISO 4217, is an assumption; a link that comes back with another amount is refused (`razorpay.ts`).
 */
const RAZORPAY: Readonly<Record<string, WireUnit>> = {
  BHD: TENTHS_ONLY,
  JOD: TENTHS_ONLY,
  KWD: TENTHS_ONLY,
  OMR: TENTHS_ONLY,
  TND: TENTHS_ONLY,
  IQD: 'refused',
  LYD: 'refused',
}

const EXCEPTIONS: Readonly<Record<GatewayId, Readonly<Record<string, WireUnit>>>> = { stripe: STRIPE, razorpay: RAZORPAY }

/** Why the gateway takes no such amount, in words for the one who pays; absent when it does. */
export function refusalOfAmount(gateway: GatewayId, amountMinor: number, currency: string): string | undefined {
  if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0) return 'There is nothing to pay.'
  const unit = unitOf(gateway, currency)
  if (unit === 'refused') return `The payment gateway takes no ${currency}.`
  const wire = scaled(amountMinor, unit.decimals - decimalsOf(currency))
  if (wire !== undefined && wire % unit.step === 0) return undefined
  return `The payment gateway does not take ${toMajorText(amountMinor, currency)} ${currency}, because it takes no such fraction of it.`
}

/** To the gateway's integer. Throws `RangeError` on what `refusalOfAmount` refuses. */
export function toWireAmount(gateway: GatewayId, amountMinor: number, currency: string): number {
  const refusal = refusalOfAmount(gateway, amountMinor, currency)
  const unit = unitOf(gateway, currency)
  const wire = unit === 'refused' ? undefined : scaled(amountMinor, unit.decimals - decimalsOf(currency))
  if (refusal !== undefined || wire === undefined) throw new RangeError(refusal ?? `${amountMinor} ${currency} cannot be sent.`)
  return wire
}

/** From the gateway's integer, `currency` in any case. Throws `RangeError` on what is no currency, or no whole number of our minor units. */
export function fromWireAmount(gateway: GatewayId, wire: number, currency: string): { amountMinor: number; currency: string } {
  const code = currency.toUpperCase()
  const unit = isCurrency(code) ? unitOf(gateway, code) : 'refused'
  const amountMinor = unit === 'refused' ? undefined : scaled(wire, decimalsOf(code) - unit.decimals)
  if (amountMinor === undefined) throw new RangeError(`The gateway reports ${wire} ${code}, which is no amount of money.`)
  return { amountMinor, currency: code }
}

function unitOf(gateway: GatewayId, currency: string): WireUnit {
  return EXCEPTIONS[gateway][currency] ?? { decimals: decimalsOf(currency), step: 1 }
}

/** Times ten to the power of `places`, exactly; absent where that is no whole number, or one too large to be exact. */
function scaled(amount: number, places: number): number | undefined {
  if (!Number.isSafeInteger(amount)) return undefined
  const factor = 10n ** BigInt(Math.abs(places))
  const exact = BigInt(amount)
  if (places < 0 && exact % factor !== 0n) return undefined
  const result = Number(places < 0 ? exact / factor : exact * factor)
  return Number.isSafeInteger(result) ? result : undefined
}
