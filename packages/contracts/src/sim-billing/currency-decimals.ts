/** ISO 4217: currencies whose minor unit is not a hundredth, of those in use, with its decimals. All others have 2. */
export const currencyDecimals: Readonly<Record<string, number>> = {
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

/**
 * Currencies that are legal tender nowhere any more, and that runtimes name all the same: the Netherlands Antillean guilder (until March 2025), the lev (until
 * 2025), the convertible peso (until 2020), the kuna (until 2022), the old leone (until March 2024) and Zimbabwe's dollar (until August 2024). An electronic
 * invoice in one of them breaks rules BR-CL-03 and BR-CL-04 of EN 16931.
 */
export const withdrawnCurrencies: readonly string[] = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL']
