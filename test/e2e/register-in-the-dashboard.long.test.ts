// Goal: the steps of the wizard that registers a device are in the address: the browser's Back and Forward go from step to step with what was typed, and
// no reload registers a second device. Method: the real service and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser, inBrowser, newPage, signIn } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

let served: ServedDashboard

before(async () => {
  if (hasBrowser) served = await serveDashboard()
})

after(() => served?.stop())

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]')

async function registered(): Promise<string[]> {
  const { devices } = await served.ask<{ devices: { name: string }[] }>('GET', '/api/v1/devices')
  return devices.map(({ name }) => name)
}

test('Back and Forward go from step to step with what was typed, and no reload registers twice', inBrowser, async () => {
  const { dashboard } = served.platform.credentials
  const { page, complaints } = await newPage(served.browser)
  await page.goto(`${dashboard.url}devices`)
  await signIn(page, dashboard)
  await page.getByRole('link', { name: 'Register the first one' }).click()
  await box(page, 'Name').fill('Truck 17 dongle')
  await button(page, 'Continue').click()
  await box(page, 'Licence plate').fill('NORTH 1')

  await page.goBack()
  await steps(page).getByText('1. Device').waitFor()
  assert.equal(await box(page, 'Name').inputValue(), 'Truck 17 dongle')
  await page.goForward()
  assert.equal(await box(page, 'Licence plate').inputValue(), 'NORTH 1')
  await button(page, 'Back').click()
  await button(page, 'Continue').click()
  assert.equal(await box(page, 'Licence plate').inputValue(), 'NORTH 1', 'the button goes where Back of the browser does')

  await page.reload()
  await steps(page).getByText('1. Device').waitFor()
  // A step that rests on what is not there any more is not begun with.
  await page.waitForURL(({ search }) => search === '')
  await box(page, 'Name').fill('Truck 17 dongle')
  await button(page, 'Continue').click()
  await box(page, 'Licence plate').fill('NORTH 1')
  await button(page, 'Register').click()
  await page.getByText('Waiting for the first message…').waitFor()

  await page.goBack()
  await page.getByRole('dialog', { name: 'Leave before it is stored?' }).getByRole('button', { name: 'Leave' }).click()
  await steps(page).getByText('1. Device').waitFor()
  assert.equal(await box(page, 'Name').inputValue(), '', 'what is registered is not offered to be registered again')
  await page.goForward()
  await page.getByText('Waiting for the first message…').waitFor()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Truck 17 dongle' }).waitFor()
  assert.match(page.url(), /\/devices\/dev-[^/]+$/, 'its page, where new credentials are made')
  assert.deepEqual(await registered(), ['Truck 17 dongle'])
  assert.deepEqual(complaints, [])
  await page.context().close()
})
