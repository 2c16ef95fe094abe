// Goal: a person allocates a SIM, suspends it, issues last month's invoice and has it paid, all in the dashboard. Method: the real service, the
// emulators of operators and of gateways as processes of their own, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { until } from '../support/until.ts'
import { type BillingDesk, openBillingDesk } from './billing-desk.ts'
import { choosePassword, hasBrowser, inBrowser, launchBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { ROOT } from './running-service.ts'

let desk: BillingDesk
let browser: Browser
/** That is given to `north`. */
let iccid: string

before(async () => {
  if (!hasBrowser) return
  assert.notEqual(await ensureBuilt(ROOT), 'failed')
  desk = await openBillingDesk({ sims: 8 })
  browser = await launchBrowser()
})

after(async () => {
  await browser?.close()
  await desk?.stop()
})

async function openAsOwner(path: string): Promise<OpenPage> {
  const opened = await newPage(browser)
  const { dashboard } = desk.platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  return opened
}

/** As the page writes `2026-01`. */
const monthOf = (period: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${period}-01T00:00:00Z`))

test('SIMs are synchronised, found, allocated, suspended and resumed', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('sims')
  await page.getByRole('heading', { level: 1, name: 'SIMs' }).waitFor()
  const [answer] = await Promise.all([
    page.waitForResponse((each) => each.request().method() === 'POST' && each.url().endsWith('/sync')),
    page.getByRole('button', { name: 'Synchronise' }).click(),
  ])
  assert.equal(answer.status(), 200)
  // A connection is synchronised by its schedule as soon as it is made. Where that was over, only what has changed since is asked for.
  await page.getByText(/^Synchronised .*: \d+ SIMs?/).waitFor()
  await page.getByRole('row').nth(8).waitFor()

  const active = (await desk.operator.state()).accounts[0]?.sims.find(({ state }) => state === 'active')
  assert.ok(active)
  iccid = active.iccid
  await page.getByRole('textbox', { name: 'Search' }).fill(active.iccid)
  await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
  // A view can be sent to a colleague.
  await page.waitForURL(new RegExp(`search=.*${active.iccid}`))
  await page.getByRole('link', { name: active.iccid }).click()
  await page.getByRole('heading', { level: 1, name: `SIM ${active.iccid}` }).waitFor()

  await page.getByRole('combobox', { name: 'Sub-client' }).fill('North')
  await page.getByRole('option', { name: 'North Fleet (north)' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Allocated .*North Fleet/ }).waitFor()
  await page.getByText('Saved').waitFor()
  await untilFocused(page, 'Save', 'it does not lose the focus')

  const suspend = page.getByRole('button', { name: 'Suspend' })
  await suspend.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await untilFocused(page, 'Suspend', 'a dialog gives the focus back')

  await page.getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Stolen')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, `SIM ${active.iccid}`, 'the button is gone, and the heading has the focus')
  await page.getByRole('row', { name: /State changed .*Stolen.*Suspended/ }).waitFor()
  const stateOf = async () => (await desk.operator.state()).accounts[0]?.sims.find(({ iccid }) => iccid === active.iccid)?.state
  assert.equal(await stateOf(), 'suspended', 'at the operator too')

  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Suspend' }).waitFor()
  assert.equal(await stateOf(), 'active')

  const tracker = { name: 'Tracker of truck 12', sub_client_id: 'north' }
  const { device_id: deviceId } = await desk.ask('POST', '/api/external/devices', tracker)
  await desk.ask('PUT', `/api/sim-billing/sims/${active.iccid}`, { device_id: deviceId })
  await page.getByRole('link', { name: 'SIMs', exact: true }).click()
  await page
    .getByRole('row', { name: new RegExp(active.iccid) })
    .getByRole('link', { name: tracker.name })
    .click()
  await page.waitForURL((url) => url.pathname === `/devices/${deviceId}`)
  assert.deepEqual(complaints, [])
  await page.close()
})

/** Until what has the focus has these words. */
async function untilFocused(page: Page, words: string, why: string): Promise<void> {
  await until(why, async () => (await page.locator(':focus').innerText()).trim() === words)
}

test('an invoice is issued, read as PDF, and paid at the gateway', inBrowser, async () => {
  const invoice = await desk.draft('north')
  const { page, complaints } = await openAsOwner('invoices')
  await page.getByRole('row', { name: new RegExp(`Draft .*${monthOf(invoice.period)}.*north.*₹1,180.00`, 'i') }).waitFor()
  await page.getByRole('link', { name: 'Draft' }).click()
  await page.getByRole('button', { name: 'Issue now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Issue now' }).click()
  await page.getByRole('heading', { level: 1, name: /^Invoice INV/ }).waitFor()
  await page.getByRole('row', { name: /IGST 18 % on ₹1,000.00 ₹180.00/ }).waitFor()

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'PDF' }).click()])
  assert.match(download.suggestedFilename(), /\.pdf$/)

  await page.getByRole('button', { name: 'Pay ₹1,180.00' }).click()
  await page.waitForURL((url) => url.origin === new URL(desk.gateway.url).origin)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/invoices/'))
  await page.getByRole('row', { name: /Stripe Paid ₹1,180.00/ }).waitFor()
  await page.getByRole('button', { name: /^Pay/ }).waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
  await page.close()
})

test('whoever may only look sees the SIM and the invoice, and no button', inBrowser, async () => {
  const { user, invitation } = (await desk.ask('POST', '/api/v1/users', { email: 'viewer@example.com', role: 'viewer' })) as {
    user: object
    invitation: { url: string }
  }
  assert.ok(user)
  const { page } = await newPage(browser)
  await page.goto(invitation.url)
  await choosePassword(page, 'a very long passphrase 1')
  await page.getByRole('link', { name: 'SIMs' }).click()
  await page.getByRole('row').nth(1).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Synchronise' }).count(), 0)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByText(/^North Fleet · /).waitFor()
  await page.getByRole('link', { name: iccid }).click()
  await page.getByRole('heading', { level: 2, name: 'History' }).waitFor()
  await page.getByRole('region', { name: 'Allocation' }).getByText('North Fleet', { exact: true }).waitFor()
  for (const name of ['Suspend', 'Terminate', 'Save', 'Activate']) assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  await page.close()
})
