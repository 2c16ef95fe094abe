// Goal: a workshop is run from the dashboard, from planning work to what it shows about predictions, and each click is what the API then answers.
// Method: the real service, two vehicles that reported over the API, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { goTo } from './walk-pages.ts'

const PASSWORD = 'a very long passphrase 1'
const DAY_MS = 86_400_000

const VIEWS = ['overdue', 'due', 'planned', 'done', 'calendar', 'schedules', 'lives', 'accuracy']

type Row = Record<string, unknown>

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  platform = served.platform
  browser = served.browser
  for (const vehicleId of ['truck-1', 'truck-2']) {
    await ask('POST', '/telemetry', {
      vehicleId,
      timestamp: new Date().toISOString(),
      obdDistance: 171_000,
      coolant: 88,
      engine_speed: 900,
    })
  }
})

after(() => served?.stop())

const ask = <T = Row>(method: string, path: string, body?: object) => served.ask<T>(method, `/api/v1${path}`, body)

const lastOf = (schedule: Row | undefined) => schedule?.['last'] as Row
const records = async (query: string) => (await ask<{ maintenance: Row[] }>('GET', `/maintenance?${query}`)).maintenance

async function openAsOwner(path: string): Promise<OpenPage> {
  const opened = await newPage(browser)
  const { dashboard } = platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  await opened.page.getByRole('heading', { level: 1, name: 'Maintenance' }).waitFor()
  return opened
}

const dialog = (page: Page) => page.getByRole('dialog')

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

test('work is planned, completed with what was found, mended and deleted', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('maintenance?view=planned')
  await page.getByText('Nothing is planned').waitFor()
  await page.getByRole('button', { name: 'Plan work' }).click()
  await choose(page, 'Vehicle', 'truck-1')
  await dialog(page).getByRole('combobox', { name: 'Part', exact: true }).fill('brakes')
  await dialog(page).getByLabel('Day').fill('2100-03-05')
  await dialog(page).getByLabel('Notes').fill('Front pads')
  await dialog(page).getByRole('button', { name: 'Plan' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /truck-1 · Brakes.*Front pads.*For Mar 5, 2100/ }).waitFor()
  const [planned] = await records('status=planned')
  assert.deepEqual([planned?.['component'], planned?.['notes']], ['brakes', 'Front pads'])
  assert.match(String(planned?.['dueAt']), /^2100-03-05/)

  await page.getByRole('button', { name: 'Complete: Brakes of truck-1' }).click()
  await dialog(page).getByText('Every schedule for brakes on this vehicle starts again.').waitFor()
  await dialog(page).getByLabel('Odometer (km)').fill('171000')
  await choose(page, 'How was the part?', /^Worn/)
  await dialog(page).getByLabel('Cost').fill('84.5.0')
  await dialog(page).getByRole('combobox', { name: 'Currency' }).fill('INR')
  await page.getByRole('option', { name: 'INR' }).click()
  await dialog(page).getByRole('button', { name: 'Complete' }).click()
  await dialog(page).getByText('Enter the cost in digits').waitFor()
  await dialog(page).getByLabel('Cost').fill('8450.50')
  await dialog(page).getByRole('button', { name: 'Complete' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByText('Nothing is planned').waitFor()
  // The keyboard keeps its place.
  await page.locator(':focus').waitFor()
  await page.getByRole('tab', { name: 'Done' }).click()
  await page.getByRole('row', { name: /truck-1 · Brakes.*Worn.*171,000 km.*₹8,450.50/ }).waitFor()
  const [done] = await records('status=completed')
  assert.deepEqual(
    [done?.['id'], done?.['odometer_km'], done?.['condition_found'], done?.['cost'], done?.['renewed']],
    [planned?.['id'], 171_000, 'worn', { amount_minor: 845_050, currency: 'INR' }, true],
  )

  await page.getByRole('button', { name: 'Change: Brakes of truck-1' }).click()
  await choose(page, 'How was the part?', /^Failed/)
  await dialog(page).getByRole('checkbox', { name: 'The part is new now' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Failed/ }).waitFor()
  const [mended] = await records('status=completed')
  assert.deepEqual([mended?.['condition_found'], mended?.['renewed'], mended?.['odometer_km']], ['failed', false, 171_000])
  await page.getByRole('button', { name: 'Delete: Brakes of truck-1' }).click()
  await dialog(page).getByText('is gone for good').waitFor()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No work is on record yet').waitFor()
  assert.deepEqual(await records(''), [])
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('what the service refuses is shown in the dialog, which stays as it was', inBrowser, async () => {
  const { page } = await openAsOwner('maintenance')
  await page.getByRole('button', { name: 'Work was done' }).click()
  await choose(page, 'Vehicle', 'truck-2')
  await dialog(page).getByRole('combobox', { name: 'Part', exact: true }).fill('oil filter')
  await dialog(page).getByLabel('Odometer (km)').fill('3')
  await dialog(page).getByRole('button', { name: 'Complete' }).click()
  await dialog(page)
    .getByRole('alert')
    .getByText(/odometer_km.* is 3/)
    .waitFor()
  await dialog(page).getByLabel('Odometer (km)').fill('')
  await dialog(page).getByRole('button', { name: 'Complete' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  const [done] = await records('vehicleId=truck-2')
  assert.deepEqual([done?.['status'], done?.['component'], done?.['odometer_km']], ['completed', 'oil filter', 171_000])
  await page.context().close()
})

test('the dialog of work that somebody else deletes stays, shows why, and keeps what was typed', inBrowser, async () => {
  const { id } = await ask('POST', '/maintenance', { vehicleId: 'truck-2', component: 'lamps', status: 'planned' })
  const { page } = await openAsOwner('maintenance?view=planned')
  const openChange = page.getByRole('button', { name: 'Change: Lamps of truck-2' })
  await openChange.click()
  await dialog(page).getByLabel('Notes').fill('Left one')
  await ask('DELETE', `/maintenance/${id}`)
  await dialog(page).getByRole('status').getByText('somebody else may have changed or deleted it').waitFor()
  assert.equal(await openChange.count(), 0, 'the row is gone')
  assert.equal(await dialog(page).getByLabel('Notes').inputValue(), 'Left one')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await dialog(page).getByRole('alert').getByText('There is no such maintenance').waitFor()
  assert.equal(await dialog(page).getByLabel('Notes').inputValue(), 'Left one')
  assert.equal(await dialog(page).getByText('somebody else may have changed').count(), 0, 'one reason is enough')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  // The keyboard keeps its place.
  await page.locator(':focus').waitFor()
  await page.context().close()
})

test('the way back closes a dialog', inBrowser, async () => {
  await ask('POST', '/maintenance', { vehicleId: 'truck-2', component: 'horn', status: 'planned' })
  const { page, complaints } = await openAsOwner('maintenance?view=due')
  await page.getByRole('tab', { name: 'Planned' }).click()
  await page.getByRole('button', { name: 'Change: Horn of truck-2' }).click()
  await dialog(page).waitFor()
  await page.goBack()
  await dialog(page).waitFor({ state: 'detached' })
  await page.goForward()
  await page.getByRole('button', { name: 'Change: Horn of truck-2' }).waitFor()
  assert.equal(await dialog(page).count(), 0)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('planned work whose day is over is overdue, and a person with the role of a viewer sees it without a button', inBrowser, async () => {
  const dueAt = new Date(Date.now() - 3 * DAY_MS).toISOString()
  await ask('POST', '/maintenance', { vehicleId: 'truck-2', component: 'wipers', status: 'planned', dueAt })
  const { invitation } = await ask<{ invitation: { url: string } }>('POST', '/users', { email: 'viewer@example.com', role: 'viewer' })
  const { page, complaints } = await newPage(browser)
  await page.goto(invitation.url)
  await choosePassword(page, PASSWORD)
  await page.getByRole('link', { name: 'Maintenance' }).click()
  await page.getByRole('row', { name: /truck-2 · Wipers.*Was due/ }).waitFor()
  for (const tab of ['Due soon', 'Planned', 'Done', 'Schedules', 'Lives of parts', 'Were predictions right?', 'Overdue']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel').getByText(/./).first().waitFor()
    assert.equal(
      await page
        .getByRole('main')
        .getByRole('button')
        .filter({ hasText: /Plan|Done|Complete|Change|Delete|New/ })
        .count(),
      0,
      tab,
    )
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('work is overdue by the days of the account, wherever the person is', inBrowser, async () => {
  // In Kolkata, the zone of the account, it is the morning of tomorrow, in Honolulu the evening of today.
  const tomorrow = new Date(`${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}T05:00:00Z`)
  const dueAt = new Date(tomorrow.getTime() - 12 * 3_600_000).toISOString()
  const { id } = await ask('POST', '/maintenance', { vehicleId: 'truck-1', component: 'wipers', status: 'planned', dueAt })
  const { page, complaints } = await newPage(browser, { timezoneId: 'Pacific/Honolulu' })
  await page.clock.setFixedTime(tomorrow)
  const { dashboard } = platform.credentials
  await page.goto(`${dashboard.url}maintenance?view=overdue`)
  await signIn(page, dashboard)
  await page.getByRole('row', { name: /truck-1 · Wipers.*Was due/ }).waitFor()
  await page.getByRole('tab', { name: 'Calendar' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Wipers' }).filter({ hasText: 'truck-1' }).getByText('Overdue').waitFor()
  await ask('DELETE', `/maintenance/${id}`)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a schedule is created for a vehicle with what it will come to in words, shown, changed and deleted', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('maintenance?view=schedules')
  const schedules = async () => (await ask<{ schedules: Row[] }>('GET', '/maintenance/schedules')).schedules
  await page.getByRole('button', { name: 'Create a schedule' }).click()
  await dialog(page).getByRole('combobox', { name: 'Vehicles' }).click()
  await page.getByRole('option', { name: 'truck-1' }).click()
  await dialog(page).getByLabel('What is to be done').fill('Yearly service')
  await dialog(page).getByRole('combobox', { name: 'Part', exact: true }).fill('engine')
  await dialog(page).getByLabel('Every (km)').fill('10000')
  await dialog(page).getByLabel('Every (days)').fill('365')
  const lastDone = new Date(Date.now() - 40 * DAY_MS)
  await dialog(page).getByLabel('Last done on').fill(lastDone.toISOString().slice(0, 10))
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
  await dialog(page).getByRole('alert').getByText('what the odometer of the vehicle showed then').waitFor()
  await dialog(page).getByLabel('at (km)').fill('165000')
  await dialog(page)
    .getByText(/^Next due at 175,000 km or on .*, whichever comes first\.$/)
    .waitFor()
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /truck-1 · Yearly service.*every 10,000 km or 365 days.*Not due yet.*175,000 km/ }).waitFor()
  const [created] = await schedules()
  assert.deepEqual(created?.['every'], { km: 10_000, days: 365, engine_hours: null })
  assert.equal(lastOf(created)['odometer_km'], 165_000)

  await page.getByRole('button', { name: 'More: Yearly service of truck-1' }).click()
  await page.getByRole('menuitem', { name: 'Change' }).click()
  await dialog(page).getByLabel('Every (km)').fill('5000')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /every 5,000 km or 365 days.*Overdue/ }).waitFor()
  const [changed] = await schedules()
  assert.deepEqual([changed?.['id'], lastOf(changed)['at']], [created?.['id'], lastOf(created)['at']])
  await page.getByRole('button', { name: 'More: Yearly service of truck-1' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No schedule matches').waitFor()
  assert.deepEqual(await schedules(), [])
  assert.deepEqual(complaints, ['Failed to load resource: the server responded with a status of 400 (Bad Request)'], 'the refusal alone')
  await page.context().close()
})

test('the calendar shows what is planned and due, leads to the records, goes by keys, and can be subscribed to', inBrowser, async () => {
  await ask('POST', '/maintenance', {
    vehicleId: 'truck-1',
    component: 'brakes',
    status: 'planned',
    dueAt: '2100-03-15T12:00:00Z',
    notes: 'Pads',
  })
  const { page, complaints } = await openAsOwner('maintenance?view=calendar&month=2100-03')
  const day = (name: RegExp) => page.getByRole('button', { name })
  await day(/Mar 15, 2100: 1 entry/).click()
  await page.waitForURL(/day=2100-03-15/)
  await page.getByRole('listitem').filter({ hasText: 'truck-1 · Brakes: Pads' }).getByText('Planned').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/day=2100-03-16/)
  // The address changes first.
  const next = day(/Mar 16, 2100: nothing/)
  await until('the focus goes along', () => next.evaluate((element) => element === element.ownerDocument.activeElement))
  await page.keyboard.press('PageDown')
  await page.getByRole('heading', { name: 'April 2100' }).waitFor()
  await page.goto(`${platform.credentials.dashboard.url}maintenance?view=calendar&month=2100-03`)
  await page.getByRole('link', { name: 'Go to the record' }).click()
  await page.getByRole('row', { name: /truck-1 · Brakes.*For Mar 15, 2100/ }).waitFor()

  await page.goBack()
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await choose(page, 'Vehicle', 'truck-1')
  await dialog(page).getByRole('button', { name: 'Create a link' }).click()
  const url = await dialog(page).getByLabel('Link, shown this once').inputValue()
  const webcal = await dialog(page).getByRole('link', { name: 'Open in the calendar program' }).getAttribute('href')
  assert.equal(webcal, url.replace(/^http:/, 'webcal:'))
  const { pathname } = new URL(url)
  const follow = () => fetch(new URL(pathname, platform.credentials.base_url))
  assert.match(await (await follow()).text(), /BEGIN:VCALENDAR[\s\S]*Pads/)
  await dialog(page).getByRole('button', { name: 'Remove the link' }).click()
  await dialog(page).getByText('The link is removed').waitFor()
  assert.equal((await follow()).status, 404)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('lives of parts show how many failed and how many had not', inBrowser, async () => {
  const done = (daysAgo: number, odometer_km: number, condition_found: string) =>
    ask('POST', '/maintenance', {
      ...{ vehicleId: 'truck-1', component: 'battery', status: 'completed', condition_found, odometer_km },
      completedAt: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
    })
  await done(300, 80_000, 'worn')
  await done(100, 140_000, 'failed')
  const { page, complaints } = await openAsOwner('maintenance?view=lives&component=battery')
  await page.getByText('1 part failed, 1 had not.').waitFor()
  await page.getByRole('row', { name: /truck-1 60,000 km Failed/ }).waitFor()
  await page.getByRole('row', { name: /truck-1 at least .* Had not failed/ }).waitFor()
  await page.getByText('Days', { exact: true }).click()
  await page.getByRole('row', { name: /truck-1 200 days Failed/ }).waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('every view can be read in light and dark, on a desk and on a phone', inBrowser, async () => {
  await ask('POST', '/maintenance/schedules', {
    vehicleId: 'truck-1',
    component: 'brakes',
    title: 'Brake pads',
    every: { km: 40_000, days: 730 },
  })
  const last = { at: new Date(Date.now() - 40 * DAY_MS).toISOString() }
  await ask('POST', '/maintenance/schedules', { vehicleId: 'truck-2', component: 'cooling', title: 'Coolant', every: { days: 30 }, last })
  const { page } = await newPage(browser, { bypassCSP: true })
  const { url, email, password } = platform.credentials.dashboard
  await page.goto(url)
  await signIn(page, { email, password })
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  for (const view of VIEWS) {
    await goTo(page, `maintenance?view=${view}`)
    await page.getByRole('tabpanel').getByText(/./).first().waitFor()
    await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    assert.deepEqual(await complaintsInLooks(page), [], view)
  }
  for (const name of ['Plan work', 'Work was done']) {
    await page.getByRole('button', { name }).click()
    await dialog(page).waitFor()
    assert.deepEqual(await complaintsInLooks(page, { within: '[role=dialog]' }), [], name)
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await dialog(page).waitFor({ state: 'detached' })
  }
  await page.context().close()
})
