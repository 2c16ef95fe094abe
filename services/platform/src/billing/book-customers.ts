import type { Database } from '@roadworthy/service-kit/postgres/db'
import { OPERATOR_BOOK } from './book.ts'
import {
  type Billable,
  selectBillableResellersAcrossResellers,
  selectBillableSubClients,
  type WhichCustomers,
} from './customers.read.sql.ts'
import { selectBillingCustomers } from './customers.sql.ts'
import type { BillingCustomer, BillingSettings } from './settings/billing-settings.ts'

/**
 * Everybody who is billed in a book, or those that are asked for. A customer that was never set up is billed by the book's own terms, with a party made
 * of its record: nobody is forgotten because nobody thought of it.
 */
export async function customersOf(database: Database, settings: BillingSettings, which: WhichCustomers = {}): Promise<BillingCustomer[]> {
  const { bookId } = settings
  const billable =
    bookId === OPERATOR_BOOK
      ? await selectBillableResellersAcrossResellers(database.systemPool, which)
      : await selectBillableSubClients(database.tenantPool(bookId), bookId, which)
  const kept = new Map((await selectBillingCustomers(database.tenantPool(bookId), bookId)).map((each) => [each.customerId, each]))
  return billable.map((each) => kept.get(each.customerId) ?? customerByDefault(settings, each))
}

function customerByDefault(settings: BillingSettings, { customerId, name, email, phone }: Billable): BillingCustomer {
  return {
    customerId,
    party: {
      name,
      addressLines: [],
      city: undefined,
      postalCode: undefined,
      region: undefined,
      countryCode: settings.issuer.countryCode,
      taxNumber: undefined,
      email,
      phone,
    },
    marginPercent: undefined,
    overrides: { planOverrides: [], subscriptionFeeOverride: null, meterOverrides: [] },
    taxIds: undefined,
    paymentTermsDays: undefined,
    buyerReference: undefined,
    enabled: true,
  }
}
