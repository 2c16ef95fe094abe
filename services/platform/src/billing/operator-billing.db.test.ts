// Goal: the operator of the installation bills its resellers, whose standing follows what they owe, while they can read it in any standing. Method: the
// functions of the command line, the routes and the jobs over a real database, with a clock that is set.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { type Author, systemAuthor } from '../audit/audit.ts'
import { createKey } from '../keys/keys.ts'
import { insertUsageAcrossResellers } from '../limits/usage.sql.ts'
import { requireReseller } from '../resellers/resellers.ts'
import { insertResellerWithKey } from '../surfaces/test-api.ts'
import { OPERATOR_BOOK, tenantsOf } from './book.ts'
import { lockInvoice } from './invoices.sql.ts'
import { assertLedgerBalances } from './ledger/ledger.ts'
import {
  changeBilledReseller,
  changeOperatorPrices,
  changeOperatorSettings,
  creditOperatorInvoice,
  listOperatorInvoices,
  requireOperatorInvoice,
  voidOperatorInvoice,
} from './operator-billing.ts'
import { applyPayment } from './settle-invoice.ts'
import { openBillingService } from './test-billing-service.ts'

const BEGUN = new Date('2026-10-05T06:00:00.000Z')
const service = await openBillingService({ after }, BEGUN)
const { database, clock, call, runJobs, letters } = service
afterEach(() => assertLedgerBalances(database.systemPool))
const author = (): Author => ({ resellerId: OPERATOR_BOOK, type: 'cli', id: 'ops', at: clock.now })
const standingOf = async (slug: string) => (await requireReseller(database, slug)).subscription

const ISSUER = { name: 'Roadworthy Hosting', address_lines: [], country_code: 'DE' }
await assert.rejects(changeOperatorSettings(database, { currency: 'EUR', issuer: ISSUER }, author()), /time zone/)
await assert.rejects(
  changeOperatorSettings(database, { currency: 'EUR', issuer: ISSUER, time_zone: 'Europe/Berlin', colour: 'red' }, author()),
  /colour is no field of this/,
)
const given = {
  currency: 'EUR',
  issuer: ISSUER,
  time_zone: 'Europe/Berlin',
  number_prefix: 'RW-',
  suspend_after_days: 10,
  reminder_days: [],
}
await changeOperatorSettings(database, given, author())
await changeOperatorPrices(
  database,
  { subscription_fee: '99', meters: [{ meter: 'api_calls', price: '1', per: 1_000, included: 0 }] },
  author(),
)
const late = await insertResellerWithKey(database, 'late', { createdAt: BEGUN })
const other = await insertResellerWithKey(database, 'other', { createdAt: BEGUN })
await insertResellerWithKey(database, 'friend', { createdAt: BEGUN })
// November has begun in Berlin when it comes.
await insertResellerWithKey(database, 'new', { createdAt: new Date('2026-10-31T23:00:00.000Z') })
await changeBilledReseller(database, 'friend', { enabled: false }, author())
const email = 'accounts@late.example'
await changeBilledReseller(database, 'late', { party: { name: 'Late Ltd', address_lines: [], country_code: 'IN', email } }, author())
await insertUsageAcrossResellers(database.systemPool, [
  { resellerId: 'late', subClientId: 'a', meter: 'api_calls_external', bucket: new Date('2026-10-31T22:45:00Z'), count: 1_500 },
  { resellerId: 'late', subClientId: '', meter: 'api_calls_platform', bucket: new Date('2026-10-10T00:00:00Z'), count: 500 },
  // November has begun in Berlin, and not yet where the reseller is.
  { resellerId: 'late', subClientId: '', meter: 'api_calls_platform', bucket: new Date('2026-10-31T23:00:00Z'), count: 9_000 },
])

test('every reseller that is billed gets one invoice of the operator’s month, with all that its sub-clients used', async () => {
  clock.now = new Date('2026-11-01T22:59:00.000Z')
  await runJobs()
  assert.deepEqual(await listOperatorInvoices(database), [])
  clock.now = new Date('2026-11-02T06:00:00.000Z')
  await runJobs()
  const drafts = await listOperatorInvoices(database)
  assert.deepEqual(drafts.map(({ resellerId, totalMinor }) => [resellerId, totalMinor]).sort(), [
    ['late', 10_100],
    ['other', 9_900],
  ])
  assert.deepEqual((await call(late.apiKey, 'GET', '/invoices')).body.invoices, [], 'a draft is its issuer’s')
  clock.now = new Date('2026-11-03T06:00:00.000Z')
  await runJobs()
  const [mine] = (await call(late.apiKey, 'GET', '/invoices?issuer=operator')).body.invoices
  assert.deepEqual([mine.status, mine.issuer, mine.sub_client_id, mine.due_date], ['open', 'operator', null, '2026-11-17'])
  assert.equal((await call(late.apiKey, 'POST', `/invoices/${mine.invoice_id}/void`, {})).status, 403)
  assert.equal((await call(other.apiKey, 'GET', `/invoices/${mine.invoice_id}`)).status, 404)
})

test('standing follows when the time is over, invoices stay open to be read, and paying restores it', async () => {
  clock.now = new Date('2026-11-18T06:00:00.000Z')
  await runJobs()
  assert.equal(await standingOf('late'), 'active')
  clock.now = new Date('2026-11-27T22:59:00.000Z')
  await runJobs()
  assert.equal(await standingOf('late'), 'active')
  clock.now = new Date('2026-11-27T23:00:00.000Z')
  await Promise.all([runJobs(), runJobs()])
  assert.deepEqual([await standingOf('late'), await standingOf('friend')], ['past_due', 'active'])
  const [mine] = (await call(late.apiKey, 'GET', '/invoices')).body.invoices
  assert.equal(mine.status, 'overdue')
  // One that no process has in memory.
  const { apiKey } = await createKey(database, 'late', { name: 'new', scopes: ['*'], perMinute: 0, perDay: 0 }, clock.now)
  assert.equal((await call(apiKey, 'GET', `/invoices/${mine.invoice_id}`)).status, 200)
  const refused = await call(apiKey, 'GET', '/rate-plans')
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'subscription_required'])
  const invoice = await requireOperatorInvoice(database, mine.invoice_id)
  const money = { amountMinor: 10_100, currency: 'EUR', source: 'stripe/pi_1', gateway: 'stripe', at: clock.now }
  await database.tenant(tenantsOf(invoice), async (db) => {
    const locked = await lockInvoice(db, invoice)
    assert.ok(locked)
    await applyPayment(db, locked, money, systemAuthor(OPERATOR_BOOK, clock.now))
  })
  assert.equal(await standingOf('late'), 'active')
  const { rows } = await database.systemPool.query(
    `select changes -> 'subscription' ->> 'to' as standing from audit_log where reseller_id = 'late' and action = 'reseller.updated' order by at, 1 desc`,
  )
  assert.deepEqual(rows, [{ standing: 'past_due' }, { standing: 'active' }])
  assert.equal(letters.length, 0)
})

test('a credit note on what is paid makes a surplus, and voiding what nobody paid restores the standing too', async () => {
  const invoices = await listOperatorInvoices(database)
  const [paid, unpaid] = ['late', 'other'].map((slug) => invoices.find(({ resellerId }) => resellerId === slug)?.invoiceId ?? '')
  const surpluses: number[] = []
  const refundSurplus = async (_db: unknown, { amountMinor }: { amountMinor: number }) => void surpluses.push(amountMinor)
  const asked = { reason: 'Price', parts: [{ line: 1, amountMinor: 100 }] }
  const credit = await creditOperatorInvoice({ database, refundSurplus, endCheckout: async () => undefined }, paid ?? '', asked, author())
  assert.deepEqual([credit.creditNote.number, credit.unappliedMinor, credit.invoice.status, surpluses], ['RW-000003', 100, 'paid', [100]])
  const { rows } = await database.systemPool.query<{ credited: object }>(
    `select data::jsonb - array['creditNoteId', 'period', 'currency', 'invoiceNumber'] as credited from event_outbox where reseller_id = 'late' and type = 'invoice.credited'`,
  )
  const amounts = { subtotalMinor: 100, taxMinor: 0, totalMinor: 100, unappliedMinor: 100, amountDueMinor: 0 }
  assert.deepEqual(rows, [{ credited: { creditNoteNumber: 'RW-000003', invoiceId: paid, issuer: 'operator', ...amounts } }])
  assert.equal(await standingOf('other'), 'past_due')
  await voidOperatorInvoice({ database, endCheckout: async () => undefined }, unpaid ?? '', 'Gift', author())
  assert.equal(await standingOf('other'), 'active')
})
