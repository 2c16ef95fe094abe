// Goal: a person registers a phone in the wizard, scans the code, and a dot moves. Method: the real service and a real browser; the code on the page is read from its
// picture as a phone reads it, taken apart as Traccar Client does, and positions are sent as that app sends them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import jsqr from 'jsqr'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, inBrowser, newPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

let served: ServedDashboard
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard()
  browser = served.browser
})

after(() => served?.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

async function openAsOwner(path: string) {
  const opened = await newPage(browser)
  const { dashboard } = served.platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  await opened.page.getByRole('navigation', { name: 'Pages' }).waitFor()
  return opened
}

/** What the camera of a phone reads from the screen. */
async function scan(page: Page): Promise<string> {
  const png = await page.locator('.qr-code svg').screenshot({ scale: 'css' })
  // A page of no site draws the picture: that of the dashboard may show no picture that is not its own.
  const { page: reader } = await newPage(browser)
  await reader.setContent('<canvas></canvas>')
  const { width, height, pixels } = await reader.evaluate<{ width: number; height: number; pixels: number[] }>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const { width, height } = image
    const canvas = Object.assign(document.querySelector('canvas'), { width, height })
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    return { width, height, pixels: [...context.getImageData(0, 0, width, height).data] }
  })()`)
  await reader.context().close()
  const code = jsqr.default(Uint8ClampedArray.from(pixels), width, height)
  assert.ok(code !== null, 'there is no QR code in the picture')
  return code.data
}

/** As Traccar Client 9 does: what is before the question mark is where it sends, `id` is its identifier. */
function setUp(scanned: string) {
  const { origin, pathname, searchParams } = new URL(scanned)
  const settings = { url: origin + pathname, id: searchParams.get('id') ?? '', intervalS: Number(searchParams.get('interval')) }
  const send = (latitude: number, longitude: number, timestamp = new Date()) =>
    fetch(settings.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        location: {
          timestamp: timestamp.toISOString(),
          coords: { latitude, longitude, accuracy: 5, speed: 13.9, heading: 63, altitude: 920 },
          is_moving: true,
          odometer: 1200,
          event: '',
          battery: { level: 0.79, is_charging: false },
          activity: { type: 'in_vehicle' },
          extras: {},
          _: `&id=${settings.id}&lat=${latitude}&lon=${longitude}&timestamp=${timestamp.toISOString()}&`,
        },
        device_id: settings.id,
      }),
    })
  return { ...settings, send }
}

async function placeOf(deviceId: string): Promise<readonly unknown[]> {
  const answer = await served.ask('GET', `/api/external/devices/${deviceId}/location`)
  const { latitude, longitude } = (answer['location'] ?? answer) as { latitude?: number; longitude?: number }
  return [latitude, longitude]
}

test('a phone is registered, its code scanned, the page turns green, and its dot moves', inBrowser, async () => {
  const { page, complaints } = await openAsOwner('devices/new')
  await page.getByText('Phone', { exact: true }).click()
  assert.equal(await box(page, 'IMEI').count(), 0)
  await button(page, 'Continue').click()
  await page.getByText('Give a name, so that people know the phone.').waitFor()
  await box(page, 'Name').fill('Phone of Asha')
  await button(page, 'Continue').click()
  await page.getByText('None yet', { exact: true }).click()
  await page.getByText('The map shows vehicles: until the device has one, it is not there.').waitFor()
  await page.getByText('New', { exact: true }).click()
  await box(page, 'Licence plate').fill('KA-01 AB 1234')
  await button(page, 'Register').click()
  await page.getByText('Waiting for the first message…').waitFor()
  await page.getByText('A phone does not reach this address').waitFor()
  assert.deepEqual(await complaintsInLooks(page), [])
  const app = setUp(await scan(page))
  for (const shown of [app.url, app.id]) await page.getByText(shown, { exact: true }).waitFor()
  assert.ok(app.intervalS > 0 && app.intervalS <= 60, 'a dot moves within 60 s')
  const first = await app.send(12.9716, 77.5946)
  assert.deepEqual([first.status, await first.text()], [200, ''])
  await page.getByText('The first message has arrived').waitFor()
  await page.getByRole('checkbox', { name: 'The phone is set up, or I stored the identifier' }).check()
  await button(page, 'Go to the device').click()
  await page.getByRole('heading', { level: 1, name: 'Phone of Asha' }).waitFor()
  assert.equal((await page.content()).includes(app.id), false, 'the code is shown once')
  await page.locator('dd', { hasText: /^79 % / }).waitFor()
  await page.getByText('Battery of the device', { exact: true }).waitFor()
  const deviceId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  assert.deepEqual(await placeOf(deviceId), [12.9716, 77.5946])

  await page.goto(`${served.platform.credentials.dashboard.url}fleet`)
  await page.locator('.map[data-idle=true]').waitFor()
  const dot = page.getByRole('button', { name: /^KA-01 AB 1234, / })
  await dot.waitFor()
  const at = await dot.boundingBox()
  const sentAtMs = performance.now()
  assert.equal((await app.send(13.25, 77.95)).status, 200)
  for (;;) {
    const now = await dot.boundingBox()
    if (Math.hypot((now?.x ?? 0) - (at?.x ?? 0), (now?.y ?? 0) - (at?.y ?? 0)) > 3) break
    assert.ok(performance.now() - sentAtMs < 60_000, 'the dot has not moved within 60 s')
    await sleep(100)
  }
  assert.deepEqual(await placeOf(deviceId), [13.25, 77.95])
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a code that was lost is replaced on the page of the device, and the one before lets nothing in', inBrowser, async () => {
  const body = { name: 'Phone of Ben', deviceType: 'mobile_app', connectionMethod: 'osmand' }
  const { id, trackerToken } = (await served.ask('POST', '/api/v1/devices', body)) as { id: string; trackerToken: string }
  const { page, complaints } = await openAsOwner(`devices/${id}`)
  await button(page, 'Make a new code').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make a new code' }).click()
  await page.getByRole('heading', { name: 'Set up the phone' }).waitFor()
  const app = setUp(await scan(page))
  assert.equal((await setUp(`${app.url}?id=${trackerToken}`).send(1, 2)).status, 401)
  assert.equal((await app.send(1, 2)).status, 200)
  await page.getByText('Online', { exact: true }).waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})
