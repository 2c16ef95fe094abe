// Goal: a draft that is rated anew keeps its id and has the new content, and what was issued is never touched, also where another request opens, voids or replaces it
// at the same moment. Method: the routes over a real database, with a database that does something else right before the transaction that stores.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import { untilTaken } from '../test-support.ts'
import { draftMonthNow } from './draft-month.ts'
import { verifyInvoiceStatement } from './ledger/invoice-statement.ts'
import { assertLedgerBalances } from './ledger/ledger.ts'
import { DRAFTED, OPENED, openMonthlyBooks, PLAN } from './rating/test-monthly-books.ts'
import { requireSettings } from './settings/configure-billing.ts'
import { selectBillingSettings } from './settings/settings.sql.ts'
import { insertTestSim } from './test-book.ts'

const { database, clock, call, runJobs, statementKey, makeBook, invoicesOf, eventsOf } = await openMonthlyBooks({ after })
afterEach(() => assertLedgerBalances(database.systemPool))

const LATER = new Date(DRAFTED.getTime() + 5 * 3_600_000)

async function draftedBook(slug: string, subClients: readonly string[]): Promise<string> {
  const apiKey = await makeBook(slug, subClients)
  clock.now = DRAFTED
  await runJobs()
  return apiKey
}

/** In October: 45.00 until it is called. */
async function setRental(apiKey: string, rental: string): Promise<void> {
  const changed = await call(apiKey, 'PUT', '/rate-plans/m2m', { effective_from: '2026-10', prices: { ...PLAN.prices, rental } })
  assert.equal(changed.status, 200)
}
const replace = async (apiKey: string, more: object = {}) => {
  const asked = { month: '2026-10', replace: true, ...more }
  const { status, body } = await untilTaken(() => call(apiKey, 'POST', '/invoices/draft', asked))
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const countsOf = ({ made, replaced, kept, discarded }: Record<string, number>) => [made, replaced, kept, discarded]

test('drafts are rated anew in their place with a new grace, and invoices that were issued or voided stay as they are', async () => {
  const apiKey = await draftedBook('mended', ['draft', 'issued', 'voided'])
  const before = await invoicesOf(apiKey)
  const idOf = (customer: string) => before.find((each: { sub_client_id: string }) => each.sub_client_id === customer).invoice_id
  await setRental(apiKey, '50.00')
  await call(apiKey, 'POST', `/invoices/${idOf('issued')}/open`)
  await call(apiKey, 'POST', `/invoices/${idOf('voided')}/void`)
  const read = async (customer: string) => (await call(apiKey, 'GET', `/invoices/${idOf(customer)}`)).body.invoice
  const untouched = await Promise.all(['issued', 'voided'].map(read))

  clock.now = LATER
  assert.deepEqual(countsOf((await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10' })).body), [1, 0, 2, 0])
  assert.equal((await read('draft')).subtotal_minor, 4_700)
  const answer = await replace(apiKey, { sub_client_id: 'draft' })
  assert.deepEqual(countsOf(answer), [0, 1, 0, 0])
  assert.deepEqual(
    answer.invoices.map((each: { invoice_id: string }) => each.invoice_id),
    [idOf('draft')],
  )
  assert.deepEqual(countsOf(await replace(apiKey)), [0, 2, 1, 0])
  assert.deepEqual(await Promise.all(['issued', 'voided'].map(read)), untouched)
  const replaced = await read('draft')
  assert.deepEqual(
    [replaced.status, replaced.subtotal_minor, replaced.tax_minor, replaced.lines[0].amount_minor, replaced.drafted_at],
    ['draft', 5_200, 936, 5_000, LATER.toISOString()],
  )

  const statement = (await call(apiKey, 'GET', `/invoices/${idOf('draft')}/statement`)).body
  assert.equal(statement.invoice.totalMinor, 6_136)
  assert.deepEqual(verifyInvoiceStatement(statement, statementKey.publicKey).findings, [])

  clock.now = OPENED
  await runJobs()
  assert.equal((await read('draft')).status, 'draft', 'the grace begins anew')
  clock.now = new Date(LATER.getTime() + 86_400_000)
  await runJobs()
  assert.deepEqual([(await read('draft')).status, (await read('draft')).total_minor], ['open', 6_136])
  const { rows } = await database.systemPool.query(
    `select changes -> 'total_minor' as total, changes -> 'currency' ->> 'to' as currency
       from audit_log
      where reseller_id = 'mended' and action = 'invoice.replaced' and object_id = $1 and changes ? 'total_minor'`,
    [idOf('draft')],
  )
  assert.deepEqual(rows, [{ total: { from: 5_546, to: 6_136 }, currency: 'INR' }])
})

test('a draft of which nothing is left to bill is discarded, and one that cannot be rated stays', async () => {
  const apiKey = await makeBook('emptied', ['beta'])
  await database.tenant('emptied', (db) =>
    db.query(
      `insert into sub_clients (reseller_id, sub_client_id, name, created_at) values ('emptied', 'acme', 'Acme', '2026-09-01T00:00:00Z')`,
    ),
  )
  await insertTestSim(database, 'emptied', 'sim-of-acme', [['2026-09-01T00:00:00Z', 'active', 'acme', 'm2m']])
  clock.now = DRAFTED
  await runJobs()
  const corrected = (sim: string, status: string, planId: string) =>
    database.systemPool.query(
      `insert into sim_history (reseller_id, sim_id, seq, at, change, status, sub_client_id, plan_id, source, actor_type, actor_id)
       select reseller_id, sim_id, 2, '2026-09-02T00:00:00Z', 'status', $2, sub_client_id, $3, 'system', 'system', 'roadworthy'
         from sim_history where reseller_id = 'emptied' and sim_id = $1`,
      [sim, status, planId],
    )
  await corrected('sim-of-acme', 'terminated', 'm2m')
  await corrected('sim-emptied-beta', 'active', 'unknown')
  const answer = await replace(apiKey)
  assert.deepEqual(countsOf(answer), [0, 0, 0, 1])
  assert.deepEqual(
    answer.failures.map((each: { sub_client_id: string }) => each.sub_client_id),
    ['beta'],
  )
  const statuses = (await invoicesOf(apiKey)).map((each: { sub_client_id: string; status: string }) => [each.sub_client_id, each.status])
  assert.deepEqual(statuses.sort(), [
    ['acme', 'void'],
    ['beta', 'draft'],
  ])
})

/** The same database, that does something first when the draft is stored that was just rated. Each of `first` once. */
function interrupted(slug: string, first: (() => Promise<unknown>)[]): Database {
  return {
    ...database,
    tenant: async (resellerIds, run) => {
      if ([resellerIds].flat().includes(slug)) await first.shift()?.()
      return await database.tenant(resellerIds, run)
    },
  }
}

async function replaceInterrupted(slug: string, first: (() => Promise<unknown>)[]) {
  const settings = requireSettings(await selectBillingSettings(database.tenantPool(slug), slug))
  const asked = { month: '2026-10', customerId: undefined, isReplacing: true }
  const { counts } = await draftMonthNow(interrupted(slug, first), settings, asked, systemAuthor(slug, clock.now))
  assert.deepEqual(first, [], 'all of it was done')
  return countsOf(counts)
}

test('a draft that is opened while it is rated anew is issued as it was; of one that is voided the month is drafted again', async () => {
  const apiKey = await draftedBook('opened', ['acme'])
  const [{ invoice_id: id }] = await invoicesOf(apiKey)
  await setRental(apiKey, '50.00')
  assert.deepEqual(await replaceInterrupted('opened', [() => call(apiKey, 'POST', `/invoices/${id}/open`)]), [0, 0, 1, 0])
  const { invoice } = (await call(apiKey, 'GET', `/invoices/${id}`)).body
  assert.deepEqual([invoice.status, invoice.subtotal_minor, invoice.lines[0].amount_minor], ['open', 4_700, 4_500])

  const other = await draftedBook('voided', ['acme'])
  const [{ invoice_id: draft }] = await invoicesOf(other)
  assert.deepEqual(await replaceInterrupted('voided', [() => call(other, 'POST', `/invoices/${draft}/void`)]), [1, 0, 0, 0])
})

test('of two who rate a draft anew at once the later prices stand', async () => {
  const apiKey = await draftedBook('raced', ['acme'])
  await setRental(apiKey, '50.00')
  const overtake = async () => {
    await setRental(apiKey, '60.00')
    assert.deepEqual(countsOf(await replace(apiKey)), [0, 1, 0, 0])
  }
  assert.deepEqual(await replaceInterrupted('raced', [overtake]), [0, 1, 0, 0])
  assert.equal((await invoicesOf(apiKey))[0].subtotal_minor, 6_200)
})

test('opening and replacing at once, again and again: what is issued is of one rating throughout, and is issued once', async () => {
  const customers = Array.from({ length: 12 }, (_, nth) => `client-${nth}`)
  const apiKey = await draftedBook('crowded', customers)
  await setRental(apiKey, '50.00')
  const drafts: { invoice_id: string }[] = await invoicesOf(apiKey)
  const replacing = [replace(apiKey), replace(apiKey)]
  const opening = drafts.map(({ invoice_id }) => untilTaken(() => call(apiKey, 'POST', `/invoices/${invoice_id}/open`)))
  for (const { status } of await Promise.all(opening)) assert.equal(status, 200)
  await Promise.all(replacing)
  for (const { invoice_id } of drafts) {
    const { invoice } = (await call(apiKey, 'GET', `/invoices/${invoice_id}`)).body
    const sum = invoice.lines.reduce((total: number, line: { amount_minor: number }) => total + line.amount_minor, 0)
    assert.deepEqual([invoice.status, invoice.subtotal_minor], ['open', sum])
    assert.ok([4_700, 5_200].includes(sum))
  }
  assert.equal((await eventsOf('crowded')).length, 12)
})
