// Goal: a person reads what answers predictions and how well, and sees what the engine makes of a reading. Method: the real service and engine,
// and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

const PASSWORD = 'a very long passphrase 1'

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

const ask = <T>(method: string, path: string, body?: object) => served.ask<T>(method, `/api/v1${path}`, body)

const panel = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

test('each model is there with its figures, and a reading is explained key by key and judged', inBrowser, async () => {
  const { page, complaints } = await newPage(browser, { bypassCSP: true })
  const { dashboard } = platform.credentials
  await page.goto(`${dashboard.url}models`)
  await signIn(page, dashboard)
  const { models } = await ask<{ models: { name: string; version: string }[] }>('GET', '/models')
  assert.ok(models.some(({ name }) => name === 'driving-normal'))
  for (const { name, version } of models) await panel(page, `${name} ${version}`).getByText('Answers', { exact: true }).waitFor()
  await panel(page, /^driving-normal/)
    .getByRole('row', { name: /Coolant temperature 90 % 88 %/ })
    .waitFor()
  await panel(page, 'Drift').getByText('Too few vehicles to say').waitFor()

  const attempt = panel(page, 'Try the engine')
  await attempt.getByRole('textbox').fill('{')
  await attempt.getByRole('button', { name: 'Ask the engine' }).click()
  await attempt.getByText('This is not JSON.').waitFor()
  await attempt.getByRole('button', { name: 'External API' }).click()
  await attempt.getByRole('button', { name: 'Ask the engine' }).click()
  await attempt.getByRole('row', { name: /oil_pressure.*read as PSI.*289.58 kPa/ }).waitFor()
  await attempt
    .getByText(/^Coolant temperature 116 °C/)
    .first()
    .waitFor()
  await attempt.getByRole('button', { name: 'J1939 style' }).click()
  await attempt.getByRole('button', { name: 'Ask the engine' }).click()
  await attempt.getByRole('row', { name: /coolnt_level.*Unknown/ }).waitFor()
  assert.deepEqual(await complaintsInLooks(page), [])
  assert.deepEqual(complaints, [])
  const { total } = await ask<{ total: number }>('GET', '/vehicles')
  assert.equal(total, 0, 'nothing of it was stored')
  await page.context().close()
})

test('a viewer reads the figures and is offered no try', inBrowser, async () => {
  const { invitation } = await ask<{ invitation: { url: string } }>('POST', '/users', { email: 'viewer@example.com', role: 'viewer' })
  const { page, complaints } = await newPage(browser)
  await page.goto(invitation.url)
  await choosePassword(page, PASSWORD)
  await page.getByRole('link', { name: 'Models' }).click()
  await panel(page, /^condition-rules/)
    .getByText('False alarms in 100 hours')
    .waitFor()
  assert.equal(await panel(page, 'Try the engine').count(), 0)
  assert.deepEqual(complaints, [])
  await page.context().close()
})
