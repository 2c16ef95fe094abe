// Goal: incidents are dealt with from the dashboard, with the mouse and with keys, from the click to what the API then says, and a person who may only
// look sees no action. Method: the real service and engine, vehicles that run hot, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { choosePassword, hasBrowser, inBrowser, launchBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsOfAxe } from './complaints-of-axe.ts'
import { ROOT } from './running-service.ts'

const VEHICLES = ['truck-one', 'truck-two', 'truck-three']
const POLL_MS = 100
const MAX_POLLS = 200

type Shown = { id: string; vehicleId: string; status: string; assignee: string | null; resolution: Record<string, unknown> | null }

let platform: RunningPlatform
let browser: Browser
const cleanUps: (() => Promise<void>)[] = []

before(async () => {
  if (!hasBrowser) return
  assert.notEqual(await ensureBuilt(ROOT), 'failed')
  platform = await startPlatform({ after: (cleanUp) => cleanUps.push(cleanUp) })
  browser = await launchBrowser()
  await reportHotVehicles()
})

after(async () => {
  await browser?.close()
  for (const cleanUp of cleanUps) await cleanUp()
})

async function ask<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const { base_url, api_key: key } = platform.credentials
  const answer = await call(base_url, method, `/api/v1${path}`, { key, ...(body === undefined ? {} : { body }) })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as Answer
}

async function reportHotVehicles(): Promise<void> {
  const nowMs = Date.now()
  for (const vehicleId of VEHICLES) {
    for (let agoS = 60; agoS >= 0; agoS -= 5) {
      const timestamp = new Date(nowMs - agoS * 1000).toISOString()
      await ask('POST', '/telemetry', { vehicleId, timestamp, coolant: 120, engine_speed: 1800, vehicleSpeed: 60, battery_voltage: 14.1 })
    }
  }
  await until(async () => (await incidents('open')).length === VEHICLES.length)
}

const incidents = async (status: string) => (await ask<{ incidents: Shown[] }>('GET', `/incidents?status=${status}`)).incidents

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < MAX_POLLS; turn++) {
    if (await isSo()) return
    await sleep(POLL_MS)
  }
  assert.fail('it did not come about')
}

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
  assert.equal(await page.getByRole('article').count(), VEHICLES.length, 'one row for each incident')
  for (const key of ['j', 'j', 'k', 'x']) await page.keyboard.press(key)
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('e')
  await until(async () => (await incidents('acknowledged')).length === 1)
  await page.getByText('Acknowledged one incident.').waitFor()
  assert.notEqual(await page.evaluate(focusedTag), 'BODY')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await incidents('open')).length === VEHICLES.length)
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Next incident').waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(complaints, [])
  await page.context().close()
})

const focusedTag = () => (globalThis as unknown as { document: { activeElement: { tagName: string } } }).document.activeElement.tagName

test('an incident is snoozed, opened again, assigned, and ends as a false alarm with its reason', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('alerts')
  await choose(page, 'truck-one', 'Snooze')
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /For a week/ })
    .check()
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze', exact: true }).click()
  await until(async () => (await incidents('snoozed')).length === 1)
  await page.getByRole('tab', { name: /^Snoozed/ }).click()
  await rowOf(page, 'truck-one').getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Open again' }).click()
  await until(async () => (await incidents('snoozed')).length === 0)
  await page.getByRole('tab', { name: /^Open/ }).click()
  await choose(page, 'truck-one', 'Assign')
  await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click()
  await rowOf(page, 'truck-one').getByText('Assigned to you').waitFor()
  await choose(page, 'truck-one', 'False alarm')
  await page.getByRole('textbox', { name: 'Why' }).fill('The sensor is broken')
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await until(async () => (await incidents('resolved')).length === 1)
  const [resolved] = await incidents('resolved')
  assert.deepEqual(resolved?.resolution, { reason: 'false_alarm', note: 'The sensor is broken', maintenanceId: null })
  assert.match(resolved?.assignee ?? '', /^usr-/)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('work is planned from an incident on the page of its vehicle, and ends it when it was done', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('')
  await page.getByRole('link', { name: 'truck-two' }).first().click()
  await choose(page, 'overheating', 'Plan work')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Notes' }).fill('Thermostat')
  await page.getByRole('dialog').getByRole('button', { name: 'Plan', exact: true }).click()
  await until(async () => (await incidents('acknowledged')).length === 1)
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
  await page.getByText(/^Resolved by maintenance/).waitFor()
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
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      for (const where of paths) {
        await page.goto(url + where)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
        const within = where.startsWith('vehicles/') ? '.vehicle-alerts' : 'html'
        assert.deepEqual(await complaintsOfAxe(page, within), [], `/${where} ${colorScheme} ${width}`)
        if (!where.startsWith('alerts/')) continue
        for (const name of [/^Snooze/, /^Assign/, /^Plan work/, /^Work was done/, /^False alarm/]) {
          await page.getByRole('button', { name }).click()
          await page.getByRole('dialog').waitFor()
          assert.deepEqual(await complaintsOfAxe(page, '[role=dialog]'), [], `${name} ${colorScheme} ${width}`)
          await page.getByRole('button', { name: 'Cancel' }).click()
          await page.getByRole('dialog').waitFor({ state: 'detached' })
        }
      }
    }
  }
  await page.context().close()
})
