// Goal: a person signs in with what the first start printed, finds the vehicle that runs hot, sees why, and deals with its alert. Method:
// the real service and engine, a vehicle that reports over the API, and a real browser. Nothing may be asked of any other address.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page, Request } from 'playwright-core'
import { roadworthy } from '../support/command-line.ts'
import { call, type RunningPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, noteClicks, signIn as signInAs } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { openStrictPage, walkPages } from './walk-pages.ts'

/** One point. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
const BRAND_HOST = 'fleet.acme.example'
const FLAGS = [
  // A host name of a brand leads to this machine.
  `--host-resolver-rules=MAP ${BRAND_HOST} 127.0.0.1`,
]

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard({ browserFlags: FLAGS })
  platform = served.platform
  browser = served.browser
  await reportHotVehicle()
})

after(() => served?.stop())

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
  await until('an alert is raised', async () => {
    const { body } = await call(base_url, 'GET', '/api/v1/alerts?status=open', { key: api_key })
    return Number(body['total']) > 0
  })
}

/** A page that notes every request to elsewhere and every complaint of the browser. */
async function openPage(path = '', url = platform.credentials.dashboard.url): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await newPage(browser)
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (!['blob:', 'data:'].includes(asked.protocol) && asked.origin !== new URL(url).origin) complaints.push(`asked ${asked}`)
  })
  await page.goto(url + path)
  return { page, complaints }
}

const signIn = (page: Page) => signInAs(page, platform.credentials.dashboard)

test('from signing in to the alert that is dealt with', inBrowser, async () => {
  const { page, complaints } = await openPage('fleet')
  await signIn(page)

  const list = page.getByRole('region', { name: 'Vehicle list' })
  // The alert comes with the score of one vehicle, and that of the other may be later. The worst comes first.
  const row = (nth: number, name: RegExp) => list.getByRole('row').nth(nth).and(page.getByRole('row', { name }))
  for (const [nth, name] of [/truck-hot.*Critical/, /truck-cool.*Healthy/].entries()) await row(nth + 1, name).waitFor()
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
  await page.getByRole('tab', { name: 'Signals' }).click()
  await page.locator('.uplot canvas').first().waitFor()

  await page.getByRole('link', { name: /^Alerts/ }).click()
  const alert = page.getByRole('article', { name: /overheating/i })
  await alert.getByRole('button', { name: /^Acknowledge/ }).click()
  await page.getByText('Nothing is open').waitFor()
  await page.getByRole('tab', { name: /^Acknowledged/ }).click()
  // "Just now" are five seconds, and they may be over.
  await alert.getByText(/acknowledged (just now|.+ ago)/).waitFor()
  const { base_url, api_key } = platform.credentials
  const { body } = await call(base_url, 'GET', '/api/v1/incidents?status=acknowledged', { key: api_key })
  assert.equal(Number(body['total']), 1)

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.locator('header').waitFor({ state: 'hidden' })
  const isIn = (scheme: string) => page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
  await isIn('dark')
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  await isIn('light')
  await page.evaluate("dispatchEvent(new Event('afterprint'))")
  await isIn('dark')
  await page.emulateMedia({ media: null, colorScheme: null })

  const silent = await call(base_url, 'POST', '/api/external/vehicles', { key: api_key, body: { license_plate: 'NEW-1' } })
  await page.goto(`${platform.credentials.dashboard.url}vehicles/${silent.body['vehicle_id']}`)
  await page.getByText('Not judged yet: it has reported nothing that can be.').waitFor()
  assert.match(await page.getByRole('row', { name: /^Cooling/ }).innerText(), /–\s*, Unknown/)
  await call(base_url, 'DELETE', `/api/external/vehicles/${silent.body['vehicle_id']}`, { key: api_key })

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.deepEqual(complaints, [])
  await page.close()
})

test('a page shows that it is offline, and that the session has ended, and is there again after signing in', inBrowser, async () => {
  const { page } = await openPage('alerts?status=acknowledged')
  await signIn(page)
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
  const offline = page.getByRole('status').filter({ hasText: 'This computer is offline' })
  await page.context().setOffline(true)
  await offline.waitFor()
  await page.context().setOffline(false)
  await offline.waitFor({ state: 'detached' })
  // The files of a page that was not opened before do not come while the service is away.
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'SIMs' }).click()
  await page.getByRole('heading', { level: 1, name: 'The service does not answer' }).waitFor()
  await page.unroute('**/*')
  await page.getByRole('heading', { level: 1, name: 'SIMs' }).waitFor()
  await page.getByRole('link', { name: /^Alerts/ }).click()
  await page.getByRole('tab', { name: /^Acknowledged/ }).click()
  // Not by the page's own button: it has to learn of it.
  await page.evaluate(() => fetch('/api/v1/session', { method: 'DELETE' }))
  await page.getByText('Your session has ended.').waitFor()
  await signIn(page)
  await page.getByRole('tab', { name: /^Acknowledged/, selected: true }).waitFor()
  await page.getByRole('link', { name: 'Sub-clients' }).click()
  await page.getByRole('button', { name: 'Create a sub-client' }).click()
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  await name.fill('North Depot')
  await page.evaluate(() => fetch('/api/v1/session', { method: 'DELETE' }))
  await page.getByText('Your session has ended.').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0, 'nothing of the page is seen meanwhile')
  await signIn(page)
  assert.equal(await name.inputValue(), 'North Depot')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal(await page.getByText('Your session has ended.').count(), 0)
  await page.context().close()
})

test('the page follows the stream no more before it signs out, whose end would have it ask for what is refused', inBrowser, async () => {
  const { page, complaints } = await openStrictPage(browser, 'about:blank')
  const streams = new Set<Request>()
  const isStream = (request: Request) => new URL(request.url()).pathname === '/api/v1/stream'
  page.on('request', (request) => isStream(request) && streams.add(request))
  page.on('requestfinished', (request) => streams.delete(request))
  page.on('requestfailed', (request) => streams.delete(request))
  await page.goto(platform.credentials.dashboard.url)
  const followed = page.waitForRequest(isStream)
  await signIn(page)
  await followed
  let openedAtEnd = -1
  await page.route('**/api/v1/session', async (route) => {
    if (route.request().method() !== 'DELETE') return await route.continue()
    for (let turn = 0; turn < 1_200 && streams.size > 0; turn++) await sleep(50)
    openedAtEnd = streams.size
    await route.continue()
  })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal(openedAtEnd, 0)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

const REFUSED = { status: 429, json: { error: { code: 'rate_limited', message: 'Too many at once.' } } }

test('what was refused is tried again by a button, and the next page of a list by nothing else', inBrowser, async () => {
  const { page } = await openPage('fleet')
  const list = page.getByRole('region', { name: 'Vehicle list' })
  const tryAgain = list.getByRole('button', { name: 'Try again' })
  const asked = { first: 0, next: 0 }
  // Readings of the vehicles make the list be asked for again at any time, so the first is refused until that was seen.
  let isFirstRefused = true
  let wasClicked = async () => false
  await page.route(/\/api\/v1\/vehicles\?.*sort=/, async (route) => {
    const isNext = route.request().url().includes('after=')
    if (isNext && (await wasClicked()))
      return await route.fulfill({ json: { total: 2, vehicles: [], pagination: { endCursor: null, hasNextPage: false } } })
    if (isNext) asked.next++
    if (isNext || isFirstRefused) return await route.fulfill(REFUSED)
    asked.first++
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), pagination: { endCursor: 'next', hasNextPage: true } } })
  })
  await signIn(page)
  await list.getByText('The fleet could not be loaded').waitFor()
  isFirstRefused = false
  await tryAgain.click()
  await list.getByText('truck-hot').waitFor()
  await list.getByRole('alert').getByText('Too many at once.').waitFor()
  // With each loading of the list it may be asked for once more, and with one that is broken off.
  await sleep(2000)
  assert.ok(asked.next <= asked.first + 1, JSON.stringify(asked))
  // Only after the click the next page is there: the list that is asked for again by itself would take the button away.
  wasClicked = await noteClicks(page)
  await tryAgain.click()
  await tryAgain.waitFor({ state: 'detached' })
  // An answer that is on its way when a page closes would be an error.
  await page.unrouteAll({ behavior: 'wait' })
  await page.context().close()
})

test('who leaves a page right after typing into its search is not brought back to it', inBrowser, async () => {
  const { page } = await openPage('models')
  await signIn(page)
  await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
  await page.clock.install()
  for (const [path, field] of [
    ['fleet', 'Search vehicles'],
    ['devices', 'Search'],
    ['sub-clients', 'Search'],
    ['sims', 'Search'],
    ['settings/requests', 'Request id or path'],
  ] as const) {
    // The next page is on its way for as long as it takes until the search would be asked for.
    const { promise: isOver, resolve: letLoad } = Promise.withResolvers<void>()
    await page.route('**/assets/models-page-*.js', (route) => isOver.then(() => route.continue()))
    await page.goto(platform.credentials.dashboard.url + path)
    const search = page.getByRole('textbox', { name: field })
    await search.waitFor()
    // Its time stands still from here on, so that the pause of typing is not over before the click.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    await search.fill('8991')
    await page.getByRole('link', { name: 'Models', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/models')
    await search.waitFor()
    await page.clock.runFor(1_000)
    assert.equal(new URL(page.url()).pathname, '/models', path)
    await page.clock.resume()
    letLoad()
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    await page.unroute('**/assets/models-page-*.js')
    await page.goBack()
    assert.equal(await search.inputValue(), '', `${path} follows its address`)
  }
  await page.context().close()
})

/** What each role finds, by links; nobody finds a page whose routes they are refused. */
const forEveryone = ['/', '/fleet', '/alerts', '/maintenance', '/devices', '/groups', '/models', '/sims', '/invoices', '/usage']
const forViewers = ['/settings/plan', '/settings/preferences']
const offered = {
  owner: [
    ...forEveryone.toSpliced(7, 0, '/sub-clients'),
    ...['api-keys', 'webhooks', 'stream', 'requests', 'people', 'notifications', 'brand', 'operators', 'gateways', 'rate-plans', 'billing'],
    ...['plan', 'audit', 'preferences'],
  ].map((path) => (path.startsWith('/') ? path : `/settings/${path}`)),
  viewer: [...forEveryone.toSpliced(7, 0, '/sub-clients'), ...forViewers],
  sub_client_viewer: [...forEveryone, '/settings/preferences'],
}

for (const [role, expected] of Object.entries(offered)) {
  test(
    `the pages that an account with the role ${role} is offered open, by their links, and nothing that they ask for is refused`,
    inBrowser,
    async () => {
      const { page, complaints } = await openStrictPage(browser, await entranceOf(role))
      if (role === 'owner') await signIn(page)
      else await choosePassword(page, 'correct horse battery')
      assert.deepEqual(await walkPages(page), expected)
      assert.deepEqual(complaints, [])
      await page.context().close()
    },
  )
}

/** Where the person comes in: by signing in, or by the link of an invitation. */
async function entranceOf(role: string): Promise<string> {
  const { base_url, api_key: key, dashboard } = platform.credentials
  if (role === 'owner') return dashboard.url
  const ask = async (path: string, body: object) => {
    const { status, body: answer } = await call(base_url, 'POST', path, { key, body })
    assert.equal(status, 200, JSON.stringify(answer))
    return answer
  }
  const { id: subClientId } = await ask('/api/v1/sub-clients', { name: 'North' })
  const pin = role === 'sub_client_viewer' ? { subClientId } : {}
  const invited = await ask('/api/v1/users', { email: `${role}@example.com`, role, ...pin })
  return (invited as unknown as { invitation: { url: string } }).invitation.url
}

test('the pages that describe the three APIs work under their policy, and ask nothing elsewhere', inBrowser, async () => {
  const { base_url, engine_url } = platform.credentials
  for (const url of [`${base_url}/docs`, `${base_url}/api/v1/docs`, `${engine_url}/docs`]) {
    const { page, complaints } = await openPage('', url)
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click()
    await page.getByRole('button', { name: /^Send/ }).first().click()
    // Any answer will do: it came.
    await page
      .getByText(/\b[2-5]\d\d (OK|Unauthorized|Bad Request|Unprocessable)/)
      .first()
      .waitFor()
    // An icon that is not there, and answers such as 401, are logged on the console too.
    const broken = complaints.filter((complaint) => !complaint.startsWith('Failed to load resource'))
    assert.deepEqual(broken, [], url)
    await page.close()
  }
})

test('an address that was passed on is shown after signing in, and a wrong password is reported', inBrowser, async () => {
  // The list of vehicles used to be the first page.
  const { page } = await openPage('?q=truck-cool&selected=truck-cool')
  await signInAs(page, { ...platform.credentials.dashboard, password: 'not the password' })
  await page.getByText('The e-mail address or the password is not right.').waitFor()
  await signIn(page)
  const list = page.getByRole('region', { name: 'Vehicle list' })
  await list.getByText('1 of 2').waitFor()
  assert.equal(await list.getByText('truck-hot').count(), 0)
  assert.match(page.url(), /\/fleet\?q=truck-cool&selected=truck-cool$/)
  await page.close()
})

test(
  'at the host name of a brand its name and logo are shown to whoever comes, and an invited person sets a password and is in',
  inBrowser,
  async () => {
    const { base_url, api_key: key } = platform.credentials
    const brand = { name: 'Acme Fleet', colour: '#7b1fa2', supportEmail: 'help@acme.example', hosts: [BRAND_HOST] }
    assert.equal((await call(base_url, 'PUT', '/api/v1/brands/reseller', { key, body: brand })).status, 200)
    // Nobody can prove it: DNS has no names under `example` (RFC 2606).
    const confirming = ['brands', 'confirm', BRAND_HOST, '--reseller', platform.credentials.reseller_slug]
    const { code, stderr } = await roadworthy(['--data-dir', platform.dataDir, ...confirming], { env: platform.env })
    assert.equal(code, 0, stderr)
    const uploaded = await fetch(`${base_url}/api/v1/brands/reseller/logo`, {
      method: 'PUT',
      headers: { 'x-api-key': key, 'content-type': 'image/png' },
      body: PNG,
    })
    assert.equal(uploaded.status, 200)

    const { body: invited } = await call(base_url, 'POST', '/api/v1/users', { key, body: { email: 'anna@acme.example', role: 'viewer' } })
    const { url: link } = (invited as unknown as { invitation: { url: string } }).invitation
    assert.equal(new URL(link).hostname, BRAND_HOST, 'links lead to the host name of the brand')
    const { page, complaints } = await openPage('', link)
    await page.getByRole('heading', { name: 'Acme Fleet' }).waitFor()
    const logo = page.locator('img')
    // The heading is there before the picture is loaded, which `decode` waits for.
    await logo.evaluate((img) => (img as unknown as { decode(): Promise<void> }).decode())
    assert.equal(await logo.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth), 1)
    assert.ok(!page.url().includes('#'), 'the token is out of the address')
    await choosePassword(page, 'correct horse battery', 'correct horse batteri')
    await page.getByText('The two are not the same.').waitFor()
    await choosePassword(page, 'correct horse battery')
    await page.getByText('anna@acme.example').waitFor()
    await page.getByRole('link', { name: 'Fleet', exact: true }).click()
    await page.getByRole('region', { name: 'Vehicle list' }).getByText('truck-hot').waitFor()
    assert.equal(await page.title(), 'Fleet · Acme Fleet')
    assert.deepEqual(complaints, [])

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'help@acme.example' }).waitFor()
    await page.getByRole('link', { name: 'Forgotten your password?' }).click()
    // Until it is there, the field of the same name is that of signing in.
    await page.getByRole('heading', { name: 'Forgotten your password?' }).waitFor()
    await page.getByRole('textbox', { name: 'E-mail' }).fill('anna@acme.example')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByRole('status').getByText('is on its way').waitFor()
    // There is no mail server, so whoever runs the service makes the link.
    const made = await roadworthy(['--data-dir', platform.dataDir, 'users', 'reset-password', '--email', 'anna@acme.example', '--json'], {
      env: platform.env,
    })
    const resetLink = new URL((JSON.parse(made.stdout) as { url: string }).url)
    // The operator's own address works as well; here the browser must ask one host name only.
    resetLink.hostname = BRAND_HOST
    await page.goto(resetLink.href)
    await choosePassword(page, 'staple battery horse')
    await page.getByText('anna@acme.example').waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
  },
)
