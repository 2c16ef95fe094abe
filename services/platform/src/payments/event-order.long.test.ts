// Goal: whatever the order of a gateway's events, and however often each comes, the books end the same. Method: the emulator makes the events of payments,
// refunds and disputes and loses them; the test sends them in random orders with repeats, with and without jobs between; the ledger sums to zero after each.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { assertBooks, openPaymentService, WEBHOOK_SECRET } from './test-payment-service.ts'

const RUNS = 12
const service = await openPaymentService({ after })
const { emulator } = service
const acme = await service.reseller('acme-fleet')

for (const gateway of ['stripe', 'razorpay'] as const) {
  const connected = service.connect('acme-fleet', gateway)

  test(`events of ${gateway} in any order and number end in the same books`, async () => {
    const { connectionId } = await connected
    const send = async (body: string, eventId: string) => {
      const t = Math.floor(service.now().getTime() / 1000)
      const sign = (text: string) => createHmac('sha256', WEBHOOK_SECRET).update(text).digest('hex')
      const headers: Record<string, string> =
        gateway === 'stripe'
          ? { 'stripe-signature': `t=${t},v1=${sign(`${t}.${body}`)}` }
          : { 'x-razorpay-signature': sign(body), 'x-razorpay-event-id': eventId }
      const path = `${service.url}/api/sim-billing/payments/callback/${gateway}/${connectionId}`
      const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
      assert.equal(response.status, 200, await response.text())
    }
    const order = fc.array(fc.record({ nth: fc.nat(30), withJobs: fc.boolean() }), { minLength: 5, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(order, fc.constantFrom('won', 'lost', 'open'), async (picks, end) => {
        await emulator.addFault({ kind: 'lost', event: '*', count: 1_000 })
        const invoice = await service.invoice('acme-fleet', { subClientId: `north-${end}` })
        const { status, body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
        assert.equal(status, 200, JSON.stringify(body))
        const { payment } = await emulator.pay(body.payment.id)
        const dispute = await emulator.openDispute(payment?.id ?? '', { amount: 30_000 })
        if (end !== 'open') await emulator.moveDispute(dispute.id, end)
        await emulator.clearFaults()
        const events = (await emulator.state()).deliveries.filter((each) => each.body.includes(payment?.id ?? '-'))
        assert.ok(events.length >= 2)
        for (const { nth, withJobs } of picks) {
          const event = events[nth % events.length]
          if (event !== undefined) await send(event.body, event.eventId)
          if (withJobs) await service.askAll()
        }
        for (const event of events) await send(event.body, event.eventId)
        for (let nth = 0; nth < 2; nth++) await service.askAll()
        const settled = await service.invoiceNow(invoice)
        assert.equal(settled.paidMinor, end === 'lost' ? 88_000 : 118_000)
        const [shown] = await service.payments(invoice)
        assert.deepEqual([shown?.status, shown?.received, shown?.disputes.map((each) => each.status)], ['paid', 118_000, [end]])
        await assertBooks(service)
      }),
      { numRuns: RUNS },
    )
  })
}
