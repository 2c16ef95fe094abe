// Goal: a person makes a rule for themself, allows messages in their browser, is shown one at a click of "Send test" and for an incident, and none after they signed out. Method: the real
// service and a real browser; of the browser only the subscription at its maker's push service is stood in for by one on loopback, and what that takes is
// handed to the real worker.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PushTarget } from '@roadworthy/platform/notifications/browsers/push-subscription'
import { type PushService, startPushService, type TestBrowser } from '@roadworthy/platform/notifications/browsers/test-push-service'
import type { Browser, Page } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsOfAxe } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

type Row = Record<string, unknown>

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser
let service: PushService
const stops: (() => unknown)[] = []
const cleanUp = { after: (stop: () => unknown) => void stops.push(stop) }

before(async () => {
  if (!hasBrowser) return
  service = await startPushService(cleanUp)
  served = await serveDashboard({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }, isWholeBrowser: true })
  platform = served.platform
  browser = served.browser
})

after(async () => {
  await served?.stop()
  for (const stop of stops) await stop()
})

const ask = <T = Row>(method: string, path: string, body?: object) => served.ask<T>(method, `/api/v1${path}`, body)

const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Safari/537.36'

/** Runs in the page: a browser whose push service is ours, and which keeps its subscription when a page is loaded anew. */
const standIn = (target: PushTarget) => `{
  const { endpoint, p256dh, auth } = ${JSON.stringify(target)}
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => (localStorage.removeItem('subscribed'), true),
  }
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('subscribed') === null ? null : subscription)
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    localStorage.setItem('subscribed', applicationServerKey)
    return subscription
  }
}`

/** Runs in the page: that messages can be delivered. `ready` is already true of a worker that is being activated. */
const WORKER_IS_ACTIVATED = `navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')`

/** Runs in the page: what the browser shows. */
const SHOWN_MESSAGES = `(async () => {
  const registration = await navigator.serviceWorker.ready
  return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data }))
})()`
/** Delivered to a worker that a busy machine has yet to start, a message is shown seconds later. */
const SHOWN_WITHIN_MS = 60_000
type ShownMessage = { title: string; body: string; tag: string; data: unknown }

/** A profile of which the push service is ours. */
async function openProfile(options: object = {}, permissions: string[] = ['notifications']): Promise<OpenPage & { ours: TestBrowser }> {
  const opened = await newPage(browser, { bypassCSP: true, permissions, userAgent: USER_AGENT, ...options })
  const ours = service.addBrowser()
  await opened.page.context().addInitScript({ content: standIn(ours.target) })
  return { ...opened, ours }
}

async function openPreferences({ page }: OpenPage): Promise<void> {
  const { dashboard } = platform.credentials
  await page.goto(`${dashboard.url}/settings/preferences`)
  await signIn(page, dashboard)
  await page.getByRole('heading', { level: 2, name: 'Messages in your browsers' }).waitFor()
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const picture = async (page: Page, name: string) => {
  const folder = process.env['PICTURES_FOLDER']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test('a browser is allowed, shows a test, and shows nothing after it is removed', inBrowser, async () => {
  const opened = await openProfile()
  const { page, complaints, ours } = opened
  await openPreferences(opened)
  await picture(page, 'push-off')
  await button(page, 'Show messages in this browser').click()
  await page.getByText('Chrome on Linux').waitFor()
  await page.getByText('This browser', { exact: true }).last().waitFor()
  await button(page, 'Send test: Chrome on Linux').click()
  await page.getByText('The test was taken').waitFor()
  assert.equal(ours.shown.length, 1)
  await picture(page, 'push-on')
  assert.deepEqual(await complaintsOfAxe(page), [])

  // What the push service was given, the worker shows.
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [found] }) => found && resolve(found.registrationId))
  })
  await session.send('ServiceWorker.enable')
  const origin = new URL(page.url()).origin
  for (const end = Date.now() + SHOWN_WITHIN_MS; !(await page.evaluate<boolean>(WORKER_IS_ACTIVATED)); await page.waitForTimeout(50)) {
    assert.ok(Date.now() < end, 'the worker does not begin')
  }
  const data = JSON.stringify({ ...ours.shown[0], path: '/alerts/inc-a1', topic: 'inc-a1' })
  for (let nth = 0; nth < 2; nth++) {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
  }
  let shown: ShownMessage[] = []
  for (const end = Date.now() + SHOWN_WITHIN_MS; shown.length === 0 && Date.now() < end; await page.waitForTimeout(50)) {
    shown = await page.evaluate<ShownMessage[]>(SHOWN_MESSAGES)
  }
  assert.equal(shown.length, 1)
  assert.equal(shown[0]?.title, 'Test: Chrome on Linux')
  assert.match(shown[0]?.body ?? '', /Nothing happened to any vehicle/)
  assert.deepEqual([shown[0]?.tag, shown[0]?.data], ['inc-a1', { path: '/alerts/inc-a1' }])

  await page.reload()
  await button(page, 'Remove: Chrome on Linux').click()
  await button(page, 'Show messages in this browser').waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('who signs out is shown nothing more in the browser', inBrowser, async () => {
  const opened = await openProfile()
  const { page, ours } = opened
  await openPreferences(opened)
  await button(page, 'Show messages in this browser').click()
  await page.getByText('Chrome on Linux').waitFor()
  const { assignees } = await ask<{ assignees: { id: string }[] }>('GET', '/incidents/assignees')
  const rule = { name: 'Nights', minSeverity: 'high', recipients: assignees.map(({ id }) => id) }
  const { id } = await ask<{ id: string }>('POST', '/notification-rules', rule)
  await ask('POST', `/notification-rules/${id}/test`)
  while (ours.shown.length === 0) await page.waitForTimeout(100)
  assert.match(ours.shown[0]?.title ?? '', /^Test: Nights/)
  await page.goto(`${platform.credentials.dashboard.url}/settings/notifications`)
  await page.getByText('in a browser').first().waitFor()
  await picture(page, 'push-log')
  await button(page, 'Sign out').click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await openPreferences(opened)
  await button(page, 'Show messages in this browser').waitFor()
  assert.equal(await page.getByText('Chrome on Linux').count(), 0)
  await page.context().close()
})

test('where messages are blocked the page shows it, in the dark, on a phone, and a viewer may allow them', inBrowser, async () => {
  const blocked = await openProfile({ colorScheme: 'dark', viewport: { width: 390, height: 844 } }, [])
  await blocked.page.addInitScript({ content: "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })" })
  await openPreferences(blocked)
  await blocked.page.getByText('Messages are blocked in this browser.').waitFor()
  assert.deepEqual(await complaintsOfAxe(blocked.page), [])
  await picture(blocked.page, 'push-blocked-phone')
  assert.deepEqual(blocked.complaints, [])
  const { invitation } = await ask<{ invitation: { url: string } }>('POST', '/users', { email: 'viewer@example.com', role: 'viewer' })
  const { page, complaints } = await openProfile()
  await page.goto(invitation.url)
  await choosePassword(page, 'a very long passphrase 1')
  await page.getByText('viewer@example.com').waitFor()
  await page.goto(`${platform.credentials.dashboard.url}/settings/preferences`)
  await button(page, 'Show messages in this browser').click()
  await page.getByText('Chrome on Linux').waitFor()

  // And what they are notified of is theirs to choose.
  await button(page, 'New rule for you').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('My vans')
  await dialog.getByRole('checkbox', { name: 'Not in quiet hours' }).check()
  assert.equal(await dialog.getByText('Who gets the message').count(), 0)
  assert.deepEqual(await complaintsOfAxe(page), [])
  await picture(page, 'rule-of-a-person')
  await button(page, 'Save').click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('High incidents and worse, of all vehicles.').waitFor()
  await page.getByText('Not from 22:00 to 06:00, in the time zone of the account, critical ones at any hour, once.').waitFor()
  await button(page, 'Switch off: My vans').click()
  await button(page, 'Switch on: My vans').waitFor()
  await picture(page, 'rules-of-a-person')
  assert.deepEqual(await complaintsOfAxe(page), [])
  await button(page, 'Delete: My vans').click()
  await button(page, 'Delete').click()
  await page.getByText('No rule sends you messages.').waitFor()
  assert.deepEqual(complaints, [])
})
