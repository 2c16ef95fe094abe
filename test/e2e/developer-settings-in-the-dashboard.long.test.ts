// Goal: a developer sets up a webhook and a stream, sees why a delivery or a call failed, and mends it, in the dashboard; what a click did is so in the API
// and at the receiver. Nobody finds a page that their role is refused. Method: the real service, a real browser, a real receiver that fails and then answers.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { goTo } from './walk-pages.ts'

const PASSWORD = 'a very long passphrase 1'

type Received = { readonly headers: http.IncomingHttpHeaders; readonly body: string }

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser
const arrivals: Received[] = []
/** What the receiver answers from now on. */
let answerStatus = 503
let receiverUrl = ''
const stops: (() => Promise<void>)[] = []

before(async () => {
  if (!hasBrowser) return
  await startReceiver()
  served = await serveDashboard({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } })
  platform = served.platform
  browser = served.browser
})

after(async () => {
  await served?.stop()
  for (const stop of stops) await stop()
})

async function startReceiver(): Promise<void> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      arrivals.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response
        .writeHead(answerStatus, { 'content-type': 'text/plain', 'x-receiver': 'workshop' })
        .end(answerStatus === 503 ? 'closed for lunch' : '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(async () => void server.close())
  receiverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/roadworthy`
}

const ask: ServedDashboard['ask'] = (...asked) => served.ask(...asked)

async function openAsOwner(path: string, options = {}): Promise<OpenPage> {
  const opened = await newPage(browser, options)
  const { dashboard } = platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  await opened.page.getByRole('navigation', { name: 'Pages' }).waitFor()
  return opened
}

/** A browser complains of every 404, and while there is no stream connection that is the answer. */
const isUnexpected = (complaint: string) => !complaint.endsWith('status of 404 (Not Found)')

const heading = (page: Page, name?: string) => page.getByRole('heading', { level: 1, ...(name === undefined ? {} : { name }) }).waitFor()
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: typeof name === 'string' })
/** Where the same words stand twice, for a desk and for a phone. */
const shown = (within: Page | Locator, text: string | RegExp) => within.getByText(text).filter({ visible: true }).first()

async function takeSecret(page: Page, label: string): Promise<string> {
  const secret = await page.getByRole('dialog').getByRole('textbox', { name: label }).inputValue()
  await button(page, 'I stored it').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal((await page.content()).includes(secret), false, 'the secret is shown once')
  return secret
}

/** Of Standard Webhooks, by hand. */
function signatureOf({ headers, body }: Received, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

const received = (count: number) => until(`${count} deliveries arrive`, () => arrivals.length >= count)

test('an endpoint is made, its failing delivery is looked at and sent again, and what failed is recovered', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('settings/webhooks')
  await heading(page, 'Webhooks')
  await page.getByText('There is no endpoint yet').waitFor()
  await button(page, 'New endpoint').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'URL' }).fill(receiverUrl)
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Workshop')
  await dialog.getByRole('radio', { name: 'The events chosen here' }).check()
  assert.equal(await button(dialog, 'Make the endpoint').isEnabled(), false, 'an endpoint that is sent nothing is none')
  await dialog.getByRole('checkbox', { name: /An alert was opened/ }).check()
  await button(dialog, 'Make the endpoint').click()
  const secret = await takeSecret(page, 'Signing secret')
  const { webhooks } = await ask<{ webhooks: { id: string; eventTypes: string[] }[] }>('GET', '/api/v1/webhooks')
  assert.deepEqual(webhooks[0]?.eventTypes, ['alert.created'])
  await shown(page, 'An alert was opened').waitFor()

  await page.getByRole('link', { name: receiverUrl }).click()
  await page.getByText('Nothing was sent yet').waitFor()
  await button(page, 'Send a test event').click()
  await dialog.getByRole('combobox', { name: 'Event' }).click()
  await page.getByRole('option', { name: /alert.created/ }).click()
  await button(dialog, 'Send').click()
  await received(1)
  const [first = assert.fail('nothing arrived')] = arrivals
  assert.equal(first.headers['webhook-signature'], signatureOf(first, secret))
  assert.partialDeepStrictEqual(JSON.parse(first.body), { event: 'alert.created', test: true })
  await page.waitForURL(/eventId=evt-/)
  const row = page.getByRole('row', { name: /An alert was opened/ })
  await row.getByText('Answered 503, which is no success').waitFor()

  await row.getByRole('link', { name: 'An alert was opened' }).click()
  await heading(page, 'An alert was opened')
  await shown(page, 'closed for lunch').waitFor()
  await shown(page, /x-receiver: workshop/).waitFor()
  await shown(page, /webhook-signature: v1,/).waitFor()
  answerStatus = 204
  await button(page, /^Resend evt-/).click()
  await page.getByText('Delivered', { exact: true }).waitFor()
  assert.equal(arrivals.at(-1)?.headers['webhook-id'], first.headers['webhook-id'])
  await page.getByRole('link', { name: 'All deliveries of this endpoint' }).click()
  await row.getByText('Delivered').waitFor()

  answerStatus = 503
  const { eventId } = await ask<{ eventId: string }>('POST', `/api/v1/webhooks/${webhooks[0]?.id}/test`, { eventType: 'alert.created' })
  await received(3)
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Waiting or tried again' }).click()
  await page.waitForURL(/status=pending/)
  const waiting = page.getByRole('row', { name: new RegExp(eventId) })
  await waiting.waitFor()

  // The answer comes when the list, which shows only what waits, has lost the row: the person is notified all the same. It waits until then: the service repeats it
  // of its own accord.
  await button(page, 'Close the notice').click()
  await page.route(/\/resend$/, async (route) => {
    answerStatus = 204
    const response = await route.fetch({ headers: await route.request().allHeaders() })
    assert.equal(response.status(), 200)
    await waiting.waitFor({ state: 'detached' })
    await route.fulfill({ response })
  })
  await button(page, `Resend ${eventId}`).click()
  await page.getByText('It is sent again now, with the same id.').waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('what happened while an endpoint failed is recovered; it is paused, resumed, rotated, changed and deleted', inBrowser, async () => {
  // After which the service waits for a minute: meanwhile it repeats nothing of its own accord, which would leave nothing to recover.
  answerStatus = 429
  const { webhook } = await ask<{ webhook: { id: string } }>('POST', '/api/v1/webhooks', {
    url: receiverUrl,
    eventTypes: ['device.decommissioned'],
  })
  const { device_id: deviceId } = await ask<{ device_id: string }>('POST', '/api/external/devices', { imei: '356938035643809' })
  const before = arrivals.length
  await ask('POST', `/api/external/devices/${deviceId}/decommission`)
  await received(before + 1)
  const eventId = arrivals.at(-1)?.headers['webhook-id']
  const { page, complaints } = await openAsOwner(`settings/webhooks/${webhook.id}`)
  const dialog = page.getByRole('dialog')
  await shown(page, 'A device was decommissioned').waitFor()
  // The receiver knows of an attempt before it is written down, and only what is written down has failed.
  const failed = async () =>
    (await ask<{ deliveries: { attemptCount: number }[] }>('GET', `/api/v1/webhooks/${webhook.id}/deliveries`)).deliveries
  await until('the attempt is written down', async () => (await failed())[0]?.attemptCount !== 0)
  answerStatus = 204
  await button(page, 'Recover what failed').click()
  await button(dialog, 'Send again').click()
  await page.getByText('1 delivery is sent again.').waitFor()
  await received(before + 2)
  assert.equal(arrivals.at(-1)?.headers['webhook-id'], eventId)
  await page
    .getByRole('row', { name: /A device was decommissioned/ })
    .getByText('Delivered')
    .waitFor()

  const status = async () => (await ask('GET', `/api/v1/webhooks/${webhook.id}`))['status']
  await button(page, 'Pause').click()
  await button(page, 'Resume').waitFor()
  assert.equal(await status(), 'paused')
  await button(page, 'Resume').click()
  await button(page, 'Pause').waitFor()
  assert.equal(await status(), 'enabled')
  await button(page, 'Rotate the secret').click()
  await button(dialog, 'Make the new secret').click()
  assert.match(await takeSecret(page, 'Signing secret'), /^whsec_/)
  await page.getByText('The old secret signs until').waitFor()
  await button(page, 'Edit').click()
  await dialog.getByRole('textbox', { name: 'Headers to send along' }).fill('X-Gateway-Key: k7f3')
  await button(dialog, 'Save').click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual((await ask('GET', `/api/v1/webhooks/${webhook.id}`))['headerNames'], ['X-Gateway-Key'])

  await button(page, 'Delete').click()
  assert.equal(await button(dialog, 'Delete').isEnabled(), false)
  await dialog.getByRole('textbox', { name: /^Type 127.0.0.1/ }).fill(new URL(receiverUrl).host)
  await button(dialog, 'Delete').click()
  await heading(page, 'Webhooks')
  const { webhooks } = await ask<{ webhooks: { id: string }[] }>('GET', '/api/v1/webhooks')
  assert.ok(!webhooks.some(({ id }) => id === webhook.id))
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('what a revoked key is refused is in the request log, and a request id finds its call', inBrowser, async () => {
  const { secret, apiKey } = await ask<{ secret: string; apiKey: { id: string } }>('POST', '/api/v1/api-keys', {
    ...{ name: 'Old tracker', scopes: ['telemetry:write'] },
  })
  const { base_url: baseUrl } = platform.credentials
  const send = (id: string) =>
    fetch(`${baseUrl}/api/external/telemetry`, {
      method: 'POST',
      headers: { 'x-api-key': secret, 'x-request-id': id, 'content-type': 'application/json' },
      body: JSON.stringify({ device_id: 'dev-none', speed: 1 }),
    })
  await send('unknown-device')
  await ask('DELETE', `/api/v1/api-keys/${apiKey.id}`)
  assert.equal((await send('after-revocation')).status, 401)

  const { page, complaints } = await openAsOwner('settings/api-keys?ended=true')
  await page
    .getByRole('row', { name: /Old tracker/ })
    .getByRole('link', { name: 'Its calls' })
    .click()
  await heading(page, 'Request log')
  assert.match(page.url(), new RegExp(`keyId=${apiKey.id}`))
  const refused = page.getByRole('row', { name: /The API key is not valid/ })
  await refused.getByText('401 refused').waitFor()
  await button(refused, /^Details of POST/).click()
  await shown(page, 'after-revocation').waitFor()
  await page.getByRole('textbox', { name: 'Request id or path' }).fill('unknown-device')
  await page.waitForURL(/find=unknown-device/)
  await refused.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /POST \/api\/external\/telemetry/ }).waitFor()
  await page.getByRole('textbox', { name: 'Request id or path' }).fill('nobodys')
  await page.getByText('No call has this request id').waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a stream is connected, tested, paused and deleted, and its password is not shown again', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('settings/stream')
  await heading(page, 'Stream connection')
  await page.getByRole('textbox', { name: 'Brokers' }).fill('kafka.example:9093')
  await page.getByRole('textbox', { name: 'Topic' }).fill('telemetry')
  await page.getByRole('textbox', { name: 'User' }).fill('roadworthy')
  await page.getByLabel('Password', { exact: true }).fill('secret-of-the-broker')
  await button(page, 'Save').click()
  await page.getByRole('heading', { name: 'Test', exact: true }).waitFor()
  assert.equal((await page.content()).includes('secret-of-the-broker'), false)
  assert.deepEqual((await ask('GET', '/api/v1/stream-connection'))['sasl'], {
    ...{ mechanism: 'SCRAM-SHA-512', username: 'roadworthy', hasPassword: true },
  })
  await button(page, 'Test the connection').click()
  const steps = page.getByRole('listitem')
  await steps.filter({ hasText: 'Name in DNS' }).getByText('Not passed').waitFor()
  await steps.filter({ hasText: 'Sign-in' }).getByText('Skipped').waitFor()
  await keepPicture(page, 'settings-stream-tested-light-1280')
  await button(page, 'Pause').click()
  await button(page, 'Resume').waitFor()
  const { enabled, sasl } = await ask<{ enabled: boolean; sasl: { hasPassword: boolean } }>('GET', '/api/v1/stream-connection')
  assert.deepEqual([enabled, sasl.hasPassword], [false, true])
  await button(page, 'Delete').click()
  await page.getByRole('textbox', { name: 'Type telemetry to confirm' }).fill('telemetry')
  await button(page.getByRole('dialog'), 'Delete').click()
  await page.getByRole('heading', { name: 'Connect a topic' }).waitFor()
  assert.deepEqual(complaints.filter(isUnexpected), [])
  await page.context().close()
})

test(
  'a member finds webhooks and neither keys nor their calls; a viewer finds none of it; nothing is asked for that is refused',
  inBrowser,
  async () => {
    for (const [role, email, pages] of [
      ['member', 'member@example.com', ['Webhooks']],
      ['viewer', 'viewer@example.com', []],
    ] as const) {
      const { invitation } = await ask<{ invitation: { url: string } }>('POST', '/api/v1/users', { email, role })
      const { page, complaints } = await newPage(browser)
      await page.goto(invitation.url)
      await choosePassword(page, PASSWORD)
      await page.getByText(email).waitFor()
      for (const [path, title] of [
        ['webhooks', 'Webhooks'],
        ['stream', 'Stream connection'],
        ['requests', 'Request log'],
      ] as const) {
        await page.goto(`${platform.credentials.dashboard.url}settings/${path}`)
        await heading(page, pages.some((each) => each === title) ? title : 'This page is not for your role')
      }
      assert.deepEqual(complaints, [], role)
      await page.context().close()
    }
  },
)

test('every page can be read in light and dark, on a desk and on a phone', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('settings', { bypassCSP: true })
  const { webhooks } = await ask<{ webhooks: { id: string }[] }>('GET', '/api/v1/webhooks')
  const id = webhooks[0]?.id
  const { deliveries } = await ask<{ deliveries: { id: string }[] }>('GET', `/api/v1/webhooks/${id}/deliveries`)
  const paths: readonly (readonly [path: string, opens?: string | RegExp])[] = [
    ['settings/webhooks', 'New endpoint'],
    [`settings/webhooks/${id}`, 'Send a test event'],
    [`settings/webhooks/${id}/deliveries/${deliveries.at(-1)?.id}`],
    ['settings/requests'],
    ['settings/requests?find=none'],
    ['settings/stream'],
    ['settings/plan'],
  ]
  for (const [path, opens] of paths) {
    await goTo(page, path)
    await heading(page)
    await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    const name = path.replaceAll(/wh[ed]-\w+/g, 'one').replaceAll(/\W+/g, '-')
    assert.deepEqual(await complaintsInLooks(page, { onLook: (look) => keepPicture(page, `${name} ${look}`) }), [], `/${path}`)
    if (opens === undefined) continue
    await button(page, opens).click()
    await page.getByRole('dialog').waitFor()
    const onLook = (look: string) => keepPicture(page, `${name} dialog ${look}`)
    assert.deepEqual(await complaintsInLooks(page, { within: '[role=dialog]', onLook }), [], String(opens))
  }
  assert.deepEqual(complaints.filter(isUnexpected), [])
  await page.context().close()
})

/** To look at, where PICTURES names a folder. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
