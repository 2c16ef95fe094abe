// Goal: an owner connects a channel, makes a rule and sees what it sent, in the dashboard, and each click is what the API then answers. Method: the real
// service, a chat on loopback that refuses first, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { answerWith, type Receiver, startReceiver } from '@roadworthy/platform/webhooks/test-receiver'
import type { Browser, Page } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsOfAxe } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

type Row = Record<string, unknown>

const PATH = '/settings/notifications'

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser
let chat: Receiver
const stops: (() => unknown)[] = []
const cleanUp = { after: (stop: () => unknown) => void stops.push(stop) }

before(async () => {
  if (!hasBrowser) return
  chat = await startReceiver(cleanUp, (response, received, nth) => {
    const reply = nth === 1 ? answerWith(404, {}, 'no_service') : answerWith(200, {}, 'ok')
    reply(response, received, nth)
  })
  served = await serveDashboard({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } })
  platform = served.platform
  browser = served.browser
})

after(async () => {
  await served?.stop()
  for (const stop of stops) await stop()
})

const ask = <T = Row>(method: string, path: string, body?: object) => served.ask<T>(method, `/api/v1${path}`, body)

const rules = async () => (await ask<{ notificationRules: Row[] }>('GET', '/notification-rules')).notificationRules

async function openAsOwner(options: object = {}): Promise<OpenPage> {
  const opened = await newPage(browser, options)
  const { dashboard } = platform.credentials
  await opened.page.goto(dashboard.url + PATH)
  await signIn(opened.page, dashboard)
  await opened.page.getByRole('heading', { level: 1, name: 'Notification rules' }).waitFor()
  return opened
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const picture = async (page: Page, name: string) => {
  const folder = process.env['PICTURES_FOLDER']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test('a channel is connected, shows what its service answered, and is named by a rule whose test arrives', inBrowser, async () => {
  const { page, complaints } = await openAsOwner({ bypassCSP: true })
  await page.getByText('Nobody is notified of incidents yet').waitFor()
  await picture(page, 'empty')
  await button(page, 'Connect a channel').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Workshop chat')
  await page.getByRole('textbox', { name: 'Webhook URL' }).fill(chat.url)
  await picture(page, 'connect')
  await button(page, 'Connect').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await button(page, 'Send test: Workshop chat').click()
  await page.getByText('Slack answered 404: no_service.').first().waitFor()
  // A channel is tested once in five seconds.
  await new Promise((resolve) => setTimeout(resolve, 5_500))
  await button(page, 'Send test: Workshop chat').click()
  await page.getByText('The test was taken').waitFor()

  await button(page, 'New rule').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Night shift')
  await dialog.getByRole('combobox', { name: 'Who gets the message' }).click()
  await page.getByRole('option', { name: 'Workshop chat' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('checkbox', { name: 'Not in quiet hours' }).check()
  await dialog.getByText('These times are in the time zone of the account').waitFor()
  await dialog.getByRole('checkbox', { name: 'Send it again while the incident is open' }).check()
  const minutes = dialog.getByRole('textbox', { name: 'Every so many minutes' })
  // One key after another: what is emptied holds nothing that the next digits would stand beside.
  await minutes.press('End')
  for (const key of ['Backspace', 'Backspace']) await minutes.press(key)
  assert.equal(await button(page, 'Save').isDisabled(), true)
  await minutes.pressSequentially('45')
  assert.equal(await minutes.inputValue(), '45')
  assert.deepEqual(await complaintsOfAxe(page), [])
  await picture(page, 'new-rule')
  await button(page, 'Save').click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('High incidents and worse, of all vehicles, to Workshop chat.').waitFor()
  const [rule] = await rules()
  assert.deepEqual([rule?.['name'], rule?.['repeatMinutes'], rule?.['quietHours']], ['Night shift', 45, { from: '22:00', to: '06:00' }])

  await button(page, 'Send test: Night shift').click()
  await page.getByText('A test is on the way.').waitFor()
  await chat.until(3)
  await page.getByRole('row', { name: /Workshop chat.*Sent.*Night shift/ }).waitFor()
  assert.deepEqual(await complaintsOfAxe(page), [])
  assert.deepEqual(complaints, [])
})

test('a rule is changed, switched off and deleted, and the log is narrowed down by its address', inBrowser, async () => {
  const { page, complaints } = await openAsOwner({ bypassCSP: true })
  await button(page, 'Edit: Night shift').click()
  await page.getByRole('checkbox', { name: 'Not in quiet hours' }).uncheck()
  await button(page, 'Save').click()
  await page.getByText('At once, again every 45 min while it is open.').waitFor()
  await button(page, 'Switch off: Night shift').click()
  await button(page, 'Switch on: Night shift').waitFor()
  const [rule] = await rules()
  assert.deepEqual([rule?.['quietHours'], rule?.['enabled']], [null, false])
  await page.getByRole('link', { name: 'What it sent' }).click()
  await page.waitForURL(/ruleId=nrl-/)
  await page.getByRole('row', { name: /Night shift/ }).waitFor()
  await page
    .getByRole('row', { name: /no_service/ })
    .first()
    .waitFor({ state: 'detached' })
  await button(page, 'Delete: Workshop chat').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText(/Rules send to this channel \("Night shift"\)/).waitFor()
  await button(page, 'Cancel').click()
  await button(page, 'Delete: Night shift').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nobody is notified of incidents yet').waitFor()
  assert.deepEqual(await rules(), [])
  // The refusal of the channel is the browser's one line about an answer that is no success.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('409')),
    [],
  )
})

test('vehicles are put into a group, and a rule is about it', inBrowser, async () => {
  const { page, complaints } = await openAsOwner({ bypassCSP: true })
  for (const licensePlate of ['KA 1', 'KA 2']) {
    await served.ask('POST', '/api/external/vehicles', { license_plate: licensePlate })
  }
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await page.getByText('There are no groups yet').waitFor()
  await picture(page, 'no-groups')
  await button(page, 'New group').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Depot North')
  await dialog.getByRole('combobox', { name: 'Vehicles' }).click()
  await page.getByRole('option', { name: 'KA 1' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  assert.deepEqual(await complaintsOfAxe(page), [])
  await button(page, 'Create').click()
  await page.getByRole('heading', { level: 1, name: 'Depot North' }).waitFor()
  await page.getByRole('heading', { level: 2, name: '1 vehicle', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Vehicles' }).click()
  await page.getByRole('option', { name: 'KA 2' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  await button(page, 'Add').click()
  await page.getByRole('heading', { level: 2, name: '2 vehicles' }).waitFor()
  assert.deepEqual(await complaintsOfAxe(page), [])
  await picture(page, 'group')
  await button(page, 'Remove: KA 1').click()
  await page.getByText('KA 1 is no longer in Depot North').waitFor()
  await page.locator('#members:focus').waitFor()
  await page.getByRole('heading', { level: 2, name: '1 vehicle', exact: true }).waitFor()
  await button(page, 'Undo').click()
  await page.getByRole('heading', { level: 2, name: '2 vehicles' }).waitFor()

  await page.goto(platform.credentials.dashboard.url + PATH)
  await button(page, 'New rule').click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('North')
  await dialog.getByRole('combobox', { name: 'Vehicle groups' }).click()
  await page.getByRole('option', { name: 'Depot North' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('combobox', { name: 'Who gets the message' }).click()
  await page.getByRole('option', { name: 'Workshop chat' }).click()
  await page.keyboard.press('Escape')
  await button(page, 'Save').click()
  await page.getByText('High incidents and worse, of the group Depot North, to Workshop chat.').waitFor()
  const rule = (await rules()).find((each) => each['name'] === 'North')
  assert.match(String(rule?.['vehicleGroupIds']), /^vgr-\w+$/)

  await page.goto(`${platform.credentials.dashboard.url}groups`)
  await page.getByRole('link', { name: 'Depot North' }).click()
  await button(page, 'Delete').click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('A notification rule is about this group; change it first: North.').waitFor()
  await ask('DELETE', `/notification-rules/${rule?.['id']}`)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('There are no groups yet').waitFor()
  // The refusal is the browser's one line about an answer that is no success.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('409')),
    [],
  )
})

test('a rule sends a digest of the day, at a time of a zone, and single messages again', inBrowser, async () => {
  const { page, complaints } = await openAsOwner({ bypassCSP: true })
  await button(page, 'New rule').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Morning')
  await dialog.getByRole('combobox', { name: 'Who gets the message' }).click()
  await page.getByRole('option', { name: 'Workshop chat' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('radio', { name: 'A digest of the day' }).check()
  assert.equal(await dialog.getByRole('checkbox', { name: 'Not in quiet hours' }).count(), 0)
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  assert.deepEqual(await complaintsOfAxe(page), [])
  await picture(page, 'digest')
  await button(page, 'Save').click()
  await page.getByText('A digest of the day, at 07:30 (Asia/Tokyo).').waitFor()
  const morning = async () => (await rules()).find((each) => each['name'] === 'Morning')
  const rule = await morning()
  assert.deepEqual(rule?.['digest'], { at: '07:30', timeZone: 'Asia/Tokyo' })
  await button(page, 'Edit: Morning').click()
  await dialog.getByRole('radio', { name: 'A message for each' }).check()
  await button(page, 'Save').click()
  await page.getByText('At once, once.').waitFor()
  assert.equal((await morning())?.['digest'], null)
  await ask('DELETE', `/notification-rules/${rule?.['id']}`)
  assert.deepEqual(complaints, [])
})

test('in the dark, on a phone and in German the page is whole', inBrowser, async () => {
  const recipients = ((await ask<{ assignees: Row[] }>('GET', '/incidents/assignees')).assignees as { id: string }[]).map(({ id }) => id)
  const escalation = { afterMinutes: 15, recipients }
  await ask('POST', '/notification-rules', { name: 'Critical', minSeverity: 'critical', recipients, repeatMinutes: 30, escalation })
  const views = { light: {}, dark: { colorScheme: 'dark' }, phone: { viewport: { width: 390, height: 844 } } }
  for (const [name, options] of Object.entries(views)) {
    const { page, complaints } = await openAsOwner({ ...options, bypassCSP: true })
    await page.getByText('Critical incidents, of all vehicles').waitFor()
    assert.deepEqual(await complaintsOfAxe(page), [], name)
    await picture(page, name)
    await button(page, 'New rule').click()
    await page.getByRole('combobox', { name: 'Who gets the message' }).waitFor()
    assert.deepEqual(await complaintsOfAxe(page), [], `${name}, form`)
    await picture(page, `${name}-form`)
    assert.deepEqual(complaints, [], name)
    await page.close()
  }
})

test('a member has the page, and a viewer neither finds nor opens it', inBrowser, async () => {
  for (const role of ['member', 'viewer']) {
    const email = `${role}@example.com`
    const { invitation } = await ask<{ invitation: { url: string } }>('POST', '/users', { email, role })
    const { page, complaints } = await newPage(browser)
    await page.goto(invitation.url)
    await choosePassword(page, 'a very long passphrase 1')
    await page.getByText(email).waitFor()
    await page.goto(platform.credentials.dashboard.url + PATH)
    const title = role === 'member' ? 'Notification rules' : 'This page is not for your role'
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    assert.deepEqual(complaints, [], role)
    await page.close()
  }
})
