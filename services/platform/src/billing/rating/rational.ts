// Exact fractions. Prices, shares of a month and megabytes are multiplied as they are; only an amount is rounded, once.

/** The denominator is above zero. Not reduced. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint }

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

export function fraction(numerator: bigint | number, denominator: bigint | number = 1n): Rational {
  const [over, under] = [BigInt(numerator), BigInt(denominator)]
  if (under === 0n) throw new RangeError('A fraction of zero parts.')
  return under < 0n ? { numerator: -over, denominator: -under } : { numerator: over, denominator: under }
}

/** `-12.5`: digits, and no exponent. */
export function parseDecimal(text: string): Rational {
  const [, sign, whole, decimals = ''] = DECIMAL.exec(text) ?? []
  if (sign === undefined || whole === undefined) throw new RangeError(`${JSON.stringify(text)} is no decimal number.`)
  return fraction(BigInt(`${sign}${whole}${decimals}`), 10n ** BigInt(decimals.length))
}

export function product(...factors: readonly Rational[]): Rational {
  return factors.reduce((so, { numerator, denominator }) => fraction(so.numerator * numerator, so.denominator * denominator), fraction(1))
}

export function sum(a: Rational, b: Rational): Rational {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
}

/** The nearest whole number; of two that are as near, the one further from zero. */
export function roundHalfUp({ numerator, denominator }: Rational): bigint {
  const doubled = (numerator < 0n ? -numerator : numerator) * 2n + denominator
  const rounded = doubled / (denominator * 2n)
  return numerator < 0n ? -rounded : rounded
}

/** The whole number at or below a fraction that is not negative. */
export function floor({ numerator, denominator }: Rational): bigint {
  if (numerator < 0n) throw new RangeError('Only what is not negative is rounded down.')
  return numerator / denominator
}

/** Rounded half up where it has more decimals; without zeros at the end. */
export function toDecimalText(value: Rational, maxDecimals: number): string {
  const scaled = roundHalfUp(product(value, fraction(10n ** BigInt(maxDecimals))))
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(maxDecimals + 1, '0')
  const whole = digits.slice(0, digits.length - maxDecimals)
  const decimals = digits.slice(digits.length - maxDecimals).replace(/0+$/, '')
  return `${scaled < 0n ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`
}

export function isSame(a: Rational, b: Rational): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator
}
