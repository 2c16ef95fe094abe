// Goal: an invoice of more lines than are kept in one row is whole in every form, in order, and what only moves it reads none of them. Method: a month of
// many SIMs, drafted by the job and read through the routes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import { createStatementKey } from '../metering/statement-key.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { withInvoice } from './change-invoice.ts'
import { invoiceDocumentRoutes } from './document.routes.sim-billing.ts'
import { draftDueMonths } from './draft-month.ts'
import { invoiceRoutes } from './invoice.routes.sim-billing.ts'
import { invoiceChangeRoutes } from './invoice-change.routes.sim-billing.ts'
import { csvInParts, ublInParts } from './invoice-in-parts.ts'
import { selectInvoices } from './invoices.sql.ts'
import { verifyInvoiceStatement } from './ledger/invoice-statement.ts'
import { openInvoice } from './open-invoice.ts'
import { insertPlanVersion } from './rating/plans.sql.ts'
import { insertTestBook, insertTestSim } from './test-book.ts'

const SIMS = 1_201
const DRAFTED = new Date('2026-11-03T06:00:00.000Z')
const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const { apiKey } = await insertResellerWithKey(database, 'north')
const statementKey = createStatementKey(TEST_SECRET_KEY)
const { app } = await openTestApi(cleanUp, database, {
  simBilling: [
    invoiceRoutes({ database, paymentsOf: async () => [] }),
    invoiceChangeRoutes({
      database,
      paymentsOf: async () => [],
      refundSurplus: async () => undefined,
      endCheckout: async () => undefined,
      now: () => DRAFTED,
    }),
    invoiceDocumentRoutes({ database, statementKey, brandOf: async () => ({ name: 'North Fleet' }) }),
  ],
})
await database.tenant('north', (db) =>
  db.query(
    `insert into sub_clients (reseller_id, sub_client_id, name, created_at) values ('north', 'acme', 'Acme', '2026-09-01T00:00:00Z')`,
  ),
)
await insertTestBook(database, 'north', {}, new Date('2026-10-05T06:00:00.000Z'))

/** SIMs of `acme`, each active since September. */
async function insertSims(planId: string): Promise<void> {
  await insertTestSim(database, 'north', 'sim-first', [['2026-09-01T00:00:00Z', 'active', 'acme', planId]])
  await database.systemPool.query(
    `insert into sims (reseller_id, sim_id, connection_id, iccid, iccid_key, status, status_since, is_parked, last_history_seq, last_usage_seq,
                       created_at, updated_at)
     select 'north', 'sim-' || n, 'opc-1', '8992' || lpad(n::text, 15, '0'), '8992' || lpad(n::text, 15, '0'), 'active', now(), false, 1, 0, now(), now()
       from generate_series(2, $1) n`,
    [SIMS],
  )
  await database.systemPool.query(
    `insert into sim_history (reseller_id, sim_id, seq, at, change, status, sub_client_id, plan_id, source, actor_type, actor_id)
     select 'north', 'sim-' || n, 1, '2026-09-01T00:00:00Z', 'status', 'active', 'acme', $2, 'system', 'system', 'roadworthy'
       from generate_series(2, $1) n`,
    [SIMS, planId],
  )
}

const firstPage = { list: 'invoices', limit: 100, after: { at: new Date('2100-01-01T00:00:00Z'), id: 'z' } }
const get = async (path: string) => {
  const answer = await app.inject({ method: 'GET', url: `/api/sim-billing${path}`, headers: { 'x-api-key': apiKey } })
  assert.equal(answer.statusCode, 200, answer.body.slice(0, 300))
  return answer
}

test('every line of a long invoice is in the invoice, its CSV, its e-invoice and its statement', async () => {
  await insertSims('m2m')
  await database.systemPool.query(
    `insert into usage_periods (reseller_id, month, time_zone, starts_at, ends_at)
     values ('north', '2026-10', 'UTC', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z')`,
  )
  await draftDueMonths(database, 'north', DRAFTED)
  assert.equal((await get('/invoices')).json().total, 0, 'without prices there is no draft')
  const { rows } = await database.systemPool.query<{ failures: { message: string }[] }>('select failures from billing_months')
  assert.match(rows[0]?.failures[0]?.message ?? '', /m2m/, 'what the thread refuses is reported in its words')

  await database.systemPool.query('delete from billing_months')
  const prices = {
    rental: '45.00',
    includedMegabytes: '1',
    overagePerMegabyte: '1',
    activationFee: '0',
    custodyFee: '10',
    custodyMinDays: 0,
  }
  const plan = { planId: 'm2m', name: 'M2M', effectiveFrom: '2026-09', operatorPlan: undefined, archivedAt: undefined }
  await database.tenant('north', (db) =>
    insertPlanVersion(db, 'north', { ...plan, prices: { ...prices, isPooled: false, isProrated: true } }, { isNew: true, at: DRAFTED }),
  )
  await draftDueMonths(database, 'north', DRAFTED)
  const [draft] = (await get('/invoices')).json().invoices
  const ref = { issuerId: 'north', resellerId: 'north', invoiceId: draft.invoice_id }
  await withInvoice(database, ref, (db, invoice) => openInvoice(db, invoice, systemAuthor('north', DRAFTED)))
  const path = `/invoices/${draft.invoice_id}`
  const { invoice } = (await get(path)).json()
  const numbers = (lines: readonly { line: number }[]) => lines.map(({ line }) => line)
  const all = Array.from({ length: SIMS }, (_, nth) => nth + 1)
  assert.deepEqual(numbers(invoice.lines), all)
  assert.equal(invoice.total_minor, SIMS * 4_500)
  assert.equal((await get(`${path}/csv`)).body.trimEnd().split('\r\n').length, SIMS + 1)
  assert.equal((await get(`${path}/xml`)).body.match(/<cac:InvoiceLine>/g)?.length, SIMS)
  const sent = await get(`${path}/statement`)
  assert.equal(Number(sent.headers['content-length']), sent.rawPayload.length)
  const statement = sent.json()
  assert.deepEqual(numbers(statement.invoice.lines), all)
  assert.deepEqual(verifyInvoiceStatement(statement, statementKey.publicKey).findings, [])
})

test('a long invoice is credited whole and once, and each repeat is answered with the same credit note', async () => {
  const [invoice] = (await get('/invoices')).json().invoices
  const credit = async () => {
    const headers = { 'x-api-key': apiKey, 'idempotency-key': 'whole' }
    const url = `/api/sim-billing/invoices/${invoice.invoice_id}/credit-notes`
    const answer = await app.inject({ method: 'POST', url, headers, payload: { reason: 'Wrong month' } })
    assert.equal(answer.statusCode, 200, answer.body.slice(0, 300))
    return answer.json()
  }
  const first = await credit()
  assert.equal(first.credit_note.lines.length, SIMS)
  assert.deepEqual([first.credit_note.total_minor, first.invoice.status], [invoice.total_minor, 'paid'])
  assert.deepEqual(await credit(), first)
  const stored = (await get(`/invoices/${first.credit_note.invoice_id}`)).json().invoice
  assert.deepEqual([stored.lines, stored.total_minor], [first.credit_note.lines, SIMS * 4_500])
})

test('a reseller has so many long invoices sent at once, and one that nobody reads to its end makes room', async () => {
  const db = database.tenantPool('north')
  const [invoice] = await selectInvoices(db, 'north', { subClientIds: [], draftsOf: 'north' }, firstPage)
  assert.ok(invoice !== undefined)
  const begun = Array.from({ length: 8 }, (_, nth) => (nth % 2 === 0 ? csvInParts(db, invoice) : ublInParts(db, invoice)))
  for (const parts of begun) assert.equal((await parts.next()).done, false)
  const refused = await app.inject({ url: `/api/sim-billing/invoices/${invoice.invoiceId}`, headers: { 'x-api-key': apiKey } })
  assert.equal(refused.statusCode, 503)
  assert.equal(refused.json().error.code, 'overloaded')
  await begun[3]?.return()
  await get(`/invoices/${invoice.invoiceId}`)
  await Promise.all(begun.map((parts) => parts.return()))
})

test('lists and changes of an invoice read none of its lines', async () => {
  const asked: string[] = []
  const listening: Db = {
    query: (statement, values) => {
      asked.push(String(statement))
      return database.tenantPool('north').query(statement, values)
    },
  }
  const filter = { subClientIds: [], draftsOf: 'north' }
  const [found] = await selectInvoices(listening, 'north', filter, firstPage)
  assert.ok(found !== undefined && !('lines' in found))
  assert.ok(asked.length > 0 && asked.every((statement) => !statement.includes('invoice_lines')))
  const { rows } = await database.systemPool.query<{ bytes: number }>('select max(octet_length(content::text)) as bytes from invoices')
  assert.ok((rows[0]?.bytes ?? Number.NaN) < 10_000)
})
