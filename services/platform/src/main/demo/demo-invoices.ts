// Bills the demo's sub-clients for the month that was closed last: settings, a rate plan, prices and terms, then one invoice that is open, one to
// be paid and one that is overdue. Each step looks whether it was done, so that a start that is killed goes on where the one before was.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../../audit/audit.ts'
import { customersOf } from '../../billing/book-customers.ts'
import { withInvoice } from '../../billing/change-invoice.ts'
import { draftMonthNow } from '../../billing/draft-month.ts'
import { selectInvoiceOfMonth } from '../../billing/invoices.sql.ts'
import { openInvoice } from '../../billing/open-invoice.ts'
import { selectPlanVersions, selectPriceListVersions } from '../../billing/rating/plans.sql.ts'
import type { BillingCustomer, BillingSettings } from '../../billing/settings/billing-settings.ts'
import { changeBillingCustomer, changeBillingSettings, createPlan, storePriceList } from '../../billing/settings/configure-billing.ts'
import { selectBillingSettings } from '../../billing/settings/settings.sql.ts'
import type { StoredInvoice } from '../../billing/stored-invoice.ts'
import type { ClosedPeriod } from '../../metering/periods.sql.ts'

export type Book = { readonly database: Database; readonly resellerId: string; readonly month: ClosedPeriod; readonly now: Date }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ISSUER = 'Roadworthy Demo Fleet Services'
/** The name that the operator emulator has for the plan of all its SIMs. */
const OPERATOR_PLAN = 'M2M-100MB'
const PLAN = 'm2m-50'
/** A year: what opens the drafts of the demo is below. */
const LONG_GRACE_HOURS = 8_760

type Role = { readonly termsDays: number; readonly openedAfterMs: number; readonly city: string; readonly countryCode: string }

/** By sub-client of the demo fleet (`regions.ts`). Due on receipt, and opened at once, it is overdue as soon as the month is closed. */
const roles: Readonly<Record<string, Role>> = {
  'rhein-kurier': { termsDays: 45, openedAfterMs: DAY_MS, city: 'Karlsruhe', countryCode: 'DE' },
  nordfrakt: { termsDays: 30, openedAfterMs: DAY_MS, city: 'Oslo', countryCode: 'NO' },
  'costa-logistica': { termsDays: 0, openedAfterMs: HOUR_MS, city: 'Valencia', countryCode: 'ES' },
}
/** Whose invoice the demo pays. */
export const PAYING_CUSTOMER = 'nordfrakt'

/** False where billing was set up by somebody else: theirs is left alone. */
export async function setUpBilling({ database, resellerId, month }: Book): Promise<boolean> {
  const db = database.tenantPool(resellerId)
  const before = await selectBillingSettings(db, resellerId)
  if (before !== undefined && before.issuer.name !== ISSUER) return false
  // In the month after the one that is billed here: from that one on months are drafted by themselves.
  const author = systemAuthor(resellerId, new Date(month.untilMs + DAY_MS))
  const settings = before ?? (await changeBillingSettings(database, resellerId, firstSettings(), author))
  if ((await selectPlanVersions(db, resellerId, PLAN)).length === 0) {
    const plan = { planId: PLAN, name: 'M2M 50 MB', operatorPlan: OPERATOR_PLAN, effectiveFrom: month.label, archivedAt: undefined }
    await createPlan(database, resellerId, { ...plan, prices: planPrices }, author)
  }
  if ((await selectPriceListVersions(db, resellerId)).length === 0) {
    const meters = [
      { meter: 'device_days' as const, price: '0.04', per: 1, included: 0 },
      { meter: 'readings' as const, price: '0.10', per: 1_000, included: 100_000 },
    ]
    await storePriceList(database, resellerId, { effectiveFrom: month.label, subscriptionFee: '49.00', meters }, author)
  }
  for (const customer of await customersOf(database, settings)) {
    const role = roles[customer.customerId]
    if (role === undefined || customer.paymentTermsDays !== undefined) continue
    await changeBillingCustomer(database, resellerId, customer, (before) => withTerms(before, role), author)
  }
  return true
}

/** After the SIMs have their past. Answers those that are not paid yet, by customer. */
export async function makeInvoices(book: Book): Promise<Map<string, StoredInvoice>> {
  const { database, resellerId, month } = book
  const settings = await selectBillingSettings(database.tenantPool(resellerId), resellerId)
  if (settings === undefined) return new Map()
  const made = new Map<string, StoredInvoice>()
  for (const [customerId, { openedAfterMs }] of Object.entries(roles)) {
    const at = new Date(Math.min(month.untilMs + openedAfterMs, book.now.getTime()))
    const invoice = (await findInvoice(book, customerId)) ?? (await draft(book, settings, customerId, at))
    if (invoice !== undefined) made.set(customerId, await open(book, invoice, at))
  }
  return made
}

async function findInvoice({ database, resellerId, month }: Book, customerId: string): Promise<StoredInvoice | undefined> {
  const asked = { resellerId, issuerId: resellerId, subClientId: customerId, month: month.label }
  return await selectInvoiceOfMonth(database.tenantPool(resellerId), asked)
}

async function draft(
  { database, resellerId, month }: Book,
  settings: BillingSettings,
  customerId: string,
  at: Date,
): Promise<StoredInvoice | undefined> {
  const unhurried = { ...settings, draftGraceHours: LONG_GRACE_HOURS }
  const asked = { month: month.label, customerId, isReplacing: false }
  const { drafted, failures } = await draftMonthNow(database, unhurried, asked, systemAuthor(resellerId, at))
  const [failure] = failures
  if (failure !== undefined) throw new Error(`${failure.customerId} could not be billed: ${failure.message}`)
  return drafted[0]
}

async function open({ database, resellerId }: Book, { resellerId: holder, invoiceId }: StoredInvoice, at: Date): Promise<StoredInvoice> {
  return await withInvoice(database, { issuerId: resellerId, resellerId: holder, invoiceId }, async (db, invoice) => {
    return invoice.status === 'draft' ? await openInvoice(db, invoice, systemAuthor(resellerId, at)) : invoice
  })
}

const planPrices = {
  rental: '2.90',
  includedMegabytes: '50',
  overagePerMegabyte: '0.08',
  activationFee: '5.00',
  custodyFee: '0.90',
  custodyMinDays: 30,
  isPooled: false,
  isProrated: true,
} as const

function firstSettings() {
  return {
    currency: 'EUR',
    issuer: {
      name: ISSUER,
      addressLines: ['Hafenstraße 1'],
      city: 'Karlsruhe',
      postalCode: '76189',
      region: undefined,
      countryCode: 'DE',
      taxNumber: 'DE123456789',
      email: 'billing@roadworthy-demo.example',
      phone: undefined,
    },
    numberPrefix: 'DEMO-',
    defaultMarginPercent: '10',
    taxes: [{ taxId: 'vat-19', name: 'VAT', ratePercent: '19', category: 'S' as const, exemptionReason: null }],
    footer: 'A demonstration: nothing has to be paid.',
  }
}

function withTerms(customer: BillingCustomer, { termsDays, city, countryCode }: Role): BillingCustomer {
  const party = { ...customer.party, addressLines: ['Depot'], city, countryCode }
  return { ...customer, party, paymentTermsDays: termsDays }
}
