// Operations of billing that change something, for the test of the audit log.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { billingSettings, makeBill, ratePlan } from '../support/make-bill.ts'
import { ok, type Tenant } from '../support/service.ts'
import type { Changes } from './audited-sim-changes.ts'

const SIM_BILLING = '/api/sim-billing'
const received = { amount_minor: 100, currency: 'INR', method: 'bank_transfer', received_on: new Date().toISOString().slice(0, 10) }

export function billingChanges({
  database,
  tenant,
  makeSubClient,
  unique,
}: {
  readonly database: Database
  readonly tenant: Tenant
  readonly makeSubClient: () => Promise<string>
  readonly unique: () => string
}): Changes {
  const bill = async (status: 'draft' | 'open' = 'open') => await makeBill(database, tenant, await makeSubClient(), status)
  /** One of which nothing was used. */
  async function closedMonth(): Promise<string> {
    await database.systemPool.query(
      `insert into usage_periods (reseller_id, month, time_zone, starts_at, ends_at)
     values ($1, '2020-01', 'Asia/Kolkata', '2019-12-31T18:30Z', '2020-01-31T18:30Z') on conflict do nothing`,
      [tenant.slug],
    )
    return '2020-01'
  }

  return {
    putBillingSettings: ['billing_settings.updated', (ask) => ask('PUT', `${SIM_BILLING}/billing-settings`, billingSettings)],
    createRatePlan: ['rate_plan.created', (ask) => ask('POST', `${SIM_BILLING}/rate-plans`, { ...ratePlan, plan_id: `plan-${unique()}` })],
    putRatePlan: [
      'rate_plan.updated',
      async (ask) => ask('PUT', `${SIM_BILLING}/rate-plans/${(await bill()).ratePlan}`, { name: 'Other' }),
    ],
    archiveRatePlan: ['rate_plan.archived', async (ask) => ask('DELETE', `${SIM_BILLING}/rate-plans/${(await bill()).ratePlan}`)],
    putPriceList: ['price_list.updated', (ask) => ask('PUT', `${SIM_BILLING}/price-list`, { subscription_fee: '5', meters: [] })],
    putBillingCustomer: [
      'billing_customer.updated',
      async (ask) => ask('PUT', `${SIM_BILLING}/customers/${(await bill()).subClient}`, { margin_percent: '5' }),
    ],
    // Drafts of a month that is closed are in the tests of billing; of this one there is nothing to draft.
    draftInvoices: [undefined, async (ask) => ask('POST', `${SIM_BILLING}/invoices/draft`, { month: await closedMonth() })],
    openInvoice: ['invoice.opened', async (ask) => ask('POST', `${SIM_BILLING}/invoices/${(await bill('draft')).invoice}/open`)],
    voidInvoice: ['invoice.voided', async (ask) => ask('POST', `${SIM_BILLING}/invoices/${(await bill()).invoice}/void`, {})],
    createCreditNote: [
      'credit_note.created',
      async (ask) => ask('POST', `${SIM_BILLING}/invoices/${(await bill()).invoice}/credit-notes`, { reason: 'Wrong' }),
    ],
    recordPayment: [
      'invoice.payment_recorded',
      async (ask) => ask('POST', `${SIM_BILLING}/invoices/${(await bill()).invoice}/payments`, received),
    ],
    reversePayment: [
      'invoice.payment_reversed',
      async (ask) => {
        const path = `${SIM_BILLING}/invoices/${(await bill()).invoice}/payments`
        const { payment } = ok<{ payment: { id: string } }>(
          await tenant.simBilling('POST', path.slice(SIM_BILLING.length), { body: received }),
        )
        return await ask('POST', `${path}/${payment.id}/reverse`, { reason: 'Entered twice' })
      },
    ],
  }
}
