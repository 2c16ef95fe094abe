import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'

/** The day that stands on the document as its date, `2026-11-02`: that of the zone of its months, wherever the person is. */
export function issueDay({ opened_at: openedAt, time_zone: timeZone }: Pick<Invoice, 'opened_at' | 'time_zone'>): string | undefined {
  if (openedAt === null) return undefined
  return dayIn(timeZone, new Date(openedAt))
}

/** The day there, `2026-11-02`. */
export function dayIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)
}
