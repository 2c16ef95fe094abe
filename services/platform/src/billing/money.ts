// Money without floats. An amount is a whole number of minor units (paise, cents, fils); how many decimals that is, ISO 4217 says.

import { Problem } from '@roadworthy/service-kit/problem'

/** ISO 4217: currencies whose minor unit is not a hundredth, of those in use. All others have 2 decimals. */
const DECIMALS_OTHER_THAN_TWO: Readonly<Record<string, number>> = {
  BHD: 3,
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
}

const known = new Set(Intl.supportedValuesOf('currency'))

/** Whether it is the code of a currency, in capitals. */
export function isCurrency(code: string): boolean {
  return known.has(code)
}

/** Decimals of the minor unit. Throws on what is no currency. */
export function decimalsOf(currency: string): number {
  if (!isCurrency(currency)) {
    throw new Problem('invalid_request', `${JSON.stringify(currency)} is no currency of ISO 4217, such as INR or EUR.`, {
      details: { field: 'currency' },
    })
  }
  return DECIMALS_OTHER_THAN_TWO[currency] ?? 2
}

/** `123456` paise are `1234.56`. */
export function toMajorText(amountMinor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0')
  const sign = amountMinor < 0 ? '-' : ''
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
