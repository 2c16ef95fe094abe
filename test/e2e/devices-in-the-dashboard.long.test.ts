// Goal: a person sets up a device in the dashboard, from the wizard to its first message over MQTT, changes and decommissions it; and sub-clients, with
// what deactivating one does. Method: the real service, a real MQTT client with the credentials that the page shows, and a real browser.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { connectAsync } from 'mqtt'
import type { Browser, Page } from 'playwright-core'
import { call, type RunningPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { choosePassword, choosePreferences, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks, complaintsOfAxe } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

const IMEI = '356938035643809'
const PASSWORD = 'a very long passphrase 1'
/** A message that is recorded is written once a second. */
const WRITTEN_WITHIN_MS = 10_000

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

const ask: ServedDashboard['ask'] = (...asked) => served.ask(...asked)

async function openAsOwner(path: string, options = {}): Promise<OpenPage> {
  const opened = await newPage(browser, options)
  // Chromium does not log of which address a refusal is.
  opened.page.on('response', (answer) => {
    if (answer.status() >= 500)
      opened.complaints.push(`${answer.status()} ${answer.request().method()} ${answer.url()}\n${platform.output()}`)
  })
  const { dashboard } = platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  await opened.page.getByRole('navigation', { name: 'Pages' }).waitFor()
  return opened
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

async function credential(page: Page, name: string): Promise<string> {
  const shown = page.locator('.credential-values > div', { has: page.getByText(name, { exact: true }) })
  return (await shown.locator('code').textContent()) ?? ''
}

async function downloaded(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  return (await readFile(await download.path(), 'utf8')).replace(/^\ufeff/, '')
}

/** In light and dark, on a desk and on a phone, of what no address leads to. */
async function picture(page: Page, name: string, folder: string | undefined): Promise<void> {
  const onLook = async (look: string) => {
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name} ${look}.png`, fullPage: true })
  }
  assert.deepEqual(await complaintsInLooks(page, { onLook }), [], name)
}

async function chooseFile(page: Page, name: string, text: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

/** As the device would, with what the page shows. */
async function publish(page: Page): Promise<string> {
  const [host, port, clientId, username, password, topic] = await Promise.all(
    ['Host', 'Port', 'Client id', 'Username', 'Password', 'Topic'].map((name) => credential(page, name)),
  )
  await publishAs(
    { mqttBroker: `${host}:${port}`, id: clientId, mqttUsername: username, mqttPassword: password, mqttTopic: topic },
    { speed: 42, battery_voltage: 13.9 },
  )
  return password ?? ''
}

async function publishAs(device: Record<string, unknown>, reading: object): Promise<void> {
  const client = await connectAsync(`mqtt://${device['mqttBroker']}`, {
    clientId: String(device['id']),
    username: String(device['mqttUsername']),
    password: String(device['mqttPassword']),
    protocolVersion: 4,
  })
  await client.publishAsync(String(device['mqttTopic']), JSON.stringify(reading), { qos: 1 })
  await client.endAsync()
}

/** What is sent before the receiver has heard that messages are recorded, which it does a moment after the page, is not among them, and is sent again. */
async function publishRecorded(device: Record<string, unknown>, reading: object): Promise<void> {
  let sentAtMs = Number.NEGATIVE_INFINITY
  await until('a message is recorded', async () => {
    const { messages } = await ask<{ messages: unknown[] }>('GET', `/api/v1/devices/${device['id']}/messages`)
    if (messages.length > 0 || performance.now() - sentAtMs < WRITTEN_WITHIN_MS) return messages.length > 0
    await publishAs(device, reading)
    sentAtMs = performance.now()
    return false
  })
}

test('a device that is registered in the wizard publishes with the credentials shown, and the page turns green', inBrowser, async () => {
  await ask('POST', '/api/v1/sub-clients', { name: 'North Fleet', id: 'north' })
  const { page, complaints } = await openAsOwner('')
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await heading(page, 'Devices')
  await page.getByRole('link', { name: 'Register the first one' }).click()
  await heading(page, 'Register a device')
  await button(page, 'Continue').click()
  await page.getByText('Give a name or an IMEI.').waitFor()
  await box(page, 'Name').fill('Truck 17 dongle')
  await box(page, 'IMEI').fill(`35-${IMEI.slice(2)}`)
  await choose(page, 'Sub-client', 'North Fleet (north)')
  await button(page, 'Continue').click()
  await box(page, 'Licence plate').fill('NORTH 1')
  await button(page, 'Register').click()
  await page.getByText('Waiting for the first message…').waitFor()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await page.getByText(/^mosquitto_pub -h /).waitFor()
  assert.equal(await button(page, 'Go to the device').isDisabled(), true)
  const password = await publish(page)
  await page.getByText('The first message has arrived').waitFor()
  await page.evaluate('history.back()')
  await page.getByRole('dialog', { name: 'Leave before it is stored?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByText(password, { exact: true }).first().waitFor()
  await page.getByRole('checkbox', { name: 'I stored the password' }).check()
  await button(page, 'Go to the device').click()
  await heading(page, 'Truck 17 dongle')
  await page.getByText('Online', { exact: true }).waitFor()
  assert.equal((await page.content()).includes(password), false, 'the password is shown once')
  const device = await ask('GET', `/api/v1/devices/${IMEI}`)
  assert.deepEqual([device['subClientId'], (device['vehicle'] as { licensePlate: string }).licensePlate], ['north', 'NORTH 1'])
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a list is checked row by row, the right ones are registered, and their passwords are given out once', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('devices')
  await page.getByRole('link', { name: 'Import' }).click()
  await heading(page, 'Import devices')
  const template = await downloaded(page, 'Download a template')
  const [columns = '', example = ''] = template.split('\r\n')
  const wrong = example
    .replace('Truck 17 dongle', 'Wrong year')
    .replace('356938035643809', '')
    .replace('2014', 'new')
    .replace('KA-01', 'KA-02')
  const list = [
    columns,
    example.replace('356938035643809', '356938035643817'),
    wrong,
    'Far,,,,,nowhere,,,,,,,',
    '"Plain, no IMEI",,,,,north,,,,,,,',
  ].join('\n')
  await chooseFile(page, 'purchase.csv', list)
  await page.getByText('2 rows are wrong, 2 devices can be registered').waitFor()
  await page.getByRole('row', { name: /^3 Wrong year .*year: "vehicle.year" must be/ }).waitFor()
  await page.getByRole('row', { name: /^4 Far/ }).waitFor()
  assert.equal((await ask('GET', '/api/v1/devices?search=356938035643817'))['total'], 0, 'a check keeps nothing')
  const refused = await downloaded(page, 'Download what is wrong')
  assert.match(refused, /^name,imei,.*,error\r\nWrong year,.*must be.*\r\nFar,,.*nowhere.*\r\n$/)
  await button(page, 'Register the other 2').click()
  await page.getByRole('heading', { name: '2 devices are registered' }).waitFor()
  await page.getByText('2 rows were left out.').waitFor()
  const lines = (await downloaded(page, 'Download the credentials')).trim().split('\r\n')
  const [, , name, imei, deviceId, , username, password] = (lines[1] ?? '').split(',')
  assert.deepEqual([lines.length, name, imei], [3, 'Truck 17 dongle', '356938035643817'])
  assert.equal(username?.endsWith(`/${deviceId}`), true)
  await page.getByText(password ?? '', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await page.getByRole('dialog', { name: 'Leave without the passwords?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('checkbox', { name: 'I stored the passwords' }).check()
  await button(page, 'See the devices').click()
  await page.getByRole('link', { name: 'Plain, no IMEI' }).waitFor()
  const device = await ask('GET', `/api/v1/devices/${deviceId}`)
  assert.deepEqual([device['status'], (device['vehicle'] as { licensePlate: string }).licensePlate], ['pending', 'KA-01-AB-1234'])
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a device is found, moved, suspended, gets new credentials and is decommissioned by typing its IMEI', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('devices?search=north%201')
  await page.getByRole('link', { name: 'Truck 17 dongle' }).click()
  await heading(page, 'Truck 17 dongle')
  await page.getByRole('link', { name: 'Go to the vehicle' }).waitFor()
  // By keys: what is typed is found, and Enter opens the first of it.
  await page.goto(`${platform.credentials.dashboard.url}usage`)
  await heading(page, 'Usage')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByLabel('Search and commands').fill('Truck 17 dongle')
  await page.locator('[data-selected]').filter({ hasText: 'Truck 17 dongle' }).waitFor()
  await page.keyboard.press('Enter')
  await heading(page, 'Truck 17 dongle')
  await box(page, 'Name').fill('Spare dongle')
  await button(page, 'Save').click()
  await heading(page, 'Spare dongle')
  await button(page, 'Suspend').click()
  // Somebody else is first, and the page shows it. What the dialog asks stays what it asked.
  await ask('PATCH', `/api/v1/devices/${IMEI}`, { status: 'suspended' })
  await page.getByText('Suspended', { exact: true }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Suspend the device' })
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await ask('GET', `/api/v1/devices/${IMEI}`))['status'], 'suspended')
  await button(page, 'Resume').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  await button(page, 'Rotate credentials').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  await page.getByText(/^The password before works until/).waitFor()
  await publish(page)
  await page.getByRole('checkbox', { name: 'I stored the password' }).check()
  await button(page, 'Done').click()
  const { id } = await ask('GET', `/api/v1/devices/${IMEI}`)
  await button(page, 'Decommission').click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Decommission' })
  assert.equal(await confirm.isDisabled(), true)
  await box(page, `Type ${IMEI} to confirm`).fill(IMEI)
  await confirm.click()
  await page.getByText('Decommissioned', { exact: true }).waitFor()
  await button(page, 'Decommission').waitFor({ state: 'detached' })
  assert.equal((await ask('GET', `/api/v1/devices/${id}`))['status'], 'decommissioned')
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('messages of a device are recorded as they come, with what was understood, kept and refused, and why', inBrowser, async () => {
  const device = await ask('POST', '/api/v1/devices', { name: 'Looked at' })
  const { page, complaints } = await openAsOwner(`devices/${device['id']}`)
  await page.getByRole('link', { name: 'See its messages' }).click()
  await heading(page, 'Messages of Looked at')
  await page.getByText('No message of this device has come yet').waitFor()
  await page.getByText(`/devices/${device['id']}/errors`).waitFor()
  await button(page, 'Record for 15 minutes').click()
  await page.getByText(/^Recorded until /).waitFor()
  await publishRecorded(device, { coolant_temp: 88, colant: 1, api_token: 'hidden', note: '<b>raw</b>' })
  const stored = page.getByRole('row', { name: /Stored 1 value understood Kept, not understood: .*colant/ })
  await stored.waitFor()
  await stored.getByText('MQTT').waitFor()
  await stored.getByRole('button', { name: /^Details/ }).click()
  const sent = (await page.getByRole('region', { name: 'As it was sent', exact: true }).textContent()) ?? ''
  assert.deepEqual([sent.includes('"note":"<b>raw</b>"'), sent.includes('hidden')], [true, false], sent)
  await page.getByRole('row', { name: /^Coolant temperature.* 88 °C$/ }).waitFor()
  const refusal = await call(platform.credentials.base_url, 'POST', '/api/external/telemetry', {
    key: platform.credentials.api_key,
    body: { device_id: device['id'], rpm: 'fast' },
  })
  assert.equal(refusal.status, 400)
  const refused = page.getByRole('row', { name: /Refused .*rpm/ })
  await refused.getByText('REST').waitFor()
  await page.getByText('Refused (1)').click()
  await stored.waitFor({ state: 'detached' })
  await page.reload().then(() => refused.waitFor())
  assert.equal(await stored.count(), 0, 'what is shown stands in the address')
  await button(page, 'Stop recording').click()
  await page.getByText('Messages are not recorded').waitFor()
  assert.equal((await ask('GET', `/api/v1/devices/${device['id']}/messages`))['recordingUntil'], null)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a sub-client is created with a live id, changed, and deactivated with what it does', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('')
  await page.getByRole('link', { name: 'Sub-clients' }).click()
  await heading(page, 'Sub-clients')
  await button(page, 'Create a sub-client').click()
  await box(page, 'Name').fill('Müller & Söhne')
  assert.equal(await box(page, 'Id').inputValue(), 'muller-sohne')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await heading(page, 'Müller & Söhne')
  await box(page, 'Most devices').fill('2')
  await page
    .locator('form', { has: box(page, 'Most devices') })
    .getByRole('button', { name: 'Save' })
    .click()
  await page.getByText('Saved').waitFor()
  const limits = { devices: 2, readingsPerMonth: null, predictionsPerMonth: null }
  assert.deepEqual((await ask('GET', '/api/v1/sub-clients/muller-sohne'))['limits'], limits)
  const { id } = await ask('POST', '/api/v1/devices', { name: 'Theirs', subClientId: 'muller-sohne' })
  await button(page, 'Deactivate').click()
  await page.getByText('1 device leaves it and belongs to no sub-client.').waitFor()
  await box(page, 'Type muller-sohne to confirm').fill('muller-sohne')
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('Deactivated', { exact: true }).waitFor()
  assert.equal((await ask('GET', `/api/v1/devices/${id}`))['subClientId'], null)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a person of one sub-client sees its devices, no other, no action, and no page asks for what is refused', inBrowser, async () => {
  const { id } = await ask('POST', '/api/v1/devices', { name: 'Of north', subClientId: 'north' })
  await ask('POST', '/api/v1/devices', { name: 'Of nobody' })
  const user = { email: 'north@example.com', role: 'sub_client_viewer', subClientId: 'north' }
  const { invitation } = (await ask('POST', '/api/v1/users', user)) as { invitation: { url: string } }
  const { page, complaints } = await newPage(browser)
  await page.goto(invitation.url)
  await choosePassword(page, PASSWORD)
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await page.getByRole('link', { name: 'Of north' }).click()
  await heading(page, 'Of north')
  for (const name of ['Save', 'Suspend', 'Rotate credentials', 'Decommission']) assert.equal(await button(page, name).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Sub-clients' }).count(), 0)
  await page.getByRole('link', { name: 'See its messages' }).click()
  await heading(page, 'Messages of Of north')
  await page.getByText('No message of this device has come yet').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Record/ }).count(), 0)
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await heading(page, 'Devices')
  assert.equal(await page.getByText('Of nobody').count(), 0)
  for (const name of ['Register a device', 'Import']) assert.equal(await page.getByRole('link', { name }).count(), 0)
  await page.goto(`${platform.credentials.dashboard.url}devices/import`)
  await heading(page, 'You may look at devices, not register them')
  assert.deepEqual(complaints, [])
  assert.equal((await ask('GET', `/api/v1/devices/${id}`))['status'], 'active')
  await page.context().close()
})

test('every page can be read in light and dark, on a desk and on a phone', inBrowser, async () => {
  const { page } = await openAsOwner('', { bypassCSP: true })
  const { devices } = (await ask('GET', '/api/v1/devices?search=of%20north')) as { devices: { id: string }[] }
  const paths = [
    'devices',
    'devices?search=nothing',
    'devices/new',
    'devices/import',
    `devices/${devices[0]?.id}`,
    'devices/none',
    'sub-clients',
    'sub-clients/north',
  ]
  const folder = process.env['PICTURES']
  for (const where of paths) {
    await page.goto(platform.credentials.dashboard.url + where)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    await picture(page, where.replace(/\W+/g, '-'), folder)
  }
  const looked = (await ask('GET', '/api/v1/devices?search=looked%20at'))['devices'] as { id: string }[]
  await page.goto(`${platform.credentials.dashboard.url}devices/${looked[0]?.id}/messages`)
  for (const name of [/Refused/, /Stored/]) {
    await page
      .getByRole('row', { name })
      .getByRole('button', { name: /^Details/ })
      .click()
    await picture(page, `messages-${name.source}`, folder)
  }
  await page.goto(`${platform.credentials.dashboard.url}devices/import`)
  await chooseFile(page, 'list.csv', 'name,imei,plate,colour\nOne,356938035643825,P 1,red\nTwo,12,P 2,blue\nThree,3.5E+14,P 3,\n')
  await page.getByText('2 rows are wrong, 1 device can be registered').waitFor()
  await picture(page, 'import-checked', folder)
  await button(page, 'Register the other one').click()
  await page.getByRole('heading', { name: '1 device is registered' }).waitFor()
  await picture(page, 'import-done', folder)
  await page.getByRole('checkbox', { name: 'I stored the passwords' }).check()
  await page.goto(`${platform.credentials.dashboard.url}devices/new`)
  await box(page, 'Name').fill('Pictured')
  await button(page, 'Continue').click()
  await box(page, 'Licence plate').fill('PIC 1')
  await button(page, 'Register').click()
  await page.getByText('Waiting for the first message…').waitFor()
  await picture(page, 'credentials', folder)
  await page.context().close()
})

const translated = [
  ['de', 'Geräte importieren', 'Nachrichten von Looked at', /^1 Gerät kann registriert werden$/, /1 Wert verstanden/],
  ['es', 'Importar dispositivos', 'Mensajes de Looked at', /^1 dispositivo se puede registrar$/, /1 valor entendido/],
] as const

test('the import and the messages can be read in German and Spanish, also on a phone', inBrowser, async () => {
  const { devices } = (await ask('GET', '/api/v1/devices?search=looked%20at')) as { devices: { id: string }[] }
  const { page, complaints } = await openAsOwner('', { bypassCSP: true, viewport: { width: 390, height: 900 } })
  for (const [language, importTitle, messagesTitle, verdict, understood] of translated) {
    await choosePreferences(page, `{"language":"${language}"}`)
    await page.goto(`${platform.credentials.dashboard.url}devices/import`)
    await heading(page, importTitle)
    await chooseFile(page, 'list.csv', 'name\nOne\n')
    await page.getByText(verdict).waitFor()
    assert.deepEqual(await complaintsOfAxe(page), [], `${language}: the import`)
    await page.goto(`${platform.credentials.dashboard.url}devices/${devices[0]?.id}/messages`)
    await heading(page, messagesTitle)
    await page.getByText(understood).waitFor()
    assert.deepEqual(await complaintsOfAxe(page), [], `${language}: the messages`)
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})
