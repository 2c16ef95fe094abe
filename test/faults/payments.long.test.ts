// Goal: a process that is killed at any step of paying, of a callback or of a refund leaves an invoice that agrees with the gateway, and nobody is charged
// or refunded twice. Method: the real service as a process, the gateway emulator as another that holds its answer, or a lock on the invoice that holds the
// service before it commits; SIGKILL there; another process on the same database goes on. Time that must pass is taken off the rows that wait for it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import { assertLedgerBalances } from '@roadworthy/platform/billing/ledger/ledger'
import { createKey } from '@roadworthy/platform/keys/keys'
import { createReseller } from '@roadworthy/platform/resellers/resellers'
import { connectAsOwner, openDatabasePatiently, untilTaken } from '@roadworthy/platform/test-support'
import { makeBill } from '../support/make-bill.ts'
import { gatewayConnection } from '../support/make-payment.ts'
import { type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { type Caller, callerAt, ok, type Tenant } from '../support/service.ts'

const SLUG = 'acme-fleet'
const SECRETS = [gatewayConnection.credentials.webhook_secret]
const cleanUps: (() => Promise<void>)[] = []
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})
const hooks = { after: (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp) }
const flags = ['--gateway-allow-cidrs', '127.0.0.0/8', '--log-level', 'fatal']
const first = await startPlatform(hooks, { flags })
const emulator: EmulatorChild = await startEmulatorChild({ retryDelaysMs: [500, 500, 500, 500, 500, 500, 500, 500] })
hooks.after(async () => await emulator.stop())
const { databaseUrl: url } = first
const database = openDatabasePatiently(
  { owner: url, app: url, system: url },
  { appConnections: 2, systemConnections: 1, onError: () => undefined },
)
hooks.after(() => database.close())
const owner = await connectAsOwner(hooks, url)

await createReseller(database, { slug: SLUG, name: SLUG }, new Date())
const { apiKey } = await createKey(database, SLUG, { name: 'test', scopes: ['*'], perMinute: 0, perDay: 0 }, new Date())
let running: RunningPlatform = first
/** What a busy machine asks to repeat is repeated where nothing is done twice. */
const call: Caller = (method, path, options) => {
  const ask = () => callerAt(`${running.credentials.base_url}/api/sim-billing`, apiKey)(method, path, options)
  return method === 'GET' || path.endsWith('/pay') ? untilTaken(ask) : ask()
}
const tenant = { slug: SLUG, simBilling: call } as Tenant
const connections: { gateway: 'stripe' | 'razorpay'; key: string; id: string }[] = []
for (const gateway of ['stripe', 'razorpay'] as const) {
  const key = gateway === 'stripe' ? 'sk_test_for_tests' : 'rzp_test_fortests'
  const body =
    gateway === 'stripe'
      ? { ...gatewayConnection, settings: { base_url: emulator.url } }
      : {
          ...{ gateway, name: 'Razorpay', settings: { base_url: emulator.url, key_id: key } },
          credentials: { key_secret: 'secret-of-the-key', webhook_secret: SECRETS[0] },
        }
  const made = ok<{ connection: { connection_id: string } }>(await call('POST', '/gateway-connections', { body }))
  connections.push({ gateway, key, id: made.connection.connection_id })
}
await setCallbackUrls()

async function setCallbackUrls(): Promise<void> {
  for (const { gateway, key, id } of connections) {
    const callbackUrl = `${running.credentials.base_url}/api/sim-billing/payments/callback/${gateway}/${id}`
    await emulator.setAccount({ gateway, key, keySecret: 'secret-of-the-key', callbackUrl, webhookSecrets: SECRETS })
  }
}

async function kill(): Promise<void> {
  if (running.process.signalCode !== null) return
  const exited = once(running.process, 'exit')
  running.process.kill('SIGKILL')
  await exited
}

/** By SIGKILL; the next one begins on the same database. What waits for time to pass is due at once. */
async function killAndRestart(): Promise<void> {
  await kill()
  await emulator.clearFaults()
  await hurry()
  running = await startPlatform(hooks, { flags, env: { DATABASE_URL: url } })
  await setCallbackUrls()
}

async function hurry(): Promise<void> {
  await owner.query("update jobs set due_at = now(), claimed_until = null, claim_id = null where kind like 'payment-%'")
  await owner.query('update payment_attempts set opening_until = null')
}

async function until(what: string, isThere: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 3_600; i++) {
    if (await isThere()) return
    await sleep(50)
  }
  assert.fail(`never: ${what}`)
}

const invoices = (() => {
  let count = 0
  return async () => {
    const subClient = `depot-${++count}`
    await owner.query('insert into sub_clients (reseller_id, sub_client_id, name) values ($1, $2, $2)', [SLUG, subClient])
    return (await makeBill(database, tenant, subClient)).invoice
  }
})()
type Shown = { status: string; paid_minor: number; payments: { id: string; status: string }[] }
const shown = async (id: string) => ok<{ invoice: Shown }>(await call('GET', `/invoices/${id}`)).invoice
const attemptOf = async (id: string) => (await shown(id)).payments[0]?.id ?? ''
/** Nobody waits for the answer of a process that is killed. */
const payInVain = (invoice: string, gateway: string) =>
  void call('POST', `/invoices/${invoice}/pay`, { body: { gateway } }).catch(() => undefined)

async function assertAgrees(invoice: string, attempts = 1): Promise<void> {
  await until('the invoice is paid', async () => (await shown(invoice)).status === 'paid')
  const { paid_minor, payments } = await shown(invoice)
  assert.deepEqual([paid_minor, payments.length], [118_000, attempts])
  const state = await emulator.state()
  const charged = payments.reduce((sum, { id }) => sum + (state.charged[id] ?? 0), 0)
  assert.equal(charged, 1)
  assert.deepEqual(
    payments.map(({ id }) => state.checkouts.filter(({ reference }) => reference === id).length),
    payments.map(() => 1),
  )
  await assertLedgerBalances(database.systemPool)
}

async function payAndFinish(invoice: string, gateway: string): Promise<void> {
  const { payment } = ok<{ payment: { id: string } }>(await call('POST', `/invoices/${invoice}/pay`, { body: { gateway } }))
  await emulator.pay(payment.id)
  await assertAgrees(invoice)
}

for (const { gateway } of connections) {
  test(`killed while ${gateway} has the request and has done nothing`, async () => {
    const invoice = await invoices()
    await emulator.addFault({ kind: 'slow', gateway, operation: 'open', delayMs: 15_000 })
    payInVain(invoice, gateway)
    await until('an attempt', async () => (await attemptOf(invoice)) !== '')
    await killAndRestart()
    await payAndFinish(invoice, gateway)
  })

  test(`killed while ${gateway} holds back the answer of a checkout that is open; the job finds it`, async () => {
    const invoice = await invoices()
    await emulator.addFault({ kind: 'timeout_after_success', gateway, operation: 'open', delayMs: 15_000 })
    payInVain(invoice, gateway)
    await until('a checkout', async () => {
      const id = await attemptOf(invoice)
      return (await emulator.state()).checkouts.some(({ reference }) => reference === id)
    })
    await killAndRestart()
    // Nobody asks again: the customer has the link from elsewhere, and the jobs do the rest.
    await emulator.pay(await attemptOf(invoice))
    await assertAgrees(invoice)
  })

  test(`killed after ${gateway} has answered and before that is stored`, async () => {
    const invoice = await invoices()
    payInVain(invoice, gateway)
    await until('an attempt', async () => (await attemptOf(invoice)) !== '')
    await owner.query('begin')
    await owner.query('select from invoices where invoice_id = $1 for update', [invoice])
    await sleep(300)
    await kill()
    await owner.query('rollback')
    await killAndRestart()
    await payAndFinish(invoice, gateway)
  })

  test(`killed while a callback of ${gateway} is being booked`, async () => {
    const invoice = await invoices()
    const { payment } = ok<{ payment: { id: string } }>(await call('POST', `/invoices/${invoice}/pay`, { body: { gateway } }))
    await owner.query('begin')
    await owner.query('select from invoices where invoice_id = $1 for update', [invoice])
    const paying = emulator.pay(payment.id).catch(() => undefined)
    await sleep(700)
    await kill()
    await owner.query('rollback')
    assert.equal((await owner.query('select paid_minor::int as paid from invoices where invoice_id = $1', [invoice])).rows[0].paid, 0)
    await killAndRestart()
    await paying
    await assertAgrees(invoice)
  })

  test(`killed while ${gateway} holds back the answer of a refund`, async () => {
    const invoice = await invoices()
    await payAndFinish(invoice, gateway)
    const id = await attemptOf(invoice)
    await emulator.addFault({ kind: 'timeout_after_success', gateway, operation: 'refund', delayMs: 15_000 })
    const refunds = async () => (await emulator.state()).refunds.filter(({ amount }) => amount === 18_000)
    const before = (await refunds()).length
    ok(await call('POST', `/payments/${id}/refund`, { body: { reason: 'Billed twice', amount: 18_000 } }))
    await until('a refund', async () => (await refunds()).length > before)
    await killAndRestart()
    await until('it is booked', async () => (await shown(invoice)).paid_minor === 100_000)
    const { payment } = ok<{ payment: { refunds: { status: string }[]; refunded: number } }>(await call('GET', `/payments/${id}`))
    assert.deepEqual([payment.refunded, payment.refunds.length], [18_000, 1])
    const state = await emulator.state()
    const ours = new Set(state.payments.filter(({ metadata }) => metadata['attempt_id'] === id).map((each) => each.id))
    assert.equal(state.refunds.filter(({ paymentId }) => ours.has(paymentId)).length, 1)
    await assertLedgerBalances(database.systemPool)
  })
}
