// Goal: nothing that a stranger, another tenant, a customer or a race can send moves money that it should not, or breaks a process. Method: callbacks that
// the test writes and signs, bodies and addresses that are not what they seem, and many requests at once, against the real routes; the ledger sums to zero
// after each test.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import { withInvoice } from '../billing/change-invoice.ts'
import { correctInvoice, voidInvoice } from '../billing/credit-invoice.ts'
import { linePartsOf } from '../billing/invoice-lines.sql.ts'
import { insertInvoice } from '../billing/invoices.sql.ts'
import { openInvoice } from '../billing/open-invoice.ts'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import { testDraft } from '../billing/test-book.ts'
import { endCheckout, refundSurplus } from './request-refund.ts'
import { assertBooks, openPaymentService, WEBHOOK_SECRET } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { emulator, database } = service
const acme = await service.reseller('acme-fleet')
const connections = { stripe: await service.connect('acme-fleet', 'stripe'), razorpay: await service.connect('acme-fleet', 'razorpay') }

afterEach(async () => {
  await emulator.clearFaults()
  await assertBooks(service)
  assert.deepEqual(
    service.errors.filter((message) => !message.startsWith('a gateway reported')),
    [],
  )
})

type Gateway = 'stripe' | 'razorpay'
async function open(gateway: Gateway) {
  const invoice = await service.invoice('acme-fleet')
  const { status, body } = await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway })
  assert.equal(status, 200, JSON.stringify(body))
  const checkout = (await emulator.state()).checkouts.find(({ reference }) => reference === body.payment.id)
  return { invoice, id: body.payment.id as string, gatewayRef: checkout?.id ?? '' }
}
const hmac = (text: string | Buffer) => createHmac('sha256', WEBHOOK_SECRET).update(text).digest('hex')
const nowS = () => Math.floor(service.now().getTime() / 1000)
function signed(gateway: Gateway, body: Buffer, eventId = 'evt_1'): Record<string, string> {
  if (gateway === 'razorpay') return { 'x-razorpay-signature': hmac(body), 'x-razorpay-event-id': eventId }
  const t = nowS()
  return { 'stripe-signature': `t=${t},v1=${hmac(Buffer.concat([Buffer.from(`${t}.`), body]))}` }
}
async function send(gateway: Gateway, body: string | Buffer, headers?: Record<string, string>): Promise<number> {
  const bytes = Buffer.from(body)
  const given = { 'content-type': 'application/json', ...(headers ?? signed(gateway, bytes)) }
  const url = `${service.url}/api/sim-billing/payments/callback/${gateway}/${connections[gateway].connectionId}`
  const response = await fetch(url, { method: 'POST', headers: given, body: bytes })
  await response.arrayBuffer()
  return response.status
}
const receivedOf = async ({ id }: { id: string }) => (await acme('GET', `/payments/${id}`)).body.payment.received as number
let events = 0

/** As each gateway reports that a checkout is paid, in the parts that are read. */
function paidEvent(
  gateway: Gateway,
  { id, gatewayRef }: { id: string; gatewayRef: string },
  change: { amount?: unknown; currency?: unknown } = {},
) {
  const { amount = 118_000, currency = gateway === 'stripe' ? 'inr' : 'INR' } = change
  if (gateway === 'stripe') {
    const session = {
      ...{ id: gatewayRef, object: 'checkout.session', mode: 'payment', status: 'complete', payment_status: 'paid', amount_total: amount },
      ...{ currency, client_reference_id: id, payment_intent: `pi_hostile${++events}`, url: null, expires_at: 2_000_000_000 },
    }
    const event = { id: `evt_hostile${events}`, object: 'event', type: 'checkout.session.completed', created: nowS(), livemode: false }
    return { ...event, data: { object: session } }
  }
  const payment = { id: `pay_hostile${++events}`, amount, currency, status: 'captured', notes: { attempt_id: id }, created_at: nowS() }
  const link = { id: gatewayRef, status: 'paid', amount, currency, reference_id: id }
  const payload = { payment: { entity: payment }, payment_link: { entity: link } }
  return { entity: 'event', event: 'payment_link.paid', created_at: nowS(), payload }
}

for (const gateway of ['stripe', 'razorpay'] as const) {
  test(`bodies that ${gateway} signed and that are no event of it are refused as malformed, whatever their form`, async () => {
    const deep = (left: string, right: string, depth: number) => Buffer.from(left.repeat(depth) + right.repeat(depth))
    const attempt = await open(gateway)
    const genuine = JSON.stringify(paidEvent(gateway, attempt))
    const bodies: Record<string, Buffer> = {
      'no JSON': Buffer.from('amount=118000'),
      'a list': Buffer.from(`[${genuine}]`),
      'a text': Buffer.from(JSON.stringify(genuine)),
      null: Buffer.from('null'),
      'half of it': Buffer.from(genuine.slice(0, genuine.length / 2)),
      'lists in lists': deep('[', ']', 100_000),
      'objects in objects': Buffer.from(`${'{"data":'.repeat(28_000)}1${'}'.repeat(28_000)}`),
      'a prototype': Buffer.from('{"__proto__":{"object":"event"},"constructor":{"prototype":{}}}'),
      'with a byte order mark': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(genuine)]),
      'an event of nothing': Buffer.from(genuine.replace(/"(data|payload)":/, '"nothing":')),
    }
    for (const [name, body] of Object.entries(bodies)) assert.equal(await send(gateway, body), 400, name)
    const wrongEncodings = {
      'UTF-16': Buffer.from(genuine, 'utf16le'),
      'Latin-1': Buffer.from(genuine.replace('118000', '"\u00e9"'), 'latin1'),
    }
    // Stripe signs text: of bytes that are none there is no signature. UTF-16 of ASCII is UTF-8 with zeros in it, and no JSON.
    for (const [name, body] of Object.entries(wrongEncodings)) assert.ok([400, 401].includes(await send(gateway, body)), name)
    assert.equal(await send(gateway, Buffer.alloc(0), signed(gateway, Buffer.alloc(0))), 401)
    assert.equal(await send(gateway, Buffer.alloc(256 * 1024 + 1, 32)), 413)
    assert.equal(await receivedOf(attempt), 0)
  })

  test(`headers of ${gateway} that are doubled, huge or of another form are no signature`, async () => {
    const attempt = await open(gateway)
    const body = JSON.stringify(paidEvent(gateway, attempt))
    const [name = '', good = ''] = Object.entries(signed(gateway, Buffer.from(body)))[0] ?? []
    const forged = [
      `${good},${good}`,
      good.toUpperCase(),
      `${good}0`,
      good.slice(0, -2),
      `x${good}`,
      'f'.repeat(64),
      '0'.repeat(5_000),
      ' ',
    ]
    const ofStripe = [
      `t=${nowS()},${good}`,
      good.replace('v1=', 'v0='),
      good.replace(/t=\d+/, 't=0'),
      good.replace(/t=\d+/, `t=${nowS() + 900}`),
      't=,v1=',
    ]
    for (const value of gateway === 'stripe' ? [...forged, ...ofStripe] : forged)
      assert.equal(await send(gateway, body, { [name]: value }), 401, value)
    assert.equal(await receivedOf(attempt), 0)
  })

  test(`amounts of ${gateway} that are no amounts, and currencies in another case, book nothing`, async () => {
    const attempt = await open(gateway)
    for (const amount of [
      0,
      -118_000,
      118_000.5,
      1e300,
      Number.MAX_SAFE_INTEGER + 1,
      '118000',
      null,
      [118_000],
      true,
      117_999,
      Number.MAX_SAFE_INTEGER,
    ]) {
      const status = await send(gateway, JSON.stringify(paidEvent(gateway, attempt, { amount })))
      assert.ok([200, 400].includes(status), `${amount}: ${status}`)
    }
    const raw = JSON.stringify(paidEvent(gateway, attempt)).replaceAll('118000', '1e999')
    assert.equal(await send(gateway, raw), 400)
    for (const currency of ['Inr', gateway === 'stripe' ? 'INR' : 'inr', 'inr ', 'XXX', 'xxx', 'usd', 'USD', '', 356, 'İNR'])
      assert.ok([200, 400].includes(await send(gateway, JSON.stringify(paidEvent(gateway, attempt, { currency })))), String(currency))
    assert.equal(await receivedOf(attempt), 0)
    assert.equal((await service.invoiceNow(attempt.invoice)).paidMinor, 0)
    assert.equal((await acme('GET', `/payments/${attempt.id}`)).body.payment.status, 'pending')
  })

  test(`one genuine callback of ${gateway}, sent 50 times at once and again under other ids of the event, books once`, async () => {
    const attempt = await open(gateway)
    await emulator.addFault({ kind: 'lost', event: '*', count: 1_000 })
    await emulator.pay(attempt.id)
    const type = gateway === 'stripe' ? 'checkout.session.completed' : 'payment_link.paid'
    const reported = (await emulator.state()).deliveries.find((each) => each.type === type && each.body.includes(attempt.id))
    const body = Buffer.from(reported?.body ?? '')
    const deliver = async (nth: number) => {
      // On a busy machine one of 50 that wait for the same row may be asked to come back, as gateways do.
      for (let turn = 1; ; turn++) {
        const status = await send(gateway, body, signed(gateway, body, nth % 2 === 0 ? 'evt_one' : `evt_${nth}`))
        if (status !== 503 || turn === 100) return status
      }
    }
    assert.deepEqual([...new Set(await Promise.all(Array.from({ length: 50 }, (_, nth) => deliver(nth))))], [200])
    await service.askAll()
    assert.equal((await acme('GET', `/payments/${attempt.id}`)).body.payment.received, 118_000)
    assert.equal((await service.invoiceNow(attempt.invoice)).paidMinor, 118_000)
  })

  test(`50 refunds at once of one payment by ${gateway} give back what was paid and no more`, async () => {
    const { id } = await open(gateway)
    await emulator.pay(id)
    const tooMuch = (await acme('POST', `/payments/${id}/refund`, { reason: 'Slip', amount: 118_001 })).body.error
    assert.equal(tooMuch.message, 'Of this payment 1180.00 INR can be given back at most.')
    const ask = async (nth: number) => {
      // On a busy machine one of 50 that wait for the same row may be asked to come back, and has changed nothing.
      for (let turn = 1; ; turn++) {
        const answer = await acme('POST', `/payments/${id}/refund`, { reason: `Race ${nth}`, ...(nth % 3 === 0 ? {} : { amount: 40_000 }) })
        if (answer.status !== 503 || turn === 100) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, nth) => ask(nth)))
    for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status))
    await Promise.all([service.askAll(), service.askAll()])
    await service.askAll()
    const { payment } = (await acme('GET', `/payments/${id}`)).body
    const given = (await emulator.state()).refunds.filter(({ paymentId }) => payment.refunds.length > 0 && paymentId !== '')
    const sum = payment.refunds.reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
    assert.ok(sum > 0 && sum <= 118_000, String(sum))
    assert.equal(payment.refunded, sum)
    const ids = new Set(payment.refunds.map((each: { id: string }) => each.id))
    const ofIt = given.filter(({ receipt, metadata }) => ids.has(receipt ?? metadata['refund_id'] ?? ''))
    assert.equal(
      ofIt.reduce((total, { amount }) => total + amount, 0),
      sum,
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, payment.refunds.length)
  })
}

test('addresses to return to that are not what they seem are refused', async () => {
  const { invoiceId } = await service.invoice('acme-fleet')
  const { host } = new URL(service.url)
  const tricks = [
    ...[
      'http://portal.example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      '//portal.example.com/',
      '/invoices/1',
      'https:',
    ],
    ...[
      `http://${host}@evil.example/`,
      `https://user:secret@portal.example.com/`,
      `http://evil.example\\@${host}/`,
      `http://${host}.evil.example/`,
    ],
    ...[
      'https://portal.example.com/\u0000',
      'ht\ntp://evil.example',
      ` http://evil.example`,
      `blob:${service.url}/1`,
      `https://${'x'.repeat(1_000)}.example/`,
    ],
  ]
  for (const return_url of tricks) {
    const { status, body } = await acme('POST', `/invoices/${invoiceId}/pay`, { return_url })
    const taken =
      status === 200 ? (await emulator.state()).checkouts.find(({ reference }) => reference === body.payment.id)?.returnUrl : undefined
    assert.ok(status === 400 || taken?.startsWith('https://portal.example.com/') === true, `${return_url}: ${status} ${taken}`)
  }
})

const author = () => systemAuthor('acme-fleet', service.now())
/** At the same time as `change`; the customer pays if there is a checkout. */
async function payDuring(invoice: StoredInvoice, change: (db: Db, locked: StoredInvoice) => Promise<unknown>) {
  const [paying] = await Promise.all([
    acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway: 'stripe' }),
    withInvoice(database, invoice, change).catch((error: unknown) => assert.ok(error instanceof Problem, String(error))),
  ])
  assert.ok([200, 409, 503].includes(paying.status), JSON.stringify(paying.body))
  if (paying.status === 200) await emulator.pay(paying.body.payment.id)
  for (let turn = 0; turn < 2; turn++) await service.askAll()
  const after = await service.invoiceNow(invoice)
  const kept = (await service.payments(invoice)).reduce((sum, { received, refunded }) => sum + received - refunded, 0)
  assert.equal(kept, after.paidMinor)
  assert.ok(
    after.paidMinor <= after.totalMinor - after.creditedMinor,
    `${after.paidMinor} of ${after.totalMinor} less ${after.creditedMinor}`,
  )
  assert.equal(await service.balance('acme-fleet', 'unapplied'), 0)
  return after
}

test('paying while an invoice is voided, credited or opened keeps what is due and gives the rest back', async () => {
  await payDuring(await service.invoice('acme-fleet'), (db, locked) => voidInvoice({ endCheckout }, db, locked, 'Race', author()))
  const parts = [{ line: 1, amountMinor: 1_000 }]
  const credited = await payDuring(await service.invoice('acme-fleet'), (db, locked) =>
    correctInvoice({ refundSurplus, endCheckout }, db, locked, { reason: 'Race', parts }, author()),
  )
  assert.ok(credited.creditedMinor > 0)
  const draft = testDraft({ issuerId: 'acme-fleet', resellerId: 'acme-fleet', subClientId: 'race', month: '2099-01' })
  await database.tenant('acme-fleet', (db) => insertInvoice(db, draft, linePartsOf(draft.lines)))
  await payDuring(draft, (db, locked) => openInvoice(db, locked, author()))
})
