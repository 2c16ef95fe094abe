// Invoices of sub-clients that are not paid in time, which the billing slice keeps.

import type { Db } from '@roadworthy/service-kit/postgres/db'

export type OverdueInvoice = {
  readonly invoiceId: string
  readonly number: string
  readonly dueAt: Date
  readonly timeZone: string
  /** Of the book: so many days after the due date it holds the SIMs of its sub-client. */
  readonly holdAfterDays: number
}

/** A sub-client has one a month. Of more, the oldest decide. */
const MAX_INVOICES = 120

/** That the reseller issued to the sub-client, oldest first; none where the book holds no SIMs. */
export async function selectOverdueInvoices(db: Db, resellerId: string, subClientId: string): Promise<OverdueInvoice[]> {
  const { rows } = await db.query<OverdueRow>(
    `select i.invoice_id, i.number, i.due_at, i.content->>'timeZone' as time_zone, s.hold_sims_after_days
       from billing_settings s
       join invoices i on i.reseller_id = s.reseller_id and i.issuer_id = s.reseller_id
      where s.reseller_id = $1 and s.hold_sims_after_days is not null and i.sub_client_id = $2 and i.kind = 'invoice' and i.status = 'overdue'
      order by i.due_at, i.invoice_id
      limit ${MAX_INVOICES}`,
    [resellerId, subClientId],
  )
  return rows.map((row) => ({
    invoiceId: row.invoice_id,
    number: row.number,
    dueAt: row.due_at,
    timeZone: row.time_zone,
    holdAfterDays: row.hold_sims_after_days,
  }))
}

/** Sub-clients whose SIMs may have to be held, or are. */
export async function selectDebtors(db: Db, resellerId: string): Promise<string[]> {
  const { rows } = await db.query<{ sub_client_id: string }>(
    `select sub_client_id from invoices
      where reseller_id = $1 and issuer_id = $1 and kind = 'invoice' and status = 'overdue' and sub_client_id <> ''
     union
     select sub_client_id from sim_holds where reseller_id = $1
     order by 1`,
    [resellerId],
  )
  return rows.map((row) => row.sub_client_id)
}

type OverdueRow = { invoice_id: string; number: string; due_at: Date; time_zone: string; hold_sims_after_days: number }
