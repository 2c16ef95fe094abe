// Goal: an address that somebody typed, cut or kept from another version shows its page, without what it cannot mean. Method: the real service and a real browser; no answer is an error.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../support/until.ts'
import { choosePassword, hasBrowser, inBrowser, signIn } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { openStrictPage, waitUntilWhole } from './walk-pages.ts'

let served: ServedDashboard

before(async () => {
  if (hasBrowser) served = await serveDashboard()
})

after(() => served?.stop())

/** What is given, and what is left of it. */
const ADDRESSES = {
  'fleet?health=bogus&presence=online': 'fleet?presence=online',
  'fleet?only=critical': 'fleet?health=critical',
  'alerts?status=nonsense&severity=zz': 'alerts',
  'maintenance?view=calendar&month=2026-13': 'maintenance?view=calendar',
  'devices?status=zz&search=BX-1': 'devices?search=BX-1',
  'invoices?status=zz': 'invoices',
  'usage?month=zz': 'usage',
  'settings/requests?status=zz': 'settings/requests',
  'settings/audit?since=2026-99-99': 'settings/audit',
}

test('what an address cannot mean is left out of it, and the page is shown', inBrowser, async () => {
  const { dashboard } = served.platform.credentials
  const { page, complaints } = await openStrictPage(served.browser, dashboard.url)
  await signIn(page, dashboard)
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  // Of nobody who is signed in yet.
  complaints.length = 0
  for (const [given, left] of Object.entries(ADDRESSES)) {
    await page.goto(dashboard.url + given)
    await waitUntilWhole(page)
    await page.waitForURL(dashboard.url + left)
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a person of one sub-client reads their own use, also where the address names another one', inBrowser, async () => {
  for (const name of ['North', 'South']) await served.ask('POST', '/api/external/sub-clients', { name })
  const body = { license_plate: 'N-1', sub_client_id: 'north' }
  const { vehicle_id } = await served.ask('POST', '/api/external/vehicles', body)
  await served.ask('POST', '/api/external/telemetry', { vehicle_id, speed: 40 })
  const person = { email: 'north@example.com', role: 'sub_client_viewer', subClientId: 'north' }
  const { invitation } = await served.ask<{ invitation: { url: string } }>('POST', '/api/v1/users', person)
  const { page, complaints } = await openStrictPage(served.browser, invitation.url)
  await choosePassword(page, 'correct horse battery')
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  complaints.length = 0
  await page.goto(`${served.platform.credentials.dashboard.url}usage?subClientId=south`)
  await waitUntilWhole(page)
  await until('the reading is shown', async () => /Readings\s+1\b/.test(await page.getByRole('main').innerText()))
  await page.goto(`${served.platform.credentials.dashboard.url}invoices?issuer=operator`)
  await waitUntilWhole(page)
  assert.equal(await page.getByText('No invoice matches').count(), 0, 'there is no filter that this person could take away')
  assert.deepEqual(complaints, [])
  await page.context().close()
})
