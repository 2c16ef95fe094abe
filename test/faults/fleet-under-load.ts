// Devices that send over REST and MQTT QoS 1 while something is done to the service, that send again what was not acknowledged, as
// devices do, and that remember what was acknowledged; and the audit that holds everything stored against it.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilTaken } from '@roadworthy/platform/test-support'
import { connectAsync, type MqttClient } from 'mqtt'
import type { RunningService } from '../e2e/running-service.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'

/** Records of a device's messages, in turn. */
const MESSAGE_SIZES: readonly number[] = [1, 20]
const PUBLISH_TIMEOUT_MS = 5_000
const REQUEST_TIMEOUT_MS = 30_000
const PAUSE_AFTER_FAILURE_MS = 50
const PAGE_SIZE = 500
/** Readings of each receiver, so that the load was one. */
export const LEAST_ACKNOWLEDGED = 1_000
/** On a machine with much to do the load takes longer to become one. */
const LOAD_WITHIN_MS = 120_000

export type Receiver = 'rest' | 'mqtt'

/** `later`: 503 in full. `closed`: the connection ended before there was an answer. `torn`: it ended within one. */
type Outcome = 'acknowledged' | 'later' | 'closed' | 'torn'
type Attempt = { readonly outcome: Outcome; readonly sentMs: number; readonly answeredMs: number }

/** One device: what it has still to send, and what was acknowledged as stored. */
export class Sender {
  readonly receiver: Receiver
  readonly deviceId: string
  readonly vehicleId: string
  readonly mqtt: { username: string; password: string; topic: string }
  /** Of which the last one was taken. */
  registeringCalls = 1
  readonly #baseMs: number
  readonly #messageSizes: readonly number[]
  readonly acknowledged = new Set<string>()
  readonly sent = new Set<string>()
  readonly attempts: Attempt[] = []
  /** Answers that no fault excuses. */
  readonly surprises: string[] = []
  #pending: Row[] = []
  #next = 0
  #messageCount = 0

  constructor(receiver: Receiver, registered: Row, baseMs: number, messageSizes = MESSAGE_SIZES) {
    this.receiver = receiver
    this.deviceId = String(registered['device_id'])
    this.vehicleId = String(registered['vehicle_id'])
    const { mqtt_username: username, mqtt_password: password, mqtt_topic: topic } = registered
    this.mqtt = { username: String(username), password: String(password), topic: String(topic) }
    this.#baseMs = baseMs
    this.#messageSizes = messageSizes
  }

  /** The records of the next message. What was not acknowledged goes first, as it was. */
  take(): readonly Row[] {
    const size = this.#messageSizes[this.#messageCount++ % this.#messageSizes.length] ?? 1
    while (this.#pending.length < size) {
      const timestamp = new Date(this.#baseMs + this.#next * 10).toISOString()
      this.#pending.push({ timestamp, sensor_data: { rpm: 800 + (this.#next % 1000), coolant_temp: 90 } })
      this.sent.add(timestamp)
      this.#next++
    }
    return this.#pending.slice(0, size)
  }

  acknowledge(records: readonly Row[]): void {
    for (const { timestamp } of records) this.acknowledged.add(String(timestamp))
    const known = new Set(records)
    this.#pending = this.#pending.filter((record) => !known.has(record))
  }

  note(outcome: Outcome, sentMs: number): void {
    this.attempts.push({ outcome, sentMs, answeredMs: performance.now() })
  }
}

export type Address = { baseUrl: string; apiKey: string; mqttUrl: string }

export function addressOf(service: RunningService): Address {
  const { base_url: baseUrl, api_key: apiKey, mqtt_url: mqttUrl } = service.credentials()
  return { baseUrl, apiKey, mqttUrl }
}

export async function register(
  { baseUrl, apiKey }: Address,
  baseMs: number,
  counts: Record<Receiver, number>,
  messageSizes?: readonly number[],
): Promise<Sender[]> {
  const senders: Sender[] = []
  for (let i = 0; i < counts.rest + counts.mqtt; i++) {
    const body = { name: 'A', vehicle: { mode: 'create', make: 'A' } }
    let calls = 0
    const ask = () => {
      calls++
      return call(baseUrl, 'POST', '/api/external/devices', { key: apiKey, body })
    }
    const sender = new Sender(i < counts.rest ? 'rest' : 'mqtt', ok<Row>(await untilTaken(ask)), baseMs, messageSizes)
    sender.registeringCalls = calls
    senders.push(sender)
  }
  return senders
}

/**
 * Sends from every device, one message at a time each, until stopped. `pauseMs`: after each that was acknowledged, for a load that does not take the
 * processors away from what the test has started beside.
 */
export async function loadFor(senders: readonly Sender[], address: Address, isOver: () => boolean, pauseMs = 0): Promise<void> {
  await Promise.all(senders.map((sender) => (sender.receiver === 'rest' ? sendOverRest : sendOverMqtt)(sender, address, isOver, pauseMs)))
}

async function sendOverRest(sender: Sender, address: Address, isOver: () => boolean, pauseMs: number): Promise<void> {
  while (!isOver()) {
    const records = sender.take()
    const sentMs = performance.now()
    const outcome = await postReadings(sender, address, records)
    sender.note(outcome, sentMs)
    // Unless it was acknowledged, whether it was stored is not known, so it is sent again.
    if (outcome === 'acknowledged') sender.acknowledge(records)
    const waitMs = outcome === 'acknowledged' ? pauseMs : PAUSE_AFTER_FAILURE_MS
    if (waitMs > 0) await sleep(waitMs)
  }
}

async function postReadings(sender: Sender, { baseUrl, apiKey }: Address, records: readonly Row[]): Promise<Outcome> {
  const named = records.map((record) => ({ device_id: sender.deviceId, ...record }))
  const [path, body] = named.length === 1 ? ['/telemetry', named[0]] : ['/telemetry/batch', { records: named }]
  let response: Response
  try {
    response = await fetch(`${baseUrl}/api/external${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
  } catch {
    return 'closed'
  }
  let answer: Row
  try {
    answer = (await response.json()) as Row
  } catch {
    return 'torn'
  }
  if (response.status === 200 && (named.length === 1 || answer['records_processed'] === named.length)) return 'acknowledged'
  if (response.status !== 503 || !saysComeBack(response.headers, answer)) {
    sender.surprises.push(`${response.status} ${JSON.stringify([...response.headers])} ${JSON.stringify(answer)}`)
  }
  return 'later'
}

/** Spec §7.3: the one body of errors, and when to come back, in the header and in the body. */
function saysComeBack(headers: Headers, answer: Row): boolean {
  const error = (answer['error'] ?? {}) as Row
  const retryAfterS = Number(headers.get('retry-after'))
  return answer['success'] === false && typeof error['code'] === 'string' && retryAfterS >= 1 && error['retry_after'] === retryAfterS
}

async function sendOverMqtt(sender: Sender, { mqttUrl }: Address, isOver: () => boolean, pauseMs: number): Promise<void> {
  let connection: { client: MqttClient; closed: Promise<false> } | undefined
  while (!isOver()) {
    const records = sender.take()
    const sentMs = performance.now()
    try {
      connection ??= await connectToBroker(sender, mqttUrl)
      const { client, closed } = connection
      const publish = client.publishAsync(sender.mqtt.topic, JSON.stringify(records.length === 1 ? records[0] : records), { qos: 1 })
      const timeout = sleep(PUBLISH_TIMEOUT_MS, false, { ref: false })
      if (!(await Promise.race([publish.then(() => true), closed, timeout]))) throw new Error('not acknowledged')
      sender.note('acknowledged', sentMs)
      sender.acknowledge(records)
      if (pauseMs > 0) await sleep(pauseMs)
    } catch {
      sender.note('closed', sentMs)
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
  // Never by itself: what the client would send again on its own could not be distinguished from what we send again.
  const client = await connectAsync(url, { clientId: deviceId, username, password, reconnectPeriod: 0, connectTimeout: 2_000 }, false)
  // The library itself comes to listen for the close a dozen times.
  client.setMaxListeners(0)
  client.on('error', () => undefined)
  return { client, closed: new Promise((resolve) => client.once('close', () => resolve(false))) }
}

/** How the attempts of a receiver ended that were both made and answered between two moments. */
export function outcomesBetween(senders: readonly Sender[], receiver: Receiver, fromMs: number, untilMs: number): Record<Outcome, number> {
  const counts: Record<Outcome, number> = { acknowledged: 0, later: 0, closed: 0, torn: 0 }
  for (const sender of senders) {
    if (sender.receiver !== receiver) continue
    for (const { outcome, sentMs, answeredMs } of sender.attempts) if (sentMs >= fromMs && answeredMs < untilMs) counts[outcome]++
  }
  return counts
}

/** A last while without a fault, in which what was left over is sent again: so long, and until each receiver has acknowledged so many. */
export async function loadUntilLoad(
  senders: readonly Sender[],
  address: Address,
  leastMs: number,
  leastCount = LEAST_ACKNOWLEDGED,
  pauseMs = 0,
): Promise<void> {
  const startedMs = performance.now()
  const isLoad = () => {
    const counts = (['rest', 'mqtt'] as const).map((each) => acknowledgedCount(senders.filter(({ receiver }) => receiver === each)))
    return counts.every((count) => count >= leastCount)
  }
  const isOver = () => {
    const ranMs = performance.now() - startedMs
    return ranMs > leastMs && (isLoad() || ranMs > LOAD_WITHIN_MS)
  }
  await loadFor(senders, address, isOver, pauseMs)
}

export function acknowledgedCount(senders: readonly Sender[]): number {
  return senders.reduce((sum, sender) => sum + sender.acknowledged.size, 0)
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

/** Everything acknowledged is stored, once; nothing is stored that was not sent; and no answer was one that nothing excuses. */
export async function audit(
  t: TestContext,
  senders: readonly Sender[],
  address: Address,
  baseMs: number,
  { leastAcknowledged = LEAST_ACKNOWLEDGED, repeatedCalls = 0 }: { leastAcknowledged?: number; repeatedCalls?: number } = {},
): Promise<void> {
  const counts: Record<Receiver, number> = { rest: 0, mqtt: 0 }
  let storedCount = 0
  for (const sender of senders) {
    assert.deepEqual(sender.surprises, [], sender.deviceId)
    const times = (await readAll(sender, address, baseMs)).map(({ recordedAt }) => String(recordedAt))
    const stored = new Set(times)
    const lost = [...sender.acknowledged].filter((time) => !stored.has(time))
    assert.deepEqual(lost, [], `${sender.receiver} ${sender.deviceId}: acknowledged and lost`)
    assert.equal(times.length, stored.size, `${sender.receiver} ${sender.deviceId}: stored twice`)
    assert.deepEqual(
      [...stored].filter((time) => !sender.sent.has(time)),
      [],
      `${sender.receiver} ${sender.deviceId}: never sent`,
    )
    counts[sender.receiver] += sender.acknowledged.size
    storedCount += stored.size
  }
  t.diagnostic(`acknowledged and all stored once: ${counts.rest} over REST, ${counts.mqtt} over MQTT`)
  await auditUsage(t, senders, address, storedCount, repeatedCalls)
  assert.ok(counts.rest >= leastAcknowledged && counts.mqtt >= leastAcknowledged, 'the load was a load')
}

/**
 * Every reading that is stored is billed, once; and so is every call that was answered. One that was cut off may be, or not. `repeatedCalls`: those that
 * something in between may have sent once more.
 */
async function auditUsage(
  t: TestContext,
  senders: readonly Sender[],
  { baseUrl, apiKey }: Address,
  storedCount: number,
  repeatedCalls: number,
): Promise<void> {
  const dayAway = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const usage = await call(baseUrl, 'GET', `/api/external/usage?from=${dayAway(-2)}&to=${dayAway(2)}`, { key: apiKey })
  const { points_ingested: points, api_calls: calls } = ok<{ totals: Record<string, number> }>(usage).totals
  const attempts = senders.filter(({ receiver }) => receiver === 'rest').flatMap((sender) => sender.attempts)
  const answeredCount = attempts.filter(({ outcome }) => outcome === 'acknowledged').length
  t.diagnostic(`billed: ${points} readings of ${storedCount} stored, ${calls} calls; ${answeredCount} of ${attempts.length} were answered`)
  assert.equal(points, storedCount, 'readings that are billed')
  const readingCalls = senders.reduce((sum, { sent }) => sum + Math.floor(sent.size / PAGE_SIZE) + 1, 0)
  // The call that asks is counted before it is answered.
  const registeringCalls = senders.reduce((sum, sender) => sum + sender.registeringCalls, 0)
  const otherCount = registeringCalls + readingCalls + repeatedCalls + 1
  assert.ok(Number(calls) >= answeredCount + senders.length, 'an answered call is billed')
  assert.ok(Number(calls) <= attempts.length + otherCount, 'no call is billed twice')
}

/** A program that reads the paths in turn, as pages do, and counts answers by status. */
export async function callFor(
  { baseUrl, apiKey: key }: Address,
  paths: readonly string[],
  statuses: Map<number, number>,
  isOver: () => boolean,
  pauseMs = 20,
): Promise<void> {
  for (let nth = 0; !isOver(); nth++) {
    const { status } = await call(baseUrl, 'GET', paths[nth % paths.length] ?? '', { key })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    await sleep(pauseMs)
  }
}
