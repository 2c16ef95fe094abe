// Goal: a database that is gone or hangs costs time and nothing else. Method: devices send over both receivers while PostgreSQL is dead and
// cannot be started, and while every process of it is frozen as by a disk that does not answer. Meanwhile callers must be answered to come back,
// nothing may be acknowledged, and what waits must be bounded; afterwards everything must go on by itself, with nothing lost or doubled.

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@roadworthy/service-kit/network/free-ports'
import { isAlive } from '@roadworthy/service-kit/process/process-identity'
import { connectAsync } from 'mqtt'
import { FREE_PORTS, listDescendants, RunningService } from '../e2e/running-service.ts'
import {
  acknowledgedCount,
  addressOf,
  audit,
  LEAST_ACKNOWLEDGED,
  loadFor,
  outcomesBetween,
  register,
  type Sender,
} from './fleet-under-load.ts'
import { freezeDatabase, postmasterOf } from './running-database.ts'

const LOAD_MS = 2_000
const AWAY_MS = 5_000
/** Longer than a statement may take (5 s) and than its caller waits for it (6 s). */
const FROZEN_MS = 8_000
const READY_WITHIN_MS = 180_000
/** The crowd leaves the other receiver little. */
const LEAST_BESIDE_CROWD = 100
/** `maxQueuedReadings` of the group commit; what one call brings may not exceed it. */
const MAX_QUEUED_READINGS = 20_000
/** Measured: 480 to 540 MB, most of it the bodies of 300 requests of 100 records at once. Without a bound it would go on growing. */
const MAX_MEMORY_MB = 800

async function startService(t: TestContext, flags: readonly string[] = []): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-away-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  const service = new RunningService(join(folder, 'data'), ['--no-demo', ...FREE_PORTS, ...flags])
  t.after(async () => {
    await service.signal('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })
  await service.ready()
  return service
}

async function readiness(service: RunningService): Promise<number | undefined> {
  const answer = await fetch(`${service.credentials().base_url}/readyz`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status
}

async function becomesReady(service: RunningService): Promise<void> {
  const endMs = performance.now() + READY_WITHIN_MS
  while ((await readiness(service)) !== 200) {
    assert.ok(performance.now() < endMs, `not ready again: ${service.stdout.slice(-2_000)}`)
    await sleep(50)
  }
}

/** Makes every start of PostgreSQL fail, as an owner's mistake would. Gives how to put it right. */
function breakSettings(dataDir: string): () => void {
  const path = join(dataDir, 'postgres', 'cluster', 'postgresql.local.conf')
  writeFileSync(path, "no_such_setting = 'on'\n", { mode: 0o644 })
  return () => rmSync(path)
}

/** Statements are given up after seconds; on a busy machine the answers to their callers may take some more. */
async function callersAreAnswered(senders: readonly Sender[], fromMs: number): Promise<void> {
  const endMs = performance.now() + READY_WITHIN_MS
  while ((outcomesBetween(senders, 'rest', fromMs, performance.now())?.later ?? 0) === 0 && performance.now() < endMs) await sleep(100)
}

/** On a busy machine the load takes longer to become one. */
async function untilAcknowledged(senders: readonly Sender[], leastCount: number): Promise<void> {
  const endMs = performance.now() + READY_WITHIN_MS
  const isLoad = () =>
    (['rest', 'mqtt'] as const).every((receiver) => acknowledgedCount(senders.filter((each) => each.receiver === receiver)) >= leastCount)
  while (!isLoad() && performance.now() < endMs) await sleep(100)
}

function assertNothingAcknowledged(t: TestContext, senders: readonly Sender[], fromMs: number, untilMs: number): void {
  const [rest, mqtt] = (['rest', 'mqtt'] as const).map((receiver) => outcomesBetween(senders, receiver, fromMs, untilMs))
  t.diagnostic(`while it was away: REST ${JSON.stringify(rest)}, MQTT ${JSON.stringify(mqtt)}`)
  assert.deepEqual([rest?.acknowledged, mqtt?.acknowledged], [0, 0])
  assert.deepEqual([rest?.torn, mqtt?.torn], [0, 0])
  assert.ok(rest !== undefined && rest.later > 0, 'REST callers are answered to come back')
  assert.equal(rest.closed, 0, 'every REST caller gets an answer')
}

test('while PostgreSQL is dead and does not start nothing is acknowledged and callers are answered to come back; then all goes on', async (t) => {
  const service = await startService(t)
  const address = addressOf(service)
  const baseMs = Date.now() - 3_600_000
  const senders = await register(address, baseMs, { rest: 12, mqtt: 8 })
  const postmaster = postmasterOf(service.dataDir)
  let isOver = false
  const load = loadFor(senders, address, () => isOver)
  try {
    await sleep(LOAD_MS)
    const putRight = breakSettings(service.dataDir)
    const pids = listDescendants(postmaster)
    process.kill(postmaster, 'SIGKILL')
    for (let turn = 0; turn < 6_000 && pids.some(isAlive); turn++) await sleep(10)
    assert.deepEqual(pids.filter(isAlive), [])
    const fromMs = performance.now()
    await sleep(AWAY_MS)
    await callersAreAnswered(senders, fromMs)
    assert.equal(await readiness(service), 503)
    const [device] = senders.filter(({ receiver }) => receiver === 'mqtt')
    const { username = '', password = '' } = device?.mqtt ?? {}
    const signIn = connectAsync(address.mqttUrl, { clientId: device?.deviceId ?? '', username, password, reconnectPeriod: 0 }, false)
    // CONNACK 3, server unavailable.
    await assert.rejects(signIn, { code: 3 })
    assertNothingAcknowledged(t, senders, fromMs, performance.now())
    putRight()
    await becomesReady(service)
    await sleep(LOAD_MS)
    await untilAcknowledged(senders, LEAST_ACKNOWLEDGED)
  } finally {
    isOver = true
    await load
  }
  await audit(t, senders, address, baseMs, { leastAcknowledged: LEAST_ACKNOWLEDGED })
})

/** Asks again and again how many readings wait; the most that were seen at once. */
async function watchQueue(metricsPort: number, isOver: () => boolean): Promise<number> {
  let most = 0
  while (!isOver()) {
    // A connection may be closed as idle in the moment in which it is used again.
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => undefined)
    const text = (await answer?.text()) ?? ''
    most = Math.max(most, Number(/^fleet_ingest_queued_readings (\d+)$/m.exec(text)?.[1] ?? 0))
    await sleep(50)
  }
  return most
}

/** Of the service itself, its children not counted, at its highest since the start. */
function peakMemoryMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

test('a PostgreSQL that hangs for 8 s fills a bounded queue, acknowledges nothing, and then goes on with nothing lost', async (t) => {
  const metricsPort = await findFreePort()
  const service = await startService(t, ['--metrics-port', String(metricsPort)])
  const address = addressOf(service)
  const baseMs = Date.now() - 3_600_000
  // Together more than the queue takes.
  const crowd = await register(address, baseMs, { rest: 300, mqtt: 0 }, [100])
  const others = await register(address, baseMs, { rest: 0, mqtt: 12 })
  const senders = [...crowd, ...others]
  let isOver = false
  let isCrowdOver = false
  const load = Promise.all([loadFor(crowd, address, () => isOver || isCrowdOver), loadFor(others, address, () => isOver)])
  const queue = watchQueue(metricsPort, () => isOver)
  let goOn: (() => void) | undefined
  try {
    await sleep(LOAD_MS)
    const atWorkMb = peakMemoryMb(service.pid)
    goOn = freezeDatabase(service.dataDir)
    const fromMs = performance.now()
    await sleep(FROZEN_MS)
    await callersAreAnswered(senders, fromMs)
    assertNothingAcknowledged(t, senders, fromMs, performance.now())
    goOn()
    goOn = undefined
    await sleep(LOAD_MS)
    // With the crowd, on a machine that is busy with other tests too, a service may stay at its limit, and the others hardly get to sign in.
    isCrowdOver = true
    await becomesReady(service)
    await untilAcknowledged(senders, LEAST_BESIDE_CROWD)
    const peakMb = peakMemoryMb(service.pid)
    t.diagnostic(`memory: ${Math.round(atWorkMb)} MB at work, ${Math.round(peakMb)} MB at most`)
    assert.ok(peakMb < MAX_MEMORY_MB, `${Math.round(peakMb)} MB`)
  } finally {
    isOver = true
    goOn?.()
    await load
  }
  const mostQueued = await queue
  t.diagnostic(`at most ${mostQueued} readings were queued`)
  assert.ok(mostQueued > MAX_QUEUED_READINGS / 2 && mostQueued <= MAX_QUEUED_READINGS, `${mostQueued} readings were queued`)
  await audit(t, senders, address, baseMs, { leastAcknowledged: LEAST_BESIDE_CROWD })
})
