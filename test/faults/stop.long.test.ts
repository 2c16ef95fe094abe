// Goal: a stop is never noticed as a loss. Method: devices send over both receivers at full tilt when SIGTERM comes, beside callers who stand
// in the way of a stop: a request of which half has come, a connection that sends nothing. The service must answer what it has taken, end
// by itself within its bounds with exit code 0, PostgreSQL after it, and leave no process; after the restart every acknowledged reading is there.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '@roadworthy/service-kit/process/process-identity'
import { RunningService } from '../e2e/running-service.ts'
import { call } from '../support/running-platform.ts'
import { type Address, acknowledgedCount, addressOf, audit, loadFor, loadUntilLoad, outcomesBetween, register } from './fleet-under-load.ts'
import { databaseLog, freezeDatabase } from './running-database.ts'

const ROUNDS = 5
const MIN_LOAD_MS = 300
const MAX_LOAD_MS = 2_000
const DEVICES = { rest: 16, mqtt: 12 }
/** DESIGN §6, of a service that has nothing to do. */
const STOP_LIMIT_MS = 10_000
/** Twice that: only a stop that hangs reaches it. */
const HANGS_AFTER_MS = 20_000
const UNCLEAN = /did not stop cleanly|did not close cleanly|unexpected failure/

function newDataDir(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-stop-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

/** SIGTERM; it must end by itself, with exit code 0. Returns its output. */
async function stop(service: RunningService): Promise<string> {
  const watchdog = setTimeout(() => service.child.kill('SIGKILL'), HANGS_AFTER_MS)
  const exit = await service.signal('SIGTERM')
  clearTimeout(watchdog)
  const output = service.stdout + service.stderr
  assert.equal(exit, 0, output)
  return output
}

/** Every part within its bound too, and no process left. */
async function stopOrderly(service: RunningService): Promise<void> {
  const pids = service.processes()
  assert.doesNotMatch(await stop(service), UNCLEAN)
  assert.deepEqual(pids.filter(isAlive), [])
}

/** Connections that a stop must not wait for: idle ones, one within its headers, one within its body. */
async function standInTheWay({ baseUrl, apiKey, mqttUrl }: Address): Promise<net.Socket[]> {
  const headers = `POST /api/external/telemetry HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`
  const beginnings: readonly (readonly [url: string, beginning: string])[] = [
    [baseUrl, ''],
    [baseUrl, headers],
    [baseUrl, `${headers}Content-Length: 1000\r\n\r\n{"speed":`],
    [mqttUrl, ''],
    // A CONNECT that declares 60 bytes and has three.
    [mqttUrl, '\u0010\u003c\u0000'],
  ]
  return await Promise.all(
    beginnings.map(async ([url, beginning]) => {
      const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(beginning)
      return socket
    }),
  )
}

test('SIGTERM ends a service that has nothing to do within its bound', async (t) => {
  const service = new RunningService(newDataDir(t))
  t.after(async () => void (await service.signal('SIGTERM')))
  await service.ready()
  const beganMs = performance.now()
  await stopOrderly(service)
  assert.ok(performance.now() - beganMs < STOP_LIMIT_MS)
})

test('SIGTERM under load answers what was taken, loses nothing acknowledged, and stops everything in order', async (t) => {
  const dataDir = newDataDir(t)
  const baseMs = Date.now() - 3_600_000
  let service = new RunningService(dataDir)
  t.after(async () => void (await service.signal('SIGTERM')))
  await service.ready()
  const senders = await register(addressOf(service), baseMs, DEVICES)
  for (let round = 0; round < ROUNDS; round++) {
    const address = addressOf(service)
    const loadMs = Math.round(MIN_LOAD_MS + Math.random() * (MAX_LOAD_MS - MIN_LOAD_MS))
    const before = databaseLog(dataDir).length
    const inTheWay = round % 2 === 0 ? [] : await standInTheWay(address)
    let isOver = false
    const load = loadFor(senders, address, () => isOver)
    const startedMs = performance.now()
    let signalledMs = 0
    try {
      await sleep(loadMs)
      signalledMs = performance.now()
      await stopOrderly(service)
    } finally {
      isOver = true
      await load
      for (const socket of inTheWay) socket.destroy()
    }
    const ended = outcomesBetween(senders, 'rest', startedMs, Infinity)
    t.diagnostic(
      `round ${round}: SIGTERM after ${loadMs} ms, ended ${Math.round(performance.now() - signalledMs)} ms later, ${acknowledgedCount(senders)} acknowledged so far; REST: ${JSON.stringify(ended)}`,
    )
    assert.equal(ended.torn, 0, 'no answer ends in its middle')
    // Had the platform still been connected, PostgreSQL would have logged whom it cut off.
    const logged = databaseLog(dataDir).slice(before)
    assert.match(logged, /received fast shutdown request/)
    assert.doesNotMatch(logged, /terminating connection due to administrator command/)
    service = new RunningService(dataDir)
    await service.ready()
  }
  await loadUntilLoad(senders, addressOf(service), MAX_LOAD_MS)
  await audit(t, senders, addressOf(service), baseMs)
  await stopOrderly(service)
})

test('SIGTERM while PostgreSQL is frozen ends everything all the same, and nothing acknowledged is lost', async (t) => {
  const dataDir = newDataDir(t)
  const baseMs = Date.now() - 3_600_000
  let service = new RunningService(dataDir)
  t.after(async () => void (await service.signal('SIGTERM')))
  await service.ready()
  const senders = await register(addressOf(service), baseMs, DEVICES)
  let isOver = false
  const load = loadFor(senders, addressOf(service), () => isOver)
  let goOn: (() => void) | undefined
  const pids = service.processes()
  try {
    await sleep(MAX_LOAD_MS)
    goOn = freezeDatabase(dataDir)
    // Long enough for requests to be on their way to a database that does not answer.
    await sleep(MIN_LOAD_MS)
    await stop(service)
  } finally {
    isOver = true
    goOn?.()
    await load
  }
  // A frozen backend can do nothing but notice, once it goes on, that its postmaster is gone.
  for (let turn = 0; turn < 6_000 && pids.some(isAlive); turn++) await sleep(20)
  assert.deepEqual(pids.filter(isAlive), [])
  service = new RunningService(dataDir)
  await service.ready()
  await loadUntilLoad(senders, addressOf(service), MAX_LOAD_MS)
  await audit(t, senders, addressOf(service), baseMs)
})

test('with SHUTDOWN_DELAY_S a process that is to stop says so first and goes on serving; a second signal ends it at once', async (t) => {
  const env = { ...process.env, SHUTDOWN_DELAY_S: '300' }
  const service = new RunningService(newDataDir(t), undefined, { env })
  t.after(async () => void (await service.signal('SIGKILL')))
  await service.ready()
  const { baseUrl, apiKey } = addressOf(service)
  const statusOf = async (path: string) => (await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': apiKey } })).status
  assert.equal(await statusOf('/readyz'), 200)
  service.child.kill('SIGTERM')
  for (let waitedMs = 0; (await statusOf('/readyz')) !== 503; waitedMs += 20) {
    assert.ok(waitedMs < HANGS_AFTER_MS, 'it never says that it is about to stop')
    await sleep(20)
  }
  assert.equal(((await (await fetch(`${baseUrl}/readyz`)).json()) as { status: string }).status, 'stopping')
  assert.equal(await statusOf('/livez'), 200)
  const [sender = assert.fail()] = await register(addressOf(service), Date.now(), { rest: 1, mqtt: 0 })
  const reading = { device_id: sender.deviceId, timestamp: new Date().toISOString(), sensor_data: { rpm: 800 } }
  assert.equal((await call(baseUrl, 'POST', '/api/external/telemetry', { key: apiKey, body: reading })).status, 200)
  assert.equal(service.child.exitCode, null)
  assert.equal(await service.signal('SIGTERM'), 1)
})
