// Goal: a callback is believed only when its bytes are signed with a secret of ours, in time where the gateway signs the time, and whatever
// else comes is a typed refusal and never an exception. Method: bodies as the emulator sends them, signed here again and altered; bodies made
// by fast-check; and the emulator's own faults, through a real receiver.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { MAX_CALLBACK_BYTES } from './callback-verdict.ts'
import { createGateway } from './create-gateway.ts'
import { type CallbackHeaders, type CallbackRefusal, callbackRefusals, type GatewayId, type PaymentGateway } from './gateway.ts'
import { connectionTo, eachGateway, emulatedGateways, loopbackDeps, noSignal, WEBHOOK_SECRET } from './test-gateways.ts'

const NOW = new Date('2026-11-23T06:00:00Z')
const OTHER_SECRET = 'whsec_AnotherSecretAltogether0123456'
const OLD_SECRET = 'whsec_TheOneThatWasBefore0123456789'
const FUZZ_RUNS = 1_000

const connect = emulatedGateways({ before, after })
const nowS = NOW.getTime() / 1000
const hmac = (secret: string, text: string | Buffer) => createHmac('sha256', secret).update(text).digest('hex')

function gatewayWith(id: GatewayId, webhookSecrets: string[]): PaymentGateway {
  const connection = connectionTo(id, 'https://gateway.example')
  connection.secrets.webhookSecrets = webhookSecrets
  return createGateway(loopbackDeps(), connection)
}

function signed(id: GatewayId, body: Buffer, { secret = WEBHOOK_SECRET, atS = nowS } = {}): Record<string, string> {
  if (id === 'razorpay') return { 'x-razorpay-signature': hmac(secret, body), 'x-razorpay-event-id': 'evt_00000000000001' }
  return { 'stripe-signature': `t=${atS},v1=${hmac(secret, `${atS}.${body.toString('utf8')}`)}` }
}

function judge(gateway: PaymentGateway, body: Buffer, headers: CallbackHeaders, now = NOW): CallbackRefusal | 'authentic' {
  const verdict = gateway.verifyCallback(body, headers, now)
  return verdict.isAuthentic ? 'authentic' : verdict.refusal
}

const session = {
  ...{ id: 'cs_test_a1', object: 'checkout.session', mode: 'payment', status: 'complete', payment_status: 'paid', amount_total: 118_050 },
  ...{
    currency: 'inr',
    client_reference_id: 'pat-7f3a90c2d1',
    payment_intent: 'pi_1',
    url: null,
    expires_at: nowS + 60,
    note: 'Kühlmittel',
  },
}
const link = { id: 'plink_a1', status: 'paid', amount: 118_050, amount_paid: 118_050, currency: 'INR', reference_id: 'pat-7f3a90c2d1' }
const payment = { id: 'pay_1', amount: 118_050, currency: 'INR', status: 'captured', amount_refunded: 0, notes: [], created_at: nowS }

function bodyOf(id: GatewayId, change: Record<string, unknown> = {}): Buffer {
  const stripe = {
    id: 'evt_1',
    object: 'event',
    type: 'checkout.session.completed',
    created: nowS,
    livemode: false,
    data: { object: session },
  }
  const entities = { payment_link: { entity: link }, payment: { entity: payment } }
  const razorpay = { entity: 'event', event: 'payment_link.paid', created_at: nowS, note: 'Kühlmittel', payload: entities }
  return Buffer.from(JSON.stringify({ ...(id === 'stripe' ? stripe : razorpay), ...change }, null, 2))
}

for (const id of eachGateway) {
  const gateway = gatewayWith(id, [WEBHOOK_SECRET])
  const body = bodyOf(id)

  test(`${id}: what is signed is believed, and reports what happened in our terms`, () => {
    const verdict = gateway.verifyCallback(body, signed(id, body), NOW)
    assert.ok(verdict.isAuthentic)
    const [event = assert.fail('no event')] = verdict.events
    assert.ok(event.kind === 'checkout_paid')
    assert.deepEqual([event.attemptId, event.amountMinor, event.currency, event.at], ['pat-7f3a90c2d1', 118_050, 'INR', NOW])
    assert.equal(event.gatewayRef, id === 'stripe' ? 'cs_test_a1' : 'plink_a1')
  })

  test(`${id}: no byte of the body may change`, () => {
    const headers = signed(id, body)
    for (let i = 0; i < body.length; i++) {
      const altered = Buffer.from(body)
      altered[i] = (altered[i] ?? 0) ^ 1
      assert.equal(judge(gateway, altered, headers), 'bad_signature', `byte ${i}`)
    }
    for (const other of [
      Buffer.concat([body, Buffer.from('\n')]),
      Buffer.concat([Buffer.from('\ufeff'), body]),
      body.subarray(1),
      Buffer.of(),
    ]) {
      assert.equal(judge(gateway, other, headers), 'bad_signature')
    }
  })

  test(`${id}: another secret, no signature, two of them and half of one are refused`, () => {
    const [[name = '', good = ''] = []] = Object.entries(signed(id, body))
    assert.equal(judge(gateway, body, signed(id, body, { secret: OTHER_SECRET })), 'bad_signature')
    assert.equal(judge(gateway, body, {}), 'missing_signature')
    assert.equal(judge(gateway, body, { [name]: '' }), 'missing_signature')
    assert.equal(judge(gateway, body, { [name]: [good, good] }), 'missing_signature')
    assert.equal(judge(gateway, body, { [name]: good.slice(0, -1) }), 'bad_signature')
    assert.equal(judge(gateway, body, { [name]: `${good}0` }), 'bad_signature')
    assert.equal(judge(gateway, body, { [name]: `${good.slice(0, -1)}é` }), 'bad_signature')
    assert.equal(judge(gateway, body, { [name]: good.padEnd(3_000, '0') }), 'missing_signature')
  })

  test(`${id}: while a secret is changed both count, and afterwards the new one alone`, () => {
    const both = gatewayWith(id, [WEBHOOK_SECRET, OLD_SECRET])
    assert.equal(judge(both, body, signed(id, body)), 'authentic')
    assert.equal(judge(both, body, signed(id, body, { secret: OLD_SECRET })), 'authentic')
    assert.equal(judge(gateway, body, signed(id, body, { secret: OLD_SECRET })), 'bad_signature')
  })

  test(`${id}: a body that is signed and makes no sense is malformed`, () => {
    const nonsense = ['null', '[]', '"text"', '{', '{}', '{"id":1}', `${'['.repeat(50_000)}`, '{"__proto__":{"type":"x"}}']
    const bodies: Buffer[] = nonsense.map((text) => Buffer.from(text))
    bodies.push(bodyOf(id, id === 'stripe' ? { data: { object: {} } } : { payload: {} }))
    bodies.push(
      bodyOf(
        id,
        id === 'stripe' ? { data: { object: { ...session, amount_total: 1.5 } } } : { payload: { payment_link: { entity: link } } },
      ),
    )
    bodies.push(bodyOf(id, id === 'stripe' ? { data: { object: { ...session, currency: 'zzz' } } } : { created_at: -1 }))
    bodies.push(bodyOf(id, id === 'stripe' ? { created: 1e300 } : { created_at: 1e300 }))
    for (const each of bodies) assert.equal(judge(gateway, each, signed(id, each)), 'malformed', each.toString('utf8', 0, 80))
    const tooLarge = Buffer.alloc(MAX_CALLBACK_BYTES + 1, ' ')
    assert.equal(judge(gateway, tooLarge, signed(id, tooLarge)), 'too_large')
    const binary = Buffer.concat([body, Buffer.of(0xff, 0xfe)])
    assert.equal(judge(gateway, binary, signed(id, binary)), 'bad_signature')
  })

  test(`${id}: an event that is nothing to us is authentic and ignored, whatever it is called`, () => {
    for (const type of ['invoice.paid', 'constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const other = bodyOf(id, id === 'stripe' ? { type } : { event: type })
      const verdict = gateway.verifyCallback(other, signed(id, other), NOW)
      assert.deepEqual(verdict.isAuthentic && verdict.events.map(({ kind }) => kind), ['ignored'], type)
    }
  })

  test(`${id}: no body and no header makes it throw`, () => {
    const name = id === 'stripe' ? 'stripe-signature' : 'x-razorpay-signature'
    const header = fc.oneof(fc.string(), fc.stringMatching(/^t=\d{1,14}(,v[01]=[0-9a-f]{0,70}){0,4}$/), fc.stringMatching(/^[0-9a-f]{64}$/))
    const headers = fc.oneof(fc.record({ [name]: header }), fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string()))))
    const check = fc.property(fc.uint8Array({ maxLength: 400 }), headers, (bytes, given) => {
      const verdict = judge(gateway, Buffer.from(bytes), given as CallbackHeaders)
      assert.ok(verdict !== 'authentic' && callbackRefusals.includes(verdict))
    })
    fc.assert(check, { numRuns: FUZZ_RUNS })
  })

  test(`${id}: no body that is signed makes it throw either`, () => {
    const types = id === 'stripe' ? ['checkout.session.completed', 'charge.refunded', 'refund.updated', 'charge.dispute.created'] : []
    const events = ['payment_link.paid', 'payment.failed', 'refund.processed', 'payment.dispute.lost']
    const known = fc.constantFrom(...types, ...events, 'payment_intent.payment_failed', 'payment_link.expired')
    const leaf = fc.oneof(fc.jsonValue(), fc.constantFrom(null, 'pi_1', 'pay_1', 'INR', 'inr', 5, -5, 1e308, session, link, payment))
    const part = fc.record({ entity: leaf }, { requiredKeys: [] })
    const bodies = fc.record(
      {
        ...{ id: fc.constantFrom('evt_1', '', 5), object: fc.constant('event'), type: known, created: leaf, livemode: fc.boolean() },
        ...{ entity: fc.constant('event'), event: known, created_at: fc.oneof(fc.nat(), leaf), data: fc.record({ object: leaf }) },
        payload: fc.record({ payment: part, payment_link: part, refund: part, dispute: part }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    )
    const check = fc.property(fc.oneof(bodies, fc.jsonValue()), (value) => {
      const text = Buffer.from(JSON.stringify(value))
      assert.ok(['authentic', 'malformed'].includes(judge(gateway, text, signed(id, text))))
    })
    fc.assert(check, { numRuns: FUZZ_RUNS })
  })

  test(`${id}: forged copies are refused and the genuine one is taken; a duplicate has the same event id`, async (t) => {
    const bench = await connect(t, id)
    await bench.gateway.openCheckout(bench.checkout(), noSignal())
    await bench.emulator.addFault({ kind: 'forged_signature' })
    await bench.emulator.pay('pat-7f3a90c2d1')
    const refusals = bench.callbacks.flatMap(({ verdict }) => (verdict.isAuthentic ? [] : [verdict.refusal]))
    assert.deepEqual(refusals, ['bad_signature'])
    assert.ok(bench.kinds().includes('checkout_paid'))
    await bench.gateway.openCheckout(bench.checkout({ attemptId: 'pat-reported-5-times' }), noSignal())
    await bench.emulator.addFault({ kind: 'duplicate', times: 5 })
    await bench.emulator.pay('pat-reported-5-times')
    const ids = bench.events().filter(({ attemptId, gatewayRef }) => attemptId === 'pat-reported-5-times' && gatewayRef !== undefined)
    assert.deepEqual([ids.length, new Set(ids.map(({ eventId }) => eventId)).size], [5, 1])
  })

  test(`${id}: the content of a signed event is passed on as it is: it is for the flow to compare it with the attempt`, async (t) => {
    const bench = await connect(t, id)
    for (const [i, kind] of ['wrong_amount', 'wrong_currency', 'foreign_reference'].entries()) {
      const attemptId = `pat-lied-about-${i}`
      await bench.gateway.openCheckout(bench.checkout({ attemptId }), noSignal())
      await bench.emulator.addFault({ kind, currency: 'CHF', reference: 'pat-of-another-tenant' })
      await bench.emulator.pay(attemptId)
      const reported = bench.events().findLast((event) => event.kind === 'checkout_paid' && event.gatewayRef !== undefined)
      assert.ok(reported?.kind === 'checkout_paid')
      const [amountMinor, currency, reference] =
        [
          [118_060, 'INR', attemptId],
          [118_050, 'CHF', attemptId],
          [118_050, 'INR', 'pat-of-another-tenant'],
        ][i] ?? []
      assert.deepEqual([reported.amountMinor, reported.currency, reported.attemptId], [amountMinor, currency, reference], kind)
    }
  })
}

test('stripe: the time is signed too, and may be five minutes old', () => {
  const gateway = gatewayWith('stripe', [WEBHOOK_SECRET])
  const body = bodyOf('stripe')
  const at = (atS: number) => judge(gateway, body, signed('stripe', body, { atS }))
  assert.deepEqual([at(nowS), at(nowS - 300), at(nowS + 300)], ['authentic', 'authentic', 'authentic'])
  assert.deepEqual([at(nowS - 301), at(nowS + 301), at(0), at(99_999_999_999)], ['stale', 'stale', 'stale', 'stale'])
  const signature = hmac(WEBHOOK_SECRET, `${nowS - 900}.${body.toString()}`)
  const altered = [`t=${nowS},v1=${signature}`, `t=${nowS - 900},t=${nowS},v1=${signature}`, `v1=${signature}`, `t=,v1=${signature}`]
  const good = hmac(WEBHOOK_SECRET, `${nowS}.${body.toString()}`)
  altered.push(`t=${nowS},t=${nowS},v1=${good}`, `t=${nowS - 900},t=${nowS},v1=${good}`, `t=${nowS}.5,v1=${good}`)
  for (const header of altered) assert.equal(judge(gateway, body, { 'stripe-signature': header }), 'bad_signature', header)
})

test('stripe: of several signatures one has to be good; other schemes count for nothing', () => {
  const gateway = gatewayWith('stripe', [WEBHOOK_SECRET])
  const body = bodyOf('stripe')
  const good = hmac(WEBHOOK_SECRET, `${nowS}.${body.toString()}`)
  const other = hmac(OTHER_SECRET, `${nowS}.${body.toString()}`)
  const judged = (rest: string) => judge(gateway, body, { 'stripe-signature': `t=${nowS},${rest}` })
  assert.equal(judged(`v1=${other},v1=${good}`), 'authentic')
  assert.equal(judged(`v1=${good},v1=${other},v0=${other}`), 'authentic')
  assert.equal(judged(`v1=${other},v1=${other}`), 'bad_signature')
  assert.equal(judged(`v0=${good}`), 'bad_signature')
  assert.equal(judged(''), 'bad_signature')
})

test('stripe: a copy that is sent again later is stale, and completed is not paid', async (t) => {
  const bench = await connect(t, 'stripe')
  await bench.gateway.openCheckout(bench.checkout(), noSignal())
  await bench.emulator.addFault({ kind: 'stale_timestamp' })
  await bench.emulator.pay('pat-7f3a90c2d1')
  const refusals = bench.callbacks.flatMap(({ verdict }) => (verdict.isAuthentic ? [] : [verdict.refusal]))
  assert.deepEqual(refusals, ['stale'])
  const unpaid = bodyOf('stripe', { data: { object: { ...session, payment_status: 'unpaid' } } })
  const verdict = bench.gateway.verifyCallback(unpaid, signed('stripe', unpaid), NOW)
  assert.deepEqual(verdict.isAuthentic && verdict.events.map(({ kind }) => kind), ['payment_authorised'])
})

test('stripe: a test payment on a live connection is no money', () => {
  const body = bodyOf('stripe')
  const connection = connectionTo('stripe', 'https://gateway.example')
  assert.ok(connection.gateway === 'stripe')
  connection.secrets.apiKey = 'sk_live_emulated'
  const verdict = createGateway(loopbackDeps(), connection).verifyCallback(body, signed('stripe', body), NOW)
  assert.deepEqual(verdict.isAuthentic && verdict.events.map(({ kind }) => kind), ['ignored'])
})

test('razorpay: the id in the unsigned header cannot make another event look like a duplicate', () => {
  const gateway = gatewayWith('razorpay', [WEBHOOK_SECRET])
  const eventIds = [bodyOf('razorpay'), bodyOf('razorpay', { event: 'payment_link.expired' }), bodyOf('razorpay')].map((body) => {
    const verdict = gateway.verifyCallback(body, signed('razorpay', body), NOW)
    return verdict.isAuthentic ? verdict.events[0]?.eventId : undefined
  })
  assert.equal(eventIds[0], eventIds[2])
  assert.notEqual(eventIds[0], eventIds[1])
  assert.match(eventIds[0] ?? '', /^evt_00000000000001\.[0-9a-f]{16}$/)
})
