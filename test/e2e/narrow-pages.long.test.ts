// Goal: nothing is wider than the narrowest screen that WCAG has pages reflow to (320 px, 1.4.10), and buttons are whole, in the languages with the longest words and with names as long as they may be.
// Method: the real service with one of each thing under a long name, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, inBrowser, newPage } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { POLL_MS, waitUntilWhole } from './walk-pages.ts'

const DAY_MS = 86_400_000
const WIDTH = 320

let served: ServedDashboard
let browser: Browser
let vehicleId: string
let incidentId: string

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  browser = served.browser
  const vehicle = { license_plate: 'P'.repeat(32), make: 'M'.repeat(64), model: 'N'.repeat(64) }
  vehicleId = String((await ask('POST', '/api/external/vehicles', vehicle))['vehicle_id'])
  await ask('POST', '/api/external/telemetry', { vehicle_id: vehicleId, lat: 12.97, lon: 77.59, speed: 40, odometer: 500_000 })
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const plan = { vehicleId, component: 'brakes', status: 'planned', notes: 'n'.repeat(200) }
  await ask('POST', '/api/v1/maintenance', { ...plan, dueAt: daysAgo(3) })
  const schedule = { vehicleId, component: 'cooling', title: 'T'.repeat(80), every: { days: 30 }, last: { at: daysAgo(40) } }
  await ask('POST', '/api/v1/maintenance/schedules', schedule)
  const { incidents } = await ask<{ incidents: { id: string }[] }>('GET', '/api/v1/incidents')
  incidentId = incidents[0]?.id ?? assert.fail('a schedule that is overdue opens an incident')
  await ask('POST', '/api/v1/vehicle-groups', { name: 'g'.repeat(120), vehicleIds: [vehicleId] })
  await ask('POST', '/api/v1/api-keys', { name: 'k'.repeat(100), scopes: ['*'] })
})

after(() => served?.stop())

const ask = <T = Record<string, unknown>>(method: string, path: string, body?: object) => served.ask<T>(method, path, body)

async function openIn(language: string): Promise<Page> {
  const { page } = await newPage(browser, { viewport: { width: WIDTH, height: 800 }, reducedMotion: 'reduce' })
  await page.context().addInitScript(`localStorage['roadworthy.preferences'] = '{"language":"${language}","units":"metric"}'`)
  const { url, email, password } = served.platform.credentials.dashboard
  await page.goto(url)
  await page.locator('input:not([type=password])').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('nav').first().waitFor()
  return page
}

/** Runs in the page. "Loading" in both languages. */
function isLoaded(): boolean {
  const { document } = globalThis as unknown as { document: { querySelector(selector: string): unknown } }
  return document.querySelector('#main :is([aria-label="Wird geladen"], [aria-label="Cargando"])') === null
}

/** Runs in the page. */
function widthsOf(element: object): [ofText: number, ofPlace: number] {
  const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number }
  return [scrollWidth, clientWidth]
}

/** Runs in the page. */
function measure(): { width: number; navigation: number; askew: string[] } {
  type Element = {
    scrollWidth: number
    textContent: string
    getBoundingClientRect(): { top: number; height: number }
    querySelector(selector: string): Element
  }
  const { document } = globalThis as unknown as {
    document: Element & { documentElement: Element; querySelectorAll(selector: string): Iterable<Element> }
  }
  const middleOf = (element: Element) => {
    const { top, height } = element.getBoundingClientRect()
    return top + height / 2
  }
  const buttons = [...document.querySelectorAll('#main .mantine-Button-root')]
  return {
    width: document.documentElement.scrollWidth,
    navigation: document.querySelector('.navigation').getBoundingClientRect().height,
    askew: buttons
      .filter((button) => Math.abs(middleOf(button) - middleOf(button.querySelector('.mantine-Button-label'))) > 2)
      .map(({ textContent }) => textContent),
  }
}

test(`a plate can be read whole in the list of vehicles on a screen of ${WIDTH} pixels`, inBrowser, async () => {
  const plate = 'KA 01 AB 1234'
  await ask('POST', '/api/external/vehicles', { license_plate: plate })
  const page = await openIn('de')
  await page.goto(`${served.platform.credentials.dashboard.url}fleet`)
  const link = page.getByRole('link', { name: plate })
  await link.waitFor()
  const [ofText, ofPlace] = await link.evaluate(widthsOf)
  assert.ok(ofText <= ofPlace, `${ofText} pixels of text in ${ofPlace}`)
  await page.context().close()
})

for (const language of ['de', 'es']) {
  test(`pages fit a screen of ${WIDTH} pixels in ${language}, and what is fixed below hides no line`, inBrowser, async () => {
    const page = await openIn(language)
    const faults: string[] = []
    const paths = [
      '',
      'devices',
      'maintenance',
      'maintenance?view=planned',
      'maintenance?view=schedules',
      'models',
      'settings/api-keys',
      'settings/requests',
      `vehicles/${vehicleId}`,
      `vehicles/${vehicleId}?tab=maintenance`,
      `vehicles/${vehicleId}/track`,
      `alerts/${incidentId}`,
    ]
    for (const path of paths) {
      await page.goto(served.platform.credentials.dashboard.url + path)
      await waitUntilWhole(page)
      await page.waitForFunction(isLoaded, undefined, { polling: POLL_MS })
      const { width, navigation, askew } = await page.evaluate(measure)
      if (width > WIDTH) faults.push(`${path} is ${width} wide`)
      if (askew.length > 0) faults.push(`not in the middle of its button on ${path}: ${askew.join(', ')}`)
      // As much as the pages leave free for it.
      if (navigation > 60) faults.push(`the navigation of ${path} is ${navigation} high`)
    }
    await page.goto(`${served.platform.credentials.dashboard.url}maintenance?view=planned`)
    await page.locator('td button').nth(1).click()
    const dialog = page.getByRole('dialog')
    const [whole, close] = [await dialog.boundingBox(), await dialog.locator('.mantine-Modal-close').boundingBox()]
    if (whole === null || close === null || close.x + close.width > whole.x + whole.width)
      faults.push('the button that closes is not in the dialog')
    assert.deepEqual(faults, [])
    await page.context().close()
  })
}
