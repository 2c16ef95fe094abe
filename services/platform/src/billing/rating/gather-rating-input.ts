import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'
import { OPERATOR_BOOK } from '../book.ts'
import { isDeactivatedBefore } from '../customers.read.sql.ts'
import { selectMeterTotals, selectRatedSims, selectSimsOfCustomer } from '../ledger/ledgers.read.sql.ts'
import type { BillingCustomer, BillingSettings } from '../settings/billing-settings.ts'
import type { RatingPart } from '../threads/billing-work.ts'
import { selectPlansOfMonth, selectPricesOfMonth } from './plans.sql.ts'
import type { RatedSim, RatingInput } from './rating-input.ts'

/**
 * Histories of so many SIMs are read at once: with an entry of use an hour, within half a second, and what comes back is taken in without holding the
 * event loop (the figures are in docs/operations.md).
 */
const SIMS_AT_ONCE = 500

export type MonthToBill = Period & { readonly timeZone: string }

/** Everything that a month of a customer is rated from, as it was written down until the month's end: SIMs in parts, then the rest. */
export async function* gatherRatingInput(
  database: Database,
  settings: BillingSettings,
  customer: BillingCustomer,
  month: MonthToBill,
): AsyncGenerator<RatingPart, void> {
  const { bookId } = settings
  const { customerId } = customer
  const isOperators = bookId === OPERATOR_BOOK
  const db = database.tenantPool(isOperators ? [bookId, customerId] : bookId)
  const planIds = new Set<string>()
  const ids = isOperators ? [] : await selectSimsOfCustomer(db, bookId, customerId, month)
  for (let from = 0; from < ids.length; from += SIMS_AT_ONCE) {
    const sims = await selectRatedSims(db, bookId, customerId, month, ids.slice(from, from + SIMS_AT_ONCE))
    for (const planId of planIdsOf(sims)) planIds.add(planId)
    yield { task: 'sims', sims }
  }
  const platform = await selectPricesOfMonth(db, bookId, month.label)
  // Who had left before the month began bears no fee for it; what is still used is billed.
  const isFree = !isOperators && (await isDeactivatedBefore(db, bookId, customerId, month.fromMs))
  const input: Omit<RatingInput, 'sims'> = {
    input: 'roadworthy-rating-1',
    issuerId: bookId,
    customerId,
    month: {
      label: month.label,
      timeZone: month.timeZone,
      from: new Date(month.fromMs).toISOString(),
      until: new Date(month.untilMs).toISOString(),
    },
    currency: settings.currency,
    plans: await selectPlansOfMonth(db, bookId, month.label, [...planIds]),
    platform: platform === undefined ? null : { ...platform, subscriptionFee: isFree ? null : platform.subscriptionFee },
    meterTotals: isOperators
      ? await selectMeterTotals(db, customerId, undefined, month)
      : await selectMeterTotals(db, bookId, customerId, month),
    terms: { marginPercent: customer.marginPercent ?? settings.defaultMarginPercent, ...customer.overrides },
    taxes: settings.taxes.filter(({ taxId }) => customer.taxIds?.includes(taxId) ?? true),
  }
  yield { task: 'rate', input }
}

function planIdsOf(sims: readonly RatedSim[]): string[] {
  return sims.flatMap(({ history, usage, firstActivation }) => [...history, ...usage, firstActivation].flatMap((row) => row?.planId ?? []))
}
