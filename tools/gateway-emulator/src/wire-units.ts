// The gateways' rules for amounts, written down here a second time and on purpose: a table that both sides shared would hide its own mistakes.

import type { GatewayKind } from './state.ts'

const ZERO_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '))
const STRIPE_TWO_ZEROS = new Set(['ISK', 'UGX'])
/** In Razorpay's currencies MGA has two decimals, and ISK and UGX none. */
const RAZORPAY_ZERO_DECIMALS = new Set([...ZERO_DECIMALS, 'ISK', 'UGX'].filter((code) => code !== 'MGA'))

/** Why the gateway refuses an amount; absent when it takes it. */
export function amountRefusal(gateway: GatewayKind, amount: number, currency: string): { code: string; message: string } | undefined {
  if (!Number.isSafeInteger(amount) || amount <= 0) return { code: 'parameter_invalid_integer', message: 'Invalid integer: amount' }
  if (amount > 99_999_999_999) return { code: 'amount_too_large', message: 'Amount must be no more than 999,999,999.99' }
  if (THREE_DECIMALS.has(currency) && amount % 10 !== 0) {
    return { code: 'invalid_charge_amount_three_decimal', message: 'The last digit of the amount has to be 0 in this currency.' }
  }
  if (gateway === 'stripe' && STRIPE_TWO_ZEROS.has(currency) && amount % 100 !== 0) {
    return { code: 'invalid_charge_amount_no_decimal_compatible', message: 'Charged amounts must be evenly divisible by 100.' }
  }
  return undefined
}

/** `12.34 EUR`, for the page that a customer sees. */
export function amountText(gateway: GatewayKind, amount: number, currency: string): string {
  const decimals = (gateway === 'stripe' ? ZERO_DECIMALS : RAZORPAY_ZERO_DECIMALS).has(currency) ? 0 : THREE_DECIMALS.has(currency) ? 3 : 2
  const digits = String(amount).padStart(decimals + 1, '0')
  return decimals === 0 ? `${digits} ${currency}` : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)} ${currency}`
}
