// From what a month's ledgers hold to the lines of an invoice. Pure: the same input gives the same invoice, wherever and whenever it is rated.
//
// Days and payers
// - Months are half-open and those of the reseller's zone. A day belongs to the state, customer and plan that the SIM has at the day's end, at its
//   last instant. So each day of a SIM has one payer at most. A day without a customer or without a plan is charged to nobody.
// - `active` and `suspended` days bear the rental: a suspended SIM is barred, but its subscription goes on. `safe_custody` days bear the custody fee
//   instead. `inventory` and `test` come before the service begins; `terminating` is after it was ended by request, while only the number is kept;
//   `terminated` is nothing. None of those four bears anything.
//
// Rental and custody
// - On a prorated plan everyone pays for their own days: days / days of the month.
// - On a plan that is not prorated a month is paid whole when any day of it falls on the plan, and once a SIM: rental and custody fee each by the
//   customer and plan of the last day that is charged in that way. Days on prorated plans of the same SIM are charged beside it.
// - A custody that ends earlier than `custodyMinDays` bears the custody fee for the missing days too, at days / days of the month in which it ends,
//   charged to the customer and plan of its end. Its days are counted from the day in which it began, across months, customers and plans. Each custody
//   has a minimum of its own. On a plan that is not prorated the rest of the month counts as served, because that month is paid whole.
//
// Once and by use
// - The activation fee falls due once in the life of a SIM, when it is first `active` after `inventory` or `test`, to the customer and plan of that
//   moment. A SIM that came here active bears none.
// - Data is billed in the month in which it was received, however late, to the customer and plan of that moment, whatever the SIM's state. Included
//   data is prorated as the rental is and rounded down to a byte: who pays no rental has none. Beyond it: bytes / 1,048,576 * price. Who pays a whole
//   month of a SIM on one plan has what was used on other plans by the month counted on that plan too, as their rental is. On a pooled plan the use
//   of all SIMs of the customer is one line, and so is what is included.
// - Readings, predictions, device-days and calls beyond what is included: count / `per` * price.
//
// Money
// - The margin multiplies a price exactly. A price of the customer's own takes no margin.
// - An amount is rounded half up once, on its line. (An amount below zero would be rounded away from zero; there is none.) A tax is rounded once, on
//   the sum of all lines. Totals are sums of rounded amounts, and what is not a safe integer is refused.
// - A line that comes to exactly nothing is left out. Use is always shown, also when all of it is included.

import type { Invoice } from '../invoice.ts'
import { billedMonth } from './billed-days.ts'
import { checkRatingInput } from './check-rating-input.ts'
import { finishLines, toAmount } from './draft-line.ts'
import { pricesOf } from './prices.ts'
import { ratePlatform } from './rate-platform.ts'
import { rateSims } from './rate-sims.ts'
import type { RatingInput } from './rating-input.ts'
import { taxLines } from './tax.ts'

export type RatedInvoice = Pick<Invoice, 'lines' | 'taxes' | 'subtotalMinor' | 'taxMinor' | 'totalMinor'>

/** Throws a `Problem` where the input has no price for something that is to be billed. No lines: there is nothing to bill. */
export function rateInvoice(input: RatingInput): RatedInvoice {
  checkRatingInput(input)
  const month = billedMonth(input.month)
  const prices = pricesOf(input)
  const lines = finishLines([...rateSims(input, month, prices), ...ratePlatform(input, month, prices)], input.currency)
  const subtotalMinor = totalOf(lines)
  const taxes = taxLines(input.taxes, subtotalMinor)
  const taxMinor = totalOf(taxes)
  return { lines, taxes, subtotalMinor, taxMinor, totalMinor: toAmount(BigInt(subtotalMinor) + BigInt(taxMinor)) }
}

function totalOf(lines: readonly { readonly amountMinor: number }[]): number {
  return toAmount(lines.reduce((total, { amountMinor }) => total + BigInt(amountMinor), 0n))
}
