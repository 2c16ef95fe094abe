// Goal: every page can be read by everybody who is offered it: in light and dark, on a desk and on a phone. Method: the demo fleet with its SIMs and
// invoices, a real browser for each role, and a walk by links through all pages, then one of each thing that has a page of its own.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { call, type RunningPlatform } from '../support/running-platform.ts'
import { choosePassword, hasBrowser, inBrowser, signIn } from './browser.ts'
import { complaintsInLooks, everyLook, type Look, show } from './complaints-of-axe.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { goTo, openStrictPage, POLL_MS, waitUntilWhole, walkPages } from './walk-pages.ts'

const PASSWORD = 'correct horse battery'
/** The demo registers its fleet, drives it, and bills the month before. */
const DEMO_IS_THERE_WITHIN_MS = 900_000

let served: ServedDashboard
let platform: RunningPlatform
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard({ flags: ['--demo'] })
  platform = served.platform
  browser = served.browser
  const endMs = performance.now() + DEMO_IS_THERE_WITHIN_MS
  while (
    (await firstId('/api/v1/incidents', 'incidents')) === undefined ||
    (await firstId('/api/sim-billing/invoices', 'invoices', 'invoice_id')) === undefined
  ) {
    assert.ok(performance.now() < endMs, 'the demo has neither incidents nor invoices')
    await sleep(500)
  }
})

after(() => served?.stop())

const ask: ServedDashboard['ask'] = (...asked) => served.ask(...asked)

async function firstId(path: string, list: string, field = 'id'): Promise<string | undefined> {
  const [first] = (await ask('GET', path))[list] as Readonly<Record<string, string>>[]
  return first?.[field]
}

/** Where an account of this role comes in. */
async function entranceOf(role: string): Promise<string> {
  if (role === 'owner') return platform.credentials.dashboard.url
  const pin = role === 'sub_client_viewer' ? { subClientId: await firstId('/api/v1/sub-clients', 'subClients') } : {}
  const { invitation } = await ask('POST', '/api/v1/users', { email: `${role}@example.com`, role, ...pin })
  return (invitation as { url: string }).url
}

async function enter(role: string): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openStrictPage(browser, await entranceOf(role), { bypassCSP: true, reducedMotion: 'reduce' })
  if (role === 'owner') await signIn(opened.page, platform.credentials.dashboard)
  else await choosePassword(opened.page, PASSWORD)
  return opened
}

/** The first look is the one in which the pages are opened. Viewers meet no page that the owner does not: of them both colours and both widths, once each. */
const looksOf: Readonly<Record<string, readonly Look[]>> = {
  owner: everyLook,
  viewer: [
    { colorScheme: 'dark', width: 390 },
    { colorScheme: 'light', width: 1280 },
  ],
  sub_client_viewer: [
    { colorScheme: 'light', width: 390 },
    { colorScheme: 'dark', width: 1280 },
  ],
}

for (const [role, looks] of Object.entries(looksOf)) {
  test(`every page that an account with the role ${role} is offered can be read`, inBrowser, async () => {
    const { page, complaints } = await enter(role)
    const faults: string[] = []
    if (looks[0] !== undefined) await show(page, looks[0])
    await walkPages(page, async (path) => {
      for (const fault of await complaintsInLooks(page, { looks, settle: () => waitUntilWhole(page) })) faults.push(`${path} ${fault}`)
    })
    assert.deepEqual(faults, [])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
}

/** An address that only loading leads to. */
const NOWHERE = 'nowhere'

let groupId: unknown

/** Made when it is first asked for, so that the list of groups has been seen without one. */
async function groupOf(vehicleId: string | undefined): Promise<unknown> {
  groupId ??= (await ask('POST', '/api/v1/vehicle-groups', { name: 'Depot North', vehicleIds: [vehicleId] }))['id']
  return groupId
}

let longNamedId: unknown

/** A vehicle whose model is one word of as many letters as a model may have, and that never reported anything. */
async function longNamed(): Promise<unknown> {
  longNamedId ??= (await ask('POST', '/api/external/vehicles', { license_plate: 'LONG-1', model: 'M'.repeat(64) }))['vehicle_id']
  return longNamedId
}

/** One of each thing that has a page of its own, and the forms. */
async function pathsOfThings(): Promise<string[]> {
  const vehicleId = await firstId('/api/v1/vehicles', 'vehicles')
  return [
    ...[
      '',
      '?tab=signals',
      '?tab=incidents',
      '?tab=codes',
      '?tab=maintenance',
      '?tab=odometer',
      '?tab=readings',
      '?tab=edit',
      '/track',
    ].map((part) => `vehicles/${vehicleId}${part}`),
    `vehicles/${await longNamed()}`,
    `alerts/${await firstId('/api/v1/incidents', 'incidents')}`,
    `invoices/${await firstId('/api/sim-billing/invoices', 'invoices', 'invoice_id')}`,
    `sims/${await firstId('/api/sim-billing/sims', 'sims')}`,
    `sub-clients/${await firstId('/api/v1/sub-clients', 'subClients')}`,
    `devices/${await firstId('/api/v1/devices', 'devices')}`,
    `groups/${await groupOf(vehicleId)}`,
    ...['devices/new', 'devices/import', 'settings/operators/new', 'settings/rate-plans/new', 'maintenance?view=calendar'],
  ]
}

test('the page of one of each thing can be read', inBrowser, async () => {
  const { page, complaints } = await enter('owner')
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  const faults: string[] = []
  for (const path of [...(await pathsOfThings()), NOWHERE]) {
    if (path === NOWHERE) await page.goto(platform.credentials.dashboard.url + path)
    else await goTo(page, path)
    await waitUntilWhole(page)
    for (const fault of await complaintsInLooks(page, { looks: everyLook, settle: () => waitUntilWhole(page) }))
      faults.push(`${path} ${fault}`)
  }
  assert.deepEqual(faults, [])
  assert.deepEqual(complaints, [])
  await page.context().close()
})

const pagesOfLists = [
  '',
  'alerts',
  'maintenance',
  'devices',
  'models',
  'sub-clients',
  'sims',
  'invoices',
  'usage',
  'settings/people',
  'settings/audit',
  'settings/notifications',
  'settings/requests',
]

/** The narrowest that the dashboard is made for. */
const PHONE = { width: 360, height: 900 }
/** Its refusal is the longest word of the log of requests. */
const LONG_WORD = '/api/v1/incidents?severity=sub_client_suspended_for_long'

for (const language of ['de', 'es']) {
  test(`in another language (${language}) no page is wider than a phone, and no choice of a row is cut`, inBrowser, async () => {
    const { page, complaints } = await enter('owner')
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    await page.addInitScript((chosen) => {
      const { localStorage } = globalThis as unknown as { localStorage: { setItem(key: string, value: string): void } }
      localStorage.setItem('roadworthy.preferences', chosen)
    }, JSON.stringify({ language }))
    await page.setViewportSize(PHONE)
    await call(platform.credentials.base_url, 'GET', LONG_WORD, { key: platform.credentials.api_key })
    const faults: string[] = []
    for (const path of [...pagesOfLists, ...(await pathsOfThings()), NOWHERE]) {
      await page.goto(platform.credentials.dashboard.url + path)
      await page.locator('#main h1').waitFor()
      await page.waitForFunction(hasNoPlaceholder, undefined, { polling: POLL_MS })
      for (const fault of await page.evaluate(findCut)) faults.push(`${path}: ${fault}`)
    }
    assert.deepEqual(faults, [])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
}

type Box = { scrollWidth: number; clientWidth: number; textContent: string | null }
type Tree = { querySelectorAll(selector: string): Iterable<Box> & { length: number }; documentElement: Box }
type Browsing = { document: Tree }

/** Runs in the page. */
function hasNoPlaceholder(): boolean {
  return (globalThis as unknown as Browsing).document.querySelectorAll('#main .placeholder').length === 0
}

/** Runs in the page: what is wider than its place and cannot be scrolled. */
function findCut(): string[] {
  const { document } = globalThis as unknown as Browsing
  const { scrollWidth, clientWidth } = document.documentElement
  const cut = [...document.querySelectorAll('#main .mantine-SegmentedControl-root, #main .mantine-Button-label')].filter(
    (box) => box.scrollWidth > box.clientWidth + 1,
  )
  return [...(scrollWidth > clientWidth ? [`${scrollWidth} wide`] : []), ...cut.map(({ textContent }) => `"${textContent}" is cut`)]
}
