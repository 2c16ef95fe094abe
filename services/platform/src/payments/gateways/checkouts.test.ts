// Goal: an attempt is one checkout whatever happens on the way, and what the gateway reports of it is what happened. Method: both adapters
// against the emulator over HTTP, through the same tests.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachGateway, emulatedGateways, noSignal } from './test-gateways.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const connect = emulatedGateways({ before, after })

for (const id of eachGateway) {
  test(`${id}: a checkout is opened once, however often and by how many it is asked for`, async (t) => {
    const { gateway, emulator, checkout } = await connect(t, id)
    const request = checkout()
    const first = await gateway.openCheckout(request, noSignal())
    assert.deepEqual(first.expiresAt, request.expiresAt)
    assert.equal(first.checkoutUrl, `${emulator.url}/pay/${first.gatewayRef}`)
    assert.deepEqual(await gateway.openCheckout(request, noSignal()), first)
    const others = await Promise.all(
      Array.from({ length: 20 }, () => gateway.openCheckout(checkout({ attemptId: 'pat-parallel-1' }), noSignal())),
    )
    assert.equal(new Set(others.map(({ gatewayRef }) => gatewayRef)).size, 1)
    const { checkouts } = await emulator.state()
    assert.deepEqual(checkouts.map(({ reference }) => reference).sort(), ['pat-7f3a90c2d1', 'pat-parallel-1'])
    assert.equal(checkouts[0]?.amount, 118_050)
    assert.equal(checkouts[0]?.email, 'accounts@acme.example')
  })

  test(`${id}: a payment is what the state, the payment and one event agree on`, async (t) => {
    const { gateway, emulator, checkout, events, callbacks } = await connect(t, id)
    const { attemptId, ...request } = checkout()
    const { gatewayRef } = await gateway.openCheckout({ attemptId, ...request }, noSignal())
    const pending = await gateway.fetchState(gatewayRef, noSignal())
    assert.deepEqual([pending.state, pending.payments, pending.attemptId], ['pending', [], attemptId])
    await emulator.pay(attemptId)
    const paid = await gateway.fetchState(gatewayRef, noSignal())
    assert.equal(paid.state, 'paid')
    assert.deepEqual([paid.amountMinor, paid.currency, paid.checkoutUrl], [118_050, 'INR', undefined])
    const [payment = assert.fail('no payment')] = paid.payments
    assert.deepEqual([payment.amountMinor, payment.currency, payment.status, payment.refundedMinor], [118_050, 'INR', 'captured', 0])
    assert.ok(payment.capturedAt instanceof Date)
    assert.ok(callbacks.every(({ verdict }) => verdict.isAuthentic))
    const reported = events().filter((event) => event.kind === 'checkout_paid')
    assert.ok(reported.length > 0)
    for (const event of reported) {
      assert.deepEqual([event.attemptId, event.paymentRef], [attemptId, payment.paymentRef])
      assert.deepEqual([event.amountMinor, event.currency], [118_050, 'INR'])
    }
    assert.ok(reported.some((event) => event.gatewayRef === gatewayRef))
    assert.equal(new Set(events().map(({ eventId }) => eventId)).size, events().length)
    assert.deepEqual((await emulator.state()).charged, { [attemptId]: 1 })
    assert.equal((await emulator.pay(attemptId)).isTaken, false)
  })

  test(`${id}: what was opened is found by the attempt, also when it is paid or over, and nothing else is`, async (t) => {
    const { gateway, emulator, checkout } = await connect(t, id)
    const since = new Date()
    assert.equal(await gateway.findAttempt('pat-7f3a90c2d1', since, noSignal()), undefined)
    const { gatewayRef } = await gateway.openCheckout(checkout(), noSignal())
    for (let i = 0; i < 3; i++) await gateway.openCheckout(checkout({ attemptId: `pat-of-others-${i}` }), noSignal())
    assert.equal((await gateway.findAttempt('pat-7f3a90c2d1', since, noSignal()))?.gatewayRef, gatewayRef)
    await emulator.pay(gatewayRef)
    assert.equal((await gateway.findAttempt('pat-7f3a90c2d1', since, noSignal()))?.state, 'paid')
    assert.equal(await gateway.findAttempt('pat-7f3a90c2', since, noSignal()), undefined)
  })

  test(`${id}: a checkout that is ended cannot be paid, and one that is paid cannot be ended`, async (t) => {
    const { gateway, emulator, checkout, kinds } = await connect(t, id)
    const ended = await gateway.openCheckout(checkout(), noSignal())
    const snapshot = await gateway.expireCheckout(ended.gatewayRef, noSignal())
    assert.ok(['expired', 'canceled'].includes(snapshot.state))
    assert.equal(snapshot.checkoutUrl, undefined)
    assert.deepEqual(await gateway.expireCheckout(ended.gatewayRef, noSignal()), snapshot)
    assert.equal((await emulator.pay(ended.gatewayRef)).isTaken, false)
    assert.deepEqual(kinds(), ['checkout_expired'])
    const again = await gateway.openCheckout(checkout(), noSignal())
    assert.equal(again.gatewayRef, ended.gatewayRef, 'the attempt has its one checkout for good')
    const paid = await gateway.openCheckout(checkout({ attemptId: 'pat-the-second' }), noSignal())
    await emulator.pay(paid.gatewayRef)
    assert.equal((await gateway.expireCheckout(paid.gatewayRef, noSignal())).state, 'paid')
  })

  test(`${id}: a checkout ends by itself at its time, and reports that`, async (t) => {
    const { gateway, emulator, checkout, events } = await connect(t, id)
    const { gatewayRef } = await gateway.openCheckout(checkout(), noSignal())
    await emulator.advance(HOUR_MS + MINUTE_MS)
    assert.equal((await gateway.fetchState(gatewayRef, noSignal())).state, 'expired')
    const [event = assert.fail('nothing was reported')] = events()
    assert.deepEqual([event.kind, event.gatewayRef, event.attemptId], ['checkout_expired', gatewayRef, 'pat-7f3a90c2d1'])
  })

  test(`${id}: a card that is declined ends nothing; the customer pays with another`, async (t) => {
    const { gateway, emulator, checkout, events, kinds } = await connect(t, id)
    const { gatewayRef } = await gateway.openCheckout(checkout(), noSignal())
    await emulator.pay(gatewayRef, 'declined')
    const [failed = assert.fail('nothing was reported')] = events().filter((event) => event.kind === 'payment_failed')
    assert.deepEqual([failed.isFinal, failed.failure, failed.attemptId], [false, 'Your card was declined.', 'pat-7f3a90c2d1'])
    const declined = await gateway.fetchState(gatewayRef, noSignal())
    assert.deepEqual([declined.state, declined.payments.map(({ status }) => status)], ['pending', ['failed']])
    await emulator.pay(gatewayRef)
    const paid = await gateway.fetchState(gatewayRef, noSignal())
    assert.equal(paid.state, 'paid')
    assert.deepEqual(
      paid.payments.filter(({ status }) => status === 'captured').map(({ amountMinor }) => amountMinor),
      [118_050],
    )
    assert.ok(kinds().includes('checkout_paid'))
    assert.deepEqual((await emulator.state()).charged, { 'pat-7f3a90c2d1': 1 })
  })

  test(`${id}: money that is only authorised is captured once asked for, and asking again does nothing`, async (t) => {
    const { gateway, emulator, checkout, kinds } = await connect(t, id)
    const { gatewayRef } = await gateway.openCheckout(checkout(), noSignal())
    await emulator.pay(gatewayRef, 'authorised')
    assert.ok(kinds().includes('payment_authorised') && !kinds().includes('checkout_paid'))
    const authorised = await gateway.fetchState(gatewayRef, noSignal())
    assert.deepEqual([authorised.state, authorised.payments.map(({ status }) => status)], ['authorised', ['authorised']])
    const [payment = assert.fail('no payment')] = authorised.payments
    assert.equal((await gateway.capture(payment, noSignal())).status, 'captured')
    assert.equal((await gateway.capture(payment, noSignal())).status, 'captured')
    assert.equal((await gateway.fetchState(gatewayRef, noSignal())).state, 'paid')
    await emulator.deliver()
    assert.ok(kinds().includes('checkout_paid'))
    assert.deepEqual((await emulator.state()).charged, { 'pat-7f3a90c2d1': 1 })
  })

  test(`${id}: a part of the money is reported as what it is`, async (t) => {
    const { gateway, emulator, checkout, events } = await connect(t, id)
    const { gatewayRef } = await gateway.openCheckout(checkout(), noSignal())
    await emulator.addFault({ kind: 'partial_payment' })
    await emulator.pay(gatewayRef)
    const { payments } = await gateway.fetchState(gatewayRef, noSignal())
    assert.deepEqual(
      payments.map(({ amountMinor, status }) => [amountMinor, status]),
      [[59_020, 'captured']],
    )
    const reported = events().filter((event) => event.kind === 'checkout_paid')
    assert.deepEqual(new Set(reported.map(({ amountMinor }) => amountMinor)), new Set([59_020]))
  })

  test(`${id}: a test call reports whether real money moves`, async (t) => {
    const { gateway } = await connect(t, id)
    assert.equal((await gateway.testConnection(noSignal())).isLive, false)
  })
}

test('stripe: a bank debit is authorised until the bank has paid, and failed for good when it has not', async (t) => {
  const { gateway, emulator, checkout, events, kinds } = await connect(t, 'stripe')
  for (const isPaid of [true, false]) {
    const { gatewayRef } = await gateway.openCheckout(checkout({ attemptId: `pat-by-debit-${isPaid}` }), noSignal())
    const { payment } = await emulator.pay(gatewayRef, 'processing')
    const waiting = await gateway.fetchState(gatewayRef, noSignal())
    assert.deepEqual([waiting.state, waiting.payments.map(({ status }) => status)], ['authorised', ['pending']])
    assert.equal((await gateway.expireCheckout(gatewayRef, noSignal())).state, 'authorised')
    assert.equal((await gateway.capture(waiting.payments[0] ?? assert.fail(), noSignal())).status, 'pending')
    assert.equal(kinds().at(-1), 'payment_authorised')
    await emulator.settle(payment?.id ?? '', isPaid)
    assert.equal((await gateway.fetchState(gatewayRef, noSignal())).state, isPaid ? 'paid' : 'failed')
    assert.equal(kinds().at(-1), isPaid ? 'checkout_paid' : 'payment_failed')
  }
  assert.deepEqual(
    events()
      .filter((event) => event.kind === 'payment_failed')
      .map(({ isFinal }) => isFinal),
    [true],
  )
})

test('razorpay: a payment that is authorised after its link has expired is seen, and may be captured', async (t) => {
  const { gateway, emulator, checkout, kinds } = await connect(t, 'razorpay')
  const { gatewayRef } = await gateway.openCheckout(checkout(), noSignal())
  await emulator.addFault({ kind: 'late_authorisation' })
  await emulator.pay(gatewayRef)
  await emulator.advance(HOUR_MS + 1_000)
  assert.equal((await gateway.fetchState(gatewayRef, noSignal())).state, 'expired')
  await emulator.advance(MINUTE_MS)
  assert.deepEqual(kinds(), ['checkout_expired', 'payment_authorised'])
  const late = await gateway.fetchState(gatewayRef, noSignal())
  assert.equal(late.state, 'authorised')
  await gateway.capture(late.payments[0] ?? assert.fail(), noSignal())
  assert.equal((await gateway.fetchState(gatewayRef, noSignal())).state, 'paid')
  await emulator.deliver()
  assert.equal(kinds().at(-1), 'checkout_paid')
})

test('stripe: an attempt that is repeated when its key is forgotten makes no second checkout', async (t) => {
  const { gateway, emulator, checkout } = await connect(t, 'stripe')
  const request = checkout({ expiresAt: new Date(Math.floor(Date.now() / 1000) * 1000 + 24 * HOUR_MS - MINUTE_MS) })
  await gateway.openCheckout(request, noSignal())
  await emulator.advance(24 * HOUR_MS)
  await emulator.setState({ replays: [] })
  await assert.rejects(gateway.openCheckout(request, noSignal()), { kind: 'rejected' })
  assert.equal((await emulator.state()).checkouts.length, 1)
})

test('stripe: what is looked for is found behind several pages of others', async (t) => {
  const { gateway, emulator, checkout } = await connect(t, 'stripe')
  const since = new Date()
  const { gatewayRef } = await gateway.openCheckout(checkout(), noSignal())
  const [made = assert.fail()] = (await emulator.state()).checkouts
  const others = Array.from({ length: 250 }, (_, i) => ({ ...made, id: `cs_test_other${i}`, reference: `other-${i}` }))
  await emulator.setState({ checkouts: [made, ...others] })
  assert.equal((await gateway.findAttempt('pat-7f3a90c2d1', since, noSignal()))?.gatewayRef, gatewayRef)
  assert.equal(await gateway.findAttempt('pat-never-made', since, noSignal()), undefined)
  const far = Array.from({ length: 2_100 }, (_, i) => ({ ...made, id: `cs_test_far${i}`, reference: `far-${i}` }))
  await emulator.setState({ checkouts: [made, ...far] })
  await assert.rejects(gateway.findAttempt('pat-never-made', since, noSignal()), { kind: 'unavailable' })
})
