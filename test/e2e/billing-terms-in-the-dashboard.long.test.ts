// Goal: how a sub-client is billed is changed by who may, seen by who may not, and is then so in the API. Method: the real service and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

type Row = Record<string, unknown>

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  platform = served.platform
  browser = served.browser
  await ask('POST', '/api/external/sub-clients', { name: 'South Fleet', sub_client_id: 'south' })
  const issuer = { name: 'Acme Telematics', address_lines: ['1 Dock Road'], country_code: 'IN' }
  const taxes = [{ tax_id: 'igst', name: 'IGST', rate_percent: '18', category: 'S' }]
  await ask('PUT', '/api/sim-billing/billing-settings', { currency: 'INR', issuer, taxes, hold_sims_after_days: 30 })
  const meters = [{ meter: 'readings', price: '0.40', per: 1_000, included: 0 }]
  await ask('PUT', '/api/sim-billing/price-list', { subscription_fee: '1000', meters })
  const data = { rental: '45.00', included_megabytes: '50', overage_per_megabyte: '0.85', pooled: false, prorated: true }
  const prices = { ...data, activation_fee: '0', custody_fee: '0', custody_min_days: 0 }
  await ask('POST', '/api/sim-billing/rate-plans', { plan_id: 'm2m-50-mb', name: 'M2M 50 MB', prices })
})

after(() => served?.stop())

const ask: ServedDashboard['ask'] = (...asked) => served.ask(...asked)

test('how a sub-client is billed is changed on its page, and a viewer sees it', inBrowser, async () => {
  const { dashboard } = platform.credentials
  const { page, complaints } = await newPage(browser, { bypassCSP: true })
  await page.goto(`${dashboard.url}sub-clients/south`)
  await signIn(page, dashboard)
  const form = page.getByRole('form', { name: 'How it is billed' })
  await form.waitFor()
  assert.equal(await form.getByRole('textbox', { name: 'Legal name' }).inputValue(), 'South Fleet', 'as in its record')
  await form.getByRole('textbox', { name: 'Legal name' }).fill('South Fleet Pvt Ltd')
  await form.getByRole('textbox', { name: 'Tax number' }).fill('27BBBBB0000B1Z5')
  await form.getByRole('textbox', { name: 'Days until an invoice is due' }).fill('30')
  await form.getByRole('textbox', { name: 'Its own reference' }).fill('PO-7731')
  await form.getByRole('checkbox', { name: 'IGST, 18 %' }).uncheck()
  await form.getByText(/suspended 30 days after the due date/).waitFor()
  await form.getByRole('textbox', { name: 'Readings, for each 1,000' }).fill('0,30')
  await form.getByRole('combobox', { name: 'Own prices of a rate plan' }).click()
  await page.getByRole('option', { name: 'M2M 50 MB' }).click()
  await form.getByRole('textbox', { name: 'Rental' }).fill('a lot')
  await form.getByRole('button', { name: 'Save the terms' }).click()
  await form.getByText(/"plan_overrides\.0\.prices\.rental"/).waitFor()
  await form.getByRole('textbox', { name: 'Rental' }).fill('40')
  await form.getByRole('button', { name: 'Save the terms' }).click()
  await page.getByText('Saved. It applies to drafts that are made from now on.').waitFor()
  const { customer } = await ask<{ customer: Row }>('GET', '/api/sim-billing/customers/south')
  const {
    party,
    payment_terms_days: terms,
    tax_ids: taxes,
    buyer_reference: reference,
    meter_overrides: meters,
    plan_overrides: plans,
  } = customer
  assert.partialDeepStrictEqual(party, { name: 'South Fleet Pvt Ltd', tax_number: '27BBBBB0000B1Z5', country_code: 'IN' })
  assert.deepEqual([terms, taxes, reference], [30, [], 'PO-7731'])
  assert.deepEqual([meters, plans], [[{ meter: 'readings', price: '0.30' }], [{ plan_id: 'm2m-50-mb', prices: { rental: '40' } }]])
  assert.deepEqual(await complaintsInLooks(page), [])
  assert.deepEqual(
    complaints.filter((each) => !each.includes('400')),
    [],
  )
  await page.context().close()

  const invited = { email: 'looks@example.com', role: 'viewer' }
  const { invitation } = await ask<{ invitation: { url: string } }>('POST', '/api/v1/users', invited)
  const viewer = await newPage(browser, {})
  await viewer.page.goto(invitation.url)
  await choosePassword(viewer.page, 'a very long passphrase 1')
  await viewer.page.getByText(invited.email).waitFor()
  await viewer.page.goto(`${platform.credentials.dashboard.url}sub-clients/south`)
  const shown = viewer.page.getByRole('region', { name: 'How it is billed' })
  await shown.getByText('South Fleet Pvt Ltd').waitFor()
  await shown.getByText('30 days').waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Save the terms' }).count(), 0)
  assert.deepEqual(viewer.complaints, [])
  await viewer.page.context().close()
})

test('what somebody else stored meanwhile is not taken back by a form that was open before', inBrowser, async () => {
  const { dashboard } = platform.credentials
  const { page } = await newPage(browser)
  await page.goto(`${dashboard.url}settings/billing`)
  await signIn(page, dashboard)
  await page.getByRole('textbox', { name: 'Margin in percent' }).fill('15')
  await ask('PUT', '/api/sim-billing/billing-settings', { footer: 'IBAN of the other one', payment_terms_days: 21 })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { settings } = await ask<{ settings: Row }>('GET', '/api/sim-billing/billing-settings')
  assert.partialDeepStrictEqual(settings, { footer: 'IBAN of the other one', payment_terms_days: 21, default_margin_percent: '15' })
  const days = page.getByRole('textbox', { name: 'Days until an invoice is due' })
  await until('it is shown as well', async () => (await days.inputValue()) === '21')

  await page.goto(`${dashboard.url}sub-clients/south`)
  const form = page.getByRole('form', { name: 'How it is billed' })
  await form.getByRole('textbox', { name: 'Its own reference' }).fill('PO-8000')
  await ask('PUT', '/api/sim-billing/customers/south', { payment_terms_days: 45 })
  await form.getByRole('button', { name: 'Save the terms' }).click()
  await page.getByText('Saved. It applies to drafts that are made from now on.').waitFor()
  const { customer } = await ask<{ customer: Row }>('GET', '/api/sim-billing/customers/south')
  assert.partialDeepStrictEqual(customer, { payment_terms_days: 45, buyer_reference: 'PO-8000' })
  await page.context().close()
})
