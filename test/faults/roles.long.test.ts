// Goal: an installation of several processes behind one address is one service, whatever dies and while it is updated. Method: three APIs, two
// receivers, two workers and two engines behind HAProxy, with PgBouncer before PostgreSQL. Devices send over REST and MQTT QoS 1, and programs call, all
// through that one address, while one process of each kind is killed at a random moment and then every process is replaced by another, one after the
// other. At the end everything is read and held against what was sent and answered.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, type OutgoingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertResellerWithKey, lastFirst } from '@roadworthy/platform/surfaces/test-api'
import { openDatabasePatiently, untilTaken } from '@roadworthy/platform/test-support'
import { findFreePorts } from '@roadworthy/service-kit/network/free-ports'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type CleanUp, createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { FleetProcess, type ProcessKind } from '../support/fleet-process.ts'
import { findProgram, pgbouncerUsers, startHaproxy, startPgbouncer } from '../support/programs.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { wholeText } from '../support/whole-text.ts'
import { type Address, acknowledgedCount, audit, callFor, loadFor, register } from './fleet-under-load.ts'

const PATHS = ['/api/external/devices', '/api/v1/vehicles', '/api/v1/alerts', '/api/external/devices/locations', '/api/v1/overview']
const SECRET_KEY = 'test secret key, 32 characters or more'
const KINDS: readonly ProcessKind[] = ['api', 'api', 'api', 'receivers', 'receivers', 'worker', 'worker', 'engine', 'engine']
const DEVICES = { rest: 4, mqtt: 4 }
/** Of each device between two messages. Twenty processes share the machine with them. */
const PAUSE_MS = 100
const SLOW_DEVICES = 4
const BODY_AFTER_MS = 5
const MIN_LOAD_MS = 500
const MAX_LOAD_MS = 2_000
const SETTLED_WITHIN_MS = 120_000
const PER_MINUTE = 120
/** docs/guides/scaling.md: each process notes what it accepts once a second, and lets through what it has not read of the others. */
const API_COUNT = KINDS.filter((kind) => kind === 'api').length

const haproxy = findProgram('haproxy')
const pgbouncer = findProgram('pgbouncer')
const skip = haproxy === undefined || pgbouncer === undefined ? 'needs HAProxy and PgBouncer' : false

test('processes of every role behind one address lose, double and forget nothing when they are killed and replaced', {
  skip,
}, async (t) => {
  const cleanUp = lastFirst(t)
  const { url } = await createTestDatabase(cleanUp)
  const pooled = await startPgbouncer(cleanUp, pgbouncer ?? '', url, pgbouncerUsers(SECRET_KEY))
  const [http = 0, mqtt = 0, engine = 0, ...ports] = await findFreePorts(3 + KINDS.length * 2)
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-roles-'))
  cleanUp.after(async () => rmSync(folder, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: pooled,
    DATABASE_SESSION_URL: url,
    SECRET_KEY,
    ENGINE_URL: `http://127.0.0.1:${engine}`,
    BASE_URL: `http://127.0.0.1:${http}`,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    SCORING_INTERVAL_S: '1',
    // HAProxy looks at each process once a second.
    SHUTDOWN_DELAY_S: '3',
  }
  const processes = KINDS.map((kind, nth) => {
    const [port = 0, mqttPort = 0] = ports.slice(nth * 2)
    return new FleetProcess({ kind, port, mqttPort, dataDir: join(folder, String(nth)), env })
  })
  cleanUp.after(async () => void (await Promise.all(processes.map((each) => each.stop('SIGKILL')))))
  // The first makes the schema and the first key.
  const [first] = processes as [FleetProcess, ...FleetProcess[]]
  await first.start()
  for (const each of processes.slice(1)) await each.start()
  await startHaproxy(cleanUp, haproxy ?? '', addressesOf(processes, { http, mqtt, engine }), http)

  const address = { baseUrl: `http://127.0.0.1:${http}`, apiKey: first.apiKey(), mqttUrl: `mqtt://127.0.0.1:${mqtt}` }
  await untilAnswered(address)
  const database = openDatabasePatiently(
    { app: url, system: url },
    { appConnections: 1, systemConnections: 1, onError: (error) => console.error(error) },
  )
  cleanUp.after(() => database.close())
  // Of its own, so that what devices send is all that is billed to the other one.
  const other = { ...address, apiKey: (await insertResellerWithKey(database, 'alarms')).apiKey }
  const hook = await openHook(cleanUp)
  const endpoint = { url: `${hook.url}/sent`, eventTypes: ['alert.created'] }
  ok(await untilTaken(() => call(address.baseUrl, 'POST', '/api/v1/webhooks', { key: other.apiKey, body: endpoint })))
  const baseMs = Date.now() - 3_600_000
  const senders = await register(address, baseMs, DEVICES)
  const slow = await register(other, baseMs, { rest: SLOW_DEVICES, mqtt: 0 })

  let isOver = false
  const statuses = new Map<number, number>()
  const raised: string[] = []
  const load = Promise.all([
    loadFor(senders, address, () => isOver, PAUSE_MS),
    callFor(other, PATHS, statuses, () => isOver),
    raiseAlarmsFor(other, raised, () => isOver),
    ...slow.map(({ deviceId }) => sendInTwoFor(other, deviceId, () => isOver)),
  ])
  try {
    for (const kind of ['receivers', 'api', 'worker', 'engine'] as const) {
      await sleep(MIN_LOAD_MS + Math.random() * (MAX_LOAD_MS - MIN_LOAD_MS))
      const ofKind = processes.filter((each) => each.kind === kind)
      const victim = ofKind[Math.floor(Math.random() * ofKind.length)] ?? assert.fail(kind)
      await victim.stop('SIGKILL')
      await sleep(MIN_LOAD_MS)
      await victim.start()
      t.diagnostic(`a process of ${kind} was killed and started again; ${acknowledgedCount(senders)} readings acknowledged so far`)
    }
    for (const each of processes) {
      assert.equal(await each.stop('SIGTERM'), 0, `${each.kind} stops cleanly`)
      await each.start()
    }
    await sleep(MIN_LOAD_MS)
  } finally {
    isOver = true
    await load
  }
  const endMs = performance.now() + MAX_LOAD_MS
  await loadFor(senders, address, () => performance.now() > endMs, PAUSE_MS)

  t.diagnostic(`answers to programs: ${JSON.stringify(Object.fromEntries(statuses))}`)
  assert.ok((statuses.get(200) ?? 0) > 50, 'programs called')
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status >= 500 && status !== 503),
    [],
  )
  await auditOnce(t, other, database, { raised, sent: hook.sent })
  // HAProxy asks again what a killed receiver left without an answer: one call of each device at most.
  await audit(t, senders, address, baseMs, { leastAcknowledged: 300, repeatedCalls: DEVICES.rest })
  await proveLimit(t, other)
  for (const each of processes) assert.equal(await each.stop('SIGTERM'), 0, `${each.kind} stops cleanly`)
})

function addressesOf(processes: readonly FleetProcess[], { http, mqtt, engine }: Record<'http' | 'mqtt' | 'engine', number>) {
  const at = (port: number) => `127.0.0.1:${port}`
  const names: Record<string, string> = { HTTP_BIND: at(http), MQTT_BIND: at(mqtt), ENGINE_BIND: at(engine) }
  const of = (kind: ProcessKind) => processes.filter((each) => each.kind === kind)
  for (const [nth, each] of of('api').entries()) names[`API_${nth + 1}`] = at(each.port)
  for (const [nth, each] of of('engine').entries()) names[`ENGINE_${nth + 1}`] = at(each.port)
  for (const [nth, each] of of('receivers').entries()) {
    names[`RECEIVER_${nth + 1}`] = at(each.port)
    names[`RECEIVER_${nth + 1}_MQTT`] = at(each.mqttPort)
  }
  return names
}

async function untilAnswered({ baseUrl }: Address): Promise<void> {
  for (let waitedMs = 0; waitedMs < SETTLED_WITHIN_MS; waitedMs += 100) {
    const { status } = await call(baseUrl, 'GET', '/api/external/devices', { key: null })
    if (status === 401) return
    await sleep(100)
  }
  assert.fail('the address answers nothing')
}

/** Devices that call for help, each once: sent again until it is acknowledged. */
async function raiseAlarmsFor({ baseUrl, apiKey: key }: Address, raised: string[], isOver: () => boolean): Promise<void> {
  for (let nth = 0; !isOver(); nth++) {
    const body = { name: `alarm ${nth}`, vehicle: { mode: 'create', make: 'A' } }
    // Without an answer nobody knows whether it was done: the same again has the same key.
    const made = await call(baseUrl, 'POST', '/api/external/devices', { key, body, headers: { 'idempotency-key': `alarm-${nth}` } }).catch(
      (error: Error) => {
        assert.match(String(error.cause), /other side closed|ECONNRESET/)
        return undefined
      },
    )
    if (made?.status !== 200 && made?.status !== 201) {
      if (made !== undefined) assert.match(`${made.status} ${JSON.stringify(made.body)}`, /^503 |^409 .*idempotency_in_progress/)
      nth--
      await sleep(50)
      continue
    }
    const { device_id: deviceId, vehicle_id: vehicleId } = made.body as Row
    const reading = { device_id: deviceId, timestamp: new Date().toISOString(), event: 'sos' }
    for (;;) {
      const { status } = await call(baseUrl, 'POST', '/api/external/telemetry', { key, body: reading })
      if (status === 200) break
      assert.equal(status, 503)
      await sleep(50)
    }
    raised.push(String(vehicleId))
    await sleep(100)
  }
}

/** A device on a mobile network, whose body comes a moment after its head. Whatever dies meanwhile, it has an answer to each. */
async function sendInTwoFor({ baseUrl, apiKey }: Address, deviceId: string, isOver: () => boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  while (!isOver()) {
    const reading = JSON.stringify({ device_id: deviceId, timestamp: new Date().toISOString(), sensor_data: { rpm: 800 } })
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-length': reading.length }
    assert.match(String(await postInTwo(`${baseUrl}/api/external/telemetry`, headers, reading, agent)), /^(200|503)$/)
    await sleep(PAUSE_MS)
  }
  agent.destroy()
}

function postInTwo(url: string, headers: OutgoingHttpHeaders, body: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('error', reject)
      response.on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject)
    sent.flushHeaders()
    setTimeout(() => sent.end(body), BODY_AFTER_MS)
  })
}

/** Webhooks by the vehicle they are about. */
async function openHook(cleanUp: CleanUp) {
  const sent = new Map<string, Set<string>>()
  const server = createServer(async (request, response) => {
    const text = await wholeText(request)
    // Of a worker that was killed within it: nothing was sent.
    if (text === undefined) return
    const { id, data } = JSON.parse(text) as { id: string; data: { vehicleId?: string; vehicle_id?: string } }
    const vehicleId = String(data.vehicleId ?? data.vehicle_id)
    sent.set(vehicleId, (sent.get(vehicleId) ?? new Set()).add(id))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp.after(() => new Promise((resolve) => server.close(() => resolve())))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent }
}

/** What follows from a reading happened once: an alert of each alarm, an event of each alert, and the event reached the webhook. */
async function auditOnce(
  t: { diagnostic(text: string): void },
  { baseUrl, apiKey: key }: Address,
  database: Database,
  { raised, sent }: { raised: readonly string[]; sent: ReadonlyMap<string, ReadonlySet<string>> },
): Promise<void> {
  assert.ok(raised.length > 10, `${raised.length} alarms`)
  const isSent = () => raised.every((vehicleId) => sent.has(vehicleId))
  for (let waitedMs = 0; !isSent() && waitedMs < SETTLED_WITHIN_MS; waitedMs += 100) await sleep(100)
  assert.deepEqual(
    raised.filter((vehicleId) => !sent.has(vehicleId)),
    [],
    'alarms that no webhook came of',
  )
  for (const vehicleId of raised) {
    const { alerts } = ok<{ alerts: Row[] }>(await call(baseUrl, 'GET', `/api/v1/alerts?vehicleId=${vehicleId}`, { key }))
    assert.deepEqual(
      alerts.map(({ type }) => type),
      ['sos'],
      vehicleId,
    )
    assert.equal(sent.get(vehicleId)?.size, 1, 'one event, however often it is delivered')
  }
  const workOfNobody = async () => {
    const { rows } = await database.systemPool.query(
      `select kind, key, last_error from jobs where failures > 0 or (claimed_until is not null and claimed_until < now() - interval '1 minute')`,
    )
    return rows
  }
  // What failed while a process was away is tried again after a wait.
  for (let waitedMs = 0; (await workOfNobody()).length > 0 && waitedMs < SETTLED_WITHIN_MS; waitedMs += 100) await sleep(100)
  assert.deepEqual(await workOfNobody(), [], 'work that nobody is at')
  t.diagnostic(`${raised.length} alarms, one alert and one event of each`)
}

/** A key that may call so often a minute, used as fast as it can be through all APIs. */
async function proveLimit(t: { diagnostic(text: string): void }, { baseUrl, apiKey: key }: Address): Promise<void> {
  const body = { name: 'limited', scopes: ['devices:read'], perMinute: PER_MINUTE }
  const made = ok<{ secret: string }>(await untilTaken(() => call(baseUrl, 'POST', '/api/v1/api-keys', { key, body })))
  let [accepted, refused] = [0, 0]
  const startedMs = performance.now()
  // Until some were refused: before a minute is over, after which it may call again.
  const isOver = () => performance.now() - startedMs > (refused === 0 ? 45_000 : 5_000)
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!isOver()) {
        const { status } = await call(baseUrl, 'GET', '/api/external/devices', { key: made.secret })
        if (status === 200) accepted++
        // What a busy machine asks to repeat is repeated.
        else if (status !== 503) {
          assert.equal(status, 429)
          refused++
        }
      }
    }),
  )
  t.diagnostic(`a key with ${PER_MINUTE} calls a minute, through ${API_COUNT} processes: ${accepted} accepted, ${refused} refused`)
  assert.ok(refused > 0)
  assert.ok(accepted >= PER_MINUTE && accepted <= PER_MINUTE * API_COUNT, `${accepted}`)
}
