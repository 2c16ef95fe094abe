// Goal: a crowd that comes and goes leaves nothing behind and loses nothing. Method: 500 devices are connected and silent while 1,000
// others connect, publish and leave again and again, as often without a word as with DISCONNECT, some before their PUBACK; beside them
// strangers open connections and send half a CONNECT. At the end the silent ones must be there still, sockets and memory must be as
// before, and every acknowledged reading must be stored, once.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { publishPacket, RawClient } from '@roadworthy/platform/ingest/receivers/mqtt-embedded/test-mqtt-receiver'
import { openDatabasePatiently } from '@roadworthy/platform/test-support'
import { call, startPlatform } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'

const IDLE_DEVICES = 500
const CHURNING_DEVICES = 1_000
const ROUNDS = 4
/** Sign-ins and publishes under way at once. */
const AT_ONCE = 100
/** Measured: 350 MB after these rounds, and 465 MB from the tenth to the twenty-fourth. */
const MAX_MEMORY_MB = 600
const REGISTERING_TURNS = 100
/** A CONNECT of MQTT 3.1.1 that declares 60 bytes. */
const HALF_A_CONNECT = '\u0010\u003c\u0000\u0004MQTT\u0004'
/**
 * Of those who come and go: one whose end was lost on its way is closed after 1.5 of it (MQTT-3.1.2-24), as in a network that loses packets. Longer than a busy
 * machine takes for a PUBACK, which they wait for in silence.
 */
const VISITOR_KEEPALIVE_S = 30
/** How soon the end of a connection is seen when it was not lost; what is held for longer is printed. */
const SEEN_WITHIN_MS = 2_000
const SETTLED_WITHIN_MS = 120_000

type Device = { id: string; vehicleId: string; signIn: Record<string, unknown>; topic: string }
type Ending = 'disconnect' | 'cut' | 'cut before PUBACK'
const ENDINGS: readonly Ending[] = ['disconnect', 'cut', 'cut before PUBACK']

async function inParallel<T>(items: readonly T[], run: (item: T, index: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) await run(items[at] as T, at)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Nothing of what is tested: a hundred at once are more than a slow machine takes, and its answer then is to repeat the request. */
async function register({ base_url: baseUrl, api_key: key }: { base_url: string; api_key: string }, name: string): Promise<Device> {
  const body = { name, vehicle: { mode: 'create', make: 'A' } }
  for (let turn = 1; ; turn++) {
    const answer = await call(baseUrl, 'POST', '/api/external/devices', { key, body })
    if (answer.status !== 503 || turn === REGISTERING_TURNS) return toDevice(ok<Row>(answer))
    await sleep(Number(answer.headers.get('retry-after')) * 1_000)
  }
}

function toDevice(registered: Row): Device {
  const { device_id: id, vehicle_id: vehicleId, mqtt_username: username, mqtt_password: password, mqtt_topic: topic } = registered
  const signIn = { clientId: String(id), username: String(username), password: Buffer.from(String(password)) }
  return { id: String(id), vehicleId: String(vehicleId), signIn, topic: String(topic) }
}

/** Connects, publishes one reading and leaves. Returns whether the reading was acknowledged. */
async function visit(port: number, device: Device, timestamp: string, ending: Ending): Promise<boolean> {
  const client = await RawClient.signIn(port, device.id, { ...device.signIn, keepalive: VISITOR_KEEPALIVE_S })
  client.send(publishPacket(1, { timestamp, speed: 50 }, { topic: device.topic }))
  if (ending === 'cut before PUBACK') {
    client.socket.destroy()
    return false
  }
  await client.next('puback')
  if (ending === 'cut') client.socket.resetAndDestroy()
  else client.send({ cmd: 'disconnect' })
  await client.closed
  return true
}

/**
 * Sockets that the receiver holds of others than these clients, by the kernel's list: established, or closed by the other side alone (proc_net_tcp(5), states
 * 1 and 8). Each as the kernel has it, with its state and what is unsent and unread.
 */
function socketsOfOthers(port: number, clients: readonly RawClient[]): string[] {
  const toHex = (number: number | undefined) => Number(number).toString(16).toUpperCase().padStart(4, '0')
  const isHeld = new RegExp(`^ *\\d+: [0-9A-F]+:${toHex(port)} [0-9A-F]+:([0-9A-F]{4}) (?:01|08) `)
  const theirs = new Set(clients.map(({ socket }) => toHex(socket.localPort)))
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .filter((line) => {
      const peer = isHeld.exec(line)?.[1]
      return peer !== undefined && !theirs.has(peer)
    })
}

/** Whether the receiver holds no sockets of others any more, within a time. */
async function areGone(port: number, clients: readonly RawClient[], withinMs: number): Promise<boolean> {
  const endMs = performance.now() + withinMs
  while (socketsOfOthers(port, clients).length > 0) {
    if (performance.now() > endMs) return false
    await sleep(100)
  }
  return true
}

function memoryMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

test('500 idle devices stay while 1,000 come and go, and what they leave behind is their readings', async (t) => {
  const { credentials, databaseUrl, process: service } = await startPlatform(t)
  const pid = service.pid ?? assert.fail('it runs')
  const port = Number(new URL(credentials.mqtt_url).port)
  const devices: Device[] = []
  await inParallel(Array.from({ length: IDLE_DEVICES + CHURNING_DEVICES }), async (_, i) => {
    devices.push(await register(credentials, `d${i}`))
  })
  const churning = devices.splice(IDLE_DEVICES)
  const idle: RawClient[] = []
  const strangers: RawClient[] = []
  t.after(() => {
    for (const { socket } of [...idle, ...strangers]) socket.destroy()
  })
  await inParallel(devices, async ({ id, signIn }) => void idle.push(await RawClient.signIn(port, id, { ...signIn, keepalive: 600 })))
  assert.ok(socketsOfOthers(port, []).length >= IDLE_DEVICES)

  const acknowledged: { vehicleId: string; at: string }[] = []
  const baseMs = Date.now() - 60_000
  for (let round = 0; round < ROUNDS; round++) {
    await inParallel(churning, async (device, i) => {
      const at = new Date(baseMs + round * 1_000).toISOString()
      if (await visit(port, device, at, ENDINGS[(i + round) % ENDINGS.length] ?? 'cut'))
        acknowledged.push({ vehicleId: device.vehicleId, at })
      if (i % 10 !== 0) return
      const stranger = await RawClient.open(port)
      stranger.socket.write(HALF_A_CONNECT)
      strangers.push(stranger)
    })
  }
  // Nobody asked them to leave but the receiver itself.
  for (const stranger of strangers) await stranger.closedByReceiver()
  if (!(await areGone(port, idle, SEEN_WITHIN_MS))) t.diagnostic(`held until their keepalive:\n${socketsOfOthers(port, idle).join('\n')}`)
  assert.ok(await areGone(port, idle, SETTLED_WITHIN_MS), 'the receiver holds the sockets of those who are there, and no other')
  const held = memoryMb(pid)
  t.diagnostic(`${acknowledged.length} acknowledged; ${Math.round(held)} MB`)
  assert.ok(held < MAX_MEMORY_MB, `${held} MB`)

  await inParallel(idle, async (client) => {
    client.send({ cmd: 'pingreq' })
    await client.next('pingresp')
    client.send({ cmd: 'disconnect' })
    await once(client.socket, 'close')
  })
  await proveStored(databaseUrl, acknowledged)
})

async function proveStored(databaseUrl: string, acknowledged: readonly { vehicleId: string; at: string }[]): Promise<void> {
  const urls = { owner: databaseUrl, app: databaseUrl, system: databaseUrl }
  const database = openDatabasePatiently(urls, { appConnections: 1, systemConnections: 1, onError: (error) => console.error(error) })
  try {
    const { rows } = await database.systemPool.query<{ vehicle_id: string; recorded_at: Date }>(
      'select vehicle_id, recorded_at from readings',
    )
    const stored = rows.map((row) => `${row.vehicle_id} ${row.recorded_at.toISOString()}`)
    const distinct = new Set(stored)
    assert.equal(stored.length, distinct.size, 'nothing is stored twice')
    assert.deepEqual(
      acknowledged.filter(({ vehicleId, at }) => !distinct.has(`${vehicleId} ${at}`)),
      [],
    )
  } finally {
    await database.close()
  }
}
