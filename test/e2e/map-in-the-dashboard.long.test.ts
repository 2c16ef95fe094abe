// Goal: a person sees where a vehicle is and was, on streets where the operator has set them, and never less than the built-in map.
// Method: the real service with MAP_STYLE_URL at a small server of this test, two hours of a vehicle that drove, stood and was silent, and a real browser.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { callPatiently as call, type RunningPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'
import { hasBrowser, inBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

const MINUTE_MS = 60_000
/** One point. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser
let maps: MapServer
let stranger: MapServer
let vehicleId: string
const cleanUps: (() => Promise<void>)[] = []

type MapServer = { readonly origin: string; readonly asked: string[]; answer: 'well' | 'badly'; readonly server: Server }

before(async () => {
  if (!hasBrowser) return
  stranger = await startMapServer(() => stranger.origin)
  // The style names tiles of another host too, which is not in MAP_HOSTS.
  maps = await startMapServer(() => stranger.origin)
  served = await serveDashboard({ flags: ['--map-style-url', `${maps.origin}/style.json`] })
  platform = served.platform
  browser = served.browser
  vehicleId = await drive()
})

after(async () => {
  await served?.stop()
  for (const cleanUp of cleanUps) await cleanUp()
})

/** Answers a style of images of its own, and of images of another host. */
async function startMapServer(otherOrigin: () => string): Promise<MapServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    response.setHeader('access-control-allow-origin', '*')
    if (started.answer === 'badly') return response.writeHead(500).end()
    if (path !== '/style.json') return response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    const raster = (origin: string) => ({
      type: 'raster',
      tiles: [`${origin}/{z}/{x}/{y}.png`],
      tileSize: 256,
      attribution: 'Map of the test',
    })
    const sources = { streets: { ...raster(''), tiles: ['tiles/{z}/{x}/{y}.png'] }, stranger: raster(otherOrigin()) }
    const layers = Object.keys(sources).map((source) => ({ id: source, type: 'raster', source }))
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ version: 8, sources, layers }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(async () => void server.close())
  const started: MapServer = { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answer: 'well', server }
  return started
}

/** North for 20 minutes, 15 minutes of standing, 25 of silence, and north again until now. Returns the id of the vehicle. */
async function drive(): Promise<string> {
  const { base_url, api_key: key } = platform.credentials
  const nowMs = Date.now()
  const send = async (minutesAgo: number, latitude: number, vehicleSpeed: number) => {
    const timestamp = new Date(nowMs - minutesAgo * MINUTE_MS).toISOString()
    const body = {
      vehicleId: 'truck-1',
      timestamp,
      latitude,
      longitude: 8.4,
      vehicleSpeed,
      heading: 0,
      ignition: true,
      battery_voltage: 27.9,
      coolant: 88,
    }
    const answer = await call(base_url, 'POST', '/api/v1/telemetry', { key, body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  for (let minute = 0; minute <= 20; minute++) await send(80 - minute, 49 + minute / 100, minute < 10 ? 20 : 70)
  for (let minute = 1; minute <= 15; minute++) await send(60 - minute, 49.2, 0)
  for (let minute = 0; minute <= 20; minute++) await send(20 - minute, 49.4 + minute / 100, 95)
  const { body } = await call(base_url, 'GET', '/api/v1/vehicles/truck-1', { key })
  return String(body['id'])
}

/** A time zone in which it is about noon, so that the hours before are of the same day. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours()
  // The sign is that of POSIX, the other way round.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** A page that notes what the policy refuses; `complaints` is without it. */
async function open(path: string, options = {}): Promise<OpenPage & { refused: string[] }> {
  const opened = await newPage(browser, { timezoneId: noonZone(), ...options })
  const refused: string[] = []
  const { dashboard } = platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  await opened.page.getByRole('navigation', { name: 'Pages' }).waitFor()
  return { ...opened, refused }
}

const mapOf = (page: Page, base: string) => page.locator(`.map[data-base=${base}][data-idle=true]`)
const violations = (complaints: readonly string[]) => complaints.filter((each) => /Content Security Policy/i.test(each))

test('streets come from the host that is set, and no page can ask another', inBrowser, async () => {
  const { page, complaints } = await open(`fleet?selected=${vehicleId}`)
  await mapOf(page, 'streets').waitFor()
  await page.getByText('Map of the test').first().waitFor()
  assert.ok(maps.asked.includes('/style.json'))
  assert.ok(
    maps.asked.some((path) => /^\/tiles\/\d+\/\d+\/\d+\.png$/.test(path)),
    'relative to the style',
  )
  assert.deepEqual(stranger.asked, [])
  const refused = violations(complaints)
  assert.ok(refused.length > 0 && refused.every((each) => each.includes(stranger.origin)), refused.join('\n'))
  assert.deepEqual(
    complaints.filter((each) => !each.includes(stranger.origin)),
    [],
  )
  await page.context().close()
})

test('the selected vehicle shows how it is, is followed by its address, and lets go when the map is moved', inBrowser, async () => {
  const { page } = await open('alerts')
  const track = page.waitForResponse((response) => response.url().includes('/track?'))
  await page.goto(`${platform.credentials.dashboard.url}fleet?selected=${vehicleId}&follow=true`)
  await mapOf(page, 'streets').waitFor()
  const card = page.getByRole('region', { name: 'Selected vehicle' })
  for (const text of ['95 km/h', '27.9 V', 'on']) await card.getByText(text, { exact: true }).waitFor()
  const follow = card.getByRole('button', { name: 'Follow' })
  assert.equal(await follow.getAttribute('aria-pressed'), 'true')
  assert.equal((await track).status(), 200)
  const box = await page.locator('.map').boundingBox()
  assert.ok(box !== null)
  await page.mouse.move(box.x + box.width - 150, box.y + box.height - 150)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 260, box.y + box.height - 220, { steps: 5 })
  await page.mouse.up()
  await page.waitForURL((url) => !url.searchParams.has('follow'))
  await card.getByRole('button', { name: 'Follow', pressed: false }).waitFor()
  await follow.click()
  await page.waitForURL((url) => url.searchParams.get('follow') === 'true')
  await card.getByRole('link', { name: 'Replay' }).click()
  await page.getByRole('heading', { level: 1, name: 'Track of truck-1' }).waitFor()
  await page.context().close()
})

test('a day is replayed on the map and by the keyboard, and stands in words beside it', inBrowser, async () => {
  const { page, complaints } = await open(`vehicles/${vehicleId}/track`)
  await mapOf(page, 'streets').waitFor()
  const table = page.getByRole('table', { name: 'Course of the day' })
  await table
    .getByText(/^Drive, /)
    .first()
    .waitFor()
  const course = (await table.getByRole('row').allInnerTexts()).map((text) => /Drive|Stop|No messages/.exec(text)?.[0]).filter(Boolean)
  assert.deepEqual(course, ['Drive', 'Stop', 'No messages', 'Drive'])
  await page.getByRole('img', { name: 'truck-1' }).waitFor()
  const slider = page.getByRole('slider', { name: 'Time of the replay' })
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await slider.getAttribute('aria-valuenow'), '15')
  await table.getByRole('row').filter({ hasText: 'No messages' }).getByRole('button').click()
  const before = Number(await slider.getAttribute('aria-valuenow'))
  assert.ok(Math.abs(before - 35 * 60) <= 15, String(before))
  await page.getByText('300×').click()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  const end = await slider.getAttribute('aria-valuemax')
  await until('it ends where the day ends', async () => (await slider.getAttribute('aria-valuenow')) === end)
  await page.getByRole('button', { name: 'Day before' }).click()
  await page.getByText('No position on this day').waitFor()
  assert.deepEqual(
    violations(complaints).filter((each) => !each.includes(stranger.origin)),
    [],
  )
  await page.context().close()
})

test('the pages can be read in light and dark, on a desk and on a phone', inBrowser, async () => {
  const { page } = await open('fleet', { bypassCSP: true })
  for (const path of [`fleet?selected=${vehicleId}`, `vehicles/${vehicleId}/track`]) {
    await page.goto(platform.credentials.dashboard.url + path)
    const within = path.startsWith('fleet') ? '.fleet-map' : 'html'
    const settle = () => page.locator('.map[data-idle=true]').waitFor()
    assert.deepEqual(await complaintsInLooks(page, { within, settle }), [], path)
  }
  await page.context().close()
})

test(
  'where the street map fails, the built-in one takes its place with a note, and streets come back when asked again',
  inBrowser,
  async () => {
    maps.answer = 'badly'
    const { page } = await open(`fleet?selected=${vehicleId}`)
    await mapOf(page, 'fallback').waitFor()
    const note = page.getByRole('status').filter({ hasText: 'The street map did not load' })
    await note.waitFor()
    await page.getByRole('button', { name: /^truck-1, / }).waitFor()
    maps.answer = 'well'
    await note.getByRole('button', { name: 'Try again' }).click()
    await mapOf(page, 'streets').waitFor()
    await page.getByRole('button', { name: /^truck-1, / }).waitFor()
    await page.context().close()
  },
)

test('without WebGL the list and the course of the day serve alone', inBrowser, async () => {
  const { page, complaints } = await newPage(browser, { timezoneId: noonZone() })
  await page.addInitScript(() => {
    const { HTMLCanvasElement } = globalThis as unknown as { HTMLCanvasElement: { prototype: { getContext: unknown } } }
    HTMLCanvasElement.prototype.getContext = () => null
  })
  const { dashboard } = platform.credentials
  await page.goto(`${dashboard.url}fleet`)
  await signIn(page, dashboard)
  await page.getByText('No map in this browser').waitFor()
  await page.getByText('truck-1').first().waitFor()
  await page.goto(`${dashboard.url}vehicles/${vehicleId}/track`)
  await page
    .getByRole('table', { name: 'Course of the day' })
    .getByText(/^Stop, /)
    .waitFor()
  await page.getByRole('slider', { name: 'Time of the replay' }).waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})
