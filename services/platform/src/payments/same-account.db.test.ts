// Goal: nothing is lost and nobody is charged twice when the credentials of a connection change or it is removed while money moves through it. Method: the
// real routes and jobs; at the emulator a key is rolled, or is another account's; the ledger sums to zero after each test.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { systemAuthor } from '../audit/audit.ts'
import { connectAsOwner, TEST_SECRET_KEY, untilTaken } from '../test-support.ts'
import { operatorGateways } from './operator-gateways.ts'
import { assertBooks, openPaymentService, WEBHOOK_SECRET } from './test-payment-service.ts'

const service = await openPaymentService({ after })
const { emulator, database } = service
const DAY_MS = 86_400_000

afterEach(async () => {
  await emulator.clearFaults()
  await assertBooks(service)
})

type Gateway = 'stripe' | 'razorpay'
/** Of the emulator's account, and of the body of a change. */
const keyOf = (gateway: Gateway, name: string) => `${gateway === 'stripe' ? 'sk' : 'rzp'}_test_${name}`
function changeTo(gateway: Gateway, name: string) {
  const key = keyOf(gateway, name)
  if (gateway === 'stripe') return { credentials: { api_key: key } }
  return { settings: { base_url: emulator.url, key_id: key }, credentials: { key_secret: 'secret-of-the-key' } }
}
let fleets = 0
async function connected(gateway: Gateway) {
  const slug = `fleet${++fleets}`
  const call = await service.reseller(slug)
  const { connectionId } = await service.connect(slug, gateway)
  const callbackUrl = `${service.url}/api/sim-billing/payments/callback/${gateway}/${connectionId}`
  const account = (name: string) => ({
    ...{ gateway, key: keyOf(gateway, name), keySecret: 'secret-of-the-key', callbackUrl, webhookSecrets: [WEBHOOK_SECRET] },
  })
  const open = async () => {
    const invoice = await service.invoice(slug)
    const { status, body } = await call('POST', `/invoices/${invoice.invoiceId}/pay`, {})
    assert.equal(status, 200, JSON.stringify(body))
    return { invoice, id: body.payment.id as string }
  }
  return { slug, call, connectionId, account, open, path: `/gateway-connections/${connectionId}` }
}

for (const gateway of ['stripe', 'razorpay'] as const) {
  test(`credentials of another account at ${gateway} are refused once there is a payment, and it is paid and given back where it was begun`, async () => {
    const { slug, call, account, open, path } = await connected(gateway)
    const first = `${slug}b`
    await emulator.setAccount(account(first))
    assert.equal((await call('PUT', path, changeTo(gateway, first))).status, 200, 'before the first payment nothing is there to be lost')
    const { invoice, id } = await open()
    await emulator.setAccount(account(`${slug}c`))
    const refused = await call('PUT', path, changeTo(gateway, `${slug}c`))
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'conflict'], JSON.stringify(refused.body))
    const wrong = await call('PUT', path, changeTo(gateway, 'nobodys'))
    assert.deepEqual(
      [wrong.status, wrong.body.error.details.field],
      [400, `credentials.${gateway === 'stripe' ? 'api_key' : 'key_secret'}`],
    )
    await emulator.addFault({ kind: 'error_before', gateway })
    assert.equal((await call('PUT', path, changeTo(gateway, `${slug}c`))).status, 503)
    await emulator.pay(id)
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
    assert.equal((await call('PUT', path, changeTo(gateway, `${slug}c`))).status, 409, 'a refund of it would be asked of the other account')
    assert.equal((await call('POST', `/payments/${id}/refund`, { reason: 'Billed twice' })).status, 200)
    await service.askAll()
    assert.equal((await call('GET', `/payments/${id}`)).body.payment.refunds[0].status, 'succeeded')
    assert.equal((await emulator.state()).charged[id], 1)
  })

  test(`a key of ${gateway} that was rolled is taken while a payment is open, and the payment goes on`, async () => {
    const { slug, call, account, open, path } = await connected(gateway)
    const { invoice, id } = await open()
    await emulator.setAccount({ ...account(`${slug}new`), rolledFrom: keyOf(gateway, slug) })
    await service.askAll()
    assert.notEqual((await call('GET', `/payments/${id}`)).body.payment.unanswered_since, null, 'the old key is refused')
    const { status, body } = await call('PUT', path, changeTo(gateway, `${slug}new`))
    assert.equal(status, 200, JSON.stringify(body))
    await emulator.addFault({ kind: 'lost', event: '*', count: 100 })
    await emulator.pay(id)
    await service.askAll()
    assert.equal((await service.invoiceNow(invoice)).status, 'paid')
    assert.deepEqual([(await emulator.state()).charged[id], (await service.payments(invoice)).length], [1, 1])
  })

  test(`a connection to ${gateway} stays while a refund or a dispute of it is under way`, async () => {
    const { call, open, path } = await connected(gateway)
    const { id } = await open()
    const { payment } = await emulator.pay(id)
    await emulator.addFault({ kind: 'refund_pending', gateway, delayMs: DAY_MS })
    assert.equal((await call('POST', `/payments/${id}/refund`, { reason: 'Billed twice', amount: 18_000 })).status, 200)
    await service.runJobs()
    const dispute = await emulator.openDispute(payment?.id ?? '', { amount: 30_000 })
    await service.runJobs()
    assert.deepEqual((await call('DELETE', path)).body.error.details, { payments: 0, refunds: 1, disputes: 1 })
    await service.advance(DAY_MS)
    await emulator.moveDispute(dispute.id, 'won')
    await service.askAll()
    assert.equal((await call('DELETE', path)).status, 200)
  })

  test(`what was paid through a connection to ${gateway} that is gone is given back by nobody, and that is reported`, async () => {
    const { slug, call, connectionId, open } = await connected(gateway)
    const { id } = await open()
    await emulator.pay(id)
    assert.equal((await call('POST', `/payments/${id}/refund`, { reason: 'In the queue', amount: 18_000 })).status, 200)
    // As by a process that deletes it in the same moment.
    await database.systemPool.query('delete from gateway_connections where connection_id = $1', [connectionId])
    const refused = await call('POST', `/payments/${id}/refund`, { reason: 'Billed twice' })
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'conflict'])
    await service.askAll()
    const { payment } = (await call('GET', `/payments/${id}`)).body
    assert.deepEqual([payment.refunded, payment.refunds.length, payment.refunds[0].status], [0, 1, 'failed'])
    const reported = (await service.events('payment.refund.updated')).filter((each) => each['paymentId'] === id)
    assert.deepEqual(
      reported.map((each) => each['status']),
      ['failed'],
    )
    assert.ok(service.errors.some((message) => message.startsWith('a refund failed')))
    assert.equal(await service.balance(slug, 'cash'), 118_000)
  })
}

test('of two changes of a connection that began from the same state one is refused, and undoes nothing of the other', async (t) => {
  const { slug, call, path } = await connected('stripe')
  const owner = await connectAsOwner(t, service.ownerUrl)
  await owner.query('begin')
  await owner.query(`select pg_advisory_xact_lock(hashtextextended('gateway connections of ' || $1, 0))`, [slug])
  // One that waited for too long before the other one came begins anew, from the same state.
  const changes = [{ name: 'Renamed' }, { enabled: false }].map((change) => untilTaken(() => call('PUT', path, change)))
  // Of this database: other tests use the server at the same time.
  const waiting = `select count(*)::int as count from pg_locks join pg_stat_activity using (pid)
                    where locktype = 'advisory' and not granted and datname = current_database()`
  while ((await owner.query<{ count: number }>(waiting)).rows[0]?.count !== 2) await delay(20)
  await owner.query('commit')
  assert.deepEqual((await Promise.all(changes)).map(({ status }) => status).sort(), [200, 409])
  const { connection } = (await call('GET', path)).body
  assert.notEqual(connection.name === 'Renamed', connection.enabled === false)
})

test('on the command line too the gateway is asked whether it is the same account', async () => {
  const { slug, account, open, connectionId } = await connected('stripe')
  await open()
  await emulator.setAccount(account(`${slug}other`))
  const gateways = operatorGateways(database, TEST_SECRET_KEY, service.now)
  const author = systemAuthor(slug, service.now())
  await assert.rejects(gateways.change(connectionId, changeTo('stripe', `${slug}other`), author, '127.0.0.0/8'), { code: 'conflict' })
  await assert.rejects(gateways.change(connectionId, changeTo('stripe', `${slug}other`), author, ''), { code: 'unavailable' })
})
