// Goal: credentials of gateways are kept sealed, go nowhere else, and a connection stays while money may move through it. Method: the real routes over a
// real database, and the emulator as the gateway of the test call.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { OPERATOR_BOOK } from '../billing/book.ts'
import { TEST_SECRET_KEY, untilTaken } from '../test-support.ts'
import { operatorGateways } from './operator-gateways.ts'
import { openPaymentService, WEBHOOK_SECRET } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { emulator, database } = service
const acme = await service.reseller('acme-fleet')
const API_KEY = 'sk_test_secretive'
const stripe = (more: object = {}) => ({
  ...{ gateway: 'stripe', name: 'Stripe', settings: { base_url: emulator.url } },
  ...{ credentials: { api_key: API_KEY, webhook_secret: WEBHOOK_SECRET }, ...more },
})
const fieldOf = ({ status, body }: { status: number; body: { error?: { details?: { field?: string } } } }) => [
  status,
  body.error?.details?.field,
]

test('credentials are in no answer, no row and no audit entry, and the test call uses them', async () => {
  const made = await acme('POST', '/gateway-connections', stripe())
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const { connection } = made.body
  assert.deepEqual([connection.mode, connection.credential_names], ['test', ['api_key', 'webhook_secret']])
  assert.equal(connection.callback_url, `${service.url}/api/sim-billing/payments/callback/stripe/${connection.connection_id}`)
  const path = `/gateway-connections/${connection.connection_id}`
  const refused = await acme('POST', `${path}/test`)
  assert.deepEqual([refused.status, refused.body.success], [200, false])
  await emulator.setAccount({ gateway: 'stripe', key: API_KEY, webhookSecrets: [WEBHOOK_SECRET] })
  assert.equal((await acme('POST', `${path}/test`)).body.success, true)
  const { rows } = await database.systemPool.query<{ text: string }>(
    `select (select json_agg(a)::text from audit_log a) || (select json_agg(c)::text from gateway_connections c) as text`,
  )
  for (const secret of [API_KEY, WEBHOOK_SECRET]) {
    assert.ok(!rows[0]?.text.includes(secret))
    assert.ok(!rows[0]?.text.includes(Buffer.from(secret).toString('hex')))
    assert.ok(
      !JSON.stringify([made.body, (await acme('GET', path)).body, (await acme('GET', '/gateway-connections')).body]).includes(secret),
    )
  }
})

test('an address that may not be reached is refused when it is written, by its field', async () => {
  const at = (base_url: string) => stripe({ settings: { base_url } })
  for (const url of ['http://10.0.0.1', 'https://169.254.169.254', 'http://93.184.215.14'])
    assert.deepEqual(fieldOf(await acme('POST', '/gateway-connections', at(url))), [400, 'settings.base_url'], url)
  const { body } = await acme('POST', '/gateway-connections', stripe())
  const path = `/gateway-connections/${body.connection.connection_id}`
  const moved = { settings: { base_url: 'https://10.0.0.1' }, credentials: { api_key: API_KEY } }
  assert.deepEqual(fieldOf(await acme('PUT', path, moved)), [400, 'settings.base_url'])
  assert.equal((await acme('DELETE', path)).status, 200)
})

test('what no key of the gateway looks like is refused by its field, and so are keys of the other gateway', async () => {
  const make = async (body: object) => fieldOf(await acme('POST', '/gateway-connections', body))
  const credentials = (given: object) => stripe({ credentials: { webhook_secret: WEBHOOK_SECRET, ...given } })
  assert.deepEqual(await make(credentials({})), [400, 'credentials.api_key'])
  assert.deepEqual(await make(credentials({ api_key: 'pk_test_public' })), [400, 'credentials.api_key'])
  assert.deepEqual(await make(credentials({ api_key: API_KEY, key_secret: 'of-razorpay' })), [400, 'credentials.key_secret'])
  assert.deepEqual(await make(stripe({ credentials: { api_key: API_KEY } })), [400, 'credentials.webhook_secret'])
  assert.deepEqual(await make(stripe({ settings: { key_id: 'rzp_test_x1y2' } })), [400, 'settings.key_id'])
  assert.deepEqual(await make(stripe({ settings: { base_url: 'ftp://x.example' } })), [400, 'settings.base_url'])
  assert.deepEqual(
    await make({ ...stripe(), gateway: 'razorpay', credentials: { key_secret: 'a-secret-of-it', webhook_secret: WEBHOOK_SECRET } }),
    [400, 'settings.key_id'],
  )
})

test('a stored key is not sent to another address, and test does not become live', async () => {
  const { connection } = (await acme('POST', '/gateway-connections', stripe())).body
  const path = `/gateway-connections/${connection.connection_id}`
  const elsewhere = { settings: { base_url: 'https://elsewhere.example' } }
  assert.deepEqual(fieldOf(await acme('PUT', path, elsewhere)), [400, 'credentials.api_key'])
  assert.equal((await acme('PUT', path, { ...elsewhere, credentials: { api_key: API_KEY } })).status, 200)
  assert.equal((await acme('PUT', path, { credentials: { api_key: 'sk_live_realmoney' } })).status, 409)
  assert.equal((await acme('DELETE', path)).status, 200)
})

test('a connection is deleted when nothing is under way through it, and there are ten at most', async () => {
  const connected = await service.connect('acme-fleet', 'razorpay')
  const path = `/gateway-connections/${connected.connectionId}`
  const invoice = await service.invoice('acme-fleet')
  assert.equal((await acme('POST', `/invoices/${invoice.invoiceId}/pay`, { gateway: 'razorpay' })).status, 200)
  assert.equal((await acme('DELETE', path)).status, 409)
  await service.advance(62 * 60_000)
  await service.askAll()
  // It has expired, and may be paid late.
  const late = await acme('DELETE', path)
  assert.deepEqual([late.status, late.body.error.details], [409, { payments: 1, refunds: 0, disputes: 0 }])
  await service.advance(5 * 24 * 3_600_000)
  assert.equal((await acme('DELETE', path)).status, 200)
  assert.equal((await acme('GET', path)).status, 404)
  const answers = await Promise.all(Array.from({ length: 14 }, () => untilTaken(() => acme('POST', '/gateway-connections', stripe()))))
  const total = (await acme('GET', '/gateway-connections')).body.total
  assert.equal(total, 10, JSON.stringify(answers.map(({ status }) => status)))
  assert.equal((await acme('POST', '/gateway-connections', stripe())).status, 409)
})

test('the operator of the installation keeps gateways of its own, which no reseller sees', async () => {
  const gateways = operatorGateways(database, TEST_SECRET_KEY, service.now)
  const author = () => systemAuthor(OPERATOR_BOOK, service.now())
  const { connection_id: id } = await gateways.add(stripe(), author())
  assert.equal((await acme('GET', `/gateway-connections/${id}`)).status, 404)
  await assert.rejects(gateways.add({ gateway: 'paypal' }, author()), /gateway|It/)
  assert.equal((await gateways.change(id, { enabled: false }, author(), '127.0.0.0/8')).enabled, false)
  await gateways.remove(id, author())
  assert.deepEqual(await gateways.list(), [])
})
