// Who can be billed in a book, with what is in their own records, for customers that were never set up.

import type { Db } from '@roadworthy/service-kit/postgres/db'

/** A sub-client, or in the operator's book a reseller. */
export type Billable = {
  readonly customerId: string
  readonly name: string
  readonly email: string | undefined
  readonly phone: string | undefined
}

/** All that there are, unless it is one, or those that were made before an instant. */
export type WhichCustomers = { readonly customerId?: string | undefined; readonly madeBefore?: Date | undefined }

/** Also those that are suspended or deactivated: what they used is billed. */
export async function selectBillableSubClients(
  db: Db,
  resellerId: string,
  { customerId, madeBefore }: WhichCustomers,
): Promise<Billable[]> {
  const { rows } = await db.query<BillableRow>(
    `select sub_client_id as customer_id, name, contact_email as email, contact_phone as phone
       from sub_clients
      where reseller_id = $1 and ($2::text is null or sub_client_id = $2) and ($3::timestamptz is null or created_at < $3)
      order by sub_client_id collate "C"`,
    [resellerId, customerId ?? null, madeBefore ?? null],
  )
  return rows.map(billableFromRow)
}

export async function selectBillableResellersAcrossResellers(db: Db, { customerId, madeBefore }: WhichCustomers): Promise<Billable[]> {
  const { rows } = await db.query<BillableRow>(
    `select reseller_id as customer_id, name, null as email, null as phone
       from resellers
      where ($1::text is null or reseller_id = $1) and ($2::timestamptz is null or created_at < $2)
      order by reseller_id collate "C"`,
    [customerId ?? null, madeBefore ?? null],
  )
  return rows.map(billableFromRow)
}

/** Whether a sub-client was deactivated by then, and still is. */
export async function isDeactivatedBefore(db: Db, resellerId: string, subClientId: string, atMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from sub_clients
      where reseller_id = $1 and sub_client_id = $2 and status = 'deactivated' and coalesce(deactivated_at, updated_at) <= $3`,
    [resellerId, subClientId, new Date(atMs)],
  )
  return rowCount === 1
}

type BillableRow = { customer_id: string; name: string; email: string | null; phone: string | null }

function billableFromRow({ customer_id, name, email, phone }: BillableRow): Billable {
  return { customerId: customer_id, name, email: email ?? undefined, phone: phone ?? undefined }
}
