// Goal: a person who opens the dashboard sees what needs somebody and what changed, and a new account is led to its first prediction.
// Method: the real service and engine, a vehicle that reports over the API once the page is open, and a real browser.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { choosePassword, choosePreferences, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { ROOT } from './running-service.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

const PASSWORD = 'a very long passphrase 1'
const DAY_MS = 86_400_000

type Row = Record<string, unknown>

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  platform = served.platform
  browser = served.browser
})

after(() => served?.stop())

const ask = <T = Row>(method: string, path: string, body?: object) => served.ask<T>(method, `/api/v1${path}`, body)

/** A minute of an engine far above what any engine stands. */
async function reportHotVehicle(): Promise<void> {
  const nowMs = Date.now()
  for (let agoS = 60; agoS >= 0; agoS -= 5) {
    const timestamp = new Date(nowMs - agoS * 1000).toISOString()
    const readings = {
      coolant: 120,
      latitude: 49,
      longitude: 8.4,
      engine_speed: 1800,
      vehicleSpeed: 60,
      battery_voltage: 14.1,
      dtc_codes: ['P0301'],
    }
    await ask('POST', '/telemetry', { vehicleId: 'truck-hot', timestamp, obdDistance: 171_000, ...readings })
  }
}

/** Notes what is refused, too. */
async function open(url: string): Promise<OpenPage> {
  const opened = await newPage(browser)
  opened.page.on('response', (response) => {
    if (response.status() >= 400) opened.complaints.push(`${response.status()} ${response.url()}`)
  })
  await opened.page.goto(url)
  return opened
}

async function openAsOwner(path = ''): Promise<OpenPage> {
  const { dashboard } = platform.credentials
  const opened = await open(dashboard.url + path)
  await signIn(opened.page, dashboard)
  return opened
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' })

/** Of all that a first visit loads, as it is sent; of headers browsers count 300 bytes for each answer. */
const MOST_BYTES = 250_000
const languages = ['en', ...readdirSync(join(ROOT, 'apps/dashboard/src/text/languages'))]
const choices: Choice[] = languages.flatMap((language) => [
  { language, units: 'metric' },
  { language, units: 'imperial' },
])

type Choice = { readonly language: string; readonly units: string }

/** Returns the names of what was loaded. */
async function assertLoadsLittle(t: TestContext, chosen: Choice): Promise<string[]> {
  const { page } = await newPage(browser)
  const { url, email, password } = platform.credentials.dashboard
  await page.addInitScript(`localStorage.setItem('roadworthy.preferences', '${JSON.stringify(chosen)}')`)
  await page.goto(url)
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.locator('.navigation').waitFor()
  await page.locator('#main section').first().waitFor()
  await page.waitForFunction(hasNoPlaceholder)
  const loaded = await page.evaluate(readLoaded)
  const bytes = loaded.reduce((sum, each) => sum + each.bytes, 0)
  t.diagnostic(`${bytes} bytes`)
  assert.ok(bytes > 50_000, 'the sizes are known')
  const largest = loaded.sort((a, b) => b.bytes - a.bytes).slice(0, 10)
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes, among them ${JSON.stringify(largest)}`)
  await page.context().close()
  return loaded.map(({ name }) => name)
}

for (const chosen of choices) {
  const name = `a first visit (${Object.values(chosen)}) loads less than ${MOST_BYTES / 1000} kB, and neither map nor charts`
  test(name, inBrowser, async (t) => {
    const names = await assertLoadsLittle(t, chosen)
    assert.deepEqual(
      names.filter((each) => /map|plot|later/.test(each)),
      [],
    )
  })
}

/** Runs in the page. */
function hasNoPlaceholder(): boolean {
  const { document } = globalThis as unknown as { document: { querySelectorAll(selector: string): { length: number } } }
  return document.querySelectorAll('#main .placeholder').length === 0
}

/** Runs in the page. */
function readLoaded(): { name: string; bytes: number }[] {
  const { performance } = globalThis as unknown as {
    performance: { getEntriesByType(type: string): { name: string; transferSize: number }[] }
  }
  const entries = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  return entries.map(({ name, transferSize: bytes }) => ({ name, bytes }))
}

test('a new account is led from step to step, and each turns done by itself', inBrowser, async () => {
  const { page, complaints } = await openAsOwner()
  await heading(page).waitFor()
  const steps = panel(page, 'First steps')
  await steps.getByRole('listitem').filter({ hasText: 'Make an API key' }).getByText('Done').waitFor()
  await steps.getByText('1 of 5 done').waitFor()
  assert.equal(await steps.locator('[aria-current=step]').getByText('Register a device').count(), 2, 'what it is, and its button')
  await steps.getByRole('button', { name: 'Load the demo fleet' }).waitFor()

  await reportHotVehicle()
  await steps.getByText('3 of 5 done').waitFor()
  await panel(page, 'Needs attention today').getByRole('link', { name: 'truck-hot' }).first().waitFor()
  assert.equal(await steps.getByText('No device at hand?').count(), 0)

  await steps.getByRole('button', { name: 'Hide' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.reload()
  await panel(page, 'The fleet').waitFor()
  assert.equal(await steps.count(), 0, 'it stays away')
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('what is shown is what the API answers, and each number leads to its list', inBrowser, async () => {
  const last = { at: new Date(Date.now() - 40 * DAY_MS).toISOString() }
  await ask('POST', '/maintenance/schedules', { vehicleId: 'truck-hot', component: 'cooling', title: 'Coolant', every: { days: 30 }, last })
  const { page, complaints } = await openAsOwner()
  const work = panel(page, 'Maintenance due')
  await work.getByText('Coolant', { exact: true }).waitFor()
  await work.getByRole('link', { name: '1 overdue' }).waitFor()

  const { incidents } = await ask<{ incidents: Row[] }>('GET', '/incidents?status=open&severity=critical')
  const [incident] = incidents
  const today = panel(page, 'Needs attention today')
  const row = today.getByRole('listitem').first()
  await row.getByText(String(incident?.['recommendation'])).waitFor()
  await row.getByText('Critical').waitFor()

  const risk = panel(page, 'Shortest remaining life').getByRole('row', { name: /truck-hot/ })
  await risk.getByText(/^8 in 10: .*days$/).waitFor()
  const readingCount = panel(page, 'Readings').locator('.numbers').first()
  await until('readings are counted', async () => Number(await readingCount.innerText()) > 0)
  await panel(page, 'Readings').getByText('As a table').click()
  await page.waitForFunction(countsReadings, 13)

  const changes = panel(page, 'What changed')
  await changes.getByText(/new incident/).click()
  await changes.getByRole('link', { name: String(incident?.['title']) }).waitFor()
  await changes.getByRole('link', { name: '7 days' }).click()
  await page.waitForURL(/\?since=week$/)
  await changes.getByText(/new incident/).waitFor()

  await row.getByRole('link', { name: String(incident?.['title']) }).click()
  await page.waitForURL((url) => url.pathname === `/alerts/${incident?.['id']}`)
  await page.goBack()
  await panel(page, 'The fleet')
    .getByRole('link', { name: /Critical$/ })
    .click()
  await page.waitForURL(/\/fleet\?.*health=critical$/)
  await page.getByRole('region', { name: 'Vehicle list' }).getByText('truck-hot').waitFor()
  await page.goto(`${platform.credentials.dashboard.url}?only=critical`)
  await page.waitForURL(/\/fleet\?.*health=critical$/)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

/** Runs in the page. A quarter-hour may have ended in between. */
function countsReadings(expected: number): boolean {
  const { document } = globalThis as unknown as { document: { querySelectorAll(selector: string): Iterable<{ textContent: string }> } }
  const counts = [...document.querySelectorAll('details[open] table td:last-child')].map(({ textContent }) => Number(textContent))
  return counts.reduce((sum, count) => sum + count, 0) === expected
}

test('a viewer sees the same without the steps, and nothing is asked that would be refused', inBrowser, async () => {
  const { invitation } = await ask<{ invitation: { url: string } }>('POST', '/users', { email: 'viewer@example.com', role: 'viewer' })
  const { page, complaints } = await open(invitation.url)
  await choosePassword(page, PASSWORD)
  await panel(page, 'Needs attention today').getByRole('link', { name: 'truck-hot' }).first().waitFor()
  assert.equal(await panel(page, 'First steps').count(), 0)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

for (const chosen of choices) {
  test(`so does a first visit (${Object.values(chosen)}) that is shown open incidents`, inBrowser, async (t) => {
    const names = await assertLoadsLittle(t, chosen)
    const isSaidOtherwise = chosen.language !== 'en' || chosen.units === 'imperial'
    assert.equal(
      names.some((each) => each.includes('/recognise')),
      isSaidOtherwise,
      'incidents were shown',
    )
  })
}

test('it can be read in light and dark, on a desk and on a phone, and in German', inBrowser, async () => {
  const { page, complaints } = await newPage(browser, { bypassCSP: true })
  const { url, email, password } = platform.credentials.dashboard
  await page.goto(url)
  await signIn(page, { email, password })
  await panel(page, 'The fleet').waitFor()
  assert.deepEqual(await complaintsInLooks(page), [])
  await choosePreferences(page, '{"language":"de","units":"metric"}')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
  await panel(page, 'Heute zu tun').waitFor()
  // The texts of other pages come with the first of them.
  await page.getByRole('navigation').getByRole('link', { name: 'Flotte' }).click()
  await page.getByRole('heading', { level: 1, name: 'Flotte' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Flotte' }).waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('an owner loads the demo fleet with one click on an empty page, and stops it', inBrowser, async (t) => {
  const own = await startPlatform(t)
  const { page, complaints } = await open(own.credentials.dashboard.url)
  await signIn(page, own.credentials.dashboard)
  await heading(page).waitFor()
  await page.getByRole('button', { name: 'Load the demo fleet' }).click()
  await page.getByText(/^The demo fleet is driving/).waitFor()
  // Each step is done by what its vehicles do.
  await panel(page, 'First steps').getByText('4 of 5 done').waitFor()
  await page.getByRole('link', { name: '24 vehicles' }).waitFor()
  await page.getByRole('button', { name: 'Stop the demo fleet' }).click()
  await page.getByText(/^The demo fleet is driving/).waitFor({ state: 'detached' })
  const { base_url, api_key: key } = own.credentials
  assert.deepEqual((await call(base_url, 'GET', '/api/v1/demo-fleet', { key })).body, { state: 'off', vehicles: 24 })
  assert.deepEqual(complaints, [])
  await page.context().close()
})
