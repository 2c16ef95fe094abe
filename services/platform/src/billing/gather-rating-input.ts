import type { Database } from '@roadworthy/service-kit/db'
import type { Period } from '@roadworthy/service-kit/zoned-time'
import type { BillingCustomer, BillingSettings } from './billing-settings.ts'
import { OPERATOR_BOOK } from './book.ts'
import { selectMeterTotals, selectRatedSims, selectSimsOfCustomer } from './ledgers.read.sql.ts'
import { selectPlansOfMonth, selectPricesOfMonth } from './plans.sql.ts'
import type { RatedSim, RatingInput } from './rating-input.ts'

/** Histories of so many SIMs are read at once, within a second each. */
const SIMS_AT_ONCE = 2_000

export type MonthToBill = Period & { readonly timeZone: string }

/** Everything that a month of a customer is rated from, as it was written down until the month's end. */
export async function gatherRatingInput(
  database: Database,
  settings: BillingSettings,
  customer: BillingCustomer,
  month: MonthToBill,
): Promise<RatingInput> {
  const { bookId } = settings
  const { customerId } = customer
  const isOperators = bookId === OPERATOR_BOOK
  const db = database.tenantPool(isOperators ? [bookId, customerId] : bookId)
  const sims = isOperators ? [] : await gatherSims(database, bookId, customerId, month)
  const planIds = new Set(
    sims.flatMap(({ history, usage, firstActivation }) => [...history, ...usage, firstActivation].map((row) => row?.planId)),
  )
  return {
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
    sims,
    plans: await selectPlansOfMonth(
      db,
      bookId,
      month.label,
      [...planIds].filter((id) => typeof id === 'string'),
    ),
    platform: (await selectPricesOfMonth(db, bookId, month.label)) ?? null,
    meterTotals: isOperators
      ? await selectMeterTotals(db, customerId, undefined, month)
      : await selectMeterTotals(db, bookId, customerId, month),
    terms: { marginPercent: customer.marginPercent ?? settings.defaultMarginPercent, ...customer.overrides },
    taxes: settings.taxes.filter(({ taxId }) => customer.taxIds?.includes(taxId) ?? true),
  }
}

async function gatherSims(database: Database, resellerId: string, customerId: string, month: Period): Promise<RatedSim[]> {
  const db = database.tenantPool(resellerId)
  const ids = await selectSimsOfCustomer(db, resellerId, customerId, month)
  const sims: RatedSim[] = []
  for (let from = 0; from < ids.length; from += SIMS_AT_ONCE) {
    sims.push(...(await selectRatedSims(db, resellerId, customerId, month, ids.slice(from, from + SIMS_AT_ONCE))))
  }
  return sims
}
