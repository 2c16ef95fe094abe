// The pictures of guides for resellers, operators and integrators: the instance that a reader has after the commands of docs/guides/resellers.md and webhooks.md, in the
// browser of this machine. `npm run pictures` takes them too. Look at them before they are committed.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '@roadworthy/service-kit/network/free-ports'
import type { Page } from 'playwright-core'
import { hasBrowser, launchBrowser, newPage, signIn } from '../../test/e2e/browser.ts'
import { runLines, runSteps, stepsOf } from '../../test/e2e/guide-blocks.ts'
import { startGuideInstance } from '../../test/e2e/guide-instance.ts'
import { stopReceiver, writeReceiver } from '../../test/e2e/guide-receiver.ts'
import type { OwnInstance } from '../../test/e2e/own-instance.ts'
import { waitUntilWhole } from '../../test/e2e/walk-pages.ts'
import { ensureBuilt } from './ensure-built.js'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/images')
/** As the reseller of the guide: a term for readings, and a call that is refused. */
const WHAT_PAGES_SHOW = `
KEY=$(node -p "require('./northway.json').api_key")
call() { curl -sS -o answer.json -H "X-API-Key: $KEY" -H 'Content-Type: application/json' "$@"; }
call -X PUT "$BASE_URL/api/v1/settings/readings-retention" -d '{"days": 730, "subClients": [{"subClientId": "harbour-cargo", "days": null}]}'
call -X POST "$BASE_URL/api/external/telemetry" -d '{"device_id": "dev-unknown", "coolant_temp": 90}'`
const DESK = { width: 1440, height: 900 }

if (!hasBrowser) throw new Error('There is no Chromium on this machine: apt-get install --no-install-recommends chromium')
await ensureBuilt(ROOT)
const instance = await startGuideInstance()
try {
  await runSteps(instance, stepsOf('resellers.md'))
  await runLines(instance, `${WHAT_PAGES_SHOW}\n${writeReceiver(instance, await findFreePort())}`)
  await takePictures(instance)
} finally {
  stopReceiver(instance)
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
    await take('history-retention', 'settings/plan')
    await take('operations-requests', 'settings/requests')
    const { webhook } = read('webhook.json') as { webhook: { id: string } }
    await take('webhooks-endpoint', `settings/webhooks/${webhook.id}`)
    await page.goto(`${baseUrl}/sub-clients/harbour-cargo`)
    await page.getByRole('button', { name: 'View as' }).click()
    // The name alone is on the page before, too, and a page that is on its way ends the next.
    await page.getByText(/You look as a viewer of Harbour Cargo/).waitFor()
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
