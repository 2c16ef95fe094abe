// Goal: a callback moves money only if it is the gateway's, about our attempt, and of what was asked; and each once. Method: the emulator's genuine
// callbacks with its faults, and callbacks that the test signs itself; the ledger sums to zero after each test.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { connectAsOwner } from '../test-support.ts'
import { assertBooks, openPaymentService, WEBHOOK_SECRET } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { emulator, database } = service
const acme = await service.reseller('acme-fleet')
const rival = await service.reseller('rival')
const stripe = await service.connect('acme-fleet', 'stripe')
await service.connect('acme-fleet', 'razorpay')
const theirs = await service.connect('rival', 'stripe')

afterEach(async () => {
  await emulator.clearFaults()
  await assertBooks(service)
})

async function open(gateway: 'stripe' | 'razorpay', call = acme, resellerId = 'acme-fleet') {
  const invoice = await service.invoice(resellerId)
  const { status, body } = await call('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
  assert.equal(status, 200, JSON.stringify(body))
  return { invoice, id: body.payment.id as string }
}
const outcomesOf = async (attemptId: string) => {
  const { rows } = await database.systemPool.query<{ outcome: string }>('select outcome from gateway_events where attempt_id = $1', [
    attemptId,
  ])
  return rows.map(({ outcome }) => outcome)
}

const lastDeliveries = async (count: number) => (await emulator.state()).deliveries.slice(-count)

/** Stripe's, as it signs them. */
const signed = (body: string, secret = WEBHOOK_SECRET, at = service.now()) => {
  const t = Math.floor(at.getTime() / 1000)
  return { 'stripe-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}` }
}
async function send(path: string, body: string, headers: Record<string, string>) {
  const response = await fetch(`${service.url}/api/sim-billing/payments/callback/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: response.status, body: (await response.json()) as { error?: { code: string; message: string; request_id: string } } }
}
const paidEvent = (change: { id?: string; attempt: string; session?: string; amount?: number; currency?: string }) =>
  JSON.stringify({
    id: change.id ?? `evt_${Math.random().toString(36).slice(2)}`,
    object: 'event',
    type: 'checkout.session.completed',
    created: Math.floor(service.now().getTime() / 1000),
    livemode: false,
    data: {
      object: {
        ...{ id: change.session ?? 'cs_test_a1', object: 'checkout.session', mode: 'payment', status: 'complete', payment_status: 'paid' },
        ...{ amount_total: change.amount ?? 118_000, currency: change.currency ?? 'inr', client_reference_id: change.attempt },
        ...{ payment_intent: 'pi_forged1', url: null, expires_at: 2_000_000_000, metadata: { attempt_id: change.attempt } },
      },
    },
  })

for (const gateway of ['stripe', 'razorpay'] as const) {
  for (const fault of [
    { kind: 'duplicate', times: 5 },
    { kind: 'reordered' },
    { kind: 'forged_signature' },
    ...(gateway === 'stripe' ? [{ kind: 'stale_timestamp' }] : []),
  ]) {
    test(`callbacks of ${gateway} with ${fault.kind} book a payment once`, async () => {
      const { invoice, id } = await open(gateway)
      await emulator.addFault({ ...fault, gateway, event: '*' })
      await emulator.pay(id)
      await service.advance(120_000)
      await service.askAll()
      const deliveries = (await emulator.state()).deliveries.filter(({ body }) => body.includes(id))
      const wanted = { genuine: 200, forged: 401, stale: 401 }
      for (const { signature, lastStatus } of deliveries) assert.equal(lastStatus, wanted[signature], signature)
      const paid = await service.invoiceNow(invoice)
      assert.deepEqual([paid.status, paid.paidMinor], ['paid', 118_000])
      assert.equal((await service.payments(invoice))[0]?.received, 118_000)
    })
  }

  for (const kind of ['wrong_amount', 'wrong_currency', 'foreign_reference'] as const) {
    test(`a callback of ${gateway} with ${kind} moves nothing; the gateway is asked`, async () => {
      const { invoice, id } = await open(gateway)
      const other = await open('stripe', rival, 'rival')
      await emulator.addFault({
        kind,
        gateway,
        event: '*',
        count: 9,
        ...(kind === 'foreign_reference' ? { reference: other.id } : { currency: 'USD' }),
      })
      const failures = (await service.events('payment.failed')).length
      await emulator.pay(id)
      assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
      assert.equal((await service.invoiceNow(other.invoice)).paidMinor, 0)
      if (kind !== 'foreign_reference') {
        assert.match((await outcomesOf(id)).join(), /refused: another (amount|currency)/)
        assert.ok((await service.events('payment.failed')).length > failures)
      } else assert.deepEqual(await outcomesOf(other.id), [])
      await service.askAll()
      const paid = await service.invoiceNow(invoice)
      assert.deepEqual([paid.status, paid.paidMinor], ['paid', 118_000])
      assert.equal((await service.invoiceNow(other.invoice)).paidMinor, 0)
    })
  }
}

test('a card that is declined is the failure of a payment until another one pays', async () => {
  const { invoice, id } = await open('stripe')
  await emulator.pay(id, 'declined')
  const [declined] = await service.payments(invoice)
  assert.deepEqual([declined?.status, declined?.failure], ['pending', 'Your card was declined.'])
  await emulator.pay(id)
  const [paid] = await service.payments(invoice)
  assert.deepEqual([paid?.status, paid?.failure], ['paid', null])
})

test('what is not shown to be the gateway’s is answered the same for every connection, and nothing is read', async () => {
  const { invoice, id } = await open('stripe')
  const body = paidEvent({ attempt: id })
  const path = `stripe/${stripe.connectionId}`
  const answers = [
    await send(path, body, signed(body, 'whsec_of-somebody-else')),
    await send(path, body, {}),
    await send(path, body, signed(body, WEBHOOK_SECRET, new Date(service.now().getTime() - 301_000))),
    await send(path, body, signed(`${body} `)),
    await send('stripe/gwc-00000000000000000000', body, signed(body)),
    await send(`razorpay/${stripe.connectionId}`, body, signed(body)),
    await send('paypal/x', body, signed(body)),
    await send('stripe/a%00b', body, signed(body)),
    await send(`stripe/${theirs.connectionId}`, body, signed(body, 'whsec_wrong-one-0000')),
    await send('stripe', body, signed(body)),
  ]
  const shown = answers.map((answer) => JSON.stringify([answer.status, answer.body.error?.code, answer.body.error?.message]))
  assert.deepEqual([...new Set(shown)], [shown[0]])
  assert.equal(answers[0]?.status, 401)
  assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
  assert.deepEqual(await outcomesOf(id), [])
})

test('a body that is too large is refused without a look at it', async () => {
  const body = JSON.stringify({ x: 'x'.repeat(300_000) })
  assert.equal((await send(`stripe/${stripe.connectionId}`, body, signed(body))).status, 413)
})

test('another’s connection cannot speak of our payment, nor the right one of another checkout, amount or currency', async () => {
  const { invoice, id } = await open('stripe')
  const foreign = paidEvent({ attempt: id })
  assert.equal((await send(`stripe/${theirs.connectionId}`, foreign, signed(foreign))).status, 200)
  for (const change of [{}, { session: 'cs_test_other' }, { amount: 1 }, { currency: 'usd' }]) {
    const session = (await emulator.state()).checkouts.find(({ reference }) => reference === id)?.id ?? ''
    const body = paidEvent({ attempt: id, ...(Object.keys(change).length === 0 ? {} : { session }), ...change })
    assert.equal((await send(`stripe/${stripe.connectionId}`, body, signed(body))).status, 200)
  }
  await service.askAll()
  assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
  assert.equal((await service.payments(invoice))[0]?.status, 'pending')
})

test('the old webhook secret is good for three days after it was replaced', async () => {
  const { invoice, id } = await open('stripe')
  const changed = await acme('PUT', `/gateway-connections/${stripe.connectionId}`, {
    credentials: { webhook_secret: 'whsec_the-new-one-1234' },
  })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.body.connection.previous_webhook_secret_until, null)
  await emulator.pay(id)
  assert.equal((await service.invoiceNow(invoice)).status, 'paid')
  await service.advance(3 * 86_400_000 + 1)
  const body = paidEvent({ attempt: id })
  assert.equal((await send(`stripe/${stripe.connectionId}`, body, signed(body))).status, 401)
  assert.equal((await send(`stripe/${stripe.connectionId}`, body, signed(body, 'whsec_the-new-one-1234'))).status, 200)
  await acme('PUT', `/gateway-connections/${stripe.connectionId}`, { credentials: { webhook_secret: WEBHOOK_SECRET } })
})

test('while the database cannot be written a callback is not acknowledged, and the gateway’s repeat books it', async (t) => {
  const { invoice, id } = await open('razorpay')
  const owner = await connectAsOwner(t, service.ownerUrl)
  await owner.query('alter table gateway_events rename to gateway_events_away')
  await emulator.pay(id)
  assert.equal((await service.invoiceNow(invoice)).paidMinor, 0)
  assert.deepEqual([...new Set((await lastDeliveries(1)).map(({ lastStatus }) => lastStatus))], [500])
  await owner.query('alter table gateway_events_away rename to gateway_events')
  await service.advance(2_000)
  await emulator.deliver()
  assert.equal((await service.invoiceNow(invoice)).status, 'paid')
})
