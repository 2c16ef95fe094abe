// Goal: what was acknowledged is stored, once, whatever is killed and when; and nothing needs a person afterwards. Method: devices send
// readings over REST and MQTT QoS 1 and, as devices do, send again what was not acknowledged; meanwhile the service, its PostgreSQL or both
// are killed at random moments; at the end everything that is stored is read through the API and held against what was sent.

import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import { RunningService } from '../e2e/running-service.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'

const VICTIMS = ['service', 'postgres', 'both'] as const
const ROUNDS = 6
const MIN_LOAD_MS = 300
const MAX_LOAD_MS = 2_500
const REST_DEVICES = 4
const MQTT_DEVICES = 4
const BATCH_SIZE = 20
const READY_WITHIN_MS = 30_000
const PUBLISH_TIMEOUT_MS = 5_000
const PAUSE_AFTER_FAILURE_MS = 50
const PAGE_SIZE = 500

type Door = 'rest' | 'mqtt'

/** One device: what it has still to send, and what it was told is stored. */
class Sender {
  readonly door: Door
  readonly deviceId: string
  readonly vehicleId: string
  readonly mqtt: { username: string; password: string; topic: string }
  readonly #baseMs: number
  readonly acknowledged = new Set<string>()
  readonly sent = new Set<string>()
  readonly surprises: string[] = []
  #pending: Row[] = []
  #next = 0

  constructor(door: Door, registered: Row, baseMs: number) {
    this.door = door
    this.deviceId = String(registered['device_id'])
    this.vehicleId = String(registered['vehicle_id'])
    const { mqtt_username: username, mqtt_password: password, mqtt_topic: topic } = registered
    this.mqtt = { username: String(username), password: String(password), topic: String(topic) }
    this.#baseMs = baseMs
  }

  /** What was not acknowledged goes first, as it was. */
  take(): readonly Row[] {
    while (this.#pending.length < BATCH_SIZE) {
      const timestamp = new Date(this.#baseMs + this.#next * 10).toISOString()
      this.#pending.push({ timestamp, sensor_data: { rpm: 800 + (this.#next % 1000), coolant_temp: 90 } })
      this.sent.add(timestamp)
      this.#next++
    }
    return this.#pending
  }

  acknowledge(records: readonly Row[]): void {
    for (const { timestamp } of records) this.acknowledged.add(String(timestamp))
    this.#pending = this.#pending.filter((record) => !records.includes(record))
  }
}

type Address = { baseUrl: string; apiKey: string; mqttUrl: string }

function addressOf(service: RunningService): Address {
  const { base_url: baseUrl, api_key: apiKey, mqtt_url: mqttUrl } = service.credentials()
  return { baseUrl, apiKey, mqttUrl }
}

/** Sends until told to stop. A refusal other than "not now" is a surprise. */
async function sendOverRest(sender: Sender, { baseUrl, apiKey }: Address, isOver: () => boolean): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const records = sender.take().slice(0, i % 2 === 0 ? 1 : BATCH_SIZE)
    const named = records.map((record) => ({ device_id: sender.deviceId, ...record }))
    const [path, body] = named.length === 1 ? ['/api/external/telemetry', named[0]] : ['/api/external/telemetry/batch', { records: named }]
    try {
      const answer = await call(baseUrl, 'POST', path, { key: apiKey, body })
      const processed = named.length === 1 ? 1 : answer.body['records_processed']
      if (answer.status === 200 && processed === named.length) sender.acknowledge(records)
      else if (answer.status !== 503) sender.surprises.push(`${answer.status} ${JSON.stringify(answer.body)}`)
      else await sleep(PAUSE_AFTER_FAILURE_MS)
    } catch {
      // The connection broke: whether it was stored is not known, so it is sent again.
      await sleep(PAUSE_AFTER_FAILURE_MS)
    }
  }
}

async function sendOverMqtt(sender: Sender, { mqttUrl }: Address, isOver: () => boolean): Promise<void> {
  let connection: { client: MqttClient; closed: Promise<false> } | undefined
  for (let i = 0; !isOver(); i++) {
    const records = sender.take().slice(0, i % 2 === 0 ? 1 : BATCH_SIZE)
    try {
      connection ??= await connectToBroker(sender, mqttUrl)
      const { client, closed } = connection
      const publish = client.publishAsync(sender.mqtt.topic, JSON.stringify(records.length === 1 ? records[0] : records), { qos: 1 })
      const timeout = sleep(PUBLISH_TIMEOUT_MS, false, { ref: false })
      if (!(await Promise.race([publish.then(() => true), closed, timeout]))) throw new Error('not acknowledged')
      sender.acknowledge(records)
    } catch {
      connection?.client.end(true)
      connection = undefined
      await sleep(PAUSE_AFTER_FAILURE_MS)
    }
  }
  connection?.client.end(true)
}

async function connectToBroker(
  { deviceId, mqtt: { username, password } }: Sender,
  url: string,
): Promise<{ client: MqttClient; closed: Promise<false> }> {
  // Never by itself: what the client would send again on its own could not be told from what we send again.
  const client = await connectAsync(url, { clientId: deviceId, username, password, reconnectPeriod: 0, connectTimeout: 2_000 }, false)
  // The library itself comes to listen for the close a dozen times.
  client.setMaxListeners(0)
  client.on('error', () => undefined)
  return { client, closed: new Promise((resolve) => client.once('close', () => resolve(false))) }
}

async function loadFor(senders: readonly Sender[], address: Address, isOver: () => boolean): Promise<void> {
  await Promise.all(senders.map((sender) => (sender.door === 'rest' ? sendOverRest : sendOverMqtt)(sender, address, isOver)))
}

function postmasterOf(dataDir: string): number {
  const path = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  assert.ok(existsSync(path), 'PostgreSQL runs')
  return Number(readFileSync(path, 'utf8').split('\n')[0])
}

async function becomesReady(baseUrl: string, dataDir: string, killed: number): Promise<number> {
  const startedAtMs = performance.now()
  let last = ''
  while (performance.now() - startedAtMs < READY_WITHIN_MS) {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch((error) => error)
    last = response instanceof Response ? `${response.status} ${await response.text()}` : String(response)
    if (last.startsWith('200 ') && postmasterOf(dataDir) !== killed) return performance.now() - startedAtMs
    await sleep(20)
  }
  return assert.fail(`not ready again within ${READY_WITHIN_MS} ms: ${last}`)
}

async function register({ baseUrl, apiKey }: Address, baseMs: number): Promise<Sender[]> {
  const senders: Sender[] = []
  for (let i = 0; i < REST_DEVICES + MQTT_DEVICES; i++) {
    const body = { imei: `35693803564${String(i).padStart(4, '0')}`, vehicle: { mode: 'create', make: 'A' } }
    const registered = ok<Row>(await call(baseUrl, 'POST', '/api/external/devices', { key: apiKey, body }))
    senders.push(new Sender(i < REST_DEVICES ? 'rest' : 'mqtt', registered, baseMs))
  }
  return senders
}

/** Every reading of the device, by time. */
async function readAll(sender: Sender, { baseUrl, apiKey }: Address, fromMs: number): Promise<Row[]> {
  const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(fromMs + 86_400_000).toISOString()}&limit=${PAGE_SIZE}`
  const all: Row[] = []
  let after = ''
  for (;;) {
    const path = `/api/v1/vehicles/${sender.vehicleId}/readings?${range}${after}`
    const page = ok<{ readings: Row[]; pagination: { endCursor: string; hasNextPage: boolean } }>(
      await call(baseUrl, 'GET', path, { key: apiKey }),
    )
    all.push(...page.readings)
    if (!page.pagination.hasNextPage) return all
    after = `&after=${encodeURIComponent(page.pagination.endCursor)}`
  }
}

async function audit(t: TestContext, senders: readonly Sender[], address: Address, baseMs: number): Promise<void> {
  const counts: Record<Door, number> = { rest: 0, mqtt: 0 }
  for (const sender of senders) {
    assert.deepEqual(sender.surprises, [], sender.deviceId)
    const times = (await readAll(sender, address, baseMs)).map(({ recordedAt }) => String(recordedAt))
    const stored = new Set(times)
    const lost = [...sender.acknowledged].filter((time) => !stored.has(time))
    assert.deepEqual(lost, [], `${sender.door} ${sender.deviceId}: acknowledged and lost`)
    assert.equal(times.length, stored.size, `${sender.door} ${sender.deviceId}: stored twice`)
    assert.deepEqual(
      [...stored].filter((time) => !sender.sent.has(time)),
      [],
      `${sender.door} ${sender.deviceId}: never sent`,
    )
    counts[sender.door] += sender.acknowledged.size
  }
  t.diagnostic(`acknowledged and all stored once: ${counts.rest} over REST, ${counts.mqtt} over MQTT`)
  assert.ok(counts.rest > 1000 && counts.mqtt > 1000, 'the load was a load')
}

test('nothing acknowledged is lost or doubled when the service, PostgreSQL or both are killed, and both come back by themselves', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-kill-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  let service = new RunningService(dataDir)
  t.after(async () => {
    await service.signal('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })
  await service.ready()
  const baseMs = Date.now() - 3_600_000
  const senders = await register(addressOf(service), baseMs)
  for (let round = 0; round < ROUNDS; round++) {
    const victim = VICTIMS[round % VICTIMS.length]
    const loadMs = Math.round(MIN_LOAD_MS + Math.random() * (MAX_LOAD_MS - MIN_LOAD_MS))
    const address = addressOf(service)
    const postmaster = postmasterOf(dataDir)
    let isOver = false
    const load = loadFor(senders, address, () => isOver)
    let recoveryMs = 0
    try {
      await sleep(loadMs)
      if (victim !== 'service') process.kill(postmaster, 'SIGKILL')
      if (victim !== 'postgres') await service.signal('SIGKILL')
      else recoveryMs = await becomesReady(address.baseUrl, dataDir, postmaster)
    } finally {
      isOver = true
      await load
    }
    const startedAtMs = performance.now()
    if (victim !== 'postgres') {
      service = new RunningService(dataDir)
      await service.ready()
    }
    const acknowledged = senders.reduce((sum, sender) => sum + sender.acknowledged.size, 0)
    const took = victim === 'postgres' ? recoveryMs : performance.now() - startedAtMs
    t.diagnostic(
      `round ${round}: ${victim} killed after ${loadMs} ms, ${acknowledged} acknowledged so far, ready again in ${Math.round(took)} ms`,
    )
  }
  // A last while without a fault, in which what was left over is sent again.
  const endMs = performance.now() + MAX_LOAD_MS
  await loadFor(senders, addressOf(service), () => performance.now() > endMs)
  await audit(t, senders, addressOf(service), baseMs)
})
