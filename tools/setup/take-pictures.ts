// `npm run pictures` takes the pictures of the README from a fresh demo fleet, in the browser of this machine. Look at them before they are committed.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { hasBrowser, launchBrowser, newPage, signIn } from '../../test/e2e/browser.ts'
import { FREE_PORTS, RunningService } from '../../test/e2e/running-service.ts'
import { waitUntilWhole } from '../../test/e2e/walk-pages.ts'
import { ensureBuilt } from './ensure-built.js'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/images')
/** By then parts have failed, alerts are open, and last month's invoices are made. */
const DEMO_DRIVES_MS = 150_000
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

if (!hasBrowser) throw new Error('There is no Chromium on this machine: apt-get install --no-install-recommends chromium')
await ensureBuilt(ROOT)
const folder = mkdtempSync(join(tmpdir(), 'roadworthy-pictures-'))
// Run as root, PostgreSQL belongs to another account, which must be able to enter.
chmodSync(folder, 0o755)
const service = new RunningService(join(folder, 'data'), FREE_PORTS)
try {
  await service.ready()
  await sleep(DEMO_DRIVES_MS)
  await takePictures()
} finally {
  await service.signal('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

async function takePictures(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const { base_url: baseUrl, dashboard, api_key: key } = service.credentials()
  const ask = async (path: string) => {
    const response = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': key } })
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
    return (await response.json()) as Record<string, Readonly<Record<string, string>>[]>
  }
  const [incident] = (await ask('/api/v1/incidents?status=open&order=urgency&limit=1'))['incidents'] ?? []
  const [invoice] = (await ask('/api/sim-billing/invoices?status=open&limit=1'))['invoices'] ?? []
  if (incident === undefined || invoice === undefined) throw new Error('the demo has no open incident or no open invoice yet')

  const browser = await launchBrowser()
  try {
    const { page } = await newPage(browser, { viewport: DESK, colorScheme: 'light' })
    await page.goto(dashboard.url)
    await signIn(page, dashboard)
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    const take = async (name: string, path: string) => {
      await page.goto(dashboard.url + path)
      await waitUntilWhole(page)
      await waitForMap(page)
      // Charts are drawn once their figures are there.
      await sleep(2_000)
      await page.screenshot({ path: join(FOLDER, `${name}.png`) })
      console.log(`${name}.png  /${path}`)
    }
    // What a new account does first would fill half of the picture.
    await page.getByRole('button', { name: 'Hide' }).click()
    await take('overview', '')
    await take('fleet', 'fleet')
    await take('vehicle', `vehicles/${incident['vehicleId']}`)
    await take('incident', `alerts/${incident['id']}`)
    await take('invoice', `invoices/${invoice['invoice_id']}`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await take('signals-dark', `vehicles/${incident['vehicleId']}?tab=signals`)
    await page.setViewportSize(PHONE)
    await take('phone-dark', 'alerts')
  } finally {
    await browser.close()
  }
}

async function waitForMap(page: Page): Promise<void> {
  if ((await page.locator('.map').count()) > 0) await page.locator('.map[data-idle=true]').first().waitFor()
}
