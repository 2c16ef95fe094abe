// Goal: an invoice whose payment's gateway gives no answer for good can be paid in another way, by its issuer's word and not before a day, and money that
// comes of the old payment after all is booked and goes back where the invoice does not take it. Method: the emulator refuses, hangs up or forgets the
// account, and comes back; the ledger sums to zero after each test.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { OPERATOR_BOOK } from '../billing/book.ts'
import { TEST_SECRET_KEY } from '../test-support.ts'
import { abandonOperatorPayment } from './operator-payments.ts'
import { assertBooks, openPaymentService } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { emulator, database } = service
const acme = await service.reseller('acme-fleet')
const rival = await service.reseller('rival')
await service.connect('acme-fleet', 'stripe')
await service.connect('acme-fleet', 'razorpay')
await service.connect(OPERATOR_BOOK, 'stripe')
const HOUR_MS = 3_600_000
const REASON = { reason: 'The account was closed' }

afterEach(async () => {
  await emulator.clearFaults()
  await assertBooks(service)
})

type Gateway = 'stripe' | 'razorpay'
const other = (gateway: Gateway) => (gateway === 'stripe' ? 'razorpay' : 'stripe')
async function pay(invoiceId: string, gateway: Gateway, call = acme) {
  const { status, body } = await call('POST', `/invoices/${invoiceId}/pay`, { gateway })
  assert.equal(status, 200, JSON.stringify(body))
  return body.payment.id as string
}
async function open(gateway: Gateway) {
  const invoice = await service.invoice('acme-fleet')
  return { invoice, id: await pay(invoice.invoiceId, gateway) }
}
const shown = async (id: string) => (await acme('GET', `/payments/${id}`)).body.payment
const abandon = async (id: string, call = acme) => await call('POST', `/payments/${id}/abandon`, REASON)
const silence = async (gateway: Gateway, kind = 'unauthorised') => await emulator.addFault({ kind, gateway, count: 100_000 })
/** A day without an answer, with the jobs of it. */
async function wait(hours = 24) {
  await service.askAll()
  await service.advance(hours * HOUR_MS)
  await service.askAll()
}
const failedEvents = async (id: string) => (await service.events('payment.failed')).filter((each) => each['paymentId'] === id)

for (const gateway of ['stripe', 'razorpay'] as const) {
  test(`a payment that ${gateway} refuses to speak of is abandoned after a day and no earlier, and another gateway is paid`, async () => {
    const { invoice, id } = await open(gateway)
    const early = await abandon(id)
    assert.deepEqual([early.status, early.body.error.code, early.body.error.details.unanswered_since], [409, 'conflict', null])
    await silence(gateway)
    await wait(23)
    const since = Date.parse((await shown(id)).unanswered_since)
    const refused = await abandon(id)
    assert.deepEqual([refused.status, Date.parse(refused.body.error.details.possible_from) - since], [409, 24 * HOUR_MS])
    const blocked = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway: other(gateway) })
    assert.deepEqual([blocked.status, blocked.body.error.code], [409, 'conflict'])
    await service.advance(HOUR_MS)
    const { status, body } = await abandon(id)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      [body.payment.status, body.payment.failure, body.payment.checkout_url, body.payment.unanswered_since],
      ['failed', 'Abandoned: The account was closed', null, null],
    )
    assert.notEqual(body.payment.abandoned_at, null)
    const [event, ...more] = await failedEvents(id)
    assert.deepEqual([event?.['cause'], event?.['isFinal'], more.length], ['abandoned', true, 0])
    const { rows } = await database.systemPool.query(
      `select changes -> 'reason' ->> 'to' as reason from audit_log where action = 'payment.abandoned' and object_id = $1`,
      [id],
    )
    assert.deepEqual(rows, [REASON])
    const again = await abandon(id)
    assert.deepEqual([again.status, again.body.error.code], [409, 'invalid_transition'])
    await emulator.pay(await pay(invoice.invoiceId, other(gateway)))
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
  })

  test(`money of ${gateway} that comes after its payment was abandoned pays an invoice that is due`, async () => {
    const { invoice, id } = await open(gateway)
    await emulator.addFault({ kind: 'late_authorisation', gateway, delayMs: 40 * HOUR_MS, captures: true })
    await emulator.addFault({ kind: 'lost', event: '*', count: 1_000 })
    await emulator.pay(id)
    await silence(gateway, 'error_before')
    await wait()
    assert.equal((await abandon(id)).status, 200)
    await wait(21 * 24)
    await emulator.clearFaults()
    await service.askAll()
    const paid = await shown(id)
    assert.deepEqual([paid.status, paid.received, paid.failure], ['paid', 118_000, null])
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
  })

  test(`money of ${gateway} that comes after its payment was abandoned goes back where another one paid, once ${gateway} answers`, async () => {
    const { invoice, id } = await open(gateway)
    await emulator.addFault({ kind: 'late_authorisation', gateway, delayMs: 40 * HOUR_MS, captures: true })
    await emulator.pay(id)
    await silence(gateway)
    await wait()
    assert.equal((await abandon(id)).status, 200)
    await emulator.pay(await pay(invoice.invoiceId, other(gateway)))
    const unapplied = (await service.events('payment.unapplied')).length
    // Callbacks come, and the gateway goes on refusing what we ask.
    await wait(20)
    const held = await shown(id)
    assert.deepEqual([held.received, held.refunds.map((each: { status: string }) => each.status)], [118_000, ['pending']])
    assert.equal((await service.events('payment.unapplied')).length, unapplied + 1)
    await emulator.clearFaults()
    await service.askAll()
    const back = await shown(id)
    assert.deepEqual([back.refunded, back.refunds[0].status], [118_000, 'succeeded'])
    const after = await service.invoiceNow(invoice)
    assert.deepEqual([after.status, after.paidMinor], ['paid', 118_000])
    assert.equal(await service.balance('acme-fleet', 'unapplied'), 0)
  })

  test(`a checkout that ${gateway} opened without our knowing is found and ended when ${gateway} is back`, async () => {
    const invoice = await service.invoice('acme-fleet')
    await emulator.addFault({ kind: 'drop_after_success', gateway, operation: 'open' })
    const given = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
    assert.equal(given.status, 503)
    await silence(gateway, 'error_before')
    const [{ id = '' } = {}] = await service.payments(invoice)
    await wait(25)
    assert.equal((await abandon(id)).status, 200)
    await emulator.clearFaults()
    // As if its clock were a day behind: the checkout is open there.
    const { checkouts } = await emulator.state()
    const isIt = ({ reference }: { reference: string | null }) => reference === id
    const stillOpen = { status: 'open' as const, expiresAtMs: service.now().getTime() + HOUR_MS }
    await emulator.setState({ checkouts: checkouts.map((each) => (isIt(each) ? { ...each, ...stillOpen } : each)) })
    await service.askAll()
    assert.notEqual((await emulator.state()).checkouts.find(isIt)?.status, 'open')
    assert.equal((await shown(id)).status, 'failed')
  })

  test(`where ${gateway} answers again, its answer counts`, async () => {
    const { invoice, id } = await open(gateway)
    await emulator.addFault({ kind: 'lost', event: '*', count: 1_000 })
    await emulator.pay(id)
    await silence(gateway, 'garbage')
    await wait()
    await emulator.clearFaults()
    const { status, body } = await abandon(id)
    assert.deepEqual([status, body.error.details.status], [409, 'paid'])
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
    assert.equal((await failedEvents(id)).length, 0)
  })
}

test('a gateway that answers in between is waited for anew', async () => {
  const { id } = await open('stripe')
  await emulator.pay(id, 'processing')
  await silence('stripe')
  await wait(23)
  assert.notEqual((await shown(id)).unanswered_since, null)
  await emulator.clearFaults()
  await service.askAll()
  assert.equal((await shown(id)).unanswered_since, null)
  await silence('stripe')
  await wait(2)
  assert.equal((await abandon(id)).status, 409)
})

test('50 at once abandon it once', async () => {
  const { id } = await open('stripe')
  await silence('stripe')
  await wait()
  const answers = await Promise.all(Array.from({ length: 50 }, () => abandon(id)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal((await failedEvents(id)).length, 1)
})

test('only the issuer abandons, and only what is its own', async () => {
  const { invoice, id } = await open('stripe')
  assert.equal((await abandon(id, rival)).status, 404)
  const pinned = await service.pinned('acme-fleet', invoice.subClientId ?? '')
  assert.deepEqual([(await abandon(id, pinned)).status, (await abandon(id, pinned)).body.error.code], [403, 'missing_scope'])
  for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(201) }, { reason: 7 }])
    assert.equal((await acme('POST', `/payments/${id}/abandon`, body)).status, 400, JSON.stringify(body))
})

test('the operator of the installation abandons what resellers pay, on the command line', async () => {
  const invoice = await service.invoice('acme-fleet', { issuerId: OPERATOR_BOOK, subClientId: undefined })
  const id = await pay(invoice.invoiceId, 'stripe')
  await silence('stripe')
  await wait()
  const own = await abandon(id)
  assert.deepEqual([own.status, own.body.error.code], [409, 'conflict'])
  const { now, deps } = service
  const asking = { database, now, log: deps.log, secretKey: TEST_SECRET_KEY, allowCidrs: '127.0.0.0/8' }
  const author = systemAuthor(OPERATOR_BOOK, now())
  await assert.rejects(abandonOperatorPayment(asking, id, {}, author), { code: 'invalid_request' })
  await assert.rejects(abandonOperatorPayment(asking, 'pay-00000000000000000000', REASON, author), { code: 'not_found' })
  const abandoned = await abandonOperatorPayment(asking, id, REASON, author)
  assert.deepEqual([abandoned.status, abandoned.failure], ['failed', 'Abandoned: The account was closed'])
})
