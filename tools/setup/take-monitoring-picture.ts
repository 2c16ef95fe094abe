// The picture of the guide about monitoring: the alerts of a real Prometheus that has the rules of deploy/, beside a service whose engine was lost. Grafana cannot be had here.
// `npm run pictures` takes it too. Look at it before it is committed.

import { join } from 'node:path'
import { findFreePorts } from '@roadworthy/service-kit/network/free-ports'
import { hasBrowser, launchBrowser, newPage } from '../../test/e2e/browser.ts'
import { keyOf } from '../../test/e2e/guide-blocks.ts'
import { type OwnInstance, startOwnInstance } from '../../test/e2e/own-instance.ts'
import { prometheus, startPrometheus } from '../../test/support/prometheus.ts'
import { until } from '../../test/support/until.ts'

const FILE = join(import.meta.dirname, '../../docs/images/monitoring-alerts.png')
const DESK = { width: 1440, height: 900 }
const READINGS = 40
/** In which it is lost, as the pages of the rules name it. */
const LOST = 'RoadworthyProcessDown'

if (!hasBrowser) throw new Error('There is no Chromium on this machine: apt-get install --no-install-recommends chromium')
if (prometheus === undefined) throw new Error('There is no Prometheus on this machine: apt-get install --no-install-recommends prometheus')
const [metrics = 0, engine = 0, unused = 0, port = 0] = await findFreePorts(4)
const instance = await startOwnInstance(['--metrics-port', String(metrics), '--engine-port', String(engine)])
try {
  await sendReadings(instance)
  // Where Prometheus looks for the engine nothing answers.
  const stop = await startPrometheus({ metrics, engine: unused, port })
  try {
    await takePicture(`http://127.0.0.1:${port}`)
  } finally {
    await stop()
  }
} finally {
  await instance.stop()
}

async function sendReadings(of: OwnInstance): Promise<void> {
  const headers = { 'x-api-key': keyOf(of), 'content-type': 'application/json' }
  const records = Array.from({ length: READINGS }, (_, nth) => ({ vehicle_id: `truck-${nth % 4}`, coolant_temp: 80 + nth / 4 }))
  const response = await fetch(`${of.baseUrl}/api/external/telemetry/batch`, { method: 'POST', headers, body: JSON.stringify({ records }) })
  if (!response.ok) throw new Error(`readings were answered with ${response.status}: ${await response.text()}`)
}

async function takePicture(url: string): Promise<void> {
  type Alerts = { data: { alerts: { labels: { alertname: string }; state: string }[] } }
  await until(`${LOST} is pending`, async () => {
    const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as Alerts
    return data.alerts.some(({ labels }) => labels.alertname === LOST)
  })
  const browser = await launchBrowser()
  try {
    const { page } = await newPage(browser, { viewport: DESK, colorScheme: 'light' })
    await page.goto(`${url}/classic/alerts`)
    await page.getByText(LOST).first().click()
    await page.getByText('pending', { exact: false }).first().waitFor()
    await page.screenshot({ path: FILE })
    console.log(`${FILE}  /classic/alerts`)
  } finally {
    await browser.close()
  }
}
