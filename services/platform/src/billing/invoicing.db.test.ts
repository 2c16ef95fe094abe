// Goal: every month of every customer is invoiced once, with numbers that have no gaps, whichever process is killed and however many there are. Method: the routes
// and jobs over a real database, with a clock that is set; what SIMs and metering wrote is written as they write it.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { updateSubClient } from '../fleet/sub-clients.sql.ts'
import { createKey } from '../keys/keys.ts'
import { insertUsageAcrossResellers } from '../limits/usage.sql.ts'
import { verifyInvoiceStatement } from './ledger/invoice-statement.ts'
import { assertLedgerBalances } from './ledger/ledger.ts'
import { DRAFTED, OPENED, openMonthlyBooks, PLAN } from './rating/test-monthly-books.ts'
import { failingAt } from './test-billing-service.ts'
import { insertTestSim } from './test-book.ts'

const service = await openMonthlyBooks({ after })
const { database, clock, call, seal, runJobs, letters, statementKey, makeBook, invoicesOf, eventsOf } = service
afterEach(() => assertLedgerBalances(database.systemPool))

test('a month is drafted a day after its end, opens after the grace, and is due two weeks later', async () => {
  const apiKey = await makeBook('first', ['acme', 'beta'])
  await database.tenant('first', (db) =>
    db.query(
      `insert into sub_clients (reseller_id, sub_client_id, name, created_at) values ('first', 'idle', 'Idle', '2026-09-01T00:00:00Z')`,
    ),
  )
  clock.now = new Date('2026-11-01T06:00:00.000Z')
  await runJobs()
  assert.deepEqual(await invoicesOf(apiKey), [])
  clock.now = DRAFTED
  await runJobs()
  const drafts = await invoicesOf(apiKey)
  assert.deepEqual(
    drafts.map((each: { sub_client_id: string }) => each.sub_client_id).sort(),
    ['acme', 'beta'],
    'who has nothing to be billed gets none',
  )
  assert.deepEqual(
    [drafts[0].status, drafts[0].number, drafts[0].subtotal_minor, drafts[0].tax_minor, drafts[0].total_minor],
    ['draft', null, 4_700, 846, 5_546],
  )
  assert.deepEqual([drafts[0].from, drafts[0].until], ['2026-09-30T18:30:00.000Z', '2026-10-31T18:30:00.000Z'])
  clock.now = new Date(OPENED.getTime() - 1)
  await runJobs()
  assert.equal((await invoicesOf(apiKey, '?status=draft')).length, 2)
  clock.now = OPENED
  await runJobs()
  await runJobs()
  const open = await invoicesOf(apiKey, '?status=open&period=2026-10')
  assert.deepEqual(open.map((each: { number: string }) => each.number).sort(), ['INV-000001', 'INV-000002'])
  assert.deepEqual([open[0].due_date, open[0].amount_due_minor, open[0].opens_at], ['2026-11-17', 5_546, null])
  assert.deepEqual(await eventsOf('first'), ['invoice.opened', 'invoice.opened'])
  const { body } = await call(apiKey, 'GET', `/invoices/${open[0].invoice_id}`)
  assert.deepEqual(
    body.invoice.lines.map((line: { kind: string; amount_minor: number }) => [line.kind, line.amount_minor]),
    [
      ['sim_rental', 4_500],
      ['data_overage', 200],
    ],
  )
  assert.equal((await call(apiKey, 'GET', '/billing-settings')).body.last_month.period, '2026-10')
})

test('whichever transaction is the last that works, what comes after makes the same invoices', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let nth = 1; ; nth++) {
      const slug = `killed-${when}-${nth}`
      const apiKey = await makeBook(slug, ['acme', 'beta', 'gamma'])
      clock.now = DRAFTED
      const failing = failingAt(database, slug, nth, when)
      await runJobs(failing)
      const isOver = !failing.hasFailed()
      clock.now = new Date(DRAFTED.getTime() + 3_600_000)
      await runJobs()
      clock.now = new Date(OPENED.getTime() + 7_200_000)
      await runJobs(failingAt(database, slug, 2, when))
      clock.now = new Date(clock.now.getTime() + 7_200_000)
      await runJobs()
      const invoices = await invoicesOf(apiKey)
      assert.deepEqual(
        invoices.map((each: { number: string }) => each.number).sort(),
        ['INV-000001', 'INV-000002', 'INV-000003'],
        `${when} ${nth}`,
      )
      assert.deepEqual((await eventsOf(slug)).length, 3)
      if (isOver) break
      assert.ok(nth < 20)
    }
  }
})

test('several processes at once draft and open each once', async () => {
  const apiKey = await makeBook(
    'crowd',
    Array.from({ length: 12 }, (_, nth) => `client-${nth}`),
  )
  for (const at of [DRAFTED, OPENED]) {
    clock.now = at
    await seal()
    await Promise.all([runJobs(), runJobs(), runJobs()])
  }
  const invoices = await invoicesOf(apiKey)
  assert.deepEqual(
    invoices.map((each: { number: string }) => each.number).sort(),
    Array.from({ length: 12 }, (_, nth) => `INV-${String(nth + 1).padStart(6, '0')}`),
  )
})

test('a price that is missing keeps one customer from being billed and no other, and is named', async () => {
  const apiKey = await makeBook('missing', ['acme', 'beta'])
  await insertTestSim(database, 'missing', 'sim-no-plan', [['2026-09-01T00:00:00Z', 'active', 'beta', 'unknown']])
  clock.now = DRAFTED
  await runJobs()
  assert.deepEqual(
    (await invoicesOf(apiKey)).map((each: { sub_client_id: string }) => each.sub_client_id),
    ['acme'],
  )
  const failures = async () => (await call(apiKey, 'GET', '/billing-settings')).body.last_month.failures
  const [failure, ...others] = await failures()
  assert.deepEqual([failure.sub_client_id, others], ['beta', []])
  assert.match(failure.message, /unknown/)
  await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10', sub_client_id: 'acme' })
  assert.deepEqual(await failures(), [failure], 'another customer is drafted anew')
  await call(apiKey, 'POST', '/rate-plans', { ...PLAN, plan_id: 'unknown', effective_from: '2026-10' })
  assert.equal((await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10' })).body.invoices.length, 1)
  assert.deepEqual(await failures(), [])
})

test('what was metered is billed by the price list of the month, with the margin or at the customer’s own price', async () => {
  const apiKey = await makeBook('metered', ['acme'])
  await call(apiKey, 'PUT', '/price-list', {
    effective_from: '2026-09',
    subscription_fee: '100',
    meters: [{ meter: 'readings', price: '2', per: 1_000, included: 500 }],
  })
  await call(apiKey, 'PUT', '/price-list', { effective_from: '2026-11', subscription_fee: '999', meters: [] })
  await call(apiKey, 'PUT', '/customers/acme', {
    margin_percent: '10',
    plan_overrides: [{ plan_id: 'm2m', prices: { rental: '40' } }],
    tax_ids: [],
  })
  await insertUsageAcrossResellers(database.systemPool, [
    { resellerId: 'metered', subClientId: 'acme', meter: 'points_ingested', bucket: new Date('2026-10-12T00:00:00Z'), count: 1_500 },
    { resellerId: 'metered', subClientId: 'acme', meter: 'points_ingested', bucket: new Date('2026-11-01T00:00:00Z'), count: 7_000 },
  ])
  clock.now = DRAFTED
  await runJobs()
  const [draft] = await invoicesOf(apiKey)
  const { invoice } = (await call(apiKey, 'GET', `/invoices/${draft.invoice_id}`)).body
  assert.deepEqual(
    invoice.lines.map((line: { kind: string; amount_minor: number }) => [line.kind, line.amount_minor]),
    [
      ['sim_rental', 4_000],
      ['data_overage', 220],
      ['readings', 220],
      ['subscription', 11_000],
    ],
  )
  assert.equal(invoice.tax_minor, 0)
})

test('the monthly fee is of the months in which a sub-client was there', async () => {
  const apiKey = await makeBook('fees', ['acme', 'gone', 'new'])
  const resellerId = 'fees'
  await call(apiKey, 'PUT', '/price-list', { effective_from: '2026-09', subscription_fee: '100', meters: [] })
  // In Kolkata, where the book is, September ends at 18:30 and so does October.
  const viewer = { resellerId, subClientPin: undefined }
  const change = (id: string, status: 'active' | 'deactivated', at: string) =>
    database.tenant(resellerId, (db) => updateSubClient(db, viewer, id, { status }, new Date(at)))
  await change('gone', 'deactivated', '2026-09-30T18:30:00.000Z')
  await change('gone', 'deactivated', '2026-10-08T00:00:00.000Z')
  await change('acme', 'deactivated', '2026-09-30T18:30:00.000Z')
  await change('acme', 'active', '2026-10-08T00:00:00.000Z')
  await change('acme', 'deactivated', '2026-10-09T00:00:00.000Z')
  await database.tenant(resellerId, (db) =>
    db.query(`update sub_clients set created_at = '2026-10-31T18:30:00Z' where reseller_id = $1 and sub_client_id = 'new'`, [resellerId]),
  )
  clock.now = DRAFTED
  await runJobs()
  const kindsOf = async (drafts: { invoice_id: string; sub_client_id: string }[]) => {
    const kinds = drafts.map(async ({ invoice_id, sub_client_id }) => {
      const { lines } = (await call(apiKey, 'GET', `/invoices/${invoice_id}`)).body.invoice
      return [sub_client_id, ...lines.map(({ kind }: { kind: string }) => kind)]
    })
    return (await Promise.all(kinds)).sort()
  }
  const rated = [
    ['acme', 'sim_rental', 'data_overage', 'subscription'],
    ['gone', 'sim_rental', 'data_overage'],
  ]
  assert.deepEqual(await kindsOf(await invoicesOf(apiKey)), rated)
  const again = await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10', replace: true })
  assert.deepEqual(await kindsOf(again.body.invoices), rated)
  const named = await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10', sub_client_id: 'new' })
  assert.equal(named.body.made, 1, 'by name a month is billed that was before')
})

test('a statement rates to the same invoice, and the first line that was changed is named', async () => {
  const apiKey = await makeBook('stated', ['acme'])
  clock.now = DRAFTED
  await runJobs()
  const [{ invoice_id: id }] = await invoicesOf(apiKey)
  const statement = (await call(apiKey, 'GET', `/invoices/${id}/statement`)).body
  assert.deepEqual(verifyInvoiceStatement(statement, statementKey.publicKey).findings, [])
  statement.invoice.lines[1].amountMinor = 201
  const changed = verifyInvoiceStatement(statement, statementKey.publicKey)
  assert.deepEqual([changed.isValid, changed.firstDifferingLine], [false, 2])
  assert.match(changed.findings[0] ?? '', /^Line 2: amountMinor is 201/)
  assert.match(changed.findings.at(-1) ?? '', /signature/)
  assert.equal(verifyInvoiceStatement({ statement: 'other' }, undefined).isValid, false)
})

test('reminders go out once each on their days, and an invoice is overdue when the day on which it was due is over in its zone', async () => {
  const apiKey = await makeBook('dunned', ['acme'])
  clock.now = DRAFTED
  await runJobs()
  clock.now = OPENED
  await runJobs()
  const statusNow = async () => (await invoicesOf(apiKey))[0].status
  clock.now = new Date('2026-11-17T18:29:59.999Z')
  await runJobs()
  assert.equal(await statusNow(), 'open')
  clock.now = new Date('2026-11-17T18:30:00.000Z')
  await Promise.all([runJobs(), runJobs()])
  assert.equal(await statusNow(), 'overdue')
  const late = await call(apiKey, 'POST', `/invoices/${(await invoicesOf(apiKey))[0].invoice_id}/open`)
  assert.match(late.body.error.message, /is overdue and cannot be opened/)
  assert.deepEqual(await eventsOf('dunned'), ['invoice.opened', 'invoice.overdue'])
  const mine = () => letters.filter(({ resellerId }) => resellerId === 'dunned')
  assert.equal(mine().length, 0)
  service.mail.refusal = { outcome: 'not_now', reason: 'The mail server cannot be reached.' }
  clock.now = new Date('2026-11-19T18:30:00.000Z')
  await runJobs()
  assert.equal(mine().length, 0)
  service.mail.refusal = undefined
  clock.now = new Date(clock.now.getTime() + 60_000)
  await Promise.all([runJobs(), runJobs(), runJobs()])
  assert.deepEqual(
    mine().map(({ email, senderName, subject }) => [email, senderName, subject]),
    [['acme@example.com', 'North Fleet Ltd', 'Overdue: invoice INV-000001 of North Fleet Ltd']],
  )
  assert.match(mine()[0]?.text ?? '', /55\.46 INR/)
  // The next one goes to the same address, which by then is that of a person who reads German.
  await database.tenant('dunned', (db) =>
    db.query(
      "insert into users (reseller_id, user_id, email, role, language) values ('dunned', 'usr-greta', 'acme@example.com', 'viewer', 'de')",
    ),
  )
  clock.now = new Date('2027-01-01T00:00:00.000Z')
  await Promise.all([runJobs(), runJobs()])
  await runJobs()
  assert.deepEqual(
    mine().map(({ subject }) => subject),
    ['Overdue: invoice INV-000001 of North Fleet Ltd', 'Überfällig: Rechnung INV-000001 von North Fleet Ltd'],
  )
  assert.match(
    mine()[1]?.text ?? '',
    /für Oktober 2026 war am 17\. Nov\. 2026 fällig und ist nicht bezahlt\.\n\nNoch zu zahlen: 55,46 INR\./,
  )
})

test('a reminder that the mail server refuses for good is not tried again, and the audit log has why', async () => {
  const apiKey = await makeBook('bounced', ['acme'])
  for (const at of [DRAFTED, OPENED]) {
    clock.now = at
    await runJobs()
  }
  const reason = 'The mail server answered 550: 5.1.1 No such user.'
  service.mail.refusal = { outcome: 'refused', reason }
  clock.now = new Date('2026-11-19T18:30:00.000Z')
  await runJobs()
  service.mail.refusal = undefined
  clock.now = new Date(clock.now.getTime() + 60_000)
  await runJobs()
  assert.equal(letters.filter(({ resellerId }) => resellerId === 'bounced').length, 0)
  const [invoice] = await invoicesOf(apiKey)
  const { rows } = await database.systemPool.query("select changes from audit_log where action = 'invoice.reminded' and object_id = $1", [
    invoice.invoice_id,
  ])
  const became = (to: unknown) => ({ from: null, to })
  assert.deepEqual(rows, [{ changes: { reminder: became(1), mailed: became(false), reason: became(reason) } }])
})

test('a key of a sub-client sees its own invoices that were issued, and nothing of how they are made', async () => {
  const apiKey = await makeBook('seen', ['acme', 'beta'])
  const pinned = (
    await createKey(database, 'seen', { name: 'pin', scopes: ['*'], subClientId: 'acme', perMinute: 0, perDay: 0 }, clock.now)
  ).apiKey
  clock.now = DRAFTED
  await runJobs()
  const [draft] = (await invoicesOf(apiKey)).filter((each: { sub_client_id: string }) => each.sub_client_id === 'acme')
  assert.deepEqual(await invoicesOf(pinned), [])
  assert.equal((await call(pinned, 'GET', `/invoices/${draft.invoice_id}`)).status, 404)
  clock.now = OPENED
  await runJobs()
  assert.deepEqual(
    (await invoicesOf(pinned)).map((each: { invoice_id: string }) => each.invoice_id),
    [draft.invoice_id],
  )
  assert.deepEqual(await invoicesOf(pinned, '?sub_client_id=beta'), [])
  const [other] = (await invoicesOf(apiKey)).filter((each: { sub_client_id: string }) => each.sub_client_id === 'beta')
  assert.equal((await call(pinned, 'GET', `/invoices/${other.invoice_id}`)).status, 404)
  for (const [method, path, body] of [
    ['GET', '/billing-settings'],
    ['PUT', '/billing-settings', { footer: null }],
    ['GET', '/rate-plans/m2m'],
    ['GET', '/price-list'],
    ['GET', '/customers/acme'],
    ['PUT', '/customers/acme', { enabled: true }],
    ['POST', `/invoices/${draft.invoice_id}/void`, {}],
    ['POST', '/invoices/draft', { month: '2026-10' }],
  ] as const) {
    assert.equal((await call(pinned, method, path, body)).status, /plans\/|customers/.test(path) ? 404 : 403, `${method} ${path}`)
  }
  const page = (await call(apiKey, 'GET', '/invoices?limit=1')).body
  assert.deepEqual(
    [page.total, page.invoices.length, page.pagination.hasNextPage, page.next_cursor],
    [2, 1, true, page.pagination.endCursor],
  )
  assert.equal((await call(apiKey, 'GET', `/invoices?limit=1&after=${page.next_cursor}`)).body.next_cursor, null)
})
