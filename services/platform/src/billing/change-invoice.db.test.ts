// Goal: what people do with an invoice happens once, and asking again changes nothing; what was issued is only corrected by credit notes. Method: the routes
// over a real database, with a clock that is set.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { untilTaken } from '../test-support.ts'
import { lockInvoice } from './invoices.sql.ts'
import { assertLedgerBalances } from './ledger/ledger.ts'
import { DRAFTED, openMonthlyBooks, PLAN } from './rating/test-monthly-books.ts'
import { applyPayment } from './settle-invoice.ts'
import { failingAt } from './test-billing-service.ts'

const { database, clock, call, runJobs, makeBook, invoicesOf, eventsOf } = await openMonthlyBooks({ after })
afterEach(() => assertLedgerBalances(database.systemPool))

test('50 drafts that are opened twice at once get 50 numbers without a gap, one event each, and the same answer', async () => {
  const apiKey = await makeBook(
    'parallel',
    Array.from({ length: 50 }, (_, nth) => `client-${nth}`),
  )
  clock.now = DRAFTED
  await runJobs()
  const drafts = await invoicesOf(apiKey)
  assert.equal(drafts.length, 50)
  const open = (invoiceId: string) => untilTaken(() => call(apiKey, 'POST', `/invoices/${invoiceId}/open`))
  const answers = await Promise.all(drafts.flatMap(({ invoice_id }: { invoice_id: string }) => [open(invoice_id), open(invoice_id)]))
  assert.ok(answers.every(({ status, body }) => status === 200 && body.invoice.status === 'open'))
  assert.equal(new Set(answers.map(({ body }) => body.invoice.number)).size, 50)
  assert.deepEqual(await eventsOf('parallel'), Array(50).fill('invoice.opened'))
  const numbers = (await invoicesOf(apiKey)).map((each: { number: string }) => each.number).sort()
  assert.deepEqual(
    numbers,
    Array.from({ length: 50 }, (_, nth) => `INV-${String(nth + 1).padStart(6, '0')}`),
  )
})

test('a draft is discarded without a number and made anew; what was issued is voided by a credit note, once nothing of it is paid', async () => {
  const apiKey = await makeBook('corrected', ['acme'])
  clock.now = DRAFTED
  await runJobs()
  const [draft] = await invoicesOf(apiKey)
  assert.equal((await call(apiKey, 'POST', `/invoices/${draft.invoice_id}/credit-notes`, { reason: 'x' })).status, 409)
  const discarded = await call(apiKey, 'POST', `/invoices/${draft.invoice_id}/void`, {})
  assert.deepEqual([discarded.body.invoice.status, discarded.body.invoice.number], ['void', null])
  await runJobs()
  assert.equal((await invoicesOf(apiKey, '?status=draft')).length, 0, 'a job makes no other')
  const again = await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10' })
  assert.equal(again.body.invoices.length, 1)
  assert.equal((await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10' })).body.invoices.length, 0)
  assert.equal((await call(apiKey, 'POST', '/invoices/draft', { month: '2026-11' })).status, 409)
  const id = again.body.invoices[0].invoice_id
  await call(apiKey, 'POST', `/invoices/${id}/open`)
  const part = await call(apiKey, 'POST', `/invoices/${id}/credit-notes`, {
    reason: 'Wrong rental',
    lines: [{ line: 1, amount_minor: 500 }],
  })
  assert.deepEqual(
    [part.body.credit_note.number, part.body.credit_note.total_minor, part.body.invoice.amount_due_minor],
    ['INV-000002', 590, 4_956],
  )
  const voided = await call(apiKey, 'POST', `/invoices/${id}/void`, { reason: 'Billed twice' })
  assert.deepEqual(
    [voided.body.invoice.status, voided.body.invoice.credited_minor, voided.body.invoice.credit_notes.length],
    ['void', 5_546, 2],
  )
  assert.deepEqual(await eventsOf('corrected'), ['invoice.opened', 'invoice.credited', 'invoice.credited', 'invoice.voided'])
  const { rows } = await database.systemPool.query<{ sub_client_id: string; data: object }>(
    `select sub_client_id, data from event_outbox where reseller_id = 'corrected' and type = 'invoice.credited' order by outbox_id`,
  )
  const of = { invoiceId: id, invoiceNumber: 'INV-000001', period: '2026-10', issuer: 'reseller', currency: 'INR', unappliedMinor: 0 }
  const [first, second] = voided.body.invoice.credit_notes
  const creditedAs = (note: { invoice_id: string; number: string }) => ({ creditNoteId: note.invoice_id, creditNoteNumber: note.number })
  assert.deepEqual(rows, [
    {
      sub_client_id: 'acme',
      data: { ...of, ...creditedAs(first), subtotalMinor: 500, taxMinor: 90, totalMinor: 590, amountDueMinor: 4_956 },
    },
    {
      sub_client_id: 'acme',
      data: { ...of, ...creditedAs(second), subtotalMinor: 4_200, taxMinor: 756, totalMinor: 4_956, amountDueMinor: 0 },
    },
  ])
  assert.equal((await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10', sub_client_id: 'acme' })).body.invoices.length, 1)
})

test('opening what is open and voiding what is void change nothing; what is paid, overdue or void is not opened', async () => {
  const apiKey = await makeBook('repeated', ['acme'])
  const change = (id: string, action: string) => call(apiKey, 'POST', `/invoices/${id}/${action}`)
  const written = async () => {
    const { rows } = await database.systemPool.query<{ count: number }>(
      `select (select count(*) from audit_log where reseller_id = 'repeated')::int + (select count(*) from event_outbox where reseller_id = 'repeated')::int
         + (select next_number from billing_settings where reseller_id = 'repeated')::int as count`,
    )
    return rows[0]?.count
  }
  /** Twice: the second answers as the first, and writes nothing. */
  const changeTwice = async (id: string, action: string) => {
    const first = await change(id, action)
    const before = await written()
    const second = await change(id, action)
    assert.equal(second.status, 200, JSON.stringify(second.body))
    assert.deepEqual([second.body, await written()], [first.body, before])
    return second.body.invoice
  }
  const refusal = async (id: string, action: string) => {
    const { status, body } = await change(id, action)
    assert.deepEqual([status, body.error.code], [409, 'invalid_transition'])
    return body.error.message
  }
  clock.now = DRAFTED
  await runJobs()
  const draftAgain = async () => (await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10' })).body.invoices[0].invoice_id
  const [discarded] = await invoicesOf(apiKey)
  await changeTwice(discarded.invoice_id, 'void')
  assert.match(await refusal(discarded.invoice_id, 'open'), /is void and cannot be opened: only one that is draft can/)

  const voided = await draftAgain()
  await changeTwice(voided, 'open')
  const [note] = (await changeTwice(voided, 'void')).credit_notes
  assert.match(await refusal(note.invoice_id, 'void'), /A credit note is final/)
  assert.match(await refusal(note.invoice_id, 'open'), /A credit note was issued when it was made/)

  const credited = await draftAgain()
  await change(credited, 'open')
  await call(apiKey, 'POST', `/invoices/${credited}/credit-notes`, { reason: 'All of it' })
  assert.match(await refusal(credited, 'open'), /is paid and cannot be opened/)
  const settled = await changeTwice(credited, 'void')
  assert.deepEqual([settled.status, settled.credit_notes.length, settled.paid_at, settled.amount_due_minor], ['void', 1, null, 0])
})

test('an invoice that came to nothing, or is credited in full, is voided without a further note, so that its month is billed after all', async () => {
  const apiKey = await makeBook('nothing', ['acme', 'beta'])
  const free = { ...PLAN.prices, rental: '0', overage_per_megabyte: '0' }
  await call(apiKey, 'PUT', '/rate-plans/m2m', { effective_from: '2026-10', prices: free })
  clock.now = DRAFTED
  await runJobs()
  const [zero, paid] = await invoicesOf(apiKey)
  const opened = (await call(apiKey, 'POST', `/invoices/${zero.invoice_id}/open`)).body.invoice
  assert.deepEqual([opened.status, opened.total_minor], ['paid', 0])
  await call(apiKey, 'POST', `/invoices/${paid.invoice_id}/void`)
  const { status, body } = await call(apiKey, 'POST', `/invoices/${zero.invoice_id}/void`, { reason: 'No price' })
  assert.deepEqual([status, body.invoice.status, body.invoice.number, body.invoice.credit_notes], [200, 'void', 'INV-000001', []])
  await call(apiKey, 'PUT', '/rate-plans/m2m', { effective_from: '2026-10', prices: PLAN.prices })
  const { made, invoices } = (await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10' })).body
  assert.deepEqual([made, invoices.map((each: { total_minor: number }) => each.total_minor)], [2, [5_546, 5_546]])
  const again = invoices[0].invoice_id
  await call(apiKey, 'POST', `/invoices/${again}/open`)
  await database.tenant('nothing', async (db) => {
    const locked = await lockInvoice(db, { resellerId: 'nothing', invoiceId: again })
    assert.ok(locked)
    const money = { amountMinor: 5_546, currency: 'INR', source: 'bank-1', gateway: 'stripe', at: clock.now }
    await applyPayment(db, locked, money, systemAuthor('nothing', clock.now))
  })
  const refused = await call(apiKey, 'POST', `/invoices/${again}/void`)
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_transition'])
  await call(apiKey, 'POST', `/invoices/${again}/credit-notes`, { reason: 'Wrong tax number' })
  const settled = (await call(apiKey, 'POST', `/invoices/${again}/void`)).body.invoice
  assert.deepEqual([settled.status, settled.credited_minor, settled.credit_notes.length], ['void', 5_546, 1])
  assert.equal((await call(apiKey, 'POST', '/invoices/draft', { month: '2026-10' })).body.made, 1)
})

test('a draft that was discarded is not made again by a job that was killed before it noted the month', async () => {
  const apiKey = await makeBook('noted', ['acme'])
  clock.now = DRAFTED
  // Twice it asks for the zone, then it drafts; the fourth would note the month.
  await runJobs(failingAt(database, 'noted', 4, 'before'))
  const [draft] = await invoicesOf(apiKey)
  assert.equal((await call(apiKey, 'GET', '/billing-settings')).body.last_month, null)
  await call(apiKey, 'POST', `/invoices/${draft.invoice_id}/void`, {})
  clock.now = new Date(DRAFTED.getTime() + 3_600_000)
  await runJobs()
  assert.equal((await call(apiKey, 'GET', '/billing-settings')).body.last_month.period, '2026-10')
  assert.deepEqual(await invoicesOf(apiKey, '?status=draft'), [])
})
