import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Aedes } from 'aedes'
import type { FleetSnapshot } from './fleet/fleet.ts'
import type { WireRecord } from './fleet/reading.ts'
import { demoFaults, runDemo } from './run-demo.ts'
import { createApi } from './senders/api.ts'
import { startTestPlatform } from './senders/test-platform.ts'
import { createTestRegistry } from './senders/test-registry.ts'

const BACKFILL_S = 900

/** A platform with both receivers; `onRecords` hears of every record that came in by either. */
async function startReceivers(
  t: TestContext,
  onRecords: (records: WireRecord[], receiver: 'rest' | 'mqtt') => void,
  isAnswered: () => boolean = () => true,
) {
  const registry = createTestRegistry()
  const platform = await startTestPlatform(t, (asked) => {
    const { records } = asked.body as { records?: WireRecord[] }
    if (records) onRecords(records, 'rest')
    return registry.reply(asked)
  })
  const broker = await Aedes.createBroker({
    authenticate: (client, username, password, done) => {
      const device = registry.devices.find(({ id }) => id === client.id)
      if (isAnswered()) done(null, device?.mqtt_username === username && device?.password === password?.toString())
    },
    authorizePublish: (_client, packet, done) => {
      const body = JSON.parse(packet.payload.toString()) as WireRecord | WireRecord[]
      onRecords(Array.isArray(body) ? body : [body], 'mqtt')
      done(null)
    },
  })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    broker.handle(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    await new Promise<void>((resolve) => broker.close(() => resolve()))
  })
  return { baseUrl: platform.baseUrl, mqttUrl: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, registry, broker, sockets }
}

test('a run that is stopped while only some devices are connected leaves none of them connected', { timeout: 180_000 }, async (t) => {
  let signInCount = 0
  const receivers = await startReceivers(
    t,
    () => {},
    () => ++signInCount === 1,
  )
  const stop = new AbortController()
  receivers.broker.once('clientReady', () => stop.abort())
  const run = runDemo({
    api: createApi({ baseUrl: receivers.baseUrl, apiKey: 'k' }),
    ...{ mqttUrl: receivers.mqttUrl, vehicleCount: 4, seed: 7, intervalS: 0.5, backfillS: 0, stateFile: undefined },
    ...{ signal: stop.signal, log: () => {}, now: Date.now },
  })
  await assert.rejects(run, { name: 'AbortError' })
  // Also by a reset, with which a client closes where an answer has come that it has not read.
  const closing = [...receivers.sockets].filter(({ closed }) => !closed)
  await Promise.all(closing.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
})

// Goal: the whole demo, both receivers, history and live, and a second run that goes on. Method: run until live readings of both receivers are in.
test('the demo lays down history, goes live over both receivers, and goes on with the same fleet after a restart', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  t.after(() => rm(folder, { recursive: true }))
  const stateFile = join(folder, 'fleet.json')
  const received: { record: WireRecord; receiver: string }[] = []
  let stop = new AbortController()
  let liveAtMs = Date.now()
  const receivers = await startReceivers(t, (records, receiver) => {
    received.push(...records.map((record) => ({ record, receiver })))
    const live = new Set(received.filter(({ record }) => Date.parse(record.timestamp) > liveAtMs).map((entry) => entry.receiver))
    if (live.size === 2) stop.abort()
  })
  const run = () =>
    runDemo({
      api: createApi({ baseUrl: receivers.baseUrl, apiKey: 'k' }),
      mqttUrl: receivers.mqttUrl,
      vehicleCount: 6,
      seed: 7,
      intervalS: 0.5,
      backfillS: BACKFILL_S,
      stateFile,
      signal: stop.signal,
      log: () => {},
      now: Date.now,
    })
  const counts = await run()
  assert.ok(counts.accepted > 60 && counts.rejected === 0, JSON.stringify(counts))
  const history = received.filter(({ record }) => Date.parse(record.timestamp) < liveAtMs - 30_000)
  assert.ok(new Set(history.map(({ record }) => record.device_id)).size === 6)
  assert.ok(received.every(({ record }) => Date.parse(record.timestamp) <= Date.now()))
  for (const receiver of ['rest', 'mqtt']) assert.ok(received.filter((entry) => entry.receiver === receiver).length > 20, receiver)

  const before = JSON.parse(await readFile(stateFile, 'utf8')) as FleetSnapshot
  received.length = 0
  stop = new AbortController()
  liveAtMs = Date.now()
  await run()
  const after = JSON.parse(await readFile(stateFile, 'utf8')) as FleetSnapshot
  assert.equal(receivers.registry.devices.length, 6)
  assert.ok(after.states.every((state, i) => state.odometerKm >= (before.states[i]?.odometerKm ?? 0)))
  assert.ok(received.every(({ record }) => Date.parse(record.timestamp) >= liveAtMs - BACKFILL_S * 1000))
})

test('what is wrong at the opening is a small part of the fleet, and fits a fleet of any size', () => {
  assert.ok(demoFaults(24, 0).length / 24 <= 0.25)
  assert.deepEqual(demoFaults(1, 0), [])
  assert.ok(demoFaults(10, 0).every(({ vehicleIndex }) => vehicleIndex < 10))
})

function startProcess(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'demo.ts'), ...args], { stdio: ['pipe', 'ignore', 'pipe'], env })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return { child, output: () => output }
}

for (const how of ['SIGTERM', 'the end of its stdin'] as const) {
  test(`the demo process stops cleanly on ${how}`, async (t) => {
    const first = Promise.withResolvers<void>()
    const receivers = await startReceivers(t, () => first.resolve())
    const args = [
      '--base-url',
      receivers.baseUrl,
      '--mqtt-url',
      receivers.mqttUrl,
      '--vehicles',
      '4',
      '--backfill-min',
      '1',
      '--exit-with-parent',
    ]
    const { child, output } = startProcess(args, { ROADWORTHY_API_KEY: 'k' })
    t.after(() => child.kill('SIGKILL'))
    await first.promise
    const exit = once(child, 'exit')
    if (how === 'SIGTERM') child.kill('SIGTERM')
    else child.stdin.end()
    assert.deepEqual(await exit, [0, null], output())
  })
}

test('a missing key or a senseless option is named, with exit code 2', async () => {
  for (const [args, env, reason] of [
    [['--base-url', 'http://x', '--mqtt-url', 'mqtt://x'], {}, /ROADWORTHY_API_KEY is not set/],
    [
      ['--base-url', 'http://x', '--mqtt-url', 'mqtt://x', '--vehicles', 'many'],
      { ROADWORTHY_API_KEY: 'k' },
      /--vehicles must be a number/,
    ],
    [['--nonsense'], { ROADWORTHY_API_KEY: 'k' }, /nonsense/],
  ] as const) {
    const { child, output } = startProcess([...args], env)
    assert.deepEqual(await once(child, 'close'), [2, null])
    assert.match(output(), reason)
  }
})
