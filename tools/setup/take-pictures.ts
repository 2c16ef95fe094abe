// `npm run pictures` takes the pictures of the README and the guides from a fresh demo fleet, in the browser of this machine; `npm run pictures -- models stream`
// takes those alone. The one of a stream wants Java for Kafka. Look at them before they are committed.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKafkaBroker, type KafkaBroker } from '@roadworthy/kafka/testing-kafka'
import type { Page } from 'playwright-core'
import { hasBrowser, launchBrowser, newPage, signIn } from '../../test/e2e/browser.ts'
import { FREE_PORTS, RunningService } from '../../test/e2e/running-service.ts'
import { waitUntilWhole } from '../../test/e2e/walk-pages.ts'
import { ensureBuilt } from './ensure-built.js'
import { getKafka, jarCache } from './get-kafka.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/images')
/** By then parts have failed, alerts are open, and last month's invoices are made. */
const DEMO_DRIVES_MS = 150_000
const DESK = { width: 1440, height: 900 }
const TOPIC = 'telemetry'
/** All of them, where none is named. */
const wanted = process.argv.slice(2)
const PHONE = { width: 390, height: 844 }

if (!hasBrowser) throw new Error('There is no Chromium on this machine: apt-get install --no-install-recommends chromium')
await ensureBuilt(ROOT)
const folder = mkdtempSync(join(tmpdir(), 'roadworthy-pictures-'))
// Run as root, PostgreSQL belongs to another account, which must be able to enter.
chmodSync(folder, 0o755)
const service = new RunningService(join(folder, 'data'), [...FREE_PORTS, '--stream-allow-cidrs', '127.0.0.0/8'])
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
  const put = async (path: string, body: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const response = await fetch(`${baseUrl}${path}`, { method: 'PUT', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  }
  const [incident] = (await ask('/api/v1/incidents?status=open&order=urgency&limit=1'))['incidents'] ?? []
  const [invoice] = (await ask('/api/sim-billing/invoices?status=open&limit=1'))['invoices'] ?? []
  if (incident === undefined || invoice === undefined) throw new Error('the demo has no open incident or no open invoice yet')

  const { vehicles = [] } = await ask('/api/v1/vehicles?limit=20')
  const isStreamWanted = wanted.length === 0 || wanted.includes('stream')
  const broker = isStreamWanted ? await startKafka(vehicles.map(({ id = '' }) => id)) : undefined

  const browser = await launchBrowser()
  try {
    const { page } = await newPage(browser, { viewport: DESK, colorScheme: 'light' })
    await page.goto(dashboard.url)
    await signIn(page, dashboard)
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    const take = async (name: string, path: string, prepare?: () => Promise<void>) => {
      if (wanted.length > 0 && !wanted.includes(name)) return
      await page.goto(dashboard.url + path)
      await prepare?.()
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
    await take('models', 'models')
    if (broker !== undefined) await put('/api/v1/stream-connection', { brokers: [broker.address], topic: TOPIC })
    if (broker !== undefined) await take('stream', 'settings/stream', () => testConnection(page))
    await page.emulateMedia({ colorScheme: 'dark' })
    await take('signals-dark', `vehicles/${incident['vehicleId']}?tab=signals`)
    await page.setViewportSize(PHONE)
    await take('phone-dark', 'alerts')
  } finally {
    await browser.close()
    await broker?.remove()
  }
}

async function testConnection(page: Page): Promise<void> {
  await page.getByText('Reading', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Test the connection' }).click()
  await page.getByText('would be taken').waitFor()
}

/** With readings of the demo's vehicles in its topic; undefined where there is no Java or no way to get Kafka. */
async function startKafka(vehicleIds: readonly string[]): Promise<KafkaBroker | undefined> {
  try {
    const classPath = await getKafka(jarCache())
    const started = await createKafkaBroker(classPath)
    await started.start()
    const run = (program: string, args: readonly string[], input = '') =>
      execFileSync('java', ['-cp', classPath, `org.apache.kafka.tools.${program}`, '--bootstrap-server', started.address, ...args], {
        input,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
    for (const topic of [TOPIC, `${TOPIC}.dlq`]) run('TopicCommand', ['--create', '--topic', topic, '--partitions', '2'])
    const readings = Array.from({ length: 20 * vehicleIds.length }, (_, at) => {
      const [vehicle = '', second] = [vehicleIds[at % vehicleIds.length], Math.floor(at / vehicleIds.length)]
      const timestamp = new Date(Date.now() - 60_000 + second * 1000).toISOString()
      return `${vehicle}|${JSON.stringify({ vehicle_id: vehicle, timestamp, speed: 60 + second, coolant_temp: 90 })}\n`
    })
    run('ConsoleProducer', ['--topic', TOPIC, '--property', 'parse.key=true', '--property', 'key.separator=|'], readings.join(''))
    return started
  } catch (error) {
    console.log(`stream.png is left out: ${(error as Error).message}`)
    return undefined
  }
}

async function waitForMap(page: Page): Promise<void> {
  if ((await page.locator('.map').count()) > 0) await page.locator('.map[data-idle=true]').first().waitFor()
}
