// What a person gets who looks at the signals of a vehicle with 100,000 stored readings in the last 30 days: what comes over the wire, how long it takes
// until the charts are drawn, and how smooth they are under the pointer, all of them and one of them large. In real Chromium, with graphics by the
// processor, beside the service on the same machine.
//
// Bar (issue 16 §1): smooth at 100,000 points. Here: half of the frames within 34 ms (30 a second), and no answer above 100 kB.
//
// Run: node bench/scenarios/signal-chart.ts [--readings 100000]     Result: a line in bench/results/signal-chart.jsonl

import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import { launchBrowser, signIn } from '../../test/e2e/browser.ts'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { BrowserWire } from '../load/browser-wire.ts'
import { insertFleet, insertPastReadings } from '../load/fleet-in-sql.ts'
import { measureFrames, round } from '../load/frame-times.ts'
import { keepResult, type UnderLoad, withServiceUnderLoad } from '../load/service-under-load.ts'

const { values: flags } = parseArgs({ options: { readings: { type: 'string', default: '100000' } } })
const readingCount = Number(flags.readings)
const DAY_MS = 86_400_000
const SLOW = { timeout: 120_000 }
const SIGNAL = 'Coolant temperature'

await ensureBuilt(process.cwd())
await withServiceUnderLoad(async (underLoad) => {
  const owner = new pg.Client({ connectionString: underLoad.postgres.url })
  await owner.connect()
  const browser = await launchBrowser()
  try {
    await insertFleet(owner, { devices: 1, subClients: 1 })
    // Ten minutes short of now: a reading of each moment is up to that much later.
    const to = new Date(Date.now() - 600_000)
    await insertPastReadings(owner, { ticks: readingCount, phase: 0, from: new Date(to.getTime() - 29.9 * DAY_MS), to })
    const { rows } = await owner.query<{ vehicle_id: string; stored: string }>(
      'select vehicle_id, count(*) as stored from readings group by 1',
    )
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const wire = await BrowserWire.of(page)
    await openVehicle(page, underLoad, rows[0]?.vehicle_id ?? '')
    const all = await measureCharts(page, wire, () => page.getByRole('tab', { name: 'Signals' }).click())
    const one = await measureCharts(page, wire, () => page.getByRole('link', { name: SIGNAL }).click())
    const machine = { cpus: os.cpus().length, loadAverage: os.loadavg()[0], graphics: 'SwiftShader' }
    keepResult('signal-chart', { at: new Date().toISOString(), machine, readings: Number(rows[0]?.stored), all, one })
  } finally {
    await browser.close()
    await owner.end()
  }
})

async function openVehicle(page: Page, { reader, login }: UnderLoad, vehicleId: string): Promise<void> {
  await page.goto(`${reader.baseUrl}/vehicles/${vehicleId}?tab=signals&span=30d`)
  await signIn(page, login)
  await chartOf(page).waitFor(SLOW)
  await page.getByRole('tab', { name: 'Health' }).click()
  await page.getByRole('heading', { name: 'Parts' }).waitFor(SLOW)
}

/** From the click to the chart of 30 days, then under a pointer that goes to and fro across it. */
async function measureCharts(page: Page, wire: BrowserWire, open: () => Promise<void>): Promise<object> {
  await open()
  await page.getByText('30 days', { exact: true }).waitFor(SLOW)
  wire.reset()
  const startedMs = performance.now()
  await page.getByText('30 days', { exact: true }).click()
  await page.waitForURL(/span=30d/, SLOW)
  await page.getByLabel('Loading', { exact: true }).waitFor({ state: 'detached', ...SLOW })
  await chartOf(page).waitFor(SLOW)
  const drawnMs = round(performance.now() - startedMs)
  await sleep(1_000)
  const bytes = wire.bytes
  const busyBeforeS = await wire.busyS()
  const frames = await measureFrames(page, () => movePointer(page, chartOf(page)))
  return {
    drawnMs,
    kilobytes: round(bytes / 1000),
    charts: await page.locator('figure.chart').count(),
    frames,
    busyS: round((await wire.busyS()) - busyBeforeS),
  }
}

function chartOf(page: Page): Locator {
  return page.getByRole('figure', { name: SIGNAL }).locator('canvas')
}

async function movePointer(page: Page, chart: Locator): Promise<void> {
  const box = await chart.boundingBox()
  if (box === null) throw new Error('the chart is not shown')
  for (let turn = 0; turn < 240; turn++) {
    const share = Math.abs(((turn / 60) % 2) - 1)
    await page.mouse.move(box.x + box.width * (0.15 + 0.8 * share), box.y + box.height / 2)
    await sleep(16)
  }
}
