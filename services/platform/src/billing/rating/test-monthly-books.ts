// For tests only: resellers whose customers have something to be billed in October 2026.

import assert from 'node:assert/strict'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { insertResellerWithKey } from '../../surfaces/test-api.ts'
import { type BillingService, openBillingService } from '../test-billing-service.ts'
import { insertTestSim, insertTestUse } from '../test-book.ts'

const BEGUN = new Date('2026-10-05T06:00:00.000Z')
/** When October is drafted, and when its drafts open. */
export const DRAFTED = new Date('2026-11-02T06:00:00.000Z')
export const OPENED = new Date('2026-11-03T06:00:00.000Z')

const ISSUER = { name: 'North Fleet Ltd', address_lines: ['1 Dock Road'], country_code: 'IN', email: 'accounts@north.example' }
const TAX = { tax_id: 'gst', name: 'GST', rate_percent: '18', category: 'S' }
export const PLAN = {
  plan_id: 'm2m',
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

// biome-ignore lint/suspicious/noExplicitAny: a test knows what its route answers.
type Listed = any

export type MonthlyBooks = BillingService & {
  makeBook(slug: string, subClients: readonly string[]): Promise<string>
  invoicesOf(apiKey: string, query?: string): Promise<Listed>
  /** Types, in the order in which they were written. */
  eventsOf(slug: string): Promise<string[]>
}

export async function openMonthlyBooks(t: CleanUp): Promise<MonthlyBooks> {
  const service = await openBillingService(t, BEGUN)
  const { database, call } = service
  return {
    ...service,
    makeBook: (slug, subClients) => makeBook(service, slug, subClients),
    invoicesOf: async (apiKey, query = '') => (await call(apiKey, 'GET', `/invoices${query}`)).body.invoices,
    eventsOf: async (slug) => {
      const { rows } = await database.systemPool.query<{ type: string }>(
        'select type from event_outbox where reseller_id = $1 order by outbox_id',
        [slug],
      )
      return rows.map(({ type }) => type)
    },
  }
}

/** A reseller that bills: each sub-client has a SIM for the whole of October 2026 and used 2 MB more than is included. */
async function makeBook({ database, clock, call }: BillingService, slug: string, subClients: readonly string[]): Promise<string> {
  clock.now = BEGUN
  const { apiKey } = await insertResellerWithKey(database, slug)
  for (const id of subClients) {
    await database.tenant(slug, (db) =>
      db.query('insert into sub_clients (reseller_id, sub_client_id, name, contact_email, created_at) values ($1, $2, $2, $3, $4)', [
        slug,
        id,
        `${id}@example.com`,
        BEGUN,
      ]),
    )
    await insertTestSim(database, slug, `sim-${slug}-${id}`, [['2026-09-01T00:00:00Z', 'active', id, 'm2m']])
    await insertTestUse(database, slug, `sim-${slug}-${id}`, {
      seq: 1,
      at: '2026-10-10T00:00:00Z',
      bytes: 3 * 1_048_576,
      subClientId: id,
      planId: 'm2m',
    })
  }
  assert.equal((await call(apiKey, 'PUT', '/billing-settings', { currency: 'INR', issuer: ISSUER, taxes: [TAX] })).status, 200)
  assert.equal((await call(apiKey, 'POST', '/rate-plans', { ...PLAN, effective_from: '2026-09' })).status, 200)
  return apiKey
}
