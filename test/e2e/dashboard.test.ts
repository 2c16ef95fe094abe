// Goal: a person signs in with what the first start printed, finds the vehicle that runs hot, sees why, and deals with its alert. Method:
// the real service and engine, a vehicle that reports over the API, and a real browser. Nothing may be asked of any other address.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { ROOT } from './running-service.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
/** WebGL by the processor, for there is no graphics card; and none of the requests that a browser makes of its own accord. */
const FLAGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
]
const options = { skip: CHROMIUM === undefined && 'needs Chromium: apt-get install --no-install-recommends chromium' }

let platform: RunningPlatform
let browser: Browser
const cleanUps: (() => Promise<void>)[] = []

before(async () => {
  if (CHROMIUM === undefined) return
  assert.notEqual(await ensureBuilt(ROOT), 'failed')
  // What is handed to `after` from within `before` runs when that ends.
  platform = await startPlatform({ after: (cleanUp) => cleanUps.push(cleanUp) })
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  await reportHotVehicle()
})

after(async () => {
  await browser?.close()
  for (const cleanUp of cleanUps) await cleanUp()
})

/** A minute of an engine far above what any engine stands, and of a sound one beside it. */
async function reportHotVehicle(): Promise<void> {
  const { base_url, api_key } = platform.credentials
  const nowMs = Date.now()
  for (const [vehicleId, coolant, latitude] of [
    ['truck-hot', 120, 49],
    ['truck-cool', 90, 48.5],
  ] as const) {
    for (let agoS = 60; agoS >= 0; agoS -= 5) {
      const timestamp = new Date(nowMs - agoS * 1000).toISOString()
      const body = { vehicleId, timestamp, coolant, latitude, longitude: 8.4, engine_speed: 1800, vehicleSpeed: 60, battery_voltage: 14.1 }
      assert.equal((await call(base_url, 'POST', '/api/v1/telemetry', { key: api_key, body })).status, 200)
    }
  }
  for (let turn = 0; turn < 200; turn++) {
    const { body } = await call(base_url, 'GET', '/api/v1/alerts?status=open', { key: api_key })
    if (Number(body['total']) > 0) return
    await sleep(100)
  }
  assert.fail('no alert was raised')
}

/** A page that notes every request to elsewhere and every complaint of the browser. */
async function openPage(path = ''): Promise<{ page: Page; complaints: string[] }> {
  const { url } = platform.credentials.dashboard
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const complaints: string[] = []
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (!['blob:', 'data:'].includes(asked.protocol) && asked.origin !== new URL(url).origin) complaints.push(`asked ${asked}`)
  })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url + path)
  return { page, complaints }
}

async function signIn(page: Page): Promise<void> {
  const { email, password } = platform.credentials.dashboard
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('from signing in to the alert that is dealt with', options, async () => {
  const { page, complaints } = await openPage()
  await signIn(page)

  const list = page.getByRole('region', { name: 'Vehicle list' })
  await list.getByText('truck-hot').waitFor()
  const rows = await list.getByRole('row').allInnerTexts()
  assert.match(rows[1] ?? '', /truck-hot[\s\S]*Critical/, 'the worst comes first')
  assert.match(rows[2] ?? '', /truck-cool[\s\S]*Healthy/)
  // The map has come to rest, with a marker for what the list names.
  await page.locator('.map[data-idle=true]').waitFor()
  const marker = page.getByRole('button', { name: 'truck-hot, critical' })
  await marker.waitFor()
  await marker.click()
  await page.getByRole('region', { name: 'Selected vehicle' }).getByRole('link', { name: 'Open vehicle' }).click()

  await page.getByRole('heading', { level: 1, name: 'truck-hot' }).waitFor()
  await page
    .getByText(/^Coolant temperature 120 °C .*above 114 °C/)
    .first()
    .waitFor()
  await page.getByRole('row', { name: /Cooling/ }).waitFor()
  await page.locator('.uplot canvas').first().waitFor()

  await page.getByRole('link', { name: /^Alerts/ }).click()
  const alert = page.getByRole('article', { name: 'Engine overheating' })
  await alert.getByRole('button', { name: /^Acknowledge/ }).click()
  await page.getByText('Nothing is open').waitFor()
  await page.getByRole('tab', { name: /^Acknowledged/ }).click()
  await alert.getByText(/acknowledged just now/).waitFor()
  const { base_url, api_key } = platform.credentials
  const { body } = await call(base_url, 'GET', '/api/v1/alerts?status=acknowledged', { key: api_key })
  assert.equal(Number(body['total']), 1)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.deepEqual(complaints, [])
  await page.close()
})

test('an address that was passed on is shown after signing in, and a wrong password is told', options, async () => {
  const { page } = await openPage('?q=truck-cool')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(platform.credentials.dashboard.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The e-mail address or the password is not right.').waitFor()
  await signIn(page)
  const list = page.getByRole('region', { name: 'Vehicle list' })
  await list.getByText('1 of 2').waitFor()
  assert.equal(await list.getByText('truck-hot').count(), 0)
  await page.close()
})
