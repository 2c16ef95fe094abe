// The pictures of the guides about resellers and about security: the instance that a reader has after the commands of docs/guides/resellers.md, in the
// browser of this machine. `npm run pictures` takes them too. Look at them before they are committed.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { hasBrowser, launchBrowser, newPage, signIn } from '../../test/e2e/browser.ts'
import { runSteps, stepsOf } from '../../test/e2e/guide-blocks.ts'
import { startGuideInstance } from '../../test/e2e/guide-instance.ts'
import type { OwnInstance } from '../../test/e2e/own-instance.ts'
import { waitUntilWhole } from '../../test/e2e/walk-pages.ts'
import { ensureBuilt } from './ensure-built.js'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/images')
const DESK = { width: 1440, height: 900 }

if (!hasBrowser) throw new Error('There is no Chromium on this machine: apt-get install --no-install-recommends chromium')
await ensureBuilt(ROOT)
const instance = await startGuideInstance()
try {
  await runSteps(instance, stepsOf('resellers.md'))
  await takePictures(instance)
} finally {
  await instance.stop()
}

async function takePictures({ folder, baseUrl }: OwnInstance): Promise<void> {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const { email, password } = read('olga.json') as { email: string; password: string }
  const { invoices } = read('draft.json') as { invoices: { invoice_id: string }[] }
  const browser = await launchBrowser()
  try {
    const { page } = await newPage(browser, { viewport: DESK, colorScheme: 'light' })
    await page.goto(`${baseUrl}/`)
    await signIn(page, { email, password })
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    const take = async (name: string, path: string) => {
      await page.goto(`${baseUrl}/${path}`)
      await shoot(page, name)
    }
    await take('reseller-brand', 'settings/brand')
    await take('reseller-sub-client', 'sub-clients/harbour-cargo')
    await take('reseller-sims', 'sims')
    await take('reseller-invoice', `invoices/${invoices[0]?.invoice_id}`)
    await take('security-audit', 'settings/audit')
    await page.goto(`${baseUrl}/sub-clients/harbour-cargo`)
    await page.getByRole('button', { name: 'View as' }).click()
    await page.getByText('Harbour Cargo').first().waitFor()
    await take('reseller-view-as', 'fleet')
  } finally {
    await browser.close()
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  await waitUntilWhole(page)
  const map = page.locator('.map')
  if ((await map.count()) > 0) await page.locator('.map[data-idle=true]').first().waitFor()
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  console.log(`${name}.png  ${new URL(page.url()).pathname}`)
}
