import { dayAt, dayFrom } from '@roadworthy/service-kit/time/zoned-time'
import type { Invoice, InvoiceHead } from './invoice.ts'

/** An invoice without its lines, with what only the service needs to know of it. */
export type StoredInvoice = InvoiceHead & {
  /** Of a draft: when it opens by itself. */
  readonly opensAt: Date | undefined
  /** From 1; one more each time the draft is rated anew. Lines and input are of a revision. */
  readonly revision: number
  /** Reminders that went out. */
  readonly remindedCount: number
}
export type WholeInvoice = StoredInvoice & Pick<Invoice, 'lines'>

/** From when it is overdue: the day of `dueAt` in the invoice's zone is over. Never, where it has none. */
export function overdueFrom({ dueAt, timeZone }: Pick<Invoice, 'dueAt' | 'timeZone'>): Date | undefined {
  return dueAt === undefined ? undefined : startOfDayAfterDue({ dueAt, timeZone }, 1)
}

/** The start of the day that is so many days after the due date, in the invoice's zone. Negative: before it. */
export function startOfDayAfterDue({ dueAt, timeZone }: { readonly dueAt: Date; readonly timeZone: string }, days: number): Date {
  return dayFrom(timeZone, dueAt, days)
}

/** The day, `2026-11-17`, on a calendar of the zone. */
export function civilDateOf(at: Date, timeZone: string): string {
  return dayAt(timeZone, at.getTime()).label
}
