// Goal: an account that has nothing yet shows no error on any page, and a keyboard alone leads into every dialog and back. Method: the real service without a vehicle, a
// device or a sub-client, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { choosePassword, hasBrowser, inBrowser, signIn } from './browser.ts'
import { complaintsOfAxe } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { goTo, openStrictPage, walkPages } from './walk-pages.ts'

let served: ServedDashboard

before(async () => {
  if (hasBrowser) served = await serveDashboard()
})

after(() => served?.stop())

async function open() {
  return await openStrictPage(served.browser, served.platform.credentials.dashboard.url, { bypassCSP: true, reducedMotion: 'reduce' })
}

const isFocused = (page: Page, role: 'button' | 'textbox', name: string) =>
  page
    .locator('*:focus')
    .and(page.getByRole(role, { name, exact: true }))
    .waitFor()

test('what is typed as a password is shown by keys alone', inBrowser, async () => {
  const { page, complaints } = await open()
  const password = page.locator('input[name=password]')
  await password.focus()
  await page.keyboard.press('Tab')
  await isFocused(page, 'button', 'Show or hide what is typed')
  await page.keyboard.press('Enter')
  assert.equal(await password.getAttribute('type'), 'text')
  await page.keyboard.press('Tab')
  await isFocused(page, 'button', 'Sign in')
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.startsWith('401')),
    [],
  )
  await page.context().close()
})

test('no page asks for what is refused, on a screen and on paper', inBrowser, async () => {
  const { page, complaints } = await open()
  await signIn(page, served.platform.credentials.dashboard)
  const faults: string[] = []
  await walkPages(page, async (path) => {
    await page.emulateMedia({ media: 'print' })
    for (const fault of await complaintsOfAxe(page)) faults.push(`${path} on paper: ${fault}`)
    await page.emulateMedia({ media: 'screen' })
  })
  assert.deepEqual(faults, [])
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('without SIMs the owner is led to the operators, and a viewer is not sent where there is nothing for them', inBrowser, async () => {
  const { page } = await open()
  await signIn(page, served.platform.credentials.dashboard)
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await goTo(page, 'sims')
  await page.getByRole('link', { name: 'Connect the platform of your mobile-network operator' }).click()
  await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor()
  const { invitation } = await served.ask<{ invitation: { url: string } }>('POST', '/api/v1/users', {
    email: 'viewer@example.com',
    role: 'viewer',
  })
  const viewer = await openStrictPage(served.browser, invitation.url)
  await choosePassword(viewer.page, 'correct horse battery')
  await viewer.page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await goTo(viewer.page, 'sims')
  await viewer.page.getByText('They appear here when the owner of the account has connected a mobile-network operator.').waitFor()
  assert.deepEqual(viewer.complaints, [])
  await page.context().close()
  await viewer.page.context().close()
})

const dialogs: readonly [path: string, button: string][] = [
  ['fleet', 'Filter'],
  ['alerts', 'Keys (?)'],
  ['maintenance', 'Work was done'],
  ['maintenance', 'Plan work'],
  ['maintenance?view=schedules', 'Create a schedule'],
  ['maintenance?view=calendar', 'Subscribe'],
  ['groups', 'New group'],
  ['sub-clients', 'Create a sub-client'],
  ['settings/api-keys', 'New key'],
  ['settings/webhooks', 'New endpoint'],
  ['settings/people', 'Invite'],
  ['settings/notifications', 'New rule'],
  ['settings/notifications', 'Connect a channel'],
]

test('keys lead into each dialog of an empty account, and Escape back to its button', inBrowser, async () => {
  const { page, complaints } = await open()
  await signIn(page, served.platform.credentials.dashboard)
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  for (const [path, name] of dialogs) {
    await goTo(page, path)
    const button = page.locator('#main').getByRole('button', { name, exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.locator('[role=dialog] *:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await isFocused(page, 'button', name)
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})
