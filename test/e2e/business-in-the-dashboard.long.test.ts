// Goal: what happens to SIMs and money is seen by the right people in the dashboard: a reseller that owes, a SIM in another device, a refund, a dispute; a
// person who may only look, and one of a sub-client. Method: the real service, the emulators of operators and of gateways as processes of their own, and
// a real browser.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemAuthor } from '@roadworthy/platform/audit/audit'
import { OPERATOR_BOOK } from '@roadworthy/platform/billing/book'
import { openOperatorInvoice } from '@roadworthy/platform/billing/operator-billing'
import { openDatabasePatiently } from '@roadworthy/platform/test-support'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import type { Browser, Page } from 'playwright-core'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { newestClosedMonth } from '../support/closed-month.ts'
import { roadworthy } from '../support/command-line.ts'
import { call } from '../support/running-platform.ts'
import { type BillingDesk, openBillingDesk } from './billing-desk.ts'
import { choosePassword, hasBrowser, inBrowser, launchBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { ROOT } from './running-service.ts'
import { goTo } from './walk-pages.ts'

/** One more than a page has. The operator takes five calls a second, and each synchronisation asks it for each of them. */
const SIMS = 51
const IMEI = '356938035643809'
const OTHER_IMEI = '490154203237518'
const PASSWORD = 'a very long passphrase 1'
const POLL_MS = 300
const MAX_POLLS = 600
const DAY_MS = 86_400_000
const OWN = { apiKey: 'sk_test_operators_own', webhookSecret: 'whsec_operators_own_0123456789' }

let desk: BillingDesk
let browser: Browser
/** Of the SIM that was given to a device of the sub-client `north`, and that the operator sees in another. */
let iccid: string

before(async () => {
  if (!hasBrowser) return
  assert.notEqual(await ensureBuilt(ROOT), 'failed')
  desk = await openBillingDesk({ sims: SIMS })
  browser = await launchBrowser()
  await putSimIntoWrongDevice()
})

after(async () => {
  await browser?.close()
  await desk?.stop()
})

async function putSimIntoWrongDevice(): Promise<void> {
  const { ask, operator } = desk
  const vehicle = { make: 'Volvo', model: 'FH', license_plate: 'NORTH 1' }
  const made = await ask('POST', '/api/external/devices', { name: 'Tracker', imei: IMEI, sub_client_id: 'north', vehicle })
  await synchronise()
  const active = (await operator.state()).accounts[0]?.sims.find(({ state }) => state === 'active')
  iccid = active?.iccid ?? assert.fail('no SIM is active')
  await ask('PUT', `/api/sim-billing/sims/${iccid}`, { device_id: made['device_id'] })
  await operator.patch({ sims: [{ iccid, imei: OTHER_IMEI }] })
  await synchronise()
}

/** A run of our own, after the one that the schedule may have begun. */
async function synchronise(): Promise<void> {
  type Answer = { sync: { id: string; status: string }; already_running?: boolean }
  for (let turn = 0; turn < MAX_POLLS; turn++) {
    const begun = (await desk.ask('POST', '/api/sim-billing/sync', { scope: 'all', full: true })) as Answer
    for (let { status } = begun.sync; status === 'running'; await sleep(POLL_MS)) {
      status = ((await desk.ask('GET', `/api/sim-billing/sync/${begun.sync.id}`)) as Answer).sync.status
    }
    if (begun.already_running !== true) return
  }
  assert.fail('no run began')
}

async function openAsOwner(path = ''): Promise<OpenPage> {
  const opened = await newPage(browser)
  const { dashboard } = desk.platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  return opened
}

/** Somebody who was just invited, at the fleet. */
async function openAs(user: { email: string; role: string; subClientId?: string }): Promise<OpenPage> {
  const { invitation } = (await desk.ask('POST', '/api/v1/users', user)) as { invitation: { url: string } }
  const opened = await newPage(browser)
  await opened.page.goto(invitation.url)
  await choosePassword(opened.page, PASSWORD)
  await opened.page.getByText(user.email).waitFor()
  return opened
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

test('a long list is shown page by page, and what does not exist is named', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('sims')
  const rows = page.getByRole('table').getByRole('row')
  await rows.nth(50).waitFor()
  assert.equal(await rows.count(), 51)
  await page.getByRole('button', { name: 'Show more' }).click()
  await rows.nth(SIMS).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
  assert.deepEqual(complaints, [])
  await page.goto(`${desk.platform.credentials.dashboard.url}sims/sim-00000000000000000000`)
  await page.getByText('There is no such SIM').first().waitFor()
  await page.goto(`${desk.platform.credentials.dashboard.url}invoices/inv-00000000000000000000`)
  await page.getByText('There is no such invoice').first().waitFor()
  await page.context().close()
})

test('a SIM in another device is seen on its page and as an alert', inBrowser, async () => {
  const { page, complaints } = await openAsOwner(`sims/${iccid}`)
  await page.getByText('This SIM is in another device').waitFor()
  await page.getByText(`in a device with IMEI ${OTHER_IMEI}; it was given to ${IMEI}`).waitFor()
  await page.getByRole('link', { name: /^Alerts/ }).click()
  await page.getByRole('article', { name: 'SIM in another device' }).getByText(OTHER_IMEI).waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a refund and a dispute are seen in the payment history of the invoice', inBrowser, async () => {
  const { ask, gateway } = desk
  const { invoice_id: id } = await desk.draft('north')
  await ask('POST', `/api/sim-billing/invoices/${id}/open`, {})
  const { payment } = (await ask('POST', `/api/sim-billing/invoices/${id}/pay`, {})) as { payment: { id: string } }
  const { payment: taken } = await gateway.pay(payment.id)
  const { page, complaints } = await openAsOwner(`invoices/${id}`)
  await page.getByRole('row', { name: /Payment by Stripe Paid ₹1,180.00/ }).waitFor()
  await ask('POST', `/api/sim-billing/payments/${payment.id}/refund`, { amount: 18_000, reason: 'Billed twice' })
  await gateway.openDispute(taken?.id ?? '', { amount: 50_000 })
  await page.reload()
  await page.getByRole('row', { name: /Refund Billed twice Given back -₹180.00/ }).waitFor()
  await page.getByRole('row', { name: /Dispute .*₹500.00 taken back by the gateway.* Evidence wanted ₹500.00/ }).waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a person with the role of a viewer sees every page, no action, and no page asks for what is refused', inBrowser, async () => {
  const { page, complaints } = await openAs({ email: 'viewer@example.com', role: 'viewer' })
  const noButtons = async (...names: (string | RegExp)[]) => {
    for (const name of names) assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
  }
  await page.getByRole('link', { name: 'NORTH 1' }).first().click()
  await heading(page, 'NORTH 1')
  await page.getByRole('article', { name: 'SIM in another device' }).waitFor()
  await noButtons(/^Acknowledge/, /^Resolve/)
  await page.getByRole('link', { name: /^Alerts/ }).click()
  await page.getByRole('article', { name: 'SIM in another device' }).waitFor()
  await noButtons(/^Acknowledge/, /^Resolve/)
  await page.getByRole('link', { name: 'SIMs' }).click()
  await page.getByRole('row').nth(1).waitFor()
  await noButtons('Synchronise')
  await page.getByRole('textbox', { name: 'Search' }).fill(iccid)
  await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: iccid }).click()
  await heading(page, `SIM ${iccid}`)
  await page.getByText('This SIM is in another device').waitFor()
  await noButtons('Suspend', 'Safe custody', 'Terminate', 'Save')
  await page.getByRole('link', { name: 'Invoices' }).click()
  await page.getByRole('link', { name: /^INV/ }).first().click()
  await heading(page, /^Invoice INV/)
  await page.getByRole('row', { name: /Payment by Stripe/ }).waitFor()
  await noButtons(/^Pay/, 'Void', 'Discard', 'Issue now')
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('every page can be read in light and dark, on a desk and on a phone', inBrowser, async () => {
  const { url, email, password } = desk.platform.credentials.dashboard
  const { page } = await newPage(browser, { bypassCSP: true })
  await page.goto(url)
  await signIn(page, { email, password })
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  const { invoices } = (await desk.ask('GET', '/api/sim-billing/invoices')) as { invoices: { invoice_id: string }[] }
  const sim = `sims/${iccid}`
  const paths = ['', 'alerts', 'sims', 'sims?search=0000000000', sim, 'sims/none', 'invoices', `invoices/${invoices[0]?.invoice_id}`]
  for (const where of paths) {
    await goTo(page, where)
    await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    assert.deepEqual(await complaintsInLooks(page), [], `/${where}`)
    if (where !== sim) continue
    await page.getByRole('button', { name: 'Terminate' }).click()
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await complaintsInLooks(page, { within: '[role=dialog]' }), [], 'the dialog')
  }
  await page.context().close()
})

test('a person of a sub-client sees its own SIMs and invoices, and nothing of another’s', inBrowser, async () => {
  const { invoice_id: other } = await desk.draft('south')
  await desk.ask('POST', `/api/sim-billing/invoices/${other}/open`, {})
  const { page, complaints } = await openAs({ email: 'north@example.com', role: 'sub_client_viewer', subClientId: 'north' })
  await page.getByRole('link', { name: 'SIMs' }).click()
  await page.getByRole('link', { name: iccid }).waitFor()
  assert.equal(await page.getByRole('table').getByRole('row').count(), 2, 'the heading, and the only SIM of north')
  assert.equal(await page.getByRole('button', { name: 'Synchronise' }).count(), 0)
  await page.getByRole('link', { name: iccid }).click()
  await heading(page, `SIM ${iccid}`)
  await page.getByRole('link', { name: 'Invoices' }).click()
  await heading(page, 'Invoices')
  await page.getByRole('row', { name: /North Fleet/ }).waitFor()
  assert.equal(await page.getByRole('table').getByRole('row').count(), 2)
  assert.deepEqual(complaints, [])
  await page.goto(`${desk.platform.credentials.dashboard.url}invoices/${other}`)
  await page.getByText('There is no such invoice').first().waitFor()
  const stranger = (await desk.operator.state()).accounts[0]?.sims.find((sim) => sim.iccid !== iccid)
  await page.goto(`${desk.platform.credentials.dashboard.url}sims/${stranger?.iccid}`)
  await page.getByText('There is no such SIM').first().waitFor()
  await page.context().close()
})

test(
  'a reseller that owes the operator of the installation sees it, reads the invoice, pays, and has everything again',
  inBrowser,
  async () => {
    await billAsOperator()
    await untilStanding(403)
    const { page } = await openAsOwner()
    const banner = page.getByRole('status').filter({ hasText: 'The subscription is past due' })
    await banner.waitFor()
    await banner.getByRole('link', { name: 'See the invoices' }).click()
    await page.getByRole('row', { name: /RW-000001 .*Overdue .*€99.00/ }).waitFor()
    await page.getByRole('link', { name: 'RW-000001' }).click()
    await heading(page, 'Invoice RW-000001')
    await page.getByText('Roadworthy Hosting').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'PDF' }).click()])
    assert.match(download.suggestedFilename(), /^RW-000001.*\.pdf$/)
    assert.equal(await page.getByRole('button', { name: 'Void' }).count(), 0, 'it is not the reseller’s to void')
    await page.getByRole('button', { name: 'Pay €99.00' }).click()
    await page.waitForURL((url) => url.origin === new URL(desk.gateway.url).origin)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/invoices/'))
    await page.getByRole('row', { name: /Payment by Stripe Paid €99.00/ }).waitFor()
    await banner.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Fleet' }).click()
    await page.getByRole('region', { name: 'Vehicle list' }).getByText('NORTH 1').waitFor()
    await page.context().close()
  },
)

test('a payment whose gateway gives no answer for a day is given up by its issuer', inBrowser, async () => {
  const { ask, gateway, platform } = desk
  await ask('POST', '/api/external/sub-clients', { name: 'East Fleet', sub_client_id: 'east' })
  const { invoice_id: id } = await desk.draft('east')
  await ask('POST', `/api/sim-billing/invoices/${id}/open`, {})
  const { payment } = (await ask('POST', `/api/sim-billing/invoices/${id}/pay`, {})) as { payment: { id: string } }
  const { page, complaints } = await openAsOwner(`invoices/${id}`)
  await page.getByRole('row', { name: /Payment by Stripe Under way/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Give up' }).count(), 0, 'the gateway answers')
  await gateway.addFault({ kind: 'unauthorised', gateway: 'stripe', count: 1_000 })
  const database = openDatabasePatiently(databaseUrls(platform.databaseUrl, platform.env.SECRET_KEY), {
    ...{ appConnections: 1, systemConnections: 1, onError: assert.fail },
  })
  await database.systemPool.query("update payment_attempts set unanswered_since = now() - interval '25 hours' where attempt_id = $1", [
    payment.id,
  ])
  await database.close()
  await page.getByRole('button', { name: 'Give up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The account was closed')
  assert.equal(await dialog.getByRole('button', { name: 'Give up' }).isDisabled(), true)
  await dialog.getByRole('textbox', { name: `Type ${payment.id} to confirm` }).fill(payment.id)
  await dialog.getByRole('button', { name: 'Give up' }).click()
  await page.getByRole('row', { name: /Abandoned: The account was closed Failed/ }).waitFor()
  // The row may change before the dialog, which has a button of the same name, is gone.
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('button', { name: 'Give up' }).count(), 0)
  const { payments } = (await ask('GET', `/api/sim-billing/payments?invoice_id=${id}`)) as { payments: { abandoned_at: string | null }[] }
  assert.notEqual(payments[0]?.abandoned_at, null)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

/** By the command line; what was due three days ago is past due at once. */
async function billAsOperator(): Promise<void> {
  const { platform, gateway } = desk
  const file = (name: string, content: object) => {
    const written = path.join(platform.dataDir, name)
    writeFileSync(written, JSON.stringify(content))
    return written
  }
  const billing = async (...args: string[]): Promise<Record<string, unknown>> => {
    const env = { ...platform.env, OWN_KEY: OWN.apiKey, OWN_HOOK: OWN.webhookSecret }
    const { code, stdout, stderr } = await roadworthy(['--data-dir', platform.dataDir, 'billing', ...args, '--json'], { env })
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const settings = { currency: 'EUR', issuer: { name: 'Roadworthy Hosting', address_lines: [], country_code: 'DE' } }
  const terms = { time_zone: 'UTC', number_prefix: 'RW-', payment_terms_days: 0, suspend_after_days: 1 }
  await billing('settings', '--file', file('operator.json', { ...settings, ...terms }))
  await billing('prices', '--file', file('prices.json', { subscription_fee: '99', meters: [], effective_from: '2020-01' }))
  const stripe = file('stripe.json', { gateway: 'stripe', name: 'Own', settings: { base_url: gateway.url } })
  const secrets = ['--credential', 'api_key=OWN_KEY', '--credential', 'webhook_secret=OWN_HOOK']
  const { callback_url: callbackPath } = await billing('gateway', 'add', '--file', stripe, ...secrets)
  const callbackUrl = new URL(String(callbackPath), platform.credentials.base_url).href
  await gateway.setAccount({ gateway: 'stripe', key: OWN.apiKey, callbackUrl, webhookSecrets: [OWN.webhookSecret] })
  const { reseller_slug: slug } = platform.credentials
  const { invoices } = (await billing('draft', '--month', newestClosedMonth(), '--reseller', slug)) as {
    invoices: { invoice_id: string }[]
  }
  const database = openDatabasePatiently(databaseUrls(platform.databaseUrl, platform.env.SECRET_KEY), {
    ...{ appConnections: 1, systemConnections: 1, onError: assert.fail },
  })
  const threeDaysAgo = new Date(Date.now() - 3 * DAY_MS)
  await openOperatorInvoice(database, invoices[0]?.invoice_id ?? '', systemAuthor(OPERATOR_BOOK, threeDaysAgo))
  await database.close()
}

async function untilStanding(status: 200 | 403): Promise<void> {
  const { base_url, api_key: key } = desk.platform.credentials
  for (let turn = 0; turn < MAX_POLLS; turn++) {
    if ((await call(base_url, 'GET', '/api/v1/vehicles', { key })).status === status) return
    await sleep(POLL_MS)
  }
  assert.fail('the standing did not follow')
}
