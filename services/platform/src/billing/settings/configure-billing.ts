// What a book is billed by: settings, plans, prices, customers. Each change is in the audit log of the book, in its transaction.

import { isDeepStrictEqual } from 'node:util'
import { withdrawnCurrencies } from '@roadworthy/contracts/sim-billing/currency-decimals'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { isMonth, isTimeZone, monthAfter } from '@roadworthy/service-kit/time/zoned-time'
import { type AuditedFields, type Author, writeAudit } from '../../audit/audit.ts'
import { askForHoldReview, EVERY_SUB_CLIENT } from '../../sims/holds/sim-hold-jobs.ts'
import { OPERATOR_BOOK } from '../book.ts'
import { selectBillingCustomer, selectBillingCustomers, upsertBillingCustomer } from '../customers.sql.ts'
import { requestDueMonths } from '../draft-month.ts'
import { hasInvoices, selectLastIssuedMonthAcrossResellers } from '../invoices.sql.ts'
import { decimalsOf } from '../rating/money.ts'
import { insertPlanVersion, insertPriceListVersion, selectPlanVersions, selectPriceListVersions } from '../rating/plans.sql.ts'
import {
  type BillingCustomer,
  type BillingSettings,
  type PriceListVersion,
  type RatePlanVersion,
  versionOfMonth,
} from './billing-settings.ts'
import { followDays, recipientsToFollow } from './follow-settings.ts'
import { lockBookConfiguration, selectBillingSettings, upsertBillingSettings } from './settings.sql.ts'

const MAX_PLANS = 1_000
const MAX_VERSIONS = 1_000
/** Assumption: no tax is more than what it is charged on; a larger one is a slip, such as 1800 for 18.00. */
const MAX_TAX_PERCENT = 100

export type SettingsChanges = {
  readonly [Key in keyof Omit<BillingSettings, 'bookId' | 'nextNumber' | 'createdAt'>]?: BillingSettings[Key]
}

/** Of a book that was not set up, unless something else is given. A grace of a day, terms of two weeks. */
const defaults = {
  enabled: true,
  timeZone: undefined,
  numberPrefix: 'INV-',
  paymentTermsDays: 14,
  draftGraceHours: 24,
  defaultMarginPercent: '0',
  taxes: [],
  footer: undefined,
  reminderDays: [3, 10],
  suspendAfterDays: undefined,
  holdSimsAfterDays: undefined,
} as const

/** Sets billing up, or changes what is given. From the month in which it was set up on, months are drafted by themselves. */
export async function changeBillingSettings(
  database: Database,
  bookId: string,
  changes: SettingsChanges,
  author: Author,
): Promise<BillingSettings> {
  const recipients = await recipientsToFollow(database, bookId, changes)
  return await database.tenant([...new Set([bookId, ...recipients])], async (db) => {
    await lockBookConfiguration(db, bookId)
    const before = await selectBillingSettings(db, bookId)
    const { currency, issuer, ...rest } = { ...defaults, ...before, ...changes }
    if (currency === undefined || issuer === undefined) throw firstNeeds(currency === undefined ? 'currency' : 'issuer')
    const wanted = { ...rest, bookId, currency, issuer, reminderDays: [...new Set(rest.reminderDays)].sort((a, b) => a - b) }
    checkSettings(wanted)
    if (before?.currency !== currency) refuseWithdrawn(currency)
    const isIssuing = before !== undefined && (before.nextNumber > 1 || (await hasInvoices(db, bookId)))
    if (isIssuing && before.currency !== currency) {
      throw new Problem('conflict', `There are invoices in ${before.currency}: the currency of a book stays.`, {
        details: { field: 'currency' },
      })
    }
    if (before !== undefined) {
      await refuseBorneTaxes(db, bookId, before, wanted)
      await followDays(db, bookId, before, wanted, author.at)
    }
    const after = await upsertBillingSettings(db, wanted, author.at)
    if (after === undefined) throw new Error('an upsert returns its row')
    await requestDueMonths(db, bookId, author.at)
    if (before !== undefined && before.holdSimsAfterDays !== after.holdSimsAfterDays)
      await askForHoldReview(db, bookId, EVERY_SUB_CLIENT, author.at)
    await writeAudit(db, author, {
      action: 'billing_settings.updated',
      objectId: bookId,
      before: before === undefined ? undefined : auditedSettings(before),
      after: auditedSettings(after),
    })
    return after
  })
}

/** A book that has one keeps it. */
function refuseWithdrawn(currency: string): void {
  if (!withdrawnCurrencies.includes(currency)) return
  const message = `The currency ${currency} is in use no more: name the one that took its place.`
  throw new Problem('invalid_request', message, { details: { in: 'body', field: 'currency' } })
}

function firstNeeds(field: string): Problem {
  return new Problem('invalid_request', `"${field}" is required when billing is set up.`, { details: { in: 'body', field } })
}

function checkSettings(settings: Omit<BillingSettings, 'nextNumber' | 'createdAt'>): void {
  decimalsOf(settings.currency)
  checkMargin('default_margin_percent', settings.defaultMarginPercent)
  const { timeZone, taxes, bookId } = settings
  if (bookId === OPERATOR_BOOK && (timeZone === undefined || !isTimeZone(timeZone))) {
    throw new Problem('invalid_request', 'The operator’s book needs the time zone of its months, a name of the IANA database.', {
      details: { field: 'time_zone' },
    })
  }
  if (new Set(taxes.map(({ taxId }) => taxId)).size < taxes.length) {
    throw new Problem('invalid_request', 'Two taxes have the same id.', { details: { in: 'body', field: 'taxes' } })
  }
  const excessive = taxes.findIndex(({ ratePercent }) => Number(ratePercent) > MAX_TAX_PERCENT)
  if (excessive !== -1) {
    const message = `The rate of tax ${taxes[excessive]?.taxId} is ${taxes[excessive]?.ratePercent} %; ${MAX_TAX_PERCENT} is the most.`
    throw new Problem('invalid_request', message, { details: { in: 'body', field: `taxes.${excessive}.rate_percent` } })
  }
  const wrong = taxes.find(({ category, ratePercent }) => category !== 'S' && Number(ratePercent) !== 0)
  if (wrong !== undefined) {
    const message = `The tax ${wrong.taxId} of category ${wrong.category} has a rate; only a standard rate (S) has one.`
    throw new Problem('invalid_request', message, { details: { in: 'body', field: 'taxes' } })
  }
}

/** Customers that name a tax which is not there any more would be billed without it. */
async function refuseBorneTaxes(db: Db, bookId: string, before: Taxes, after: Taxes): Promise<void> {
  const removed = new Set(before.taxes.map(({ taxId }) => taxId)).difference(new Set(after.taxes.map(({ taxId }) => taxId)))
  if (removed.size === 0) return
  for (const { customerId, taxIds = [] } of await selectBillingCustomers(db, bookId)) {
    const borne = taxIds.find((taxId) => removed.has(taxId))
    if (borne === undefined) continue
    const message = `The tax ${JSON.stringify(borne)} is among the "tax_ids" of ${customerId}, which would be billed without it. Change those first.`
    throw new Problem('conflict', message, { details: { in: 'body', field: 'taxes', tax_id: borne, customer_id: customerId } })
  }
}

type Taxes = Pick<BillingSettings, 'taxes'>

function auditedSettings({ createdAt: _created, nextNumber: _next, bookId: _book, ...settings }: BillingSettings): AuditedFields {
  return settings
}

type NewVersion = Omit<RatePlanVersion, 'version'>

/** Adds a plan. One that is new may begin in any month: no invoice can have used it. */
export async function createPlan(database: Database, bookId: string, plan: NewVersion, author: Author): Promise<void> {
  checkMonth(plan.effectiveFrom)
  await database.tenant(bookId, async (db) => {
    await lockBookConfiguration(db, bookId)
    requireSettings(await selectBillingSettings(db, bookId))
    const versions = await selectPlanVersions(db, bookId, undefined)
    if (versions.length >= MAX_PLANS) throw tooMany(MAX_PLANS)
    if ((await insertPlanVersion(db, bookId, plan, { isNew: true, at: author.at })) === undefined) {
      throw new Problem('already_exists', `There is a rate plan ${plan.planId} already.`, { details: { field: 'plan_id' } })
    }
    await writeAudit(db, author, { action: 'rate_plan.created', objectId: plan.planId, after: auditedPlan(plan) })
  })
}

/**
 * Adds a version to a plan that is there: what `change` makes of the newest and of all, oldest first. Adds none where it makes nothing, or nothing
 * that differs: who sets the same plans every night has no more versions by it.
 */
export async function changePlan(
  database: Database,
  bookId: string,
  planId: string,
  change: (newest: RatePlanVersion, versions: readonly RatePlanVersion[]) => NewVersion | undefined,
  author: Author,
): Promise<void> {
  const issued = await selectLastIssuedMonthAcrossResellers(database.systemPool, bookId)
  await database.tenant(bookId, async (db) => {
    await lockBookConfiguration(db, bookId)
    const versions = await selectPlanVersions(db, bookId, planId)
    const before = versions.at(-1)
    if (before === undefined) throw noSuchPlan()
    const plan = change(before, versions)
    if (plan === undefined) return
    checkMonth(plan.effectiveFrom)
    if (isSamePlan(before, versionOfMonth(versions, plan.effectiveFrom), plan)) return
    // Archiving changes no price.
    if (plan.archivedAt === undefined) refuseIssuedMonth(issued, plan.effectiveFrom)
    if (versions.length >= MAX_VERSIONS) throw tooMany(MAX_VERSIONS)
    await insertPlanVersion(db, bookId, plan, { isNew: false, at: author.at })
    await writeAudit(db, author, {
      action: plan.archivedAt === undefined ? 'rate_plan.updated' : 'rate_plan.archived',
      objectId: planId,
      before: auditedPlan(before),
      after: auditedPlan(plan),
    })
  })
}

/** The newest version may be of a later month than that in which the plan is to hold: prices and names are compared with those of the month. */
function isSamePlan(newest: RatePlanVersion, held: RatePlanVersion | undefined, plan: NewVersion): boolean {
  const isNewest = newest.name === plan.name && newest.operatorPlan === plan.operatorPlan && newest.archivedAt === plan.archivedAt
  return isNewest && held?.name === plan.name && isDeepStrictEqual(held.prices, plan.prices)
}

function tooMany(quota: number): Problem {
  return new Problem('quota_exceeded', 'There are as many plans and versions as there may be.', { details: { quota } })
}

function auditedPlan({ name, operatorPlan, effectiveFrom, prices, archivedAt }: NewVersion): AuditedFields {
  return { name, operator_plan: operatorPlan, effective_from: effectiveFrom, archived_at: archivedAt, ...prices }
}

export function noSuchPlan(): Problem {
  return new Problem('not_found', 'There is no such rate plan.')
}

/** Adds a version of the prices of the platform itself, unless those of its month are the same. */
export async function storePriceList(
  database: Database,
  bookId: string,
  list: Omit<PriceListVersion, 'version'>,
  author: Author,
): Promise<void> {
  checkMonth(list.effectiveFrom)
  const issued = await selectLastIssuedMonthAcrossResellers(database.systemPool, bookId)
  if (new Set(list.meters.map(({ meter }) => meter)).size < list.meters.length) throw twice('meters')
  await database.tenant(bookId, async (db) => {
    await lockBookConfiguration(db, bookId)
    requireSettings(await selectBillingSettings(db, bookId))
    const versions = await selectPriceListVersions(db, bookId)
    const held = versionOfMonth(versions, list.effectiveFrom)
    if (held?.subscriptionFee === list.subscriptionFee && isDeepStrictEqual(held.meters, list.meters)) return
    refuseIssuedMonth(issued, list.effectiveFrom)
    if (versions.length >= MAX_VERSIONS) throw new Problem('quota_exceeded', 'There are as many versions as there may be.')
    await insertPriceListVersion(db, bookId, list, author.at)
    const before = versions.at(-1)
    await writeAudit(db, author, {
      action: 'price_list.updated',
      objectId: bookId,
      before: before === undefined ? undefined : auditedPrices(before),
      after: auditedPrices(list),
    })
  })
}

function auditedPrices({ effectiveFrom, subscriptionFee, meters }: Omit<PriceListVersion, 'version'>): AuditedFields {
  return { effective_from: effectiveFrom, subscription_fee: subscriptionFee, meters }
}

/** Changes the terms of a customer; answers them. `byDefault` is what it is billed by as long as it was never set up. */
export async function changeBillingCustomer(
  database: Database,
  bookId: string,
  byDefault: BillingCustomer,
  change: (before: BillingCustomer) => BillingCustomer,
  author: Author,
): Promise<BillingCustomer> {
  return await database.tenant(bookId, async (db) => {
    await lockBookConfiguration(db, bookId)
    const before = (await selectBillingCustomer(db, bookId, byDefault.customerId)) ?? byDefault
    const after = change(before)
    await checkCustomer(db, bookId, after)
    await upsertBillingCustomer(db, bookId, after, author.at)
    await writeAudit(db, author, {
      action: 'billing_customer.updated',
      objectId: after.customerId,
      subClientId: bookId === OPERATOR_BOOK ? undefined : after.customerId,
      before: auditedCustomer(before),
      after: auditedCustomer(after),
    })
    return after
  })
}

async function checkCustomer(db: Db, bookId: string, { overrides, marginPercent, taxIds }: BillingCustomer): Promise<void> {
  const { planOverrides, meterOverrides } = overrides
  if (new Set(planOverrides.map(({ planId }) => planId)).size < planOverrides.length) throw twice('plan_overrides')
  if (new Set(meterOverrides.map(({ meter }) => meter)).size < meterOverrides.length) throw twice('meter_overrides')
  if (marginPercent !== undefined) checkMargin('margin_percent', marginPercent)
  const { taxes } = requireSettings(await selectBillingSettings(db, bookId))
  const unknown = taxIds?.find((id) => taxes.every(({ taxId }) => taxId !== id))
  if (unknown !== undefined) {
    throw new Problem('invalid_request', `There is no tax ${JSON.stringify(unknown)} in the settings.`, {
      details: { in: 'body', field: 'tax_ids' },
    })
  }
  const plans = new Set((await selectPlanVersions(db, bookId, undefined)).map(({ planId }) => planId))
  const unpriced = planOverrides.find(({ planId }) => !plans.has(planId))
  if (unpriced !== undefined) {
    const message = `There is no rate plan ${JSON.stringify(unpriced.planId)} whose prices could be others for this customer.`
    throw new Problem('invalid_request', message, { details: { in: 'body', field: 'plan_overrides' } })
  }
}

function auditedCustomer({ overrides, customerId: _id, ...customer }: BillingCustomer): AuditedFields {
  return { ...customer, ...overrides }
}

/** Below it prices would be negative, and no month could be rated. */
function checkMargin(field: string, percent: string): void {
  if (Number(percent) >= -100) return
  const message = `A margin of ${percent} % makes prices negative; -100 is the least.`
  throw new Problem('invalid_request', message, { details: { in: 'body', field } })
}

function twice(field: string): Problem {
  return new Problem('invalid_request', `"${field}" names the same thing twice.`, { details: { in: 'body', field } })
}

export function requireSettings(settings: BillingSettings | undefined): BillingSettings {
  if (settings !== undefined) return settings
  throw new Problem('conflict', 'Billing is not set up. Give the currency and the issuer first.')
}

function checkMonth(month: string): void {
  if (isMonth(month)) return
  throw new Problem('invalid_request', `${JSON.stringify(month)} is no month, such as 2026-10.`, {
    details: { in: 'body', field: 'effective_from' },
  })
}

/**
 * Prices of a month of which invoices are issued stay as they are, and so do those of the months before it: a version holds for all months from its own on.
 * What was issued is corrected by credit notes. Invoices that are void do not count, because their months are drafted again.
 */
function refuseIssuedMonth(issued: string | undefined, month: string): void {
  if (issued === undefined || month > issued) return
  const earliest = monthAfter(issued)
  const message = `Invoices of ${issued} are issued: "effective_from" is ${earliest} at the earliest. Correct what was issued by credit notes.`
  throw new Problem('conflict', message, { details: { in: 'body', field: 'effective_from', earliest } })
}
