// Goal: the emulator behaves as the gateways' documentation states where the platform relies on it, so that a test against it means something;
// and it is a process that starts, ends and remembers as it should. Method: the official stripe package and plain requests against a child
// process; its page in Chromium.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, type TestContext, test } from 'node:test'
import { chromium } from 'playwright-core'
import Stripe from 'stripe'
import { emptyState } from './state.ts'
import { type EmulatorChild, startEmulatorChild } from './testing-emulator.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const HOUR_MS = 3_600_000
/** Of a webhook that is not taken. The clock that a test moves goes on by itself as well: no test takes so long that one of them passes meanwhile. */
const [FIRST_WAIT_MS, SECOND_WAIT_MS] = [HOUR_MS, 5 * HOUR_MS]

let emulator: EmulatorChild
before(async () => {
  emulator = await startEmulatorChild({ retryDelaysMs: [FIRST_WAIT_MS, SECOND_WAIT_MS] })
})
after(async () => await emulator.stop())

type Received = { readonly headers: http.IncomingHttpHeaders; readonly body: string }

/** A merchant with a receiver that answers as it is set. */
async function merchant(t: TestContext, { callbackPath = '/callback' } = {}) {
  await emulator.setState(emptyState())
  const received: Received[] = []
  const answers: number[] = []
  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      if (request.url === callbackPath) received.push({ headers: request.headers, body })
      response
        .writeHead(request.url === callbackPath ? (answers.shift() ?? 200) : 200, { 'content-type': 'text/html' })
        .end('<h1>Thank you</h1>')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await emulator.setAccount({ gateway: 'stripe', key: 'sk_test_one', callbackUrl: `${url}${callbackPath}`, webhookSecrets: [SECRET] })
  const { hostname, port } = new URL(emulator.url)
  const stripe = new Stripe('sk_test_one', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
  const types = () => received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  return { stripe, url, received, answers, types }
}

function params(change: Partial<Stripe.Checkout.SessionCreateParams> = {}): Stripe.Checkout.SessionCreateParams {
  const price = { currency: 'eur', unit_amount: 1_234, product_data: { name: 'Invoice <INV-1> & "more"' } }
  return { mode: 'payment', client_reference_id: 'pat-0000000001', line_items: [{ quantity: 1, price_data: price }], ...change }
}

test('the official package opens, reads, lists and expires sessions, and the same key gives the same session', async (t) => {
  const { stripe } = await merchant(t)
  const made = await stripe.checkout.sessions.create(params(), { idempotencyKey: 'key-1' })
  assert.deepEqual([made.status, made.payment_status, made.amount_total, made.currency], ['open', 'unpaid', 1_234, 'eur'])
  assert.equal((await stripe.checkout.sessions.create(params(), { idempotencyKey: 'key-1' })).id, made.id)
  const other = stripe.checkout.sessions.create(params({ client_reference_id: 'pat-0000000002' }), { idempotencyKey: 'key-1' })
  await assert.rejects(other, { type: 'StripeIdempotencyError' })
  assert.deepEqual((await emulator.state()).opened, { 'pat-0000000001': 2, 'pat-0000000002': 1 })
  const { data, has_more } = await stripe.checkout.sessions.list({ limit: 1 })
  assert.deepEqual([data[0]?.id, has_more], [made.id, false])
  assert.equal((await stripe.checkout.sessions.expire(made.id)).status, 'expired')
  await assert.rejects(stripe.checkout.sessions.expire(made.id), { type: 'StripeInvalidRequestError', statusCode: 400 })
  await assert.rejects(stripe.checkout.sessions.retrieve('cs_test_none'), { statusCode: 404, code: 'resource_missing' })
  const odd = { quantity: 1, price_data: { currency: 'isk', unit_amount: 550, product_data: { name: 'x' } } }
  await assert.rejects(stripe.checkout.sessions.create(params({ line_items: [odd] })), {
    code: 'invalid_charge_amount_no_decimal_compatible',
  })
})

test('another merchant sees nothing of it', async (t) => {
  const { stripe } = await merchant(t)
  const made = await stripe.checkout.sessions.create(params())
  await emulator.setAccount({ gateway: 'stripe', key: 'sk_test_two', webhookSecrets: [SECRET] })
  const { hostname, port } = new URL(emulator.url)
  const other = new Stripe('sk_test_two', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
  await assert.rejects(other.checkout.sessions.retrieve(made.id), { statusCode: 404 })
  assert.deepEqual((await other.checkout.sessions.list()).data, [])
  const stranger = new Stripe('sk_test_three', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
  await assert.rejects(stranger.checkout.sessions.list(), { type: 'StripeAuthenticationError' })
})

test('webhooks are signed so that the official package takes them, with old and new secret while one is changed', async (t) => {
  const { stripe, received, url } = await merchant(t)
  const account = { gateway: 'stripe', key: 'sk_test_one', callbackUrl: `${url}/callback` } as const
  await emulator.setAccount({ ...account, webhookSecrets: ['whsec_new_one', SECRET] })
  await stripe.checkout.sessions.create(params())
  await emulator.pay('pat-0000000001')
  assert.ok(received.length >= 3)
  for (const { headers, body } of received) {
    const signature = headers['stripe-signature'] ?? ''
    for (const secret of [SECRET, 'whsec_new_one']) assert.match(stripe.webhooks.constructEvent(body, signature, secret).id, /^evt_/)
    assert.throws(() => stripe.webhooks.constructEvent(`${body} `, signature, SECRET))
  }
})

test('a webhook that is not taken comes again after a growing wait, until it is given up', async (t) => {
  const { stripe, answers, received } = await merchant(t)
  await stripe.checkout.sessions.create(params({ expires_at: Math.floor(Date.now() / 1000) + 3_600 }))
  answers.push(500, 302, 500)
  await emulator.advance(HOUR_MS + 1_000)
  assert.equal(received.length, 1)
  await emulator.advance(FIRST_WAIT_MS)
  assert.equal(received.length, 2)
  await emulator.advance(FIRST_WAIT_MS)
  assert.equal(received.length, 2, 'the second wait is longer')
  await emulator.advance(SECOND_WAIT_MS - FIRST_WAIT_MS)
  assert.equal(received.length, 3)
  const [delivery = assert.fail()] = (await emulator.state()).deliveries
  assert.deepEqual([delivery.status, delivery.tries, delivery.lastStatus], ['given_up', 3, 500])
})

test('a late webhook is overtaken, a delayed one waits for its time, a lost one never comes', async (t) => {
  const { stripe, types } = await merchant(t)
  const reported = (from = 0) =>
    types()
      .slice(from)
      .filter((type) => type.startsWith('checkout.session') || type === 'refund.created')
  await stripe.checkout.sessions.create(params())
  await emulator.addFault({ kind: 'reordered', delayMs: HOUR_MS })
  const { payment } = await emulator.pay('pat-0000000001')
  assert.deepEqual(reported(), [])
  await stripe.refunds.create({ payment_intent: payment?.id ?? '', amount: 100 })
  await emulator.advance(10)
  assert.deepEqual(reported(), ['refund.created', 'checkout.session.completed'])
  const before = types().length
  await stripe.checkout.sessions.create(params({ client_reference_id: 'pat-0000000002' }))
  await emulator.addFault({ kind: 'delayed', delayMs: 600_000 })
  await emulator.pay('pat-0000000002')
  assert.deepEqual(reported(before), [])
  await emulator.advance(600_000)
  assert.deepEqual(reported(before), ['checkout.session.completed'])
  await stripe.checkout.sessions.create(params({ client_reference_id: 'pat-0000000003' }))
  await emulator.addFault({ kind: 'lost' })
  await emulator.pay('pat-0000000003')
  await emulator.advance(HOUR_MS)
  assert.equal(reported(before).length, 1)
  assert.deepEqual((await emulator.state()).charged, { 'pat-0000000001': 1, 'pat-0000000002': 1, 'pat-0000000003': 1 })
})

test('wrong commands are answered in words, and a page elsewhere can give none', async (t) => {
  await merchant(t)
  await assert.rejects(emulator.addFault({ kind: 'earthquake' }), /earthquake is no fault; there are error_before/)
  await assert.rejects(emulator.pay('pat-unknown'), /there is no checkout pat-unknown/)
  await assert.rejects(emulator.advance(-1), /ms is a whole number/)
  await assert.rejects(emulator.setState({ checkouts: {} as never }), /checkouts is of another type/)
  const foreign = await fetch(`${emulator.url}/_state`, { headers: { origin: 'http://elsewhere.example' } })
  assert.equal(foreign.status, 401)
})

const needsChromium = { skip: CHROMIUM === undefined && 'needs Chromium: apt-get install --no-install-recommends chromium' }

test('a customer pays on the page in a browser: declined first, then paid, then back at the merchant', needsChromium, async (t) => {
  const { stripe, url } = await merchant(t)
  const made = await stripe.checkout.sessions.create(params({ success_url: `${url}/thanks?invoice=1`, cancel_url: `${url}/thanks` }))
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] })
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(made.url ?? '')
  const text = await page.innerText('main')
  assert.match(text, /Invoice <INV-1> & "more"/)
  assert.match(text, /12\.34 EUR/)
  await page.click('#decline')
  assert.match(await page.innerText('[role=status]'), /declined/)
  await page.click('#pay')
  await page.waitForURL(`${url}/thanks?invoice=1`)
  assert.equal(await page.innerText('h1'), 'Thank you')
  await page.goto(made.url ?? `${emulator.url}/pay/${made.id}`)
  assert.equal(await page.locator('#pay').count(), 0)
  assert.match(await page.innerText('[role=status]'), /This is paid/)
  assert.deepEqual((await emulator.state()).charged, { 'pat-0000000001': 1 })
})

test(
  'a payment link of Razorpay is paid in a browser, which comes back with what Razorpay signs, and the webhook reports it',
  needsChromium,
  async (t) => {
    const { url, received } = await merchant(t)
    const [key, keySecret] = ['rzp_test_one', 'secret-of-the-key']
    await emulator.setAccount({ gateway: 'razorpay', key, keySecret, callbackUrl: `${url}/callback`, webhookSecrets: [SECRET] })
    const authorization = `Basic ${Buffer.from(`${key}:${keySecret}`).toString('base64')}`
    const link = {
      amount: 118_000,
      currency: 'INR',
      reference_id: 'pat-0000000002',
      description: 'Invoice 42',
      callback_url: `${url}/thanks`,
    }
    const answer = await fetch(`${emulator.url}/v1/payment_links`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify(link),
    })
    const made = (await answer.json()) as { id: string; short_url: string }
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] })
    t.after(() => browser.close())
    const page = await browser.newPage()
    await page.goto(made.short_url)
    assert.match(await page.innerText('main'), /Razorpay checkout.*Invoice 42.*1180\.00 INR/s)
    await page.click('#pay')
    await page.waitForURL(`${url}/thanks?**`)
    const back = new URL(page.url()).searchParams
    const paymentId = back.get('razorpay_payment_id')
    const expected = createHmac('sha256', keySecret).update(`${made.id}|pat-0000000002|paid|${paymentId}`).digest('hex')
    assert.equal(back.get('razorpay_signature'), expected)
    await emulator.deliver()
    const events = received.map(({ body }) => JSON.parse(body) as { event: string })
    assert.deepEqual(
      events.map(({ event }) => event),
      ['payment.authorized', 'payment.captured', 'payment_link.paid'],
    )
  },
)

test('what was reported to a merchant is still so after SIGKILL, and its webhooks go on', async (t) => {
  const { url, received } = await merchant(t)
  const folder = await mkdtemp(join(tmpdir(), 'gateway-emulator-'))
  t.after(() => rm(folder, { recursive: true }))
  const stateFile = join(folder, 'state.json')
  const first = await startEmulatorChild({ stateFile })
  const account = { gateway: 'stripe', key: 'sk_test_one', webhookSecrets: [SECRET] } as const
  await first.setAccount({ ...account, webhookSecrets: [SECRET], callbackUrl: `${url}/callback` })
  const { hostname, port } = new URL(first.url)
  const stripe = new Stripe('sk_test_one', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
  const made = await stripe.checkout.sessions.create(params())
  await first.addFault({ kind: 'delayed', delayMs: 60_000 })
  await first.pay(made.id)
  await first.stop('SIGKILL')
  const before = received.length
  const second = await startEmulatorChild({ stateFile })
  t.after(() => second.stop())
  assert.equal((await second.state()).checkouts[0]?.id, made.id)
  await second.advance(60_000)
  assert.equal(received.length, before + 1)
})

test('it reports where it listens in one line, and ends on SIGTERM and when stdin closes', async () => {
  for (const end of ['SIGTERM', 'stdin'] as const) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--exit-with-parent'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    assert.match(line, /^ready http:\/\/127\.0\.0\.1:\d+$/)
    if (end === 'stdin') child.stdin.end()
    else child.kill(end)
    assert.deepEqual(await exited, [0, null])
  }
})

test('wrong options are refused with the usage', async () => {
  for (const args of [['--port', 'x'], ['--port', '70000'], ['--what'], ['--retry-delays-ms', '1,x']]) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { stdio: 'ignore' })
    assert.deepEqual(await once(child, 'exit'), [2, null])
  }
})
