// Goal: a form that was opened before somebody else stored something takes nothing of it back. Method: the real service and a real browser; the other one
// changes through the API what is open in the browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { hasBrowser, inBrowser, newPage, signIn } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

type Row = Record<string, unknown>

const SIM_BILLING = '/api/sim-billing'
const STREAM = '/api/v1/stream-connection'
const STREAM_FIELDS = { brokers: ['kafka.example:9093'], topic: 'telemetry', groupId: 'acme', startAt: 'latest' }
const SASL = { mechanism: 'PLAIN', username: 'roadworthy' }

let served: ServedDashboard
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  browser = served.browser
})

after(() => served?.stop())

const ask: ServedDashboard['ask'] = (...asked) => served.ask(...asked)
const box = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Once what is shown was renewed, as it is when the stream of changes is there: no later renewal shows what somebody else stores. */
async function open(path: string): Promise<Page> {
  const { dashboard } = served.platform.credentials
  const { page } = await newPage(browser)
  let countsAsked = 0
  const renewed = page.waitForRequest((request) => request.url().endsWith('/fleet/counts') && ++countsAsked === 2)
  await page.goto(dashboard.url + path)
  await signIn(page, dashboard)
  await renewed
  return page
}

test('of a rate plan only what was typed is stored, each price by itself', inBrowser, async () => {
  const issuer = { name: 'Acme Telematics', address_lines: ['1 Dock Road'], country_code: 'IN' }
  await ask('PUT', `${SIM_BILLING}/billing-settings`, { currency: 'INR', issuer })
  const data = { rental: '45', included_megabytes: '50', overage_per_megabyte: '0.85', pooled: false, prorated: true }
  const prices = { ...data, activation_fee: '0', custody_fee: '0', custody_min_days: 0 }
  const plan = { plan_id: 'm2m', name: 'M2M', operator_plan: 'A', prices }
  await ask('POST', `${SIM_BILLING}/rate-plans`, plan)
  const page = await open('settings/rate-plans/m2m')
  await box(page, 'Rental').fill('50')
  await ask('PUT', `${SIM_BILLING}/rate-plans/m2m`, {
    name: 'M2M of the other one',
    operator_plan: 'B',
    prices: { ...prices, custody_fee: '15' },
  })
  await button(page, 'Store the new version').click()
  await page.getByText('The new version is stored.').waitFor()
  const { rate_plan: stored } = await ask<{ rate_plan: Row }>('GET', `${SIM_BILLING}/rate-plans/m2m`)
  assert.partialDeepStrictEqual(stored, {
    ...{ name: 'M2M of the other one', operator_plan: 'B' },
    prices: { ...prices, rental: '50', custody_fee: '15' },
  })
  await page.getByRole('heading', { level: 1, name: 'M2M of the other one' }).waitFor()
  await until('it is shown as well', async () => (await box(page, 'Custody fee').inputValue()) === '15')
  await page.context().close()
})

test('of the prices of the platform only what was typed is stored', inBrowser, async () => {
  const priceOf = (meter: string, price: string) => ({ meter, price, per: 1_000, included: 0 })
  await ask('PUT', `${SIM_BILLING}/price-list`, { subscription_fee: '1000', meters: [priceOf('readings', '0.40')] })
  const page = await open('settings/rate-plans')
  const readings = page.getByRole('group', { name: 'Readings' })
  await readings.getByRole('textbox', { name: 'Price' }).fill('0.50')
  const others = { subscription_fee: '1200', meters: [priceOf('readings', '0.40'), priceOf('predictions', '2')] }
  await ask('PUT', `${SIM_BILLING}/price-list`, others)
  await button(page, 'Store the new prices').click()
  await page.getByText('The new prices are stored.').waitFor()
  const { price_list: stored } = await ask<{ price_list: Row }>('GET', `${SIM_BILLING}/price-list`)
  assert.deepEqual([stored['subscription_fee'], stored['meters']], ['1200', [priceOf('readings', '0.50'), priceOf('predictions', '2')]])
  await page.context().close()
})

test('of a brand only what was typed is stored, and of its host names only the one that is added', inBrowser, async () => {
  const page = await open('settings/brand')
  await box(page, 'Support e-mail').fill('help@acme.example')
  const others = { name: 'Acme Fleet', colour: '#0b7285', hosts: ['fleet.acme.example'] }
  await ask('PUT', '/api/v1/brands/reseller', others)
  await button(page, 'Save').click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const stored = async () => (await ask<{ brand: Row }>('GET', '/api/v1/brands/reseller')).brand
  assert.partialDeepStrictEqual(await stored(), { ...others, supportEmail: 'help@acme.example' })
  await until('it is shown as well', async () => (await box(page, /^Name$/).inputValue()) === 'Acme Fleet')

  await ask('PUT', '/api/v1/brands/reseller', { ...others, hosts: ['fleet.acme.example', 'other.acme.example'] })
  await box(page, 'Another host name').fill('third.acme.example')
  await button(page, 'Add').click()
  await page.getByRole('region', { name: 'third.acme.example' }).waitFor()
  assert.deepEqual((await stored())['hosts'], ['fleet.acme.example', 'other.acme.example', 'third.acme.example'])
  await page.context().close()
})

test('of an operator only what was typed is stored, each setting by itself', inBrowser, async () => {
  const credentials = { username: 'acme', api_key: 'c1f2a3b4' }
  const settings = { time_zone: 'Asia/Kolkata', account_id: '1001', cycle_day: 5 }
  const operator = { operator: 'cisco', name: 'Control Center', base_url: 'https://restapi3.jasper.com/rws/api/v1', settings, credentials }
  const { connection } = await ask<{ connection: Row }>('POST', `${SIM_BILLING}/operator-connections`, operator)
  const path = `${SIM_BILLING}/operator-connections/${connection['connection_id']}`
  const page = await open(`settings/operators/${connection['connection_id']}`)
  await box(page, 'Account').fill('')
  await box(page, 'Safe custody lasts at most').fill('120')
  await ask('PUT', path, {
    name: 'Of the other one',
    sync_every_minutes: 7,
    settings: { ...settings, cycle_day: 9, parking_rate_plan: 'PARK' },
  })
  await button(page, 'Save').click()
  await page.getByText('The connection is changed.').waitFor()
  const { connection: stored } = await ask<{ connection: Row }>('GET', path)
  assert.partialDeepStrictEqual(stored, { name: 'Of the other one', sync_every_minutes: 7, custody_max_days: 120 })
  assert.partialDeepStrictEqual(stored['settings'], { time_zone: 'Asia/Kolkata', cycle_day: 9, parking_rate_plan: 'PARK' })
  assert.equal(Object.hasOwn(stored['settings'] as Row, 'account_id'), false)
  await until('it is shown as well', async () => (await box(page, 'Synchronise every so many minutes').inputValue()) === '7')
  await page.context().close()
})

test('of a gateway only what was typed is stored', inBrowser, async () => {
  const credentials = { api_key: 'sk_test_dashboard', webhook_secret: 'whsec_dashboard_0123456789' }
  const gateway = { gateway: 'stripe', name: 'Stripe', credentials }
  const { connection } = await ask<{ connection: Row }>('POST', `${SIM_BILLING}/gateway-connections`, gateway)
  const path = `${SIM_BILLING}/gateway-connections/${connection['connection_id']}`
  const page = await open('settings/gateways')
  await button(page, 'Change Stripe').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Webhook secret').fill('whsec_dashboard_9876543210')
  await ask('PUT', path, { name: 'Of the other one' })
  await dialog.getByRole('button', { name: 'Change' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Of the other one').first().waitFor()
  const { connection: stored } = await ask<{ connection: Row }>('GET', path)
  assert.equal(stored['name'], 'Of the other one')
  await page.context().close()
})

test('of a stream only what was typed is stored, and a pause takes nothing back', inBrowser, async () => {
  await ask('PUT', STREAM, { ...STREAM_FIELDS, tls: {}, sasl: { ...SASL, password: 'secret' } })
  const page = await open('settings/stream')
  await box(page, 'Topic').fill('positions')
  // Answers of before, as to a page that asks again only in some seconds.
  const before = await ask('GET', '/api/v1/stream-connections')
  let isHeld = true
  await page.route('**/api/v1/stream-connections', (route) => (isHeld ? route.fulfill({ json: before }) : route.continue()))
  await ask('PUT', STREAM, { ...STREAM_FIELDS, groupId: 'acme-2', enabled: false, tls: {}, sasl: { ...SASL, username: 'other' } })
  isHeld = false
  await button(page, 'Save').click()
  await page.getByText(/^Saved\. Reading begins anew/).waitFor()
  const stored = () => ask('GET', STREAM)
  assert.partialDeepStrictEqual(await stored(), {
    ...{ topic: 'positions', groupId: 'acme-2', enabled: false },
    sasl: { username: 'other', hasPassword: true },
  })
  await until('it is shown as well', async () => (await box(page, 'Consumer group').inputValue()) === 'acme-2')

  await box(page, 'User').fill('typed')
  await ask('PUT', STREAM, { ...STREAM_FIELDS, groupId: 'acme-3', enabled: false, tls: {}, sasl: SASL })
  await button(page, 'Resume').click()
  await button(page, 'Pause').waitFor()
  assert.partialDeepStrictEqual(await stored(), { topic: 'telemetry', groupId: 'acme-3', enabled: true, sasl: { username: 'roadworthy' } })
  assert.equal(await box(page, 'User').inputValue(), 'typed', 'what was typed stays')
  await page.context().close()
})
