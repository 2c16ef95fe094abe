// Goal: a reseller runs its business from the dashboard: its brand, what each customer sees, accounts at operators and gateways, prices and invoice data; and
// each click is what the API then answers. Method: the real service, the emulators of an operator and of a gateway, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import { ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { type RunningEmulator, startEmulator } from '@roadworthy/operator-emulator/testing-emulator'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { goTo } from './walk-pages.ts'

/** One pixel. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

let served: ServedDashboard
let platform: RunningPlatform
let operator: RunningEmulator
let gateway: EmulatorChild
let browser: Browser
const cleanUps: (() => Promise<void>)[] = []

type Row = Record<string, unknown>

before(async () => {
  if (!hasBrowser) return
  const loopback = ['--operator-allow-cidrs', '127.0.0.0/8', '--gateway-allow-cidrs', '127.0.0.0/8']
  served = await serveDashboard({ flags: loopback })
  platform = served.platform
  browser = served.browser
  // With none, the connection can be deleted whenever it was synchronised.
  operator = await startEmulator({ sims: 0, jobMs: 50 })
  gateway = await startEmulatorChild({ retryDelaysMs: [200] })
  cleanUps.unshift(operator.stop, gateway.stop)
  await gateway.setAccount({ gateway: 'stripe', key: 'sk_test_dashboard', webhookSecrets: ['whsec_dashboard_0123456789'] })
  for (const [name, id] of [
    ['North Fleet', 'north'],
    ['South Fleet', 'south'],
  ]) {
    await ask('POST', '/api/external/sub-clients', { name, sub_client_id: id })
    const vehicle = { mode: 'create', license_plate: `${id}-1`.toUpperCase() }
    await ask('POST', '/api/external/devices', { name: `Tracker ${id}`, sub_client_id: id, vehicle })
  }
})

after(async () => {
  await served?.stop()
  for (const cleanUp of cleanUps) await cleanUp()
})

const ask: ServedDashboard['ask'] = (...asked) => served.ask(...asked)

async function openAsOwner(path: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const opened = await newPage(browser, options)
  const { dashboard } = platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  await opened.page.getByRole('navigation', { name: 'Pages' }).waitFor()
  return opened
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

test('the brand is set with its logo and host names, and the pages show it at once', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('settings/brand')
  const brand = async () => (await ask<{ brand: Row }>('GET', '/api/v1/brands/reseller')).brand
  await heading(page, 'Brand')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme Fleet')
  await page.getByRole('textbox', { name: 'Colour of buttons and links' }).fill('#ffd43b')
  await page
    .getByText(/so that white text can be read: 4\.\d:1, where your colour has 1\.4:1/)
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Support e-mail' }).fill('help@acme.example')
  await button(page, 'Save').click()
  await page.getByText('Saved').waitFor()
  await page.getByRole('banner').getByText('Acme Fleet').waitFor()
  const { name, colour, supportEmail } = await brand()
  assert.deepEqual([name, colour, supportEmail], ['Acme Fleet', '#ffd43b', 'help@acme.example'])

  const file = page.getByLabel('Image of the logo')
  await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  await page.getByText(/SVG is not taken/).waitFor()
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PNG })
  await page.getByAltText('The logo on a dark page').waitFor()
  assert.match(String((await brand())['logoUrl']), /\/brand\/logos\//)

  for (const host of ['https://Fleet.acme.example/', 'app.acme.example']) {
    await page.getByRole('textbox', { name: 'Another host name' }).fill(host)
    await button(page, 'Add').click()
    await page.getByRole('region', { name: host.replace(/^https:\/\/|\/$/g, '').toLowerCase() }).waitFor()
  }
  const first = page.getByRole('region', { name: 'fleet.acme.example' })
  await first.getByText('_roadworthy-challenge.fleet.acme.example').waitFor()
  await page.getByRole('region', { name: 'app.acme.example' }).getByRole('button', { name: 'Make it the first choice' }).click()
  await page.getByRole('region', { name: 'app.acme.example' }).getByText('first choice', { exact: true }).waitFor()
  assert.deepEqual((await brand())['hosts'], ['app.acme.example', 'fleet.acme.example'])
  await first.getByRole('button', { name: 'Remove fleet.acme.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await first.waitFor({ state: 'detached' })
  assert.deepEqual((await brand())['hosts'], ['app.acme.example'])
  await page.getByRole('textbox', { name: 'Another host name' }).fill('127.0.0.1')
  await button(page, 'Add').click()
  await page.getByRole('alert').waitFor()

  await page.goto(`${platform.credentials.dashboard.url}sub-clients/north`)
  const own = page.getByRole('region', { name: 'Brand', exact: true })
  await own.getByRole('textbox', { name: 'Name', exact: true }).fill('North')
  await own.getByRole('button', { name: 'Save' }).click()
  await own.getByText('Saved').waitFor()
  assert.equal((await ask<{ brand: Row }>('GET', '/api/v1/brands/sub-clients/north')).brand['name'], 'North')
  // A host name that is refused is an answer of 400, which the browser reports.
  assert.deepEqual(
    complaints.filter((each) => !each.includes('400')),
    [],
  )
  await page.context().close()
})

test('an owner looks as a sub-client, in every tab, until they stop', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('sub-clients/north')
  const other = await page.context().newPage()
  await other.goto(`${platform.credentials.dashboard.url}devices`)
  await other.getByRole('link', { name: /Tracker south/ }).waitFor()
  await button(page, 'View as').click()
  await page.getByText(/You look as a viewer of North Fleet/).waitFor()
  await page.getByRole('banner').getByText('North', { exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Sub-clients' }).count(), 0)
  await page.getByRole('link', { name: 'Devices' }).click()
  await page.getByRole('link', { name: /Tracker north/ }).waitFor()
  assert.equal(await page.getByRole('link', { name: /Tracker south/ }).count(), 0)
  assert.equal(await page.getByRole('button', { name: /Register/ }).count(), 0)
  await other.getByText(/You look as a viewer of North Fleet/).waitFor()

  await button(page, 'Stop').click()
  await heading(page, 'North Fleet')
  await button(page, 'View as').waitFor()
  assert.equal(await page.getByText(/You look as a viewer/).count(), 0)
  const { entries } = await ask<{ entries: Row[] }>('GET', '/api/v1/audit?limit=10')
  const actions = entries.map(({ action }) => String(action)).filter((action) => action.includes('view_as'))
  assert.deepEqual(actions, ['user.view_as_stopped', 'user.view_as_started'])
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('an operator is connected, tested, changed, paused and deleted, and its credentials are never shown', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('settings/operators')
  const { baseUrl, secrets } = ciscoConnection(operator.url)
  await page.getByText('No operator is connected').waitFor()
  await page.getByRole('link', { name: 'Connect an operator' }).click()
  await heading(page, 'Connect an operator')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Control Center')
  await page.getByRole('textbox', { name: 'Address of the API' }).fill('ftp://wrong')
  await page.getByRole('textbox', { name: 'User name' }).fill(secrets.username)
  await page.getByLabel('API key').fill('wrong')
  await button(page, 'Connect').click()
  await page.getByText(/"?base_url"? .*http/).waitFor()
  await page.getByRole('textbox', { name: 'Address of the API' }).fill(baseUrl)
  await button(page, 'Connect').click()
  await heading(page, 'Control Center')
  const stored = async () => {
    const { connections } = await ask<{ connections: Row[] }>('GET', '/api/sim-billing/operator-connections')
    return connections[0]
  }
  assert.deepEqual([(await stored())?.['operator'], (await stored())?.['base_url']], ['cisco', baseUrl])

  await button(page, 'Test the connection').click()
  const tested = () => ask('POST', `/api/sim-billing/operator-connections/${page.url().split('/').at(-1)}/test`)
  const refused = await tested()
  assert.equal(refused['success'], false)
  await page.getByText(String(refused['message'])).first().waitFor()
  await button(page, 'Change credentials').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'User name' }).fill(secrets.username)
  await dialog.getByLabel('API key').fill(secrets.apiKey)
  await dialog.getByRole('button', { name: 'Change' }).click()
  await dialog.waitFor({ state: 'detached' })
  await button(page, 'Test the connection').click()
  await page
    .getByRole('status')
    .getByText(/It took \d+ ms/)
    .waitFor()
  assert.equal((await page.content()).includes(secrets.apiKey), false)

  await page.getByLabel('Synchronise every so many minutes').fill('5')
  await page.getByLabel('Safe custody is charged for at least so many days').fill('365')
  await button(page, 'Save').click()
  await page.getByText(/"custody_min_days" is more than/).waitFor()
  await page.getByLabel('Safe custody is charged for at least so many days').fill('10')
  await button(page, 'Save').click()
  await page.getByText('The connection is changed.').waitFor()
  const { sync_every_minutes: every, custody_min_days: least } = (await stored()) ?? {}
  assert.deepEqual([every, least], [5, 10])

  await page.getByLabel('Synchronise every so many minutes').fill('7')
  await button(page, 'Pause').click()
  await page.getByText('Paused', { exact: true }).waitFor()
  assert.equal((await stored())?.['enabled'], false)
  assert.equal(await page.getByLabel('Synchronise every so many minutes').inputValue(), '7', 'what was typed is still there')
  await button(page, 'Delete').click()
  await dialog.getByRole('textbox', { name: 'Type Control Center to confirm' }).fill('Control Center')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No operator is connected').waitFor()
  assert.equal(await stored(), undefined)
  assert.deepEqual(
    complaints.filter((each) => !each.includes('400') && !each.includes('404')),
    [],
  )
  await page.context().close()
})

test('a gateway is connected with the address of its webhooks, tested, changed, paused and deleted', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('settings/gateways')
  const dialog = page.getByRole('dialog')
  const stored = async () => {
    const { connections } = await ask<{ connections: Row[] }>('GET', '/api/sim-billing/gateway-connections')
    return connections[0]
  }
  await page.getByText('No gateway is connected').waitFor()
  await button(page, 'Connect a gateway').click()
  await dialog.getByLabel('API key').fill('not a key')
  await dialog.getByLabel('Webhook secret').fill('whsec_dashboard_0123456789')
  await dialog.getByRole('textbox', { name: 'Address of the API' }).fill(gateway.url)
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await dialog.getByText(/"credentials.api_key"/).waitFor()
  await dialog.getByLabel('API key').fill('sk_test_dashboard')
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(String((await stored())?.['callback_url'])).waitFor()
  await button(page, 'Test Stripe').click()
  await page.getByText(/It took \d+ ms/).waitFor()

  await button(page, 'Change Stripe').click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Main account')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await button(page, 'Pause Main account').click()
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Paused', { exact: true }).waitFor()
  assert.deepEqual([(await stored())?.['name'], (await stored())?.['enabled']], ['Main account', false])
  await button(page, 'Delete Main account').click()
  await dialog.getByRole('textbox', { name: 'Type Main account to confirm' }).fill('Main account')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No gateway is connected').waitFor()
  assert.deepEqual(
    complaints.filter((each) => !each.includes('400')),
    [],
  )
  await page.context().close()
})

test(
  'billing is set up, a rate plan and prices are made and changed, and what is refused is reported beside its field',
  inBrowser,
  async () => {
    const { page, complaints } = await openAsOwner('settings/rate-plans')
    await page.getByText('Billing is not set up').waitFor()
    await page.getByRole('link', { name: 'enter your invoice data' }).click()
    await heading(page, 'Invoice data')
    await page.getByRole('textbox', { name: 'Legal name' }).fill('North Fleet Pvt Ltd')
    await page.getByRole('textbox', { name: 'Street' }).fill('1 Dock Road')
    await page.getByRole('textbox', { name: 'Country' }).fill('in')
    await page.getByRole('combobox', { name: 'Currency' }).click()
    await page.getByRole('combobox', { name: 'Currency' }).fill('INR')
    await page.getByRole('option', { name: 'INR' }).click()
    await button(page, 'Add a tax').click()
    await page.getByRole('group', { name: 'New tax' }).getByRole('textbox', { name: 'Name' }).fill('IGST')
    await page.getByRole('textbox', { name: 'Percent', exact: true }).fill('180')
    await button(page, 'Set billing up').click()
    await page.getByText(/The rate of tax igst is 180 %/).waitFor()
    await page.getByRole('textbox', { name: 'Percent', exact: true }).fill('18')
    await page.getByRole('textbox', { name: 'Reminders' }).fill('10, -3')
    await page.getByRole('textbox', { name: 'Suspend SIMs of who does not pay' }).fill('30')
    await button(page, 'Set billing up').click()
    await page.getByText('How it stands').waitFor()
    const { settings } = await ask<{ settings: Row }>('GET', '/api/sim-billing/billing-settings')
    const { currency, taxes, reminder_days: reminders, hold_sims_after_days: hold } = settings
    assert.deepEqual([currency, reminders, hold], ['INR', [-3, 10], 30])
    assert.deepEqual(taxes, [{ tax_id: 'igst', name: 'IGST', rate_percent: '18', category: 'S', exemption_reason: null }])

    await page.getByRole('link', { name: 'Rate plans and prices' }).click()
    await page.getByRole('link', { name: 'New rate plan' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('M2M 50 MB')
    await page.getByRole('textbox', { name: 'Rental' }).fill('45,00')
    await page.getByRole('textbox', { name: 'Included data' }).fill('50')
    await page.getByRole('textbox', { name: 'Each MB beyond what is included' }).fill('a lot')
    await button(page, 'Make the rate plan').click()
    await page.getByText(/"prices.overage_per_megabyte"/).waitFor()
    await page.getByRole('textbox', { name: 'Each MB beyond what is included' }).fill('0.85')
    await button(page, 'Make the rate plan').click()
    await heading(page, 'M2M 50 MB')
    await page.getByLabel('From the month').fill('2100-01')
    await page.getByText(/The new prices apply from January 2100 on/).waitFor()
    await page.getByRole('textbox', { name: 'Rental' }).fill('50')
    await button(page, 'Store the new version').click()
    await page.getByText('The new version is stored.').waitFor()
    const plan = await ask<{ versions: { effective_from: string; prices: Row }[] }>('GET', '/api/sim-billing/rate-plans/m2m-50-mb')
    assert.deepEqual(
      plan.versions.map(({ prices }) => prices['rental']),
      ['45.00', '50'],
    )
    await button(page, 'Archive').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await page.getByText(/It is archived/).waitFor()
    assert.equal(await page.getByRole('row').count(), 3, 'the heading and two prices: archiving changed none')

    await page.getByRole('link', { name: 'Rate plans and prices' }).click()
    await page.getByRole('cell', { name: /^now: ₹45\.00 a month .*from January 2100: ₹50\.00 a month/ }).waitFor()
    await page.getByText('Use of the platform is not billed').waitFor()
    await page.getByRole('textbox', { name: 'Monthly fee' }).fill('1000')
    await page.getByRole('group', { name: 'Readings' }).getByRole('textbox', { name: 'Price' }).fill('0.40')
    await button(page, 'Store the new prices').click()
    await page.getByText('The new prices are stored.').waitFor()
    const { price_list: list } = await ask<{ price_list: Row }>('GET', '/api/sim-billing/price-list')
    assert.deepEqual([list['subscription_fee'], list['meters']], ['1000', [{ meter: 'readings', price: '0.40', per: 1000, included: 0 }]])
    assert.deepEqual(
      complaints.filter((each) => !each.includes('400')),
      [],
    )
    await page.context().close()
  },
)

test('each page can be read in light and dark, on a desk and on a phone', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('settings/brand', { bypassCSP: true })
  const paths = [
    ['settings/brand', 'Brand'],
    ['sub-clients/north', 'North Fleet'],
    ['settings/operators', 'Operators'],
    ['settings/operators/new', 'Connect an operator'],
    ['settings/gateways', 'Payment gateways'],
    ['settings/billing', 'Invoice data'],
    ['settings/rate-plans', 'Rate plans and prices'],
    ['settings/rate-plans/new', 'New rate plan'],
    ['settings/rate-plans/m2m-50-mb', 'M2M 50 MB'],
  ] as const
  for (const [where, title] of paths) {
    await goTo(page, where)
    await heading(page, title)
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
    assert.deepEqual(await complaintsInLooks(page), [], `/${where}`)
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})
