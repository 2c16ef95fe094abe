// Goal: what the README asks a newcomer to type works as it stands there. Method: its own lines, taken from the file, in a folder of
// their own beside a fresh service, in the order of the README; only the ports are others.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callPatiently as call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { ROOT, RunningService } from './running-service.ts'

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const COMMAND_TIMEOUT_MS = 180_000
const ALERT_WITHIN_MS = 180_000

/** The block of shell lines that has the text in it. */
function block(text: string): string {
  const found = [...README.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines ?? '').filter((lines) => lines.includes(text))
  assert.equal(found.length, 1, `one block of the README has ${text}`)
  return found[0] ?? ''
}

function lacks(command: string): string | false {
  const found = spawnSync(command, ['--help'], { stdio: 'ignore', timeout: COMMAND_TIMEOUT_MS }).error === undefined
  return found ? false : `${command} is not installed`
}

const registering = block('-o device.json')
const publishing = block('npx mqtt pub')
const publishingWithMosquitto = block('mosquitto_pub')
const listingAlerts = block('/api/v1/alerts')
/** The shell function and the variables that later blocks go on using. */
const device = publishing.split('\n')[0] ?? ''
const variables = registering.split('\n').slice(0, 2).join('\n')

let folder: string
let service: RunningService

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-readme-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  service = new RunningService(join(folder, '.data'))
  await service.ready()
})

after(async () => {
  await service.signal('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** What the lines print. They must succeed, every one. */
function run(...blocks: readonly string[]): string {
  const { base_url: baseUrl, mqtt_url: mqttUrl } = service.credentials()
  const script = blocks
    .join('\n')
    .replaceAll('localhost:8080', new URL(baseUrl).host)
    .replaceAll('-p 1883', `-p ${new URL(mqttUrl).port}`)
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    timeout: COMMAND_TIMEOUT_MS,
  })
  assert.equal(status, 0, `${script}\n${stdout}\n${stderr}`)
  return stdout
}

async function countReadings(): Promise<number> {
  const { vehicle_id: vehicleId } = JSON.parse(readFileSync(join(folder, 'device.json'), 'utf8')) as { vehicle_id: string }
  const { base_url: baseUrl, api_key: apiKey } = service.credentials()
  return Number(ok<Row>(await call(baseUrl, 'GET', `/api/v1/vehicles/${vehicleId}/readings`, { key: apiKey }))['total'])
}

test('the first request registers a device and stores a reading', { skip: lacks('curl') }, async () => {
  const answer = JSON.parse(run(registering)) as Row
  assert.equal(answer['success'], true)
  assert.equal(await countReadings(), 1)
})

test('the line for npx publishes as the device, and the fault code has opened an alert some seconds later', {
  skip: lacks('curl'),
}, async () => {
  const storedBefore = await countReadings()
  run(publishing)
  assert.equal(await countReadings(), storedBefore + 1)
  const endMs = performance.now() + ALERT_WITHIN_MS
  while (!run(variables, listingAlerts).includes('P0217')) {
    assert.ok(performance.now() < endMs, 'there is no alert')
    await sleep(500)
  }
})

test("the line for Mosquitto's client publishes as the device, and ends once the reading is stored", {
  skip: lacks('curl') || lacks('mosquitto_pub'),
}, async () => {
  const storedBefore = await countReadings()
  run(device, publishingWithMosquitto)
  assert.equal(await countReadings(), storedBefore + 1)
})
