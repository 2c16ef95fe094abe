import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { BillingCustomer } from './settings/billing-settings.ts'

const COLUMNS = `customer_id, party, trim_scale(margin_percent)::text as margin_percent, overrides, tax_ids, payment_terms_days, buyer_reference, enabled`

export async function selectBillingCustomer(db: Db, bookId: string, customerId: string): Promise<BillingCustomer | undefined> {
  const { rows } = await db.query<CustomerRow>(`select ${COLUMNS} from billing_customers where reseller_id = $1 and customer_id = $2`, [
    bookId,
    customerId,
  ])
  return rows.map(customerFromRow)[0]
}

/** Those that were set up. */
export async function selectBillingCustomers(db: Db, bookId: string): Promise<BillingCustomer[]> {
  const { rows } = await db.query<CustomerRow>(`select ${COLUMNS} from billing_customers where reseller_id = $1`, [bookId])
  return rows.map(customerFromRow)
}

export async function upsertBillingCustomer(db: Db, bookId: string, customer: BillingCustomer, at: Date): Promise<void> {
  await db.query(
    `insert into billing_customers
       (reseller_id, customer_id, party, margin_percent, overrides, tax_ids, payment_terms_days, buyer_reference, enabled, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (reseller_id, customer_id) do update
            set party = excluded.party, margin_percent = excluded.margin_percent, overrides = excluded.overrides, tax_ids = excluded.tax_ids,
                payment_terms_days = excluded.payment_terms_days, buyer_reference = excluded.buyer_reference, enabled = excluded.enabled,
                updated_at = excluded.updated_at`,
    [
      ...[bookId, customer.customerId, JSON.stringify(customer.party), customer.marginPercent ?? null, JSON.stringify(customer.overrides)],
      ...[customer.taxIds ?? null, customer.paymentTermsDays ?? null, customer.buyerReference ?? null, customer.enabled, at],
    ],
  )
}

type CustomerRow = {
  customer_id: string
  party: BillingCustomer['party']
  margin_percent: string | null
  overrides: BillingCustomer['overrides']
  tax_ids: string[] | null
  payment_terms_days: number | null
  buyer_reference: string | null
  enabled: boolean
}

function customerFromRow(row: CustomerRow): BillingCustomer {
  return {
    customerId: row.customer_id,
    party: row.party,
    marginPercent: row.margin_percent ?? undefined,
    overrides: row.overrides,
    taxIds: row.tax_ids ?? undefined,
    paymentTermsDays: row.payment_terms_days ?? undefined,
    buyerReference: row.buyer_reference ?? undefined,
    enabled: row.enabled,
  }
}
