import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Invoice } from './invoice.ts'

/** Resellers that have an invoice of the book which was issued and is not paid. */
export async function selectUnpaidRecipientsAcrossResellers(db: Db, issuerId: string): Promise<string[]> {
  const { rows } = await db.query<{ reseller_id: string }>(
    `select distinct reseller_id from invoices where issuer_id = $1 and kind = 'invoice' and status in ('open', 'overdue')`,
    [issuerId],
  )
  return rows.map(({ reseller_id }) => reseller_id)
}

/** Locks them, and answers which they are: in one order, so that two that do this do not wait for each other. */
export async function updateRemindedCounts(
  db: Db,
  issuerId: string,
  daysBefore: readonly number[],
  daysAfter: readonly number[],
): Promise<Pick<Invoice, 'resellerId' | 'invoiceId'>[]> {
  const { rows } = await db.query<{ reseller_id: string; invoice_id: string }>(
    `with unpaid as (
       select reseller_id, invoice_id
         from invoices
        where issuer_id = $1 and kind = 'invoice' and status in ('open', 'overdue')
        order by reseller_id, invoice_id
          for no key update
     )
     update invoices i
        set reminded_count =
              (select count(*) from unnest($3::int[]) d where d <= ($2::int[])[least(i.reminded_count, cardinality($2::int[]))])
       from unpaid u
      where i.reseller_id = u.reseller_id and i.invoice_id = u.invoice_id
      returning i.reseller_id, i.invoice_id`,
    [issuerId, daysBefore, daysAfter],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, invoiceId: row.invoice_id }))
}
