// Goal: with no callback at all the invoices agree with the gateway, nothing is charged twice, and money that no invoice takes goes back. Method: the
// emulator loses its callbacks, or brings money late; jobs are done by one process or several; the ledger sums to zero after each test.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import { withInvoice } from '../billing/change-invoice.ts'
import { correctInvoice, voidInvoice } from '../billing/credit-invoice.ts'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import { endCheckout, refundSurplus } from './request-refund.ts'
import { assertBooks, openPaymentService } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { emulator, database } = service
const acme = await service.reseller('acme-fleet')
await service.connect('acme-fleet', 'stripe')
await service.connect('acme-fleet', 'razorpay')
const MINUTE_MS = 60_000

afterEach(async () => {
  await emulator.clearFaults()
  await assertBooks(service)
})

type Gateway = 'stripe' | 'razorpay'
async function open(gateway: Gateway) {
  const invoice = await service.invoice('acme-fleet')
  return { invoice, payment: await pay(invoice.invoiceId, gateway) }
}
async function pay(invoiceId: string, gateway: Gateway) {
  const { status, body } = await acme('POST', `/invoices/${invoiceId}/pay`, { gateway })
  assert.equal(status, 200, JSON.stringify(body))
  return body.payment as { id: string }
}
const shown = async (id: string) => (await acme('GET', `/payments/${id}`)).body.payment
const loseCallbacks = async () => await emulator.addFault({ kind: 'lost', event: '*', count: 1_000 })

for (const gateway of ['stripe', 'razorpay'] as const) {
  test(`a payment by ${gateway} whose callbacks are lost is found within ten minutes, and once by two processes`, async () => {
    await loseCallbacks()
    const { invoice, payment } = await open(gateway)
    await emulator.pay(payment.id)
    assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
    await service.advance(11 * MINUTE_MS)
    await Promise.all([service.runJobs(), service.runJobs(), service.runJobs()])
    const paid = await service.invoiceNow(invoice)
    assert.deepEqual([paid.status, paid.paidMinor], ['paid', 118_000])
    assert.equal((await emulator.state()).charged[payment.id], 1)
  })

  test(`a checkout of ${gateway} that nobody paid frees its invoice when the gateway confirms that it is over, and not by our clock`, async () => {
    const { invoice, payment } = await open(gateway)
    await loseCallbacks()
    await service.advance(62 * MINUTE_MS)
    await emulator.addFault({ kind: 'error_before', operation: 'state', count: 100 })
    await service.runJobs()
    assert.equal((await shown(payment.id)).status, 'pending')
    await emulator.clearFaults()
    await loseCallbacks()
    await service.askAll()
    assert.equal((await shown(payment.id)).status, 'expired')
    const again = await pay(invoice.invoiceId, gateway)
    assert.notEqual(again.id, payment.id)
    await emulator.clearFaults()
    await emulator.pay(again.id)
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
  })

  test(`money that comes through ${gateway} after the checkout expired pays the invoice`, async () => {
    const { invoice, payment } = await open(gateway)
    await emulator.addFault({ kind: 'late_authorisation', gateway, delayMs: 2 * 60 * MINUTE_MS, captures: false })
    await emulator.pay(payment.id)
    await service.advance(62 * MINUTE_MS)
    await service.askAll()
    // A bank debit of Stripe's goes on after the checkout; of Razorpay nothing is seen until it comes.
    assert.equal((await shown(payment.id)).status, gateway === 'stripe' ? 'pending' : 'expired')
    await service.advance(3 * 60 * MINUTE_MS)
    await service.askAll()
    await service.askAll()
    assert.equal((await shown(payment.id)).status, 'paid')
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
  })

  test(`what is paid for an invoice that was voided meanwhile goes back, by ${gateway}`, async () => {
    const { invoice, payment } = await open(gateway)
    await database.systemPool.query(`update invoices set status = 'void', credited_minor = total_minor where invoice_id = $1`, [
      invoice.invoiceId,
    ])
    await emulator.pay(payment.id)
    await service.askAll()
    assert.equal((await shown(payment.id)).refunded, 118_000)
    assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
    await database.systemPool.query(`update invoices set status = 'open', credited_minor = 0 where invoice_id = $1`, [invoice.invoiceId])
  })

  test(`a checkout of ${gateway} is ended when its invoice is paid in another way`, async () => {
    const { invoice, payment } = await open(gateway)
    await database.systemPool.query(`update invoices set status = 'void' where invoice_id = $1`, [invoice.invoiceId])
    await service.askAll()
    assert.equal((await emulator.pay(payment.id)).isTaken, false)
    assert.notEqual((await shown(payment.id)).status, 'pending')
    await database.systemPool.query(`update invoices set status = 'open' where invoice_id = $1`, [invoice.invoiceId])
  })

  test(`a payment that ${gateway} has authorised and not captured is captured`, async () => {
    const { invoice, payment } = await open(gateway)
    await loseCallbacks()
    await emulator.pay(payment.id, 'authorised')
    await service.askAll()
    await service.askAll()
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
  })

  test(`a payment that fails at ${gateway} leaves the checkout open, and is reported`, async () => {
    const { invoice, payment } = await open(gateway)
    const failures = (await service.events('payment.failed')).length
    await emulator.pay(payment.id, 'declined')
    await service.askAll()
    const declined = await shown(payment.id)
    assert.equal(declined.status, 'pending')
    assert.notEqual(declined.failure, null)
    assert.equal((await service.events('payment.failed')).length, failures + 1)
    await emulator.pay(payment.id)
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
  })
}

test('money that comes late for an invoice that was paid in another way goes back', async () => {
  const { invoice, payment } = await open('razorpay')
  await emulator.addFault({ kind: 'late_authorisation', gateway: 'razorpay', delayMs: 2 * 60 * MINUTE_MS, captures: true })
  await emulator.pay(payment.id)
  await service.advance(62 * MINUTE_MS)
  await service.askAll()
  const second = await pay(invoice.invoiceId, 'razorpay')
  await emulator.pay(second.id)
  assert.equal((await service.invoiceNow(invoice)).status, 'paid')
  const unapplied = (await service.events('payment.unapplied')).length
  await service.advance(3 * 60 * MINUTE_MS)
  await service.askAll()
  await service.askAll()
  const late = await shown(payment.id)
  assert.deepEqual([late.status, late.received, late.refunded], ['paid', 118_000, 118_000])
  assert.deepEqual(
    late.refunds.map(({ origin, status }: Record<string, string>) => [origin, status]),
    [['unapplied', 'succeeded']],
  )
  assert.equal((await service.events('payment.unapplied')).length, unapplied + 1)
  const after = await service.invoiceNow(invoice)
  assert.deepEqual([after.status, after.paidMinor], ['paid', 118_000])
  assert.equal(await service.balance('acme-fleet', 'unapplied'), 0)
})

test('an open checkout is ended when a credit note leaves less to pay, or the invoice is voided', async () => {
  const corrections = { refundSurplus, endCheckout }
  const author = () => systemAuthor('acme-fleet', service.now())
  const part = { reason: 'Wrong', parts: [{ line: 1, amountMinor: 1_000 }] }
  const corrects: readonly ((db: Db, held: StoredInvoice) => Promise<unknown>)[] = [
    (db, held) => correctInvoice(corrections, db, held, part, author()),
    (db, held) => correctInvoice(corrections, db, held, { ...part, parts: undefined }, author()),
    (db, held) => voidInvoice(corrections, db, held, 'Wrong', author()),
  ]
  for (const correct of corrects) {
    const { invoice, payment } = await open('stripe')
    await withInvoice(database, invoice, correct)
    await service.runJobs()
    const { status, checkout_url: url } = await shown(payment.id)
    assert.deepEqual([status, url], ['expired', null], correct.toString())
  }
})
