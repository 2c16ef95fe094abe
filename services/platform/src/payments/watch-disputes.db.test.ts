// Goal: a dispute whose callbacks are lost is found at the gateway and booked once, whatever callbacks come before, after or twice. Method: the emulator
// loses or delays its callbacks; jobs are done by one process or several; the ledger sums to zero after each test.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { withInvoice } from '../billing/change-invoice.ts'
import { correctInvoice } from '../billing/credit-invoice.ts'
import { endCheckout, refundSurplus } from './request-refund.ts'
import { assertBooks, openPaymentService } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { emulator, database } = service
const acme = await service.reseller('acme-fleet')
const connections = { stripe: await service.connect('acme-fleet', 'stripe'), razorpay: await service.connect('acme-fleet', 'razorpay') }
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

afterEach(async () => {
  await emulator.clearFaults()
  const { disputes } = await emulator.state()
  for (const { id, status } of disputes) if (status !== 'lost') await emulator.moveDispute(id, 'won')
  await service.askAll()
  assert.equal(await disputed(), 0)
  await assertBooks(service)
})

type Gateway = 'stripe' | 'razorpay'
async function paid(gateway: Gateway) {
  const invoice = await service.invoice('acme-fleet')
  const { status, body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
  assert.equal(status, 200, JSON.stringify(body))
  const { payment } = await emulator.pay(body.payment.id)
  return { invoice, id: body.payment.id as string, paymentRef: payment?.id ?? '' }
}
const shown = async (id: string) => (await acme('GET', `/payments/${id}`)).body.payment
const statuses = async (id: string) => (await shown(id)).disputes.map(({ status }: { status: string }) => status)
const loseCallbacks = async () => await emulator.addFault({ kind: 'lost', event: '*', count: 1_000 })
const reported = async (id: string) => (await service.events('payment.dispute.updated')).filter((each) => each['paymentId'] === id)
async function anHourLater() {
  await service.advance(HOUR_MS + 60_000)
  await service.runJobs()
}
/** What is held back by gateways: Stripe takes it when the dispute opens, Razorpay when it is lost. */
const disputed = async () => await service.balance('acme-fleet', 'disputed')

for (const gateway of ['stripe', 'razorpay'] as const) {
  test(`a dispute at ${gateway} whose callbacks are all lost is found within the hour, once by three processes, and followed to its end`, async () => {
    const { invoice, id, paymentRef } = await paid(gateway)
    await loseCallbacks()
    const dispute = await emulator.openDispute(paymentRef, { amount: 30_000 })
    await service.runJobs()
    assert.deepEqual(await statuses(id), [])
    await service.advance(HOUR_MS + 60_000)
    await Promise.all([service.runJobs(), service.runJobs(), service.runJobs()])
    assert.deepEqual(await statuses(id), ['open'])
    assert.equal(await disputed(), gateway === 'stripe' ? 30_000 : 0)
    assert.equal((await reported(id)).length, 1)
    await emulator.moveDispute(dispute.id, 'lost')
    await service.advance(DAY_MS)
    await service.runJobs()
    assert.deepEqual(await statuses(id), ['lost'])
    const due = await service.invoiceNow(invoice)
    assert.deepEqual([due.status, due.paidMinor], ['overdue', 88_000])
    assert.deepEqual([await disputed(), (await reported(id)).length], [0, 2])
  })

  test(`a dispute at ${gateway} is booked once where its callback comes first, and where it comes five times after it was found`, async () => {
    const first = await paid(gateway)
    await emulator.openDispute(first.paymentRef, { amount: 30_000 })
    await anHourLater()
    const second = await paid(gateway)
    await emulator.addFault({ kind: 'delayed', event: '*', delayMs: 2 * HOUR_MS })
    await emulator.openDispute(second.paymentRef, { amount: 30_000 })
    await anHourLater()
    const state = await emulator.state()
    const last = state.deliveries.findLast(({ body }) => body.includes(second.paymentRef))
    assert.equal(last?.status, 'waiting')
    for (const { id } of [first, second]) assert.deepEqual([await statuses(id), (await reported(id)).length], [['open'], 1])
    const held = await disputed()
    assert.equal(held, gateway === 'stripe' ? 60_000 : 0)
    const copies = Array.from({ length: 4 }, (_, nth) => ({ ...last, id: `dlv_copy${nth}`, eventId: `evt_copy${nth}` }))
    await emulator.setState({ deliveries: [...state.deliveries, ...copies] as typeof state.deliveries })
    await anHourLater()
    await anHourLater()
    const after = (await emulator.state()).deliveries.filter(({ body }) => body === last?.body)
    assert.deepEqual([after.length, ...new Set(after.map(({ lastStatus }) => lastStatus))], [5, 200])
    for (const { id } of [first, second]) assert.deepEqual([await statuses(id), (await reported(id)).length], [['open'], 1])
    assert.equal(await disputed(), held)
  })

  test(`a dispute at ${gateway} of a payment that nothing is known of yet waits for it`, async () => {
    await loseCallbacks()
    const { id, paymentRef } = await paid(gateway)
    await database.systemPool.query(`update jobs set due_at = due_at + interval '1 day' where kind = 'payment-attempt' and key = $1`, [id])
    await emulator.openDispute(paymentRef, { amount: 30_000 })
    await anHourLater()
    assert.deepEqual(await statuses(id), [])
    await service.askAll()
    await anHourLater()
    assert.deepEqual(await statuses(id), ['open'])
  })

  test(`the first look at ${gateway} goes back to when the connection was made, and leaves old disputes of others alone`, async () => {
    const { connectionId } = connections[gateway]
    const { id, paymentRef } = await paid(gateway)
    await loseCallbacks()
    const ours = await emulator.openDispute(paymentRef, { amount: 30_000 })
    const state = await emulator.state()
    const [payment = assert.fail()] = state.payments.slice(-1)
    const elsewhere = {
      ...payment,
      id: `${payment.id.slice(0, -4)}zzzz`,
      chargeId: `${payment.chargeId.slice(0, -4)}zzzz`,
      checkoutId: 'none',
    }
    const monthAgoMs = service.now().getTime() - 30 * DAY_MS
    const old = { ...ours, id: ours.id, createdAtMs: monthAgoMs + DAY_MS }
    const foreign = { ...old, id: `${ours.id.slice(0, -4)}zzzz`, paymentId: elsewhere.id }
    await emulator.setState({
      payments: [...state.payments, elsewhere],
      disputes: [foreign, ...state.disputes.filter((each) => each.id !== ours.id), old],
    })
    await database.systemPool.query(
      'update gateway_connections set created_at = $2, disputes_listed_until = null where connection_id = $1',
      [connectionId, new Date(monthAgoMs)],
    )
    await anHourLater()
    assert.deepEqual(await statuses(id), ['open'])
    const { rows } = await database.systemPool.query<{ is_caught_up: boolean; foreign_count: number }>(
      `select disputes_listed_until > $2::timestamptz - interval '1 minute' as is_caught_up,
              (select count(*)::int from jobs where kind = 'payment-dispute' and key like $1 || '/%zzzz') as foreign_count
         from gateway_connections where connection_id = $1`,
      [connectionId, service.now()],
    )
    assert.deepEqual(rows, [{ is_caught_up: true, foreign_count: 0 }])
  })
}

test('what is credited while a dispute holds the money back goes to the customer when it is won, once', async () => {
  const { invoice, id, paymentRef } = await paid('stripe')
  const dispute = await emulator.openDispute(paymentRef)
  await service.askAll()
  const author = systemAuthor('acme-fleet', service.now())
  await withInvoice(database, invoice, (db, locked) =>
    correctInvoice({ refundSurplus, endCheckout }, db, locked, { reason: 'Out of order', parts: undefined }, author),
  )
  assert.deepEqual((await shown(id)).refunds, [], 'the gateway has the money')
  await emulator.moveDispute(dispute.id, 'won')
  for (let nth = 0; nth < 3; nth++) await service.askAll()
  const { refunds, refunded } = await shown(id)
  assert.deepEqual(
    [refunded, refunds.map(({ amount, origin, status }: Record<string, unknown>) => [amount, origin, status])],
    [(await service.invoiceNow(invoice)).creditedMinor, [[refunded, 'unapplied', 'succeeded']]],
  )
  assert.equal(await service.balance('acme-fleet', 'unapplied'), 0)
})

test('while the gateway lists nothing the look is tried again, and misses nothing', async () => {
  const { id, paymentRef } = await paid('razorpay')
  await loseCallbacks()
  await emulator.openDispute(paymentRef, { amount: 30_000 })
  await emulator.addFault({ kind: 'garbage', operation: 'disputes', count: 2 })
  await anHourLater()
  assert.deepEqual(await statuses(id), [])
  await service.advance(60_000)
  await service.runJobs()
  assert.deepEqual(await statuses(id), ['open'])
})

test('a dispute that the gateway lists hours late is found', async () => {
  const { id, paymentRef } = await paid('stripe')
  await loseCallbacks()
  const late = await emulator.openDispute(paymentRef, { amount: 30_000 })
  const { disputes } = await emulator.state()
  await emulator.setState({ disputes: disputes.filter((each) => each.id !== late.id) })
  for (let hour = 0; hour < 3; hour++) await anHourLater()
  await emulator.setState({ disputes })
  await anHourLater()
  assert.deepEqual(await statuses(id), ['open'])
})

test('of a connection that was removed nothing is asked any more', async () => {
  await service.reseller('gone-fleet')
  const { connectionId } = await service.connect('gone-fleet', 'stripe')
  const jobs = async () =>
    (await database.systemPool.query(`select from jobs where kind = 'payment-dispute-watch' and key = $1`, [connectionId])).rowCount
  assert.equal(await jobs(), 1)
  await database.systemPool.query('delete from gateway_connections where connection_id = $1', [connectionId])
  await service.askAll()
  assert.equal(await jobs(), 0)
})
