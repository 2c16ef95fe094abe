// Goal: what owners set up (API keys, people, webhooks) is done in the dashboard and is then so in the API; what they look up (audit log, usage) is there;
// nobody finds a page that their role is refused. Method: the real service and a real browser.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { call, type RunningPlatform } from '../support/running-platform.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks, complaintsOfAxe } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { goTo } from './walk-pages.ts'

const PASSWORD = 'a very long passphrase 1'

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  platform = served.platform
  browser = served.browser
  await ask('POST', '/api/external/sub-clients', { name: 'North Fleet', sub_client_id: 'north' })
})

after(() => served?.stop())

const ask: ServedDashboard['ask'] = (...asked) => served.ask(...asked)

async function statusOf(key: string): Promise<number> {
  return (await call(platform.credentials.base_url, 'GET', '/api/v1/vehicles', { key })).status
}

async function openAsOwner(path: string, options = {}): Promise<OpenPage> {
  const opened = await newPage(browser, options)
  const { dashboard } = platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  await opened.page.getByRole('navigation', { name: 'Pages' }).waitFor()
  return opened
}

const heading = (page: Page, name?: string) => page.getByRole('heading', { level: 1, ...(name === undefined ? {} : { name }) }).waitFor()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

/** Shown once, in the dialog that is open. */
async function takeSecret(page: Page, label: string): Promise<string> {
  const secret = await page.getByRole('dialog').getByRole('textbox', { name: label }).inputValue()
  await page.keyboard.press('Escape')
  await button(page, 'I stored it').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal((await page.content()).includes(secret), false, 'the secret is shown once')
  return secret
}

test('a key is made, rotated with an overlap and revoked by typing its name', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('')
  await page.getByRole('link', { name: 'Settings' }).click()
  await heading(page, 'API keys')
  await button(page, 'New key').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Gateway')
  await dialog.getByRole('textbox', { name: 'Only of the sub-client' }).fill('north')
  await button(page, 'Make the key').click()
  const first = await takeSecret(page, 'API key')
  assert.equal(await statusOf(first), 200)
  const row = page.getByRole('row', { name: /Gateway/ }).first()
  await row.getByText(`rw_live_…${first.slice(-4)}`).waitFor()
  await row.getByText('only of North Fleet', { exact: true }).waitFor()
  await row.getByText(platform.credentials.dashboard.email).waitFor()

  await button(page, 'Rotate Gateway').click()
  await button(page, 'Make the new key').click()
  const second = await takeSecret(page, 'API key')
  assert.deepEqual([await statusOf(first), await statusOf(second)], [200, 200])
  const old = page.getByRole('row', { name: new RegExp(first.slice(-4)) })
  await old.getByText('Ending').waitFor()

  await old.getByRole('button', { name: 'Revoke Gateway' }).click()
  assert.equal(await button(page, 'Revoke the key').isEnabled(), false)
  await dialog.getByRole('textbox', { name: 'Type Gateway to confirm' }).fill('Gateway')
  await button(page, 'Revoke the key').click()
  await old.waitFor({ state: 'detached' })
  assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200])
  await page.getByRole('checkbox', { name: 'Also those that do not work any more' }).check()
  await old.getByText('Revoked').waitFor()
  await page.waitForURL(/\?ended=true$/)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a person is invited, gets another role, is shut out and removed, and the audit log shows each step', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('settings/people')
  const email = 'ben@example.com'
  const ben = async () => {
    const { users } = (await ask('GET', '/api/v1/users')) as { users: { email: string; role: string; status: string }[] }
    return users.find((user) => user.email === email)
  }
  const row = page.getByRole('row', { name: new RegExp(email) })
  const dialog = page.getByRole('dialog')
  await button(page, 'Invite').click()
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill(email)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  assert.match(await takeSecret(page, 'Link'), /\/invitation#/)
  await row.getByText('Invited').waitFor()

  await button(page, `Change role: ${email}`).click()
  await dialog.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Member' }).click()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await row.getByText('Member').filter({ visible: true }).first().waitFor()
  await button(page, `Disable: ${email}`).click()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await row.getByText('Disabled').waitFor()
  assert.deepEqual([(await ben())?.role, (await ben())?.status], ['member', 'deactivated'])

  await button(page, `Remove: ${email}`).click()
  await dialog.getByRole('textbox', { name: `Type ${email} to confirm` }).fill(email)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  assert.equal(await ben(), undefined)
  assert.equal(await button(page, `Remove: ${platform.credentials.dashboard.email}`).count(), 0, 'nobody removes themselves')

  await ask('POST', '/api/external/devices', { name: 'Tracker of truck 12' })
  await page.getByRole('link', { name: 'Audit log' }).click()
  await heading(page, 'Audit log')
  await page.getByRole('link', { name: 'Tracker of truck 12' }).waitFor()
  await page.getByRole('link', { name: 'Person changed' }).first().click()
  await page.waitForURL(/action=user.updated/)
  await page
    .getByText(/Role:\s+Viewer → Member/)
    .filter({ visible: true })
    .first()
    .waitFor()
  await page.getByRole('combobox', { name: 'Who', exact: true }).click()
  await page.getByRole('option', { name: platform.credentials.dashboard.email }).click()
  await page.getByRole('combobox', { name: 'What', exact: true }).click()
  await page.getByRole('option', { name: 'Logo changed' }).click()
  await button(page, 'Show').click()
  await page.waitForURL(/actor=usr-.*&action=brand.logo_changed|action=brand.logo_changed&actor=usr-/)
  await page.getByText('Nothing of this kind was done').waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('usage is shown by day and drawn, and comes as CSV, as JSON and as a signed statement', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('usage')
  const none = page.getByText('Nothing was used')
  const row = page.getByRole('row', { name: /no sub-client/ })
  await row.or(none).first().waitFor()
  // Calls are counted within seconds, and the page asks again every 30 s.
  if (await none.isVisible()) await row.waitFor()
  const download = async (name: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name, exact: true }).click()])
    return readFileSync(await file.path(), 'utf8')
  }
  assert.match(await download('CSV'), /^period,subClientId,meter,count\r\n(.*\r\n)*.*api_calls,\d+\r\n/)
  const [line = ''] = (await download('JSON')).split('\n')
  assert.deepEqual(Object.keys(JSON.parse(line)), ['period', 'subClientId', 'meter', 'count'])
  assert.equal(JSON.parse(await download('Signed statement')).statement, 'roadworthy-usage-1')
  await page.getByText('API calls', { exact: true }).and(page.locator('label *')).click()
  const readers = page.getByRole('table', { name: 'API calls by day' })
  await readers.waitFor({ state: 'attached' })
  await page.waitForURL(/usage\?meter=api_calls$/)
  const days = async () => (await ask('GET', '/api/v1/usage'))['periods'] as { totals: { api_calls: number } }[]
  const today = (await days()).length - 1
  const shown = Number((await readers.getByRole('cell').nth(today).textContent())?.replace(',', ''))
  // Asked after that, as the page may ask again at any moment.
  assert.ok(shown > 0 && shown <= ((await days())[today]?.totals.api_calls ?? 0))
  await page.locator('.u-over').waitFor()
  await page.getByRole('combobox', { name: 'Sub-client' }).click()
  await page.getByRole('option', { name: 'North Fleet' }).click()
  await page.getByLabel('Month').fill('2026-01')
  await page.waitForURL(/usage\?meter=api_calls&subClientId=north&month=2026-01$|usage\?month=2026-01&subClientId=north&meter=api_calls$/)
  await none.waitFor()
  await page.getByRole('link', { name: 'Month before' }).click()
  await page.getByRole('heading', { name: 'December 2025' }).waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('limits stand beside what is used of them, the fullest first, with a word for those that are near or used up', inBrowser, async () => {
  for (const [id, limits] of Object.entries({ full: { readingsPerMonth: 0 }, roomy: { devices: 10 } })) {
    await ask('POST', '/api/external/sub-clients', { name: `The ${id} one`, sub_client_id: id })
    await ask('PATCH', `/api/v1/sub-clients/${id}`, { limits })
  }
  const { page, complaints } = await openAsOwner('usage', { bypassCSP: true })
  const list = page.getByRole('region', { name: 'Limits of sub-clients' }).getByRole('listitem')
  await list.first().waitFor()
  assert.deepEqual(await list.allTextContents(), ['The full oneReadings: 0 of 0Used up', 'The roomy oneDevices: 0 of 10 (0 %)'])
  await page.getByText('Near or used up').click()
  await list.nth(1).waitFor({ state: 'detached' })
  await page.waitForURL(/limits=near$/)
  assert.deepEqual(await complaintsOfAxe(page), [])
  await list.getByRole('link', { name: 'The full one' }).click()
  await page.getByRole('region', { name: 'Limits', exact: true }).getByText('Used up').waitFor()
  await page.getByRole('link', { name: 'Usage by day' }).click()
  await heading(page, 'Usage')
  assert.match(page.url(), /usage\?subClientId=full$/)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a person with the role of a viewer finds no settings but their own, and nothing else is asked for', inBrowser, async () => {
  const { invitation } = (await ask('POST', '/api/v1/users', { email: 'viewer@example.com', role: 'viewer' })) as {
    invitation: { url: string }
  }
  const { page, complaints } = await newPage(browser)
  await page.goto(invitation.url)
  await choosePassword(page, PASSWORD)
  await page.getByText('viewer@example.com').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await heading(page, 'Plan and data')
  const offered = await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents()
  assert.deepEqual(offered, ['Plan and data', 'Preferences'])
  await page.getByRole('list', { name: 'Business' }).getByRole('link', { name: 'Usage' }).click()
  await heading(page, 'Usage')
  await page.getByRole('link', { name: 'CSV' }).waitFor()
  await page.goto(`${platform.credentials.dashboard.url}settings/api-keys`)
  await heading(page, 'This page is not for your role')
  assert.deepEqual(complaints, [])
  await page.context().close()
})

/** The narrowest phones that are still sold have that many pixels. Assumption. */
const NARROW_PHONE = { width: 360, height: 740 }
const wordsOfPhones = [
  { language: 'en', pages: 'Pages', more: 'More', devices: 'Devices', settings: 'Settings', all: 'All settings', audit: 'Audit log' },
  {
    ...{ language: 'de', pages: 'Seiten', more: 'Mehr', devices: 'Geräte', settings: 'Einstellungen' },
    ...{ all: 'Alle Einstellungen', audit: 'Prüfprotokoll' },
  },
  {
    ...{ language: 'es', pages: 'Páginas', more: 'Más', devices: 'Dispositivos', settings: 'Ajustes' },
    ...{ all: 'Todos los ajustes', audit: 'Registro de auditoría' },
  },
]
/** Where to put pictures of the pages, for people to look at. */
const folder = process.env['PICTURES']

for (const { language, ...words } of wordsOfPhones) {
  test(`on a phone (${language}) every page is within reach by touch and by keyboard, without scrolling sideways`, inBrowser, async () => {
    const { page, complaints } = await openAsOwner('', { bypassCSP: true, viewport: NARROW_PHONE, reducedMotion: 'reduce' })
    // Before the page begins: one that is open may write the choice of before after this.
    await page.addInitScript(`localStorage.setItem('roadworthy.preferences', '{"language":"${language}"}')`)
    await page.reload()
    const picture = async (name: string) => {
      if (folder !== undefined) await page.screenshot({ path: `${folder}/phone-${language}-${name}.png` })
    }
    const navigation = page.getByRole('navigation', { name: words.pages })
    const more = navigation.getByRole('button', { name: words.more })
    await more.waitFor()
    assert.equal(await navigation.getByRole('link').count(), 4)
    assert.equal(await page.evaluate(countRows, '.navigation :is(a, button)'), 1)
    assert.deepEqual(await page.evaluate(findMoving), [])
    assert.deepEqual(await page.evaluate(findOutside, '.navigation :is(a, button)'), [])
    await picture('bar')

    await more.focus()
    await page.keyboard.press('Enter')
    assert.equal(await navigation.getByRole('link').count(), 12)
    assert.deepEqual(await page.evaluate(findOutside, '.navigation :is(a, button)'), [])
    assert.deepEqual(await complaintsOfAxe(page), [])
    await picture('more')
    await page.keyboard.press('Escape')
    assert.equal(await more.getAttribute('aria-expanded'), 'false')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await heading(page, words.devices)
    // The page that was chosen is seen.
    await navigation.getByRole('button', { name: words.more, expanded: false }).waitFor()

    await more.click()
    await navigation.getByRole('link', { name: words.settings }).click()
    await heading(page, words.settings)
    const sections = page.getByRole('navigation', { name: words.settings })
    assert.equal(await sections.getByRole('link').count(), 14)
    assert.deepEqual(await page.evaluate(findOutside, '.section-list a'), [])
    assert.deepEqual(await complaintsOfAxe(page), [])
    await picture('settings')
    await sections.getByRole('link', { name: words.audit }).click()
    await heading(page, words.audit)
    assert.deepEqual(await complaintsOfAxe(page), [])
    await picture('section')
    await sections.getByRole('link', { name: words.all }).click()
    await heading(page, words.settings)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
}

/** Runs in the page. */
function countRows(selector: string): number {
  type Found = { getBoundingClientRect(): { top: number } }
  const { document } = globalThis as unknown as { document: { querySelectorAll(selector: string): Iterable<Found> } }
  return new Set([...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect().top)).size
}

/** Runs in the page: what takes time to change, although the person asked for less motion. */
function findMoving(): string[] {
  const { document, getComputedStyle } = globalThis as unknown as {
    document: { querySelectorAll(selector: string): Iterable<{ className: unknown }> }
    getComputedStyle(element: object): { transitionDuration: string; animationDuration: string }
  }
  const moving = [...document.querySelectorAll('body *')].filter((element) => {
    const { transitionDuration, animationDuration } = getComputedStyle(element)
    return transitionDuration !== '0s' || animationDuration !== '0s'
  })
  return moving.map(({ className }) => String(className))
}

/** Runs in the page: what a person does not see whole, or would have to scroll sideways for. */
function findOutside(selector: string): string[] {
  type Found = { textContent: string; scrollWidth: number; clientWidth: number; getBoundingClientRect(): Record<'left' | 'right', number> }
  const { document, innerWidth } = globalThis as unknown as {
    document: { querySelectorAll(selector: string): Iterable<Found>; documentElement: { scrollWidth: number } }
    innerWidth: number
  }
  const outside = [...document.querySelectorAll(selector)].filter((each) => {
    const { left, right } = each.getBoundingClientRect()
    return left < 0 || right > innerWidth || each.scrollWidth > each.clientWidth
  })
  return [...outside.map(({ textContent }) => textContent), ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : [])]
}

test('every page of the settings can be read in light and dark, on a desk and on a phone', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('settings', { bypassCSP: true })
  const paths: readonly (readonly [path: string, opens?: string])[] = [
    ['settings/api-keys', 'New key'],
    ['settings/people', 'Invite'],
    ['settings/audit'],
    ['settings/audit?action=none'],
    ['usage'],
    ['usage?month=2020-01'],
  ]
  for (const [path, opens] of paths) {
    await goTo(page, path)
    await heading(page)
    await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    assert.deepEqual(await complaintsInLooks(page), [], `/${path}`)
    if (opens === undefined) continue
    await button(page, opens).click()
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await complaintsInLooks(page, { within: '[role=dialog]' }), [], opens)
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})
