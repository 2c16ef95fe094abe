// Goal: incidents are dealt with from the dashboard, with the mouse and with keys, from the click to what the API then returns, and a person who may only
// look sees no action. Method: the real service and engine, vehicles that run hot, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asOwner } from '@roadworthy/platform/predictions/scoring/test-backlog'
import type { Browser, Page } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks, complaintsOfAxe } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { goTo } from './walk-pages.ts'

const VEHICLES = ['truck-one', 'truck-two', 'truck-three']
/** Where to put pictures of the pages, for people to look at. */
const folder = process.env['PICTURES']

type Shown = { id: string; vehicleId: string; status: string; assignee: string | null; resolution: Record<string, unknown> | null }

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  platform = served.platform
  browser = served.browser
  await reportHotVehicles()
})

after(() => served?.stop())

const ask = <Answer>(method: string, path: string, body?: object) => served.ask<Answer>(method, `/api/v1${path}`, body)

async function reportHotVehicles(): Promise<void> {
  const nowMs = Date.now()
  for (const vehicleId of VEHICLES) {
    for (let agoS = 60; agoS >= 0; agoS -= 5) {
      const timestamp = new Date(nowMs - agoS * 1000).toISOString()
      await ask('POST', '/telemetry', { vehicleId, timestamp, coolant: 120, engine_speed: 1800, vehicleSpeed: 60, battery_voltage: 14.1 })
    }
  }
  await untilThere('open', VEHICLES.length)
}

const incidents = async (status: string) => (await ask<{ incidents: Shown[] }>('GET', `/incidents?status=${status}`)).incidents

const untilThere = (status: string, count: number) =>
  until(`${count} incidents are ${status}`, async () => (await incidents(status)).length === count)
const untilRows = (page: Page, count: number) => until(`${count} rows`, async () => (await page.getByRole('article').count()) === count)
const untilInRow = (page: Page, why: string) => until(why, () => page.evaluate(isInRow))

async function openAsOwner(path: string): Promise<OpenPage> {
  const opened = await newPage(browser)
  await opened.page.goto(platform.credentials.dashboard.url + path)
  await signIn(opened.page, platform.credentials.dashboard)
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

const rowOf = (page: Page, vehicle: string) => page.getByRole('article').filter({ hasText: vehicle })

/** Of the menu in the row of a vehicle. */
async function choose(page: Page, vehicle: string, action: string): Promise<void> {
  await rowOf(page, vehicle).getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').waitFor()
}

test('with keys alone an incident is selected and acknowledged, and with a click that is taken back', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('alerts')
  await rowOf(page, 'truck-three').waitFor()
  await untilRows(page, VEHICLES.length)
  for (const key of ['j', 'j', 'k', 'x']) await page.keyboard.press(key)
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('e')
  await untilThere('acknowledged', 1)
  await page.getByText('Acknowledged one incident.').waitFor()
  await untilRows(page, VEHICLES.length - 1)
  await untilInRow(page, 'the work goes on in the next row')
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await untilThere('open', VEHICLES.length)
  await rowOf(page, 'truck-two')
    .getByRole('button', { name: /^Acknowledge/ })
    .press('Enter')
  await page.getByText(/^Acknowledged: /).waitFor()
  await untilThere('acknowledged', 1)
  await untilInRow(page, 'so it does after a button of the row')
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await untilThere('open', VEHICLES.length)
  await rowOf(page, 'truck-two').waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

const isInRow = () => {
  const { activeElement } = (globalThis as unknown as { document: { activeElement: { closest: (selector: string) => object | null } } })
    .document
  return activeElement.closest('[data-incident]') !== null
}

test('what the service refuses is shown as it was, with the reason', inBrowser, async () => {
  const { page } = await openAsOwner('alerts')
  await rowOf(page, 'truck-three').waitFor()
  await page.route('**/api/v1/incidents/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Not now.' } } })
  })
  await rowOf(page, 'truck-three')
    .getByRole('button', { name: /^Acknowledge/ })
    .press('Enter')
  await page.getByText(/: Not now\.$/).waitFor()
  await untilRows(page, VEHICLES.length)
  await page.context().close()
})

test('shortcuts of a single key are listed, and can be switched off for good', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('alerts')
  await rowOf(page, 'truck-three').waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog')
  await help.getByText('Next incident', { exact: true }).waitFor()
  assert.deepEqual(await complaintsOfAxe(page, '[role=dialog]'), [])
  await help.getByRole('switch', { name: 'Shortcuts of a single key' }).press('Space')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  for (const where of ['at once', 'after a reload']) {
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    assert.deepEqual([await page.evaluate(isInRow), await help.count()], [false, 0], where)
    await page.reload()
    await rowOf(page, 'truck-three').waitFor()
  }
  await page.goto(`${platform.credentials.dashboard.url}settings/preferences`)
  const own = page.getByRole('switch', { name: 'Shortcuts of a single key' })
  assert.equal(await own.isChecked(), false)
  await own.press('Space')
  await page.goto(`${platform.credentials.dashboard.url}alerts`)
  await rowOf(page, 'truck-three').waitFor()
  await page.keyboard.press('j')
  await untilInRow(page, 'the key selects a row')
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('an incident is snoozed, opened again, assigned, and ends as a false alarm with its reason', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('alerts')
  await choose(page, 'truck-one', 'Snooze')
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /For a week/ })
    .check()
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze', exact: true }).click()
  await untilThere('snoozed', 1)
  await page.getByText(/^Snoozed until /).waitFor()
  await page.getByRole('tab', { name: /^Snoozed/ }).click()
  await rowOf(page, 'truck-one').getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Open again' }).click()
  await untilThere('snoozed', 0)
  await page.getByRole('tab', { name: /^Open/ }).click()
  await choose(page, 'truck-one', 'Assign')
  await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click()
  await rowOf(page, 'truck-one').getByText('Assigned to you').waitFor()
  await choose(page, 'truck-one', 'False alarm')
  await page.getByRole('textbox', { name: 'Why' }).fill('The sensor is broken')
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await untilThere('resolved', 1)
  const [resolved] = await incidents('resolved')
  assert.deepEqual(resolved?.resolution, { reason: 'false_alarm', note: 'The sensor is broken', maintenanceId: null })
  assert.match(resolved?.assignee ?? '', /^usr-/)
  await page.goto(`${platform.credentials.dashboard.url}alerts/${resolved?.id}`)
  const steps = page.getByRole('region', { name: 'History' }).getByRole('listitem')
  await steps.first().waitFor()
  const shown = (await steps.allInnerTexts()).map((text) => text.split('\n')[0]?.replace(/until .* by/, 'until … by'))
  const asDone = ['Resolved by you: a false alarm', 'Assigned to you by you', 'Opened again by you', 'Snoozed until … by you']
  // It may have been acknowledged and opened again before.
  assert.deepEqual([...shown.slice(0, asDone.length), shown.at(-1)], [...asDone, 'Opened: readings show it'])
  await steps.first().getByText('“The sensor is broken”').waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test(
  'an incident shows the readings it rests on, around the time it opened, and leads to the signals of its vehicle',
  inBrowser,
  async () => {
    const { page, complaints } = await openAsOwner('alerts')
    await rowOf(page, 'truck-three').getByRole('link').nth(1).click()
    const chart = page.getByRole('figure', { name: 'Coolant temperature' })
    await chart.locator('canvas').waitFor()
    await chart.getByText('an alert opened').waitFor()
    await chart.getByText(/normal 77 °C to 102 °C/).waitFor()
    await chart.getByText('As a table').click()
    await chart.getByRole('cell', { name: '120 °C' }).first().waitFor()
    await chart.getByRole('link', { name: 'Coolant temperature' }).click()
    await page.getByRole('figure', { name: 'Coolant temperature' }).locator('canvas').waitFor()
    const { pathname, searchParams } = new URL(page.url())
    assert.match(pathname, /^\/vehicles\/veh-/)
    assert.deepEqual([searchParams.get('tab'), searchParams.get('signal')], ['signals', 'coolantTempC'])
    const spanMs = Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')
    assert.ok(spanMs >= 3_600_000 && spanMs <= 7_200_000, `${spanMs}`)
    assert.deepEqual(complaints, [])
    await page.context().close()
  },
)

test('an incident that comes and goes is marked, and the mark explains what that means to who comes by keyboard', inBrowser, async () => {
  await asOwner(platform.databaseUrl, async (owner) => {
    await owner.query(`update incidents set occurrences = 5, returned_at = '2026-01-05T08:00:00Z' where status <> 'resolved'`)
  })
  const { page, complaints } = await openAsOwner('alerts')
  const mark = rowOf(page, 'truck-three').getByRole('button', { name: 'Flapping' })
  await mark.waitFor()
  await page.keyboard.press('j')
  for (let back = 0; back < 2; back++) await page.keyboard.press('Shift+Tab')
  await page
    .getByRole('tooltip')
    .filter({ hasText: /^Back 4 times since / })
    .waitFor()
  assert.deepEqual(await complaintsOfAxe(page, '.incident-card'), [])
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('work is planned from an incident on the page of its vehicle, and ends it when it was done', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('')
  await page.getByRole('link', { name: 'truck-two' }).first().click()
  await choose(page, 'overheating', 'Plan work')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Notes' }).fill('Thermostat')
  await page.getByRole('dialog').getByRole('button', { name: 'Plan', exact: true }).click()
  await untilThere('acknowledged', 1)
  type Work = { maintenance: { id: string; status: string; notes: string; odometer_km: number; cost: object; condition_found: string }[] }
  const work = async () => (await ask<Work>('GET', '/maintenance')).maintenance[0]
  assert.deepEqual([(await work())?.status, (await work())?.notes], ['planned', 'Thermostat'])
  await page.getByRole('article').getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Evidence' }).waitFor()
  await page.getByRole('button', { name: /^Work was done/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Odometer (km)' }).fill('171300')
  await dialog.getByRole('textbox', { name: 'Cost' }).fill('84.5')
  await dialog.getByRole('combobox', { name: 'Currency' }).click()
  await page.getByRole('option', { name: /^EUR/ }).click()
  await dialog.getByRole('combobox', { name: 'How was the part?' }).click()
  await page.getByRole('option', { name: /^Failed/ }).click()
  await dialog.getByRole('button', { name: 'Complete' }).click()
  await page.getByText(/^Resolved by (maintenance|you)/).waitFor()
  const done = await work()
  assert.deepEqual(
    [done?.status, done?.odometer_km, done?.cost, done?.condition_found],
    ['completed', 171_300, { amount_minor: 8450, currency: 'EUR' }, 'failed'],
  )
  assert.equal(await page.getByRole('button', { name: /^Acknowledge/ }).count(), 0, 'what is resolved stays so')
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a person who may only look sees the incidents and no action, and no page asks for what is refused', inBrowser, async () => {
  const email = 'viewer@example.com'
  const { invitation } = await ask<{ invitation: { url: string } }>('POST', '/users', { email, role: 'viewer' })
  const { page, complaints } = await newPage(browser)
  await page.goto(invitation.url)
  await choosePassword(page, 'a very long passphrase 1')
  await page.getByRole('link', { name: /^Alerts/ }).click()
  await rowOf(page, 'truck-three').waitFor()
  const noAction = async () => assert.equal(await page.getByRole('button', { name: /^(Acknowledge|More|Snooze|Plan work)/ }).count(), 0)
  await noAction()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  await page.getByRole('article').getByRole('link').nth(1).click()
  await page.getByRole('heading', { name: 'Evidence' }).waitFor()
  await noAction()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('the pages and their dialogs can be read in light and dark, on a desk and on a phone', inBrowser, async () => {
  const { url } = platform.credentials.dashboard
  const { page } = await newPage(browser, { bypassCSP: true })
  await page.goto(`${url}alerts`)
  await signIn(page, platform.credentials.dashboard)
  await rowOf(page, 'truck-three').waitFor()
  const [open] = await incidents('open')
  const paths = ['alerts', 'alerts?status=resolved', 'alerts?severity=info', `alerts/${open?.id}`, `vehicles/${open?.vehicleId}`]
  for (const where of paths) {
    await goTo(page, where)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    const within = where.startsWith('vehicles/') ? '.vehicle-alerts' : 'html'
    const onLook = async (look: string) => {
      const picture = `${paths.indexOf(where)} ${look}.png`
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${picture}`, fullPage: true })
    }
    assert.deepEqual(await complaintsInLooks(page, { within, onLook }), [], `/${where}`)
    if (!where.startsWith('alerts/')) continue
    for (const name of [/^Snooze/, /^Assign/, /^Plan work/, /^Work was done/, /^False alarm/]) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').waitFor()
      assert.deepEqual(await complaintsInLooks(page, { within: '[role=dialog]' }), [], String(name))
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  }
  await page.context().close()
})
