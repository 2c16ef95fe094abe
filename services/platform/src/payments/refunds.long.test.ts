// Goal: money given back is given back once and booked as the gateway has it, and disputes move the books as they move the money. Method: the
// emulator as the gateway and the bank, with its faults; the ledger sums to zero after each test.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { OPERATOR_BOOK } from '../billing/book.ts'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import { refundOperatorPayment } from './operator-payments.ts'
import { refundSurplus } from './request-refund.ts'
import { assertBooks, openPaymentService } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { emulator, database } = service
const acme = await service.reseller('acme-fleet')
await service.connect('acme-fleet', 'stripe')
await service.connect('acme-fleet', 'razorpay')
const DAY_MS = 86_400_000

afterEach(async () => {
  await emulator.clearFaults()
  await assertBooks(service)
})

type Gateway = 'stripe' | 'razorpay'
async function paid(gateway: Gateway): Promise<{ invoice: StoredInvoice; id: string; ref: string }> {
  const invoice = await service.invoice('acme-fleet')
  const { status, body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
  assert.equal(status, 200, JSON.stringify(body))
  const { payment } = await emulator.pay(body.payment.id)
  return { invoice, id: body.payment.id, ref: payment?.id ?? '' }
}
const shown = async (id: string) => (await acme('GET', `/payments/${id}`)).body.payment
const refund = async (id: string, body: object = {}) => await acme('POST', `/payments/${id}/refund`, { reason: 'Billed twice', ...body })
const atGateway = async (ref: string) => (await emulator.state()).refunds.filter(({ paymentId }) => paymentId === ref)

for (const gateway of ['stripe', 'razorpay'] as const) {
  for (const kind of ['', 'error_after_success', 'drop_after_success', 'error_before', 'garbage', 'rate_limited']) {
    test(`a refund by ${gateway}${kind === '' ? '' : ` that fails as ${kind}`} is made once`, async () => {
      const { invoice, id, ref } = await paid(gateway)
      const asked = await refund(id, { amount: 18_000 })
      assert.equal(asked.status, 200, JSON.stringify(asked.body))
      assert.deepEqual([asked.body.payment.refunds[0].status, asked.body.payment.refunded], ['pending', 18_000])
      if (kind !== '') await emulator.addFault({ kind, gateway, operation: 'refund', count: 1 })
      for (let nth = 0; nth < 3; nth++) await service.askAll()
      assert.deepEqual(
        (await atGateway(ref)).map(({ amount }) => amount),
        [18_000],
      )
      assert.equal((await shown(id)).refunds[0].status, 'succeeded')
      const due = await service.invoiceNow(invoice)
      assert.deepEqual([due.paidMinor, due.status === 'paid'], [100_000, false])
      assert.equal((await refund(id, { amount: 100_001 })).status, 409)
      assert.equal((await refund(id)).status, 200)
      await service.askAll()
      assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
      assert.deepEqual([(await refund(id)).status, (await shown(id)).refunded], [409, 118_000])
    })
  }

  test(`20 refunds of all at once by ${gateway} give back once`, async () => {
    const { id, ref } = await paid(gateway)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id)))
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => status === 200),
      [200],
    )
    await Promise.all([service.askAll(), service.askAll()])
    assert.deepEqual(
      (await atGateway(ref)).map(({ amount }) => amount),
      [118_000],
    )
  })

  test(`a refund by ${gateway} that the bank returns days later is money of the invoice again`, async () => {
    const { invoice, id } = await paid(gateway)
    await emulator.addFault({ kind: 'refund_fails_later', gateway, delayMs: DAY_MS })
    assert.equal((await refund(id)).status, 200)
    await service.askAll()
    assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
    await service.advance(2 * DAY_MS)
    await service.askAll()
    assert.equal((await shown(id)).refunds[0].status, 'failed')
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
    assert.ok((await service.events('payment.refund.updated')).some(({ status }) => status === 'failed'))
  })

  test(`a refund that somebody made at the dashboard of ${gateway} is booked, and published once`, async () => {
    const { invoice, id, ref } = await paid(gateway)
    await service.askAll()
    const key = gateway === 'stripe' ? 'sk_test_acmefleet' : `rzp_test_acmefleet:secret-of-the-key`
    await refundAtDashboard(gateway, key, ref, 18_000)
    await service.askAll()
    assert.equal((await service.invoiceNow(invoice)).paidMinor, 100_000)
    assert.deepEqual([(await shown(id)).refunded, (await shown(id)).refunds.length], [18_000, 0])
    await service.askAll()
    const published = (await service.events('payment.refund.updated')).filter(({ paymentId }) => paymentId === id)
    assert.deepEqual(
      published.map(({ refundId, amountMinor, status, failure }) => [refundId, amountMinor, status, failure]),
      [[null, 18_000, 'succeeded', null]],
    )
    assert.equal((await refund(id, { amount: 100_001 })).status, 409)
    assert.equal((await refund(id)).status, 200)
    await service.askAll()
    await service.askAll()
    assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
    assert.equal(await sumAtGateway(ref), 118_000)
  })

  for (const end of ['won', 'lost'] as const) {
    test(`a dispute at ${gateway} that is ${end} is in the books as the gateway has the money`, async () => {
      const { invoice, id, ref } = await paid(gateway)
      const cash = await service.balance('acme-fleet', 'cash')
      const dispute = await emulator.openDispute(ref)
      await service.askAll()
      assert.equal((await shown(id)).disputes[0].status, 'open')
      assert.equal((await service.invoiceNow(invoice)).status, 'paid')
      assert.equal(await service.balance('acme-fleet', 'cash'), cash - (gateway === 'stripe' ? 118_000 : 0))
      await emulator.moveDispute(dispute.id, end)
      await service.askAll()
      assert.equal((await shown(id)).disputes[0].status, end)
      assert.equal(await service.balance('acme-fleet', 'cash'), end === 'won' ? cash : cash - 118_000)
      assert.equal((await service.invoiceNow(invoice)).paidMinor, end === 'won' ? 118_000 : 0)
      if (end === 'lost') assert.equal((await refund(id)).status, 409)
    })
  }

  test(`a dispute of ${gateway} that is reported before its payment waits for it`, async () => {
    const invoice = await service.invoice('acme-fleet')
    const { body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
    await emulator.addFault({ kind: 'lost', event: '*', count: 10 })
    const { payment } = await emulator.pay(body.payment.id)
    await emulator.clearFaults()
    await emulator.openDispute(payment?.id ?? '')
    await service.askAll()
    await service.askAll()
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
    assert.equal((await shown(body.payment.id)).disputes.length, 1)
  })
}

test('what a credit note took from a paid invoice goes back to where it came from', async () => {
  const { invoice, id, ref } = await paid('stripe')
  const locked = await service.invoiceNow(invoice)
  await database.tenant('acme-fleet', async (db) => {
    await refundSurplus(db, { invoice: locked, amountMinor: 20_000, currency: 'INR' }, { at: service.now() })
  })
  await service.askAll()
  assert.deepEqual(
    (await atGateway(ref)).map(({ amount }) => amount),
    [20_000],
  )
  assert.equal((await shown(id)).refunds[0].origin, 'unapplied')
})

async function refundAtDashboard(gateway: Gateway, key: string, ref: string, amount: number): Promise<void> {
  const form = gateway === 'stripe'
  const response = await fetch(form ? `${emulator.url}/v1/refunds` : `${emulator.url}/v1/payments/${ref}/refund`, {
    method: 'POST',
    headers: {
      authorization: form ? `Bearer ${key}` : `Basic ${Buffer.from(key).toString('base64')}`,
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
    },
    body: form ? `payment_intent=${ref}&amount=${amount}` : JSON.stringify({ amount }),
  })
  assert.equal(response.status, 200, await response.text())
}

async function sumAtGateway(ref: string): Promise<number> {
  return (await atGateway(ref)).reduce((sum, { amount }) => sum + amount, 0)
}

test('the operator of the installation gives back what a reseller paid it, and nothing that is paid to resellers', async () => {
  await service.connect(OPERATOR_BOOK, 'stripe')
  const invoice = await service.invoice('acme-fleet', { issuerId: OPERATOR_BOOK, subClientId: undefined })
  const { body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, {})
  await emulator.pay(body.payment.id)
  const by = () => systemAuthor(OPERATOR_BOOK, service.deps.now())
  const wish = { reason: 'Billed twice', amount: 18_000 }
  const given = await refundOperatorPayment(service.deps, body.payment.id, wish, by())
  assert.deepEqual([given.refunded, given.refunds[0]?.status], [18_000, 'pending'])
  await service.askAll()
  assert.equal((await service.invoiceNow(invoice)).paidMinor, 100_000)
  const { id: foreign } = await paid('stripe')
  for (const id of [foreign, 'pay-00000000000000000000']) {
    await assert.rejects(refundOperatorPayment(service.deps, id, wish, by()), { code: 'not_found' })
  }
  await assert.rejects(refundOperatorPayment(service.deps, body.payment.id, { reason: '' }, by()), { code: 'invalid_request' })
})
