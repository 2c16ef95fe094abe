// Goal: what a customer is charged is what the invoice asks, in every currency and however the gateway counts it. Method: the documented
// examples, a property over all currencies, and checkouts at the emulator, which has the gateways' rules written down on its own.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { fromWireAmount, refusalOfAmount, toWireAmount } from './gateway-amounts.ts'
import { eachGateway, emulatedGateways, noSignal } from './test-gateways.ts'

const connect = emulatedGateways({ before, after })

test('stripe: the examples of its documentation', () => {
  assert.equal(toWireAmount('stripe', 1_000, 'USD'), 1_000)
  assert.equal(toWireAmount('stripe', 500, 'JPY'), 500)
  assert.equal(toWireAmount('stripe', 5, 'ISK'), 500)
  assert.equal(toWireAmount('stripe', 5, 'UGX'), 500)
  assert.equal(toWireAmount('stripe', 5_120, 'KWD'), 5_120)
  assert.match(refusalOfAmount('stripe', 5_124, 'KWD') ?? '', /5\.124 KWD/)
  assert.deepEqual(fromWireAmount('stripe', 500, 'isk'), { amountMinor: 5, currency: 'ISK' })
})

test('stripe: the ariary has no decimals there, so that a fraction of one cannot be charged', () => {
  assert.equal(toWireAmount('stripe', 12_300, 'MGA'), 123)
  assert.match(refusalOfAmount('stripe', 12_345, 'MGA') ?? '', /fraction/)
  assert.deepEqual(fromWireAmount('stripe', 123, 'mga'), { amountMinor: 12_300, currency: 'MGA' })
})

test('razorpay: the examples of its documentation', () => {
  assert.equal(toWireAmount('razorpay', 29_900, 'INR'), 29_900)
  assert.equal(toWireAmount('razorpay', 295, 'JPY'), 295)
  assert.equal(toWireAmount('razorpay', 295_990, 'KWD'), 295_990)
  assert.notEqual(refusalOfAmount('razorpay', 295_991, 'KWD'), undefined)
})

test('what is not counted by a known rule, or is no amount, is refused and not guessed', () => {
  for (const id of eachGateway) {
    assert.match(refusalOfAmount(id, 1_000, 'LYD') ?? '', /takes no LYD/)
    for (const amount of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      assert.notEqual(refusalOfAmount(id, amount, 'INR'), undefined)
    assert.throws(() => fromWireAmount(id, 100, 'zzz'), RangeError)
    assert.throws(() => fromWireAmount(id, 1.5, 'inr'), RangeError)
  }
  // Half a krona, which Stripe cannot have taken.
  assert.throws(() => fromWireAmount('stripe', 550, 'isk'), RangeError)
  assert.throws(() => toWireAmount('stripe', Number.MAX_SAFE_INTEGER - 1, 'ISK'), RangeError)
})

test('whatever is taken comes back as it was, in every currency', () => {
  const currency = fc.constantFrom(...Intl.supportedValuesOf('currency'))
  const check = fc.property(fc.constantFrom(...eachGateway), fc.integer({ min: 1, max: 10 ** 13 }), currency, (id, amountMinor, code) => {
    if (refusalOfAmount(id, amountMinor, code) !== undefined) return
    const wire = toWireAmount(id, amountMinor, code)
    assert.deepEqual(fromWireAmount(id, wire, code.toLowerCase()), { amountMinor, currency: code })
  })
  fc.assert(check, { numRuns: 20_000 })
})

/** Ours, and as it goes to Stripe and to Razorpay. */
const CHARGED = [
  ['JPY', 1_234, 1_234, 1_234],
  ['INR', 118_050, 118_050, 118_050],
  ['KWD', 12_340, 12_340, 12_340],
  ['ISK', 4_990, 499_000, 4_990],
  ['UGX', 90_000, 9_000_000, 90_000],
  ['MGA', 500_000, 5_000, 500_000],
  ['HUF', 10_045, 10_045, 10_045],
] as const

for (const id of eachGateway) {
  test(`${id}: currencies with 0, 2 and 3 decimals are charged, reported and refunded as they were asked`, async (t) => {
    const { gateway, emulator, checkout, events } = await connect(t, id)
    for (const [currency, amountMinor, atStripe, atRazorpay] of CHARGED) {
      const attemptId = `pat-in-${currency}-0001`
      const { gatewayRef } = await gateway.openCheckout(checkout({ attemptId, amountMinor, currency }), noSignal())
      await emulator.pay(attemptId)
      const made = (await emulator.state()).checkouts.find(({ reference }) => reference === attemptId)
      assert.deepEqual([made?.amount, made?.currency], [id === 'stripe' ? atStripe : atRazorpay, currency])
      const snapshot = await gateway.fetchState(gatewayRef, noSignal())
      assert.deepEqual([snapshot.amountMinor, snapshot.currency], [amountMinor, currency])
      const reported = events().findLast((event) => event.kind === 'checkout_paid')
      assert.ok(reported?.kind === 'checkout_paid')
      assert.deepEqual([reported.attemptId, reported.amountMinor, reported.currency], [attemptId, amountMinor, currency])
      const refund = { refundId: `ref-in-${currency}-0001`, paymentRef: reported.paymentRef, amountMinor, currency, reason: 'test' }
      assert.deepEqual((await gateway.refund(refund, noSignal())).amountMinor, amountMinor)
      assert.equal((await gateway.fetchState(gatewayRef, noSignal())).payments[0]?.refundedMinor, amountMinor)
    }
  })

  test(`${id}: an amount that cannot be charged is refused before anything is sent, in words for the one who pays`, async (t) => {
    const { gateway, emulator, checkout } = await connect(t, id)
    const odd = checkout({ amountMinor: 5_124, currency: 'KWD' })
    assert.match(gateway.refusalOf(5_124, 'KWD') ?? '', /does not take 5\.124 KWD/)
    assert.equal(gateway.refusalOf(5_120, 'KWD'), undefined)
    await assert.rejects(gateway.openCheckout(odd, noSignal()), { kind: 'rejected' })
    assert.deepEqual((await emulator.state()).opened, {})
  })
}
