// A reseller that bills, with a rate plan and an invoice to a sub-client. The invoice is put in by hand: of one that the service makes, a month has to be
// over.

import { systemAuthor } from '@roadworthy/platform/audit/audit'
import { linePartsOf } from '@roadworthy/platform/billing/invoice-lines.sql'
import { insertInvoice, lockInvoice } from '@roadworthy/platform/billing/invoices.sql'
import { openInvoice } from '@roadworthy/platform/billing/open-invoice'
import { testDraft } from '@roadworthy/platform/billing/test-book'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { ok, type Tenant } from './service.ts'

export const billingSettings = {
  currency: 'INR',
  issuer: { name: 'North Fleet Ltd', address_lines: ['1 Dock Road'], country_code: 'IN' },
}

export const ratePlan = {
  name: 'M2M',
  prices: {
    rental: '45.00',
    overage_per_megabyte: '1.00',
    activation_fee: '0',
    custody_fee: '10',
    included_megabytes: '1',
    custody_min_days: 0,
    pooled: false,
    prorated: true,
  },
}

export async function makeBill(
  database: Database,
  tenant: Tenant,
  subClientId: string,
  status: 'draft' | 'open' = 'open',
): Promise<{ invoice: string; ratePlan: string; subClient: string }> {
  ok(await tenant.simBilling('PUT', '/billing-settings', { body: billingSettings }))
  ok(await tenant.simBilling('POST', '/rate-plans', { body: { ...ratePlan, plan_id: `plan-of-${subClientId}` } }))
  // Not due for two weeks, so that no job changes it meanwhile.
  const draftedAt = new Date()
  const opensAt = new Date(draftedAt.getTime() + 86_400_000)
  const draft = testDraft({ issuerId: tenant.slug, resellerId: tenant.slug, subClientId, draftedAt, opensAt })
  await database.tenant(tenant.slug, async (db) => {
    await insertInvoice(db, draft, linePartsOf(draft.lines))
    if (status === 'draft') return
    await openInvoice(db, (await lockInvoice(db, draft)) ?? draft, systemAuthor(tenant.slug, draft.draftedAt))
  })
  return { invoice: draft.invoiceId, ratePlan: `plan-of-${subClientId}`, subClient: subClientId }
}
