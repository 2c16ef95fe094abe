// Goal: a page shows what happens without asking for it: an alert is there without a reload, a cut stream goes on, a hidden tab follows nothing, and a person
// of one sub-client sees its vehicles only; and a list of any size is found, filtered and drawn in parts. Method: the real service, vehicles that report over the
// API, and a real browser whose requests are watched, and refused where the stream alone must bring the news.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner } from '@roadworthy/platform/predictions/scoring/test-backlog'
import type { Browser, Page } from 'playwright-core'
import type { RunningPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { choosePassword, hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsOfAxe } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

/** More than a page of the list, and than a map names. */
const CROWD = 700

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

async function report(vehicleId: string, agoS: number, coolant: number): Promise<void> {
  const timestamp = new Date(Date.now() - agoS * 1000).toISOString()
  await ask('POST', '/api/v1/telemetry', {
    vehicleId,
    timestamp,
    coolant,
    engine_speed: 1800,
    battery_voltage: 14.1,
    latitude: 49,
    longitude: 8.4,
  })
}

/** From its first request on: what the page has asked for, and the ids of what the stream has brought. */
type Followed = OpenPage & { readonly asked: readonly URL[]; readonly eventIds: readonly string[] }

async function open(path: string, login: { email: string; password: string } = platform.credentials.dashboard): Promise<Followed> {
  const opened = await newPage(browser, { bypassCSP: true })
  const asked: URL[] = []
  const eventIds: string[] = []
  const session = await opened.page.context().newCDPSession(opened.page)
  await session.send('Network.enable')
  session.on('Network.eventSourceMessageReceived', ({ eventId }) => eventId !== '' && eventIds.push(eventId))
  opened.page.on('request', (request) => asked.push(new URL(request.url())))
  await opened.page.goto(platform.credentials.dashboard.url + path)
  await signIn(opened.page, login)
  return { ...opened, asked, eventIds }
}

const list = (page: Page) => page.getByRole('region', { name: 'Vehicle list' })

const streamsOf = (asked: readonly URL[]) => asked.filter(({ pathname }) => pathname === '/api/v1/stream')

test('an alert and the health behind it are on the screen without a reload and without asking for the list', inBrowser, async () => {
  for (let agoS = 180; agoS >= 120; agoS -= 5) await report('truck-1', agoS, 90)
  const { page, complaints, eventIds } = await open('fleet')
  await list(page)
    .getByRole('row', { name: /truck-1.*Healthy/ })
    .waitFor()
  await until('the stream has brought something', () => eventIds.length > 0)
  // From here on, only the stream reports the vehicle.
  await page.route(/\/api\/v1\/(vehicles|fleet\/)/, (route) => route.abort())
  for (let agoS = 60; agoS >= 0; agoS -= 5) await report('truck-1', agoS, 120)
  await page.getByRole('link', { name: /1\s*Open incidents/ }).waitFor()
  await list(page)
    .getByRole('row', { name: /truck-1.*(Warning|Critical)/ })
    .waitFor()
  // Those are the requests that this test refused.
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes('net::ERR_FAILED')),
    [],
  )
  await page.context().close()
})

test('a stream that is cut goes on after the last event, and what happened meanwhile is there', inBrowser, async () => {
  await report('truck-2', 130, 90)
  const { page, asked, eventIds } = await open('fleet')
  await list(page)
    .getByRole('row', { name: /truck-2/ })
    .waitFor()
  await until('the stream has brought something', () => eventIds.length > 0)
  const opened = streamsOf(asked).length
  await page.context().setOffline(true)
  await page.getByText('This computer is offline').waitFor()
  for (let agoS = 60; agoS >= 0; agoS -= 5) await report('truck-2', agoS, 120)
  await page.context().setOffline(false)
  await until('the stream is opened again', () => streamsOf(asked).length > opened)
  assert.match(streamsOf(asked).at(-1)?.search ?? '', /lastEventId=/)
  await list(page)
    .getByRole('row', { name: /truck-2.*(Warning|Critical)/ })
    .waitFor()
  await page.context().close()
})

test('a hidden tab follows nothing, and goes on when it is seen again', inBrowser, async () => {
  await report('truck-3', 1, 90)
  const { page, asked } = await open('fleet')
  await list(page)
    .getByRole('row', { name: /truck-3/ })
    .waitFor()
  await until('the stream is opened', () => streamsOf(asked).length >= 1)
  const closed = new Promise<void>((resolve) => {
    page.on('requestfailed', (request) => {
      if (new URL(request.url()).pathname === '/api/v1/stream') resolve()
    })
  })
  await setVisibility(page, 'hidden')
  await closed
  const before = streamsOf(asked).length
  await sleep(3_000)
  assert.equal(streamsOf(asked).length, before, 'nothing is opened while it is hidden')
  await setVisibility(page, 'visible')
  await until('the stream is opened again', () => streamsOf(asked).length > before)
  await page.context().close()
})

test('what is not there is asked for once, also when all else is asked for anew after the stream failed', inBrowser, async () => {
  const { page, asked, eventIds } = await open('devices/none')
  await page.getByRole('heading', { level: 1, name: 'There is no such device' }).waitFor()
  await until('the stream has brought something', () => eventIds.length > 0)
  const countOf = (path: string) => asked.filter(({ pathname }) => pathname === path).length
  const before = countOf('/api/v1/fleet/counts')
  await page.route('**/api/v1/stream?*', (route) => route.abort())
  await page.evaluate(() => {
    const { dispatchEvent, Event } = globalThis as unknown as { dispatchEvent(event: object): void; Event: new (name: string) => object }
    dispatchEvent(new Event('online'))
  })
  await until('the counts are asked for anew', () => countOf('/api/v1/fleet/counts') > before)
  assert.equal(countOf('/api/v1/devices/none'), 1)
  await page.context().close()
})

test('a person of one sub-client is shown and sent its vehicles only', inBrowser, async () => {
  for (const slug of ['north', 'south']) {
    await ask('POST', '/api/external/sub-clients', { name: slug, sub_client_id: slug })
    await ask('POST', '/api/external/vehicles', {
      license_plate: `PIN ${slug}`,
      sub_client_id: slug,
      make: 'MAN',
      model: 'TGX',
      year: 2020,
    })
  }
  const invited = await ask('POST', '/api/v1/users', { email: 'nora@north.example', role: 'sub_client_viewer', subClientId: 'north' })
  const { url: link } = (invited as { invitation: { url: string } }).invitation
  const { page, complaints } = await newPage(browser, { bypassCSP: true })
  const streamed: string[] = []
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.eventSourceMessageReceived', ({ data }) => streamed.push(data))
  await page.goto(link)
  await choosePassword(page, 'a very long passphrase 3')
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.goto(`${platform.credentials.dashboard.url}fleet`)
  await list(page).getByText('PIN north').waitFor()
  await list(page).getByText('1 vehicle', { exact: true }).waitFor()
  assert.equal(await list(page).getByText('PIN south').count(), 0)
  assert.equal(await list(page).getByText('truck-1').count(), 0)
  const { vehicles } = (await ask('GET', '/api/v1/vehicles?search=PIN%20south')) as { vehicles: { id: string }[] }
  assert.equal(vehicles.length, 1)
  assert.ok(!streamed.join().includes(vehicles[0]?.id ?? 'none'))
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test(
  'of a large fleet only the rows in view are drawn, more are loaded on the way down, and search, filter and order are answered by the service',
  inBrowser,
  async () => {
    await addCrowd()
    const { page, complaints } = await open('fleet?order=name')
    await list(page).getByText('CROWD 1', { exact: true }).waitFor()
    const rows = list(page).getByRole('row')
    assert.ok((await rows.count()) < 60, 'only some of the rows are drawn')
    assert.equal(await list(page).getByRole('table').getAttribute('aria-rowcount'), String((await totalOf('')) + 1))
    await until('the end of the list is reached', async () => {
      await list(page).getByRole('table').hover()
      await page.mouse.wheel(0, 1_500)
      return (await list(page).getByText(`CROWD ${CROWD}`, { exact: true }).count()) > 0
    })
    assert.ok((await rows.count()) < 60)

    await page.locator('.map[data-idle=true]').waitFor()
    await page
      .getByRole('button', { name: /vehicles: .*Zoom in/ })
      .first()
      .waitFor()
    await page.getByRole('textbox', { name: 'Search vehicles' }).fill('crowd 77')
    await list(page).getByText('CROWD 77', { exact: true }).waitFor()
    await page.waitForURL(/q=crowd/)
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Connection' }).click()
    await page.getByRole('option', { name: 'Offline' }).click()
    await page.waitForURL(/presence=offline/)
    await page.keyboard.press('Escape')
    // One of those before may fall silent meanwhile.
    await until('both are counted as they are', async () => {
      const counts = `${await totalOf('&presence=offline')} of ${await totalOf('')}`
      return (await list(page).getByText(counts).count()) > 0
    })
    assert.deepEqual(await complaintsOfAxe(page, '#main'), [])
    assert.deepEqual(complaints, [])
    await page.context().close()
  },
)

test('on a phone the list comes first with no column cut, and the map by a switch or a tap on a row', inBrowser, async () => {
  const { page, complaints } = await newPage(browser, { bypassCSP: true, viewport: { width: 390, height: 844 } })
  await page.goto(`${platform.credentials.dashboard.url}fleet`)
  await signIn(page, platform.credentials.dashboard)
  const map = page.getByRole('region', { name: 'Map of the vehicles' })
  await list(page).getByRole('columnheader', { name: 'Seen' }).waitFor()
  assert.equal(await map.count(), 0)
  const edge = await list(page).getByRole('columnheader', { name: 'Seen' }).boundingBox()
  assert.ok(edge !== null && edge.x + edge.width <= 390, `${edge?.x} ${edge?.width}`)
  assert.deepEqual(await complaintsOfAxe(page, '#main'), [])
  await page.getByText('Map', { exact: true }).click()
  await map.waitFor()
  await page.waitForURL(/view=map/)
  assert.equal(await list(page).count(), 0)
  await page.getByText('List', { exact: true }).click()
  await list(page).getByRole('row').nth(1).getByRole('cell').nth(1).click()
  await map.waitFor()
  await page.waitForURL(/selected=/)
  await page.getByRole('link', { name: 'Open vehicle' }).waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

async function totalOf(query: string): Promise<number> {
  return Number((await ask('GET', `/api/v1/vehicles?limit=1${query}`))['total'])
}

/** Straight into the tables: through the API it would take minutes. Heard an hour ago. */
async function addCrowd(): Promise<void> {
  await asOwner(platform.databaseUrl, async (owner) => {
    await owner.query(
      `insert into vehicles (reseller_id, vehicle_id, license_plate)
       select (select min(reseller_id) from resellers), 'veh-crowd' || n, 'CROWD ' || n from generate_series(1, $1::int) n`,
      [CROWD],
    )
    await owner.query(
      `insert into latest_states (source_id, reseller_id, vehicle_id, recorded_at, merged_from, received_at, fix_recorded_at, fix_received_at,
                                  latitude, longitude, due)
       select vehicle_id, reseller_id, vehicle_id, at, at, at, at, at, 40 + n % 25 * 0.4, -8 + n / 25 * 0.8, false
         from (select *, row_number() over () as n from vehicles where vehicle_id like 'veh-crowd%') v, (select now() - interval '1 hour' as at) t`,
    )
  })
}

/** As a browser does when another tab is chosen; a headless one shows every page. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((visibilityState) => {
    const { document, Event } = globalThis as unknown as { document: EventTarget; Event: new (name: string) => Event }
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibilityState })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => visibilityState === 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
