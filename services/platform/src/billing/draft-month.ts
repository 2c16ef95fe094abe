// Months of a book: which are over, and the drafts of all its customers.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { monthAfter, monthAt, monthOfLabel } from '@roadworthy/service-kit/time/zoned-time'
import { type Author, systemAuthor } from '../audit/audit.ts'
import type { JobOutcome } from '../jobs/job.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import { selectClosedPeriods } from '../metering/periods.sql.ts'
import { billingMonth } from '../metering/periods.ts'
import { isWaitingBeforeAcrossResellers } from '../metering/sealing.sql.ts'
import { requireReseller } from '../resellers/resellers.ts'
import { OPERATOR_BOOK } from './book.ts'
import { customersOf } from './book-customers.ts'
import { type Drafting, draftInvoice } from './draft-invoice.ts'
import { selectDraftedCustomersAcrossResellers } from './invoices.sql.ts'
import type { MonthToBill } from './rating/gather-rating-input.ts'
import {
  type BilledMonth,
  type DraftFailure,
  selectBilledMonth,
  selectLastBilledMonth,
  updateMonthFailures,
  upsertBilledMonth,
} from './rating/months.sql.ts'
import type { BillingSettings } from './settings/billing-settings.ts'
import { selectBillingSettings } from './settings/settings.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'

/** As metering closes a reseller's month: what was received before its end may be committed, and sealed, after it. */
const CLOSED_AFTER_MS = 86_400_000
const LOOK_EVERY_MS = 3_600_000
/** A zone that is not set yet; the operator gives one with its settings. */
const FALLBACK_ZONE = 'UTC'

export const MONTHS_JOB = 'billing-months'

/** Has the months of a book looked at now; every hour they are by themselves. */
export async function requestDueMonths(db: Db, bookId: string, at: Date): Promise<void> {
  await upsertJob(db, { resellerId: bookId, kind: MONTHS_JOB, key: 'months' }, at)
}

type MonthState = MonthToBill & { readonly isClosed: boolean }

/**
 * Drafts every month of the book that is over, closed and not drafted, oldest first, from the one in which billing was set up. Several at once or one after
 * another that was killed: a customer is drafted once a month. One that cannot be rated does not keep the others; who it was and why is kept with the
 * month. While the book is disabled its months pass without drafts.
 */
export async function draftDueMonths(database: Database, bookId: string, at: Date): Promise<JobOutcome> {
  const settings = await selectBillingSettings(database.tenantPool(bookId), bookId)
  if (settings === undefined) return 'done'
  for (;;) {
    const last = await selectLastBilledMonth(database.tenantPool(bookId), bookId)
    const month = await monthOfBook(database, settings, await nextLabel(database, settings, last), last, at)
    if (!month.isClosed) return { againAt: new Date(at.getTime() + LOOK_EVERY_MS) }
    const { failures } = settings.enabled
      ? await draftCustomers(database, settings, month, systemAuthor(bookId, at), { isAgain: false, isReplacing: false })
      : { failures: [] }
    await database.tenant(bookId, (db) => upsertBilledMonth(db, bookId, { ...month, draftedAt: at, failures }))
  }
}

async function nextLabel(database: Database, settings: BillingSettings, last: BilledMonth | undefined): Promise<string> {
  if (last !== undefined) return monthAfter(last.label)
  return monthAt(await zoneOf(database, settings), settings.createdAt.getTime()).label
}

export type DraftedMonth = {
  /** Made, or rated anew. */
  readonly drafted: readonly StoredInvoice[]
  readonly counts: Readonly<Record<Drafting['outcome'], number>>
  /** Those that could not be rated; a draft that is there stays. */
  readonly failures: readonly DraftFailure[]
}

/**
 * A month that is over and closed, drafted when somebody asks: for one customer or all of them, also for those whose invoice was discarded or voided. With
 * `isReplacing` drafts that are there are rated anew.
 */
export async function draftMonthNow(
  database: Database,
  settings: BillingSettings,
  asked: { readonly month: string; readonly customerId: string | undefined; readonly isReplacing: boolean },
  author: Author,
): Promise<DraftedMonth> {
  const last = await selectLastBilledMonth(database.tenantPool(settings.bookId), settings.bookId)
  const month = await monthOfBook(database, settings, asked.month, last, author.at)
  if (!month.isClosed) {
    const finalAt = month.untilMs + CLOSED_AFTER_MS
    const message =
      author.at.getTime() < finalAt
        ? `${asked.month} is not closed: its usage is final on ${new Date(finalAt).toISOString()} at the earliest.`
        : `There is no usage of ${asked.month}: it is before the first month that was kept here, or its usage is still being counted.`
    throw new Problem('conflict', message, { details: { field: 'month' } })
  }
  const drafted = await draftCustomers(database, settings, month, author, { ...asked, isAgain: true })
  const now = { customerId: asked.customerId, failures: drafted.failures }
  await database.tenant(settings.bookId, (db) => updateMonthFailures(db, settings.bookId, month.label, now))
  return drafted
}

async function draftCustomers(
  database: Database,
  settings: BillingSettings,
  month: MonthToBill,
  author: Author,
  {
    isAgain,
    isReplacing,
    customerId,
  }: { readonly isAgain: boolean; readonly isReplacing: boolean; readonly customerId?: string | undefined },
): Promise<DraftedMonth> {
  const done = isAgain ? new Set() : await selectDraftedCustomersAcrossResellers(database.systemPool, settings.bookId, month.label)
  const drafted: StoredInvoice[] = []
  const counts = { made: 0, replaced: 0, kept: 0, discarded: 0, none: 0 }
  const failures: DraftFailure[] = []
  // Who came after the month had nothing of it, and is billed for it only by name.
  const which = customerId === undefined ? { madeBefore: new Date(month.untilMs) } : { customerId }
  for (const customer of await customersOf(database, settings, which)) {
    if (!customer.enabled || done.has(customer.customerId)) continue
    try {
      const drafting = await draftInvoice(database, settings, customer, month, author, { isReplacing })
      counts[drafting.outcome]++
      if ('draft' in drafting) drafted.push(drafting.draft)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failures.push({ customerId: customer.customerId, message: error.message })
    }
  }
  return { drafted, counts, failures }
}

/** Of the months of a book. */
async function zoneOf(database: Database, { bookId, timeZone }: BillingSettings): Promise<string> {
  return bookId === OPERATOR_BOOK ? (timeZone ?? FALLBACK_ZONE) : (await requireReseller(database, bookId)).timeZone
}

/** A reseller's months are those that metering closes. The operator's are of its own zone, and closed when no reseller's usage of them waits to be sealed. */
async function monthOfBook(
  database: Database,
  settings: BillingSettings,
  label: string,
  last: BilledMonth | undefined,
  at: Date,
): Promise<MonthState> {
  const stored = await selectBilledMonth(database.tenantPool(settings.bookId), settings.bookId, label)
  if (stored !== undefined) return { ...stored, isClosed: true }
  const timeZone = await zoneOf(database, settings)
  if (settings.bookId !== OPERATOR_BOOK) {
    const closed = await selectClosedPeriods(database.tenantPool(settings.bookId), settings.bookId)
    const month = billingMonth(closed, timeZone, label)
    return { ...month, isClosed: closed.some((each) => each.label === label) }
  }
  const plain = { ...monthOfLabel(timeZone, label), timeZone }
  const month = last !== undefined && label === monthAfter(last.label) ? { ...plain, fromMs: last.untilMs } : plain
  const isOver = at.getTime() - month.untilMs >= CLOSED_AFTER_MS
  return { ...month, isClosed: isOver && !(await isAnyWaiting(database, settings, new Date(month.untilMs))) }
}

async function isAnyWaiting(database: Database, settings: BillingSettings, until: Date): Promise<boolean> {
  for (const { customerId } of await customersOf(database, settings)) {
    if (await isWaitingBeforeAcrossResellers(database.systemPool, customerId, until)) return true
  }
  return false
}
