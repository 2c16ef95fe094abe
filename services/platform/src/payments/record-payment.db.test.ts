// Goal: money that came in outside of a gateway pays an invoice once, and is booked back where it was wrong; no gateway is asked to give it back. Method: the
// real routes and jobs over a real database, with the gateway emulator beside them; the ledger sums to zero after each test.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { OPERATOR_BOOK } from '../billing/book.ts'
import { withInvoice } from '../billing/change-invoice.ts'
import { correctInvoice } from '../billing/credit-invoice.ts'
import { unappliedMinorOf } from '../billing/settle-invoice.ts'
import { civilDateOf, type StoredInvoice } from '../billing/stored-invoice.ts'
import { untilTaken } from '../test-support.ts'
import { paymentsOf } from './invoice-payments.ts'
import { recordOperatorPayment, reverseOperatorPayment } from './operator-payments.ts'
import { MAX_RECORDED_PAYMENTS } from './record-payment.ts'
import { endCheckout, refundSurplus } from './request-refund.ts'
import { assertBooks, openPaymentService } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { database, emulator } = service
const acme = await service.reseller('acme-fleet')
await service.connect('acme-fleet', 'stripe')
const DAY_MS = 24 * 3_600_000
const INDIA_MS = 5.5 * 3_600_000
// To noon in India, so that no day ends there while these tests run.
await service.advance(DAY_MS - ((Date.now() + INDIA_MS + DAY_MS / 2) % DAY_MS))
const daysAgo = (days: number) => civilDateOf(new Date(service.now().getTime() - days * DAY_MS), 'Asia/Kolkata')
const invoiceOf = (given: Partial<StoredInvoice> = {}) => service.invoice('acme-fleet', { draftedAt: service.now(), ...given })
const transfer = (amount_minor: number, more: object = {}) => ({
  ...{ amount_minor, currency: 'INR', method: 'bank_transfer', received_on: daysAgo(0), reference: 'INV-1 Acme' },
  ...more,
})
const record = async (invoice: StoredInvoice, body: object, call = acme) =>
  await call('POST', `/invoices/${invoice.invoiceId}/payments`, body)
const reverse = async (invoice: StoredInvoice, paymentId: string, call = acme) =>
  await call('POST', `/invoices/${invoice.invoiceId}/payments/${paymentId}/reverse`, { reason: 'Entered twice' })
const atGateway = { refundSurplus, endCheckout }
const creditAll = async (invoice: StoredInvoice) =>
  await withInvoice(database, invoice, (db, locked) =>
    correctInvoice(atGateway, db, locked, { reason: 'Wrong', parts: undefined }, systemAuthor(invoice.issuerId, service.now())),
  )

afterEach(() => assertBooks(service))

test('a part and then the rest pay an invoice, on the day on which the money came, and are shown with how it came', async () => {
  const invoice = await invoiceOf({ draftedAt: new Date(service.now().getTime() - 10 * DAY_MS) })
  const first = await record(invoice, transfer(100_000, { received_on: daysAgo(5), reference: '  INV-1 Acme ' }))
  assert.equal(first.status, 200, JSON.stringify(first.body))
  assert.deepEqual([first.body.invoice.status, first.body.invoice.amount_due_minor], ['open', 18_000])
  const { id, gateway, status, amount, received, refunded, recorded } = first.body.payment
  assert.deepEqual([gateway, status, amount, received, refunded], [null, 'paid', 100_000, 100_000, 0])
  const entered = { method: 'bank_transfer', received_on: daysAgo(5), reference: 'INV-1 Acme', reversed_at: null, reversal_reason: null }
  assert.deepEqual(recorded, entered)
  const second = await record(invoice, { ...transfer(18_000, { received_on: daysAgo(7), method: 'cash' }), reference: undefined })
  assert.deepEqual([second.body.invoice.status, second.body.invoice.amount_due_minor], ['paid', 0])
  const { paidAt = new Date(0) } = await service.invoiceNow(invoice)
  assert.equal(civilDateOf(paidAt, invoice.timeZone), daysAgo(5), 'the later of both days')
  assert.deepEqual((await service.events('invoice.paid')).length, 1)
  const shown = await paymentsOf(database.tenantPool('acme-fleet'), invoice)
  assert.deepEqual(
    shown.map((each) => [each.id, each.gateway, each.recorded?.method]),
    [
      [id, null, 'bank_transfer'],
      [second.body.payment.id, null, 'cash'],
    ],
  )
  const { body } = await acme('GET', `/payments/${id}`)
  assert.deepEqual(body.payment.recorded, entered)
  const { rows } = await database.systemPool.query(
    `select changes -> 'money' ->> 'to' as money, changes -> 'received_on' ->> 'to' as day, changes -> 'reference' ->> 'to' as reference from audit_log where object_id = $1 and action = 'invoice.payment_recorded' order by at limit 1`,
    [invoice.invoiceId],
  )
  assert.deepEqual(rows, [{ money: `1000.00 INR by bank transfer (recorded/${id})`, day: daysAgo(5), reference: 'INV-1 Acme' }])
})

test('more than is open is refused with what is open, and so is what cannot be paid, and a day or a currency that cannot be', async () => {
  const invoice = await invoiceOf()
  const surplus = await record(invoice, transfer(118_001))
  assert.deepEqual([surplus.status, surplus.body.error.code, surplus.body.error.details.open_minor], [409, 'conflict', 118_000])
  assert.match(surplus.body.error.message, /1180\.00 INR are open/)
  const wrong: readonly (readonly [object, string])[] = [
    [{ received_on: daysAgo(-1) }, 'received_on'],
    [{ received_on: daysAgo(368) }, 'received_on'],
    [{ received_on: '2026-02-30' }, 'received_on'],
    [{ currency: 'EUR' }, 'currency'],
    [{ method: 'barter' }, 'method'],
    [{ reference: 'two\nlines' }, 'reference'],
    [{ reference: 'x'.repeat(141) }, 'reference'],
    [{ amount_minor: 0 }, 'amount_minor'],
    [{ amount_minor: 1.5 }, 'amount_minor'],
  ]
  for (const [more, field] of wrong) {
    const { status, body } = await record(invoice, transfer(100, more))
    assert.deepEqual([status, body.error.details.field], [400, field], JSON.stringify(body))
  }
  assert.equal((await record(invoice, transfer(118_000, { received_on: daysAgo(366) }))).status, 200)
  const paid = await record(invoice, transfer(1))
  assert.deepEqual([paid.status, paid.body.error.code], [409, 'invoice_already_paid'])
  const ended = await invoiceOf({ taxMinor: 0 })
  const { creditNote } = await creditAll(ended)
  assert.equal((await record(ended, transfer(1))).status, 409)
  assert.equal((await record(creditNote, transfer(1))).status, 409)
})

test('of currencies without and with three decimals the amount is in minor units, and the refusal in major ones', async () => {
  for (const [currency, open] of [['JPY', '118000 JPY'] as const, ['KWD', '118.000 KWD'] as const]) {
    const invoice = await invoiceOf({ currency })
    const { body } = await record(invoice, transfer(118_001, { currency }))
    assert.ok(body.error.message.includes(open), body.error.message)
    assert.equal((await record(invoice, transfer(118_000, { currency }))).body.invoice.status, 'paid')
  }
})

test('20 at once pay no more than is due', async () => {
  const invoice = await invoiceOf()
  const answers = await Promise.all(Array.from({ length: 20 }, () => untilTaken(() => record(invoice, transfer(10_000)))))
  assert.equal(answers.filter(({ status }) => status === 200).length, 11)
  assert.equal((await service.invoiceNow(invoice)).paidMinor, 110_000)
})

test('what was taken back is due again, stays in the list, and is taken back once', async () => {
  const invoice = await invoiceOf()
  const { body } = await record(invoice, transfer(118_000))
  const back = await reverse(invoice, body.payment.id)
  assert.equal(back.status, 200, JSON.stringify(back.body))
  assert.deepEqual([back.body.invoice.status, back.body.invoice.amount_due_minor], ['open', 118_000])
  assert.deepEqual([back.body.payment.status, back.body.payment.refunded], ['reversed', 118_000])
  assert.equal(back.body.payment.recorded.reversal_reason, 'Entered twice')
  assert.deepEqual((await reverse(invoice, body.payment.id)).body.payment, back.body.payment)
  assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
  const listOf = async (query: string) => (await acme('GET', `/payments?invoice_id=${invoice.invoiceId}${query}`)).body
  assert.deepEqual((await listOf('&status=reversed')).payments, [back.body.payment])
  assert.equal((await listOf('&status=paid')).total, 0)
  assert.equal((await record(invoice, transfer(118_000))).body.invoice.status, 'paid')
  assert.equal((await reverse(await invoiceOf(), body.payment.id)).status, 404, 'of another invoice')
})

test('attempts and recorded payments are one list, newest first, in pages', async () => {
  const invoice = await invoiceOf()
  const ids: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    ids.unshift((await record(invoice, transfer(1_000 + turn))).body.payment.id)
    const { body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, {})
    assert.notEqual(body.payment.amount, 118_000, 'what is open is asked')
    ids.unshift(body.payment.id)
  }
  const seen: string[] = []
  let next = ''
  for (let page = 0; page < 4; page++) {
    const { body } = await acme('GET', `/payments?invoice_id=${invoice.invoiceId}&limit=2${next}`)
    assert.equal(body.total, 6)
    seen.push(...body.payments.map(({ id }: { id: string }) => id))
    if (!body.pagination.hasNextPage) break
    next = `&after=${encodeURIComponent(body.pagination.endCursor)}`
  }
  assert.deepEqual(seen, ids)
})

test('a gateway that captures at the same time has what is too much given back, and only that', async () => {
  const invoice = await invoiceOf()
  const { body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, {})
  const [recorded] = await Promise.all([record(invoice, transfer(118_000)), emulator.pay(body.payment.id)])
  await service.askAll()
  await service.askAll()
  const now = await service.invoiceNow(invoice)
  assert.deepEqual([now.status, now.paidMinor], ['paid', 118_000])
  const payments = await service.payments(invoice)
  const atGateway = payments.find(({ id }) => id === body.payment.id)
  assert.equal(atGateway?.refunded, recorded.status === 200 ? 118_000 : 0)
  if (recorded.status === 200) assert.equal(recorded.body.invoice.status, 'paid')
  else assert.equal(recorded.body.error.code, 'invoice_already_paid')
})

test('an open checkout is ended when a recorded payment leaves less to pay', async () => {
  const invoice = await invoiceOf()
  const { body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, {})
  assert.equal((await record(invoice, transfer(118_000))).status, 200)
  await service.runJobs()
  const { payment } = (await acme('GET', `/payments/${body.payment.id}`)).body
  assert.equal(payment.checkout_url, null)
  assert.notEqual(payment.status, 'pending')
})

test('what a credit note takes of it stays unapplied and is at no gateway, until it is taken back', async () => {
  const invoice = await invoiceOf({ taxMinor: 0 })
  const { body } = await record(invoice, transfer(60_000))
  const paying = (await acme('POST', `/invoices/${invoice.invoiceId}/pay`, {})).body
  await emulator.pay(paying.payment.id)
  assert.equal((await creditAll(invoice)).unappliedMinor, 100_000)
  await service.askAll()
  const atGateway = (await acme('GET', `/payments/${paying.payment.id}`)).body.payment
  assert.deepEqual([atGateway.received, atGateway.refunded], [40_000, 40_000])
  const unapplied = async () => await unappliedMinorOf(database.tenantPool('acme-fleet'), invoice)
  assert.equal(await unapplied(), 60_000)
  const asked = await acme('POST', `/payments/${body.payment.id}/refund`, { reason: 'Credited' })
  assert.deepEqual([asked.status, asked.body.error.code], [409, 'conflict'])
  const wrong = await reverse(invoice, paying.payment.id)
  assert.deepEqual([wrong.status, wrong.body.error.code], [409, 'conflict'])
  const back = await reverse(invoice, body.payment.id)
  assert.deepEqual([back.status, back.body.invoice.status, back.body.invoice.amount_due_minor], [200, 'paid', 0])
  assert.equal(await unapplied(), 0)
})

test('a sub-client, a stranger and who was sent the invoice record nothing; the operator does, of its own', async () => {
  const invoice = await invoiceOf()
  const { body } = await record(invoice, transfer(1_000))
  const pinned = await service.pinned('acme-fleet', 'acme')
  const other = await service.pinned('acme-fleet', 'other')
  const stranger = await service.reseller('stranger')
  const sent = await service.invoice('acme-fleet', { issuerId: OPERATOR_BOOK, subClientId: undefined, draftedAt: service.now() })
  for (const [whose, call, status] of [
    [invoice, pinned, 403],
    [invoice, other, 404],
    [invoice, stranger, 404],
    [sent, acme, 403],
  ] as const) {
    assert.equal((await record(whose, transfer(1), call)).status, status)
    assert.equal((await reverse(whose, body.payment.id, call)).status, status)
  }
  assert.equal((await pinned('GET', `/payments/${body.payment.id}`)).body.payment.recorded.reference, 'INV-1 Acme')
  assert.equal((await other('GET', `/payments/${body.payment.id}`)).status, 404)
  assert.equal((await other('GET', '/payments')).body.total, 0)
  const deps = { database, now: service.now }
  const author = systemAuthor(OPERATOR_BOOK, service.now())
  const payment = await recordOperatorPayment(deps, sent.invoiceId, transfer(118_000), author)
  assert.equal((await service.invoiceNow(sent)).status, 'paid')
  await reverseOperatorPayment(deps, { invoiceId: sent.invoiceId, paymentId: payment.id }, { reason: 'Bounced' }, author)
  assert.equal((await service.invoiceNow(sent)).status, 'open')
  await assert.rejects(recordOperatorPayment(deps, invoice.invoiceId, transfer(1), author), { code: 'not_found' })
})

test('of one invoice no more are recorded than there may be', async () => {
  const invoice = await invoiceOf()
  await database.systemPool.query(
    `insert into recorded_payments (reseller_id, payment_id, invoice_id, sub_client_id, issuer_id, amount_minor, currency, method, received_on, created_at,
       reversed_at, reversal_reason)
     select 'acme-fleet', 'pay-many' || nth, $1, 'acme', 'acme-fleet', 1, 'INR', 'cash', '2026-11-12', now(), now(), 'x'
       from generate_series(1, $2) as nth`,
    [invoice.invoiceId, MAX_RECORDED_PAYMENTS],
  )
  const { body } = await record(invoice, transfer(1))
  assert.equal(body.error.code, 'quota_exceeded')
})

// The last one: time passes for all.
test('what is taken back after the due date makes the invoice overdue, and publishes it', async () => {
  const invoice = await invoiceOf()
  const { body } = await record(invoice, transfer(118_000))
  await service.advance(30 * DAY_MS)
  const before = (await service.events('invoice.overdue')).length
  assert.equal((await reverse(invoice, body.payment.id)).body.invoice.status, 'overdue')
  assert.equal((await service.events('invoice.overdue')).length, before + 1)
})
