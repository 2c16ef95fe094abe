// Goal: a person allocates a SIM, suspends it, issues last month's invoice and has it paid, all in the dashboard. Method: the real service, the
// emulators of operators and of gateways as processes of their own, and a real browser.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import { ciscoConnection, type RunningEmulator, startEmulator } from '@roadworthy/operator-emulator/start-emulator'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { ROOT } from './running-service.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
const options = { skip: CHROMIUM === undefined && 'needs Chromium: apt-get install --no-install-recommends chromium' }

const STRIPE = { apiKey: 'sk_test_dashboard', webhookSecret: 'whsec_dashboard_0123456789' }

let platform: RunningPlatform
let browser: Browser
let operator: RunningEmulator
let gateway: EmulatorChild
const cleanUps: (() => Promise<void>)[] = []

before(async () => {
  if (CHROMIUM === undefined) return
  assert.notEqual(await ensureBuilt(ROOT), 'failed')
  const loopback = ['--operator-allow-cidrs', '127.0.0.0/8', '--gateway-allow-cidrs', '127.0.0.0/8']
  platform = await startPlatform({ after: (cleanUp) => cleanUps.push(cleanUp) }, { flags: loopback })
  operator = await startEmulator({ sims: 8, jobMs: 50 })
  gateway = await startEmulatorChild({ retryDelaysMs: [200, 500, 1_000] })
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  await ask('POST', '/api/external/sub-clients', { name: 'North Fleet', sub_client_id: 'north' })
  await connectOperator()
  await connectGateway()
  await setUpBilling()
})

after(async () => {
  await browser?.close()
  await operator?.stop()
  await gateway?.stop()
  for (const cleanUp of cleanUps) await cleanUp()
})

async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const { base_url, api_key } = platform.credentials
  const answer = await call(base_url, method, path, { key: api_key, ...(body === undefined ? {} : { body }) })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

async function connectOperator(): Promise<void> {
  const { baseUrl, settings, secrets } = ciscoConnection(operator.url)
  const snaked = (fields: object) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replaceAll(/[A-Z]/g, (l) => `_${l.toLowerCase()}`), value]))
  const given = { operator: 'cisco', name: 'Control Center', base_url: baseUrl, settings: snaked(settings), credentials: snaked(secrets) }
  await ask('POST', '/api/sim-billing/operator-connections', given)
}

async function connectGateway(): Promise<void> {
  const credentials = { api_key: STRIPE.apiKey, webhook_secret: STRIPE.webhookSecret }
  const given = { gateway: 'stripe', name: 'Stripe', settings: { base_url: gateway.url }, credentials }
  const { connection } = await ask('POST', '/api/sim-billing/gateway-connections', given)
  const callbackUrl = (connection as { callback_url: string }).callback_url
  await gateway.setAccount({ gateway: 'stripe', key: STRIPE.apiKey, callbackUrl, webhookSecrets: [STRIPE.webhookSecret] })
}

/** A monthly fee, so that last month has something to bill though the service was not there then. */
async function setUpBilling(): Promise<void> {
  const issuer = { name: 'Acme Telematics', address_lines: ['1 Dock Road'], country_code: 'IN', tax_number: '27AAAAA0000A1Z5' }
  const taxes = [{ tax_id: 'igst', name: 'IGST', rate_percent: '18', category: 'S' }]
  await ask('PUT', '/api/sim-billing/billing-settings', { currency: 'INR', issuer, taxes })
  await ask('PUT', '/api/sim-billing/price-list', { subscription_fee: '1000', meters: [], effective_from: '2020-01' })
}

async function signIn(path: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const { url, email, password } = platform.credentials.dashboard
  await page.goto(url + path)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return { page, complaints }
}

test('SIMs are synchronised, found, allocated, suspended and resumed', options, async () => {
  const { page, complaints } = await signIn('sims')
  await page.getByRole('heading', { level: 1, name: 'SIMs' }).waitFor()
  await page.getByRole('button', { name: 'Synchronise' }).click()
  await page.getByText(/^Synchronised .*: 8 SIMs/).waitFor({ timeout: 60_000 })
  await page.getByRole('row').nth(8).waitFor()

  const active = (await operator.state()).accounts[0]?.sims.find(({ state }) => state === 'active')
  assert.ok(active)
  await page.getByRole('textbox', { name: 'Search' }).fill(active.iccid)
  await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
  assert.match(page.url(), new RegExp(`search=.*${active.iccid}`), 'a view can be sent to a colleague')
  await page.getByRole('link', { name: active.iccid }).click()
  await page.getByRole('heading', { level: 1, name: `SIM ${active.iccid}` }).waitFor()

  await page.getByRole('textbox', { name: 'Sub-client' }).fill('north')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Allocation .*north/ }).waitFor()

  await page.getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Stolen')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Status .*Stolen.*Suspended/ }).waitFor({ timeout: 60_000 })
  const stateOf = async () => (await operator.state()).accounts[0]?.sims.find(({ iccid }) => iccid === active.iccid)?.state
  assert.equal(await stateOf(), 'suspended', 'at the operator too')

  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Suspend' }).waitFor({ timeout: 60_000 })
  assert.equal(await stateOf(), 'active')
  assert.deepEqual(complaints, [])
  await page.close()
})

test('an invoice is issued, read as PDF, and paid at the gateway', options, async () => {
  const invoice = await draftLastMonth()
  const { page, complaints } = await signIn('invoices')
  await page.getByRole('row', { name: new RegExp(`Draft .*${invoice.period}.*north.*₹1,180.00`) }).waitFor()
  await page.getByRole('link', { name: 'Draft' }).click()
  await page.getByRole('button', { name: 'Issue now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Issue now' }).click()
  await page.getByRole('heading', { level: 1, name: /^Invoice INV/ }).waitFor()
  await page.getByRole('row', { name: /IGST 18 % on ₹1,000.00 ₹180.00/ }).waitFor()

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'PDF' }).click()])
  assert.match(download.suggestedFilename(), /\.pdf$/)

  await page.getByRole('button', { name: 'Pay ₹1,180.00' }).click()
  await page.waitForURL((url) => url.origin === new URL(gateway.url).origin)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/invoices/'))
  await page.getByRole('row', { name: /Stripe Paid ₹1,180.00/ }).waitFor({ timeout: 60_000 })
  assert.equal(await page.getByRole('button', { name: /^Pay/ }).count(), 0, 'nothing is left to pay')
  assert.deepEqual(complaints, [])
  await page.close()
})

test('whoever may only look sees the SIM and the invoice, and no button', options, async () => {
  const { user, invitation } = (await ask('POST', '/api/v1/users', { email: 'viewer@example.com', role: 'viewer' })) as {
    user: object
    invitation: { url: string }
  }
  assert.ok(user)
  const page = await browser.newPage()
  await page.goto(invitation.url)
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a very long passphrase 1')
  await page.getByRole('textbox', { name: 'New password, again' }).fill('a very long passphrase 1')
  await page.getByRole('button').last().click()
  await page.getByRole('link', { name: 'SIMs' }).click()
  await page.getByRole('row').nth(1).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Synchronise' }).count(), 0)
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByRole('heading', { level: 2, name: 'History' }).waitFor()
  for (const name of ['Suspend', 'Terminate', 'Save', 'Activate']) assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  await page.close()
})

/** As soon as metering has closed the month, which it does within seconds of the first call that is counted. */
async function draftLastMonth(): Promise<{ period: string }> {
  const now = new Date()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)).toISOString().slice(0, 7)
  const { base_url, api_key } = platform.credentials
  for (let turn = 0; turn < 100; turn++) {
    const body = { month, sub_client_id: 'north' }
    const answer = await call(base_url, 'POST', '/api/sim-billing/invoices/draft', { key: api_key, body })
    const [invoice] = (answer.body['invoices'] ?? []) as { period: string }[]
    if (invoice !== undefined) return invoice
    assert.ok(answer.status === 409 || answer.status === 200, JSON.stringify(answer.body))
    await sleep(300)
  }
  assert.fail('the month was not closed')
}
