// Goal: what a person asks for while the network is lost is done once or not at all, and they learn which. Method: the real service, and a real browser without a
// network, or whose answers are lost on their way.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, inBrowser, newPage, signIn } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

let served: ServedDashboard
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  browser = served.browser
})

after(() => served?.stop())

/** In the last step before it is registered: a name alone, so that nothing else keeps it from being registered twice. */
async function describeDevice(name: string): Promise<Page> {
  const { page } = await newPage(browser)
  const { dashboard } = served.platform.credentials
  await page.goto(`${dashboard.url}devices/new`)
  await signIn(page, dashboard)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('None yet', { exact: true }).click()
  return page
}

const register = (page: Page) => page.getByRole('button', { name: 'Register', exact: true })
const refusal = (page: Page) => page.getByRole('alert').filter({ hasText: 'The service did not answer.' })

async function countOf(name: string): Promise<number> {
  const { devices } = await served.ask<{ devices: { name: string }[] }>('GET', '/api/v1/devices')
  return devices.filter((device) => device.name === name).length
}

test('what is asked for without a network is refused, and is not done when the network is back', inBrowser, async () => {
  const page = await describeDevice('Without a network')
  const sent: string[] = []
  await page.context().setOffline(true)
  await register(page).click()
  await refusal(page).waitFor()
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.context().setOffline(false)
  await page.getByText('This computer is offline').waitFor({ state: 'detached' })
  // The page asks for what it shows anew by then.
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await page.getByText('There are no devices yet').waitFor()
  assert.deepEqual(sent, [])
  assert.equal(await countOf('Without a network'), 0)
  await page.context().close()
})

test('a device whose answer was lost is registered once when it is asked for again, and its password is shown', inBrowser, async () => {
  const page = await describeDevice('Once')
  let lostCount = 0
  await page.route('**/api/v1/devices', async (route) => {
    if (route.request().method() !== 'POST' || lostCount > 0) return await route.continue()
    lostCount++
    await route.fetch()
    await route.abort('connectionreset')
  })
  await register(page).click()
  await refusal(page).waitFor()
  assert.equal(await countOf('Once'), 1, 'it was done all the same')
  await register(page).click()
  await page.getByRole('checkbox', { name: 'I stored the password' }).waitFor()
  assert.equal(await countOf('Once'), 1)
  await page.context().close()
})
