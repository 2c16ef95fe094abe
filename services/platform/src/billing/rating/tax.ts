import { Problem } from '@roadworthy/service-kit/http/problem'
import type { TaxLine } from '../invoice.ts'
import { toAmount } from './draft-line.ts'
import type { RatingInput } from './rating-input.ts'
import { fraction, parseDecimal, product, roundHalfUp } from './rational.ts'

/** One line a tax, each on the whole of the net amount and rounded half up once; also where nothing is charged, because that has a reason. */
export function taxLines(taxes: RatingInput['taxes'], taxableMinor: number): TaxLine[] {
  return taxes.map(({ taxId, name, ratePercent, category, exemptionReason }) => {
    const rate = parseDecimal(ratePercent)
    if (category !== 'S' && rate.numerator !== 0n) {
      throw new Problem(
        'invalid_request',
        `The tax ${JSON.stringify(taxId)} of category ${category} has a rate; only standard rates (S) do.`,
      )
    }
    const amountMinor = toAmount(roundHalfUp(product(fraction(BigInt(taxableMinor)), rate, fraction(1, 100))))
    return { taxId, name, ratePercent, category, exemptionReason: exemptionReason ?? undefined, taxableMinor, amountMinor }
  })
}
