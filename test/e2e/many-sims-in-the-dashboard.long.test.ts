// Goal: a reseller does the same with many SIMs on one page: it is asked once with how many, shows how far it is, stops when it is asked to, and names what
// was refused. Method: the real service, the emulator of an operator as a process of its own, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page, Request } from 'playwright-core'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { until } from '../support/until.ts'
import { type BillingDesk, openBillingDesk } from './billing-desk.ts'
import { choosePassword, choosePreferences, hasBrowser, inBrowser, launchBrowser, newPage, type OpenPage, signIn } from './browser.ts'
import { complaintsInLooks } from './complaints-of-axe.ts'
import { ROOT } from './running-service.ts'

type Sim = { sim_id: string; iccid: string; status: string; sub_client_id: string | null; plan_id: string | null; device_id: string | null }

type Width = { scrollWidth: number; clientWidth: number }

/** More than a page of the list has. */
const SIMS = 60
const NARROWEST = [{ colorScheme: 'light', width: 320 }] as const
const PRICES = {
  ...{ rental: '45.00', overage_per_megabyte: '0.85', activation_fee: '100.00', custody_fee: '15.00' },
  ...{ included_megabytes: '50', custody_min_days: 30, pooled: false, prorated: true },
}
const BULK = '**/api/sim-billing/sims/bulk'

let desk: BillingDesk
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  assert.notEqual(await ensureBuilt(ROOT), 'failed')
  desk = await openBillingDesk({ sims: SIMS })
  await desk.ask('POST', '/api/sim-billing/rate-plans', { plan_id: 'm2m-10', name: 'M2M small', prices: PRICES })
  await desk.ask('POST', '/api/sim-billing/sync', { scope: 'sims' })
  await until('all SIMs are known', async () => (await sims()).length === SIMS)
  browser = await launchBrowser()
})

after(async () => {
  await browser?.close()
  await desk?.stop()
})

async function sims(query = ''): Promise<Sim[]> {
  return (await desk.ask('GET', `/api/sim-billing/sims?limit=500${query}`))['sims'] as Sim[]
}

/** A browser logs each refusal. */
const isComplaint = (text: string) => !text.includes('status of 409')

async function openAsOwner(path: string): Promise<OpenPage> {
  const opened = await newPage(browser, { bypassCSP: true }, isComplaint)
  const { dashboard } = desk.platform.credentials
  await opened.page.goto(dashboard.url + path)
  await signIn(opened.page, dashboard)
  return opened
}

/** By the box in the head of the table, and the button for what is not on the page. */
async function selectAll(page: Page, count: number): Promise<Locator> {
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check()
  const bar = page.getByRole('group', { name: 'Selected SIMs' })
  const more = bar.getByRole('button', { name: `Select all ${count} that match` })
  if (count > 50) await more.click()
  await bar.getByText(`${count} selected`).waitFor()
  return bar
}

async function choose(dialog: Locator, page: Page, field: string, typed: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: field }).fill(typed)
  await page.getByRole('option', { name: option }).click()
}

test('all SIMs that match are allocated by name, and those that are terminated are listed with the reason', inBrowser, async () => {
  const ended = await sims('&status=terminated')
  assert.ok(ended.length > 0 && ended.length < SIMS)
  const { page, complaints } = await openAsOwner('sims')
  await page.getByRole('row').nth(50).waitFor()
  assert.deepEqual(await complaintsInLooks(page), [])

  await page.getByRole('checkbox', { name: 'Select all that are shown' }).focus()
  await page.keyboard.press('Space')
  const bar = page.getByRole('group', { name: 'Selected SIMs' })
  await bar.getByText('50 selected').waitFor()
  await bar.getByRole('button', { name: `Select all ${SIMS} that match` }).click()
  await bar.getByText(`${SIMS} selected`).waitFor()
  assert.deepEqual(await complaintsInLooks(page), [])
  assert.deepEqual(await complaintsInLooks(page, { looks: NARROWEST }), [])

  await bar.getByRole('button', { name: 'Allocate' }).click()
  const dialog = page.getByRole('dialog', { name: `Allocate: ${SIMS} SIMs` })
  const confirm = dialog.getByRole('button', { name: `Allocate: ${SIMS} SIMs` })
  assert.ok(await confirm.isDisabled(), 'nothing is chosen')
  await choose(dialog, page, 'Sub-client', 'North', 'North Fleet (north)')
  await choose(dialog, page, 'Rate plan', 'small', 'M2M small')
  assert.deepEqual(await complaintsInLooks(page, { within: '[role=dialog]' }), [])
  await confirm.click()
  await dialog.getByText(`${SIMS - ended.length} SIMs were allocated. ${ended.length} were refused.`).waitFor()
  await until('the keyboard is at the button', () =>
    dialog
      .getByRole('button', { name: 'Close' })
      .last()
      .evaluate((each) => each === (each as never as { ownerDocument: { activeElement: object } }).ownerDocument.activeElement),
  )
  assert.deepEqual(await complaintsInLooks(page, { within: '[role=dialog]' }), [])
  assert.deepEqual(await complaintsInLooks(page, { within: '[role=dialog]', looks: NARROWEST }), [])
  const refused = dialog.getByRole('list', { name: 'Refused SIMs' }).getByRole('listitem')
  assert.equal(await refused.count(), ended.length)
  await refused
    .filter({ hasText: ended[0]?.iccid ?? '' })
    .getByText('The SIM is terminated: it cannot be given to anybody.')
    .waitFor()

  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await bar.getByText(`${ended.length} selected`).waitFor()
  const known = await sims()
  assert.ok(known.every((sim) => sim.status === 'terminated' || (sim.sub_client_id === 'north' && sim.plan_id === 'm2m-10')))
  assert.deepEqual(complaints, [])
  await page.close()
})

test('a state is filtered and all of it suspended at the operator; then resumed with what cannot be', inBrowser, async () => {
  const active = await sims('&status=active')
  const { page, complaints } = await openAsOwner('sims?status=active')
  await page.getByRole('row').nth(active.length).waitFor()
  const bar = await selectAll(page, active.length)
  await bar.getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog', { name: `Suspend: ${active.length} SIMs` })
  await dialog.getByText(`Active: ${active.length}`, { exact: true }).waitFor()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Unpaid')
  await dialog.getByRole('button', { name: /^Suspend/ }).click()
  await dialog.getByText(`The operator was asked for ${active.length} SIMs.`).waitFor()
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  await until('all are suspended', async () => (await sims('&status=active')).length === 0)
  const [account] = (await desk.operator.state()).accounts
  const ids = new Set(active.map(({ iccid }) => iccid))
  assert.ok(
    account?.sims.filter(({ iccid }) => ids.has(iccid)).every(({ state }) => state === 'suspended'),
    'at the operator too',
  )

  await page.goto(`${desk.platform.credentials.dashboard.url}sims`)
  const all = await selectAll(page, SIMS)
  await all.getByRole('button', { name: 'Activate or resume' }).click()
  const resume = page.getByRole('dialog')
  await resume.getByText(/For \d+ of them this changes nothing or is not possible/).waitFor()
  await resume.getByRole('button', { name: /^Activate/ }).click()
  await resume.getByText(/The operator was asked for \d+ SIMs\..* were refused\./).waitFor()
  await resume.getByText('This is not possible in its state: Terminated.').first().waitFor()
  assert.deepEqual(complaints, [])
  await page.close()
})

test('it stops when it is asked to, and goes on; a call without an answer is sent again as the same one', inBrowser, async () => {
  const { page } = await openAsOwner('sims')
  const bar = await selectAll(page, SIMS)
  const sent: Request[] = []
  const letGo: (() => Promise<void>)[] = []
  await page.route(BULK, (route) => {
    sent.push(route.request())
    letGo.push(() => (sent.length === 2 ? route.abort() : route.continue()))
  })
  await bar.getByRole('button', { name: 'Safe custody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Safe custody/ }).click()
  await dialog.getByText(`0 of ${SIMS} SIMs`).waitFor()
  await dialog.getByRole('progressbar', { name: 'Progress' }).waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Stopping…' }).waitFor()
  await until('the call is held', async () => letGo.length === 1)
  await letGo[0]?.()
  await dialog.getByText('35 were not asked for.').waitFor()

  await dialog.getByRole('button', { name: 'Go on with the other 35' }).click()
  await until('the second call is held', async () => letGo.length === 2)
  await letGo[1]?.()
  await dialog.getByRole('alert').getByText('The service did not answer.').waitFor()
  await page.unroute(BULK)
  page.on('request', (request) => void (request.url().endsWith('/sims/bulk') && sent.push(request)))
  await dialog.getByRole('button', { name: 'Go on with the other 35' }).click()
  await dialog.getByRole('button', { name: /^Go on/ }).waitFor({ state: 'detached' })
  await until('it has ended', async () => sent.length === 4)
  const keys = sent.map((request) => request.headers()['idempotency-key'])
  assert.equal(keys[2], keys[1])
  assert.equal(new Set(keys).size, 3, 'each other call has a key of its own')
  const asked = sent.map((request) => (request.postDataJSON() as { sim_ids: string[] }).sim_ids)
  assert.deepEqual(
    asked.map((ids) => ids.length),
    [25, 25, 25, 10],
  )
  assert.equal(new Set([...(asked[0] ?? []), ...(asked[2] ?? []), ...(asked[3] ?? [])]).size, SIMS, 'each SIM once')
  await page.close()
})

test('a SIM is put into a device that is found by its name, and the field is empty for another sub-client', inBrowser, async () => {
  const tracker = { name: 'Tracker of truck 7', sub_client_id: 'north' }
  const { device_id: deviceId } = await desk.ask('POST', '/api/external/devices', tracker)
  await desk.ask('POST', '/api/external/devices', { name: 'Tracker of the south', sub_client_id: 'south' })
  const sim = (await sims()).find(({ sub_client_id: id, status }) => id === 'north' && status !== 'terminated')
  assert.ok(sim)
  const { page, complaints } = await openAsOwner(`sims/${sim.sim_id}`)
  const panel = page.getByRole('region', { name: 'Allocation' })
  await until(
    'its sub-client has a name',
    async () => (await panel.getByRole('combobox', { name: 'Sub-client' }).inputValue()) === 'North Fleet (north)',
  )
  await panel.getByRole('combobox', { name: 'Device' }).fill('tracker of')
  await page.getByRole('option', { name: /^Tracker of truck 7/ }).waitFor()
  assert.equal(await page.getByRole('option', { name: /south/ }).count(), 0, 'a device of another sub-client is not offered')
  await page.getByRole('option', { name: /^Tracker of truck 7/ }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Saved').waitFor()
  const allocated = async () => (await sims()).find(({ sim_id: id }) => id === sim.sim_id)
  assert.equal((await allocated())?.device_id, deviceId)

  await choose(panel, page, 'Sub-client', 'South', 'South Fleet (south)')
  assert.equal(await panel.getByRole('combobox', { name: 'Device' }).inputValue(), '')
  await panel.getByText(/it leaves its device, which stays there/).waitFor()
  assert.deepEqual(await complaintsInLooks(page), [])
  assert.deepEqual(await complaintsInLooks(page, { looks: NARROWEST }), [])
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Saved').waitFor()
  assert.deepEqual([(await allocated())?.sub_client_id, (await allocated())?.device_id], ['south', null])
  assert.deepEqual(complaints, [])
  await page.close()
})

test('on the narrowest phone, in German, no button of the dialog is cut', inBrowser, async () => {
  const { page } = await openAsOwner('sims')
  await page.getByRole('row').nth(50).waitFor()
  await choosePreferences(page, '{"language":"de","units":"metric"}')
  await page.reload()
  await page.setViewportSize({ width: 320, height: 800 })
  await page.getByRole('checkbox', { name: 'Alle gezeigten auswählen' }).check()
  await page.getByRole('button', { name: 'Aktivieren oder fortsetzen' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Aktivieren oder fortsetzen: 50 SIM-Karten' })
  await confirm.waitFor()
  const label = confirm.locator('.mantine-Button-label')
  const [needed, shown] = await label.evaluate(({ scrollWidth, clientWidth }: Width) => [scrollWidth, clientWidth] as const)
  assert.ok(needed <= shown, `${needed} px are needed, and ${shown} px are shown`)
  await page.close()
})

test('who may only look can select nothing', inBrowser, async () => {
  const user = { email: 'looks@example.com', role: 'viewer' }
  const { invitation } = (await desk.ask('POST', '/api/v1/users', user)) as { invitation: { url: string } }
  const { page } = await newPage(browser)
  await page.goto(invitation.url)
  await choosePassword(page, 'a very long passphrase 1')
  await page.getByRole('link', { name: 'SIMs' }).click()
  await page.getByRole('row').nth(1).waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  await page.close()
})
