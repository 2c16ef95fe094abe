// Goal: everything that is known of a vehicle is on its page, tab by tab with an address of its own, and what is done there is what the API then answers.
// Method: the real service and engine, a vehicle that reported over the API, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

const TABS = ['Health', 'Signals', 'Alerts', 'Fault codes', 'Maintenance', 'Odometer', 'Readings', 'Edit']

type Row = Record<string, unknown>

/** Where pictures are put for a person to look at; none are taken unless it is set. */
const folder = process.env['PICTURES']

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser
let vehicleId = ''

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  platform = served.platform
  browser = served.browser
  const nowMs = Date.now()
  for (let agoS = 120; agoS >= 0; agoS -= 10) {
    const timestamp = new Date(nowMs - agoS * 1000).toISOString()
    const sent = { coolant: 118, engine_speed: 1800, vehicleSpeed: 60, battery_voltage: 14.1, obdDistance: 171_000, dtc_codes: ['P0217'] }
    await ask('POST', '/telemetry', { vehicleId: 'truck-1', timestamp, ...sent })
  }
  vehicleId = String((await ask('GET', '/vehicles/truck-1'))['id'])
  await until('there is an incident', async () => ((await ask<{ total: number }>('GET', '/incidents')).total ?? 0) > 0)
})

after(() => served?.stop())

const ask = <T = Row>(method: string, path: string, body?: object) => served.ask<T>(method, `/api/v1${path}`, body)

async function openAsOwner(search = ''): Promise<OpenPage> {
  const opened = await newPage(browser, { bypassCSP: true })
  const { dashboard } = platform.credentials
  await opened.page.goto(`${dashboard.url}vehicles/${vehicleId}${search}`)
  await signIn(opened.page, dashboard)
  await opened.page.getByRole('heading', { level: 1, name: 'truck-1' }).waitFor()
  return opened
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

test(
  'signals are drawn with their band and alerts, one of them large, over a range in the address, and shown as a table',
  inBrowser,
  async () => {
    const { page, complaints } = await openAsOwner()
    await page.getByRole('heading', { name: 'Parts' }).waitFor()
    await tab(page, 'Signals').click()
    const coolant = page.getByRole('figure', { name: 'Coolant temperature' })
    await coolant.getByText('118 °C').waitFor()
    await coolant.getByText(/normal 77 °C to 102 °C/).waitFor()
    await coolant.getByText('an alert opened').waitFor()
    await coolant.getByRole('link', { name: 'Coolant temperature' }).click()
    await page.getByRole('heading', { level: 2, name: 'Coolant temperature' }).waitFor()
    await page.getByText('24 h', { exact: true }).click()
    await page.waitForURL(/span=24h/)
    assert.match(page.url(), /signal=coolantTempC/)
    await page.getByText('As a table').click()
    await page
      .getByRole('row', { name: /118 °C/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'All signals' }).click()
    await page.getByRole('figure', { name: 'Engine speed' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  },
)

test('fault codes have words, the odometer is corrected with a reason, and readings are shown as they are stored', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('?tab=codes')
  await page.getByRole('row', { name: /P0217 · / }).waitFor()
  await tab(page, 'Odometer').click()
  await page.getByText('171,000 km').first().waitFor()
  await page.getByRole('button', { name: 'Correct' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Odometer (km)').pressSequentially('184,200')
  await dialog.getByLabel('Reason').fill('Cluster replaced')
  await dialog.getByRole('button', { name: 'Correct' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /171,000 km → 184,200 km.*Cluster replaced/ }).waitFor()
  assert.equal((await ask('GET', '/vehicles/truck-1/odometer'))['odometer_km'], 184_200)
  await tab(page, 'Readings').click()
  await page.getByText('13 of 13 readings, newest first').waitFor()
  await page
    .getByText(/Coolant temperature 118 °C/)
    .first()
    .click()
  await page.getByText('"dtc_codes"').first().waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a vehicle is edited, retired by typing its name, and restored', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('?tab=edit')
  await page.getByLabel('Registration plate').fill('KA 1')
  await page.getByLabel('Model year').fill('2019')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'KA 1' }).waitFor()
  const { licensePlate, year } = await ask('GET', '/vehicles/truck-1')
  assert.deepEqual([licensePlate, year], ['KA 1', 2019])
  await page.getByRole('button', { name: 'Retire the vehicle' }).click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByRole('button', { name: 'Retire' }).isDisabled(), true)
  await dialog.getByLabel('Type KA 1 to confirm').fill('KA 1')
  await dialog.getByRole('button', { name: 'Retire' }).click()
  await page.getByText('Retired', { exact: true }).waitFor()
  assert.equal((await ask('GET', '/vehicles/truck-1'))['status'], 'retired')
  await page.getByRole('button', { name: 'Restore the vehicle' }).click()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('button', { name: 'Retire the vehicle' }).waitFor()
  assert.equal((await ask('GET', '/vehicles/truck-1'))['status'], 'active')
  await ask('PATCH', '/vehicles/truck-1', { licensePlate: null })
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('every tab can be read in light and dark, on a desk and on a phone', inBrowser, async () => {
  const { page } = await openAsOwner()
  for (const name of TABS) {
    await tab(page, name).click()
    await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    assert.deepEqual(await complaintsInLooks(page), [], name)
  }
  await page.context().close()
})

test('a person who may only look finds neither the form nor a button, and no page asks for what is refused', inBrowser, async () => {
  const { invitation } = await ask<{ invitation: { url: string } }>('POST', '/users', { email: 'viewer@example.com', role: 'viewer' })
  const { page, complaints } = await newPage(browser)
  await page.goto(invitation.url)
  await choosePassword(page, 'a very long passphrase 1')
  await page.getByText('viewer@example.com').waitFor()
  await page.goto(`${platform.credentials.dashboard.url}vehicles/${vehicleId}?tab=edit`)
  await page.getByRole('heading', { name: 'Parts' }).waitFor()
  assert.equal(await tab(page, 'Edit').count(), 0)
  for (const name of TABS.slice(0, -1)) {
    await tab(page, name).click()
    await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: /^(Correct|Plan work|Work was done|Acknowledge)/ }).count(), 0, name)
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})

/** Runs in the page: how many pixels of the first chart have a colour, as only a line has there: axes and the grid are grey. */
function countColoured(): number {
  type Canvas = {
    width: number
    height: number
    getContext(kind: '2d'): { getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray } }
  }
  const { document } = globalThis as unknown as { document: { querySelector(selector: string): Canvas } }
  const canvas = document.querySelector('.chart-canvas canvas')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let count = 0
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
    if (alpha > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) count++
  }
  return count
}

/** Runs in the page. */
function outlineOf(element: unknown): string {
  const { getComputedStyle } = globalThis as unknown as { getComputedStyle(element: unknown): { outlineStyle: string } }
  return getComputedStyle(element).outlineStyle
}

test(
  'one reading is a dot, a long name leaves the other columns alone, and colours that the system forces keep what is chosen',
  inBrowser,
  async () => {
    const longName = 'Abschleppwagen mit Hebebühne und zweiter Kabine der Niederlassung Nord '.repeat(2).trim().slice(0, 120)
    await ask('POST', '/telemetry', { vehicleId: 'truck-2', timestamp: new Date().toISOString(), engine_speed: 1500 })
    const id = String((await ask('GET', '/vehicles/truck-2'))['id'])
    await ask('PATCH', `/vehicles/${id}`, { name: longName })
    const { page, complaints } = await newPage(browser)
    const { dashboard } = platform.credentials
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(`${dashboard.url}vehicles/${id}?tab=signals`)
    await signIn(page, dashboard)
    await page.getByRole('figure', { name: 'Engine speed' }).getByText('1,500 rpm').waitFor()
    await page.locator('.chart-canvas canvas').first().waitFor()
    if (folder !== undefined) await page.screenshot({ path: `${folder}/one-reading.png` })
    await until('the reading is drawn', async () => (await page.evaluate(countColoured)) > 5)

    await page.getByRole('link', { name: 'Fleet', exact: true }).last().click()
    const name = page.getByRole('link', { name: longName })
    await name.waitFor()
    const [nameBox, cellBox] = [await name.boundingBox(), await page.getByRole('cell').filter({ has: name }).boundingBox()]
    assert.ok(nameBox !== null && cellBox !== null && nameBox.x + nameBox.width <= cellBox.x + cellBox.width)
    const chosen = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Fleet', exact: true })
    assert.match(await chosen.evaluate(outlineOf), /solid/)
    if (folder !== undefined) await page.screenshot({ path: `${folder}/forced-colours.png` })
    assert.deepEqual(complaints, [])
    await page.context().close()
  },
)
