// Goal: a reseller goes from nothing to a paid invoice by the command line alone, and no secret is printed on the way. Method: an instance of its own,
// and the emulators of operators and of gateways as processes of their own.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import { ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { type RunningEmulator, startEmulator } from '@roadworthy/operator-emulator/testing-emulator'
import { newestClosedMonth } from '../support/closed-month.ts'
import type { Ended } from '../support/command-line.ts'
import { callPatiently as call } from '../support/running-platform.ts'
import { type OwnInstance, startOwnInstance } from './own-instance.ts'

const SIMS = 8
const STRIPE = { KEY: 'sk_test_command_line', HOOK: 'whsec_command_line_0123456789' }
const ENV = { CISCO_USER: 'user-1', CISCO_KEY: 'key-1', WRONG_KEY: 'not-the-key-0123', STRIPE_KEY: STRIPE.KEY, STRIPE_HOOK: STRIPE.HOOK }
const SECRETS = [ENV.CISCO_KEY, ENV.WRONG_KEY, STRIPE.KEY, STRIPE.HOOK]
const LOOPBACK = ['--operator-allow-cidrs', '127.0.0.0/8', '--gateway-allow-cidrs', '127.0.0.0/8']
const POLL_MS = 300
const MAX_POLLS = 400

let instance: OwnInstance
let operator: RunningEmulator
let gateway: EmulatorChild

before(async () => {
  instance = await startOwnInstance(LOOPBACK)
  operator = await startEmulator({ sims: SIMS, jobMs: 50 })
  gateway = await startEmulatorChild({ retryDelaysMs: [200, 500, 1_000] })
})

after(async () => {
  await gateway?.stop()
  await operator?.stop()
  await instance?.stop()
})

/** Whatever comes of it, none of the secrets is printed. */
async function run(...args: string[]): Promise<Ended> {
  const ended = await instance.runWith(ENV, ...args)
  for (const secret of SECRETS) assert.ok(!`${ended.stdout}${ended.stderr}`.includes(secret), `${args.join(' ')} prints a secret`)
  return ended
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows what its command answers.
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await run(...args, '--json')
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

async function fails(code: number, words: RegExp, ...args: string[]): Promise<void> {
  const ended = await run(...args)
  assert.deepEqual([ended.code, ended.stdout], [code, ''], ended.stderr)
  assert.match(ended.stderr, words)
}

function file(name: string, content: unknown): string {
  writeFileSync(path.join(instance.folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return name
}

test('billing is set up: settings, prices, a rate plan by the operator’s name, and terms of a sub-client', async () => {
  const { api_key: key } = JSON.parse(readFileSync(path.join(instance.dataDir, 'credentials.json'), 'utf8')) as { api_key: string }
  const made = await call(instance.baseUrl, 'POST', '/api/external/sub-clients', { key, body: { name: 'North', sub_client_id: 'north' } })
  assert.equal(made.status, 200)
  assert.equal((await json('invoices', 'settings')).settings, null)
  const issuer = { name: 'Acme Telematics', address_lines: ['1 Dock Road'], country_code: 'IN' }
  const taxes = [{ tax_id: 'igst', name: 'IGST', rate_percent: '18', category: 'S' }]
  const settings = file('billing.json', { currency: 'INR', issuer, taxes, payment_terms_days: 7, reminder_days: [2] })
  assert.deepEqual((await json('invoices', 'settings', '--file', settings)).settings.reminder_days, [2])
  assert.equal((await json('invoices', 'settings')).settings.payment_terms_days, 7)

  const prices = file('prices.json', { subscription_fee: '1000', meters: [], effective_from: '2020-01' })
  assert.equal((await json('invoices', 'prices', '--file', prices)).price_list.version, 1)
  const operatorPlan = (await operator.state()).accounts[0]?.sims.find(({ state }) => state === 'active')?.ratePlan
  const plan = {
    ...{ plan_id: 'm2m', name: 'M2M', operator_plan: operatorPlan },
    prices: {
      ...{ rental: '45', overage_per_megabyte: '1', activation_fee: '0', custody_fee: '10', included_megabytes: '1' },
      ...{ custody_min_days: 0, pooled: false, prorated: true },
    },
  }
  assert.equal((await json('invoices', 'plans', 'set', 'm2m', '--file', file('m2m.json', plan))).version, 1)
  const renamed = await json('invoices', 'plans', 'set', 'm2m', '--file', file('renamed.json', { name: 'M2M 10' }))
  assert.deepEqual([renamed.version, renamed.name, renamed.operator_plan, renamed.prices.rental], [2, 'M2M 10', operatorPlan, '45'])
  await fails(2, /of another plan/, 'invoices', 'plans', 'set', 'other', '--file', 'm2m.json')
  await json('invoices', 'plans', 'set', 'spare', '--file', file('spare.json', { ...plan, plan_id: 'spare', operator_plan: null }))
  assert.notEqual((await json('invoices', 'plans', 'archive', 'spare')).archived_at, null)
  assert.match((await run('invoices', 'plans', 'list')).stdout, /^m2m +2 +M2M 10 .*in use\nspare .*archived$/m)

  await json('invoices', 'customers', 'set', 'north', '--file', file('north.json', { buyer_reference: 'PO-7731' }))
  assert.equal((await json('invoices', 'customers', 'show', 'north')).customer.buyer_reference, 'PO-7731')
  await fails(4, /./, 'invoices', 'customers', 'show', 'nobody')
})

test('an operator is connected with credentials of the environment, tested, and its SIMs are found', async () => {
  const { baseUrl, settings } = ciscoConnection(operator.url)
  const snaked = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  )
  const cisco = file('cisco.json', { operator: 'cisco', name: 'Control Center', base_url: baseUrl, settings: snaked })
  const operators = (...args: string[]) => ['sims', 'operators', ...args]
  const credentials = (key: string) => ['--credential', 'username=CISCO_USER', '--credential', `api_key=${key}`]
  await fails(2, /"api_key"/, ...operators('add', '--file', cisco, ...credentials('NO_SUCH_VARIABLE')))
  await fails(2, /a variable of the environment/, ...operators('add', '--file', cisco, '--credential', `api_key=${ENV.WRONG_KEY}`))
  await fails(2, /is not JSON/, ...operators('add', '--file', file('broken.json', `{"credentials": {"api_key": ${ENV.CISCO_KEY}}}`)))
  await fails(2, /--file/, ...operators('add', ...credentials('CISCO_KEY')))

  const added = await json(...operators('add', '--file', cisco, ...credentials('CISCO_KEY')))
  const id: string = added.connection_id
  assert.deepEqual([added.operator, added.credential_names], ['cisco', ['api_key', 'username']])
  assert.match((await run(...operators('test', id))).stdout, /^It works\./)
  await json(...operators('change', id, ...credentials('WRONG_KEY')))
  const refused = await run(...operators('test', id))
  assert.equal(refused.code, 1, refused.stdout)
  assert.match(refused.stdout, /^It does not work\./)
  const failed = await run('sims', 'sync', '--wait', '--scope', 'sims', '--connection', id)
  assert.equal(failed.code, 1, failed.stdout)
  assert.match(failed.stdout, /^syn-\S+ is failed\. 0 SIMs seen/)
  assert.match(failed.stderr, new RegExp(`^${id}: .*\\(auth\\)$`, 'm'))
  const changed = await json(
    ...operators('change', id, '--file', file('custody.json', { custody_max_days: 60 }), ...credentials('CISCO_KEY')),
  )
  assert.equal(changed.custody_max_days, 60)

  const whole = await json('sims', 'sync', '--full', '--wait')
  assert.deepEqual([whole.status, whole.sims.seen, whole.errors], ['completed', SIMS, []])
  const { total, sims } = await json('sims', 'list')
  assert.equal(total, SIMS)
  const plans = new Set((sims as { plan_id: string | null }[]).map(({ plan_id }) => plan_id))
  assert.ok(plans.has('m2m'), 'by the operator’s name of its plan')
  assert.match((await run(...operators('list'))).stdout, new RegExp(`^${id} +cisco +Control Center +yes +- +${SIMS} `, 'm'))
  await fails(1, /conflict/, ...operators('remove', id))
})

test('a gateway is connected, a month is drafted, opened, paid, and given back in part', async () => {
  const gateways = (...args: string[]) => ['invoices', 'gateways', ...args]
  const stripe = file('stripe.json', { gateway: 'stripe', name: 'Stripe', settings: { base_url: gateway.url } })
  const credentials = ['--credential', 'api_key=STRIPE_KEY', '--credential', 'webhook_secret=STRIPE_HOOK']
  await gateway.setAccount({ gateway: 'stripe', key: STRIPE.KEY, callbackUrl: 'http://127.0.0.1:1/', webhookSecrets: [STRIPE.HOOK] })
  const added = await json(...gateways('add', '--file', stripe, ...credentials))
  const callbackUrl: string = added.callback_url
  await gateway.setAccount({ gateway: 'stripe', key: STRIPE.KEY, callbackUrl, webhookSecrets: [STRIPE.HOOK] })
  assert.equal((await json(...gateways('test', added.connection_id))).success, true)
  assert.match((await run(...gateways('list'))).stdout, /stripe +Stripe +yes +test/)

  const invoice = await draftClosedMonth()
  const anew = await json('invoices', 'draft', '--month', newestClosedMonth(), '--sub-client', 'north', '--replace')
  assert.deepEqual([anew.made, anew.replaced, anew.kept, anew.invoices[0].invoice_id], [0, 1, 0, invoice])
  assert.equal((await json('invoices', 'open', invoice)).status, 'open')
  const paying = await run('invoices', 'pay', invoice)
  assert.equal(paying.code, 0, paying.stderr)
  const [, payment = ''] = /^(pay-\S+): 118000 INR/.exec(paying.stderr) ?? []
  assert.ok(paying.stdout.startsWith(gateway.url), paying.stdout)
  assert.equal((await gateway.pay(payment)).isTaken, true)
  await until('paid', invoice)

  const { refunds } = await json('invoices', 'refund', payment, '--reason', 'Billed twice', '--amount', '18000')
  assert.deepEqual([refunds.length, refunds[0].amount, refunds[0].reason], [1, 18_000, 'Billed twice'])
  await fails(1, /conflict/, 'invoices', 'refund', payment, '--reason', 'Too much', '--amount', '118000')
  await fails(1, /only one that may still be paid/, 'invoices', 'abandon', payment, '--reason', 'It is paid')
  await until('open', invoice)
  assert.match((await run('invoices', 'show', invoice)).stdout, new RegExp(`^${payment} +stripe +paid +118000$`, 'm'))
  await json(...gateways('change', added.connection_id, '--file', file('off.json', { enabled: false })))
  await fails(1, /./, 'invoices', 'pay', invoice)
  const credited = await run('invoices', 'credit', invoice, '--reason', 'Billed twice')
  assert.equal(credited.code, 0, credited.stderr)
  assert.match(credited.stderr, /^100000 INR in minor units had been paid: what came by a gateway is refunded there/m)
})

test('the operator of the installation tests a gateway of its own', async () => {
  const other = { KEY: 'sk_test_operators_own', HOOK: 'whsec_operators_own_0123456789' }
  await gateway.setAccount({ gateway: 'stripe', key: other.KEY, callbackUrl: 'http://127.0.0.1:1/', webhookSecrets: [other.HOOK] })
  const env = { OWN_KEY: other.KEY, OWN_HOOK: other.HOOK, GATEWAY_ALLOW_CIDRS: '127.0.0.0/8' }
  const own = (...args: string[]) => instance.runWith(env, 'billing', 'gateway', ...args, '--json')
  const credentials = ['--credential', 'api_key=OWN_KEY', '--credential', 'webhook_secret=OWN_HOOK']
  const { stdout, stderr } = await own('add', '--file', 'stripe.json', ...credentials)
  assert.ok(!stdout.includes(other.KEY), stderr)
  const { connection_id: id } = JSON.parse(stdout) as { connection_id: string }
  const tried = await own('test', id)
  assert.deepEqual([tried.code, JSON.parse(tried.stdout).success], [0, true], tried.stderr)
  await gateway.setState({ ...(await gateway.state()), accounts: [] })
  assert.equal((await own('test', id)).code, 1)
  assert.equal((await own('test', 'gwc-00000000000000000000')).code, 4)
  for (const command of ['refund', 'abandon'])
    assert.equal((await run('billing', command, 'pay-00000000000000000000', '--reason', 'None')).code, 4)
})

/** As soon as metering has closed the month, which it does within seconds of the first call that is counted. */
async function draftClosedMonth(): Promise<string> {
  for (let turn = 0; turn < MAX_POLLS; turn++) {
    const { code, stdout, stderr } = await run('invoices', 'draft', '--month', newestClosedMonth(), '--sub-client', 'north', '--json')
    const [invoice] = code === 0 ? (JSON.parse(stdout) as { invoices: { invoice_id: string }[] }).invoices : []
    if (invoice !== undefined) return invoice.invoice_id
    assert.ok(code === 0 || stderr.includes('conflict') || stderr.includes('409'), stderr)
    await sleep(POLL_MS)
  }
  assert.fail('the month was not closed')
}

async function until(status: string, invoice: string): Promise<void> {
  for (let turn = 0; turn < MAX_POLLS; turn++) {
    if ((await json('invoices', 'show', invoice)).status === status) return
    await sleep(POLL_MS)
  }
  assert.fail(`the invoice did not become ${status}`)
}
