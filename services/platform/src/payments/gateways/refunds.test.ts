// Goal: a refund is made once by its id, and what becomes of it and of disputes is reported. Method: both adapters against the emulator over HTTP,
// through the same tests.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onceTimeIsOver } from '../../test-time-over.ts'
import type { GatewayEvent, RefundRequest } from './gateway.ts'
import { AMPLE, eachGateway, emulatedGateways, noSignal, type TestGateway } from './test-gateways.ts'

const HOUR_MS = 3_600_000

const connect = emulatedGateways({ before, after })

async function paid({ gateway, emulator, checkout }: TestGateway): Promise<{ gatewayRef: string; paymentRef: string }> {
  const { gatewayRef } = await gateway.openCheckout(checkout(), noSignal())
  const { payment } = await emulator.pay(gatewayRef)
  return { gatewayRef, paymentRef: payment?.id ?? '' }
}

function refundOf(paymentRef: string, change: Partial<RefundRequest> = {}): RefundRequest {
  return { refundId: 'ref-51c0de77', paymentRef, amountMinor: 50, currency: 'INR', reason: 'paid twice', ...change }
}

const refundEvents = (events: readonly GatewayEvent[]) => events.filter((event) => event.kind === 'refund_updated')

for (const id of eachGateway) {
  test(`${id}: a refund is made once, and is found by its id`, async (t) => {
    const bench = await connect(t, id)
    const { gateway, emulator } = bench
    const { gatewayRef, paymentRef } = await paid(bench)
    const request = refundOf(paymentRef, { amountMinor: 100_000 })
    assert.equal(await gateway.findRefund(request, noSignal()), undefined)
    const made = await gateway.refund(request, noSignal())
    assert.deepEqual([made.status, made.refundId, made.paymentRef], ['succeeded', 'ref-51c0de77', paymentRef])
    assert.deepEqual([made.amountMinor, made.currency], [100_000, 'INR'])
    assert.deepEqual(await gateway.refund(request, noSignal()), made)
    assert.deepEqual(await gateway.findRefund(request, noSignal()), made)
    assert.deepEqual(await gateway.fetchRefund(made.refundRef, noSignal()), made)
    const { payments } = await gateway.fetchState(gatewayRef, noSignal())
    assert.deepEqual(
      payments.map(({ status, refundedMinor }) => [status, refundedMinor]),
      [['captured', 100_000]],
    )
    await assert.rejects(gateway.refund(refundOf(paymentRef, { refundId: 'ref-too-much', amountMinor: 18_051 }), noSignal()), {
      kind: 'rejected',
    })
    await gateway.refund(refundOf(paymentRef, { refundId: 'ref-all-the-rest', amountMinor: 18_050 }), noSignal())
    const after = await gateway.fetchState(gatewayRef, noSignal())
    assert.deepEqual([after.state, after.payments[0]?.status, after.payments[0]?.refundedMinor], ['paid', 'captured', 118_050])
    assert.equal((await emulator.state()).refunds.length, 2)
  })

  test(`${id}: a refund is reported by events that name it and the payment`, async (t) => {
    const bench = await connect(t, id)
    const { paymentRef } = await paid(bench)
    const made = await bench.gateway.refund(refundOf(paymentRef), noSignal())
    await bench.emulator.deliver()
    const reported = refundEvents(bench.events())
    assert.ok(reported.length > 0)
    assert.ok(reported.every((event) => event.paymentRef === paymentRef && event.currency === 'INR'))
    assert.ok(reported.some(({ refund }) => refund?.refundId === 'ref-51c0de77' && refund.refundRef === made.refundRef))
    assert.ok(reported.some(({ refundedMinor }) => refundedMinor === 50))
  })

  test(`${id}: a refund that the bank sends back days later has failed, and the money is ours again`, async (t) => {
    const bench = await connect(t, id)
    const { gateway, emulator } = bench
    const { gatewayRef, paymentRef } = await paid(bench)
    await emulator.addFault({ kind: 'refund_fails_later', delayMs: HOUR_MS })
    const made = await gateway.refund(refundOf(paymentRef), noSignal())
    assert.equal(made.status, 'succeeded')
    await emulator.advance(HOUR_MS + 1)
    const failed = await gateway.fetchRefund(made.refundRef, noSignal())
    assert.equal(failed.status, 'failed')
    assert.ok(failed.failure !== undefined)
    assert.equal((await gateway.fetchState(gatewayRef, noSignal())).payments[0]?.refundedMinor, 0)
    assert.equal(refundEvents(bench.events()).at(-1)?.refund?.status, 'failed')
  })

  test(`${id}: a refund that is under way is pending until it is done`, async (t) => {
    const bench = await connect(t, id)
    const { paymentRef } = await paid(bench)
    await bench.emulator.addFault({ kind: 'refund_pending', delayMs: HOUR_MS })
    const made = await bench.gateway.refund(refundOf(paymentRef), noSignal())
    assert.equal(made.status, 'pending')
    await bench.emulator.advance(HOUR_MS + 1)
    assert.equal((await bench.gateway.fetchRefund(made.refundRef, noSignal())).status, 'succeeded')
    assert.equal(refundEvents(bench.events()).at(-1)?.refund?.status, 'succeeded')
  })

  for (const kind of ['timeout_after_success', 'drop_after_success', 'error_after_success', 'garbage']) {
    test(`${id}: after ${kind} of a refund nobody knows, until it is looked for; asked again, it is the same`, async (t) => {
      const bench = await connect(t, id)
      const { gateway, emulator } = bench
      const { paymentRef } = await paid(bench)
      await emulator.addFault({ kind, operation: 'refund' })
      const isMade = async () => (await emulator.state()).refunds.length > 0
      const refund = () => gateway.refund(refundOf(paymentRef), noSignal())
      const refunding = kind === 'timeout_after_success' ? onceTimeIsOver(t, AMPLE.totalMs, refund, isMade) : refund()
      await assert.rejects(refunding, { kind: 'unknown_outcome' })
      const found = await gateway.findRefund(refundOf(paymentRef), noSignal())
      assert.equal(found?.amountMinor, 50)
      assert.deepEqual(await gateway.refund(refundOf(paymentRef), noSignal()), found)
      assert.equal((await emulator.state()).refunds.length, 1)
    })
  }

  test(`${id}: a reason of 200 characters that are two units each is cut between two of them`, async (t) => {
    const bench = await connect(t, id)
    const { paymentRef } = await paid(bench)
    const made = await bench.gateway.refund(refundOf(paymentRef, { reason: `x${'🚚'.repeat(199)}` }), noSignal())
    assert.equal(made.status, 'succeeded')
  })

  test(`${id}: another request under the id of a refund makes no second one`, async (t) => {
    const bench = await connect(t, id)
    const { paymentRef } = await paid(bench)
    const made = await bench.gateway.refund(refundOf(paymentRef), noSignal())
    assert.deepEqual(await bench.gateway.refund(refundOf(paymentRef, { amountMinor: 60 }), noSignal()), made)
    await bench.emulator.setState({ replays: [] })
    assert.deepEqual(await bench.gateway.refund(refundOf(paymentRef), noSignal()), made, 'also when the gateway has forgotten the key')
    assert.equal((await bench.emulator.state()).refunds.length, 1)
  })

  test(`${id}: a dispute is reported from its opening to its end, with what it has taken from us`, async (t) => {
    const bench = await connect(t, id)
    const { gateway, emulator } = bench
    const { paymentRef } = await paid(bench)
    const takesAtOnce = id === 'stripe'
    const dispute = await emulator.openDispute(paymentRef)
    const open = await gateway.fetchDispute(dispute.id, noSignal())
    assert.deepEqual([open.status, open.amountMinor, open.currency, open.paymentRef], ['open', 118_050, 'INR', paymentRef])
    assert.equal(open.withdrawnMinor, takesAtOnce ? 118_050 : 0)
    assert.ok(open.respondBy !== undefined && open.respondBy > new Date())
    await emulator.moveDispute(dispute.id, 'under_review')
    await emulator.moveDispute(dispute.id, 'lost')
    assert.equal((await gateway.fetchDispute(dispute.id, noSignal())).withdrawnMinor, 118_050)
    const won = await emulator.openDispute(paymentRef, { amount: 1_000 })
    await emulator.moveDispute(won.id, 'won')
    assert.equal((await gateway.fetchDispute(won.id, noSignal())).withdrawnMinor, 0)
    const reported = bench.events().flatMap((event) => ('dispute' in event ? [event] : []))
    assert.deepEqual(
      reported.map(({ kind, dispute: { status } }) => [kind, status]),
      [
        ['dispute_opened', 'open'],
        ['dispute_updated', 'under_review'],
        ['dispute_closed', 'lost'],
        ['dispute_opened', 'open'],
        ['dispute_closed', 'won'],
      ],
    )
    assert.ok(reported.every((event) => event.paymentRef === paymentRef))
  })

  test(`${id}: disputes are listed by when they were opened, page after page`, async (t) => {
    const bench = await connect(t, id)
    const { gateway, emulator } = bench
    const { paymentRef } = await paid(bench)
    const one = await emulator.openDispute(paymentRef)
    const from = new Date(one.createdAtMs - 2 * HOUR_MS)
    const until = new Date(one.createdAtMs + HOUR_MS)
    const dispute = (nth: number, change: object = {}) => ({
      ...one,
      id: `${one.id}${nth}`,
      createdAtMs: one.createdAtMs - nth * 1_000,
      ...change,
    })
    const inside = Array.from({ length: 230 }, (_, nth) => dispute(nth))
    const outside = [
      ...[dispute(230, { createdAtMs: from.getTime() - 5_000 }), dispute(231, { createdAtMs: until.getTime() + 5_000 })],
      dispute(232, { account: 'another' }),
    ]
    await emulator.setState({ disputes: [...outside, ...inside] })
    const listed = await gateway.listDisputes({ from, until }, noSignal())
    assert.deepEqual(new Set(listed.map(({ disputeRef }) => disputeRef)), new Set(inside.map((each) => each.id)))
    assert.deepEqual([listed.length, ...new Set(listed.map((each) => each.paymentRef))], [230, paymentRef])
    assert.ok(listed.every(({ openedAt }) => openedAt >= from && openedAt < until))
    await emulator.setState({ disputes: Array.from({ length: 2_001 }, (_, nth) => dispute(nth)) })
    await assert.rejects(gateway.listDisputes({ from, until }, noSignal()), { kind: 'unavailable' })
  })

  test(`${id}: what the gateway does not know is not found`, async (t) => {
    const { gateway } = await connect(t, id)
    const unknown = id === 'stripe' ? ['cs_test_x1', 'pi_x1', 're_x1', 'du_x1'] : ['plink_x1', 'pay_x1', 'rfnd_x1', 'disp_x1']
    const [checkoutRef = '', paymentRef = '', refundRef = '', disputeRef = ''] = unknown
    await assert.rejects(gateway.fetchState(checkoutRef, noSignal()), { kind: 'not_found' })
    await assert.rejects(gateway.expireCheckout(checkoutRef, noSignal()), { kind: 'not_found' })
    await assert.rejects(gateway.refund(refundOf(paymentRef), noSignal()), { kind: 'not_found' })
    await assert.rejects(gateway.capture({ paymentRef, amountMinor: 1, currency: 'INR' }, noSignal()), { kind: 'not_found' })
    await assert.rejects(gateway.fetchRefund(refundRef, noSignal()), { kind: 'not_found' })
    await assert.rejects(gateway.fetchDispute(disputeRef, noSignal()), { kind: 'not_found' })
  })
}

test('stripe: an inquiry takes no money and ends without a winner', async (t) => {
  const bench = await connect(t, 'stripe')
  const { paymentRef } = await paid(bench)
  const { id } = await bench.emulator.openDispute(paymentRef, { status: 'warning_needs_response' })
  assert.deepEqual([(await bench.gateway.fetchDispute(id, noSignal())).withdrawnMinor], [0])
  await bench.emulator.moveDispute(id, 'warning_closed')
  const closed = await bench.gateway.fetchDispute(id, noSignal())
  assert.deepEqual([closed.status, closed.withdrawnMinor], ['closed', 0])
})

test('razorpay: what is no id of its own is not put into a path', async (t) => {
  const { gateway } = await connect(t, 'razorpay')
  for (const ref of ['../payments', 'plink_1/cancel', 'plink_1?x=1', '', 'plink_1%2f..', 'x'.repeat(81)]) {
    await assert.rejects(gateway.fetchState(ref, noSignal()), { kind: 'not_found' }, ref)
  }
})
