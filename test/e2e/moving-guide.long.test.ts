// Goal: a reseller that moves as docs/guides/moving.md describes is there with everything, and its devices and programs go on. Method: the blocks of the page in their order, by a shell, in
// the folder of an instance that runs; then the new one is started and asked the same as the old one.

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import mqtt from 'mqtt'
import { BIN, roadworthy } from '../support/command-line.ts'
import { callPatiently as call } from '../support/running-platform.ts'
import { assertShown, runShell, type Step, stepsOf } from './guide-blocks.ts'
import { node } from './own-instance.ts'
import { FREE_PORTS, RunningService } from './running-service.ts'

const BLOCK_TIMEOUT_MS = 600_000
const NO_DEMO = ['--no-demo', ...FREE_PORTS]
const MINUTE_MS = 60_000
const SCORED_WAIT_MS = 180_000
const POLL_MS = 250
/** Blocks of the page before those that import readings of before. */
const MOVING_BLOCKS = 4

let folder: string
let old: RunningService
let device: { device_id: string; mqtt_username: string; mqtt_password: string }
let vehicleId: string

const credentialsOf = (service: RunningService) => {
  const { base_url: url, api_key: key } = service.credentials()
  return { url, key }
}

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-moving-guide-'))
  chmodSync(folder, 0o755)
  old = new RunningService(path.join(folder, '.data'), NO_DEMO)
  await old.ready()
  const { url, key } = credentialsOf(old)
  const registered = await call(url, 'POST', '/api/external/devices', {
    key,
    body: { imei: '356938035643809', vehicle: { license_plate: 'MH 12 AB 1234' } },
  })
  assert.ok(registered.status < 300, JSON.stringify(registered.body))
  device = registered.body as unknown as typeof device
  for (let nth = 0; nth < 20; nth++) {
    const timestamp = new Date(Date.now() - (20 - nth) * MINUTE_MS).toISOString()
    const body = { device_id: device.device_id, timestamp, coolant_temp: 80 + nth * 2, rpm: 1_500, speed: 50, battery_voltage: 13.9 }
    assert.equal((await call(url, 'POST', '/api/external/telemetry', { key, body })).status, 200)
  }
  const { body } = await call(url, 'GET', '/api/external/vehicles', { key })
  vehicleId = (body as unknown as { vehicles: { vehicle_id: string }[] }).vehicles[0]?.vehicle_id ?? ''
})

after(async () => {
  await old.signal('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** What is scored after the snapshot is scored by each of the two, of the same readings: within the interval of scoring both have the same. */
async function settles(compare: () => Promise<void>): Promise<void> {
  for (let waitedMs = 0; waitedMs < SCORED_WAIT_MS; waitedMs += POLL_MS) {
    try {
      return await compare()
    } catch (error) {
      if (!(error instanceof assert.AssertionError)) throw error
    }
    await sleep(POLL_MS)
  }
  await compare()
}

async function runBlock(lines: string): Promise<string> {
  const options = { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder }, timeoutMs: BLOCK_TIMEOUT_MS }
  const { code, output } = await runShell('sh', `set -e\nnpx() { shift; "${node}" "${BIN}" "$@"; }\n${lines}`, options)
  assert.equal(code, 0, `${lines}\n${output}`)
  return output
}

async function runStep(step: Step): Promise<void> {
  const printed = await runBlock(step.lines)
  assertShown(step, printed)
}

/** The old one is refused since the second block, until it is active again, which the comparison with the new one needs. */
async function isTakenBack(): Promise<void> {
  const { url, key } = credentialsOf(old)
  const statusOf = async () => (await call(url, 'GET', '/api/external/devices', { key })).status
  assert.equal(await statusOf(), 403)
  await runBlock('npx roadworthy resellers update roadworthy --subscription active')
  for (let waitedMs = 0; (await statusOf()) !== 200; waitedMs += POLL_MS) {
    assert.ok(waitedMs < SCORED_WAIT_MS, 'an active reseller is served')
    await sleep(POLL_MS)
  }
}

/** What the engine answers for the vehicle, whose readings of before it is given. */
async function predictionOf(service: RunningService): Promise<unknown> {
  const { url, key } = credentialsOf(service)
  const sensorData = { coolant_temp: 121, rpm: 2_100, speed: 60, battery_voltage: 13.8, timestamp: new Date(startedMs).toISOString() }
  const answer = await call(url, 'POST', '/api/external/predict', { key, body: { vehicle_id: vehicleId, sensor_data: sensorData } })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { processed_at: _at, request_id: _request, ...rest } = answer.body as Record<string, unknown>
  return rest
}
const startedMs = Date.now()

type Answer = { readonly predictions: readonly Record<string, unknown>[] }
/** When it was scored, and by which id that is known, is of each installation. */
const withoutTimes = (prediction: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(prediction).filter(([name]) => name !== 'id' && !name.endsWith('At')))

const STEPS = stepsOf('moving.md')

test('every command of the page does what it describes, and what moved is the same', async () => {
  assert.equal(STEPS.length, MOVING_BLOCKS + 2)
  assert.ok(
    STEPS.every(({ shown }) => shown !== undefined),
    'the guide shows what each prints',
  )
  for (const step of STEPS.slice(0, MOVING_BLOCKS)) await runStep(step)
  await isTakenBack()
  const home = new RunningService(path.join(folder, 'new-home'), NO_DEMO)
  await home.ready()
  try {
    const { key } = credentialsOf(old)
    const { url } = credentialsOf(home)
    assert.notEqual(home.credentials().api_key, key)
    const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString())
    const readings = `/api/v1/vehicles/${vehicleId}/readings?from=${at(startedMs - 60 * MINUTE_MS)}&to=${at(startedMs + MINUTE_MS)}`
    // The key of the old installation.
    const both = async (route: string) => {
      const [there, here] = [await call(old.credentials().base_url, 'GET', route, { key }), await call(url, 'GET', route, { key })]
      for (const { status, body } of [there, here]) assert.equal(status, 200, JSON.stringify(body))
      return [there.body, here.body] as unknown as [Answer, Answer]
    }
    const [thereRead, hereRead] = await both(readings)
    assert.deepEqual(hereRead, thereRead)
    await settles(async () => {
      // Whether a device is online is judged by each of the two as well.
      for (const route of ['/api/external/devices', '/api/external/vehicles']) {
        const [there, here] = await both(route)
        assert.deepEqual(here, there, route)
      }
      const [predicted, predictedHere] = (await both('/api/v1/predictions')).map(({ predictions }) => predictions.map(withoutTimes))
      assert.deepEqual(predictedHere, predicted)
      assert.ok((predicted?.length ?? 0) > 0)
    })
    assert.deepEqual(await predictionOf(home), await predictionOf(old))
    await sendOverMqtt(home)
    const again = await roadworthy(['import', 'moved', '--passphrase-file', 'passphrase.txt', '--data-dir', 'new-home', '--json'], {
      cwd: folder,
      timeoutMs: BLOCK_TIMEOUT_MS,
    })
    assert.equal(again.code, 0, again.stderr)
    const { resumed, readings_stored: stored } = JSON.parse(again.stdout) as Record<string, unknown>
    assert.deepEqual([resumed, stored], [true, 0])
    const back = await roadworthy(['import', 'moved', '--passphrase-file', 'passphrase.txt'], { cwd: folder, timeoutMs: BLOCK_TIMEOUT_MS })
    assert.deepEqual([back.code, /There is a reseller "roadworthy" here/.test(back.stderr)], [1, true], back.stderr)
  } finally {
    await home.signal('SIGTERM')
  }
})

test('readings of before come from CSV and from Traccar into the service that runs, as history', async () => {
  const { url, key } = credentialsOf(old)
  const dayMs = 86_400_000
  const time = (nth: number) => new Date(startedMs - 3 * dayMs - nth * MINUTE_MS).toISOString()
  writeFileSync(path.join(folder, 'readings.csv'), `IMEI;Time;Speed_mph\n356938035643809;${time(0)};10\n356938035643809;${time(1)};20\n`)
  mkdirSync(path.join(folder, 'traccar'))
  writeFileSync(path.join(folder, 'traccar/tc_devices.csv'), 'id,uniqueid,name\n7,356938035643111,Truck 12\n')
  const columns = 'id,deviceid,fixtime,valid,latitude,longitude,speed,attributes'
  const position = `1,7,${time(0).replace('T', ' ').replace('Z', '')},t,52.5,13.4,10,"{""ignition"":true,""power"":13.9}"`
  writeFileSync(path.join(folder, 'traccar/tc_positions.csv'), `${columns}\n${position}\n`)
  const alertsBefore = await call(url, 'GET', '/api/v1/alerts', { key })
  for (const step of STEPS.slice(MOVING_BLOCKS)) await runStep(step)
  const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString())
  const past = `from=${at(startedMs - 4 * dayMs)}&to=${at(startedMs - 2 * dayMs)}`
  const ofKnown = await call(url, 'GET', `/api/v1/vehicles/${vehicleId}/readings?${past}`, { key })
  assert.equal(ofKnown.status, 200, JSON.stringify(ofKnown.body))
  assert.match(JSON.stringify(ofKnown.body), /32\.18688/)
  const located = await call(url, 'GET', '/api/external/devices/356938035643111/location', { key })
  assert.equal(located.status, 200, JSON.stringify(located.body))
  const { name, latitude, online } = (located.body as unknown as { location: Record<string, unknown> }).location
  assert.deepEqual([name, latitude, online], ['Truck 12', 52.5, false])
  assert.deepEqual((await call(url, 'GET', '/api/v1/alerts', { key })).body, alertsBefore.body)
})

/** With the password that the device got from the old installation. */
async function sendOverMqtt(home: RunningService): Promise<void> {
  const { mqtt_username: username, mqtt_password: password } = device
  const client = await mqtt.connectAsync(home.credentials().mqtt_url, {
    username,
    password,
    clientId: device.device_id,
    reconnectPeriod: 0,
  })
  await client.endAsync()
}
