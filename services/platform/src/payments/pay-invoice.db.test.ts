// Goal: an invoice is charged once, whatever fails on the way and however many ask. Method: the real routes and jobs over a real database, against the
// gateway emulator over HTTP with its faults; what the emulator charged is compared with the invoice, and the ledger sums to zero after each test.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { OPERATOR_BOOK } from '../billing/book.ts'
import { untilTaken } from '../test-support.ts'
import { assertBooks, openPaymentService } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { emulator } = service
const acme = await service.reseller('acme-fleet')
await service.connect('acme-fleet', 'stripe')
await service.connect('acme-fleet', 'razorpay')
await service.connect(OPERATOR_BOOK, 'stripe')
const invoiceOf = () => service.invoice('acme-fleet')
const chargedOf = async (paymentId: string) => (await emulator.state()).charged[paymentId] ?? 0

afterEach(async () => {
  await emulator.clearFaults()
  await assertBooks(service)
})

for (const gateway of ['stripe', 'razorpay'] as const) {
  test(`an invoice is paid by ${gateway}, and its callback books it at once`, async () => {
    const invoice = await invoiceOf()
    const { status, body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
    assert.equal(status, 200, JSON.stringify(body))
    const { payment } = body
    assert.deepEqual(
      [payment.invoice_id, payment.gateway, payment.status, payment.amount, payment.currency, body.invoice.invoice_id],
      [invoice.invoiceId, gateway, 'pending', 118_000, 'INR', invoice.invoiceId],
    )
    assert.match(payment.checkout_url, /^http:\/\/127\.0\.0\.1:\d+\/pay\//)
    assert.ok(new Date(payment.expires_at) > service.now())
    await emulator.pay(payment.id)
    const paid = await service.invoiceNow(invoice)
    assert.deepEqual([paid.status, paid.paidMinor], ['paid', 118_000])
    const { body: shown } = await acme('GET', `/payments/${payment.id}`)
    assert.deepEqual([shown.payment.status, shown.payment.received, shown.payment.checkout_url], ['paid', 118_000, null])
    assert.equal(await chargedOf(payment.id), 1)
    const again = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, {})
    assert.deepEqual([again.status, again.body.error.code], [409, 'invoice_already_paid'])
    // What the gateway reports agrees, and changes nothing more.
    await service.askAll()
    assert.equal((await service.invoiceNow(invoice)).paidMinor, 118_000)
  })

  for (const kind of [
    'error_after_success',
    'drop_after_success',
    'error_before',
    'garbage',
    'rate_limited',
    'huge',
    'redirect',
    'unauthorised',
  ]) {
    test(`${gateway} that fails as ${kind} while a checkout is opened has one in the end`, async () => {
      const invoice = await invoiceOf()
      await emulator.addFault({ kind, gateway, operation: 'open' })
      const first = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
      // Who is refused must correct something; who is not answered need only ask again.
      const expected = kind === 'unauthorised' ? [409, 'conflict'] : [503, 'unavailable']
      if (first.status !== 200) assert.deepEqual([first.status, first.body.error.code], expected, JSON.stringify(first.body))
      const second = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
      assert.equal(second.status, 200, JSON.stringify(second.body))
      const checkouts = (await emulator.state()).checkouts.filter(({ reference }) => reference === second.body.payment.id)
      assert.equal(checkouts.length, 1)
      assert.equal((await service.payments(invoice)).length, 1)
      await emulator.pay(second.body.payment.id)
      assert.equal((await service.invoiceNow(invoice)).status, 'paid')
    })
  }

  test(`${gateway} that answers nobody has its checkout found by the job`, async () => {
    const invoice = await invoiceOf()
    await emulator.addFault({ kind: 'drop_after_success', gateway, operation: 'open' })
    assert.equal((await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })).status, 503)
    await service.advance(31_000)
    await service.runJobs()
    const [payment] = await service.payments(invoice)
    assert.equal(payment?.status, 'pending')
    assert.notEqual(payment?.checkout_url, null)
    assert.equal((await emulator.state()).checkouts.filter(({ reference }) => reference === payment?.id).length, 1)
  })
}

test('50 that pay at once get the same payment, and it is charged once', async () => {
  const invoice = await invoiceOf()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => untilTaken(() => acme('POST', `/invoices/${invoice.invoiceId}/pay`, {}))),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const ids = new Set(answers.map(({ body }) => body.payment.id))
  const urls = new Set(answers.map(({ body }) => body.payment.checkout_url))
  assert.deepEqual([ids.size, urls.size], [1, 1])
  const [id] = [...ids]
  assert.equal((await emulator.state()).opened[id], 1)
  await Promise.all(Array.from({ length: 5 }, () => emulator.pay(id)))
  assert.equal(await chargedOf(id), 1)
  assert.equal((await service.invoiceNow(invoice)).paidMinor, 118_000)
})

test('a sub-client pays its own invoices, and sees no others', async () => {
  const ours = await service.invoice('acme-fleet', { subClientId: 'north' })
  const theirs = await service.invoice('acme-fleet', { subClientId: 'south' })
  const north = await service.pinned('acme-fleet', 'north')
  const { status, body } = await north('POST', `/invoices/${ours.invoiceId}/pay`, {})
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal((await north('POST', `/invoices/${theirs.invoiceId}/pay`, {})).status, 404)
  const other = await acme('POST', `/invoices/${theirs.invoiceId}/pay`, {})
  assert.equal((await north('GET', `/payments/${other.body.payment.id}`)).status, 404)
  assert.deepEqual(
    (await north('GET', '/payments')).body.payments.map(({ id }: { id: string }) => id),
    [body.payment.id],
  )
  assert.equal((await north('POST', `/payments/${body.payment.id}/refund`, { reason: 'x' })).status, 403)
  const rival = await service.reseller('rival')
  assert.equal((await rival('POST', `/invoices/${ours.invoiceId}/pay`, {})).status, 404)
  assert.equal((await rival('GET', `/payments/${body.payment.id}`)).status, 404)
})

test('paying is open in any standing, of the reseller and of the sub-client', async () => {
  const late = await service.reseller('late')
  await service.connect('late', 'stripe')
  const invoice = await service.invoice('late', { subClientId: 'south' })
  const south = await service.pinned('late', 'south')
  await service.database.systemPool.query(`update resellers set subscription = 'past_due' where reseller_id = 'late'`)
  await service.database.systemPool.query(`update sub_clients set status = 'suspended' where reseller_id = 'late'`)
  assert.equal((await south('POST', `/invoices/${invoice.invoiceId}/pay`, {})).status, 200)
  assert.equal((await late('GET', '/payments')).status, 200)
  assert.equal((await late('GET', '/gateway-connections')).status, 403)
})

test('a reseller pays the operator of the installation through the operator’s gateway', async () => {
  const invoice = await service.invoice('acme-fleet', { issuerId: OPERATOR_BOOK, subClientId: undefined })
  const { status, body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway: 'stripe' })
  assert.equal(status, 200, JSON.stringify(body))
  await emulator.pay(body.payment.id)
  assert.equal((await service.invoiceNow(invoice)).status, 'paid')
  assert.equal(await service.balance(OPERATOR_BOOK, 'cash'), 118_000)
  const refused = await acme('POST', `/payments/${body.payment.id}/refund`, { reason: 'for us?' })
  assert.equal(refused.status, 409)
  assert.equal((await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway: 'razorpay' })).body.error.code, 'invoice_already_paid')
})

test('drafts, credit notes, what is void, unknown gateways and amounts that a gateway does not take are refused', async () => {
  const { database } = service
  const refusalOf = async (id: string, body: object = {}) => {
    const answer = await acme('POST', `/invoices/${id}/pay`, body)
    return [answer.status, answer.body.error?.code]
  }
  const of = async (status: string, more = '') => {
    const invoice = await invoiceOf()
    await database.systemPool.query(`update invoices set status = $2 ${more} where invoice_id = $1`, [invoice.invoiceId, status])
    return invoice.invoiceId
  }
  const draft = await of('draft', ', number = null, opened_at = null')
  assert.deepEqual(await refusalOf(draft), [409, 'conflict'])
  const voided = await of('void')
  assert.deepEqual(await refusalOf(voided), [409, 'conflict'])
  assert.deepEqual(await refusalOf('inv-none'), [404, 'not_found'])
  assert.deepEqual(await refusalOf('in%00v'), [404, 'not_found'])
  const open = (await invoiceOf()).invoiceId
  assert.deepEqual(await refusalOf(open, { gateway: 'paypal' }), [400, 'invalid_request'])
  const odd = await service.invoice('acme-fleet', { currency: 'KWD', subtotalMinor: 1_001, taxMinor: 0 })
  assert.deepEqual(await refusalOf(odd.invoiceId), [409, 'conflict'])
  assert.equal((await service.payments(odd)).length, 0)
  for (const invoiceId of [draft, voided])
    await database.systemPool.query('update invoices set status = $2, number = invoice_id, opened_at = now() where invoice_id = $1', [
      invoiceId,
      'open',
    ])
})

test('the browser is sent back over https or to a page of this service only', async () => {
  const invoice = await invoiceOf()
  for (const return_url of [
    'http://shop.example/',
    'javascript:alert(1)',
    'https://user:word@shop.example/',
    '/invoices',
    'http://127.0.0.1:1/x',
  ]) {
    const { status, body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { return_url })
    assert.deepEqual([status, body.error.details.field], [400, 'return_url'], return_url)
  }
  const { status, body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { return_url: 'https://shop.example/done?x=1' })
  assert.equal(status, 200)
  const checkout = (await emulator.state()).checkouts.find(({ reference }) => reference === body.payment.id)
  assert.equal(checkout?.returnUrl, 'https://shop.example/done?x=1')
  assert.equal((await acme('POST', `/invoices/${(await invoiceOf()).invoiceId}/pay`, { return_url: `${service.url}/here` })).status, 200)
})

test('an amount that changed, another gateway and a checkout that ends soon have the old one ended at its gateway first', async () => {
  const invoice = await invoiceOf()
  const pay = async (body: object = {}) => (await acme('POST', `/invoices/${invoice.invoiceId}/pay`, body)).body.payment
  const statusOf = async (id: string) => (await acme('GET', `/payments/${id}`)).body.payment.status
  const first = await pay({ gateway: 'stripe' })
  const second = await pay({ gateway: 'razorpay' })
  assert.notEqual(second.id, first.id)
  assert.equal(await statusOf(first.id), 'expired')
  assert.equal((await emulator.pay(first.id)).isTaken, false)
  await service.advance(56 * 60_000)
  const third = await pay({ gateway: 'razorpay' })
  assert.notEqual(third.id, second.id)
  assert.equal(await statusOf(second.id), 'canceled')
  assert.equal((await pay()).id, third.id)
  await emulator.pay(third.id)
  assert.equal((await service.invoiceNow(invoice)).paidMinor, 118_000)
})

test('what is being paid at the bank is not opened a second time', async () => {
  const invoice = await invoiceOf()
  const { body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway: 'stripe' })
  const { payment } = await emulator.pay(body.payment.id, 'processing')
  await service.advance(56 * 60_000)
  const again = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway: 'razorpay' })
  assert.deepEqual([again.status, again.body.error.code], [409, 'conflict'])
  await emulator.settle(payment?.id ?? '', true)
  assert.equal((await service.invoiceNow(invoice)).status, 'paid')
})
